// Which columns of the tables make which plots.

import type { Column, Table } from "../data/types";
import { words } from "../format";
import type { Line, PlotData } from "./plot";

interface Kind {
  title: string;
  columns: [string, string][]; // name in the table, name in the plot
  logarithmic?: boolean;
}

const KINDS: Kind[] = [
  {
    title: "Energy",
    columns: [["kinetic", "kinetic"], ["elastic", "elastic"], ["gravitational", "gravity"], ["zones", "gas"], ["contact", "contact"]],
  },
  { title: "Contacts", columns: [["contacts", "touching"], ["sliding", "sliding"]] },
  { title: "Slip not resisted by Coulomb's law", columns: [["unresisted_slip", "slip"]], logarithmic: true },
  { title: "Smallest gap", columns: [["smallest_gap", "gap"]] },
  { title: "Iterations", columns: [["iterations", "iterations"]] },
  { title: "Residual", columns: [["residual", "residual"]], logarithmic: true },
  {
    title: "Time of a step",
    columns: [
      ["seconds_forces", "forces"],
      ["seconds_assembly", "assembly"],
      ["seconds_analysis", "analysis"],
      ["seconds_factor", "factors"],
      ["seconds_solve", "solves"],
      ["seconds_detection", "detection"],
      ["seconds_contact", "contact"],
      ["seconds_contact_solver", "contact solver"],
      ["seconds_line_search", "line search"],
      ["seconds_other", "other"],
    ],
  },
];

/** Plots of all runs: probes first, then what every run has. */
export function plotData(steps: Table[], probes: Table[]): PlotData[] {
  const plots: PlotData[] = [];
  for (const name of new Set(probes.flatMap((table) => table.columns.map((column) => column.name)))) {
    if (name === "step" || name === "time") continue;
    const lines = probes.flatMap((table, run) => line(table, name, name, run, run));
    if (lines.length) plots.push({ title: words(name), unit: lines[0].unit, lines, logarithmic: false });
  }
  for (const kind of KINDS) {
    const lines = steps.flatMap((table, run) => {
      const found = kind.columns.flatMap(([column, name], place) => line(table, column, name, place, run));
      return kind.title === "Energy" ? withTotal(found, run) : found;
    });
    const seen = lines.filter((one) => kind.logarithmic || one.values.some((value) => value !== null && value !== 0));
    const unit = kind.title === "Time of a step" ? "s" : (seen[0]?.unit ?? "");
    if (seen.length) {
      plots.push({ title: kind.title, unit, lines: seen.map((one) => ({ ...one, unit })), logarithmic: !!kind.logarithmic });
    }
  }
  return plots;
}

function line(table: Table, column: string, name: string, colour: number, run: number): Line[] {
  const find = (wanted: string): Column | undefined => table.columns.find((other) => other.name === wanted);
  const [times, values] = [find("time"), find(column)];
  if (!times || !values || values.values.every((value) => value === null)) return [];
  return [{ name, unit: values.unit, times: times.values as number[], values: values.values, colour, dashed: run > 0 }];
}

function withTotal(lines: Line[], run: number): Line[] {
  if (lines.length < 2) return lines;
  const values = lines[0].values.map((_, k) => lines.reduce((sum, one) => sum + (one.values[k] ?? 0), 0));
  return [...lines, { ...lines[0], name: "total", values, colour: 5, dashed: run > 0 }];
}

/** A plot as CSV: all lines by time; of two runs with different steps, one after the other. */
export function csvOf(data: PlotData): string {
  const quote = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const rows = ["run,line,time [s],value" + (data.unit ? ` [${data.unit}]` : "")];
  for (const one of data.lines) {
    one.values.forEach((value, k) => rows.push(`${one.dashed ? "B" : "A"},${quote(one.name)},${one.times[k]},${value ?? ""}`));
  }
  return rows.join("\n") + "\n";
}
