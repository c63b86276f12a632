// Plays time: as fast as asked, dropping frames rather than falling behind.

import type { App } from "./app";

export class Player {
  playing = false;
  onChange: () => void = () => {};
  private last = 0;
  private time = 0;

  constructor(private readonly app: App) {}

  toggle(): void {
    if (this.playing) this.pause();
    else this.play();
  }

  play(): void {
    const times = this.app.times;
    if (times.length < 2) return;
    const atEnd = this.app.frame >= times.length - 1;
    this.time = atEnd ? times[0] : this.app.store.now.time;
    this.playing = true;
    this.last = performance.now();
    requestAnimationFrame((now) => this.tick(now));
    this.onChange();
  }

  pause(): void {
    this.playing = false;
    this.onChange();
  }

  private tick(now: number): void {
    if (!this.playing) return;
    const { store, times, isBusy } = this.app;
    // While frames load, time waits, so that nothing is skipped that nobody has seen.
    if (!isBusy) this.time += (Math.min(now - this.last, 100) / 1000) * store.now.speed;
    this.last = now;
    const end = times[times.length - 1];
    if (this.time > end) {
      if (!store.now.loop) {
        this.app.goTo(times.length - 1);
        return this.pause();
      }
      this.time = times[0];
    }
    if (!isBusy) store.set({ time: this.time });
    requestAnimationFrame((next) => this.tick(next));
  }
}
