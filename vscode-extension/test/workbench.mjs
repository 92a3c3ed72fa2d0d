// The built .vsix in a real workbench in a real browser: squiggles, hover, a code action.
// WORKBENCH: where install-workbench.sh put code-server; PYTHON: an interpreter that has drano;
// SCREENSHOT: where to keep a picture; CHROMIUM: the browser.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import puppeteer from "puppeteer-core";

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.resolve(here, "..", "..");
const workbench = process.env.WORKBENCH ?? path.join(here, "..", ".workbench");
const python = process.env.PYTHON ?? path.join(root, ".venv", "bin", "python");
const entry = path.join(workbench, "node_modules", "code-server", "out", "node", "entry.js");
const PATIENCE = 240_000; // of each step: machines are busy

const place = mkdtempSync(path.join(tmpdir(), "drano-workbench-"));
const folder = path.join(place, "project");
const user = path.join(place, "user");
const extensions = path.join(place, "extensions");
const file = path.join(folder, "transpose.cu");

function prepare() {
  mkdirSync(path.join(user, "User"), { recursive: true });
  mkdirSync(folder, { recursive: true });
  cpSync(path.join(root, "examples", "transpose.cu"), file);
  const settings = {
    "drano.command": [python, "-m", "drano", "lsp"],
    "security.workspace.trust.enabled": false,
    "workbench.startupEditor": "none",
    "workbench.tips.enabled": false,
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "telemetry.telemetryLevel": "off",
    "editor.minimap.enabled": false,
    "editor.hover.delay": 100,
    "files.autoSave": "off",
    "extensions.ignoreRecommendations": true,
    "git.enabled": false,
  };
  writeFileSync(path.join(user, "User", "settings.json"), JSON.stringify(settings));
  const vsix = path.join(here, "..", "drano.vsix");
  execFileSync(process.execPath, [entry, ...directories(), "--install-extension", vsix], {
    stdio: "inherit",
  });
}

function directories() {
  return ["--user-data-dir", user, "--extensions-dir", extensions];
}

function browserOnPath() {
  const names = ["chromium", "chromium-browser", "google-chrome"];
  const folders = (process.env.PATH ?? "").split(path.delimiter);
  const places = names.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  return places.find((place) => existsSync(place)) ?? "/usr/bin/chromium";
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer().on("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

async function answering(url) {
  for (const end = Date.now() + PATIENCE; Date.now() < end; ) {
    try {
      if ((await fetch(`${url}/healthz`)).ok) return;
    } catch {
      // not up yet
    }
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  throw new Error("the workbench does not answer");
}

async function scenario(page, url) {
  page.setDefaultTimeout(PATIENCE);
  await page.setViewport({ width: 1280, height: 720 });
  await page.goto(`${url}/?folder=${encodeURIComponent(folder)}`);
  await page.waitForSelector(".monaco-workbench .explorer-folders-view");

  const row = await page.waitForSelector("::-p-text(transpose.cu)");
  await row.click({ count: 2 });
  await page.waitForSelector(".view-lines");
  await page.waitForSelector(".squiggly-warning");
  await page.waitForSelector("::-p-text(sectors/req)");
  await page.waitForSelector("::-p-text(1 finding, worst 8.0x)");

  // Lenses and hints move what is below and behind them: only now it stands still.
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const squiggle = await page.waitForSelector(".squiggly-warning");
  const box = await squiggle.boundingBox();
  assert.ok(box, "the squiggle has a place");
  const [x, y] = [box.x + 8, box.y + box.height / 2];
  await page.mouse.move(x - 4, y);
  await page.mouse.move(x, y, { steps: 4 });
  await page.waitForFunction(() =>
    [...document.querySelectorAll(".monaco-hover")].some(
      (shown) => shown.textContent.includes("Uncoalesced") && shown.querySelector("table") !== null,
    ),
  );
  if (process.env.SCREENSHOT) {
    await page.mouse.move(x + 40, y - 40, { steps: 8 }); // into the hover, down to the lanes
    await page.mouse.wheel({ deltaY: 250 });
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await page.screenshot({ path: process.env.SCREENSHOT });
  }
  await page.keyboard.press("Escape");

  // On a busy machine the workbench may still be moving what was clicked on: people try again.
  let action = null;
  for (let tries = 0; action === null; tries++) {
    assert.ok(tries < 8, "the lamp offers to ignore the finding");
    await page.keyboard.press("Escape");
    await page.mouse.click(x, y);
    await page.keyboard.down("Control");
    await page.keyboard.press("Period");
    await page.keyboard.up("Control");
    action = await page
      .waitForSelector("::-p-text(drano: ignore DRN001 on this line)", { timeout: 30_000 })
      .catch(() => null);
  }
  await action.click();
  await page.waitForFunction(() =>
    [...document.querySelectorAll(".view-line")].some((line) =>
      line.textContent.replaceAll("\u00a0", " ").includes("// drano: ignore[DRN001] reason"),
    ),
  );
  await page.waitForFunction(() => document.querySelector(".squiggly-warning") === null);
  await page.keyboard.down("Control");
  await page.keyboard.press("KeyS");
  await page.keyboard.up("Control");
  await page.waitForFunction(() => document.querySelector(".tab.dirty") === null);
  assert.match(readFileSync(file, "utf8"), /\/\/ drano: ignore\[DRN001\] reason/);
}

let server;
let browser;
try {
  prepare();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  server = spawn(
    process.execPath,
    [entry, ...directories(), "--auth", "none", "--bind-addr", `127.0.0.1:${port}`,
      "--disable-telemetry", "--disable-update-check", "--disable-getting-started-override", folder],
    { stdio: "ignore" },
  );
  await answering(url);
  browser = await puppeteer.launch({
    executablePath: process.env.CHROMIUM ?? browserOnPath(),
    args: ["--no-sandbox", "--disable-gpu"],
    protocolTimeout: 2 * PATIENCE,
  });
  const page = await browser.newPage();
  try {
    await scenario(page, url);
  } catch (error) {
    await page.screenshot({ path: path.join(tmpdir(), "drano-workbench-failure.png") });
    throw error;
  }
  console.log("workbench: squiggle, hover, hints and code action as expected");
} finally {
  await browser?.close();
  server?.kill();
  rmSync(place, { recursive: true, force: true, maxRetries: 5 });
}
