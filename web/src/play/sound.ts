/** Short sounds made by the browser itself: a knock of wood for a move, two for a capture. Off until asked for. */

import { keep, load } from "../storage";

let context: AudioContext | null = null;

export function soundIsOn(): boolean {
  return load("sound", false);
}

export function setSound(on: boolean): void {
  keep("sound", on);
  if (on) knock(0, 320);
}

export type Sound = "move" | "capture" | "end";

export function play(sound: Sound): void {
  if (!soundIsOn()) return;
  if (sound === "end") {
    for (const [index, pitch] of [392, 494, 587].entries()) tone(0.13 * index, pitch);
    return;
  }
  knock(0, 320);
  if (sound === "capture") knock(0.09, 240);
}

function audio(): AudioContext {
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume();
  return context;
}

/** A band of noise that dies away at once: wood on wood. */
function knock(after: number, pitch: number): void {
  const to = audio();
  const length = Math.floor(0.06 * to.sampleRate);
  const buffer = to.createBuffer(1, length, to.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let index = 0; index < length; index++) samples[index] = (Math.random() * 2 - 1) * (1 - index / length) ** 6;
  const source = new AudioBufferSourceNode(to, { buffer });
  const filter = new BiquadFilterNode(to, { type: "bandpass", frequency: pitch * 3, Q: 1.2 });
  source
    .connect(filter)
    .connect(new GainNode(to, { gain: 0.7 }))
    .connect(to.destination);
  source.start(to.currentTime + after);
}

function tone(after: number, pitch: number): void {
  const to = audio();
  const at = to.currentTime + after;
  const gain = new GainNode(to, { gain: 0 });
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(0.12, at + 0.02);
  gain.gain.exponentialRampToValueAtTime(0.001, at + 0.35);
  const source = new OscillatorNode(to, { frequency: pitch, type: "triangle" });
  source.connect(gain).connect(to.destination);
  source.start(at);
  source.stop(at + 0.4);
}
