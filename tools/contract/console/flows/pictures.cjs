// Saves a product with a picture, shows a stored picture there, uploads one, and sees it in the shop. Adds another product with the same
// picture, and removes the picture. What was typed into the form of the product stays meanwhile.
"use strict";

const assert = require("node:assert/strict");
const { mkdtempSync, rmSync, writeFileSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { join } = require("node:path");

const PRODUCT = "bath-towel";
const TYPED = "Typed and not saved";
// One pixel.
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

const stored = (url) => /\/acme\/api\/pictures\/[0-9a-f]{64}\.png$/.test(url);
const sources = (ada) => ada.page.$$eval("main .shots img", (all) => all.map((picture) => picture.src));

// Presses a button in the menu of a picture.
async function pressAt(ada, label) {
  const menu = await ada.page.$(`.shots li:has([aria-label="${label}"]) summary`);
  await menu.evaluate((part) => part.scrollIntoView({ block: "center" }));
  await menu.click();
  await ada.press(label);
}

async function choose(ada, file) {
  await (await ada.page.$("main input[type=file]")).uploadFile(file);
}

// Sends a file to a product that is stored: the script does it when the file is chosen.
async function send(ada, file) {
  if (ada.hasScript) return ada.follow(() => choose(ada, file));
  await choose(ada, file);
  return ada.press("Upload");
}

async function keepsTyped(ada) {
  assert.equal(await ada.page.$eval("[name=title]", (field) => field.value), TYPED);
}

const value = (ada, name) => ada.page.$eval(`main [name="${name}"]`, (field) => field.value);

async function upload(ada, wrong, right) {
  await ada.go(`/console/acme/products/${PRODUCT}`);
  await ada.fill("Title", TYPED);
  await ada.refused(422, () => send(ada, wrong));
  await ada.toast(/^Nothing was saved\./);
  await ada.sees(/note\.png: The file is not a PNG, JPEG, WebP or AVIF picture/, "main [role=alert]");
  await ada.seesMistakeInWindow();
  await keepsTyped(ada);
  await send(ada, right);
  await ada.toast(/The picture is added\. What you typed into the form is not saved yet\./);
  await keepsTyped(ada);
}

// "Save" takes a file that was chosen and not sent, and no other button forgets it in silence.
async function save(ada, wrong, right) {
  await ada.go(`/console/acme/products/${PRODUCT}`);
  const title = await value(ada, "title");
  const gallery = await value(ada, "gallery");
  await ada.fill("Title", TYPED);
  if (ada.hasScript) {
    await send(ada, right);
  } else {
    await choose(ada, right);
    await ada.press("Preview");
    await ada.sees(/towel\.png: The file was not uploaded\. Choose it again/, "main [role=alert]");
    await keepsTyped(ada);
    await choose(ada, wrong);
    await ada.refused(422, () => ada.press("Save"));
    await ada.toast(/^Nothing was saved\./);
    await ada.sees(/note\.png: The file is not a PNG, JPEG, WebP or AVIF picture/, "main [role=alert]");
    await keepsTyped(ada);
    await choose(ada, right);
  }
  await ada.press("Save");
  await ada.toast(/^The product is saved\.$/);
  await ada.sees(new RegExp(`^${TYPED}\\b`), "h1");
  assert.equal((await value(ada, "gallery")).trim().split("\n").length, gallery.trim().split("\n").filter(Boolean).length + 1);

  await stock(ada, title);
}

// Enter in a field of the stock presses its own button where there is a script, and "Save" elsewhere. Nothing that was typed is lost.
async function stock(ada, title) {
  const [label, before] = ["Pieces in stock", await value(ada, "stock")];
  await ada.fill("Title", title);
  await ada.fill(label, "12");
  await ada.follow(() => ada.page.keyboard.press("Enter"));
  const [said, kept] = ada.hasScript
    ? [/^The stock is changed\. What you typed into the form is not/, ["title", title]]
    : [/^The product is saved\. What you typed about the stock is not/, ["stock", "12"]];
  await ada.toast(said);
  assert.equal(await value(ada, kept[0]), kept[1]);
  await ada.press(ada.hasScript ? "Save" : "Set stock");
  await ada.toast(/^The (product is saved|stock is changed)\.$/);
  assert.deepEqual([await value(ada, "title"), await value(ada, "stock")], [title, "12"]);
  await ada.fill(label, before);
  await ada.press("Set stock");
  assert.equal(await value(ada, "stock"), before);
  await takeLast(ada);
}

// Takes the last picture from the product.
async function takeLast(ada) {
  const last = (await sources(ada)).length - 1;
  await pressAt(ada, `Remove: Picture ${last}`);
  await ada.toast(/The product no longer shows the picture/);
}

// Takes a stored picture from the list of all pictures to the product.
async function chooseStored(ada) {
  await ada.go("/console/acme/pictures");
  const name = await ada.page.$eval(".product-pictures img", (picture) => picture.alt);
  await ada.pick(`Show on a product: ${name}`);
  await ada.sees(/Choose the product that shall show this picture/, ".notice");
  await ada.fill("ID, SKU or title", PRODUCT, "main", "searchbox");
  if (ada.hasScript) await ada.page.waitForFunction((id) => location.search.includes(id), {}, PRODUCT);
  else await ada.follow(() => ada.page.keyboard.press("Enter"));
  const link = await ada.page.$("#results tbody a");
  await ada.follow(() => link.click());
  const before = await sources(ada);
  await ada.fill("Title", TYPED);
  await ada.press(`Show at this product: ${name}`);
  await ada.toast(/The picture is added\. What you typed into the form is not saved yet\./);
  await keepsTyped(ada);
  const after = await sources(ada);
  assert(after.length === before.length + 1 && stored(after.at(-1)), `${after}`);
  await takeLast(ada);
}

// Moves the new picture, the last one, before the one that was there.
async function move(ada) {
  const before = (await sources(ada)).filter(stored).length;
  const last = (await sources(ada)).length - 1;
  await pressAt(ada, `Earlier: Picture ${last}`);
  await ada.toast(/The pictures have the new order/);
  await keepsTyped(ada);
  const order = await sources(ada);
  assert(stored(order.at(-2)) && !stored(order.at(-1)), `${order}`);
  assert.equal(order.filter(stored).length, before);
}

// A right file with a mistake in a field far above the button: the picture is in the form, and the mistake in the window.
async function mistakeAbove(ada, right) {
  const price = () => ada.page.$('main [name="regular_price"]');
  await ada.write(await price(), "x");
  await choose(ada, right);
  await ada.refused(422, () => ada.press("Add product"));
  await ada.sees(/The picture is stored, and its address is in the form\./);
  await ada.seesMistakeInWindow();
  await keepsTyped(ada);
  await ada.write(await price(), "5");
}

// Adds a product with a picture in one step, and retires it again.
async function addProduct(ada, wrong, right) {
  const id = `flow-${Date.now()}`;
  await ada.go("/console/acme/new-product");
  for (const [name, text] of [["id", id], ["title", TYPED], ["sku", id], ["regular_price", "5"]]) {
    await ada.write(await ada.page.$(`main [name="${name}"]`), text);
  }
  await choose(ada, wrong);
  await ada.refused(422, () => ada.press("Add product"));
  await ada.sees(/note\.png: The file is not a PNG, JPEG, WebP or AVIF picture/, "main [role=alert]");
  await ada.seesMistakeInWindow();
  await keepsTyped(ada);
  await mistakeAbove(ada, right);
  await ada.press("Add product");
  await ada.toast(/^The product is added\.$/);
  const shown = await sources(ada);
  assert(shown.length === 1 && stored(shown[0]), `the product shows ${shown}`);
  await ada.more();
  await ada.unfold("Retire product");
  await ada.press("Retire product", "details.danger");
  await ada.toast(/^The product is retired\./);
}

async function isInShop(ada) {
  await ada.go(`/shop/acme/products/${PRODUCT}`);
  const widths = await ada.page.$$eval("main img", (all) =>
    Promise.all(
      all.map(async (picture) => {
        picture.loading = "eager";
        await picture.decode().catch(() => undefined);
        return [picture.src, picture.naturalWidth];
      }),
    ),
  );
  const own = widths.find(([src]) => stored(src));
  assert.equal(own?.[1], 1, `the shop shows ${widths}`);
}

async function remove(ada) {
  await ada.go(`/console/acme/products/${PRODUCT}`);
  const place = (await sources(ada)).findIndex(stored);
  await pressAt(ada, `Remove: Picture ${place}`);
  await ada.toast(/The product no longer shows the picture/);
  await ada.section("Products");
  await ada.more();
  await ada.pick("All pictures", "main");
  await ada.sees(/^1$/, "main h1 .count");
  await ada.sees(/PNG, 1 × 1 pixels, 1 KiB .* No product shows it\./, ".product-pictures");
  const name = await ada.page.$eval(".product-pictures img", (picture) => picture.alt);
  await ada.press(`Remove: ${name}`);
  await ada.toast(/The picture is removed/);
  await ada.sees(/There are no pictures yet/);
}

async function pictures(ada) {
  const folder = mkdtempSync(join(tmpdir(), "pointbook-flow-"));
  const write = (name, bytes) => {
    writeFileSync(join(folder, name), bytes);
    return join(folder, name);
  };
  try {
    const [wrong, right] = [write("note.png", "no picture"), write("towel.png", PNG)];
    await save(ada, wrong, right);
    await chooseStored(ada);
    await upload(ada, wrong, right);
    await move(ada);
    await isInShop(ada);
    await addProduct(ada, wrong, right);
    await remove(ada);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

module.exports = { pictures };
