// What does a person do with it? Wires the page: view, pointer, keys, search, filters, theme.
//
// `window.linpoint` is for tests and for the curious, and changes nothing by itself:
//   state()            a snapshot: what is in view, found, filtered, selected, and how long the last frame took
//   where(number)      the place of an operation on the screen: {x, y}, or null if it is not in view
//   interval(number)   where it starts, ends (null: never) and takes effect (null: not in the order) on the axis
//   pan(pixels), zoom(factor), show(number)      as drag, wheel and search do

const byId = (id) => document.getElementById(id);
const count = (number) => number.toLocaleString("en");

const page = {
  canvas: byId("lanes"), overview: byId("overview"), card: byId("card"),
  history: unpack(JSON.parse(byId("data").textContent)),
  filters: { process: new Set(), key: new Set(), part: new Set() },
  view: { from: 0, to: 1, top: 0, width: 600, height: 300, left: 60, head: HEAD, letter: 7.2 },
  list: new Int32Array(0), wanted: new Uint8Array(0), searching: false, current: -1,
  selected: -1, hovered: -1, focus: -1, ink: colours(), frame: { milliseconds: 0, alone: 0, number: 0 },
};
page.bands = page.history.raw.bands;

// ── The view ──────────────────────────────────────────────────────────────────────────────────────────────────────────

let asked = false;

function redraw() {
  if (asked) return;
  asked = true;
  requestAnimationFrame(() => {
    asked = false;
    const begun = performance.now();
    if (pointer && !pointer.band) ({ op: page.hovered, more: pointer.more } = operationAt(pointer.at[0], pointer.at[1]));
    page.focus = page.hovered >= 0 ? page.hovered : page.selected;
    page.frame.alone = paint(page);
    paintOverview(page);
    page.frame.milliseconds = performance.now() - begun;
    page.frame.number++;
    placeCard();
  });
}

// Keeps the view inside the history and no narrower than makes sense.
function setView(from, to) {
  const { axis, view } = page, whole = axis.last - axis.first;
  const width = Math.max(Math.min(axis.least, whole), Math.min(to - from, whole));
  const middle = (from + to) / 2;
  view.from = Math.max(axis.first, Math.min(axis.last - width, middle - width / 2));
  view.to = view.from + width;
  redraw();
}

function zoom(factor, at = (page.view.from + page.view.to) / 2) {
  const { view, axis } = page;
  const width = Math.max(axis.least, Math.min((view.to - view.from) / factor, axis.last - axis.first));
  const share = (at - view.from) / (view.to - view.from);
  setView(at - share * width, at + (1 - share) * width);
}

function pan(pixels) {
  const { view } = page, by = (pixels * (view.to - view.from)) / (view.width - view.left);
  setView(view.from + by, view.to + by);
}

function scrollRows(pixels) {
  const { view, lanes } = page;
  view.top = Math.max(0, Math.min(lanes.rows.length * ROW + 2 * PAD - (view.height - view.head), view.top + pixels));
  redraw();
}

const fit = () => setView(page.axis.first, page.axis.last);
const timeAt = (x) => page.view.from + ((x - page.view.left) / (page.view.width - page.view.left)) * (page.view.to - page.view.from);
const screenX = (at) => page.view.left + ((at - page.view.from) / (page.view.to - page.view.from)) * (page.view.width - page.view.left);

// Brings an operation into view, at a scale at which it can be read.
function reveal(op) {
  const { view, axis, lanes } = page, start = axis.start[op];
  const end = Number.isFinite(axis.end[op]) ? axis.end[op] : start;
  let width = view.to - view.from;
  if (end > start) width = Math.max((end - start) * 1.6, Math.min(width, (end - start) * 14));
  if (width !== view.to - view.from || start < view.from || end > view.to) setView((start + end) / 2 - width / 2, (start + end) / 2 + width / 2);
  const row = lanes.rowOf[op], seen = view.height - view.head;
  if (row * ROW < view.top) view.top = row * ROW;
  else if ((row + 1) * ROW + 2 * PAD > view.top + seen) view.top = (row + 1) * ROW + 2 * PAD - seen;
  const y = page.canvas.getBoundingClientRect().top + view.head + (row + 1) * ROW - view.top;
  if (y < ROW || y > innerHeight) page.canvas.scrollIntoView({ block: "nearest" });
  redraw();
}

