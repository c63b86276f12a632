// Builds the page into dist/, always to the same bytes: `node build.mjs`. With --check it only compares.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

const here = (path) => new URL(path, import.meta.url);
const bundle = await build({
  absWorkingDir: here(".").pathname,
  entryPoints: { app: "src/main.ts" },
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  legalComments: "none",
  write: false,
  outdir: "dist",
});
const built = new Map(bundle.outputFiles.map((file) => [file.path.split(/[\\/]/).pop(), file.contents]));
const licence = readFileSync(here("node_modules/three/LICENSE"), "utf8").trim().split("\n").filter(Boolean).slice(1, 2);
const head = Buffer.from(`/* stiction viewer. Contains three.js, MIT licence, ${licence[0].trim()} */\n`);
built.set("app.js", Buffer.concat([head, built.get("app.js")]));
for (const name of ["index.html", "icon.svg"]) built.set(name, readFileSync(here(`src/${name}`)));
const hash = createHash("sha256");
for (const name of [...built.keys()].sort()) hash.update(built.get(name));
built.set("tag.txt", Buffer.from(`"${hash.digest("hex").slice(0, 16)}"`));

let stale = false;
for (const [name, contents] of built) {
  if (!process.argv.includes("--check")) writeFileSync(here(`dist/${name}`), contents);
  else if (!readFileSync(here(`dist/${name}`)).equals(Buffer.from(contents))) {
    console.error(`error: viewer/dist/${name} is not what its sources build to`);
    stale = true;
  }
}
if (stale) {
  console.error("  help: run `npm ci && npm run build` in viewer/, and commit dist/");
  process.exit(1);
}
