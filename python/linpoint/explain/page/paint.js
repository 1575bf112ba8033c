// How does it look? Paints rows of operations on a canvas.
//
// Only what is in view is painted: a binary search finds the first operation of each row, and the row is left as soon as
// an operation starts behind the right edge. Where operations are narrower than a few pixels they are not drawn one by one
// but counted in cells a few pixels wide: the more, the darker. So a frame costs at most one pass over the operations in
// view and some hundred rectangles a row. What matters (matches, the counterexample, the stuck operation) is painted last and never
// narrower than three pixels.

const ROW = 38, PAD = 4, HEAD = 26, STRIP = 20, SMALL = 4, CELL = 4, LABEL = 12;
const MONO = 'ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace';

function colours() {
  const style = getComputedStyle(document.documentElement);
  const names = ["paper", "desk", "ink", "soft", "rule", "guide", "bar", "edge", "dense", "dim", "point", "stuck", "stuck-soft", "member", "match", "band", "focus", "on"];
  return Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
}

// Fits a canvas to its place on the screen, pixel for pixel, and gives its context in CSS pixels.
function fitted(canvas, width, height) {
  const ratio = window.devicePixelRatio || 1;
  const wide = Math.round(width * ratio), high = Math.round(height * ratio);
  if (canvas.width !== wide || canvas.height !== high) {
    canvas.width = wide;
    canvas.height = high;
  }
  const context = canvas.getContext("2d", { alpha: false });
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return context;
}

// Paints everything in view. `page` is the state of main.js. Returns how many operations were painted one by one.
function paint(page) {
  const { view, ink, lanes, list } = page;
  const g = fitted(page.canvas, view.width, view.height);
  const x = (where) => view.left + ((where - view.from) / (view.to - view.from)) * (view.width - view.left);
  const y = (row) => view.head + PAD + row * ROW - view.top;
  const scene = { g, x, y, page, alone: 0 };
  g.fillStyle = ink.paper;
  g.fillRect(0, 0, view.width, view.height);
  g.save();
  g.beginPath();
  g.rect(view.left, view.head, view.width - view.left, view.height - view.head);
  g.clip();
  paintBands(scene);
  const firstRow = Math.max(0, Math.floor(view.top / ROW));
  const lastRow = Math.min(lanes.rows.length, Math.ceil((view.top + view.height - view.head) / ROW));
  for (let row = firstRow; row < lastRow; row++) paintRow(scene, lanes.rows[row], y(row));
  const covered = new Float64Array(lanes.rows.length).fill(-1); // up to which pixel the marks of a row reach
  for (const op of list) paintMark(scene, op, ink.match, covered);
  for (const op of page.history.members) if (op !== page.history.stuck) paintMark(scene, op, ink.member);
  if (page.history.stuck >= 0) paintMark(scene, page.history.stuck, ink.stuck);
  if (page.focus >= 0) paintFocus(scene, page.focus);
  g.restore();
  paintHead(scene);
  paintNames(scene, firstRow, lastRow);
  return scene.alone;
}

function paintRow(scene, row, top) {
  const { g, x, page } = scene, { view, ink, axis, history, searching, wanted } = page;
  const middle = top + 25, cell = (CELL * (view.to - view.from)) / (view.width - view.left);
  const small = (SMALL * (view.to - view.from)) / (view.width - view.left);
  g.fillStyle = ink.guide;
  g.fillRect(view.left, middle, view.width - view.left, 1);
  let count = 0, cellAt = NaN, from = 0, to = 0;
  const flush = () => {
    if (!count) return;
    g.globalAlpha = Math.min(1, 0.35 + 0.13 * Math.log2(count)) * (searching ? 0.45 : 1);
    g.fillStyle = ink.dense;
    const left = count > 1 ? Math.round(x(cellAt * cell)) : x(from), right = count > 1 ? Math.round(x((cellAt + 1) * cell)) : x(to);
    g.fillRect(left, middle - 6, Math.max(1.5, right - left), 12);
    g.globalAlpha = 1;
    count = 0;
  };
  for (let i = below(row.reach, row.ops.length, view.from); i < row.ops.length; i++) {
    const op = row.ops[i], start = axis.start[op];
    if (start > view.to) break;
    const end = axis.end[op];
    if (end < view.from) continue;
    if (end - start < small && op !== history.stuck) {
      const here = Math.floor(start / cell);
      if (here !== cellAt) {
        flush();
        cellAt = here;
        from = start;
        to = end;
      }
      to = Math.max(to, end);
      count++;
      continue;
    }
    flush();
    const next = i + 1 < row.ops.length ? axis.start[row.ops[i + 1]] : Infinity;
    paintOperation(scene, op, middle, x(start), x(end), x(next), searching && !wanted[op]);
    scene.alone++;
  }
  flush();
}

