// A second browser of the same operator is listed, and the first one ends its session.
"use strict";

const assert = require("node:assert/strict");

// The sessions of the list: where to end each, and whose it is.
function listed({ page }) {
  return page.$$eval("main tbody tr", (rows) =>
    rows.map((row) => ({ end: new URL(row.querySelector("form").action).pathname, whose: row.cells[0].innerText.trim() })),
  );
}

async function sessions(ada, enter) {
  await ada.account();
  await ada.pick("Sessions", ".account");
  const before = await listed(ada);
  assert.equal(before.filter(({ whose }) => whose === "Ada this one").length, 1);

  const other = await enter();
  await other.account();
  await other.pick("Sessions", ".account");
  await ada.go("/console/acme/sessions");
  const added = (await listed(ada)).filter(({ end }) => !before.some((old) => old.end === end));
  assert.deepEqual(added.map(({ whose }) => whose), ["Ada"]);
  await ada.press("End", `form[action="${added[0].end}"]`);
  await ada.toast(/The session has ended/);
  assert.deepEqual(await listed(ada), before);

  const answer = await other.refused(401, () => other.go("/console/acme/orders"));
  assert.equal(answer.status(), 401);
  await other.sees(/You are not signed in, or your session has ended/);
  assert.equal(await other.page.$("nav.side li"), null);
  await other.page.close();
  // The first one is still signed in.
  await ada.section("Orders");
  await ada.sees(/^Orders$/, "h1");
}

module.exports = { sessions };
