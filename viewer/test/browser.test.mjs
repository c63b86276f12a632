// The page in a real browser: `node --test test/browser.test.mjs`. Screenshots are left in target/viewer-test/.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { readFileSync, statSync, writeFileSync } from "node:fs";

import { atFrame, launch, open, output, picture, pixels, run, serve, slide } from "./support.mjs";

const [RED, BLUE] = [[0, 2, 40], [2, 0, 25]]; // channel, other channel, by how much it is more
let browser, ball, slides;

before(async () => {
  const trampoline = run("ball", "ball_on_trampoline", "--coarse");
  const slow = run("slide", slide);
  const fast = run("slide-fast", slide, "--set", "body.block.velocity=[0.4, 0, 0]");
  ball = serve("view", trampoline);
  slides = serve("view", slow, fast);
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await Promise.all([ball?.stop(), slides?.stop()]);
});

async function finish(page, name) {
  await page.screenshot({ path: `${output}/${name}.png` });
  assert.deepEqual(page.complaints, []);
  await page.context().close();
}

test("a run that goes on grows in the page, and who looks at its end stays there", async () => {
  const live = serve("run", slide, "--view", "--out", `${output}/live`, "--set", "friction=0.3", "--set", "duration=10000", "--set", "body.block.solid.box.cells=[6, 6, 6]");
  try {
    const page = await open(browser, await live.address, "#shadows=false");
    const frames = () => page.evaluate(() => Number(document.querySelector(".frames").textContent.split("/")[1]));
    const grown = (from) => page.waitForFunction((n) => Number(document.querySelector(".frames").textContent.split("/")[1]) > n, from);
    assert.equal(await page.textContent(".status"), "running");
    await grown(await frames());
    await page.keyboard.press("End");
    const there = Number(await page.inputValue(".scrub"));
    await page.waitForFunction((frame) => Number(document.querySelector(".scrub").value) > frame, there);
    assert.ok((await pixels(page, RED)) > 500, "the block is in sight");
    await finish(page, "live");
  } finally {
    await live.stop();
  }
});

test("opens, plays and scrubs", async () => {
  const page = await open(browser, await ball.address);
  assert.match(await page.title(), /Ball on a trampoline/);
  assert.ok((await pixels(page, RED)) > 2000, "the trampoline is seen");
  assert.ok((await pixels(page, BLUE)) > 300, "the ball is seen");
  const start = await picture(page);
  await page.click("#play");
  await page.waitForFunction(() => Number(document.querySelector(".scrub").value) >= 3);
  await page.click("#play");
  assert.notEqual(await picture(page), start, "it moved");
  await page.locator(".scrub").fill("20");
  await atFrame(page, 20);
  const there = await picture(page);
  await page.keyboard.press("End");
  await atFrame(page, 50);
  assert.notEqual(await picture(page), there);
  await page.locator("canvas").focus();
  await page.keyboard.press("Home");
  await atFrame(page, 0);
  await page.keyboard.press("ArrowRight");
  await atFrame(page, 1);
  await page.waitForFunction(() => location.hash.includes("time=0.02"));
  await finish(page, "scrubbed");
});

test("colours tell what they show, and the address keeps them", async () => {
  const page = await open(browser, await ball.address, "#time=0.14");
  const plain = await picture(page);
  await page.selectOption("#colour", "speed");
  await page.waitForSelector(".legend:not([hidden])");
  assert.match(await page.textContent(".legend"), /Speed \[m\/s\]/);
  const speed = await picture(page);
  assert.notEqual(speed, plain);
  await page.selectOption("#colour", "von_mises");
  await page.waitForFunction(() => document.querySelector(".legend").textContent.includes("Von Mises"));
  assert.notEqual(await picture(page), speed);
  await page.selectOption("#colour", "contact_state");
  await page.waitForFunction(() => document.querySelector(".legend").textContent.includes("Slips"));
  await page.waitForFunction(() => location.hash.includes("colour=contact_state"));
  const before = await picture(page);
  await page.reload();
  await page.waitForSelector("html[data-ready]");
  assert.equal(await picture(page), before, "a shared address shows the same");
  await finish(page, "colours");
});

test("bodies can be hidden, cut open and drawn with edges", async () => {
  const page = await open(browser, await ball.address, "#time=0.3");
  const blue = await pixels(page, BLUE);
  assert.ok(blue > 300);
  await page.uncheck("#body-2");
  await page.waitForFunction(() => location.hash.includes("hidden=ball"));
  assert.ok((await pixels(page, BLUE)) < blue / 10, "the ball is gone");
  await page.check("#body-2");
  const whole = await picture(page);
  await page.keyboard.press("e");
  const edges = await picture(page);
  assert.notEqual(edges, whole);
  await page.selectOption("#cut", "x");
  await page.getByLabel("Whole tetrahedra").check();
  await page.waitForFunction(() => location.hash.includes("tets=true"));
  assert.notEqual(await picture(page), edges);
  await finish(page, "cut");
});

