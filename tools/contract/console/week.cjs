// Walks docs/first-week.md, "Your first week as an operator", and proves that the console says each text that the page quotes.
"use strict";

const assert = require("node:assert/strict");
const { readFileSync } = require("node:fs");
const path = require("node:path");
const { open } = require("../browser.cjs");
const { person } = require("./flows/person.cjs");

const TUTORIAL = path.join(__dirname, "../../../docs/first-week.md");
const WIDE = { width: 1400, height: 900 };
const GIFTS = ["Café mug, speckled stoneware", "Bakery gift card “Bäckerei Sonntag”"];
const NEW_TEXT = "<p>New: with a <b>gift box</b>.</p>";
const MAX_WAIT_MS = 10_000;

const plain = (text) => text.replace(/\s+/g, " ").trim();

// The texts in quotes, without those in code. Numbers follow the day on which the demo starts, so a number stands for any number.
function quoted() {
  const prose = readFileSync(TUTORIAL, "utf8").replace(/```[^]*?```/g, "").replace(/`[^`]*`/g, "");
  const texts = [...prose.matchAll(/"([^"]+)"/g)].map(([, text]) => plain(text));
  const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/\d[\d,]*/g, "[\\d,]+");
  return new Map(texts.map((text) => [text, new RegExp(escaped(text))]));
}

// What a person can read or hear of a page.
function words(html) {
  const heard = [...html.matchAll(/(?:aria-label|placeholder|value)="([^"]*)"/g)].map(([, text]) => text);
  const text = [html.replace(/<[^>]*>/g, " "), html.replace(/<[^>]*>/g, ""), ...heard].join(" ");
  const signs = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
  return plain(text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name) => signs[name]));
}

// A person whose pages are collected as they arrive.
async function visitor(browser, origin, pages, complaints) {
  const page = await open(browser, { viewport: WIDE }, complaints);
  page.on("response", (answer) => {
    const isPage = answer.request().resourceType() === "document" && answer.status() !== 303;
    if (isPage) pages.push(answer.text());
  });
  return person(page, { origin, hasScript: true, seen: new Set(), complaints });
}

async function opens(visitor, name, button) {
  await visitor.go("/");
  const items = await visitor.page.$$eval("li", (all) => all.map((item) => item.innerText));
  assert(items.some((text) => text.includes(name)), `no ${name} at the front door`);
  const item = await visitor.page.evaluateHandle(
    (who, what) => [...document.querySelectorAll("li")].find((one) => one.innerText.startsWith(who) && one.innerText.includes(what)),
    name,
    button,
  );
  const door = await item.asElement().$("form button");
  await visitor.follow(() => door.click());
}

async function before(aiko) {
  await opens(aiko, "aiko", "Open the shop");
  for (const gift of GIFTS) {
    await aiko.go(`/shop/acme?filter%5Btitle%5D=${encodeURIComponent(gift)}`);
    const card = await aiko.page.$(".card");
    await aiko.follow(() => card.click());
    const order = await aiko.page.$(".order button");
    await aiko.follow(() => order.click());
    const confirm = await aiko.page.$("main form button");
    await aiko.follow(() => confirm.click());
    await aiko.toast(/placed/);
  }
}

// Opens the explanation below the row.
async function explain(ada, row) {
  const link = await row.$("td:last-child a");
  await ada.follow(() => link.click());
}

async function monday(ada) {
  await opens(ada, "Ada", "Open the console");
  await ada.sees(/Orders that wait: \d+/);
  await ada.search("aiko");
  const rows = await ada.page.$$("main .table tbody tr");
  const texts = await Promise.all(rows.map((row) => row.evaluate((one) => one.innerText)));
  const at = texts.findIndex((text) => text.includes("Quiz answered") && /\+25\b/.test(text));
  assert(at >= 0, "a quiz with a bonus of 25 is on the first page");
  await explain(ada, rows[at]);
  for (const campaign of ["Quiz month", "Happy birthday!", "Double points weekend", "Video week"]) await ada.sees(new RegExp(campaign));
}

async function tuesday(ada) {
  await ada.search("ben");
  const balance = await ada.says(".balance-now");
  await ada.dialog("Award points");
  await ada.page.select('[name="type"]', "quiz");
  await ada.fill("Points (negative to take some)", "50");
  await ada.fill("Title, which the member reads", "Quiz answered");
  await ada.write(await ada.page.$(`[name="subtitle"]`), "Tea tasting");
  await ada.tick("Let campaigns add their bonuses");
  await ada.press(ada.hasScript ? "Award 50 points" : "Award points", "#award");
  await ada.toast(/The points are in the ledger/);
  await ada.sees(/with \+25 \+75/, "main .table:has(.group) tbody tr:nth-child(2)");
  await explain(ada, await ada.page.$("main .table:has(.group) tbody tr:nth-child(2)"));
  await ada.pick("Reverse this row…");
  await ada.fill("Reason, which the member reads", "Awarded to the wrong member");
  await ada.press("Reverse");
  await ada.toast(/The reversal is recorded/);
  assert.equal(await ada.says(".balance-now"), balance);
  await ada.sees(/Awarded to the wrong member.*−75/, "main .table:has(.group) tbody tr:nth-child(2)");
  await explain(ada, await ada.page.$("main .table:has(.group) tbody tr:nth-child(3)"));
  await ada.pick("All details");
}

async function wednesday(ada) {
  await ada.section("Orders");
  const list = await ada.page.$eval('main a[href*="packing-list"]', (link) => [link.textContent, link.href]);
  assert.match(list[0], /^Packing list \(CSV\)$/);
  const csv = await ada.page.evaluate((address) => fetch(address).then((answer) => answer.text()), list[1]);
  const numbers = (gift) => csv.split("\n").filter((line) => line.includes(gift)).map((line) => line.split(",")[0]);
  // The tea cup waits only in a new demo.
  const [card, sent] = [numbers(GIFTS[1]).at(-1), [...numbers("Tea cup"), numbers(GIFTS[0]).at(-1)]];
  for (const number of sent) await ada.tick(`Select order ${number}`);
  await ada.press("Mark as sent");
  await ada.toast(new RegExp(`^${sent.length} of ${sent.length} marked as sent`));
  await ada.pick("Back to the queue");
  await ada.pick(card);
  await ada.unfold("Cancel order");
  await ada.fill("Reason, for the audit log", "Out of stock");
  await ada.press("Cancel order");
  await ada.toast(/The order is cancelled, and the points are returned/);
}

async function editMug(ada) {
  await ada.section("Products");
  await ada.go("/console/acme/products?search=cafe-mug");
  await ada.pick(GIFTS[0]);
  const value = (name) => ada.page.$eval(`[name="${name}"]`, (field) => field.value);
  const [description, price] = [await value("description"), await value("sale_price")];
  await ada.describe(`${description}${NEW_TEXT}<script>alert(1)</script>`);
  await ada.press("Preview");
  await ada.sees(/New: with a gift box/, "#preview");
  assert.doesNotMatch(await ada.page.$eval("#preview", (part) => part.innerHTML), /<script/);
  for (const [text, points] of [[description + NEW_TEXT, "450"], [description, price]]) {
    await ada.describe(text);
    await ada.write(await ada.page.$('[name="sale_price"]'), points);
    await ada.press("Save");
    await ada.toast(/The product is saved/);
  }
}

// Reloads until the page says this.
async function until(ada, expected) {
  const end = Date.now() + MAX_WAIT_MS;
  while (Date.now() < end && !expected.test(await ada.says())) await ada.follow(() => ada.page.reload());
  await ada.sees(expected);
}

async function thursday(ada) {
  await editMug(ada);
  await ada.section("Campaigns");
  await ada.pick("New campaign");
  const id = `monday-double-${Date.now()}`;
  const type = async (name, text) => ada.write(await ada.page.$(`#campaign [name="${name}"]`), text);
  await type("id", id);
  await type("title", "Happy Monday");
  await type("number", "100");
  await ada.unfold("Always");
  await ada.tick("Mon");
  await ada.unfold("Every activity");
  await ada.tick("QR code scans");
  await ada.press("Save the draft");
  await ada.toast(/The campaign is saved/);
  await ada.sees(/On Mondays members earn double points for QR code scans/);
  await ada.press("Start the back-test");
  await until(ada, /Done Version/);
  await ada.press("Start");
  await ada.toast(/The campaign is started/);
  await until(ada, /Happy Monday Running/);
  await ada.more();
  await ada.unfold("End for good");
  await ada.press("End for good");
  await ada.toast(/The campaign has ended/);
}

