// Runs to look at, servers for them, and a browser that notices everything.

import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const root = fileURLToPath(new URL("../..", import.meta.url));
const stiction = process.env.STICTION ?? `${root}target/debug/stiction`;
export const output = `${root}target/viewer-test`;
const programs = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

rmSync(output, { recursive: true, force: true });
mkdirSync(output, { recursive: true });

export const slide = fileURLToPath(new URL("slide.toml", import.meta.url));

/** Runs a scene into a folder of this name. */
export function run(name, scene, ...more) {
  const folder = `${output}/${name}`;
  const ended = spawnSync(stiction, ["run", scene, "--quiet", "--out", folder, ...more], { encoding: "utf8" });
  if (ended.status !== 0) throw new Error(`${scene} failed: ${ended.stderr}`);
  return folder;
}

/** Starts a command that prints the address of a viewer. */
export function serve(...command) {
  const server = spawn(stiction, [...command, "--no-browser"], { stdio: ["ignore", "pipe", "inherit"] });
  const address = new Promise((resolve, reject) => {
    let text = "";
    server.stdout.on("data", (data) => {
      text += data;
      const found = text.match(/http:\/\/127\.0\.0\.1:\d+\//);
      if (found) resolve(found[0]);
    });
    server.on("exit", (code) => reject(new Error(`the server ended with ${code}`)));
  });
  const stop = () =>
    new Promise((resolve) => {
      server.on("exit", resolve);
      server.kill("SIGINT");
    });
  return { address, stop };
}

export async function launch() {
  const executablePath = process.env.CHROMIUM ?? programs.find((path) => existsSync(path));
  return chromium.launch({
    executablePath,
    args: [
      "--no-sandbox", // tests run as root in containers
      "--use-gl=angle",
      "--use-angle=swiftshader",
      "--enable-unsafe-swiftshader",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

/** A page that collects what must not happen: messages on the console, and requests that leave its origin. */
export async function open(browser, address, hash = "", options = {}) {
  const context = await browser.newContext({ viewport: { width: 960, height: 680 }, reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && !/GPU stall due to ReadPixels/.test(message.text()) && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(address) && !url.startsWith("blob:") && !url.startsWith("data:")) complaints.push(`asked for ${url}`);
  });
  page.complaints = complaints;
  await page.goto(address + hash);
  await page.waitForSelector("html[data-ready]");
  return page;
}

/** Pixels of the view whose colour satisfies a condition on r, g, b, written as text. */
export async function pixels(page, condition) {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  return page.evaluate((text) => {
    const view = document.querySelector("canvas");
    const copy = document.createElement("canvas");
    [copy.width, copy.height] = [view.width, view.height];
    const context = copy.getContext("2d");
    context.drawImage(view, 0, 0);
    const { data } = context.getImageData(0, 0, copy.width, copy.height);
    // Conditions are arithmetic on three channels; no code is made from text, which the page's policy forbids.
    const [channel, other, least] = text;
    let count = 0;
    for (let k = 0; k < data.length; k += 4) count += data[k + channel] - data[k + other] > least ? 1 : 0;
    return count;
  }, condition);
}

/** A number for what the view looks like, to see whether it changes. */
export async function picture(page) {
  return page.evaluate(async () => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const text = document.querySelector("canvas").toDataURL();
    let hash = 0;
    for (let k = 0; k < text.length; k++) hash = (Math.imul(hash, 31) + text.charCodeAt(k)) | 0;
    return hash;
  });
}

/** Waits until the timeline says so. */
export async function atFrame(page, frame) {
  await page.waitForFunction((wanted) => document.querySelector(".frames").textContent.startsWith(`${wanted} /`), frame + 1);
}
