// The switch that lets this browser be told of turns. It asks for leave, subscribes, and sends the form.
"use strict";

const form = document.querySelector("#device"), said = form.querySelector("[data-said]"), button = form.querySelector("button");
const tell = (what) => {
  said.textContent = form.dataset[what];
  said.hidden = false;
};
const able = "PushManager" in window && "Notification" in window && navigator.serviceWorker;
const offer = async () => {
  const there = able && (await (await navigator.serviceWorker.ready).pushManager.getSubscription());
  const digest = there && (await crypto.subtle.digest("SHA-256", new TextEncoder().encode(there.endpoint)));
  const mark = there && [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("").slice(0, 16);
  if (there && form.dataset.known.split(" ").includes(mark)) button.textContent = form.dataset.on;
  else button.classList.toggle("quiet", (button.disabled = false));
};
const subscribed = async () => {
  const { pushManager } = await navigator.serviceWorker.ready;
  const key = { userVisibleOnly: true, applicationServerKey: form.dataset.key };
  // A browser keeps the subscription of an earlier key of this server, which nothing can be sent to.
  return pushManager.subscribe(key).catch(async () => {
    await (await pushManager.getSubscription())?.unsubscribe();
    return pushManager.subscribe(key);
  });
};
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (!able) return tell("unable");
  button.disabled = true;
  try {
    if ((await Notification.requestPermission()) !== "granted") return tell("denied");
    const { endpoint, keys } = (await subscribed()).toJSON();
    Object.entries({ endpoint, ...keys }).forEach(([name, value]) => (form.elements[name].value = value));
    form.submit();
  } catch {
    tell("failed");
  } finally {
    button.disabled = false;
  }
});
offer();
