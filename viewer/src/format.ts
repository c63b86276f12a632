// Numbers and names for people.

/** Four digits, and powers of ten where they are shorter. */
export function number(value: number | null | undefined, digits = 4): string {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (!Number.isFinite(size)) return value > 0 ? "∞" : "−∞";
  const minus = value < 0 ? "−" : "";
  if (size >= 1e-3 && size < 1e5) {
    const plain = Number(size.toPrecision(digits));
    return minus + String(plain);
  }
  const [mantissa, exponent] = size.toExponential(digits - 2).split("e");
  return `${minus}${Number(mantissa)}·10${superscript(Number(exponent))}`;
}

function superscript(exponent: number): string {
  const digits = "⁰¹²³⁴⁵⁶⁷⁸⁹";
  return (exponent < 0 ? "⁻" : "") + [...String(Math.abs(exponent))].map((d) => digits[Number(d)]).join("");
}

/** With its unit, if it has one. */
export function measure(value: number | null, unit: string): string {
  return unit && unit !== "1" ? `${number(value)} ${unit}` : number(value);
}

/** `strain_energy_density` as words. */
export function words(name: string): string {
  const text = name.replaceAll("_", " ").replace("von mises", "von Mises");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Round steps of an axis: 1, 2 or 5 times a power of ten. */
export function niceStep(width: number, count: number): number {
  const rough = width / Math.max(count, 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = rough / power;
  return (factor < 1.5 ? 1 : factor < 3.5 ? 2 : factor < 7.5 ? 5 : 10) * power;
}

/** A number as people type it. */
export function typed(value: number): string {
  const size = Math.abs(value);
  return size > 0 && (size < 1e-3 || size >= 1e5) ? value.toExponential(2) : String(Number(value.toPrecision(4)));
}