async function revokeKey(ada) {
  await ada.section("API keys");
  await ada.pick("New key");
  await ada.fill("Label", "Warehouse");
  for (const scope of ["orders:read", "orders:write"]) await (await ada.page.$(`[name="scope"][value="${scope}"]`)).click();
  await ada.press("Add the key");
  await ada.sees(/pb_\S+/);
  await ada.pick("To the keys");
  const labels = await ada.page.$$eval("main tbody tr", (all) => all.map((row) => row.textContent));
  const row = `main tbody tr:nth-child(${labels.findIndex((text) => text.includes("Warehouse")) + 1})`;
  await ada.more(row);
  await ada.press("Revoke this key", row);
  await ada.toast(/The key is revoked/);
}

async function friday(ada, felix) {
  await ada.section("Reports");
  await ada.pick("Products by points", "main");
  const csv = await ada.page.$$eval("main a[download], main a[href$='.csv'], main a[href*='.csv?']", (all) => all.map((link) => link.textContent));
  assert(csv.includes("CSV"), csv.join());
  await revokeKey(ada);
  await ada.section("Audit log");
  const log = await ada.says();
  for (const done of ["added Key “Warehouse”", "on the past", "saved the campaign", "changed Café mug", "cancelled order", "as sent"]) {
    assert(log.includes(done), `the audit log has no “${done}”`);
  }
  assert.match(log, /revoked (Key “|an API key)/);
  await ada.unfold("Filter", "main");
  await ada.page.select('main [name="kind"]', "product");
  await ada.page.select('main [name="action"]', "changed");
  await ada.press("Show", "main");
  await ada.sees(/Ada changed Café mug/);

  await opens(felix, "Felix", "Open the console");
  assert.deepEqual(await felix.page.$$eval("nav.side li a", (all) => all.map((link) => link.textContent.split(" ")[0])), ["Orders"]);
  await ada.account();
  await ada.pick("Sessions", ".account");
  await ada.sees(/this one/);
  const rows = await ada.page.$$eval("main tbody tr", (all) => all.map((row) => row.innerText));
  const row = `main tbody tr:nth-child(${rows.findIndex((text) => text.startsWith("Felix")) + 1})`;
  await ada.press("End", row);
  await ada.toast(/The session has ended/);
  await felix.refused(401, () => felix.section("Orders"));
  await felix.sees(/You are not signed in, or your session has ended/);
  await ada.account();
  await ada.press("Sign out", ".account");
}

async function week(browser, origin, complaints) {
  const pages = [];
  const arrive = () => visitor(browser, origin, pages, complaints);
  const [aiko, ada, felix] = [await arrive(), await arrive(), await arrive()];
  await before(aiko);
  for (const day of [monday, tuesday, wednesday, thursday]) await day(ada);
  await friday(ada, felix);
  const said = (await Promise.all(pages)).map(words).join(" ");
  const texts = quoted();
  assert(texts.size > 40, `the tutorial quotes only ${texts.size} texts`);
  const missing = [...texts].filter(([, pattern]) => !pattern.test(said)).map(([text]) => text);
  assert.deepEqual(missing, [], "docs/first-week.md quotes what the console does not say");
  for (const { page } of [aiko, ada, felix]) await page.close();
}

module.exports = { week };
