// Follows the links of the console, so that a new page is included without a list.
"use strict";

const assert = require("node:assert/strict");
const { mkdirSync } = require("node:fs");
const path = require("node:path");
const { examine } = require("../browser.cjs");

const CONSOLE = "/console/acme";
// How many pages of one kind are looked at: all reports, and two members.
const OF_KIND = { "/reports/*": 20 };
const OF_OTHER_KINDS = 2;
const MAX_BYTES = 60_000;
const MAX_PICTURE_HEIGHT = 2_400;
// The operators of the demo, in the order of the front door, which says their roles in the language of the browser.
const ROLES = ["owner", "fulfilment", "analyst", "support"];

// Lists whose first row stands at most this far below the top of the sheet on a computer, and whose rows have one height.
const LISTS = ["products", "members", "orders", "campaigns", "audit-log", "keys", "operators", "imports", "webhooks"];
const [WIDE, MAX_TOP, ROW] = [1_200, 210, 36];

// Signs in from the front door.
async function signIn(page, origin, role) {
  await page.goto(origin);
  const forms = await page.$$(`form[action="${CONSOLE}/sign-in"]`);
  const button = await forms[ROLES.indexOf(role)]?.$("button");
  assert(button, `no ${role} at the front door`);
  await Promise.all([page.waitForNavigation(), button.click()]);
  assert(new URL(page.url()).pathname.startsWith(CONSOLE), page.url());
}

// The path with a star for each id, such as /members/*/transactions/*.
function kindOf(pathname) {
  const parts = pathname.slice(CONSOLE.length).split("/");
  const isId = (part, at) => at > 1 && at % 2 === 0 && part !== "new";
  return parts.map((part, at) => (isId(part, at) ? "*" : part)).join("/");
}

async function linksOf(page, origin) {
  const links = await page.$$eval("a[href]:not([download])", (all) => all.map((link) => link.href));
  // The console of staging begins with the same name, and asks to sign in.
  const isOwn = ({ pathname }) => pathname === CONSOLE || pathname.startsWith(`${CONSOLE}/`);
  const own = links.map((link) => new URL(link)).filter((link) => link.origin === origin && isOwn(link));
  return own.filter((link) => !link.pathname.endsWith(".csv")).map(({ pathname, search }) => pathname + search);
}

// Visits the pages that links lead to, and returns their kinds.
async function crawl(page, origin, pictures, complaints) {
  mkdirSync(pictures, { recursive: true });
  const [known, seen, waiting] = [new Map(), new Set(), [CONSOLE, `${CONSOLE}/gallery`]];
  while (waiting.length > 0) {
    const next = waiting.shift();
    const kind = kindOf(next.split("?")[0]);
    const count = known.get(kind) ?? 0;
    if (seen.has(next) || count >= (OF_KIND[kind] ?? OF_OTHER_KINDS)) continue;
    seen.add(next);
    known.set(kind, count + 1);
    const answer = await page.goto(origin + next, { waitUntil: "load" });
    const bytes = (await answer.buffer()).length;
    if (bytes > MAX_BYTES) complaints.push(`${next} has ${bytes} bytes`);
    if (LISTS.includes(kind.slice(1)) && page.viewport().width >= WIDE) complaints.push(...(await heights(page, next)));
    await page.evaluate(() => document.querySelectorAll("details").forEach((one) => one.setAttribute("open", "")));
    await examine(page, complaints);
    await picture(page, path.join(pictures, `${kind.replace(/[/*]+/g, "-") || "overview"}-${count}.png`));
    waiting.push(...(await linksOf(page, origin)));
  }
  return [...known.keys()];
}

// What is wrong with the place of the first row, and with the heights of all rows. A list may be empty.
async function heights(page, name) {
  const [first, ...others] = await page.evaluate(() => {
    const top = document.querySelector(".sheet").getBoundingClientRect().top;
    const boxes = [...document.querySelectorAll(".sheet .table tbody tr:not(.group, details tr)")].map((row) => row.getBoundingClientRect());
    return [(boxes[0]?.top ?? top) - top, ...boxes.map((box) => box.height)];
  });
  const wrong = others.filter((height) => Math.abs(height - ROW) > 0.5);
  const rows = wrong.length > 0 ? [`${name} has rows of ${[...new Set(wrong)]} px, not of ${ROW}`] : [];
  return first > MAX_TOP ? [`the first row of ${name} stands ${first} px below the top, not ${MAX_TOP}`, ...rows] : rows;
}

async function picture(page, file) {
  const { width } = page.viewport();
  const height = Math.min(await page.evaluate(() => document.documentElement.scrollHeight), MAX_PICTURE_HEIGHT);
  await page.screenshot({ path: file, clip: { x: 0, y: 0, width, height } });
}

module.exports = { crawl, signIn };
