// A page on which somebody else is asked looks by itself whether the game has gone on, and is loaded anew. Whoever has
// touched it may be typing, or looking at a part of the board: then it only says so. Without this there is a link.
"use strict";

const place = document.querySelector("[data-stand]"), since = Date.now();
let touched = false, next;
for (const touch of ["pointerdown", "keydown", "wheel"]) addEventListener(touch, () => (touched = true), { once: true, passive: true });

// Milliseconds until the next look: robots answer in a moment, people in hours.
const pause = () => {
  const waited = Date.now() - since;
  if (document.hidden || !("quick" in place.dataset)) return 30000;
  return waited < 10000 ? 400 : waited < 120000 ? 2000 : 15000;
};
const look = async () => {
  clearTimeout(next);
  const answer = await fetch(place.dataset.at).catch(() => null);
  if (answer?.ok && (await answer.text()) !== place.dataset.stand) {
    if (!touched || "quick" in place.dataset) return location.reload();
    place.firstElementChild.hidden = false;
    document.title = place.firstElementChild.firstElementChild.textContent;
    return;
  }
  next = setTimeout(look, pause());
};
next = setTimeout(look, pause());
document.addEventListener("visibilitychange", () => document.hidden || look());