function select(op, show = true) {
  page.selected = op;
  page.hovered = -1;
  if (op >= 0 && page.lanes.rowOf[op] < 0) menus.forEach((entry) => entry.clear());
  if (op >= 0 && show) reveal(op);
  if (op >= 0) {
    const { title, lines, bad } = describe(page.history, op, "");
    byId("live").textContent = [title, bad, ...lines.map(([name, text]) => `${name} ${text}`)].filter(Boolean).join(", ");
  }
  redraw();
}

// Shows the neighbourhood of the stuck operation.
function goToTrouble() {
  const { history, axis } = page, op = history.stuck;
  if (op < 0) return;
  if (page.lanes.rowOf[op] < 0) menus.forEach((entry) => entry.clear());
  const few = history.n <= 40, first = few ? 0 : Math.max(0, op - 14), last = Math.min(history.n - 1, op + 6);
  const end = Number.isFinite(axis.end[op]) ? axis.end[op] : axis.start[op];
  const from = Math.min(axis.start[first], axis.start[op]), to = Math.max(axis.start[last], end);
  if (few) fit();
  else setView(from - (to - from) * 0.04, to + (to - from) * 0.08);
  select(op, false);
  const { view, lanes } = page;
  view.top = 0;
  scrollRows((lanes.rowOf[op] + 0.5) * ROW - (view.height - view.head) / 2);
}

function layOut() {
  const { view, lanes } = page, context = page.canvas.getContext("2d", { alpha: false });
  view.head = HEAD + (page.bands.length ? STRIP : 0);
  view.width = page.canvas.clientWidth;
  view.height = Math.max(view.head + 3 * ROW, Math.min(view.head + lanes.rows.length * ROW + 2 * PAD, Math.max(300, innerHeight - 190)));
  page.canvas.style.height = `${view.height}px`;
  context.font = `${LABEL}px ${MONO}`;
  view.letter = context.measureText("m").width || 7.2;
  const longest = lanes.rows.reduce((most, row) => Math.max(most, row.name.length), 2);
  view.left = Math.min(150, Math.ceil(longest * view.letter) + 24);
  scrollRows(0);
}

// ── What is to be seen ────────────────────────────────────────────────────────────────────────────────────────────────

function refilter() {
  page.lanes = rowsOf(page.history, page.axis, page.filters);
  if (page.selected >= 0 && page.lanes.rowOf[page.selected] < 0) page.selected = -1;
  page.hovered = -1;
  const { n, raw } = page.history, { shown, rows } = page.lanes;
  byId("count").textContent = (shown < n ? `${count(shown)} of ${count(n)} operations` : `${count(n)} operation${n === 1 ? "" : "s"}`) + `, ${count(rows.length)} process${rows.length === 1 ? "" : "es"}` + (raw.total > n ? ` (the history has ${count(raw.total)})` : "");
  search(byId("search").value, false);
  layOut();
}

function search(words, go) {
  page.searching = words.trim() !== "";
  page.list = find(page.history, words, page.lanes.rowOf);
  page.wanted = new Uint8Array(page.history.n);
  for (const op of page.list) page.wanted[op] = 1;
  page.current = -1;
  if (go) step(1);
  tellMatches();
  redraw();
}

function tellMatches() {
  const { list, current, searching } = page;
  byId("matches").textContent = !searching ? "" : !list.length ? "no match" : current < 0 ? `${count(list.length)} found` : `${count(current + 1)} of ${count(list.length)}`;
  byId("next").disabled = byId("previous").disabled = !list.length;
}

// The next match (or the one before), from the selected operation or the left edge of the view on.
function step(by) {
  const { list, selected, axis, view } = page;
  if (!list.length) return;
  if (page.current >= 0) page.current = (page.current + by + list.length) % list.length;
  else {
    const after = list.findIndex((op) => (selected >= 0 ? op >= selected : axis.start[op] >= view.from));
    page.current = after >= 0 ? after : 0;
  }
  select(list[page.current]);
  tellMatches();
}

function setEven(even) {
  const { view } = page, old = page.axis;
  const share = old && [view.from, view.to].map((where) => old.tick(where));
  page.axis = axis(page.history, even);
  byId("even").setAttribute("aria-pressed", String(even));
  refilter();
  if (share) setView(page.axis.at(share[0]), page.axis.at(share[1]));
}

// ── The card ──────────────────────────────────────────────────────────────────────────────────────────────────────────

let pointer = null; // {x, y, at, more, band} while it is over the timeline: in the window, in the canvas