function paintOperation(scene, op, middle, start, end, next, dim) {
  const { g, page } = scene, { view, ink, history, axis } = page;
  const right = Math.min(end, view.width + 20), left = Math.max(start, view.left - 20), stuck = op === history.stuck;
  const type = history.type[op];
  g.globalAlpha = dim ? 0.3 : 1;
  g.lineWidth = 1.5;
  g.strokeStyle = stuck ? ink.stuck : ink.edge;
  g.fillStyle = stuck ? ink["stuck-soft"] : ink.bar;
  const high = stuck ? 8 : 5;
  if (type === OK) {
    g.fillRect(left, middle - high, Math.max(right - left, 1), 2 * high);
    if (stuck) hatch(g, left, right, middle, high);
  } else {
    g.setLineDash([2, 4]);
    line(g, left, middle, right, middle);
    g.setLineDash([]);
  }
  if (start >= view.left - 2) line(g, start, middle - high - 2, start, middle + high + 2);
  if (Number.isFinite(end)) line(g, end, middle - high - 2, end, middle + high + 2);
  if (stuck && type === OK) {
    line(g, left, middle - high, right, middle - high);
    line(g, left, middle + high, right, middle + high);
  }
  if (!Number.isNaN(axis.point[op]) && right - left > 9) {
    g.fillStyle = ink.point;
    disc(g, scene.x(axis.point[op]), middle, 4.5, ink.paper);
  }
  const from = Math.max(start, view.left + 4);
  const room = Math.floor((Math.min(Math.max(next - 6, end), view.width + 200) - from) / view.letter);
  if (room >= 4) {
    g.fillStyle = stuck ? ink.stuck : type === OK ? ink.ink : ink.soft;
    g.font = `${stuck ? "bold " : ""}${LABEL}px ${MONO}`;
    const label = (stuck ? "✗ " : "") + history.label(op);
    g.fillText(label.length <= room ? label : label.slice(0, room - 1) + "…", from, middle - 13);
  }
  g.globalAlpha = 1;
}

// A sign below an operation that is searched for, or belongs to the counterexample; always to be seen.
function paintMark(scene, op, colour, covered) {
  const { g, x, y, page } = scene, { view, axis, lanes } = page, row = lanes.rowOf[op];
  if (row < 0 || axis.start[op] > view.to || axis.end[op] < view.from) return;
  const top = y(row);
  if (top < view.head - ROW || top > view.height) return;
  const left = Math.max(x(axis.start[op]), view.left), right = Math.min(x(axis.end[op]), view.width);
  if (covered && right - left < SMALL && left + 1 < covered[row]) return;
  if (covered) covered[row] = Math.max(left + 3, right);
  g.fillStyle = colour;
  g.fillRect(Math.min(left, right - 3), top + 33, Math.max(3, right - left), 3);
  if (right - left < SMALL) g.fillRect(left - 1, top + 18, 3, 14);
}

// The operation under the pointer or selected, and its neighbours in the order, joined by a line.
function paintFocus(scene, op) {
  const { g, x, y, page } = scene, { view, ink, axis, history, lanes } = page;
  const row = lanes.rowOf[op];
  if (row < 0) return;
  const left = Math.max(x(axis.start[op]), view.left - 4), right = Math.min(x(axis.end[op]), view.width + 4);
  g.strokeStyle = ink.focus;
  g.lineWidth = 2;
  g.strokeRect(left - 3, y(row) + 14, Math.max(right - left, 1) + 6, 22);
  if (Number.isNaN(axis.point[op])) return;
  const chain = [op];
  for (let k = 0, here = op; k < 4 && history.before[here] >= 0; k++) chain.unshift((here = history.before[here]));
  for (let k = 0, here = op; k < 4 && history.after[here] >= 0; k++) chain.push((here = history.after[here]));
  const seen = chain.filter((other) => lanes.rowOf[other] >= 0);
  const where = seen.map((other) => [x(axis.point[other]), y(lanes.rowOf[other]) + 25]);
  g.lineWidth = 1.5;
  g.strokeStyle = ink.point;
  g.beginPath();
  where.forEach(([px, py], i) => (i ? g.lineTo(px, py) : g.moveTo(px, py)));
  g.stroke();
  const centre = seen.indexOf(op);
  g.textAlign = "center";
  where.forEach(([px, py], i) => {
    const number = history.place[seen[i]] + 1;
    const words = history.raw.ordered < 1000 ? String(number) : i === centre ? "•" : i < centre ? `−${centre - i}` : `+${i - centre}`;
    g.fillStyle = i === centre ? ink.focus : ink.point;
    disc(g, px, py, words.length > 2 ? 10 : 8, ink.paper);
    g.fillStyle = ink.on;
    g.font = `bold 10px ${MONO}`;
    g.fillText(words, px, py + 3.5);
  });
  g.textAlign = "left";
}

