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
    await page.evaluate(() => document.querySelectorAll("details").forEach((one) => one.setAttribute("open", "")));
    await examine(page, complaints);
    await picture(page, path.join(pictures, `${kind.replace(/[/*]+/g, "-") || "overview"}-${count}.png`));
    waiting.push(...(await linksOf(page, origin)));
  }
  return [...known.keys()];
}

async function picture(page, file) {
  const { width } = page.viewport();
  const height = Math.min(await page.evaluate(() => document.documentElement.scrollHeight), MAX_PICTURE_HEIGHT);
  await page.screenshot({ path: file, clip: { x: 0, y: 0, width, height } });
}

module.exports = { crawl, signIn };
