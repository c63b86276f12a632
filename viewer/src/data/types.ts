// What the server tells; see crates/stiction-view.

export interface Quantity {
  name: string;
  unit: string;
  place: "vertex" | "element";
  scale: "from_zero" | "around" | "states";
  middle: number | null;
}

export interface Arrows {
  name: string;
  unit: string;
}

export interface BodyAbout {
  name: string;
  kind: "solid" | "cloth" | "obstacle";
  moves: boolean;
  vertices: number;
  triangles: number;
  tets: number;
  quantities: Quantity[];
  arrows: Arrows[];
}

export interface RunAbout {
  name: string;
  title: string | null;
  gravity: [number, number, number] | null;
  duration: number | null;
  generation: number;
  bodies: BodyAbout[];
}

export interface RunStatus {
  status: "running" | "finished" | "stopped" | "failed";
  grows: boolean;
  generation: number;
  frames: number;
  from: number;
  times: number[];
}

export type Rgb = [number, number, number];

export interface Overview {
  version: string;
  runs: number;
  colours: { sequential: Rgb[]; diverging: Rgb[]; states: Rgb[]; bodies: Rgb[] };
}

export interface Column {
  name: string;
  unit: string;
  values: (number | null)[];
}

export interface Table {
  rows: number;
  bundle: number;
  columns: Column[];
}

export interface Expectation {
  name: string;
  holds: boolean;
  value: number | null;
  expected: number | null;
  low: number | null;
  high: number | null;
  source: string;
}

export interface Report {
  status?: string;
  expectations?: Expectation[];
  notes?: string[];
}
