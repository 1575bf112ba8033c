// Puts the page on its feet: filters, buttons, theme, the figure of the counterexample, the legend, and the first view.

const menus = [];

function addMenu(title, which, names, of, first) {
  if (names.length < 2) return;
  const counts = new Array(names.length).fill(0);
  for (let op = 0; op < page.history.n; op++) {
    const number = of(op);
    if (number !== null) counts[number]++;
  }
  const entry = menu(title, names, counts, first, (chosen) => {
    page.filters[which] = chosen;
    refilter();
  });
  menus.push(entry);
  byId("filters").append(entry.box);
}

function addMenus() {
  const { history } = page, { raw, texts } = history;
  addMenu("Process", "process", history.processes, (op) => history.process[op], null);
  addMenu("Key", "key", raw.keys.map((text) => texts[text]), history.key, null);
  addMenu("Part", "part", raw.parts.map((text) => texts[text]), history.part, raw.part);
  document.addEventListener("pointerdown", (event) => {
    for (const { box } of menus) if (box.open && !box.contains(event.target)) box.open = false;
  });
}

function theme() {
  return document.documentElement.dataset.theme;
}

function setTheme(name) {
  document.documentElement.dataset.theme = name;
  byId("theme").setAttribute("aria-pressed", String(name === "dark"));
  page.ink = colours();
  addLegend();
  redraw();
}

function addTheme() {
  const system = matchMedia("(prefers-color-scheme: dark)");
  let printing = "";
  system.addEventListener("change", () => setTheme(system.matches ? "dark" : "light"));
  byId("theme").addEventListener("click", () => setTheme(theme() === "dark" ? "light" : "dark"));
  addEventListener("beforeprint", () => ((printing = theme()), setTheme("light")));
  addEventListener("afterprint", () => setTheme(printing));
  setTheme(theme());
}

function addButtons() {
  const on = (id, act) => byId(id).addEventListener("click", act);
  const field = byId("search");
  on("in", () => zoom(1.5));
  on("out", () => zoom(1 / 1.5));
  on("fit", fit);
  on("next", () => step(1));
  on("previous", () => step(-1));
  on("even", () => setEven(!page.axis.even));
  on("help-open", () => byId("help").showModal());
  on("trouble", () => {
    page.canvas.focus({ preventScroll: true });
    goToTrouble();
  });
  byId("trouble").hidden = page.history.stuck < 0;
  if (page.history.raw.verdict === "unknown") byId("trouble").textContent = "Go to where it stopped";
  field.addEventListener("input", () => search(field.value, false));
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    step(event.shiftKey ? -1 : 1);
    if (page.list.length) page.canvas.focus({ preventScroll: inSight() });
  });
  for (const what of ["focus", "blur"]) page.canvas.addEventListener(what, redraw);
  addEventListener("scroll", placeCard, { passive: true });
}

// An operation of the picture above leads to the same operation in the timeline.
function addFigure() {
  for (const group of document.querySelectorAll("figure .op")) {
    const op = page.history.index.indexOf(Number(group.dataset.op));
    if (op < 0) continue;
    const go = () => {
      page.canvas.focus();
      select(op);
    };
    group.classList.add("known");
    group.setAttribute("tabindex", "0");
    group.setAttribute("role", "link");
    group.addEventListener("click", go);
    group.addEventListener("keydown", (event) => event.key === "Enter" && go());
  }
  const copy = byId("copy"), save = byId("save");
  if (copy) copy.addEventListener("click", () => {
    getSelection().selectAllChildren(byId("source"));
    if (navigator.clipboard) navigator.clipboard.writeText(byId("source").textContent).then(() => (copy.textContent = "Copied"), () => {});
  });
  if (save) save.addEventListener("click", () => {
    const text = new XMLSerializer().serializeToString(document.querySelector("figure svg"));
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
    link.download = "counterexample.svg";
    link.click();
    URL.revokeObjectURL(link.href);
  });
}

