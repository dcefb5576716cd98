// The server judges the text.
const form = document.querySelector("#painter"), find = (what) => form.querySelector(what), all = (what) => form.querySelectorAll(what);
const svg = find("#board"), pane = find(".canvas"), { text, undo: back } = form, panel = find("#hex");
const pack = JSON.stringify, unpack = JSON.parse, D = form.dataset, W = unpack(D.words), past = [], cells = new Map(), fingers = new Map();
let m, F, flat, shape, at, drag, from, asked = 0, timer, dirty, size;
const tell = (what) => (find("#said").textContent = what);
const ready = () => m && !timer, tool = () => form.tool.value;

const place = (hex) => {
  const [, word, n] = /(\D+)(\d+)/.exec(hex), line = F.lines.indexOf(word);
  return flat ? [+n, line] : [line, +n];
};
const label = (x, y) => (flat ? F.lines[y] + x : F.lines[x] + y);
const px = (hex) => place(hex).map((n, axis) => n * shape.grid[axis]);
const beyond = (hex, side) => label(...place(hex).map((n, axis) => n + shape.steps[side][axis]));
const set = (node, name, to) => node.setAttribute(name, to);
const put = (node, hex) => px(hex).forEach((n, axis) => set(node, "xy"[axis], n));

const hexes = ([key, one]) => [].concat(one.trim ? one : one.hex ?? key);
const entry = (table, hex) => m.tables[table].find((one) => hexes(one).includes(hex));
const drop = (table, one) => (m.tables[table] = m.tables[table].filter((other) => other !== one));
const add = (table, ...one) => {
  const list = m.tables[table], [x, y] = place(hexes(one)[0]), to = list.findIndex((other) => {
    const [u, v] = place(hexes(other)[0]);
    return (u - x || v - y) > 0;
  });
  list.splice(to < 0 ? 1e9 : to, 0, one);
};
const city = (hex) => entry("cities", hex), nameOf = (hex) => entry("towns", hex)?.[0] ?? city(hex)?.[1].name ?? city(hex)?.[0] ?? "";

// A line without a hex has a space, so that labels stay.
const key = (word, bare) => (bare && /^[\w-]+$/.test(word) ? word : pack(word));
const value = (one) =>
  one.map ? `[${one.map(value).join(", ")}]` : typeof one !== "object" ? pack(one) :
  `{ ${Object.entries(one).map(([word, inner]) => `${key(word, 1)} = ${value(inner)}`).join(", ")} }`.replace("{  }", "{}");
const written = () => {
  const rows = [], used = Object.values(m.hexes), out = [F.heads[m.head.orientation]];
  for (const hex in m.hexes) {
    const [x, y] = place(hex);
    (rows[y] ??= [])[flat ? 2 * x : x] = m.hexes[hex];
  }
  out.push(`# Signs: ${F.signs.filter(([sign]) => used.includes(sign)).map((one) => one.join(" ")).join("  ")}`);
  for (const word in m.head) if (m.head[word]) out.push(`${word} = ${value(m.head[word])}`);
  out.push('sketch = """', ...Array.from(rows, (row) => Array.from(row ?? " ", (sign) => sign ?? " ").join("")), '"""');
  for (const table in m.tables) {
    const list = m.tables[table].map(([word, one]) => `${key(word, F.bare.includes(table))} = ${value(one)}`);
    if (list[0]) out.push("", ...(F.remarks[table] ?? []), `[${table}]`, ...list);
  }
  return `${out.join("\n")}\n${m.rules}`;
};

const land = (hex) => {
  const colour = city(hex)?.[1].colours?.[0];
  const to = `#l-${colour ? `city-${colour}` : F.lands[m.hexes[hex]] ?? "none"}`, cell = cells.get(hex);
  if (cell.href.baseVal !== to) set(cell, "href", to);
};
const redraw = () => {
  flat = m.head.orientation === "flat-top";
  shape = F.shapes[m.head.orientation];
  const places = [...Object.keys(m.hexes), "A0"].map(place), odd = (places[0][0] + places[0][1]) % 2;
  const [right, bottom] = [0, 1].map((axis) => Math.min(Math.max(...places.map((one) => one[axis])) + 2 - (axis ^ flat), axis ^ flat ? 39 : 79));
  if (size !== (size = [right, bottom, flat, odd] + "")) {
    set(find("#shape"), "points", shape.points);
    cells.clear();
    for (let y = 0; y <= bottom; y++) for (let x = 0; x <= right; x++) if ((x + y) % 2 === odd) {
      const hex = label(x, y), cell = document.createElementNS(svg.namespaceURI, "use");
      put(cell, hex);
      cells.set(hex, cell);
    }
    find("#land").replaceChildren(...cells.values());
    for (const one of all(".drawing")) set(one, "viewBox", `-34 -34 ${right * shape.grid[0] + 68} ${bottom * shape.grid[1] + 68}`);
  }
  for (const hex of cells.keys()) land(hex);
  choose(at, 1);
};