function paintBands(scene) {
  const { g, x, page } = scene, { view, ink, axis } = page;
  for (const band of page.bands) {
    const left = Math.max(x(axis.at(band.from)), view.left), right = band.to === null ? view.width : Math.min(x(axis.at(band.to)), view.width);
    if (left > view.width || right < view.left) continue;
    g.fillStyle = ink.band;
    g.globalAlpha = 0.16;
    g.fillRect(left, view.head, Math.max(right - left, 2), view.height);
    g.globalAlpha = 0.7;
    g.fillRect(left, view.head, 1, view.height);
    if (band.to !== null && right < view.width) g.fillRect(right, view.head, 1, view.height);
    g.globalAlpha = 1;
  }
}

// The time axis, and below it the names of the bands.
function paintHead(scene) {
  const { g, x, page } = scene, { view, ink, axis } = page;
  g.fillStyle = ink.desk;
  g.fillRect(0, 0, view.width, view.head);
  g.font = `11px ${MONO}`;
  for (const { at, words } of ticks(page)) {
    const here = x(at);
    if (here < view.left) continue;
    g.fillStyle = ink.rule;
    g.fillRect(here, HEAD - 7, 1, 7);
    g.fillStyle = ink.soft;
    g.fillText(words, here + 4, HEAD - 9);
  }
  let free = view.left;
  for (const band of page.bands) {
    const left = Math.max(x(axis.at(band.from)), view.left), right = band.to === null ? view.width : x(axis.at(band.to));
    if (left > view.width || right < view.left) continue;
    g.fillStyle = ink.band;
    g.fillRect(left, HEAD + STRIP - 3, Math.max(Math.min(right, view.width) - left, 2), 3);
    if (left >= free && view.width - left > 20) {
      const room = Math.max(3, Math.floor((view.width - left - 8) / view.letter));
      const words = band.name.length > room ? band.name.slice(0, room - 1) + "…" : band.name;
      g.fillStyle = ink.ink;
      g.fillText(words, left + 4, HEAD + STRIP - 7);
      free = left + words.length * view.letter + 14;
    }
  }
  g.fillStyle = ink.rule;
  g.fillRect(0, view.head - 1, view.width, 1);
}

// Round places on the axis, some 110 pixels apart or more. Far from zero they are said from the first event on.
function ticks(page) {
  const { view, axis, history } = page;
  const least = ((view.to - view.from) * 110) / (view.width - view.left), power = 10 ** Math.floor(Math.log10(least));
  let step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= least);
  if (axis.even || history.raw.clock !== "float") step = Math.max(1, Math.round(step));
  const base = BigInt(history.raw.base), near = base >= -1000000n && base <= 1000000n;
  const zero = near && !axis.even ? -Number(base) : 0, found = [];
  for (let at = zero + Math.ceil((view.from - zero) / step) * step; at <= view.to && found.length < 200; at += step) {
    const time = axis.even ? axis.tick(at) : at - zero;
    const value = tidy(near && axis.even ? time + Number(base) : time);
    found.push({ at, words: (near ? "" : "+") + (value.length > 14 ? Number(value).toPrecision(8) : value) });
  }
  return found;
}

function paintNames(scene, firstRow, lastRow) {
  const { g, y, page } = scene, { view, ink, lanes } = page;
  g.fillStyle = ink.paper;
  g.fillRect(0, view.head, view.left - 1, view.height);
  g.fillStyle = ink.rule;
  g.fillRect(view.left - 1, 0, 1, view.height);
  g.save();
  g.beginPath();
  g.rect(0, view.head, view.left - 4, view.height);
  g.clip();
  g.font = `bold ${LABEL}px ${MONO}`;
  g.fillStyle = ink.ink;
  for (let row = firstRow; row < lastRow; row++) g.fillText(lanes.rows[row].name, 10, y(row) + 29);
  g.restore();
  const all = lanes.rows.length * ROW, seen = view.height - view.head;
  if (all > seen + 1) {
    g.fillStyle = ink.dense;
    g.globalAlpha = 0.5;
    g.fillRect(view.width - 6, view.head + (view.top / all) * seen, 4, Math.max(20, (seen / all) * seen));
    g.globalAlpha = 1;
  }
}

