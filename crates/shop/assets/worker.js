// Shows a page of its own when the network is away. It keeps that page and nothing else: pages of members stay in no cache.
"use strict";

const PAGE = "/shop/offline.html";

addEventListener("install", (event) => {
  event.waitUntil(caches.open("offline").then((cache) => cache.add(PAGE)));
});

addEventListener("fetch", (event) => {
  const { method, mode } = event.request;
  // A form that does not arrive is left to the browser, which offers to send it again.
  if (method === "GET" && mode === "navigate") event.respondWith(fetch(event.request).catch(() => caches.match(PAGE)));
});