// What the signs mean; only those that occur.
function addLegend() {
  const { history, ink } = page, has = (type) => history.type.includes(type), middle = 8;
  const signs = [
    [has(OK), "an operation, from call to return", (g) => ((g.fillStyle = ink.bar), g.fillRect(3, 3, 24, 10), (g.strokeStyle = ink.edge), line(g, 3, 1, 3, 15), line(g, 27, 1, 27, 15))],
    [history.order.length > 0, history.raw.whole ? "takes effect" : "takes effect, in the longest order found", (g) => ((g.fillStyle = ink.point), disc(g, 15, middle, 5, ink.paper))],
    [history.stuck >= 0, history.raw.verdict === "violation" ? "cannot be explained" : "not explained yet", (g) => ((g.strokeStyle = ink.stuck), hatch(g, 3, 27, middle, 6), g.strokeRect(3, 2, 24, 12))],
    [history.members.size > 0, "in the counterexample", (g) => ((g.fillStyle = ink.member), g.fillRect(3, 9, 24, 3))],
    [has(PENDING), "never returned", (g) => ((g.strokeStyle = ink.edge), g.setLineDash([2, 4]), line(g, 3, middle, 30, middle), g.setLineDash([]), line(g, 3, 2, 3, 14))],
    [has(FAIL), "failed: did not happen", (g) => ((g.strokeStyle = ink.edge), g.setLineDash([2, 4]), line(g, 3, middle, 27, middle), g.setLineDash([]), line(g, 3, 2, 3, 14), line(g, 27, 2, 27, 14))],
    [page.bands.length > 0, "a fault or a remark", (g) => ((g.fillStyle = ink.band), (g.globalAlpha = 0.3), g.fillRect(3, 0, 24, 16))],
    [history.n > 500, "many operations: the darker, the more", (g) => [0.35, 0.6, 1].forEach((alpha, i) => ((g.globalAlpha = alpha), (g.fillStyle = ink.dense), g.fillRect(3 + 8 * i, 3, 8, 10)))],
  ];
  byId("legend").replaceChildren(...signs.filter(([here]) => here).map(([, words, draw]) => {
    const entry = document.createElement("li"), sign = document.createElement("canvas"), name = document.createElement("span");
    const g = fitted(sign, 30, 16);
    sign.setAttribute("aria-hidden", "true");
    g.fillStyle = ink.paper;
    g.fillRect(0, 0, 30, 16);
    g.lineWidth = 1.5;
    draw(g);
    name.textContent = words;
    entry.append(sign, name);
    return entry;
  }));
}

function snapshot() {
  const { view, lanes, list, history } = page;
  const number = (op) => (op >= 0 ? history.index[op] : null);
  return {
    operations: history.n, shown: lanes.shown, rows: lanes.rows.map((row) => row.name), from: view.from, to: view.to, top: view.top,
    whole: [page.axis.first, page.axis.last], even: page.axis.even, matches: list.length, match: page.current, selected: number(page.selected),
    hovered: number(page.hovered), stuck: number(history.stuck), members: [...history.members].map(number), theme: theme(), bands: page.bands.length,
    card: page.card.hidden ? "" : page.card.innerText, frame: { ...page.frame },
  };
}

addMenus();
setEven(false);
addTheme();
addButtons();
addFigure();
new ResizeObserver(() => requestAnimationFrame(layOut)).observe(page.canvas.parentElement);
fit();
goToTrouble();

window.linpoint = Object.freeze({
  state: snapshot,
  where(number) {
    const op = page.history.index.indexOf(number), row = op < 0 ? -1 : page.lanes.rowOf[op], box = page.canvas.getBoundingClientRect();
    if (row < 0) return null;
    const end = Math.min(page.axis.end[op], page.view.to), start = Math.max(page.axis.start[op], page.view.from);
    return end < start ? null : { x: box.left + screenX((start + end) / 2), y: box.top + page.view.head + PAD + row * ROW - page.view.top + 25 };
  },
  interval(number) {
    const op = page.history.index.indexOf(number), { start, end, point } = page.axis;
    return { start: start[op], end: end[op] === Infinity ? null : end[op], point: Number.isNaN(point[op]) ? null : point[op] };
  },
  pan, zoom,
  show: (number) => select(page.history.index.indexOf(number)),
});