// The whole history in a strip, and what of it is in view. The strip is painted once and kept until something changes.
function paintOverview(page) {
  const { view, ink, axis, lanes, list } = page, height = 46;
  const shows = [axis, lanes, list, ink, view.width, window.devicePixelRatio];
  const x = (where) => ((where - axis.first) / (axis.last - axis.first)) * view.width;
  if (!page.strip) page.strip = { canvas: document.createElement("canvas"), shows: [] };
  if (shows.some((thing, i) => thing !== page.strip.shows[i])) paintStrip(page, fitted(page.strip.canvas, view.width, height), x, height);
  page.strip.shows = shows;
  const g = fitted(page.overview, view.width, height);
  g.drawImage(page.strip.canvas, 0, 0, view.width, height);
  const left = x(view.from), right = Math.max(x(view.to), left + 3);
  g.fillStyle = ink.desk;
  g.globalAlpha = 0.5;
  g.fillRect(0, 0, left, height);
  g.fillRect(right, 0, view.width - right, height);
  g.globalAlpha = 1;
  g.strokeStyle = ink.focus;
  g.lineWidth = 2;
  g.strokeRect(Math.max(left, 1), 1, Math.min(right, view.width - 1) - Math.max(left, 1), height - 2);
}

// How many operations are called when, faults, matches, and the trouble.
function paintStrip(page, g, x, height) {
  const { view, ink, axis, history, lanes, list } = page;
  g.fillStyle = ink.paper;
  g.fillRect(0, 0, view.width, height);
  g.fillStyle = ink.band;
  g.globalAlpha = 0.25;
  for (const band of page.bands) {
    const left = x(axis.at(band.from)), right = band.to === null ? view.width : x(axis.at(band.to));
    g.fillRect(left, 0, Math.max(1.5, right - left), height);
  }
  g.globalAlpha = 1;
  const bins = histogram(lanes, axis, view.width, x), most = Math.max(1, ...bins);
  g.fillStyle = ink.bar;
  bins.forEach((count, i) => g.fillRect(i * 2, height - 4 - (count / most) * (height - 12), 2, (count / most) * (height - 12)));
  g.fillStyle = ink.match;
  let free = -1;
  for (const op of list) {
    const here = Math.round(x(axis.start[op]));
    if (here > free) g.fillRect(here, height - 12, 1.5, 12);
    free = Math.max(free, here);
  }
  if (history.stuck < 0 || lanes.rowOf[history.stuck] < 0) return;
  const here = x(axis.start[history.stuck]);
  g.fillStyle = ink.stuck;
  g.fillRect(here - 1, 0, 2, height);
  g.beginPath();
  g.moveTo(here - 6, 0);
  g.lineTo(here + 6, 0);
  g.lineTo(here, 9);
  g.fill();
}

// Calls in each two pixels of the strip.
function histogram(lanes, axis, width, x) {
  const counts = new Array(Math.ceil(width / 2)).fill(0);
  for (const row of lanes.rows) for (const op of row.ops) counts[Math.max(0, Math.min(counts.length - 1, Math.floor(x(axis.start[op]) / 2)))]++;
  return counts;
}

function line(g, x1, y1, x2, y2) {
  g.beginPath();
  g.moveTo(x1, y1);
  g.lineTo(x2, y2);
  g.stroke();
}

function disc(g, x, y, radius, rim) {
  g.beginPath();
  g.arc(x, y, radius, 0, 7);
  g.fill();
  g.strokeStyle = rim;
  g.lineWidth = 1.5;
  g.stroke();
}

function hatch(g, left, right, middle, high) {
  g.save();
  g.beginPath();
  g.rect(left, middle - high, right - left, 2 * high);
  g.clip();
  g.beginPath();
  for (let at = left - 2 * high; at < right; at += 7) {
    g.moveTo(at, middle + high);
    g.lineTo(at + 2 * high, middle - high);
  }
  g.stroke();
  g.restore();
}
