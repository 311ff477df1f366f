// The queue of orders: one order of a member is fulfilled, the other one cancelled.
"use strict";

const assert = require("node:assert/strict");
const { client } = require("./person.cjs");

const PRODUCT = "arcade-credits";
const PRICE = 100;

// Places orders as the app of a member does. The member gets the points for them before.
async function place(origin, count) {
  const [office, ben] = [client(origin, "demo-admin"), client(origin, "demo-ben")];
  const points = { type: "code", source_id: `flows-${Date.now()}`, points: PRICE * count, title: "Points to spend", bonus_breakdown: [] };
  assert((await office("POST", "/manage/users/ben/activities", points)).ok);
  const orders = [];
  for (let number = 0; number < count; number += 1) {
    const answer = await ben("POST", "/store/orders", { product_id: PRODUCT });
    assert.equal(answer.status, 201, await answer.clone().text());
    orders.push((await answer.json()).data);
  }
  return orders;
}

// The button stands above the rows, however many they are.
async function actsAbove(ada) {
  const [button, table] = await ada.page.$$eval(".bulk, main table", (all) => all.map((part) => part.getBoundingClientRect().top));
  assert(button <= table, `the button is at ${button}, the rows at ${table}`);
}

async function orders(ada) {
  const [sent, dropped] = await place(ada.origin, 2);
  await ada.section("Orders");
  await ada.sees(/\d+ waiting, the oldest first/);
  const box = `Select order ${sent.number}`;
  // With the script, the button comes with the first tick.
  if (!ada.hasScript) {
    await ada.refused(422, () => ada.press("Mark as sent"));
    await ada.sees(/Select at least one order/);
  }
  await ada.tick(box);
  await actsAbove(ada);
  await ada.press("Mark as sent");
  await ada.toast(/^1 of 1 marked as sent/);
  assert.equal(await ada.page.evaluate(() => scrollY), 0, "the result begins at its top");
  await ada.sees(new RegExp(`^${sent.number} .* Sent$`), "main tbody tr");
  await ada.pick("Back to the queue");
  assert.doesNotMatch(await ada.says(), new RegExp(sent.number), "it does not wait any more");
  await cancel(ada, dropped);
}

// Cancels from the page of the order. The audit log has the reason and who it was.
async function cancel(ada, order) {
  await ada.search(order.number);
  await ada.unfold("Cancel order");
  const reason = `The game is closed ${Date.now()}`;
  await ada.fill("Reason, for the audit log", reason);
  await ada.press("Cancel order");
  await ada.toast(/The order is cancelled, and the points are returned/);
  await ada.sees(/Cancelled$/, "h1");
  await ada.section("Audit log");
  const entries = await ada.page.$$eval("main tbody tr", (all) => all.map((entry) => entry.textContent));
  const entry = entries.find((text) => text.includes(reason));
  assert(entry, `no entry says “${reason}”`);
  assert.match(entry, /order\.cancel/);
  assert.match(entry, /Ada/);
  assert(entry.includes(`order:${order.id}`), entry);
}

module.exports = { orders, place };
