// What keys do.

import { h } from "./dom";

const KEYS: [string, string][] = [
  ["Space", "play or pause"],
  ["← →", "one frame back or on; with Shift ten"],
  ["Home End", "first and last frame"],
  ["f", "fit everything"],
  ["e", "edges of elements"],
  ["g", "grid"],
  ["p", "plots"],
  ["s", "save a picture"],
  ["1 … 9", "show or hide a body"],
  ["Drag", "turn; with the right button or Shift, move; wheel to zoom"],
  ["Hover", "value, and the friction cone of a contact"],
];

let dialog: HTMLDialogElement | null = null;

export function toggleHelp(): void {
  if (!dialog) {
    const rows = KEYS.map(([key, what]) => h("div", {}, h("kbd", {}, key), h("span", {}, what)));
    const close = h("button", { type: "button", class: "small", onclick: () => dialog?.close() }, "Close");
    dialog = h("dialog", { "aria-label": "Keys" }, h("h2", {}, "Keys"), h("div", { class: "keys-help" }, ...rows), close) as HTMLDialogElement;
    document.body.append(dialog);
  }
  if (dialog.open) dialog.close();
  else dialog.showModal();
}
