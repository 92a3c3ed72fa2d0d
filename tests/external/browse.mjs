// Opens a report in a browser without network, uses it as a reader would, and prints what was seen.
// Usage: node browse.mjs BROWSER REPORT.html SCREENSHOTS-DIRECTORY
import path from "node:path";
import { pathToFileURL } from "node:url";
import puppeteer from "puppeteer-core";

const [, , executablePath, report, shots] = process.argv;
const browser = await puppeteer.launch({
  executablePath,
  args: ["--no-sandbox", "--disable-gpu"],
});
const page = await browser.newPage();
page.setDefaultTimeout(120_000); // machines that run the tests may be busy
await page.setViewport({ width: 1400, height: 1000 });
const seen = { problems: [], requests: [], filters: {}, ranks: {}, themes: [] };
page.on("console", (message) => seen.problems.push(message.text()));
page.on("pageerror", (error) => seen.problems.push(String(error)));
page.on("request", (request) => seen.requests.push(request.url()));

const url = pathToFileURL(path.resolve(report)).href;
await page.goto(url);
const background = () => page.$eval("body", (body) => getComputedStyle(body).backgroundColor);
const shown = () => page.$$eval("#table tbody tr:not([hidden])", (rows) => rows.length);
const ranks = () =>
  page.$$eval("#table tbody tr:not([hidden]) td:first-child", (cells) =>
    cells.map((cell) => Number(cell.textContent)),
  );
const shoot = (name) => page.screenshot({ path: path.join(shots, name) });

seen.filters.all = await shown();
seen.ranks.first = await ranks();
await shoot("light.png");

for (const scheme of ["light", "dark"]) {
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  seen.themes.push(await background());
}
await page.click("#theme");
seen.themes.push(await background());
await page.click("#theme");

const heads = await page.$$("#table th[data-sort]");
await heads[0].click();
await heads[0].click();
seen.ranks.turned = await ranks();

await page.type("input[name=text]", "Sum_INTERLEAVED reduction.cu");
seen.filters.text = await shown();
await page.$eval("input[name=text]", (input) => (input.value = ""));
await page.select("select[name=rule]", "DRN003");
seen.filters.rule = await shown();
await page.select("select[name=severity]", "1");
seen.filters.severity = await shown();
seen.count = await page.$eval("#count", (output) => output.value);

await page.goto(`${url}?text=matmul`);
seen.filters.link = await shown();
const finding = await page.$("#table tbody tr:not([hidden]) details summary");
await finding.click();
await page.waitForSelector("#table details[open] svg.lanes");
seen.picture = await page.$eval("#table details[open] svg.lanes", (svg) => {
  const box = svg.getBBox();
  return { width: box.width, height: box.height };
});
await shoot("dark.png");

const link = await page.$("#table tbody tr:not([hidden]) td.place a");
await link.click();
await page.waitForSelector(".line.found");
seen.line = await page.$eval(".line.found", (line) => {
  const colour = getComputedStyle(line.querySelector("summary")).backgroundColor;
  return { open: line.open, pictures: line.querySelectorAll("svg.lanes").length, colour };
});
await shoot("line.png");
console.log(JSON.stringify(seen));
await browser.close();
