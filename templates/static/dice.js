// Computes every roll and draw of a finished game again from its seed, as docs/dice.md describes it, and compares them
// with the record. What the bag held before a draw is fetched from the server, or stands in the page; everything else is
// computed here.
const proof = document.querySelector("#proof");
const table = document.querySelector("#rolls");

const say = (name, n = "") => {
  for (const part of proof.querySelectorAll("[data-say]")) {
    part.classList.toggle("off", part.dataset.say !== name);
    for (const place of part.querySelectorAll("[data-n]")) place.textContent = n;
  }
};

const bytes = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const hex = (buffer) => Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");
const read = async (address) => {
  if (address.startsWith("#")) return JSON.parse(document.querySelector(address).textContent);
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(answer.statusText);
  return answer.json();
};

// A function that gives the next number below n; each uses up eight bytes.
const chooser = (key, label) => {
  let block = 0, left = [];
  return async (n) => {
    if (!left.length) {
      const message = new TextEncoder().encode(`pbem/1|${label}|${block++}`);
      const view = new DataView(await crypto.subtle.sign("HMAC", key, message));
      left = [0, 8, 16, 24].map((at) => view.getBigUint64(at));
    }
    return Number((left.shift() * BigInt(n)) >> 64n);
  };
};

const dice = async (below, count) => {
  const found = [];
  while (found.length < count) found.push(await below(6) + 1);
  return found;
};

const drawn = async (below, things, count) => {
  const left = [...things], found = [];
  while (found.length < count && left.length) found.push(left.splice(await below(left.length), 1)[0]);
  return found;
};

const byName = (names) => [...names].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
const contents = (bag) => byName(Object.keys(bag)).flatMap((name) => Array(bag[name]).fill(name));

// What the seed gives for one draw of the record; nothing where it is not known what the bag held.
const computed = async (draw, below, bag) => {
  if (draw.dice) return dice(below, draw.dice.length);
  if (draw.order) return drawn(below, byName(draw.order), draw.order.length);
  return bag ? drawn(below, contents(bag), draw.cubes.length) : [];
};

// The draws of an entry as the page shows them: for records of other programs, which may leave them to the seed.
const shown = (rows, entry) => {
  const draws = [];
  for (const row of rows) {
    const [of, at] = row.dataset.roll.split(".").map(Number);
    if (of === entry) draws[at] = { for: row.cells[2].textContent, [row.dataset.kind]: row.cells[3].textContent.split(" ").filter(Boolean) };
  }
  return draws;
};

const prove = async () => {
  const [record, bags] = await Promise.all([read(proof.dataset.record), read(proof.dataset.bags)]);
  const seed = bytes(record.seed);
  if (hex(await crypto.subtle.digest("SHA-256", seed)) !== record.commitment) return say("seed");
  const key = await crypto.subtle.importKey("raw", seed, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const rows = new Map(Array.from(table.tBodies[0].rows, (row) => [row.dataset.roll, row]));
  let wrong = 0;
  const entries = [[-1, "deal", record.deal], ...record.turns.map((turn, at) => [at, `${turn.turn}.${at}`, turn.chance])];
  for (const [entry, place, recorded] of entries) {
    const used = {}, draws = recorded ?? shown(rows.values(), entry);
    for (const [at, draw] of draws.entries()) {
      if (!draw || draw.for === "asked-first") continue;
      used[draw.for] = (used[draw.for] ?? 0) + 1;
      const bag = bags[entry < 0 ? "deal" : entry]?.[at];
      const found = await computed(draw, chooser(key, `${place}|${draw.for}|${used[draw.for]}`), bag);
      const same = found.join(" ") === (draw.dice ?? draw.order ?? draw.cubes).join(" ");
      const row = rows.get(`${entry}.${at}`);
      rows.delete(`${entry}.${at}`);
      wrong += !same || !row || row.cells[3].textContent !== found.join(" ");
      if (row) row.cells[4].textContent = same ? table.dataset.agrees : `${table.dataset.differs}: ${found.join(" ")}`;
    }
  }
  wrong += rows.size;
  say(wrong ? "differs" : "proved", wrong);
};

if (globalThis.crypto?.subtle) {
  say("computing");
  prove().catch(() => say("failed"));
}
