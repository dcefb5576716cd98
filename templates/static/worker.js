// Shows one kept page when there is no network. It keeps that page and its style, and nothing else: no other answer is stored.
"use strict";

const NAME = "offline", PAGE = "/offline", STYLE = "/static/site.css";

// Without cookies: the language stands in the address of this script, and nobody's name can be on the page.
const get = async (address) => {
  const answer = await fetch(address, { credentials: "omit", cache: "reload" });
  if (!answer.ok) throw new TypeError(`${address}: ${answer.status}`);
  return answer;
};
const keep = async () => {
  const [page, style] = await Promise.all([get(PAGE + location.search), get(STYLE)]);
  const kept = await caches.open(NAME);
  await Promise.all([kept.put(PAGE, page), kept.put(STYLE, style)]);
};
addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil(keep());
});

// Pages come from the network, as if this were not here; the kept one stands in where that fails, with its style.
const orKept = (request, kept) => fetch(request).catch(async () => (await caches.match(kept, { ignoreVary: true })) ?? Response.error());
addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  if (request.mode === "navigate") event.respondWith(orKept(request, PAGE));
  else if (request.destination === "style" && new URL(request.url).pathname === STYLE) event.respondWith(orKept(request, STYLE));
});