function placeCard() {
  const { card, history, hovered, selected, lanes, axis, view, canvas } = page;
  const box = canvas.getBoundingClientRect();
  if (pointer && pointer.band) return showCard(card, describeBand(pointer.band), pointer.x, pointer.y);
  if (hovered >= 0 && pointer) return showCard(card, describe(history, hovered, pointer.more), pointer.x, pointer.y);
  const row = selected >= 0 ? lanes.rowOf[selected] : -1;
  const y = view.head + (row + 1) * ROW - view.top;
  const start = screenX(selected >= 0 ? axis.start[selected] : 0), end = screenX(selected >= 0 ? axis.end[selected] : 0);
  const visible = row >= 0 && y > view.head && y < view.height + ROW && end > view.left && start < view.width;
  const onScreen = box.top + y > 0 && box.top + y < innerHeight;
  if (!visible || !onScreen || document.activeElement !== canvas) card.hidden = true;
  else showCard(card, describe(history, selected, ""), box.left + Math.max(start, view.left) - 10, box.top + y - 12);
}

// The operation at a place of the timeline: the nearest in its row, if it is near enough.
function operationAt(x, y) {
  const { view, lanes, axis } = page, row = lanes.rows[Math.floor((y - view.head - PAD + view.top) / ROW)];
  if (!row || y < view.head || x < view.left) return { op: -1, more: "" };
  const pixel = (view.to - view.from) / (view.width - view.left), at = timeAt(x);
  let best = -1, near = 4 * pixel, crowd = 0;
  for (let i = below(row.reach, row.ops.length, at - near); i < row.ops.length && axis.start[row.ops[i]] <= at + 4 * pixel; i++) {
    const op = row.ops[i], away = Math.max(axis.start[op] - at, at - axis.end[op], 0);
    if (axis.end[op] - axis.start[op] < SMALL * pixel) crowd++;
    if (away <= near) [best, near] = [op, away];
  }
  return { op: best, more: crowd > 1 ? `and ${count(crowd - 1)} more here: zoom in` : "" };
}

function bandAt(x, y) {
  if (y < HEAD || y >= page.view.head) return null;
  const close = 4;
  return page.bands.findLast((band) => x >= screenX(page.axis.at(band.from)) - close && (band.to === null || x <= screenX(page.axis.at(band.to)) + close)) || null;
}

// ── The pointer ───────────────────────────────────────────────────────────────────────────────────────────────────────

let held = null;

page.canvas.addEventListener("pointerdown", (event) => {
  if (event.button) return;
  page.canvas.focus({ preventScroll: true });
  page.canvas.setPointerCapture(event.pointerId);
  held = { x: event.clientX, y: event.clientY, moved: false };
});

page.canvas.addEventListener("pointermove", (event) => {
  if (held) {
    const dx = event.clientX - held.x, dy = event.clientY - held.y;
    if (!held.moved && Math.abs(dx) + Math.abs(dy) < 4) return;
    held = { x: event.clientX, y: event.clientY, moved: true };
    page.canvas.classList.add("held");
    page.hovered = -1;
    pointer = null;
    pan(-dx);
    scrollRows(-dy);
    return;
  }
  const at = [event.offsetX, event.offsetY], { op, more } = operationAt(...at), band = bandAt(...at);
  pointer = { x: event.clientX, y: event.clientY, at, more, band };
  page.hovered = op;
  page.canvas.classList.toggle("over", op >= 0 || band !== null);
  redraw();
});

page.canvas.addEventListener("pointerup", (event) => {
  if (held && !held.moved) select(operationAt(event.offsetX, event.offsetY).op, false);
  held = null;
  page.canvas.classList.remove("held");
});

page.canvas.addEventListener("pointerleave", () => {
  pointer = null;
  page.hovered = -1;
  redraw();
});

page.canvas.addEventListener("dblclick", (event) => zoom(3, timeAt(event.offsetX)));

// The wheel scrolls the page until somebody has turned to the timeline, so that nobody is caught in it.
page.canvas.addEventListener("wheel", (event) => {
  if (Math.abs(event.deltaX) > Math.abs(event.deltaY) || event.shiftKey) {
    event.preventDefault();
    pan(event.deltaX || event.deltaY);
  } else if (event.ctrlKey || event.metaKey || document.activeElement === page.canvas) {
    event.preventDefault();
    zoom(1.0018 ** -event.deltaY, timeAt(event.offsetX));
  } else hint();
}, { passive: false });

let hinting = 0;

