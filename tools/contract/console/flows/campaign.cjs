// A campaign by the form of sentences, from its draft to its end.
"use strict";

const assert = require("node:assert/strict");

const SENTENCE = /On Mondays from 16:00 to 18:00 members earn double points for QR code scans/;
const MAX_WAIT_MS = 3_000;

// Types into a field by its name in the form, because several have the same words around them.
async function type(ada, name, text) {
  await ada.write(await ada.page.$(`#campaign [name="${name}"]`), text);
}

async function write(ada, id) {
  await ada.section("Campaigns");
  await ada.pick("New campaign");
  await type(ada, "id", id);
  await type(ada, "title", "Monday of flow");
  await ada.unfold("Always");
  await ada.tick("Mon");
  await ada.unfold("Every activity");
  await ada.tick("QR code scans");
  await ada.unfold("Add a condition");
  await ada.press("Between two times of the day");
  assert.equal(await ada.page.$eval('[name="title"]', (field) => field.value), "Monday of flow");
  await type(ada, "hours_from", "16:00");
  // A time that is none is told beside its field, and the rest stays.
  await type(ada, "hours_until", "six");
  await ada.refused(422, () => ada.press("Save the draft"));
  await ada.sees(/must be a time/);
  assert.equal(await ada.page.$eval('[name="title"]', (field) => field.value), "Monday of flow");
  await type(ada, "hours_until", "18:00");
  await ada.press("Save the draft");
  await ada.toast(/The campaign is saved/);
}

// A step takes over at the next second.
async function isIn(ada, state) {
  const until = Date.now() + MAX_WAIT_MS;
  while (Date.now() < until && !(await ada.says("main h1")).includes(state)) await ada.follow(() => ada.page.reload());
  await ada.sees(new RegExp(state), "main h1");
}

async function campaign(ada) {
  const id = `flow-${Date.now()}`;
  await write(ada, id);
  await ada.sees(SENTENCE);
  await isIn(ada, "Draft");

  await ada.press("Start");
  await ada.toast(/The campaign is started/);
  await isIn(ada, "Running");
  await ada.press("Pause");
  await ada.toast(/The campaign is paused/);
  if (ada.hasScript) await isIn(ada, "Paused");
  await ada.more();
  await ada.unfold("End for good");
  await ada.press("End for good");
  await ada.toast(/The campaign has ended/);
  await isIn(ada, "Ended");
  for (const step of ["Start", "Pause", "Resume"]) {
    assert.equal(await ada.page.$(`::-p-aria([name="${step}"][role="button"])`), null, `an ended campaign has no ${step}`);
  }

  await ada.section("Campaigns");
  // A phone has the sentence below the title.
  await ada.sees(/Monday of flow( On Mondays [^.]+\.)? Ended/);
  await ada.go(`/console/acme/campaigns/${id}`);
  await ada.more();
  await ada.unfold("Archive");
  await ada.press("Archive");
  await ada.toast(/The campaign is archived/);
}

module.exports = { campaign };