const paint = (hex, sign) => {
  m.hexes[hex] = sign;
  if (!sign) delete m.hexes[hex], drop("walls", entry("walls", hex));
  if (sign !== "o") drop("towns", entry("towns", hex));
  if (sign !== "*") drop("cities", city(hex));
  if ("=*".includes(sign)) drop("hexes", entry("hexes", hex));
  land(hex);
};
const both = (hex, side) => [[hex, shape.sides[side]], [beyond(hex, side), shape.sides[(side + 3) % 6]]];
const closed = (hex, side) => both(hex, side).some(([one, name]) => entry("walls", one)?.[1].includes(name));
const wall = (hex, side, on) => both(hex, side).forEach(([one, name], other) => {
  const old = entry("walls", one), left = old?.[1].filter((old) => old !== name) ?? [];
  if (on && !other) left.push(name);
  drop("walls", old);
  if (left[0]) add("walls", one, left);
});
const dollars = () => form.price.value, toggle = (old) => (drag.on ??= !old);
const tools = {
  x: (hex) => paint(hex, ""),
  $: (hex) => {
    const old = entry("hexes", hex), { price, ...rest } = old?.[1] ?? {};
    drop("hexes", old);
    const now = toggle(old && price !== undefined) && !"=*".includes(m.hexes[hex]) ? { price: +dollars(), ...rest } : rest;
    if (pack(now) !== "{}") add("hexes", hex, now);
  },
  w: (hex, side) => wall(hex, side, toggle(closed(hex, side))),
  l: (hex) => {
    if (!nameOf(hex)) return tell(W.ends);
    if (!from || from === hex) return tell(W.from.replace("{place}", nameOf((from = hex))));
    const old = m.tables.connections.find(([, { joins }]) => joins.includes(hex) && joins.includes(from));
    drop("connections", old);
    if (!old) m.tables.connections.push([`${nameOf(from)} - ${nameOf(hex)}`, { joins: [from, hex], ...(dollars() && { price: +dollars() }) }]);
    from = "";
  },
  r: (hex) => {
    const list = m.tables.rivers, last = list.at(-1)?.[1], old = list.find(([, flow]) => flow.includes(hex));
    if (last && !old && drag.on !== false && shape.steps.some((_, side) => beyond(last.at(-1), side) === hex)) drag.on = last.push(hex);
    else if (toggle(old)) old || list.push([`River ${hex}`, [hex]]);
    else drop("rivers", old);
  },
};
const begin = () => {
  past.push(pack(m));
  if (past[200]) past.shift();
  drag = {};
};
const press = (hex, side = 0) => {
  drag.last = hex;
  const sign = tool(), now = m.hexes[hex];
  if (sign === now || sign === "v" || (!now && "$wlr".includes(sign))) return choose(hex);
  (tools[sign] ?? paint)(hex, sign in tools ? side : sign);
  choose(hex, sign === "l");
};
const changed = () => {
  redraw();
  setTimeout(() => {
    dirty = text.value = written();
    check();
  }, 20);
};
const end = () => {
  drag = null;
  if (pack(m) === past.at(-1)) past.pop();
  else changed();
};
const edit = (what) => (begin(), what(), end());
const undo = () => past[0] && ((m = unpack(past.pop())), changed(), tell(W.undone));

const choose = (hex, quiet) => {
  at = cells.has(hex) ? hex : "";
  const pick = find(".pick"), sign = m.hexes[at], { colours = [], columns = [], cubes = 0 } = city(at)?.[1] ?? {};
  set(pick, "href", at && "#shape");
  if (at) put(pick, at);
  const said = [at, nameOf(at), W.signs[sign] ?? W.none].filter(Boolean).join(", ");
  panel.hidden = !sign;
  if (!quiet && at) tell(said);
  find("#hex h2").textContent = said;
  if (!sign) return;
  const values = { name: [nameOf(at)], colour: colours, column: [...columns], cubes: [cubes], side: F.numbers.filter((side) => closed(at, +side)) };
  for (const part of all("[data-of]")) part.hidden = !part.dataset.of.includes(sign);
  for (const one of all("#hex [name]")) one.type === "checkbox" ? (one.checked = values[one.name].includes(one.value)) : (one.value = values[one.name].shift() ?? "");
};
const fill = ({ name: of, value, checked }) => {
  if (of === "side") return wall(at, +value, checked);
  const got = new FormData(form), name = form.name.value.trim(), table = m.hexes[at] === "o" ? "towns" : "cities", old = entry(table, at);
  if (!name || m.tables[table].some((one) => one[0] === name && one !== old)) return tell(name && W.twice);
  const { hex = at, colours, columns = [], cubes, name: _, ...rest } = old?.[1] ?? {}, fed = [...got.getAll("column"), ...columns.slice(2)].filter(Boolean);
  const now = table === "towns" ? at : { hex, colours: got.getAll("colour"), ...(fed.length && { columns: fed }), cubes: +form.cubes.value, ...rest };
  if (old) old.splice(0, 2, name, now);
  else add(table, name, now);
};
form.onchange = ({ target, target: { dataset: { head }, value, id } }) => {
  pane.classList.toggle("painting", tool() !== "v");
  if (!ready()) return;
  if (head) edit(() => (m.head[head] = value.trim()));
  else if (id === "letters") edit(() => (m.tables.new_cities = F.letters.slice(0, +value)));
  else if (panel.contains(target)) edit(() => fill(target));
};

