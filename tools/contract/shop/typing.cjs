// Search as you type: the results follow the words without a new page.
"use strict";

const assert = require("node:assert/strict");

const FIELD = 'input[name="filter[title]"]';

async function shown(page) {
  return page.$$eval(".card .title", (titles) => titles.map((title) => title.textContent));
}

// Types and waits until the results of these words are there.
async function typed(page, keys, word) {
  await keys();
  await page.waitForFunction((wanted) => new URL(location.href).searchParams.get("filter[title]") === wanted, {}, word);
  return shown(page);
}

// A price that cannot be read is told at the field, and the list stays.
async function wrongPrice(page) {
  const price = 'input[name="filter[maxPrice]"]';
  const all = await shown(page);
  await page.click(".filters > summary");
  await page.type(price, "1,5");
  await page.waitForFunction(() => document.querySelector("#price-error").textContent.includes("whole number"));
  assert.equal(await page.$eval(price, (field) => `${field.value} ${field.ariaInvalid}`), "1,5 true");
  assert.deepEqual(await shown(page), all);
  await page.keyboard.type("00");
  await page.waitForFunction(() => document.querySelector("#price-error").textContent === "");
  assert.equal(await page.$eval(price, (field) => field.ariaInvalid), null);
  await page.$eval(price, (field) => field.select());
  await page.keyboard.press("Backspace");
  await page.waitForFunction(() => new URL(location.href).searchParams.get("filter[maxPrice]") === "");
}

// The chips follow the fields.
async function held(page) {
  return page.$$eval(".chip.held", (chips) => chips.map((chip) => chip.textContent));
}

async function searchAsYouType(page, origin) {
  await page.goto(`${origin}/shop/acme?sort=price`);
  const all = await shown(page);
  // A new page would not have the mark.
  await page.evaluate(() => (window.isSamePage = true));
  await page.focus(FIELD);
  const found = await typed(page, () => page.keyboard.type("enamel"), "enamel");
  assert(found.length > 0 && found.length < all.length, `${found}`);
  assert(found.every((title) => /enamel/i.test(title)), `${found}`);
  assert.match(await page.$eval(".count", (status) => status.textContent), new RegExp(`^${found.length} gift`));
  assert.equal(await page.$eval(FIELD, (field) => field === document.activeElement), true, "the field keeps the focus");
  assert.deepEqual(await held(page), ["Remove: enamel"]);
  assert.deepEqual(await typed(page, () => page.keyboard.type(" nosuchthing"), "enamel nosuchthing"), []);
  assert.equal((await page.$$(".empty a")).length, 1);
  const emptied = await typed(page, async () => {
    await page.$eval(FIELD, (field) => field.select());
    await page.keyboard.press("Backspace");
  }, "");
  assert.deepEqual(emptied, all);
  await wrongPrice(page);
  const reduced = page.waitForFunction(() => location.search.includes("onSale"));
  await page.click('input[name="filter[onSale]"]');
  await reduced;
  assert.equal(await page.evaluate(() => window.isSamePage), true);
  // The address of the page shows the same after a reload.
  const before = await shown(page);
  await page.reload();
  assert.deepEqual(await shown(page), before);
}

module.exports = { searchAsYouType };
