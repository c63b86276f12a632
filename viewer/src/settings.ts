// What is shown and how. All of it is in the address, so that a view can be shared and reloaded.

export type Compare = "side" | "overlay";
export type Theme = "auto" | "light" | "dark";

export interface Settings {
  time: number;
  speed: number;
  loop: boolean;
  colour: string; // "body" or the name of a quantity
  range: [number, number] | null; // null: found in the run
  hidden: string[];
  wireframe: boolean;
  grid: boolean;
  shadows: boolean;
  cut: "" | "x" | "y" | "z";
  cutAt: number; // fraction of the bounds
  flip: boolean;
  tets: boolean;
  arrows: string[];
  arrowScale: number;
  compare: Compare;
  camera: number[] | null; // position and target
  plots: boolean;
  theme: Theme;
}

export const DEFAULTS: Settings = {
  time: 0,
  speed: 1,
  loop: true,
  colour: "body",
  range: null,
  hidden: [],
  wireframe: false,
  grid: true,
  shadows: true,
  cut: "",
  cutAt: 0.5,
  flip: false,
  tets: false,
  arrows: [],
  arrowScale: 1,
  compare: "side",
  camera: null,
  plots: true,
  theme: "auto",
};

type Listener = (changed: Set<keyof Settings>) => void;

export class Store {
  readonly now: Settings = { ...DEFAULTS, ...decode(location.hash) };
  private listeners: Listener[] = [];
  private writing = 0;

  onChange(listener: Listener): void {
    this.listeners.push(listener);
  }

  set(change: Partial<Settings>): void {
    const changed = new Set<keyof Settings>();
    for (const key of Object.keys(change) as (keyof Settings)[]) {
      if (JSON.stringify(this.now[key]) !== JSON.stringify(change[key])) changed.add(key);
    }
    if (changed.size === 0) return;
    Object.assign(this.now, change);
    this.listeners.forEach((listener) => listener(changed));
    // Browsers limit how often the address may change.
    if (!this.writing) this.writing = window.setTimeout(() => this.write(), 300);
  }

  write(): void {
    clearTimeout(this.writing);
    this.writing = 0;
    history.replaceState(null, "", encode(this.now) || location.pathname);
  }

  /** Takes over an address that was pasted. */
  read(): void {
    this.set({ ...DEFAULTS, ...decode(location.hash) });
  }
}

export function encode(settings: Settings): string {
  const pairs = (Object.keys(DEFAULTS) as (keyof Settings)[])
    .filter((key) => JSON.stringify(settings[key]) !== JSON.stringify(DEFAULTS[key]))
    .map((key) => `${key}=${written(settings[key])}`);
  return pairs.length ? `#${pairs.join("&")}` : "";
}

function written(value: Settings[keyof Settings]): string {
  const short = (item: number | string) => (typeof item === "number" ? String(Number(item.toPrecision(6))) : item);
  if (Array.isArray(value)) return value.map((item) => encodeURIComponent(short(item))).join(",");
  return typeof value === "number" ? short(value) : encodeURIComponent(String(value));
}

export function decode(hash: string): Partial<Settings> {
  const found: Record<string, unknown> = {};
  for (const pair of hash.replace(/^#/, "").split("&")) {
    const [key, raw] = pair.split("=", 2);
    if (!(key in DEFAULTS) || raw === undefined) continue;
    const value = understood(key as keyof Settings, raw);
    if (value !== undefined) found[key] = value;
  }
  return found as Partial<Settings>;
}

const WORDS: Partial<Record<keyof Settings, string[]>> = {
  cut: ["", "x", "y", "z"],
  compare: ["side", "overlay"],
  theme: ["auto", "light", "dark"],
};
const LISTS_OF_NUMBERS: Partial<Record<keyof Settings, number>> = { range: 2, camera: 6 };

/** A value of the right kind, or nothing. */
function understood(key: keyof Settings, text: string): unknown {
  const length = LISTS_OF_NUMBERS[key];
  if (length) {
    const numbers = text.split(",").map(Number);
    return numbers.length === length && numbers.every(Number.isFinite) ? numbers : undefined;
  }
  const kind = DEFAULTS[key];
  if (Array.isArray(kind)) return text ? text.split(",").map(safely) : [];
  if (typeof kind === "boolean") return text === "true";
  if (typeof kind === "number") return Number.isFinite(Number(text)) ? Number(text) : undefined;
  const word = safely(text);
  return WORDS[key] && !WORDS[key].includes(word) ? undefined : word;
}

function safely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
