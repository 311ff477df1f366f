// A person at the browser: finds what to press and to fill by the name that a person sees or hears, and sees every page that follows.
"use strict";

const assert = require("node:assert/strict");
const { examine } = require("../../browser.cjs");

// A client of the interface with a token of the demo.
function client(origin, token) {
  return (method, below, body) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    return fetch(`${origin}/acme/api/v1${below}`, { method, headers, body: body && JSON.stringify(body) });
  };
}

// Names with these roles have quotes in no language of the demo.
const called = (role, name) => `::-p-aria([name="${name}"][role="${role}"])`;

// What of a page makes another view of it.
function viewOf(page) {
  return page.evaluate(() => {
    const count = (part) => document.querySelectorAll(part).length;
    const heading = document.querySelector("h1")?.textContent;
    return [location.pathname, heading, count("details[open]"), count(".toast"), count(".error")].join();
  });
}

// `hasScript` is false for a browser without it: then axe-core cannot look at the pages. `seen` has the views that it looked at.
function person(page, { origin, hasScript, seen, complaints }) {
  async function look() {
    const view = await viewOf(page);
    if (!hasScript || seen.has(view)) return;
    seen.add(view);
    await examine(page, complaints);
  }

  // The only thing with this role and name, below `within`.
  async function find(role, name, within = "body") {
    const found = [];
    for (const part of await page.$$(within)) found.push(...(await part.$$(called(role, name))));
    assert.equal(found.length, 1, `${found.length} times the ${role} “${name}” in ${within} of ${page.url()}`);
    return found[0];
  }

  // Replaces what a field has, as with a paste.
  async function write(field, text) {
    await field.focus();
    await page.keyboard.down("Control");
    await page.keyboard.press("a");
    await page.keyboard.up("Control");
    await page.keyboard.sendCharacter(text);
  }

  // A toast stays at the top of the window, and what saves a form at its end. A person scrolls to what is below it, as the keyboard does.
  const show = (element) => element.evaluate((part) => part.scrollIntoView({ block: "nearest" }));

  const follow = (doing) => Promise.all([page.waitForNavigation(), doing()]).then(look);

  return {
    page,
    origin,
    hasScript,
    follow,
    async go(path) {
      const answer = await page.goto(origin + path);
      await look();
      return answer;
    },
    async press(name, within) {
      const button = await find("button", name, within);
      await show(button);
      await follow(() => button.click());
    },
    async pick(name, within) {
      const link = await find("link", name, within);
      await show(link);
      await follow(() => link.click());
    },
    // Does what the server answers with this status.
    async refused(status, doing) {
      page.expected = status;
      const answer = await doing();
      page.expected = undefined;
      return answer;
    },
    // Opens what is folded under these words.
    async unfold(name, within) {
      const summary = await find("DisclosureTriangle", name, within);
      await show(summary);
      await summary.click();
      await look();
    },
    // Opens a section of the console, whose link also says how many things it has. On a phone the sections are in a drawer.
    async section(name) {
      const drawer = await page.$(".top button.on-phone");
      if (await drawer.isVisible()) await drawer.click();
      const links = await page.$$("nav.side li a");
      const names = await Promise.all(links.map((link) => link.evaluate((part) => part.textContent.trim())));
      const at = names.findIndex((text) => text === name || text.startsWith(`${name} `));
      assert(at >= 0, `no section “${name}” among ${names}`);
      await follow(() => links[at].click());
    },
    // Opens the dialog of this button of the head.
    async dialog(name) {
      const button = await find("button", name, ".head");
      await show(button);
      await button.click();
      await look();
    },
    // Opens what a page, or a row, has behind three dots.
    async more(within = ".head") {
      await (await page.$(`${within} .menu summary`)).click();
      await look();
    },
    // Opens the menu of the operator at the top.
    async account() {
      if (!(await page.$(".account[open]"))) await (await page.$(".account summary")).click();
      await look();
    },
    // Searches the whole console. On a phone the box is on the page of the search.
    async search(words) {
      const link = await page.$(".top a.on-phone");
      if (await link.isVisible()) await follow(() => link.click());
      const boxes = await page.$$(".search input");
      const seen = await Promise.all(boxes.map((box) => box.isVisible()));
      await write(boxes[seen.indexOf(true)], words);
      await follow(() => page.keyboard.press("Enter"));
    },
    async tick(name, within) {
      const box = await find("checkbox", name, within);
      await show(box);
      await box.click();
    },
    write,
    async fill(name, text, within, role = "textbox") {
      await write(await find(role, name, within), text);
    },
    // Fills the description of a product with HTML. The script shows an editor in its place where the HTML is simple.
    async describe(html) {
      const isHidden = await page.$eval("main [name=description]", (field) => field.hidden);
      if (isHidden) await (await find("button", "HTML", ".rich")).click();
      await this.fill("Description (HTML)", html);
    },
    // What a part of the page says, with spaces as a person sees them.
    async says(selector = "main") {
      return (await page.$eval(selector, (part) => part.innerText ?? part.textContent)).replace(/\s+/g, " ").trim();
    },
    async sees(words, selector = "main") {
      const said = await this.says(selector);
      assert.match(said, words, `${page.url()} says: ${said.slice(0, 1_000)}`);
    },
    // A message of the page, which is in the window wherever the page stands.
    async toast(words) {
      await this.sees(words, ".toast");
      const isSeen = (part) => part.getBoundingClientRect().top >= 0 && part.getBoundingClientRect().bottom <= innerHeight;
      assert(await page.$eval(".toast", isSeen), `the message is outside the window of ${page.url()}`);
    },
    // The first mistake of the page. The script brings it into the window, below a message at the top.
    async seesMistakeInWindow() {
      if (!hasScript) return;
      const isSeen = () => {
        const wrong = [...document.querySelectorAll("main [role=alert]:not(.toast)")].find((part) => part.textContent.trim());
        const { left, top, bottom } = wrong.getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight && wrong.contains(document.elementFromPoint(left + 1, (top + bottom) / 2));
      };
      assert(await page.evaluate(isSeen), `the first mistake is outside the window of ${page.url()}`);
    },
    path: () => new URL(page.url()).pathname.replace(/^\/console\/acme/, ""),
  };
}

module.exports = { client, person };
