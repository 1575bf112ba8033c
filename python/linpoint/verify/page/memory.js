// What does memory look like? Shared cells on the left, nodes in rows to the right of whatever refers to them first, arrows between.
// A value of the form #3 refers to a node. What the last step changed is painted differently.

const SVG = "http://www.w3.org/2000/svg";
const LINE = 19;
const LETTER = 7.9;

function shape(name, attributes, words) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (words !== undefined) made.textContent = words;
  return made;
}

const refers = (value) => /^#\d+$/.test(value);

// Every value by its place, to see what a step changed: "top" → "#1", "#1.next" → "None".
function places(memory) {
  const found = new Map(memory.cells.map(([name, value]) => [name, value]));
  for (const [name, kind, freed, fields] of memory.nodes) {
    found.set(name, `${kind} ${freed}`);
    for (const [field, value] of fields) found.set(`${name}.${field}`, value);
  }
  return found;
}

// Which column and row a node stands in: a chain of references runs to the right, a new one begins below.
function arrange(memory) {
  const nodes = new Map(memory.nodes.map((node) => [node[0], node]));
  const spots = new Map();
  let row = 0;
  const follow = (from, column) => {
    let begun = false;
    for (let name = from; nodes.has(name) && !spots.has(name); column += 1) {
      spots.set(name, { column, row });
      begun = true;
      name = nodes.get(name)[3].map(([, value]) => value).find((value) => refers(value) && !spots.has(value));
    }
    if (begun) row += 1;
  };
  for (const [, value] of memory.cells) if (refers(value)) follow(value, 0);
  for (const [, variables] of memory.threads) for (const [, value] of variables) if (refers(value)) follow(value, 0);
  for (const [name] of memory.nodes) follow(name, 0);
  return spots;
}

function drawMemory(place, memory, before) {
  const old = before === null ? null : places(before);
  const changed = (key, value) => (old !== null && old.get(key) !== value ? " changed" : "");
  const spots = arrange(memory);
  const widest = Math.max(4, ...memory.cells.map(([name, value]) => name.length + value.length + 2));
  const left = widest * LETTER + 16;
  const words = memory.nodes.flatMap(([name, kind, freed, fields]) => [
    `${name} ${kind}${freed ? " freed" : ""}`, ...fields.map(([field, value]) => `${field} ${value}`)]);
  const width = Math.max(8, ...words.map((word) => word.length + 1)) * LETTER + 16;
  const tall = Math.max(1, ...memory.nodes.map((node) => node[3].length + 1)) * LINE + 10;
  const at = (name) => {
    const { column, row } = spots.get(name);
    return { x: left + 60 + column * (width + 46), y: 12 + row * (tall + 18) };
  };
  const all = [...spots.values()];
  const right = left + 60 + (1 + Math.max(-1, ...all.map((spot) => spot.column))) * (width + 46);
  const bottom = Math.max(memory.cells.length * LINE + 30, (1 + Math.max(-1, ...all.map((spot) => spot.row))) * (tall + 18) + 20);
  const svg = shape("svg", { width: right, height: bottom, viewBox: `0 0 ${right} ${bottom}`, role: "img", "aria-label": "Shared memory" });
  const tip = shape("marker", { id: "tip", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" });
  tip.append(shape("path", { d: "M0 0 8 4 0 8z", class: "tip" }));
  svg.append(tip);
  const arrow = (x, y, value, mark) => {
    const end = at(value);
    const aim = end.y + 12;
    const bend = Math.max(24, Math.abs(end.x - x) / 2);
    const path = `M${x} ${y - 4}C${x + bend} ${y - 4} ${end.x - bend} ${aim} ${end.x} ${aim}`;
    svg.append(shape("path", { d: path, class: `arrow${mark}`, "marker-end": "url(#tip)" }));
  };
  memory.cells.forEach(([name, value], index) => {
    const y = 24 + index * LINE;
    const mark = changed(name, value);
    svg.append(shape("text", { x: 10, y, class: "key" }, name));
    svg.append(shape("text", { x: left, y, class: `value${mark}`, "text-anchor": "end" }, value));
    if (spots.has(value)) arrow(left + 6, y, value, mark);
  });
  for (const [name, kind, freed, fields] of memory.nodes) {
    const { x, y } = at(name);
    const height = (fields.length + 1) * LINE + 8;
    const box = shape("g", { class: "node", "data-node": name });
    box.append(shape("rect", { x, y, width, height, rx: 6, class: freed ? "box freed" : "box" }));
    box.append(shape("text", { x: x + 8, y: y + 16, class: `name${changed(name, `${kind} ${freed}`)}` }, `${name} ${kind}${freed ? " freed" : ""}`));
    fields.forEach(([field, value], index) => {
      const line = y + 16 + (index + 1) * LINE;
      const mark = changed(`${name}.${field}`, value);
      box.append(shape("text", { x: x + 8, y: line, class: "key" }, field));
      box.append(shape("text", { x: x + width - 8, y: line, class: `value${mark}`, "text-anchor": "end" }, value));
      if (spots.has(value)) arrow(x + width, line, value, mark);
    });
    svg.append(box);
  }
  place.replaceChildren(svg);
}
