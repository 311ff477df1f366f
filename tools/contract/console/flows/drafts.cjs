// A changed form is left only after a question. When the session has ended, the tab keeps what was typed until the person has signed in again.
"use strict";

const assert = require("node:assert/strict");

const STOCK = 'main [name="set.low_stock_threshold"]';
const typed = (ada) => ada.page.$eval(STOCK, (field) => field.value);

// Types and saves after the session has ended, and signs in again.
async function loseSession(ada, enter) {
  await ada.write(await ada.page.$(STOCK), "77");
  const cookies = await ada.page.browserContext().cookies();
  await ada.page.browserContext().deleteCookie(...cookies);
  await ada.refused(401, () => ada.press("Save the settings"));
  await ada.sees(/This tab keeps what you typed/);
  await enter(ada);
}

async function drafts(ada, enter) {
  if (!ada.hasScript) return;
  await ada.section("Settings");
  const before = await typed(ada);
  await ada.write(await ada.page.$(STOCK), "77");
  const asked = new Promise((tell) => ada.page.once("dialog", (dialog) => tell(dialog.type())));
  ada.page.stays = true;
  await ada.page.$eval("nav.side li a", (link) => link.click());
  assert.equal(await asked, "beforeunload");
  ada.page.stays = false;
  assert.equal(await typed(ada), "77", "the page stays");

  await loseSession(ada, enter);
  await ada.section("Settings");
  assert.equal(await typed(ada), "77", "what was typed is there again");
  await ada.section("Settings");
  assert.equal(await typed(ada), before, "nothing was saved, and the text is kept once");

  await loseSession(ada, enter);
  await ada.page.evaluate(() => {
    const draft = JSON.parse(sessionStorage.getItem("draft"));
    sessionStorage.setItem("draft", JSON.stringify({ ...draft, operator: "another@example.com" }));
  });
  await ada.section("Settings");
  assert.equal(await typed(ada), before, "nobody sees what another operator typed");
  assert.equal(await ada.page.evaluate(() => sessionStorage.getItem("draft")), null);
}

module.exports = { drafts };
