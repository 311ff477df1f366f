// Tries a file of products, downloads the rows that were refused, imports a file of activities, and tries members and categories.
"use strict";

const assert = require("node:assert/strict");
const { mkdtempSync, rmSync, writeFileSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { join } = require("node:path");

const MAX_WAIT_MS = 5_000;

const PRODUCTS = "sku,title,regular_price\nflow-1,<b>Flow</b>,10\n=flow-2,,ten\n";

const MEMBERS = "user_id,birth_date\nflow-member,1990-05-17\nflow-other,tomorrow\n";
const TREE = JSON.stringify([{ id: "flow-tree", label: "Flow tree" }]);

// Points of 0 leave every balance as it is.
const activities = (source) =>
  ["user_id,type,source_id,points,title,created_at", `demo-aiko,code,${source},0,Flow,2026-01-31T10:00:00Z`, ""].join("\n");

// Sends a file by the form of its kind, and waits until the page says how it ended.
async function send(ada, kind, button, file, words) {
  await ada.go("/console/acme/imports");
  await (await ada.page.$(`#${kind} input[type=file]`)).uploadFile(file);
  await ada.press(button, `#${kind}`);
  const until = Date.now() + MAX_WAIT_MS;
  while (Date.now() < until && !words.test(await ada.says("#import-state"))) {
    if (ada.hasScript) await new Promise((resolve) => setTimeout(resolve, 100));
    else await ada.follow(() => ada.page.reload());
  }
  await ada.sees(words, "#import-state");
  assert.equal(await ada.page.$("[data-while]"), null, "the progress has ended");
}

async function imports(ada) {
  const folder = mkdtempSync(join(tmpdir(), "pointbook-flow-"));
  const write = (name, text) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  try {
    await ada.section("Imports");
    await send(ada, "products", "Try only", write("gifts.csv", PRODUCTS), /Tried. Nothing was stored/);
    await ada.sees(/Would be new 1 .*Would be refused 1/);
    await ada.sees(/3 title: is required; regular_price: must be a whole number/);
    const link = await ada.page.$eval('main a[href$="/refused.csv"]', (part) => part.href);
    const cookies = (await ada.page.cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
    const refused = await (await fetch(link, { headers: { cookie: cookies } })).text();
    assert.match(refused, /^line,reason,escaped,sku,title,regular_price\r\n3,.*,yes,'=flow-2,,ten\r\n$/);

    const file = write("scans.csv", activities(`flow-${Date.now()}`));
    await send(ada, "activities", "Import", file, /All rows are imported/);
    await ada.sees(/New 1 Unchanged 0 Refused 0/);
    await send(ada, "activities", "Import", file, /All rows are imported/);
    await ada.sees(/New 0 Unchanged 1 Refused 0/);

    await send(ada, "users", "Try only", write("members.csv", MEMBERS), /Tried. Nothing was stored/);
    await ada.sees(/Would be new 1 Would be changed 0 .*Would be refused 1/);
    await ada.sees(/3 birth_date: must be a date/);
    await send(ada, "categories", "Try only", write("tree.json", TREE), /Tried. Nothing was stored/);
    await ada.sees(/Would be new 1 .*Would be removed [1-9]/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

module.exports = { imports };
