/** A chart of curves with bands or error bars: zoom, hover, a legend with the best and the last values. */

import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type uPlot from "uplot";
import { extremes, nearest, points, smoothed } from "./curves";
import { PageElement } from "./element";
import { compact, count, rounded } from "./format";
import type { Curve, LinesPart } from "./messages";
import { colour } from "./theme";
import "./chart.css";

/** How a curve looks: the number of its colour and of its dashes. */
export interface Look {
  colour: number;
  dash: number;
}

type Column = (number | null)[];

const COLOURS = 6;
const DASHES = [[], [7, 4], [2, 3], [9, 3, 2, 3]];
const MOST_ROWS = 500; // of the table of numbers

let library: Promise<typeof uPlot> | null = null;

/** uPlot and its styles are loaded with the first chart. */
function loaded(): Promise<typeof uPlot> {
  library ??= Promise.all([import("uplot"), import("uplot/dist/uPlot.min.css")]).then(([module]) => module.default);
  return library;
}

@customElement("ludus-chart")
export class Chart extends PageElement {
  @property({ attribute: false }) data!: LinesPart;
  @property({ attribute: false }) looks: Look[] | null = null;
  @property({ type: Number }) smooth = 0; // from 0 to below 1
  @property({ type: Number }) level = 3; // of the heading
  @state() private at: number | null = null; // x under the pointer
  @state() private hiddenNames = new Set<string>();
  @state() private zoomed = false;
  @state() private numbers = false;
  private plot: uPlot | null = null;
  private shape = "";
  private readonly resized = new ResizeObserver(() => this.fit());
  private readonly themed = (): void => this.rebuild();
  private readonly scheme = matchMedia("(prefers-color-scheme: dark)");

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("ludus-theme", this.themed);
    this.scheme.addEventListener("change", this.themed);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("ludus-theme", this.themed);
    this.scheme.removeEventListener("change", this.themed);
    this.resized.disconnect();
    this.destroy();
  }

  protected override render(): TemplateResult {
    const part = this.data;
    const drawn = part.curves.some((curve) => points(curve).length);
    return html`
      <figure class="chart">
        <div class="head">
          <div class="label" role="heading" aria-level=${this.level}>${part.title}</div>
          <button class="small" type="button" ?disabled=${!this.zoomed} @click=${this.whole}>Show all</button>
        </div>
        ${
          drawn
            ? html`<div class="plot" role="img" tabindex="0" aria-label=${this.description()} @keydown=${this.pressed}></div>`
            : html`<p class="plot empty quiet">There is nothing to draw yet.</p>`
        }
        ${drawn ? this.legend() : nothing}
        ${part.caption ? html`<figcaption class="quiet small">${part.caption}</figcaption>` : nothing}
        ${drawn ? this.table() : nothing}
      </figure>
    `;
  }

  protected override updated(changed: PropertyValues): void {
    const other = ["data", "looks", "smooth"].some((name) => changed.has(name as keyof this));
    if (other || changed.has("hiddenNames" as keyof this)) void this.draw();
  }

  private description(): string {
    const said = this.data.curves.slice(0, 4).map((curve) => {
      const { last, highest } = extremes(curve);
      return last && highest ? `${curve.name}: last ${this.value(last.y)}, highest ${this.value(highest.y)}` : "";
    });
    const { title, x_title, y_title } = this.data;
    return `${title}. ${y_title} over ${x_title}. ${said.filter(Boolean).join("; ")}. Arrow keys read values, plus and minus zoom.`;
  }

  private legend(): TemplateResult {
    const part = this.data;
    return html`
      <div class="scroll">
        <table class="legend small">
          <thead>
            <tr>
              <th class="name">${part.y_title}</th>
              <th class="now">${this.at === null ? "last" : `at ${compact(this.at)}`}</th>
              <th>highest</th>
              <th>lowest</th>
            </tr>
          </thead>
          <tbody>
            ${part.curves.map((curve, index) => this.legendRow(curve, index))}
          </tbody>
        </table>
      </div>
      ${part.levels.map((each) => html`<p class="reference small quiet"><span class="dashed"></span>${each.label}</p>`)}
    `;
  }

  private legendRow(curve: Curve, index: number): TemplateResult {
    const { last, highest, lowest } = extremes(curve);
    const now = this.at === null ? last : nearest(curve, this.at);
    const { colour: number, dash } = this.look(index);
    const hidden = this.hiddenNames.has(curve.name);
    const at = (point: { x: number; y: number } | null): TemplateResult | string =>
      point ? html`${this.value(point.y)} <span class="at quiet">at ${compact(point.x)}</span>` : "–";
    return html`
      <tr class=${hidden ? "off" : ""}>
        <th class="name">
          <button class="plain" type="button" aria-pressed=${hidden ? "false" : "true"}
            title=${hidden ? "Show this curve" : "Hide this curve"} @click=${() => this.toggle(curve.name)}>
            <svg class="mark" viewBox="0 0 22 6" width="22" height="6" aria-hidden="true">
              <line x1="0" x2="22" y1="3" y2="3" stroke-width="3" stroke=${`var(--series-${number + 1})`}
                stroke-dasharray=${DASHES[dash]!.join(" ")} />
            </svg>${curve.name}
          </button>
        </th>
        <td class="now">${now ? this.value(now.y) : "–"}</td>
        <td>${at(highest)}</td>
        <td>${at(lowest)}</td>
      </tr>
    `;
  }

  /** All numbers as a table: for those who cannot see the chart, and to copy. */
  private table(): TemplateResult {
    const part = this.data;
    return html`
      <details class="small" @toggle=${(event: Event) => {
        this.numbers = (event.target as HTMLDetailsElement).open;
      }}>
        <summary>Numbers</summary>
        ${this.numbers ? this.rows(part) : nothing}
      </details>
    `;
  }

  private rows(part: LinesPart): TemplateResult {
    const values = part.curves.map((curve) => new Map(points(curve).map(({ x, y }) => [x, y])));
    const xs = [...new Set(values.flatMap((each) => [...each.keys()]))].sort((a, b) => a - b);
    const step = Math.max(1, Math.ceil(xs.length / MOST_ROWS));
    return html`
      <div class="scroll numbers" tabindex="0" role="group" aria-label="Numbers of ${part.title}">
        <table>
          <thead><tr><th>${part.x_title}</th>${part.curves.map((curve) => html`<th>${curve.name}</th>`)}</tr></thead>
          <tbody>
            ${xs
              .filter((_, index) => index % step === 0 || index === xs.length - 1)
              .map(
                (x) =>
                  html`<tr><td>${count(x)}</td>${values.map((each) => {
                    const y = each.get(x);
                    return html`<td>${y === undefined ? "" : this.value(y)}</td>`;
                  })}</tr>`,
              )}
          </tbody>
        </table>
      </div>
    `;
  }

  private value(y: number): string {
    return rounded(y, this.span());
  }

  private span(): number {
    const all = this.data.curves.flatMap((curve) => points(curve).map(({ y }) => y));
    return all.length ? all.reduce((a, b) => Math.max(a, b)) - all.reduce((a, b) => Math.min(a, b)) : 0;
  }

  private look(index: number): Look {
    return this.looks?.[index] ?? { colour: index % COLOURS, dash: Math.floor(index / COLOURS) % DASHES.length };
  }

  private toggle(name: string): void {
    const next = new Set(this.hiddenNames);
    if (!next.delete(name)) next.add(name);
    this.hiddenNames = next;
  }

  private whole(): void {
    this.zoomed = false;
    this.plot?.setData(this.plot.data, true);
  }

  private pressed(event: KeyboardEvent): void {
    const { plot } = this;
    const xs = plot && Array.from(plot.data[0]);
    if (!plot || !xs?.length) return;
    const low = plot.scales.x!.min!;
    const high = plot.scales.x!.max!;
    const from = this.at ?? (low + high) / 2;
    const index = xs.reduce((best, x, at) => (Math.abs(x - from) < Math.abs(xs[best]! - from) ? at : best), 0);
    const actions: Record<string, () => void> = {
      ArrowLeft: () => this.point(xs[Math.max(0, index - (this.at === null ? 0 : 1))]!),
      ArrowRight: () => this.point(xs[Math.min(xs.length - 1, index + (this.at === null ? 0 : 1))]!),
      "+": () => this.zoom(from, 0.5),
      "=": () => this.zoom(from, 0.5),
      "-": () => this.zoom(from, 2),
      "0": () => this.whole(),
      Escape: () => {
        this.whole();
        this.at = null;
      },
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  private point(x: number): void {
    const { plot } = this;
    if (!plot) return;
    this.at = x;
    plot.setCursor({ left: plot.valToPos(x, "x"), top: plot.over.clientHeight / 2 }, false);
  }

  private zoom(around: number, factor: number): void {
    const { plot } = this;
    if (!plot) return;
    const { min, max } = plot.scales.x as { min: number; max: number };
    this.zoomed = true;
    plot.setScale("x", { min: around - (around - min) * factor, max: around + (max - around) * factor });
  }

  private rebuild(): void {
    this.destroy();
    void this.draw();
  }

  private destroy(): void {
    this.plot?.destroy();
    this.plot = null;
    this.shape = "";
  }

  private fit(): void {
    const box = this.querySelector<HTMLElement>(".plot:not(.empty)");
    if (box && this.plot && box.clientWidth) this.plot.setSize({ width: box.clientWidth, height: box.clientHeight });
  }

  private async draw(): Promise<void> {
    const library = await loaded();
    const box = this.querySelector<HTMLElement>(".plot:not(.empty)");
    if (!box || !this.isConnected) {
      this.destroy();
      return;
    }
    const { data, series, bands } = this.contents(library);
    const shape = JSON.stringify([series.map(({ label, show, dash }) => [label, show, dash]), this.smooth > 0]);
    if (this.plot && shape === this.shape && this.plot.root.parentElement === box) {
      this.plot.setData(data, !this.zoomed);
      if (this.zoomed) this.plot.redraw();
      return;
    }
    const kept = this.zoomed && this.plot ? { ...this.plot.scales.x! } : null;
    this.destroy();
    this.shape = shape;
    this.plot = new library(this.options(library, series, bands, box), data, box);
    if (kept?.min !== undefined && kept.max !== undefined) this.plot.setScale("x", { min: kept.min, max: kept.max });
    this.resized.disconnect();
    this.resized.observe(box);
  }

  /** The columns of all curves over one axis, with a series for each column. */
  private contents(library: typeof uPlot): { data: uPlot.AlignedData; series: uPlot.Series[]; bands: uPlot.Band[] } {
    const tables: uPlot.AlignedData[] = [];
    const series: uPlot.Series[] = [{}];
    const bands: uPlot.Band[] = [];
    this.data.curves.forEach((curve, index) => {
      const { colour: number, dash } = this.look(index);
      const stroke = colour(`series-${number + 1}`);
      const show = !this.hiddenNames.has(curve.name);
      const order = known(curve);
      const take = (values: Column): Column => order.map((at) => values[at] ?? null);
      const y = take(curve.y);
      const columns: Column[] = [y];
      const smooth = this.smooth > 0;
      const few = y.length <= 60;
      series.push({
        label: curve.name,
        show,
        stroke: smooth ? faded(stroke, 0.35) : stroke,
        width: smooth ? 1 : 2,
        dash: DASHES[dash]!,
        points: few ? { show: true, size: 5, fill: smooth ? faded(stroke, 0.35) : stroke } : { size: 4, fill: stroke },
      });
      if (smooth) {
        columns.push(smoothed(y, this.smooth));
        series.push({
          label: `${curve.name}, smoothed`,
          show,
          stroke,
          width: 2.5,
          dash: DASHES[dash]!,
          points: { show: false },
        });
      }
      for (const band of curve.bands) {
        columns.push(take(band.low), take(band.high));
        const first = series.length;
        for (const end of ["low", "high"]) {
          series.push({
            label: `${curve.name} ${end}`,
            show,
            paths: this.data.error_bars ? () => null : undefined!,
            width: 0,
            points: { show: false },
          });
        }
        if (!this.data.error_bars) bands.push({ series: [first + 1, first], fill: faded(stroke, 0.16) });
      }
      tables.push([order.map((at) => curve.x[at]!), ...columns] as uPlot.AlignedData);
    });
    const modes = tables.map((table) => table.map((_, index) => (index ? 1 : 0))); // 1: a gap stays a gap
    return { data: library.join(tables, modes), series, bands };
  }

  private options(library: typeof uPlot, series: uPlot.Series[], bands: uPlot.Band[], box: HTMLElement): uPlot.Options {
    const text = colour("quiet");
    const grid = colour("line");
    const font = `12px ${getComputedStyle(box).fontFamily}`;
    const axis: uPlot.Axis = {
      stroke: text,
      font,
      labelFont: font,
      grid: { stroke: grid, width: 1 },
      ticks: { stroke: grid, width: 1 },
    };
    const levels = this.data.levels.map(({ value }) => value);
    return {
      width: box.clientWidth,
      height: box.clientHeight,
      series,
      bands,
      legend: { show: false },
      cursor: { drag: { x: true, y: false, dist: 8 }, points: { size: 7 }, focus: { prox: -1 } },
      scales: {
        x: { time: false },
        y: {
          range: (_, low, high) => {
            const ends = [...levels, ...(low === null ? [] : [low, high])];
            return library.rangeNum(Math.min(...ends), Math.max(...ends), 0.08, true);
          },
        },
      },
      axes: [
        {
          ...axis,
          label: this.data.x_title,
          labelSize: 20,
          size: 34,
          values: (_, ticks) => ticks.map((tick) => compact(tick)),
        },
        {
          ...axis,
          size: (_, values) => 18 + 7 * Math.max(2, ...(values ?? []).map((value) => value.length)),
          values: (_, ticks) =>
            ticks.map((tick) =>
              tick.toLocaleString("en", {
                maximumSignificantDigits: 5,
                notation: Math.abs(tick) >= 10_000 ? "compact" : "standard",
              }),
            ),
        },
      ],
      hooks: {
        setCursor: [
          (plot) => {
            const { left } = plot.cursor;
            this.at = left === undefined || left < 0 ? null : plot.data[0][plot.cursor.idx ?? 0]!;
          },
        ],
        setSelect: [
          (plot) => {
            if (plot.select.width > 0) this.zoomed = true;
          },
        ],
        ready: [
          (plot) => {
            plot.over.addEventListener("dblclick", () => this.whole());
          },
        ],
        drawClear: [(plot) => this.drawLevels(plot)],
        draw: [(plot) => this.drawBars(plot)],
      },
    };
  }

  private drawLevels(plot: uPlot): void {
    const { ctx, bbox } = plot;
    ctx.save();
    ctx.strokeStyle = colour("quiet");
    ctx.lineWidth = 1.5 * devicePixelRatio;
    ctx.setLineDash([5 * devicePixelRatio, 4 * devicePixelRatio]);
    for (const { value } of this.data.levels) {
      const y = plot.valToPos(value, "y", true);
      if (y < bbox.top || y > bbox.top + bbox.height) continue;
      ctx.beginPath();
      ctx.moveTo(bbox.left, y);
      ctx.lineTo(bbox.left + bbox.width, y);
      ctx.stroke();
    }
    ctx.restore();
  }

  private drawBars(plot: uPlot): void {
    if (!this.data.error_bars) return;
    const { ctx, bbox } = plot;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    ctx.lineWidth = 1.5 * devicePixelRatio;
    const wing = 3 * devicePixelRatio;
    this.data.curves.forEach((curve, index) => {
      if (this.hiddenNames.has(curve.name)) return;
      ctx.strokeStyle = faded(colour(`series-${this.look(index).colour + 1}`), 0.7);
      for (const band of curve.bands) {
        curve.x.forEach((at, row) => {
          const low = band.low[row] ?? null;
          const high = band.high[row] ?? null;
          if (at === null || low === null || high === null) return;
          const x = plot.valToPos(at, "x", true);
          const [bottom, top] = [plot.valToPos(low, "y", true), plot.valToPos(high, "y", true)];
          ctx.beginPath();
          ctx.moveTo(x, bottom);
          ctx.lineTo(x, top);
          for (const y of [bottom, top]) {
            ctx.moveTo(x - wing, y);
            ctx.lineTo(x + wing, y);
          }
          ctx.stroke();
        });
      }
    });
    ctx.restore();
  }
}

/** The places of the points with a known x, in the order of x; of two with one x, the later. */
function known(curve: Curve): number[] {
  const found = new Map<number, number>();
  curve.x.forEach((x, index) => {
    if (x !== null) found.set(x, index);
  });
  return [...found].sort(([a], [b]) => a - b).map(([, index]) => index);
}

/** A computed colour, rgb(...), with an opacity. */
function faded(rgb: string, opacity: number): string {
  return rgb.replace(/^rgb\((.*)\)$/, `rgba($1, ${opacity})`);
}
