// Operators sign in with OpenID Connect, at a console with its own address: the button, the issuer, and the way back. It starts an issuer and
// a server on the data of the demo. Windows of a phone and of a computer, light and dark, with and without script.
//
// Arguments: the browser's program, the server's program, and the file of the demo's database.
"use strict";

const assert = require("node:assert/strict");
const { mkdtempSync, rmSync, writeFileSync } = require("node:fs");
const { tmpdir } = require("node:os");
const path = require("node:path");
const { launch, open, examine, examined } = require("./browser.cjs");
const { startIssuer } = require("./console/issuer.cjs");
const { startServer } = require("./console/own_server.cjs");

const [program, pointbook, database, pictures] = process.argv.slice(2);

const CONSOLE = "/console/acme";
const CLIENT = { id: "pointbook", secret: "a secret" };
// Ada is the owner of the demo. The demo does not know Eve.
const [ADA, EVE] = ["ada@acme.example", "eve@acme.example"];
const LOOKS = [
  { viewport: { width: 390, height: 844 }, scheme: "dark", hasScript: true },
  { viewport: { width: 1400, height: 900 }, scheme: "light", hasScript: true },
  { viewport: { width: 1400, height: 900 }, scheme: "dark", hasScript: false },
];

const says = (page) => page.$eval("body", (body) => body.innerText.replace(/\s+/g, " "));
const pathOf = (page) => new URL(page.url()).pathname;

async function press(page, selector) {
  await Promise.all([page.waitForNavigation(), page.click(selector)]);
}

// A window of someone who is at the sign-in page.
async function atSignIn(world, look) {
  const { browser, origin, complaints } = world;
  const page = await open(browser, look, complaints);
  await page.setJavaScriptEnabled(look.hasScript);
  page.expected = 401;
  await page.goto(origin + CONSOLE);
  page.expected = undefined;
  assert.match(await says(page), /Sign in with Fake & Co/);
  await lookAt(world, page, look, "sign-in");
  return page;
}

// axe-core needs a script.
async function lookAt(world, page, { viewport, scheme, hasScript }, name) {
  if (hasScript) await examine(page, world.complaints);
  const file = `openid-${name}-${viewport.width}-${scheme}.png`;
  if (pictures) await page.screenshot({ path: path.join(pictures, file) });
}

// Presses the button of the console and then, at the issuer, that of this person. Without a person, that to cancel.
async function goAs(world, page, look, person) {
  await page.click(`form[action="${CONSOLE}/openid"] button`);
  if (!look.hasScript) {
    await page.waitForSelector("a[data-onward]");
    await lookAt(world, page, look, "onward");
    await page.click("a[data-onward]");
  }
  const button = `button[value="${person}"]`;
  await page.waitForSelector(button);
  assert.equal(new URL(page.url()).origin, world.issuer.url);
  await press(page, button);
  assert.equal(new URL(page.url()).origin, world.origin);
}

async function signsIn(world, look) {
  const page = await atSignIn(world, look);
  await goAs(world, page, look, ADA);
  assert.equal(pathOf(page), CONSOLE);
  await page.click(".account summary");
  assert.match(await says(page), /Ada · Owner/);
  await lookAt(world, page, look, "overview");
  // The session lasts beyond the page that the issuer led to.
  await page.goto(`${world.origin}${CONSOLE}/sessions`);
  assert.match(await says(page), /this one/);
  await page.click(".account summary");
  await press(page, `form[action="${CONSOLE}/sign-out"] button`);
  assert.match(await says(page), /You are signed out/);
  await lookAt(world, page, look, "signed-out");
  await page.close();
}

async function isRefused(world, look, person, expected, name) {
  const page = await atSignIn(world, look);
  page.expected = 403;
  await goAs(world, page, look, person);
  page.expected = undefined;
  assert.match(await says(page), expected);
  await lookAt(world, page, look, name);
  page.expected = 401;
  await press(page, `a[href="${CONSOLE}/sign-in"]`);
  assert.match(await says(page), /Sign in with Fake & Co/);
  await page.goto(`${world.origin}${CONSOLE}/sessions`);
  assert.match(await says(page), /not signed in/);
  await page.close();
}

// The address of the interface has no console, and that of the console has no interface.
async function isApart(server) {
  const status = async (url) => (await fetch(url, { redirect: "manual" })).status;
  assert.equal(await status(server.interface + CONSOLE), 404);
  assert.equal(await status(`${server.console}/acme/api/v1/store/products`), 404);
  assert.equal(await status(`${server.interface}/acme/api/v1/store/products`), 401);
}

async function main() {
  const folder = mkdtempSync(path.join(tmpdir(), "pointbook-openid-"));
  const secret = path.join(folder, "secret");
  writeFileSync(secret, CLIENT.secret, { mode: 0o600 });
  // The secret is encoded as in a form before it is sent.
  const issuer = await startIssuer({ ...CLIENT, secret: "a+secret" }, [ADA, EVE]);
  let [server, browser] = [];
  try {
    server = await startServer(pointbook, database, {
      POINTBOOK_OPENID_ISSUER: issuer.url,
      POINTBOOK_OPENID_CLIENT_ID: CLIENT.id,
      POINTBOOK_OPENID_CLIENT_SECRET_FILE: secret,
      POINTBOOK_OPENID_NAME: "Fake & Co",
    });
    await isApart(server);
    const origin = server.console;
    browser = await launch(program, origin);
    const world = { browser, origin, issuer, complaints: [] };
    for (const look of LOOKS) {
      await signsIn(world, look);
      await isRefused(world, look, EVE, /no operator here has your email address/, "unknown");
      await isRefused(world, look, "", /You did not sign in/, "denied");
    }
    // The pictures of the demo are at its own address, where nothing listens any more.
    assert.deepEqual(world.complaints.filter((complaint) => !complaint.includes("/demo/pictures/")), []);
    const refused = server.said.filter((line) => line.includes("operator not signed in by OpenID Connect"));
    assert.equal(refused.length, 2 * LOOKS.length, refused.join("\n"));
    console.log(`${examined()} views were examined while operators signed in with OpenID Connect`);
  } finally {
    await browser?.close();
    server?.stop();
    issuer.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
