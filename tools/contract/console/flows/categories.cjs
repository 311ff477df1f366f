// Moves categories: with the mouse and with a finger where there is a script, and with the forms of the pages everywhere.
"use strict";

const assert = require("node:assert/strict");

const [BOX, LID] = ["flow-box", "flow-lid"];
// As in the script of the page.
const LEVEL_WIDTH = 16;
const NAMES = { [BOX]: "Flow box", [LID]: "Flow lid" };

const rowOf = (ada, id) => ada.page.$(`tbody tr:has(button[value^="${id}@"])`);

// Where a category is: the id above it, and its place among its siblings.
async function placeOf(ada, id) {
  const row = await rowOf(ada, id);
  const [parent, value] = await row.evaluate((row) => [
    row.querySelector(".grip").dataset.parent,
    row.querySelector("[name=up]").value,
  ]);
  return [parent, Number(value.split("@").pop())];
}

async function add(ada, id) {
  await ada.unfold("Add category");
  await ada.fill("Name", NAMES[id], "main");
  await ada.fill("ID Products name it. It cannot be changed later.", id, "main");
  await ada.press("Add category");
  await ada.toast(/The category is added/);
}

// Takes a row by its grip and moves it over another row, down from its upper edge by a share of its height, and to the side by some levels.
async function hold(ada, id, other, share, levels = 0) {
  const row = await rowOf(ada, other);
  await row.evaluate((row) => row.scrollIntoView({ block: "center" }));
  const from = await (await (await rowOf(ada, id)).$(".grip")).boundingBox();
  const to = await row.boundingBox();
  const mouse = ada.page.mouse;
  const x = from.x + from.width / 2;
  await mouse.move(x, from.y + from.height / 2);
  await mouse.down();
  await mouse.move(x, to.y + to.height / 2, { steps: 4 });
  await mouse.move(x + levels * LEVEL_WIDTH, to.y + to.height * share, { steps: 2 });
}

// The edge of the row with the line, and the level from which the line goes on.
const line = (ada) =>
  ada.page.$$eval("tr:is(.drop-upper, .drop-middle, .drop-lower)", (rows) =>
    rows.map((row) => [row.className, row.style.getPropertyValue("--level")].join()).join(" "),
  );

async function drop(ada, id, [other, share, levels], words, [edge, level]) {
  await hold(ada, id, other, share, levels);
  assert.match(await ada.says("[data-drag-said]"), words);
  assert.equal(await line(ada), `drop-${edge},${level}`);
  const top = await ada.page.evaluate(() => scrollY);
  await ada.follow(() => ada.page.mouse.up());
  await ada.toast(/The category is moved/);
  assert.equal(await ada.page.evaluate(() => scrollY), top, "the page keeps its place");
}

// Drops a row where it would stay.
async function dropInVain(ada, id, other, share) {
  await hold(ada, id, other, share);
  assert.match(await ada.says("[data-drag-said]"), /stays where it is|^$/);
  assert.equal(await line(ada), "");
  await ada.page.mouse.up();
}

async function byMouse(ada) {
  const [, first] = await placeOf(ada, BOX);
  const end = first + 1;
  await drop(ada, LID, [BOX, 0.5], /Flow lid goes below Flow box/, ["middle", 0]);
  assert.deepEqual(await placeOf(ada, LID), [BOX, 0]);

  // A category does not go below itself, and nothing happens where it is already, or after Escape.
  await dropInVain(ada, BOX, LID, 0.5);
  await dropInVain(ada, LID, BOX, 0.5);
  await hold(ada, LID, BOX, 0.1);
  await ada.page.keyboard.press("Escape");
  await ada.page.mouse.up();
  assert.match(await ada.says("[data-drag-said]"), /Flow lid stays where it is/);
  assert.deepEqual(await placeOf(ada, LID), [BOX, 0]);

  await drop(ada, LID, [BOX, 0.1], /Flow lid goes before Flow box/, ["upper", 0]);
  assert.deepEqual([await placeOf(ada, LID), await placeOf(ada, BOX)], [["", first], ["", end]]);

  // The lower edge of a category nests nothing, and there is no place between a category and itself.
  await drop(ada, LID, [BOX, 0.9], /Flow lid goes after Flow box/, ["lower", 0]);
  assert.deepEqual([await placeOf(ada, BOX), await placeOf(ada, LID)], [["", first], ["", end]]);
  await dropInVain(ada, LID, BOX, 0.9);

  // Two places up are one step.
  const before = await ada.page.$$eval(".grip[data-parent='']", (grips, place) => grips[place].dataset.id, first - 1);
  await drop(ada, LID, [before, 0.1], /Flow lid goes before/, ["upper", 0]);
  assert.deepEqual(await placeOf(ada, LID), ["", first - 1]);
  await drop(ada, LID, [BOX, 0.9], /Flow lid goes after Flow box/, ["lower", 0]);
}

