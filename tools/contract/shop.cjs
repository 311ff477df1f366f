// A member in the shop of the demo: signs in, orders, cancels, and reads the history, on a phone and on a computer, in light and dark, and
// without script; searches as you type; and sees every page in every language (shop/views.cjs). On each page it looks for what axe-core
// finds, for complaints of the browser, and for a page wider than the window.
//
// Arguments: the browser's program, the address of the server, the file for the picture of the shop, and the folder for pictures of all views.
"use strict";

const assert = require("node:assert/strict");
const { mkdirSync, rmSync } = require("node:fs");
const { launch, open, examine, click, examined } = require("./browser.cjs");
const { searchAsYouType } = require("./shop/typing.cjs");
const { views } = require("./shop/views.cjs");

const [program, origin, picture, folder] = process.argv.slice(2);

const WINDOWS = [
  { width: 390, height: 844 },
  { width: 1400, height: 900 },
];
const FIRST_VIEW_BYTES = 100_000;

// Signs in from the front door, where the people of the demo are.
async function signIn(page, complaints) {
  await page.goto(origin);
  await examine(page, complaints);
  await click(page, ".people li:nth-child(3) button");
  assert.equal(new URL(page.url()).pathname, "/shop/acme");
}

async function points(page) {
  return Number((await page.$eval(".balance", (link) => link.textContent)).replace(/\D/g, ""));
}

async function shop(page, complaints) {
  await signIn(page, complaints);
  await examine(page, complaints);
  const before = await points(page);
  await page.goto(`${origin}/shop/acme?filter%5Btitle%5D=enamel`);
  await examine(page, complaints);
  await click(page, ".card");
  await examine(page, complaints);
  await click(page, ".order button");
  await examine(page, complaints);
  await click(page, "main form button");
  await examine(page, complaints);
  assert.match(await page.$eval(".toast", (toast) => toast.textContent), /placed/);
  const price = before - (await points(page));
  assert.equal(price, 420);
  await page.locator("details summary").click();
  await click(page, "button.danger");
  await examine(page, complaints);
  assert.match(await page.$eval(".toast", (toast) => toast.textContent), /cancelled/);
  assert.equal(await points(page), before, "the points are back");
  for (const path of ["/shop/acme/orders", "/shop/acme/points", "/shop/acme?filter%5Btitle%5D=nosuchthing"]) {
    await page.goto(origin + path);
    await examine(page, complaints);
  }
  const history = await page.goto(`${origin}/shop/acme/points`).then(() => page.$eval("main", (main) => main.textContent));
  assert.match(history, /refund/);
}

// Forms and links do everything. axe-core and locators need script, so nothing is examined here.
async function withoutScript(page) {
  const press = (selector) => Promise.all([page.waitForNavigation(), page.click(selector)]);
  await page.setJavaScriptEnabled(false);
  await page.goto(origin);
  await press(".people li:nth-child(2) button");
  await page.goto(`${origin}/shop/acme/order?product=arcade-credits&quantity=1`);
  await press("main form button");
  await page.click("details summary");
  await press("button.danger");
  assert.equal(await page.$eval(".status", (status) => status.dataset.status), "cancelled");
}

// The bytes that the first view needs, without pictures.
async function firstView(browser, complaints) {
  const page = await open(browser, { viewport: WINDOWS[0] }, complaints);
  await signIn(page, complaints);
  await page.setCacheEnabled(false);
  await page.goto(`${origin}/shop/acme`, { waitUntil: "networkidle0" });
  const bytes = await page.evaluate(() => {
    const loaded = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
    return loaded.filter((entry) => entry.initiatorType !== "img").reduce((sum, entry) => sum + entry.decodedBodySize, 0);
  });
  assert(bytes > 1_000 && bytes < FIRST_VIEW_BYTES, `the first view has ${bytes} bytes`);
  await page.setViewport({ width: 1200, height: 860 });
  await page.screenshot({ path: picture });
  return bytes;
}

async function main() {
  const complaints = [];
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const browser = await launch(program, origin);
  try {
    for (const viewport of WINDOWS) {
      for (const scheme of ["light", "dark"]) await shop(await open(browser, { viewport, scheme }, complaints), complaints);
    }
    await withoutScript(await open(browser, { viewport: WINDOWS[0] }, complaints));
    const bytes = await firstView(browser, complaints);
    const typing = await open(browser, { viewport: WINDOWS[0] }, complaints);
    await signIn(typing, complaints);
    await searchAsYouType(typing, origin);
    await views(browser, origin, folder, complaints);
    assert.deepEqual(complaints, []);
    console.log(`${examined()} views of pages were examined; the first view of the shop has ${bytes} bytes`);
  } finally {
    await browser.close();
  }
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
