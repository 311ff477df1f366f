// Every page of the shop in every state that a member may meet, on the narrowest phone and in four languages. Each view is examined, and its
// picture is written.
"use strict";

const assert = require("node:assert/strict");
const path = require("node:path");
const { open, examine } = require("../browser.cjs");

const SHOP = "/shop/acme";
const API = "/acme/api/v1";
const LANGUAGES = ["en", "de", "tr", "ja"];
// WCAG 2.2, 1.4.10: no horizontal scrolling at 320 px.
const NARROWEST = { width: 320, height: 640 };
const PHONE = { width: 390, height: 844 };
const MAX_PICTURE_HEIGHT = 2_400;
const WIDE = { width: 1400, height: 900 };

// The longest title and description that a product may have, and the highest price.
const longest = (origin) => ({
  sku: "LONGEST-1",
  title: `Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz ${"W".repeat(200)} `.repeat(4).slice(0, 999),
  description: `<h2>${"Überschrift".repeat(40)}</h2><table><tr><td>${"breit".repeat(100)}</td><td>2</td></tr></table>
    <pre>${"x = ".repeat(200)}</pre><img src="${origin}/demo/pictures/cafe-mug.svg" width="2000" alt=""><ul><li>one</li></ul>
    <p>${"A long text about a gift. ".repeat(2500)}</p>`.slice(0, 65_000),
  regular_price: 9_007_199_254_740_991,
  sale_price: 9_007_199_254_740_990,
});

// A client of the interface with the token of a person of the demo.
function client(origin, token) {
  return async (method, below, body) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const answer = await fetch(origin + API + below, { method, headers, body: body && JSON.stringify(body) });
    assert(answer.ok, `${method} ${below}: ${answer.status} ${await answer.clone().text()}`);
    return (await answer.json()).data;
  };
}

// What the views need beside the sample data.
async function prepare(origin) {
  const [office, ben] = [client(origin, "demo-admin"), client(origin, "demo-ben")];
  await office("PUT", "/manage/products/longest", longest(origin));
  await office("PUT", "/manage/products/gone", { sku: "GONE-1", title: "Lamp, sold out", regular_price: 5, stock: 0 });
  await office("PUT", "/manage/products/cheap", { sku: "CHEAP-1", title: "Sticker", regular_price: 1 });
  const orders = [];
  for (let number = 0; number < 3; number += 1) {
    orders.push((await ben("POST", "/store/orders", { product_id: "cheap", quantity: number + 1 })).id);
  }
  await ben("POST", `/store/orders/${orders[1]}/cancel`);
  await office("POST", `/manage/orders/${orders[2]}/fulfil`);
  return { office, orders };
}

// The views of a member with points and orders.
function ofMember([placed, cancelled, sent]) {
  return [
    ["gifts", ""],
    ["gifts-2", "?page%5Bnumber%5D=2"],
    ["gifts-none", "?filter%5Btitle%5D=nosuchthing"],
    ["gifts-beyond", "?page%5Bnumber%5D=999"],
    ["gifts-filtered", "?filter%5BmaxPrice%5D=1000&filter%5BonSale%5D=1&filter%5Btitle%5D=mug"],
    ["gifts-bad-price", "?filter%5BmaxPrice%5D=1%2C5&filter%5BonSale%5D=1"],
    ["gift", "/products/cafe-mug"],
    ["gift-gone", "/products/gone"],
    ["gift-dear", "/products/longest"],
    ["order-question", "/order?product=cafe-mug&quantity=2"],
    ["order-gone", "/order?product=gone&quantity=1"],
    ["order-dear", "/order?product=cafe-mug&quantity=1000"],
    ["orders", "/orders"],
    ["order-placed", `/orders/${placed}?placed`],
    ["order-not-cancelled", `/orders/${sent}?not-cancelled`],
    ["order-cancelled", `/orders/${cancelled}?cancelled`],
    ["points", "/points"],
    ["points-beyond", "/points?page%5Bnumber%5D=999"],
    ["missing", "/nothing", 404],
    ["bad-quantity", "/order?product=cafe-mug&quantity=0", 400],
  ];
}

