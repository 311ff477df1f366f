// Moves categories: with the mouse and with a finger where there is a script, and with the forms of the pages everywhere.
"use strict";

const assert = require("node:assert/strict");

const [BOX, LID] = ["flow-box", "flow-lid"];
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
  await ada.fill("Name", NAMES[id], "main");
  await ada.fill("ID Products name it. It cannot be changed later.", id, "main");
  await ada.press("Add category");
  await ada.toast(/The category is added/);
}

// Takes a row by its grip and moves it over another row, down from its upper edge by a share of its height.
async function hold(ada, id, other, share) {
  const row = await rowOf(ada, other);
  await row.evaluate((row) => row.scrollIntoView({ block: "center" }));
  const from = await (await (await rowOf(ada, id)).$(".grip")).boundingBox();
  const to = await row.boundingBox();
  const mouse = ada.page.mouse;
  await mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await mouse.down();
  await mouse.move(from.x + from.width / 2, to.y + to.height / 2, { steps: 4 });
  await mouse.move(from.x + from.width / 2, to.y + to.height * share, { steps: 2 });
}

async function drop(ada, id, other, share, words) {
  await hold(ada, id, other, share);
  assert.match(await ada.says("[data-drag-said]"), words);
  const top = await ada.page.evaluate(() => scrollY);
  await ada.follow(() => ada.page.mouse.up());
  await ada.toast(/The category is moved/);
  assert.equal(await ada.page.evaluate(() => scrollY), top, "the page keeps its place");
}

async function byMouse(ada) {
  await drop(ada, LID, BOX, 0.5, /Flow lid goes below Flow box/);
  assert.deepEqual(await placeOf(ada, LID), [BOX, 0]);

  // A category does not go below itself, and nothing happens where no row is or after Escape.
  await hold(ada, BOX, LID, 0.5);
  await ada.page.mouse.up();
  await hold(ada, LID, BOX, 0.1);
  await ada.page.keyboard.press("Escape");
  await ada.page.mouse.up();
  assert.match(await ada.says("[data-drag-said]"), /Flow lid stays where it is/);
  assert.deepEqual(await placeOf(ada, LID), [BOX, 0]);

  const [, place] = await placeOf(ada, BOX);
  await drop(ada, LID, BOX, 0.1, /Flow lid goes before Flow box/);
  assert.deepEqual([await placeOf(ada, LID), await placeOf(ada, BOX)], [["", place], ["", place + 1]]);

  // Two places up are one step.
  const before = await ada.page.$$eval(".grip[data-parent='']", (grips, place) => grips[place].dataset.id, place - 1);
  await drop(ada, BOX, before, 0.1, /Flow box goes before/);
  assert.deepEqual(await placeOf(ada, BOX), ["", place - 1]);
  const last = (await ada.page.$$eval("tbody tr [name=up]", (all) => all.map((button) => button.value.split("@")[0]))).pop();
  await drop(ada, BOX, last, 0.9, /Flow box goes to the end of the top level/);
  assert.deepEqual(await placeOf(ada, BOX), ["", (await placeOf(ada, LID))[1] + 1]);
}

// A finger takes the row by its grip, and the page does not scroll under it.
async function byTouch(ada) {
  const row = await rowOf(ada, BOX);
  await row.evaluate((row) => row.scrollIntoView({ block: "center" }));
  const from = await (await (await rowOf(ada, LID)).$(".grip")).boundingBox();
  const to = await row.boundingBox();
  const finger = ada.page.touchscreen;
  const [x, top] = [from.x + from.width / 2, await ada.page.evaluate(() => scrollY)];
  await finger.touchStart(x, from.y + from.height / 2);
  for (const share of [0.2, 0.4, 0.5]) await finger.touchMove(x, to.y + to.height * share);
  assert.match(await ada.says("[data-drag-said]"), /Flow lid goes below Flow box/);
  assert.equal(await ada.page.evaluate(() => scrollY), top, "the page scrolls under the finger");
  await ada.follow(() => finger.touchEnd());
  await ada.toast(/The category is moved/);
  assert.deepEqual(await placeOf(ada, LID), [BOX, 0]);
  await drop(ada, LID, BOX, 0.1, /Flow lid goes before Flow box/);
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
  await ada.unfold("Remove category");
  await ada.press("Remove category");
  await ada.toast(/The category is removed/);
}

async function categories(ada) {
  await ada.pick("Categories", "nav.sections");
  await add(ada, BOX);
  await add(ada, LID);
  if (ada.hasScript) await byMouse(ada);
  if (ada.hasScript) await byTouch(ada);
  if (ada.hasScript) await byButton(ada);
  await byForm(ada);
  for (const id of [LID, BOX]) await remove(ada, id);
}

module.exports = { categories };
