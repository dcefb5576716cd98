// A finished game on the spot: the page of another order is fetched, and its parts take the place of those that are shown,
// all at once. It decides nothing; without it every step is a link.
const replay = document.querySelector("#replay");
const numbers = (text) => text.trim().split(/\s+/).map(Number);
const slider = document.querySelector("#at");
const steps = replay.dataset.steps ? numbers(replay.dataset.steps) : [...Array(Number(slider.max) + 1).keys()];
const pages = new Map();
let at = Number(replay.dataset.at), wanted = at, timer = 0, playing = 0;

const addressOf = (number) => {
  const url = new URL(location.href);
  url.searchParams.set("at", number);
  url.hash = "";
  return url;
};

const picture = (page) => page.querySelector("#replay .board img");

// The page of an order with its picture decoded; the last ones are kept.
const page = (number) => {
  if (!pages.has(number)) {
    if (pages.size > 40) pages.delete(pages.keys().next().value);
    pages.set(number, fetch(addressOf(number)).then((answer) => {
      if (!answer.ok) throw new Error(answer.statusText);
      return answer.text();
    }).then(async (text) => {
      const found = new DOMParser().parseFromString(text, "text/html");
      const image = new Image();
      image.src = picture(found).src;
      await image.decode();
      return found;
    }));
    pages.get(number).catch(() => pages.delete(number));
  }
  return pages.get(number);
};

const intoView = () => {
  const log = replay.querySelector(".turnlog"), line = log.querySelector(".new");
  if (line) log.scrollTop = line.offsetTop - log.clientHeight / 2;
};

const show = async (number) => {
  const found = await page(number);
  if (number !== wanted) return;
  for (const part of replay.querySelectorAll("[data-part]")) {
    const other = found.querySelector(`#replay [data-part="${part.dataset.part}"]`);
    part.replaceChildren(...other.cloneNode(true).childNodes);
  }
  at = number;
  slider.value = at;
  for (const field of document.querySelectorAll("[data-position]")) field.value = at;
  history.replaceState(null, "", addressOf(at));
  playButton();
  intoView();
  const next = steps.find((step) => step > at);
  if (next !== undefined) page(next);
};

const go = (number, wait = 0) => {
  wanted = Math.min(Math.max(number, steps[0]), steps.at(-1));
  clearTimeout(timer);
  timer = setTimeout(() => show(wanted).catch(() => location.assign(addressOf(wanted))), wait);
};

const along = (stops, way) => way > 0 ? stops.find((stop) => stop > wanted) ?? steps.at(-1) : stops.findLast((stop) => stop < wanted) ?? steps[0];

const play = () => {
  if (playing) {
    clearInterval(playing);
    playing = 0;
  } else {
    if (wanted >= steps.at(-1)) go(steps[0]);
    playing = setInterval(() => (wanted >= steps.at(-1) ? play() : at === wanted && go(along(steps, 1))), 1200);
  }
  playButton();
};

const playButton = () => {
  const button = replay.querySelector("[data-play]");
  button.hidden = false;
  const [begin, pause] = button.querySelectorAll("span");
  [begin.hidden, pause.hidden] = [playing, !playing];
  button.onclick = play;
};

document.addEventListener("click", (event) => {
  const link = event.target.closest("#replay a, .moments a");
  const number = link && new URL(link.href).searchParams.get("at");
  if (!link || link.closest(".follow") || number === null || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (new URL(link.href).pathname !== location.pathname) return;
  event.preventDefault();
  go(Number(number));
  if (link.closest(".moments")) replay.scrollIntoView();
});

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("textarea, select, input:not([type=range])")) return;
  const turns = numbers(replay.dataset.turns);
  const keys = {
    ArrowLeft: () => go(along(event.shiftKey ? turns : steps, -1)),
    ArrowRight: () => go(along(event.shiftKey ? turns : steps, 1)),
    Home: () => go(steps[0]),
    End: () => go(steps.at(-1)),
    " ": () => !event.target.closest("a, button, summary") && play(),
  };
  if (!(event.key in keys) || (event.key === " " && event.target.closest("a, button, summary"))) return;
  event.preventDefault();
  keys[event.key]();
});

slider.addEventListener("input", () => go(steps.findLast((step) => step <= Number(slider.value)) ?? steps[0], 120));

let touched = null;
replay.addEventListener("touchstart", (event) => { touched = event.target.closest(".board") && event.touches.length === 1 ? event.touches[0].clientX : null; }, { passive: true });
replay.addEventListener("touchend", (event) => {
  const far = touched === null ? 0 : event.changedTouches[0].clientX - touched;
  if (Math.abs(far) > 60 && replay.querySelector(".pan").scrollWidth <= replay.querySelector(".pan").clientWidth + 1) go(along(steps, -far));
});

replay.querySelector("[data-show]").hidden = true;
playButton();
intoView();
