// One plot: lines over time, as SVG.

import { measure, niceStep, number } from "../format";
import { h } from "./dom";

export interface Line {
  name: string;
  unit: string;
  times: number[];
  values: (number | null)[];
  colour: number; // place in the palette of plots
  dashed: boolean;
}

export interface PlotData {
  title: string;
  unit: string;
  lines: Line[];
  logarithmic: boolean;
}

const [WIDTH, HEIGHT] = [300, 150];
const PAD = { left: 46, right: 10, top: 12, bottom: 20 };
/** Distinct also to the colour-blind, readable on light and dark. */
export const COLOURS = ["#2f7fc1", "#e0762b", "#2b9d77", "#b04a9c", "#9a8a1f", "#c8473f", "#6b6fd0", "#8a6a55", "#5b6b7a", "#d17fb0"];

export class Plot {
  readonly svg: HTMLElement;
  private readonly cursor: HTMLElement;
  private readonly readout: HTMLElement;
  private readonly span: [number, number];
  private readonly low: number;
  private readonly high: number;

  constructor(readonly data: PlotData, onSeek: (time: number) => void) {
    const times = data.lines.flatMap((line) => [line.times[0], line.times[line.times.length - 1]]);
    this.span = [Math.min(...times), Math.max(...times)];
    if (!(this.span[1] > this.span[0])) this.span = [this.span[0] || 0, (this.span[0] || 0) + 1];
    [this.low, this.high] = this.limits();
    this.cursor = h("line", { class: "cursor", y1: PAD.top, y2: HEIGHT - PAD.bottom });
    this.readout = h("title", {}, data.title);
    this.svg = h("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "plot", role: "img", "aria-label": this.summary() }, this.readout);
    this.drawAxes();
    for (const line of data.lines) this.svg.append(this.path(line));
    this.svg.append(this.cursor);
    const seek = (event: PointerEvent) => {
      const box = this.svg.getBoundingClientRect();
      const x = ((event.clientX - box.left) / box.width) * WIDTH;
      const share = (x - PAD.left) / (WIDTH - PAD.left - PAD.right);
      onSeek(this.span[0] + Math.min(Math.max(share, 0), 1) * (this.span[1] - this.span[0]));
    };
    this.svg.addEventListener("pointerdown", (event) => {
      (this.svg as unknown as SVGElement).setPointerCapture(event.pointerId);
      seek(event);
    });
    this.svg.addEventListener("pointermove", (event) => event.buttons && seek(event));
  }

  /** Moves the cursor, and tells the values there. */
  setTime(time: number): string[] {
    const x = String(this.x(time));
    this.cursor.setAttribute("x1", x);
    this.cursor.setAttribute("x2", x);
    return this.data.lines.map((line) => measure(at(line, time), line.unit));
  }

  private summary(): string {
    return `${this.data.title} over time: ${this.data.lines.map((line) => line.name).join(", ")}`;
  }

  private limits(): [number, number] {
    const values = this.data.lines.flatMap((line) => line.values.filter((v) => this.counts(v))) as number[];
    if (values.length === 0) return this.data.logarithmic ? [0.1, 1] : [0, 1];
    let [low, high] = [Infinity, -Infinity];
    for (const value of values) [low, high] = [Math.min(low, value), Math.max(high, value)];
    if (this.data.logarithmic) return [10 ** Math.floor(Math.log10(low)), 10 ** Math.ceil(Math.log10(high) + 1e-9)];
    // What starts near zero shows its zero.
    if (low > 0 && low < 0.5 * high) low = 0;
    if (high < 0 && high > 0.5 * low) high = 0;
    const room = 0.05 * (high - low || Math.abs(high) || 1);
    return [low === 0 ? 0 : low - room, high === 0 ? 0 : high + room];
  }

  private counts(value: number | null): value is number {
    return value !== null && (!this.data.logarithmic || value > 0);
  }

  private x(time: number): number {
    return PAD.left + ((time - this.span[0]) / (this.span[1] - this.span[0])) * (WIDTH - PAD.left - PAD.right);
  }

  private y(value: number): number {
    const scale = this.data.logarithmic ? Math.log10 : (v: number) => v;
    const share = (scale(value) - scale(this.low)) / (scale(this.high) - scale(this.low));
    return HEIGHT - PAD.bottom - share * (HEIGHT - PAD.top - PAD.bottom);
  }

  private drawAxes(): void {
    const label = (x: number, y: number, text: string, anchor: string) =>
      h("text", { x, y, "text-anchor": anchor, class: "tick" }, text);
    const ticks = this.ticks();
    // As many digits as tell neighbours apart.
    const most = Math.max(...ticks.map(Math.abs));
    const digits = this.data.logarithmic || ticks.length < 2 ? 3 : Math.max(3, Math.ceil(Math.log10(most / (ticks[1] - ticks[0]))) + 1);
    // A power of ten that all labels share stands above them once.
    const power = this.data.logarithmic || (most >= 1e-3 && most < 1e5) ? 0 : Math.floor(Math.log10(most));
    if (power && most > 0) this.svg.append(label(1, 8, number(10 ** power, 2).replace(/^1/, ""), "start"));
    for (const value of ticks) {
      const y = this.y(value);
      this.svg.append(h("line", { class: "rule", x1: PAD.left, x2: WIDTH - PAD.right, y1: y, y2: y }));
      this.svg.append(label(PAD.left - 5, y + 3, number(value / 10 ** power, digits), "end"));
    }
    const step = niceStep(this.span[1] - this.span[0], 4);
    for (let k = Math.ceil(this.span[0] / step - 1e-9); k * step <= this.span[1] * (1 + 1e-9); k++) {
      const last = (k + 1) * step > this.span[1] * (1 + 1e-9);
      const text = last ? `${number(k * step, 3)} s` : number(k * step, 3);
      this.svg.append(label(this.x(k * step), HEIGHT - 6, text, last ? "end" : "middle"));
    }
  }

  private ticks(): number[] {
    const ticks: number[] = [];
    if (this.data.logarithmic) {
      const decades = Math.round(Math.log10(this.high / this.low));
      const every = Math.ceil(decades / 4);
      for (let k = 0; k <= decades; k += every) ticks.push(this.low * 10 ** k);
      return ticks;
    }
    const step = niceStep(this.high - this.low, 4);
    for (let k = Math.ceil(this.low / step - 1e-9); k * step <= this.high + 1e-9 * step; k++) ticks.push(k * step);
    return ticks;
  }

  private path(line: Line): HTMLElement {
    let [d, drawing] = ["", false];
    line.values.forEach((value, k) => {
      if (!this.counts(value)) drawing = false;
      else {
        d += `${drawing ? "L" : "M"}${this.x(line.times[k]).toFixed(1)} ${this.y(value).toFixed(1)}`;
        drawing = true;
      }
    });
    const stroke = COLOURS[line.colour % COLOURS.length];
    return h("path", { d, fill: "none", stroke, "stroke-width": 1.5, "stroke-linejoin": "round", "stroke-dasharray": line.dashed ? "4 3" : undefined });
  }
}

/** The value of a line at the last step that is not later. */
export function at(line: Line, time: number): number | null {
  let [low, high] = [0, line.times.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (line.times[middle] <= time + 1e-9) low = middle;
    else high = middle - 1;
  }
  return line.values[low] ?? null;
}
