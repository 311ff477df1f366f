// Operators in the console of the demo: do what operators do (console/flows.cjs), walk the tutorial (console/week.cjs), and follow every link of each role, on a phone and on a
// computer, in light and dark and in four languages (console/crawl.cjs). On each page it looks for what axe-core finds, for complaints of
// the browser, for inline styles and scripts, for a page wider than the window, and for its weight.
//
// Arguments: the browser's program, the address of the server, the file for the picture of the overview, the folder for pictures of all
// pages, and "whole", or "once" for the flows and the pages of an owner in one window and language.
"use strict";

const assert = require("node:assert/strict");
const { mkdirSync, rmSync } = require("node:fs");
const { launch, open, examined } = require("./browser.cjs");
const { crawl, signIn } = require("./console/crawl.cjs");
const { flows } = require("./console/flows.cjs");
const { week } = require("./console/week.cjs");

const [program, origin, picture, folder, extent] = process.argv.slice(2);

const PHONE = { width: 390, height: 844 };
const WIDE = { width: 1400, height: 900 };
const PICTURE = { width: 1200, height: 860 };
// WCAG 2.2, 1.4.10: no horizontal scrolling at 320 px.
const NARROWEST = { width: 320, height: 640 };

async function main() {
  const complaints = [];
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const browser = await launch(program, origin);
  const look = async (viewport, language, scheme, role) => {
    const page = await open(browser, { viewport, language, scheme }, complaints);
    await signIn(page, origin, role);
    const pages = await crawl(page, origin, `${folder}/${viewport.width}-${language}-${scheme}-${role}`, complaints);
    await page.close();
    return pages;
  };
  try {
    const first = await open(browser, { viewport: PICTURE }, complaints);
    await signIn(first, origin, "owner");
    await first.screenshot({ path: picture });
    await first.close();
    await flows(browser, origin, complaints, extent === "once" ? 1 : undefined);
    if (extent === "once") {
      await look(WIDE, "en", "light", "owner");
      await week(browser, origin, complaints);
      assert.deepEqual(complaints, []);
      return;
    }
    // Two lanes, because the browser and the server use one processor each. Every language and both schemes are seen once.
    const [pages] = await Promise.all([
      look(WIDE, "en", "light", "owner").then(async (found) => {
        await look(PHONE, "tr", "dark", "owner");
        return found;
      }),
      (async () => {
        for (const language of ["de", "ja"]) await look(NARROWEST, language, "light", "owner");
        for (const role of ["support", "fulfilment", "analyst"]) await look(PHONE, "en", "light", role);
      })(),
    ]);
    await week(browser, origin, complaints);
    assert(pages.length > 20, `an owner sees only ${pages}`);
    assert.deepEqual(complaints, []);
    console.log(`${examined()} views of the console were examined; an owner reaches ${pages.length} kinds of pages`);
  } finally {
    await browser.close();
  }
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