function hint() {
  byId("hint").classList.add("shown");
  clearTimeout(hinting);
  hinting = setTimeout(() => byId("hint").classList.remove("shown"), 2500);
}

const overviewTo = (event) => {
  const { axis, view } = page, width = view.to - view.from;
  const at = axis.first + (event.offsetX / page.overview.clientWidth) * (axis.last - axis.first);
  setView(at - width / 2, at + width / 2);
};
page.overview.addEventListener("pointerdown", (event) => {
  page.overview.setPointerCapture(event.pointerId);
  overviewTo(event);
});
page.overview.addEventListener("pointermove", (event) => event.buttons & 1 && overviewTo(event));

// ── Keys ──────────────────────────────────────────────────────────────────────────────────────────────────────────────

const anywhere = {
  "/": () => (byId("search").focus(), byId("search").select()),
  "?": () => byId("help").showModal(),
  n: () => step(1), N: () => step(-1),
  v: goToTrouble, e: () => setEven(!page.axis.even), d: () => setTheme(theme() === "dark" ? "light" : "dark"),
  "+": () => zoom(1.5), "=": () => zoom(1.5), "-": () => zoom(1 / 1.5), _: () => zoom(1 / 1.5), 0: fit,
  "[": () => along(page.history.before), "]": () => along(page.history.after),
};
const inTimeline = {
  ArrowLeft: () => beside(-1), ArrowRight: () => beside(1), ArrowUp: () => above(-1), ArrowDown: () => above(1),
  PageUp: () => scrollRows(-page.view.height / 2), PageDown: () => scrollRows(page.view.height / 2),
  Home: () => setView(page.axis.first, page.axis.first + page.view.to - page.view.from),
  End: () => setView(page.axis.last - page.view.to + page.view.from, page.axis.last),
};
const shifted = { ArrowLeft: () => pan(-160), ArrowRight: () => pan(160), ArrowUp: () => scrollRows(-ROW), ArrowDown: () => scrollRows(ROW) };

document.addEventListener("keydown", (event) => {
  const typing = event.target.matches("input, textarea") && event.target.type !== "checkbox", within = event.target === page.canvas;
  if (event.ctrlKey || event.metaKey || event.altKey || byId("help").open) return;
  if (event.key === "Escape") return escape(event);
  if (typing) return;
  const act = (within && event.shiftKey && shifted[event.key]) || (within && inTimeline[event.key]) || anywhere[event.key];
  if (!act) return;
  event.preventDefault();
  if (within || "nNv[]".includes(event.key)) page.canvas.focus({ preventScroll: within || inSight() });
  pointer = null;
  page.hovered = -1;
  act();
});

const inSight = () => page.canvas.getBoundingClientRect().top < innerHeight - 200 && page.canvas.getBoundingClientRect().top > -100;

function escape(event) {
  const menu = document.querySelector(".menu[open]");
  if (menu) {
    menu.open = false;
    menu.querySelector("summary").focus();
  } else if (page.selected >= 0) select(-1);
  else if (page.searching) {
    byId("search").value = "";
    search("", false);
  } else return;
  event.preventDefault();
}

const turn = () => (page.selected >= 0 && page.lanes.rowOf[page.selected] >= 0 ? page.selected : -1);

// From operation to operation of one process.
function beside(by) {
  const here = turn();
  if (here < 0) return start();
  const { ops } = page.lanes.rows[page.lanes.rowOf[here]], place = ops.indexOf(here) + by;
  if (place >= 0 && place < ops.length) select(ops[place]);
}

// To the operation of the next process that is closest in time.
function above(by) {
  const here = turn(), { lanes, axis } = page;
  if (here < 0) return start();
  const row = lanes.rows[lanes.rowOf[here] + by];
  if (row) select(nearest(row, axis.start[here]));
}

function along(neighbours) {
  const here = turn();
  if (here < 0) return start();
  if (neighbours[here] >= 0) select(neighbours[here]);
}

function start() {
  const { lanes, view, history } = page;
  if (history.stuck >= 0 && lanes.rowOf[history.stuck] >= 0) select(history.stuck);
  else if (lanes.rows.length) select(nearest(lanes.rows[Math.floor(view.top / ROW)], (view.from + view.to) / 2));
}

function nearest(row, at) {
  const { start } = page.axis, after = row.ops.findIndex((op) => start[op] >= at);
  const i = after < 0 ? row.ops.length - 1 : after && at - start[row.ops[after - 1]] < start[row.ops[after]] - at ? after - 1 : after;
  return row.ops[i];
}
