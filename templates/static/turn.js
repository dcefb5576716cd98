// Improves pages that work without it: swaps the builder in place, counts the time left. It decides nothing and knows no rule.
"use strict";

const find = (what, where = document) => where.querySelector(what);

// Links inside the builder to another draft or hex: fetch the page they lead to and put its builder in place.
// Whoever presses again before the answer is there means the last press: an earlier answer that comes later is dropped.
// Where none comes, the browser goes to that page.
const PATIENCE = 10000;
let presses = 0;
const swap = async (url, remember) => {
  const press = ++presses;
  const text = await fetch(url, { signal: AbortSignal.timeout(PATIENCE) }).then((answer) => (answer.ok ? answer.text() : "")).catch(() => "");
  if (press !== presses) return;
  const fresh = find("#builder", new DOMParser().parseFromString(text, "text/html"));
  if (!fresh) return location.assign(url);
  for (const kept of document.querySelectorAll("#then, [name^='then.']")) {
    const same = find(`[name="${kept.name}"]`, fresh);
    if (same) same.value = kept.value;
  }
  for (const fold of document.querySelectorAll("#builder .fold")) find(`#${fold.id}`, fresh)?.toggleAttribute("open", fold.open);
  find("#builder").replaceWith(fresh);
  if (remember) history.pushState(null, "", url);
  const heading = find(`${new URL(url, location).hash || "#tiles"} h2`) ?? find("#builder h2");
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
  if (heading.getBoundingClientRect().top > innerHeight || heading.getBoundingClientRect().bottom < 0) heading.scrollIntoView();
  showChosen();
};

find("#fold-hexes")?.removeAttribute("open"); // without a script the list is how one builds

document.addEventListener("click", (event) => {
  const link = event.target.closest("#builder a[href^='?']");
  if (!link || event.metaKey || event.ctrlKey || event.shiftKey || event.button) return;
  event.preventDefault();
  swap(link.href.baseVal ?? link.href, true);
});
addEventListener("popstate", () => (find("#builder") ? swap(location.href, false) : location.reload()));

// u takes the last step back.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "u" && !event.target.closest("input, textarea, select")) find("[data-undo]")?.click();
});

// The time left counts on; the server's words stay where a clock here is wrong by weeks.
const { left, worker } = document.currentScript.dataset;
const tick = () => {
  for (const place of document.querySelectorAll("[data-until]")) {
    const minutes = Math.round((Date.parse(place.dataset.until) - Date.now()) / 60000);
    if (minutes <= 0 || minutes > 40000) continue;
    const [n, unit] = minutes >= 2160 || minutes === 1440 ? [Math.round(minutes / 1440), "day"] : minutes >= 90 || minutes === 60 ? [Math.round(minutes / 60), "hour"] : [minutes, "minute"];
    const words = new Intl.NumberFormat(document.documentElement.lang, { style: "unit", unit, unitDisplay: "long" });
    place.textContent = left.replace("{span}", words.format(n));
  }
};
tick();
setInterval(tick, 30000);

// Browsers without scroll-initial-target: the chosen hex comes into view inside its frame.
const showChosen = () => {
  const here = find(".pan .here"), pan = here?.closest(".pan");
  if (pan) pan.scrollTo(here.offsetLeft - pan.clientWidth / 2, here.offsetTop - pan.clientHeight / 2);
};
showChosen();

// Whoever logs in or accepts an invitation for the first time is told times by the clock of this browser.
for (const zone of document.querySelectorAll("[name=browser_zone]")) zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";

// A link to pass on is copied with one press.
for (const button of navigator.clipboard ? document.querySelectorAll("[data-copy]") : []) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(button.dataset.copy);
    button.textContent = button.dataset.done;
  });
}

// Whoever logs out is told nothing more on this device.
find("form[action$='/logout']")?.addEventListener("submit", async (event) => {
  const form = event.target, ready = navigator.serviceWorker?.getRegistration();
  event.preventDefault();
  const off = async () => (await (await ready)?.pushManager?.getSubscription())?.unsubscribe();
  await Promise.race([off().catch(() => {}), new Promise((go) => setTimeout(go, 2000))]);
  form.submit();
});

// The page for when there is no network. Browsers may refuse to keep anything: then there is none.
navigator.serviceWorker?.register(worker).catch(() => {});
