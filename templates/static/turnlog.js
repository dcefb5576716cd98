// The log of a finished game by turn: the lines of a turn that is opened are fetched from the page of that turn, and stay
// open while one steps through the game. Without it each turn has a link to its page.
const replayed = document.querySelector("#replay");
const lines = new Map(), opened = new Set();

const linesOf = (address) => {
  if (!lines.has(address)) {
    lines.set(address, fetch(address).then(async (answer) => {
      if (!answer.ok) throw new Error(answer.statusText);
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const log = page.querySelector("#replay .turnlog > .log");
      for (const line of log.querySelectorAll(".new")) line.classList.remove("new");
      return log;
    }));
    lines.get(address).catch(() => lines.delete(address));
  }
  return lines.get(address);
};

const fill = async (turn) => {
  const link = turn.querySelector("summary + .log a");
  turn.querySelector(".log").replaceWith((await linesOf(link.href)).cloneNode(true));
};

replayed.addEventListener("toggle", (event) => {
  const turn = event.target.closest("[data-turn]");
  if (!turn) return;
  if (!turn.open) return opened.delete(turn.dataset.turn);
  if (opened.has(turn.dataset.turn)) return;
  opened.add(turn.dataset.turn);
  fill(turn).catch(() => location.assign(turn.querySelector(".log a").href));
}, true);

new MutationObserver(() => {
  for (const turn of replayed.querySelectorAll("[data-turn]")) {
    if (!opened.has(turn.dataset.turn) || turn.open) continue;
    turn.open = true;
    fill(turn).catch(() => opened.delete(turn.dataset.turn));
  }
}).observe(replayed.querySelector(".turnlog"), { childList: true });