// The views of a member who has neither points nor orders.
const OF_NEWCOMER = [
  ["newcomer-gifts", ""],
  ["newcomer-orders", "/orders"],
  ["newcomer-points", "/points"],
];

async function link(office, user) {
  return new URL((await office("POST", "/auth/links", { user_id: user })).url);
}

// Shows one view. Every `details` of it is open, because a closed one hides what may be too wide.
async function show(page, to, name, status, folder, complaints) {
  page.expected = status;
  const answer = await page.goto(to, { waitUntil: "load" });
  assert.equal(answer.status(), status ?? 200, to);
  await page.evaluate(() => document.querySelectorAll("details").forEach((one) => one.setAttribute("open", "")));
  await examine(page, complaints);
  const { width } = page.viewport();
  const height = Math.min(await page.evaluate(() => document.documentElement.scrollHeight), MAX_PICTURE_HEIGHT);
  await page.screenshot({ path: path.join(folder, `${name}.png`), clip: { x: 0, y: 0, width, height } });
}

async function signIn(page, url, name, folder, complaints) {
  await show(page, url, name, undefined, folder, complaints);
  await Promise.all([page.waitForNavigation(), page.click("main button")]);
}

// Walks all views in one language.
async function walk(browser, origin, look, data, folder, complaints) {
  const { viewport, language } = look;
  const called = (name) => `${viewport.width}-${language}-${name}`;
  const stranger = await open(browser, look, complaints);
  await show(stranger, origin, called("front-door"), undefined, folder, complaints);
  await show(stranger, `${origin}${SHOP}`, called("signed-out"), 401, folder, complaints);
  await show(stranger, `${origin}${SHOP}/sign-in?link=x`, called("bad-link"), 400, folder, complaints);
  await show(stranger, `${origin}/shop/nothing`, called("no-shop"), 404, folder, complaints);
  assert.equal(await stranger.$eval("html", (html) => html.lang), language);
  for (const [user, views] of [["ben", ofMember(data.orders)], ["mia", OF_NEWCOMER]]) {
    const page = await open(browser, look, complaints);
    const { pathname, search } = await link(data.office, user);
    await signIn(page, origin + pathname + search, called(`sign-in-${user}`), folder, complaints);
    assert.equal(await page.$eval("html", (html) => html.lang), language);
    for (const [name, below, status] of views) {
      await show(page, origin + SHOP + below, called(name), status, folder, complaints);
    }
    await page.close();
  }
  await stranger.close();
}

// How many rows the parts of a band take. Parts of one row have their middles at about the same height.
function rowsOf(page, selector) {
  return page.$$eval(selector, (parts) => {
    const boxes = parts.map((part) => part.getBoundingClientRect());
    const middles = boxes.map(({ top, bottom }) => (top + bottom) / 2).sort((one, other) => one - other);
    return middles.filter((middle, index) => index === 0 || middle - middles[index - 1] > 8).length;
  });
}

// On a phone, the name and the balance of a member with many points are in one row, and the parts of the shop in one at the lower edge.
async function band(browser, origin, { office }, language, complaints) {
  const page = await open(browser, { viewport: PHONE, language }, complaints);
  const { pathname, search } = await link(office, "aiko");
  await page.goto(origin + pathname + search);
  await Promise.all([page.waitForNavigation(), page.click("main button")]);
  for (const below of ["", "/points", "/orders"]) {
    await page.goto(origin + SHOP + below);
    for (const selector of [".band .inside > :not(nav)", ".band nav a"]) {
      assert.equal(await rowsOf(page, selector), 1, `${selector} of ${page.url()} in ${language}`);
    }
    const bottom = await page.$eval(".band nav", (nav) => nav.getBoundingClientRect().bottom);
    assert.equal(bottom, PHONE.height, page.url());
  }
  await page.close();
}

// All views, on a phone in all languages, on a computer in the longest one, and in the dark.
async function views(browser, origin, folder, complaints) {
  const data = await prepare(origin);
  for (const language of LANGUAGES) {
    await walk(browser, origin, { viewport: NARROWEST, language }, data, folder, complaints);
    await band(browser, origin, data, language, complaints);
  }
  await walk(browser, origin, { viewport: WIDE, language: "de", scheme: "dark" }, data, folder, complaints);
}

module.exports = { views };
