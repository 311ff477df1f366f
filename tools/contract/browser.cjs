// A browser that can reach only the demo, and what must hold for each page that it shows.
"use strict";

const { execFileSync } = require("node:child_process");
const axe = require("axe-core");
const puppeteer = require("puppeteer-core").default;

// Starts the browser. Root may not use the sandbox; nothing comes in but what our own server sends.
function launch(program, origin) {
  const executablePath = execFileSync("sh", ["-c", 'command -v "$0"', program], { encoding: "utf8" }).trim();
  const hosts = `--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE ${new URL(origin).hostname}`;
  return puppeteer.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage", hosts], headless: true });
}

// A new window with its own cookies. `complaints` gets what the browser reports. `page.expected` is the status that is no complaint.
async function open(browser, { viewport, scheme = "light", language = "en" }, complaints) {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  await page.setViewport(viewport);
  await page.setExtraHTTPHeaders({ "accept-language": language });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  page.on("console", (message) => {
    const isExpected = page.expected && message.text().includes(`status of ${page.expected}`);
    if (["error", "warn"].includes(message.type()) && !isExpected) complaints.push(`console: ${message.text()}`);
  });
  // A page that asks before its changed form is left: the person leaves, unless a flow says otherwise.
  page.on("dialog", (dialog) => (page.stays ? dialog.dismiss() : dialog.accept()));
  page.on("pageerror", (error) => complaints.push(`script: ${error.message}`));
  page.on("requestfailed", (request) => complaints.push(`no answer: ${request.url()}`));
  page.on("response", (answer) => {
    if (answer.status() >= 400 && answer.status() !== page.expected) complaints.push(`${answer.status()}: ${answer.url()}`);
  });
  return page;
}

// Styles and scripts belong into files. The Content-Security-Policy would stop these, so the page would not look or work as it should.
async function inlined(page, complaints) {
  const found = await page.evaluate(() => {
    const has = (element) => [...element.attributes].some(({ name }) => name === "style" || name.startsWith("on"));
    const isInline = (element) => element.matches("style, script:not([src]), [href^='javascript:']") || has(element);
    return [...document.querySelectorAll("*")].filter(isInline).map((element) => element.outerHTML.slice(0, 200));
  });
  for (const html of found) complaints.push(`${page.url()}: inline style or script: ${html}`);
}

let examined = 0;

// What is wrong with the page that the browser shows: rules of axe-core, inline styles and scripts, and a page wider than the window.
async function examine(page, complaints) {
  const { scrollWidth, innerWidth } = await page.evaluate(() => ({
    scrollWidth: document.documentElement.scrollWidth,
    innerWidth: window.innerWidth,
  }));
  if (scrollWidth > innerWidth) complaints.push(`${page.url()} is ${scrollWidth} wide in ${innerWidth}`);
  await inlined(page, complaints);
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
  for (const { id, nodes } of violations) complaints.push(`${page.url()}: ${id}: ${nodes[0].html}`);
  examined += 1;
}

async function click(page, selector) {
  await Promise.all([page.waitForNavigation(), page.locator(selector).click()]);
}

module.exports = { launch, open, examine, click, examined: () => examined };
