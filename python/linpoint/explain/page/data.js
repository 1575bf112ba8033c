// What happened? Unpacks the columns that `data.py` wrote into typed arrays, and says where things stand on the time axis.
//
// Operations are numbered 0 … n-1 in the order of their calls. Times are offsets from the earliest one (`base`), which a
// double holds exactly; the exact time is put together only to be shown. Texts stay texts: nothing here makes HTML.

const OK = 0, FAIL = 1, PENDING = 2;

function unpack(raw) {
  const n = raw.type.length;
  const type = Uint8Array.from(raw.type, (letter) => (letter === "o" ? OK : letter === "f" ? FAIL : PENDING));
  const { call, back } = times(raw);
  const history = {
    n, raw, type, call, back,
    process: Int32Array.from(raw.process),
    kind: Int32Array.from(raw.kind),
    index: sums(raw.index),
    line: sums(raw.line),
    place: sums(raw.place),
    texts: raw.texts,
    processes: raw.processes,
    extras: raw.extras.map((column) => ({ name: column.name, values: column.numbers ? sums(column.numbers) : column.texts.map((t) => (t === null ? null : raw.texts[t])) })),
    stuck: raw.stuck === null ? -1 : raw.stuck,
    members: new Set(),
    label: (op) => raw.texts[raw.kinds.label[raw.kind[op]]],
    key: (op) => raw.kinds.key[raw.kind[op]],
    part: (op) => raw.kinds.part[raw.kind[op]],
  };
  for (const op of raw.figure || []) if (op !== null) history.members.add(op);
  Object.assign(history, neighbours(history));
  return history;
}

// Undoes `deltas`: null stays null and counts for nothing.
function sums(column) {
  let sum = 0;
  return column.map((step) => (step === null ? null : (sum += step)));
}

// Calls and returns as offsets; NaN where there is no return.
function times(raw) {
  const n = raw.call.length, call = new Float64Array(n), back = new Float64Array(n).fill(NaN);
  const base = BigInt(raw.base);
  const far = raw.clock === "text" ? (text) => Number(BigInt(text) - base) : (time) => time - Number(base);
  for (let op = 0, now = 0; op < n; op++) {
    now = raw.clock === "int" ? now + raw.call[op] : far(raw.call[op]);
    call[op] = now;
    const end = raw.return[op];
    if (end !== null) back[op] = raw.clock === "int" ? now + end : far(end);
  }
  return { call, back };
}

// The exact time of a call or a return, as the source wrote it.
function exact(history, op, what) {
  const { raw } = history;
  if (raw.clock !== "int") return String(raw[what][op]);
  return String(BigInt(raw.base) + BigInt(what === "call" ? history.call[op] : history.back[op]));
}

// The order: who comes before and after whom among the operations of the same part. -1: nobody.
function neighbours(history) {
  const { n, place } = history, before = new Int32Array(n).fill(-1), after = new Int32Array(n).fill(-1);
  const order = [];
  for (let op = 0; op < n; op++) if (place[op] !== null) order.push(op);
  order.sort((a, b) => place[a] - place[b]);
  const last = new Map();
  for (const op of order) {
    const part = history.part(op), previous = last.get(part);
    if (previous !== undefined) {
      before[op] = previous;
      after[previous] = op;
    }
    last.set(part, op);
  }
  return { order: Int32Array.from(order), before, after };
}

// Where on the axis? To scale: the times themselves. Even: the number of the time among all distinct ones.
// Gives starts, ends (Infinity: pending), points (NaN: not in the order), and how far the axis goes.
function axis(history, even) {
  const { n, type, call, back } = history;
  const every = new Float64Array(2 * n);
  let count = 0;
  for (let op = 0; op < n; op++) {
    every[count++] = call[op];
    if (type[op] !== PENDING && !Number.isNaN(back[op])) every[count++] = back[op];
  }
  const distinct = every.subarray(0, count).sort().filter((time, i, all) => i === 0 || time !== all[i - 1]);
  const at = even ? (time) => between(distinct, time) : (time) => time;
  const start = call.map(at), end = new Float64Array(n);
  for (let op = 0; op < n; op++) end[op] = type[op] === PENDING || Number.isNaN(back[op]) ? Infinity : at(back[op]);
  const first = distinct.length ? at(distinct[0]) : 0, last = distinct.length ? at(distinct[distinct.length - 1]) : 1;
  const room = last > first ? (last - first) * 0.02 : 1;
  const tick = even ? (where) => distinct[Math.max(0, Math.min(distinct.length - 1, Math.round(where)))] : (where) => where;
  const found = { even, distinct, at, tick, start, end, first: first - room, last: last + room, least: least(distinct, even, last - first) };
  found.point = points(history, found);
  return found;
}

// The number of a time among the distinct ones; in between for a time in between.
function between(distinct, time) {
  const place = below(distinct, distinct.length, time);
  if (place === distinct.length || distinct[place] === time || place === 0) return place;
  return place - 1 + (time - distinct[place - 1]) / (distinct[place] - distinct[place - 1]);
}

// The shortest stretch of the axis worth looking at.
function least(distinct, even, length) {
  if (even) return 3;
  let gap = Infinity;
  for (let i = 1; i < distinct.length; i++) gap = Math.min(gap, distinct[i] - distinct[i - 1]);
  return Number.isFinite(gap) ? Math.max(gap * 3, length * 1e-9) : 1;
}

// Linearization points: as early as the order allows, that is between the latest call so far and the event after it.
// Several in one such gap are spread evenly, so that they stand in their order.
function points(history, found) {
  const { order, call, n } = history, { distinct, start, end } = found, point = new Float64Array(n).fill(NaN);
  for (let i = 0; i < order.length; ) {
    const now = call[order[i]], next = distinct[below(distinct, distinct.length, now) + 1];
    const from = start[order[i]];
    let to = next === undefined ? found.last : found.at(next), j = i;
    for (; j < order.length && call[order[j]] <= now; j++) to = Math.min(to, end[order[j]]);
    for (let k = i; k < j; k++) point[order[k]] = from + (Math.max(to - from, 0) * (k - i + 1)) / (j - i + 1);
    i = j;
  }
  return point;
}

// How many of the first `count` sorted numbers are less than x.
function below(sorted, count, x) {
  let low = 0, high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < x) low = middle + 1;
    else high = middle;
  }
  return low;
}
