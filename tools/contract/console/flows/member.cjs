// Finds a member by the search box, explains a row, awards points, and takes them back.
"use strict";

const assert = require("node:assert/strict");

async function balance(ada) {
  return Number((await ada.says(".balance-now")).replace(/\D/g, ""));
}

// The newest row of the ledger is below the heading of its day. Its explanation opens below it and leads to the page of the row.
async function explain(ada, place = 2) {
  await fits(ada);
  const link = await ada.page.$(`main .table:has(.group) tbody tr:nth-child(${place}) td:last-child a`);
  await ada.follow(() => link.click());
  await ada.sees(/All details/, "main .detail");
  await fits(ada);
  await ada.pick("All details");
}

// The whole row is in sight: a source id of 32 characters breaks, and a narrow window leaves columns out.
async function fits(ada) {
  const [inner, outer] = await ada.page.$eval("main", (sheet) => [sheet.scrollWidth, sheet.clientWidth]);
  assert(inner <= outer, `the sheet is ${inner} wide in ${outer}`);
}

async function member(ada) {
  await ada.search("nosuchthing");
  await ada.sees(/Nothing found for “nosuchthing”/);
  await ada.search("leo");
  assert.equal(ada.path(), "/members/leo", "the only member of this name");
  const before = await balance(ada);
  await explain(ada);
  // The newest row is a reversal when this flow ran in another window before.
  await ada.sees(/What each campaign says|Campaigns were not asked: this is an order or a reversal/);

  await ada.pick("Back to the member");
  await ada.dialog("Award points");
  const title = `A gift of flow ${Date.now()}`;
  await ada.fill("Points (negative to take some)", "123");
  await ada.fill("Title, which the member reads", title);
  await ada.press(ada.hasScript ? "Award 123 points" : "Award points", "#award");
  await ada.toast(/The points are in the ledger/);
  assert.equal(await balance(ada), before + 123);
  await ada.sees(new RegExp(`${title}.*\\+123`), "main .table:has(.group) tbody tr:nth-child(2)");

  await explain(ada);
  await ada.sees(/\+123/, "main .facts");
  await ada.fill("Reason, which the member reads", "Given to the wrong member");
  await ada.press("Reverse");
  await ada.toast(/The reversal is recorded/);
  await reversed(ada, before, title);
}

// The balance is what it was, the reason is in the ledger, and the row cannot be reversed again.
async function reversed(ada, before, title) {
  if (ada.path() !== "/members/leo") await ada.go("/console/acme/members/leo");
  assert.equal(await balance(ada), before, "the points are taken back");
  await ada.sees(/Given to the wrong member.*−123/, "main .table:has(.group) tbody tr:nth-child(2)");
  await ada.sees(new RegExp(title), "main .table:has(.group) tbody tr:nth-child(3)");
  await explain(ada, 3);
  await ada.sees(/Row \d+ reversed 123 points of this one/);
  assert.equal(await ada.page.$("main form"), null, "a row is reversed once");
}

module.exports = { member };
