// The archive of a static site: a list of all games is fetched when somebody looks for one, and searched here.
const panel = document.querySelector("#search");
const field = panel.querySelector("input"), told = panel.querySelector("[data-found]");
const list = document.querySelector("#games"), latest = list ? [...list.children] : [];
const MOST = 100;
let games = null;

const folded = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

const all = () => {
  games ??= fetch("games.json").then(async (answer) => {
    if (!answer.ok) throw new Error(answer.statusText);
    const found = await answer.json();
    return found.reverse().map(([id, map, title, words]) => ({ id, map, title, words, all: folded(`${map} ${title} ${words}`) }));
  });
  return games;
};

const shown = ({ id, map, title, words }) => {
  const item = latest[0].cloneNode(true), link = item.querySelector("a"), picture = item.querySelector("img");
  link.href = `../games/${id}.html`;
  link.textContent = title;
  picture.src = `../maps/${map}/thumb.png`;
  item.querySelector("p").textContent = words;
  return item;
};

const search = async () => {
  const wanted = folded(field.value.trim()).split(/\s+/).filter(Boolean);
  if (!wanted.length) {
    list.replaceChildren(...latest);
    told.textContent = "";
    return;
  }
  const every = await all(), asked = field.value;
  const found = every.filter((game) => wanted.every((word) => game.all.includes(word)));
  if (asked !== field.value) return;
  list.replaceChildren(...found.slice(0, MOST).map(shown));
  told.textContent = told.dataset.found.replace("{n}", found.length).replace("{m}", every.length);
};

if (list) {
  panel.hidden = false;
  field.addEventListener("input", search);
  const map = new URLSearchParams(location.search).get("map");
  if (map) {
    field.value = map;
    search();
  }
}
