/** The 3D picture of Tic-Tac-Toe 3D: a wooden base with 16 pegs, and stones on them. Draws only when something moves. */

import {
  AmbientLight,
  BoxGeometry,
  Color,
  CylinderGeometry,
  DirectionalLight,
  Group,
  Mesh,
  MeshStandardMaterial,
  PCFShadowMap,
  PerspectiveCamera,
  Raycaster,
  Scene as ThreeScene,
  SphereGeometry,
  TorusGeometry,
  SRGBColorSpace,
  Vector2,
  Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { colour } from "../theme";
import type { Board } from "../types";
import { cellAt, columnName } from "./cells";

const GAP = 1.25; // between the pegs
const STEP = 0.82; // between the levels
const FLOOR = 0.45; // the middle of the lowest stone
const CLICK = 6; // pixels: a press that moves farther turns the board
const FALL = 380; // milliseconds

export class Scene {
  private readonly renderer: WebGLRenderer;
  private readonly scene = new ThreeScene();
  private readonly camera = new PerspectiveCamera(38, 4 / 3, 0.1, 100);
  private readonly controls: OrbitControls;
  private readonly stones = new Map<number, Mesh<SphereGeometry, MeshStandardMaterial>>();
  private readonly pegs = new Group();
  private readonly targets = new Group();
  private readonly ghost: Mesh<SphereGeometry, MeshStandardMaterial>;
  private readonly sphere = new SphereGeometry(0.44, 40, 28);
  private readonly line: Mesh<CylinderGeometry, MeshStandardMaterial>;
  private readonly ring: Mesh<TorusGeometry, MeshStandardMaterial>;
  private board: Board | null = null;
  private columns = new Set<string>();
  private pressed: { x: number; y: number } | null = null;
  private aimed = "";
  private hovered = "";
  private asked = 0;
  private begun = false;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly drop: (column: string) => void,
  ) {
    this.renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true });
    this.renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.renderer.outputColorSpace = SRGBColorSpace;
    this.camera.position.set(4.9, 5.7, 9.3);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.target.set(0, 1.05, 0);
    this.controls.enablePan = false;
    this.controls.minDistance = 6;
    this.controls.maxDistance = 14;
    this.controls.maxPolarAngle = 1.5;
    this.controls.addEventListener("change", () => this.draw());
    this.controls.update();
    this.light();
    this.build();
    this.ghost = new Mesh(this.sphere, new MeshStandardMaterial({ transparent: true, opacity: 0.45, roughness: 0.4 }));
    this.ghost.visible = false;
    this.line = new Mesh(
      new CylinderGeometry(0.09, 0.09, 1, 16),
      new MeshStandardMaterial({ color: rgb("last-move"), emissive: rgb("last-move"), emissiveIntensity: 0.9 }),
    );
    this.line.visible = false;
    this.ring = new Mesh(
      new TorusGeometry(0.47, 0.05, 12, 48),
      new MeshStandardMaterial({ color: rgb("last-move"), emissive: rgb("last-move"), emissiveIntensity: 0.5 }),
    );
    this.ring.rotation.x = Math.PI / 2;
    this.scene.add(this.pegs, this.targets, this.ghost, this.line, this.ring);
    canvas.addEventListener("pointerdown", this.press);
    canvas.addEventListener("pointermove", this.point);
    canvas.addEventListener("pointerleave", this.leave);
    canvas.addEventListener("pointerup", this.release);
    this.resize();
  }

  private light(): void {
    this.scene.add(new AmbientLight(0xffffff, 1.5));
    const sun = new DirectionalLight(0xffffff, 2.2);
    sun.position.set(4, 9, 5);
    sun.castShadow = true;
    sun.shadow.mapSize.set(1024, 1024);
    Object.assign(sun.shadow.camera, { left: -5, right: 5, top: 5, bottom: -5 });
    sun.shadow.radius = 4;
    const fill = new DirectionalLight(0xffffff, 0.6);
    fill.position.set(-6, 4, -4);
    this.scene.add(sun, fill);
  }

  private build(): void {
    const wood = new MeshStandardMaterial({ color: rgb("board-frame"), roughness: 0.75 });
    const base = new Mesh(new BoxGeometry(5.4, 0.35, 5.4), wood);
    base.position.y = -0.18;
    base.receiveShadow = true;
    const top = new Mesh(
      new BoxGeometry(5.05, 0.04, 5.05),
      new MeshStandardMaterial({ color: rgb("dark-square"), roughness: 0.85 }),
    );
    top.position.y = 0.01;
    top.receiveShadow = true;
    this.scene.add(base, top);
    const peg = new CylinderGeometry(0.075, 0.075, 3.5, 18);
    const brass = new MeshStandardMaterial({ color: rgb("light-square"), roughness: 0.35, metalness: 0.15 });
    const wide = new CylinderGeometry(0.52, 0.52, 3.9, 10);
    for (let cell = 0; cell < 16; cell++) {
      const { x, z } = place(cell);
      const stick = new Mesh(peg, brass);
      stick.position.set(x, 1.75, z);
      stick.castShadow = true;
      this.pegs.add(stick);
      const target = new Mesh(wide);
      target.visible = false;
      target.position.set(x, 1.95, z);
      target.userData.column = columnName(cell);
      this.targets.add(target);
    }
  }

  /** Shows a board; `columns` are those that a stone can be dropped on now. */
  show(board: Board, columns: Set<string>, hints: number[], aimed: string): void {
    this.columns = columns;
    this.aimed = aimed;
    const there = new Set(board.pieces.map((piece) => piece.square));
    for (const [cell, stone] of this.stones) {
      if (there.has(cell)) continue;
      this.scene.remove(stone);
      stone.material.dispose();
      this.stones.delete(cell);
    }
    for (const piece of board.pieces) {
      if (this.stones.has(piece.square)) continue;
      const stone = new Mesh(
        this.sphere,
        new MeshStandardMaterial({
          color: rgb(`${piece.side}-piece`),
          roughness: piece.side === "white" ? 0.35 : 0.28,
        }),
      );
      const { x, y, z } = place(piece.square);
      stone.position.set(x, y, z);
      stone.castShadow = true;
      stone.receiveShadow = true;
      this.scene.add(stone);
      this.stones.set(piece.square, stone);
      if (this.begun && board.last?.path[0] === piece.square) this.fall(stone, y);
    }
    this.begun = true;
    for (const [cell, stone] of this.stones) {
      const won = board.win.includes(cell);
      stone.material.emissive = won ? rgb("last-move") : new Color(0);
      stone.material.emissiveIntensity = won ? 0.85 : 0;
    }
    const last = board.last?.path[0];
    this.ring.visible = last !== undefined && board.win.length === 0;
    if (last !== undefined) this.ring.position.set(place(last).x, place(last).y, place(last).z);
    this.lightLine(board.win);
    this.board = board;
    this.aim(hints);
    this.draw();
  }

  private lightLine(win: number[]): void {
    this.line.visible = win.length > 1;
    if (!this.line.visible) return;
    const ends = [win[0]!, win.at(-1)!].map((cell) => {
      const { x, y, z } = place(cell);
      return new Vector3(x, y, z);
    });
    const along = ends[1]!.clone().sub(ends[0]!);
    this.line.position.copy(ends[0]!).add(ends[1]!).multiplyScalar(0.5);
    this.line.scale.set(1, along.length() + 0.9, 1);
    this.line.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), along.normalize());
  }

  /** The stone that would fall here, seen through: under the pointer, or of a hint. */
  private aim(hints: number[] = []): void {
    const column = this.hovered || this.aimed;
    const target = this.columns.has(column)
      ? this.board?.moves.find((move) => columnName(move.path[0]!) === column)?.path[0]
      : hints[0];
    this.ghost.visible = target !== undefined;
    if (target === undefined || !this.board) return;
    const { x, y, z } = place(target);
    this.ghost.position.set(x, y, z);
    const hinted = !this.columns.has(column);
    this.ghost.material.color = hinted ? rgb("last-move-arrow") : rgb(`${this.board.turn}-piece`);
  }

  private fall(stone: Mesh, y: number): void {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const begun = performance.now();
    const step = (now: number): void => {
      const share = Math.min(1, (now - begun) / FALL);
      stone.position.y = y + (4.2 - y) * (1 - share * share);
      this.renderer.render(this.scene, this.camera);
      if (share < 1) requestAnimationFrame(step);
      else stone.position.y = y;
    };
    stone.position.y = 4.2;
    requestAnimationFrame(step);
  }

  resize(): void {
    const { clientWidth, clientHeight } = this.canvas;
    if (!clientWidth || !clientHeight) return;
    this.renderer.setSize(clientWidth, clientHeight, false);
    this.camera.aspect = clientWidth / clientHeight;
    this.camera.updateProjectionMatrix();
    this.draw();
  }

  /** Asks for a picture with the next frame. */
  draw(): void {
    if (this.asked) return;
    this.asked = requestAnimationFrame(() => {
      this.asked = 0;
      this.renderer.render(this.scene, this.camera);
    });
  }

  private readonly press = (event: PointerEvent): void => {
    this.pressed = { x: event.clientX, y: event.clientY };
  };

  private readonly point = (event: PointerEvent): void => {
    if (event.buttons || event.pointerType === "touch") return;
    const column = this.under(event);
    const hovered = column && this.columns.has(column) ? column : "";
    this.canvas.classList.toggle("aiming", hovered !== "");
    if (hovered === this.hovered) return;
    this.hovered = hovered;
    this.aim();
    this.draw();
  };

  private readonly leave = (): void => {
    this.hovered = "";
    this.aim();
    this.draw();
  };

  private readonly release = (event: PointerEvent): void => {
    const pressed = this.pressed;
    this.pressed = null;
    if (!pressed || Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > CLICK) return;
    const column = this.under(event);
    if (column) this.drop(column);
  };

  private under(event: PointerEvent): string | null {
    const box = this.canvas.getBoundingClientRect();
    const at = new Vector2(
      ((event.clientX - box.left) / box.width) * 2 - 1,
      1 - ((event.clientY - box.top) / box.height) * 2,
    );
    const ray = new Raycaster();
    ray.setFromCamera(at, this.camera);
    return (ray.intersectObjects(this.targets.children)[0]?.object.userData.column as string | undefined) ?? null;
  }

  /** Gives the memory of the graphics card back. */
  dispose(): void {
    cancelAnimationFrame(this.asked);
    this.controls.dispose();
    this.scene.traverse((each) => {
      if (!(each instanceof Mesh)) return;
      each.geometry.dispose();
      each.material.dispose();
    });
    this.renderer.dispose();
  }
}

function place(cell: number): { x: number; y: number; z: number } {
  const { level, row, column } = cellAt(cell);
  return { x: (column - 1.5) * GAP, y: FLOOR + level * STEP, z: (1.5 - row) * GAP };
}

function rgb(name: string): Color {
  return new Color(colour(name));
}
