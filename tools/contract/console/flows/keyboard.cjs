// Tab, Enter and Space alone: from the front door to a fulfilled order.
"use strict";

const assert = require("node:assert/strict");
const { place } = require("./orders.cjs");

// More than the stops of the longest page of this flow.
const MAX_STOPS = 120;

// What has the focus: its words, and whether a person sees that it has it.
function stop(page) {
  return page.evaluate(() => {
    const at = document.activeElement;
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(at);
    const isSeen = (outlineStyle !== "none" && outlineWidth !== "0px") || boxShadow !== "none";
    const within = at.closest("li")?.innerText ?? "";
    return { words: at.ariaLabel ?? at.innerText?.trim() ?? "", isSeen, within, tag: at.tagName, html: at.outerHTML.slice(0, 120) };
  });
}

// Presses Tab until `words`, a text or a pattern, have the focus, within what begins with `within`.
async function tabTo({ page }, words, within = "") {
  for (let count = 0; count < MAX_STOPS; count += 1) {
    await page.keyboard.press("Tab");
    const at = await stop(page);
    if (at.tag !== "BODY") assert(at.isSeen, `the focus is not seen at ${at.html} of ${page.url()}`);
    const isIt = words instanceof RegExp ? words.test(at.words) : at.words === words;
    if (isIt && at.within.startsWith(within)) return;
  }
  assert.fail(`Tab does not reach “${words}” of ${page.url()}`);
}

const enter = (ada) => ada.follow(() => ada.page.keyboard.press("Enter"));

// The way into the page without the navigation.
async function skip(ada) {
  await tabTo(ada, "Skip to the content");
  await ada.page.keyboard.press("Enter");
  assert.equal(await ada.page.evaluate(() => document.activeElement.id), "content");
}

async function keyboard(ada) {
  const [order] = await place(ada.origin, 1);
  await ada.go("/");
  await tabTo(ada, "Open the console", "Ada");
  await enter(ada);
  const drawer = await ada.page.$(".top button.on-phone");
  if (await drawer.isVisible()) {
    await tabTo(ada, await drawer.evaluate((button) => button.ariaLabel));
    await ada.page.keyboard.press("Enter");
  }
  await tabTo(ada, /^Orders\s+\d+\s+wait$/);
  await enter(ada);
  await skip(ada);
  const box = `Select order ${order.number}`;
  await tabTo(ada, box);
  await ada.page.keyboard.press("Space");
  assert.equal(await ada.page.evaluate(() => document.activeElement.checked), true);
  await tabTo(ada, "Mark as sent");
  await enter(ada);
  await ada.toast(/^1 of 1 marked as sent/);
  await ada.sees(new RegExp(`^${order.number} .* Sent$`), "main tbody tr");
}

module.exports = { keyboard };
