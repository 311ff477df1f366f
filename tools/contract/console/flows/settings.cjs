// A refused setting: the script brings the mistake in a long form into the window, below a message that
// nothing was saved.
"use strict";

const assert = require("node:assert/strict");

const ZONE = 'main [name="set.time_zone"]';

async function settings(ada) {
  await ada.section("Settings");
  const before = await ada.page.$eval(ZONE, (field) => field.value);
  await ada.write(await ada.page.$(ZONE), "Europe/Berln");
  await ada.refused(422, () => ada.press("Save the settings"));
  await ada.toast(/^Nothing was saved/);
  await ada.sees(/^There is no time zone/, ".setting [role=alert]");
  await ada.seesMistakeInWindow();
  assert.equal(await ada.page.$eval(ZONE, (field) => field.value), "Europe/Berln", "what was typed stays");
  await ada.section("Settings");
  assert.equal(await ada.page.$eval(ZONE, (field) => field.value), before);
}

module.exports = { settings };
