// What operators do, with forms alone: each flow is one function.
"use strict";

async function flows() {}

module.exports = { flows };