const spot = (e) => {
  const p = new DOMPoint(e.x, e.y).matrixTransform(svg.getScreenCTM().inverse());
  let near = [30];
  for (const hex of cells.keys()) {
    const [x, y] = px(hex), far = Math.hypot(p.x - x, p.y - y);
    if (far < near[0]) near = [far, hex, (Math.floor(Math.atan2(p.x - x, y - p.y) * 3 / Math.PI + flat / 2) + 6) % 6];
  }
  return near;
};
svg.onpointerdown = (e) => {
  if (e.button || !ready()) return;
  fingers.set(e.pointerId, e);
  if (fingers.size > 1) return drag && ([m, drag] = [unpack(past.pop())], redraw());
  const [, hex, side] = spot(e);
  if (!hex) return;
  if (tool() === "v") return choose(hex);
  svg.setPointerCapture(e.pointerId);
  begin();
  press(hex, side);
};
svg.onpointermove = (e) => {
  const was = fingers.get(e.pointerId);
  if (!was) return;
  fingers.set(e.pointerId, e);
  if (fingers.size > 1) return pane.scrollBy((was.x - e.x) / 2, (was.y - e.y) / 2);
  for (const one of drag && !"*ol".includes(tool()) ? e.getCoalescedEvents() : []) {
    const [, hex, side] = spot(one);
    if (hex && hex !== drag.last) press(hex, side);
  }
};
svg.onpointerup = svg.onpointercancel = (e) => {
  fingers.delete(e.pointerId);
  if (drag) end();
};

svg.onkeydown = (e) => {
  if (e.ctrlKey || e.metaKey || e.altKey || !ready()) return;
  const way = F.ways[e.key], [x, y] = place(at || "A0"), next = at && way?.map(([u, v]) => label(x + u, y + v)).find((hex) => cells.has(hex));
  const radio = [...form.tool].find((one) => one.value === e.key);
  if (way && !at) choose([...cells.keys()][0]);
  else if (next && !e.shiftKey) choose(next);
  else if (next || (at && e.key === " ")) edit(() => press(next || at));
  else if (e.key === "Enter") form.name.focus();
  else if (e.key === "u") undo();
  else if (radio) radio.click(), tell(radio.labels[0].textContent);
  else if (!way) return;
  e.preventDefault();
};
back.onclick = undo;

const post = async (where, button) => {
  const got = await fetch(where, { method: "POST", body: new FormData(form, button), keepalive: 1 }).catch(() => ({}));
  if (got.status === 409) form.submit();
  return got.ok && got.json();
};
const check = async (read, button) => {
  const n = ++asked, got = await post(D.check, button);
  if (n !== asked) return;
  if (!got) return tell(W.away);
  if (!got.form) return tell(got.said);
  timer = 0;
  if (got.text) tell(got.said), (dirty = text.value = got.text);
  if (read) {
    if (m && got.model) past.push(pack(m));
    m = got.model;
    F = got.form;
    if (m) redraw();
  }
  back.disabled = !past[0];
  for (const at in got.parts) if (button || !find(at).contains(document.activeElement)) find(at).innerHTML = got.parts[at];
};
const save = async () => {
  if (!dirty) return;
  dirty = 0;
  const got = await post(D.save);
  if (!got) return (dirty = 1);
  form.revision.value = got.revision;
  find("#saved").textContent = got.said;
};
form.onsubmit = (e) => {
  if (e.submitter.name === "edit" && ready()) e.preventDefault(), check(1, e.submitter);
};
text.oninput = () => {
  dirty = ++asked;
  clearTimeout(timer);
  timer = setTimeout(check, 400, 1);
};
find("#faults").onclick = (e) => {
  const { hex } = e.target.dataset;
  if (hex && m) e.preventDefault(), choose(hex), svg.focus();
};
setInterval(save, 1e4);
addEventListener("pagehide", save);
check(1);
