// The page of a game on which somebody else is asked looks by itself whether the game has gone on, and is loaded anew.
// Whoever has touched it may be typing, or looking at a part of the board: then it only says so. Without this there is a link.
"use strict";

const place = document.querySelector("[data-stand]");
let touched = false;
for (const touch of ["pointerdown", "keydown", "wheel"]) addEventListener(touch, () => (touched = true), { once: true, passive: true });
const look = async () => {
  if (document.hidden) return;
  const answer = await fetch(place.dataset.at).catch(() => null);
  if (!answer?.ok || (await answer.text()) === place.dataset.stand) return;
  if (!touched) return location.reload();
  clearInterval(looking);
  place.firstElementChild.hidden = false;
};
const looking = setInterval(look, place.dataset.every * 1000);
document.addEventListener("visibilitychange", look);
