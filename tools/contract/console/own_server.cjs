// A server of its own on the data of the demo, whose console has its own address.
"use strict";

const { spawn } = require("node:child_process");
const { createInterface } = require("node:readline");

// Starts the program with these settings, and returns once it listens.
async function startServer(program, database, settings) {
  const words = ["serve", "--listen", "127.0.0.1:0", "--database", `sqlite:${database}`];
  const env = { POINTBOOK_LISTEN_CONSOLE: "127.0.0.1:0", POINTBOOK_LOG_FORMAT: "json", ...settings };
  const child = spawn(program, words, { env, stdio: ["ignore", "ignore", "pipe"] });
  const said = [];
  const origins = {};
  await new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code) => reject(new Error(`the server ended with ${code}: ${said.join("\n")}`)));
    createInterface({ input: child.stderr }).on("line", (line) => {
      said.push(line);
      const [, name, origin] = /"(console at|listening on) (http:\/\/[^"/]+)/.exec(line) ?? [];
      if (name) origins[name] = origin;
      if (name === "listening on") resolve();
    });
  });
  child.removeAllListeners("exit");
  const stop = () => child.kill("SIGTERM");
  return { console: origins["console at"], interface: origins["listening on"], said, stop };
}

module.exports = { startServer };
