// A reader of the pages: looks for the operations, tries one, and notes what the browser complains about.
//
// Arguments: the browser's program, the address of the server. Requests to other servers fail here.
"use strict";

const assert = require("node:assert/strict");
const { execFileSync } = require("node:child_process");
const puppeteer = require("puppeteer-core").default;

const [program, origin] = process.argv.slice(2);
const executablePath = execFileSync("sh", ["-c", 'command -v "$0"', program], { encoding: "utf8" }).trim();
const PRODUCTS = "#operations-store-listProducts";

// Root may not use the sandbox; nothing comes in but what our own server sends.
const args = ["--no-sandbox", "--disable-dev-shm-usage", `--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE ${new URL(origin).hostname}`];

async function tryProducts(page) {
  // A locator waits until what it found has come to rest, which takes its time on a busy machine.
  await page.locator(`${PRODUCTS} .opblock-summary-control`).click();
  const [answer] = await Promise.all([
    page.waitForResponse((answer) => answer.url().includes("/v1/store/products")),
    page.locator(`${PRODUCTS} .execute`).click(),
  ]);
  assert.equal(answer.status(), 200, answer.url());
  const request = answer.request();
  assert.match(request.headers().authorization ?? "", /^Bearer demo-/);
  assert((await answer.json()).data.length > 0);
  const shown = await page.waitForSelector(`${PRODUCTS} .live-responses-table tbody .response-col_status`);
  assert.match(await shown.evaluate((cell) => cell.textContent), /^200/);
}

async function main() {
  const complaints = [];
  const browser = await puppeteer.launch({ executablePath, args, headless: true });
  try {
    const page = await browser.newPage();
    page.on("console", (message) => {
      if (["error", "warn"].includes(message.type())) complaints.push(`console: ${message.text()}`);
    });
    page.on("pageerror", (error) => complaints.push(`script: ${error.message}`));
    page.on("requestfailed", (request) => complaints.push(`no answer: ${request.url()}`));
    page.on("request", (request) => {
      const url = new URL(request.url());
      if (url.protocol !== "data:" && url.origin !== origin) complaints.push(`another address: ${url}`);
    });
    page.on("response", (answer) => {
      if (answer.status() >= 400) complaints.push(`${answer.status()}: ${answer.url()}`);
    });
    await page.goto(`${origin}/docs`, { waitUntil: "networkidle0" });
    await page.waitForSelector(PRODUCTS);
    const description = await (await fetch(`${origin}/openapi.json`)).json();
    const operations = Object.values(description.paths).flatMap((path) => Object.values(path));
    const ids = operations.map((operation) => `operations-${operation.tags[0]}-${operation.operationId}`);
    const missing = await page.evaluate((ids) => ids.filter((id) => !document.getElementById(id)), ids);
    assert.deepEqual(missing, [], "operations that the pages do not show");
    assert(ids.length > 0);
    await tryProducts(page);
    assert.deepEqual(complaints, []);
    console.log(`${ids.length} operations are shown, and one was tried`);
  } finally {
    await browser.close();
  }
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
