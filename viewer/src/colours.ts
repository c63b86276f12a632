// From numbers to colours; the maps come from the server, so that pictures made elsewhere look the same.

import type { Overview, Quantity, Rgb } from "./data/types";

/** What is not coloured by a value. */
export const NOTHING: Rgb = [176, 180, 186];
const OBSTACLE: Rgb = [158, 163, 171];

export class Colours {
  constructor(private readonly given: Overview["colours"]) {}

  /** Obstacles are grey; what moves by itself stands out. */
  body(kind: string, place: number): Rgb {
    return kind === "obstacle" ? OBSTACLE : this.given.bodies.filter((_, k) => k !== 2)[place % 7];
  }

  stops(quantity: Quantity): Rgb[] {
    if (quantity.scale === "states") return this.given.states;
    return quantity.scale === "around" ? this.given.diverging : this.given.sequential;
  }

  /** A table of 256 linear colours, three numbers each. */
  table(quantity: Quantity): Float32Array {
    const stops = this.stops(quantity);
    const table = new Float32Array(256 * 3);
    for (let k = 0; k < 256; k++) {
      const place = (k / 255) * (stops.length - 1);
      const low = Math.min(Math.floor(place), stops.length - 2);
      for (let c = 0; c < 3; c++) {
        const mixed = stops[low][c] + (stops[low + 1][c] - stops[low][c]) * (place - low);
        table[3 * k + c] = linear(mixed / 255);
      }
    }
    return table;
  }
}

export function linear(c: number): number {
  return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
}

export function css([r, g, b]: Rgb): string {
  return `rgb(${Math.round(r)}, ${Math.round(g)}, ${Math.round(b)})`;
}