// Behind the last row of a branch, several levels end.
async function behindBranches(ada) {
  await drop(ada, LID, [BOX, 0.5], /Flow lid goes below Flow box/, ["middle", 0]);
  const tops = await ada.page.$$eval(".grip[data-parent='']", (grips) => grips.map((grip) => grip.dataset.id));
  const other = tops[tops.indexOf(BOX) - 1];
  const name = await (await rowOf(ada, other)).$eval("a", (link) => link.textContent);
  const [parent, place] = await placeOf(ada, other);
  assert.equal(parent, "");

  // The upper edge of the only category of the branch, and the lower edge of the one above it, are one place.
  await drop(ada, other, [BOX, 0.9], new RegExp(`${name} goes before Flow lid`), ["lower", 1]);
  assert.deepEqual([await placeOf(ada, other), await placeOf(ada, LID)], [[BOX, 0], [BOX, 1]]);

  // A category of the top level stays there, and moved aside it becomes one of the branch.
  await drop(ada, other, [LID, 0.9], new RegExp(`${name} goes after Flow lid`), ["lower", 1]);
  assert.deepEqual(await placeOf(ada, other), [BOX, 1]);
  await drop(ada, other, [LID, 0.9, -1], new RegExp(`${name} goes after Flow box`), ["lower", 0]);
  assert.equal((await placeOf(ada, other))[0], "");
  await drop(ada, other, [LID, 0.9, 1], new RegExp(`${name} goes after Flow lid`), ["lower", 1]);
  assert.deepEqual(await placeOf(ada, other), [BOX, 1]);
  await drop(ada, other, [BOX, 0.1], new RegExp(`${name} goes before Flow box`), ["upper", 0]);
  assert.deepEqual(await placeOf(ada, other), ["", place]);
  await drop(ada, LID, [BOX, 0.1], /Flow lid goes before Flow box/, ["upper", 0]);
}

// A finger takes the row by its grip, and the page does not scroll under it.
async function touch(ada, share, words) {
  const row = await rowOf(ada, BOX);
  await row.evaluate((row) => row.scrollIntoView({ block: "center" }));
  const from = await (await (await rowOf(ada, LID)).$(".grip")).boundingBox();
  const to = await row.boundingBox();
  const finger = ada.page.touchscreen;
  const [x, top] = [from.x + from.width / 2, await ada.page.evaluate(() => scrollY)];
  await finger.touchStart(x, from.y + from.height / 2);
  for (const part of [0.4, 0.5, share]) await finger.touchMove(x, to.y + to.height * part);
  // The browser joins moves of a finger, and sends the last one a little later.
  await ada.page.waitForFunction((words) => document.querySelector("[data-drag-said]").textContent.includes(words), {}, words);
  assert.equal(await ada.page.evaluate(() => scrollY), top, "the page scrolls under the finger");
  await ada.follow(() => finger.touchEnd());
  await ada.toast(/The category is moved/);
  return placeOf(ada, LID);
}

async function byTouch(ada) {
  const [, place] = await placeOf(ada, BOX);
  assert.deepEqual(await touch(ada, 0.5, "Flow lid goes below Flow box"), [BOX, 0]);
  assert.deepEqual(await touch(ada, 0.1, "Flow lid goes before Flow box"), ["", place - 1]);
  assert.deepEqual(await touch(ada, 0.9, "Flow lid goes after Flow box"), ["", place]);
}

// The button that moved a category keeps the focus, so it can be pressed again.
async function byButton(ada) {
  const top = await (await rowOf(ada, LID)).evaluate((row) => {
    row.scrollIntoView({ block: "center" });
    return scrollY;
  });
  await ada.follow(() => ada.page.click(`button[name=up][value^="${LID}@"]`));
  assert.equal(await ada.page.evaluate(() => document.activeElement.value.split("@")[0]), LID);
  assert.equal(await ada.page.evaluate(() => scrollY), top, "the page keeps its place");
}

async function byForm(ada) {
  await ada.pick(NAMES[LID]);
  await ada.page.select("select[name=parent]", BOX);
  await ada.press("Move");
  await ada.toast(/The category is moved/);
  assert.deepEqual(await placeOf(ada, LID), [BOX, 0]);
}

async function remove(ada, id) {
  await ada.go(`/console/acme/categories/${id}`);
  await ada.more();
  await ada.unfold("Remove category");
  await ada.press("Remove category");
  await ada.toast(/The category is removed/);
}

// Without script, nothing can be dragged.
async function hidesHandles(ada) {
  const shown = await ada.page.$$eval(".grip", (all) => all.filter((grip) => grip.getClientRects().length > 0).length);
  assert.equal(shown, 0, "a page without script shows handles");
}

async function categories(ada) {
  await ada.section("Categories");
  await add(ada, BOX);
  await add(ada, LID);
  if (!ada.hasScript) await hidesHandles(ada);
  if (ada.hasScript) await byMouse(ada);
  if (ada.hasScript) await behindBranches(ada);
  if (ada.hasScript) await byTouch(ada);
  if (ada.hasScript) await byButton(ada);
  await byForm(ada);
  for (const id of [LID, BOX]) await remove(ada, id);
}

module.exports = { categories };
