// Edits a product: the preview shows what members will see, and the shop shows what was saved.
"use strict";

const assert = require("node:assert/strict");

const PRODUCT = "bath-towel";
const EVIL = `<p>Soft <strong>cotton</strong></p><script>document.title = "taken"</script>
<img src="/favicon.ico" alt="" onerror="document.title = 'taken'">`;

// Clean HTML: the text stays, the script is gone.
async function clean(ada) {
  await ada.sees(/Soft cotton/, "#preview");
  const html = await ada.page.$eval("#preview", (part) => part.innerHTML);
  assert.match(html, /<strong>cotton<\/strong>/);
  assert.doesNotMatch(html, /<script|onerror|taken/);
}

async function preview(ada, description) {
  const title = await ada.page.title();
  await ada.describe(description);
  if (ada.hasScript) {
    await ada.page.waitForFunction(() => document.querySelector("#preview").innerText.includes("Soft cotton"));
    await clean(ada);
    assert.equal(await ada.page.title(), title);
  }
  await ada.press("Preview");
  await clean(ada);
}

async function save(ada, title, description) {
  await ada.go(`/console/acme/products/${PRODUCT}`);
  await ada.fill("Title", title);
  await ada.describe(description);
  await ada.press("Save");
  await ada.toast(/The product is saved/);
  await ada.sees(new RegExp(`^${title}\\b`), "h1");
}

const value = (ada, name) => ada.page.$eval(`[name="${name}"]`, (field) => field.value);

async function product(ada) {
  await ada.section("Products");
  await ada.fill("ID, SKU or title", PRODUCT, "main", "searchbox");
  if (ada.hasScript) await ada.page.waitForFunction((id) => location.search.includes(id), {}, PRODUCT);
  else await ada.follow(() => ada.page.keyboard.press("Enter"));
  await ada.sees(/^1 to 1 of 1$/, "#found");
  const link = await ada.page.$("#results tbody a");
  await ada.follow(() => link.click());
  const [title, description] = [await value(ada, "title"), await value(ada, "description")];

  const other = `Towel of flow ${Date.now()}`;
  await ada.fill("Title", other);
  await preview(ada, EVIL);
  assert.equal(await value(ada, "title"), other, "the preview keeps what was typed");
  await ada.press("Save");
  await ada.toast(/The product is saved/);

  await ada.go("/");
  await ada.press("Open the shop", ".people li:nth-child(2)");
  await ada.go(`/shop/acme/products/${PRODUCT}`);
  await ada.sees(new RegExp(other), "h1");
  await ada.sees(/Soft cotton/);
  const scripts = await ada.page.$$eval("main script, main [onerror]", (all) => all.length);
  assert.equal(scripts, 0);
  await save(ada, title, description);
}

module.exports = { product };
