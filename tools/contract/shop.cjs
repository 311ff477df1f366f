// A member in the shop of the demo: signs in, orders, cancels, and reads the history, on a phone and on a computer, in light and dark, and
// without script; loses the network; searches as you type; and sees every page in every language (shop/views.cjs). On each page it looks for what axe-core
// finds, for complaints of the browser, and for a page wider than the window.
//
// Arguments: the browser's program, the address of the server, the file for the picture of the shop, and the folder for pictures of all views.
"use strict";

const assert = require("node:assert/strict");
const { mkdirSync, rmSync } = require("node:fs");
const http = require("node:http");
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

// The button is in the window, and nothing covers it, wherever the page is scrolled to.
async function inReach(page, selector) {
  for (const share of [0, 0.5, 1]) {
    const covered = await page.evaluate((selector, share) => {
      scrollTo(0, share * document.documentElement.scrollHeight);
      const { left, top, width, height } = document.querySelector(selector).getBoundingClientRect();
      return document.elementFromPoint(left + width / 2, top + height / 2)?.closest(selector) === null;
    }, selector, share);
    if (page.viewport().width < 500) assert.equal(covered, false, `${page.url()} at ${share}`);
  }
}

// What the member can afford: the list has less, and the chip that says so takes the filter away.
async function afford(page, complaints) {
  const count = () => page.$eval(".count", (status) => Number(status.textContent.replace(/\D/g, "")));
  const all = await count();
  await page.evaluate(() => [...document.querySelectorAll(".chip")].find((chip) => /afford/.test(chip.textContent)).setAttribute("id", "afford"));
  await click(page, "#afford");
  await examine(page, complaints);
  assert((await count()) < all, `${all} gifts`);
  assert.equal((await page.$$(".card .missing")).length, 0);
  await click(page, ".chip.held");
  assert.equal(await count(), all);
}

async function shop(page, complaints) {
  await signIn(page, complaints);
  await examine(page, complaints);
  await afford(page, complaints);
  const before = await points(page);
  await page.goto(`${origin}/shop/acme?filter%5Btitle%5D=enamel`);
  await examine(page, complaints);
  await click(page, ".card");
  await examine(page, complaints);
  await inReach(page, ".order button");
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

// A way to the server that can be cut, for the page and for its worker.
async function cable() {
  const { host } = new URL(origin);
  const server = http.createServer((request, response) => {
    const { method, url, headers } = request;
    const passed = http.request(new URL(url, origin), { method, headers: { ...headers, host } }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    request.pipe(passed);
  });
  const listen = (port) => new Promise((resolve) => server.listen(port, resolve));
  await listen(0);
  const { port } = server.address();
  const cut = () => new Promise((resolve) => (server.close(resolve), server.closeAllConnections()));
  return { port, cut, mend: () => listen(port) };
}

// Without the network, a shop that was opened before says so. With it, the page is back. The browser keeps nothing of the member.
async function offline(browser, complaints) {
  const { port, cut, mend } = await cable();
  const shop = `http://localhost:${port}/shop/acme`;
  const page = await open(browser, { viewport: WINDOWS[0] }, complaints);
  await page.goto(`http://localhost:${port}`);
  await click(page, ".people li:nth-child(3) button");
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await page.goto(`${shop}/orders`);
  const kept = await page.evaluate(async () => {
    const caught = (await caches.keys()).map((name) => caches.open(name).then((cache) => cache.keys()));
    return (await Promise.all(caught)).flat().map(({ url }) => new URL(url).pathname);
  });
  assert.deepEqual(kept, ["/shop/offline.html"]);
  const heading = () => page.$eval("h1", (heading) => heading.textContent);
  await cut();
  page.removeAllListeners("requestfailed").removeAllListeners("console");
  await page.goto(`${shop}/orders`, { waitUntil: "domcontentloaded" });
  assert.equal(await heading(), "You are offline");
  await mend();
  await click(page, "main .button");
  assert.equal(await heading(), "My orders");
  assert.equal(page.url(), `${shop}/orders`);
  await page.close();
  await cut();
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
    await offline(browser, complaints);
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
