// What operators do in the console, in the windows of a phone and of a computer, and with forms alone where there is no script. Each flow
// leaves the demo as it was, but for its rows in ledgers and logs.
"use strict";

const assert = require("node:assert/strict");
const { open } = require("../browser.cjs");
const { person } = require("./flows/person.cjs");
const { backFill } = require("./flows/back_fill.cjs");
const { campaign } = require("./flows/campaign.cjs");
const { categories } = require("./flows/categories.cjs");
const { drafts } = require("./flows/drafts.cjs");
const { imports } = require("./flows/imports.cjs");
const { key } = require("./flows/key.cjs");
const { keyboard } = require("./flows/keyboard.cjs");
const { member } = require("./flows/member.cjs");
const { orders } = require("./flows/orders.cjs");
const { pictures } = require("./flows/pictures.cjs");
const { product } = require("./flows/product.cjs");
const { sessions } = require("./flows/sessions.cjs");
const { settings } = require("./flows/settings.cjs");

const LOOKS = [
  { viewport: { width: 390, height: 844 }, hasScript: true },
  { viewport: { width: 1400, height: 900 }, hasScript: true },
  { viewport: { width: 390, height: 844 }, hasScript: false },
];
const FLOWS = [member, orders, product, pictures, categories, imports, backFill, campaign, key, settings];

// Ada is the owner of the demo.
async function signIn(ada) {
  await ada.go("/");
  await ada.press("Open the console", '.people li:has(form[action="/console/acme/sign-in"]):first-child');
  assert.equal(ada.path(), "");
  await ada.account();
  await ada.sees(/Ada · Owner/, ".account");
  await ada.sees(/^Overview$/, "h1");
}

async function signOut(ada) {
  await ada.account();
  await ada.press("Sign out", ".account");
  await ada.sees(/You are signed out/);
}

// All flows in one window.
async function inWindow(browser, origin, { viewport, hasScript }, complaints) {
  const look = { origin, hasScript, seen: new Set(), complaints };
  const visit = async () => {
    const page = await open(browser, { viewport }, complaints);
    await page.setJavaScriptEnabled(hasScript);
    return person(page, look);
  };
  const enter = async (ada) => {
    await signIn(ada);
    return ada;
  };
  const ada = await enter(await visit());
  for (const flow of FLOWS) await flow(ada);
  await drafts(ada, enter);
  await sessions(ada, async () => enter(await visit()));
  await signOut(ada);
  await keyboard(ada);
  await signOut(ada);
  await ada.page.close();
}

// All flows, in the first windows.
async function flows(browser, origin, complaints, windows = LOOKS.length) {
  for (const look of LOOKS.slice(0, windows)) await inWindow(browser, origin, look, complaints);
}

module.exports = { flows };