test("the value under the pointer is told, with forces and the friction cone", async () => {
  const page = await open(browser, await slides.address, "#time=0.5&compare=overlay&colour=speed&arrows=normal_force,friction_force");
  await page.waitForTimeout(300);
  const box = await page.locator("canvas").boundingBox();
  // Down the middle until the block is met, then on to its lower edge.
  let told = "";
  for (let y = 0.3; y < 0.95 && !/Normal force/.test(told); y += 0.03) {
    await page.mouse.move(box.x + 0.47 * box.width, box.y + y * box.height);
    await page.waitForTimeout(120);
    told = (await page.locator(".tip").isVisible()) ? await page.textContent(".tip") : "";
    if (/block/.test(told)) assert.match(told, /Speed.*m\/s/);
  }
  assert.match(told, /block.*vertex \d+.*Normal force.* N.*Share of cone.*%/);
  await finish(page, "hover");
});

test("two runs are compared on one timeline", async () => {
  const page = await open(browser, await slides.address);
  assert.match(await page.textContent(".labels"), /A · slide.*B · slide-fast/);
  const side = await picture(page);
  await page.keyboard.press("End");
  await atFrame(page, 20);
  assert.notEqual(await picture(page), side);
  await page.selectOption("#compare", "overlay");
  await page.waitForFunction(() => document.querySelector(".labels").hidden);
  await finish(page, "overlay");
});

test("plots follow the timeline and move it", async () => {
  const page = await open(browser, await slides.address);
  const titles = await page.locator(".card-title").allTextContents();
  for (const wanted of ["Distance [m]", "Energy [J]", "Iterations", "Residual [m/s²]", "Time of a step [s]"]) {
    assert.ok(titles.includes(wanted), `${wanted} in ${titles}`);
  }
  const box = await page.locator(".plot").first().boundingBox();
  await page.mouse.click(box.x + 0.95 * box.width, box.y + 0.5 * box.height);
  await page.waitForFunction(() => Number(document.querySelector(".scrub").value) > 15);
  const values = await page.locator(".card").first().locator(".key-value").allTextContents();
  assert.ok(values.length === 2 && values.every((value) => / m$/.test(value)), String(values));
  const [saved] = await Promise.all([page.waitForEvent("download"), page.locator(".card").first().getByText("CSV").click()]);
  assert.match(readFileSync(await saved.path(), "utf8"), /^run,line,time \[s\],value \[m\]\nA,distance,0,/);
  const [drawn] = await Promise.all([page.waitForEvent("download"), page.locator(".card").first().getByText("SVG").click()]);
  assert.match(readFileSync(await drawn.path(), "utf8"), /^<svg .*<path /);
  await finish(page, "plots");
});

test("pictures and films are saved", async () => {
  const page = await open(browser, await slides.address, "#speed=5&colour=speed");
  const [png] = await Promise.all([page.waitForEvent("download"), page.getByLabel("Save a picture (s)").click()]);
  const bytes = readFileSync(await png.path());
  assert.ok(bytes.subarray(1, 4).toString() === "PNG" && bytes.length > 5000);
  const [film] = await Promise.all([page.waitForEvent("download", { timeout: 30_000 }), page.getByLabel("Record a film (WebM)").click()]);
  assert.match(film.suggestedFilename(), /\.webm$/);
  assert.ok(statSync(await film.path()).size > 2000);
  await finish(page, "saved");
});

test("light and dark follow the system, and every control has a name", async () => {
  const page = await open(browser, await ball.address, "", { colorScheme: "dark" });
  assert.equal(await page.getAttribute("html", "data-theme"), "dark");
  const nameless = await page.evaluate(() =>
    [...document.querySelectorAll("button, input, select, canvas")].filter(
      (control) => !control.getAttribute("aria-label") && !control.textContent.trim() && !control.closest("label"),
    ).length,
  );
  assert.equal(nameless, 0);
  await page.keyboard.press("?");
  await page.waitForSelector("dialog[open]");
  await finish(page, "dark");
});

test("a damaged frame is named, and all others are shown", async () => {
  const folder = run("damaged", slide);
  const chunk = `${folder}/frames.zarr/bodies/block/positions/c.0.0.0`;
  const bytes = readFileSync(chunk);
  bytes[3] ^= 0x40;
  writeFileSync(chunk, bytes);
  const damaged = serve("view", folder);
  try {
    const page = await open(browser, await damaged.address);
    await page.waitForSelector(".trouble:not([hidden])");
    assert.match(await page.textContent(".trouble"), /Frame 0 of damaged .*c\.0\.0\.0/);
    assert.equal(await pixels(page, RED), 0, "nothing of another frame is in its place");
    await page.keyboard.press("End");
    await page.waitForSelector(".trouble[hidden]", { state: "attached" });
    assert.ok((await pixels(page, RED)) > 300, "the last frame is seen");
    // The browser itself complains of the answer that says so.
    page.complaints = page.complaints.filter((text) => !/status of 500/.test(text));
    await finish(page, "damaged");
  } finally {
    await damaged.stop();
  }
});
