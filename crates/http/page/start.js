"use strict";

/* Shows the description, and lets its readers try calls. In the demo the server gives an address and tokens along. */

const problem = document.getElementById("problem");

function tell(text) {
  problem.textContent = text;
  problem.hidden = false;
}

async function load(path) {
  const answer = await fetch(path, { headers: { Accept: "application/json" } });
  if (!answer.ok) {
    throw new Error(`${path} was answered with ${answer.status}`);
  }
  return answer.json();
}

/* Browsers let this page call the server that it came from and no other, so calls go there, under each of its names. */
function baseUrl(settings) {
  return `${location.origin}${settings.base_path ?? "/api"}`;
}

/* Tokens are kept by this page alone, and gone when it is. */
function authorize(ui, settings) {
  for (const [scheme, token] of Object.entries(settings.tokens ?? {})) {
    ui.preauthorizeApiKey(scheme, token);
  }
}

async function start() {
  const [spec, settings] = await Promise.all([load("openapi.json"), load("docs/settings.json")]);
  const base = spec.servers[0].variables.base_url;
  base.default = baseUrl(settings);
  base.description = settings.base_path
    ? "The base URL of the demo's tenant. Calls go to this server only."
    : "Put the path of your tenant's base URL in place of /api, such as /shop/api. Calls go to this server only.";
  const ui = SwaggerUIBundle({
    spec,
    dom_id: "#pages",
    deepLinking: true,
    displayOperationId: true,
    filter: true,
    persistAuthorization: false,
    presets: [SwaggerUIBundle.presets.apis],
    layout: "BaseLayout",
    tryItOutEnabled: true,
    validatorUrl: "none",
    onComplete: () => authorize(ui, settings),
  });
}

start().catch((error) => tell(`The pages cannot be shown: ${error.message}.`));
