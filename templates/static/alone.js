// A finished game in a file of its own: every position is in the page, packed; what is shown is put together here.
const find = (what) => document.querySelector(what);
const player = find("#player"), slider = find("#at"), tables = find("#tables"), turnlog = find(".turnlog");
const sheet = find("#replay .sheet");
const turns = [...player.querySelectorAll("[data-turn]")];
const lines = new Map([...turnlog.querySelectorAll("a.n")].map((link) => [Number(link.hash.slice(1)), link.closest("li")]));
let numbers = [], shown = 0, timer = 0;

const unpacked = (name) => {
  const bytes = Uint8Array.from(atob(find(name).textContent), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).json();
};

// By position the pieces it is made of: each is told as what is other than in the one before.
const positions = ({ pieces, steps }) => {
  let now = [];
  return steps.map((changes) => {
    now = [...now];
    for (const [at, gone, come] of changes) now.splice(at, gone, ...come);
    const these = now;
    return () => these.map((number) => pieces[number]).join("");
  });
};

const marked = (number) => {
  turnlog.querySelector(".new")?.classList.remove("new");
  // a line that tells of several orders names the last of them
  const line = number && lines.get([...lines.keys()].find((last) => last >= number));
  turnlog.scrollTop = line ? line.offsetTop - turnlog.clientHeight / 2 : 0;
  if (line) line.classList.add("new");
};

const play = (film) => {
  sheet.innerHTML = film.frame;
  sheet.setAttribute("role", "img");
  const drawn = sheet.querySelector(".drawn"), board = positions(film.board), beside = positions(film.tables);
  const ends = turns.map((link) => Number(link.dataset.turn));
  const button = (name) => player.querySelector(`[data-to="${name}"]`);
  numbers = film.numbers;

  const show = (at, named = true) => {
    shown = Math.min(Math.max(at, 0), numbers.length - 1);
    const unfolded = tables.querySelector("details")?.open;
    drawn.innerHTML = board[shown]();
    tables.innerHTML = beside[shown]();
    tables.querySelector("details").open = unfolded;
    const told = tables.querySelector(".told");
    sheet.setAttribute("aria-label", told.textContent);
    slider.value = shown;
    marked(numbers[shown]);
    const turn = turns[ends.findIndex((end) => end >= numbers[shown])];
    for (const link of turns) link.toggleAttribute("aria-current", link === turn);
    if (named) history.replaceState(null, "", `#${numbers[shown]}`);
    for (const name of ["first", "before"]) button(name).disabled = shown === 0;
    for (const name of ["after", "last"]) button(name).disabled = shown === numbers.length - 1;
  };

  const pause = () => {
    clearInterval(timer);
    timer = 0;
    const [begin, stop] = button("play").querySelectorAll("span");
    [begin.hidden, stop.hidden] = [false, true];
  };

  const go = {
    first: () => show(0),
    before: () => show(shown - 1),
    after: () => show(shown + 1),
    last: () => show(numbers.length - 1),
    play: () => {
      if (timer) return pause();
      if (shown === numbers.length - 1) show(0);
      timer = setInterval(() => (shown === numbers.length - 1 ? pause() : show(shown + 1)), 1200);
      const [begin, stop] = button("play").querySelectorAll("span");
      [begin.hidden, stop.hidden] = [true, false];
    },
  };

  const turn = (way) => {
    const stops = [0, ...ends];
    const next = way > 0 ? stops.find((stop) => stop > numbers[shown]) : stops.findLast((stop) => stop < numbers[shown]);
    if (next !== undefined) show(numbers.indexOf(next));
  };

  // a page that shows turns alone has an order at the end of its turn
  const place = (hash) => (/^#\d+$/.test(hash) ? numbers.findIndex((number) => number >= Number(hash.slice(1))) : -1);
  const named = () => place(location.hash);

  player.addEventListener("click", (event) => {
    const name = event.target.closest("[data-to]")?.dataset.to;
    if (name) go[name]();
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest('a[href^="#"]');
    const at = link ? place(link.hash) : -1;
    if (at < 0) return;
    event.preventDefault();
    show(at);
    if (!link.closest("#replay")) find("#replay").scrollIntoView();
  });
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const keys = {
      ArrowLeft: () => (event.shiftKey ? turn(-1) : go.before()),
      ArrowRight: () => (event.shiftKey ? turn(1) : go.after()),
      Home: go.first,
      End: go.last,
      " ": go.play,
    };
    if (!(event.key in keys) || (event.key === " " && event.target.closest("a, button, summary, input"))) return;
    event.preventDefault();
    keys[event.key]();
  });
  slider.addEventListener("input", () => show(Number(slider.value)));
  addEventListener("hashchange", () => named() >= 0 && show(named()));

  let touched = null;
  const pan = find("#replay .pan");
  pan.addEventListener("touchstart", (event) => { touched = event.touches.length === 1 ? event.touches[0].clientX : null; }, { passive: true });
  pan.addEventListener("touchend", (event) => {
    const far = touched === null ? 0 : event.changedTouches[0].clientX - touched;
    if (Math.abs(far) > 60 && pan.scrollWidth <= pan.clientWidth + 1) show(shown + (far < 0 ? 1 : -1));
  });
  find("#zoom").addEventListener("click", ({ currentTarget }) => {
    const near = sheet.classList.toggle("near");
    currentTarget.setAttribute("aria-pressed", near);
    if (near) pan.scrollTo((pan.scrollWidth - pan.clientWidth) / 2, 0);
  });

  slider.max = numbers.length - 1;
  player.hidden = false;
  show(named() >= 0 ? named() : numbers.length - 1, false);
};

unpacked("#film").then(play);
