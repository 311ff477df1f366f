// An OpenID Connect issuer of this machine, as strict as issuers may be: discovery, a page with a button for each person, and the exchange of
// the code with PKCE. It is for tests only.
"use strict";

const { createHash, randomBytes } = require("node:crypto");
const { createServer } = require("node:http");

const MAX_BODY_BYTES = 64 * 1024;
const TOKEN_SECONDS = 300;

const escaped = (text) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
const part = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");

async function bodyOf(request) {
  let body = "";
  for await (const piece of request) {
    body += piece;
    if (body.length > MAX_BODY_BYTES) throw new Error("the body is too long");
  }
  return new URLSearchParams(body);
}

// The page on which people say who they are.
function page(people, query) {
  const fields = [...query].map(([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`).join("");
  const button = (email) => `<button name="person" value="${escaped(email)}">${escaped(email)}</button>`;
  const form = `<form method="post" action="/agree">${fields}${people.map(button).join("")}<button name="person" value="">Cancel</button></form>`;
  return `<!DOCTYPE html><html lang="en"><head><title>Issuer</title></head><body><main><h1>Who are you?</h1>${form}</main></body></html>`;
}

// Starts it on a free port. `client` has the `id` and the `secret` of the only client, and `people` are the email addresses on the buttons.
async function startIssuer(client, people) {
  const grants = new Map();
  let url;

  const metadata = () => ({
    issuer: url,
    authorization_endpoint: `${url}/authorize`,
    token_endpoint: `${url}/token`,
    token_endpoint_auth_methods_supported: ["client_secret_basic"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
  });

  // Where the browser goes after the page.
  function agree(sent) {
    const back = new URL(sent.get("redirect_uri"));
    if (sent.get("person")) {
      const code = randomBytes(16).toString("hex");
      grants.set(code, Object.fromEntries(sent));
      back.searchParams.set("code", code);
    } else {
      back.searchParams.set("error", "access_denied");
    }
    back.searchParams.set("state", sent.get("state"));
    back.searchParams.set("iss", url);
    return back.href;
  }

  function exchange(sent, authorization) {
    const basic = Buffer.from(`${client.id}:${client.secret}`).toString("base64");
    if (authorization !== `Basic ${basic}`) return { error: "invalid_client" };
    const grant = grants.get(sent.get("code"));
    grants.delete(sent.get("code"));
    const challenge = createHash("sha256").update(sent.get("code_verifier") ?? "").digest("base64url");
    const isRight = grant?.code_challenge === challenge && grant.redirect_uri === sent.get("redirect_uri");
    if (!isRight || sent.get("grant_type") !== "authorization_code") return { error: "invalid_grant" };
    const now = Math.floor(Date.now() / 1_000);
    const claims = { iss: url, sub: grant.person, aud: client.id, exp: now + TOKEN_SECONDS, iat: now, nonce: grant.nonce };
    const token = `${part({ alg: "RS256" })}.${part({ ...claims, email: grant.person, email_verified: true })}.${part("unsigned")}`;
    return { access_token: "unused", token_type: "Bearer", expires_in: TOKEN_SECONDS, id_token: token };
  }

  async function answer(request, response) {
    const { pathname, searchParams } = new URL(request.url, url);
    const send = (status, type, body) => response.writeHead(status, { "content-type": type }).end(body);
    const json = (value) => send(value.error ? 400 : 200, "application/json", JSON.stringify(value));
    switch (`${request.method} ${pathname}`) {
      case "GET /.well-known/openid-configuration":
        return json(metadata());
      case "GET /authorize":
        return send(200, "text/html; charset=utf-8", page(people, searchParams));
      case "POST /agree":
        return response.writeHead(303, { location: agree(await bodyOf(request)) }).end();
      case "POST /token":
        return json(exchange(await bodyOf(request), request.headers.authorization));
      case "GET /favicon.ico":
        return response.writeHead(204).end();
      default:
        return send(404, "text/plain", "");
    }
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error) => response.destroy(error));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${server.address().port}`;
  return { url, stop: () => server.close() };
}

module.exports = { startIssuer };
