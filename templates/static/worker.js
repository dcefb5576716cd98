// Shows one kept page when there is no network, and what the server tells this device. It keeps that page and its style,
// and nothing else: no other answer is stored.
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

// The question of a game takes the place of the one before. A question that was answered elsewhere is replaced without a
// sound by a word that goes by itself: browsers demand that every message shows something.
const show = async ({ title, body, link, tag, lang, answered = false }) => {
  const options = { body, tag, lang, icon: "/static/icon-192.png", badge: "/static/icon-192.png", data: { link, answered } };
  if (!answered) return registration.showNotification(title, { ...options, renotify: true });
  const stood = await registration.getNotifications({ tag });
  await registration.showNotification(title, { ...options, silent: true });
  if (stood.length) await new Promise((go) => setTimeout(go, 4000));
  for (const one of await registration.getNotifications({ tag })) if (one.data.answered) one.close();
};
addEventListener("push", (event) => event.waitUntil(show(event.data.json())));

// A click opens the page of the question, or shows the window that has it already.
const open = async (link) => {
  const there = (await clients.matchAll({ type: "window" })).find((page) => page.url === link);
  return there ? there.focus() : clients.openWindow(link);
};
addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.link));
});
