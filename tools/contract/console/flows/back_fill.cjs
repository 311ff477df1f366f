// Back-tests a draft for one day, gives what the back-test found, and looks at the list of back-fills.
"use strict";

const assert = require("node:assert/strict");
const { client } = require("./person.cjs");

const MAX_WAIT_MS = 30_000;
// The day of an activity that this flow records.
const DAY = "2026-01-31";

// Reloads the page until a part of it says these words.
async function until(ada, words, selector) {
  const end = Date.now() + MAX_WAIT_MS;
  while (Date.now() < end && !words.test(await ada.says(selector))) await ada.follow(() => ada.page.reload());
  await ada.sees(words, selector);
}

async function backFill(ada) {
  const id = `flow-fill-${Date.now()}`;
  const office = client(ada.origin, "demo-admin");
  const scan = { type: "code", source_id: id, points: 5, title: "Flow", created_at: `${DAY}T10:00:00Z`, bonus_breakdown: [] };
  assert.equal((await office("POST", "/manage/users/flow-filled/activities", scan)).status, 201);
  const draft = { title: { en: "Fill of flow" }, reward: { points: 1 } };
  assert.equal((await office("PUT", `/manage/campaigns/${id}`, draft)).status, 201);

  await ada.go(`/console/acme/campaigns/${id}`);
  await ada.more();
  await ada.pick("Back-fill");
  await ada.sees(/First back-test the campaign/);
  await ada.pick("Choose a period and back-test it");
  for (const name of ["from", "until"]) {
    await ada.page.$eval(`input[type=date][name=${name}]`, (field, day) => { field.value = day; }, DAY);
  }
  await ada.press("Start the back-test");
  await ada.toast(/The back-test waits for its turn/);
  await until(ada, /Done Version/, "main");

  await ada.pick("Give what it found");
  await ada.sees(/This campaign was not back-filled yet/);
  const [, awards] = (await ada.says()).match(/Bonuses ([\d,]+) Points/);
  await ada.unfold("Give these bonuses");
  await ada.press("Give these bonuses");
  await ada.toast(/The back-fill is requested/);
  await until(ada, /^Done$/, "#back-fill-state");
  await ada.sees(new RegExp(`Given Bonuses: ${awards}, points: ${awards}`));

  await ada.pick("Back-fills");
  await ada.sees(/Fill of flow .* ?Done/);
  await ada.go(`/console/acme/campaigns/${id}`);
  await ada.more();
  await ada.unfold("Archive");
  await ada.press("Archive");
  await ada.toast(/The campaign is archived/);
}

module.exports = { backFill };
