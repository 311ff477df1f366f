// A key of the interface: shown once, used, and revoked.
"use strict";

const assert = require("node:assert/strict");
const { client } = require("./person.cjs");

// The status of a read and of a write with the key.
async function statuses(ada, key) {
  const call = client(ada.origin, key);
  const read = await call("GET", "/manage/products");
  const write = await call("PUT", "/manage/products/x", { sku: "X-1", title: "X", regular_price: 1 });
  return [read.status, write.status];
}

async function key(ada) {
  await ada.section("API keys");
  await ada.pick("New key");
  const label = `Till of flow ${Date.now()}`;
  await ada.fill("Label", label);
  await (await ada.page.$('[name="scope"][value="products:read"]')).click();
  await ada.press("Add the key");
  await ada.sees(/shows it only once/);
  await ada.sees(new RegExp(`“${label}” works`));
  const [text] = (await ada.says()).match(/pb_\S+/);
  assert.deepEqual(await statuses(ada, text), [200, 403]);

  // The browser sends the form again, which makes no second key.
  await ada.follow(() => ada.page.reload());
  assert(!(await ada.page.content()).includes(text), "a reload shows the key");
  await ada.sees(/This form was sent before/);
  await ada.pick("To the keys");
  const rows = await ada.page.$$eval("main tbody tr", (all) => all.map((row) => row.textContent));
  assert.equal(rows.filter((row) => row.includes(label)).length, 1);
  assert(!(await ada.page.content()).includes(text), "the list shows the key");

  await revoke(ada, label);
  assert.deepEqual(await statuses(ada, text), [401, 401]);
}

async function revoke(ada, label) {
  const labels = await ada.page.$$eval("main tbody tr", (all) => all.map((row) => row.textContent));
  const row = `main tbody tr:nth-child(${labels.findIndex((text) => text.includes(label)) + 1})`;
  await ada.more(row);
  await ada.press("Revoke this key", row);
  await ada.toast(/The key is revoked/);
  assert(!(await ada.says()).includes(label), "a revoked key is not listed");
}

module.exports = { key };
