// Arrays that were loaded, the least recently used ones forgotten first: memory stays bounded however long a run is.

import { floats } from "./fetch";

interface Entry {
  loading: Promise<Float32Array>;
  array: Float32Array | null;
}

export class Cache {
  private entries = new Map<string, Entry>();
  private bytes = 0;

  constructor(private readonly limit: number) {}

  /** What is here already. */
  peek(path: string): Float32Array | null {
    return this.entries.get(path)?.array ?? null;
  }

  load(path: string): Promise<Float32Array> {
    const known = this.entries.get(path);
    if (known) {
      this.entries.delete(path);
      this.entries.set(path, known);
      return known.loading;
    }
    const entry: Entry = { loading: floats(path), array: null };
    this.entries.set(path, entry);
    entry.loading.then(
      (array) => {
        if (this.entries.get(path) !== entry) return;
        entry.array = array;
        this.bytes += array.byteLength;
        this.forget();
      },
      () => this.entries.delete(path),
    );
    return entry.loading;
  }

  clear(): void {
    this.entries.clear();
    this.bytes = 0;
  }

  private forget(): void {
    for (const [path, entry] of this.entries) {
      if (this.bytes <= this.limit) return;
      if (!entry.array) continue;
      this.bytes -= entry.array.byteLength;
      this.entries.delete(path);
    }
  }
}
