// What is known about this operation? The card beside the pointer or the selected operation. Text goes in as text.

function describe(history, op, more) {
  const lines = [];
  const type = history.type[op];
  const add = (name, text) => lines.push([name, String(text)]);
  add("process", history.processes[history.process[op]]);
  const { raw, texts } = history, key = history.key(op), part = history.part(op);
  if (key !== null) add("key", texts[raw.keys[key]]);
  if (part !== null && (key === null || ![texts[raw.keys[key]], JSON.stringify(texts[raw.keys[key]])].includes(texts[raw.parts[part]]))) add("part", texts[raw.parts[part]]);
  add("called", exact(history, op, "call"));
  if (!Number.isNaN(history.back[op])) {
    add(type === PENDING ? "given up" : "returned", exact(history, op, "return"));
    add("lasted", tidy(history.back[op] - history.call[op]));
  }
  add("outcome", type === OK ? "ok" : type === FAIL ? "failed: it did not happen" : "pending: it may take effect later, or never");
  add("operation", history.index[op]);
  if (history.line[op] !== null) add("line", history.line[op]);
  for (const { name, values } of history.extras) if (values[op] !== null) add(name, values[op]);
  if (history.place[op] !== null) {
    const { before, after } = history, whose = part === null ? "" : " on this part";
    const said = (other) => `${history.label(other)} (${history.processes[history.process[other]]})`;
    add("takes effect", `number ${(history.place[op] + 1).toLocaleString("en")} of ${raw.ordered.toLocaleString("en")}${raw.whole ? "" : " in the longest order found"}`);
    add("just after", before[op] >= 0 ? said(before[op]) : `nothing${whose}: it is the first`);
    add("just before", after[op] >= 0 ? said(after[op]) : `nothing${whose}: it is the last`);
  } else if (type !== FAIL && history.order.length && op !== history.stuck) {
    const elsewhere = raw.part !== null && part !== raw.part;
    add("takes effect", elsewhere ? `not known: the order found is about ${texts[raw.parts[raw.part]]}` : "not in the order found");
  }
  return { title: history.label(op), lines, bad: op === history.stuck ? trouble(history) : "", more };
}

function trouble(history) {
  return history.raw.verdict === "violation" ? "✗ No order explains this answer" : "? Not explained when the search stopped";
}

function describeBand(band) {
  return { title: band.name, lines: band.fields, bad: "", more: "" };
}

// Fills the card and puts it near (x, y), inside the window.
function showCard(card, facts, x, y) {
  const title = document.createElement("div"), list = document.createElement("dl");
  title.className = "name";
  title.textContent = facts.title;
  card.replaceChildren(title);
  if (facts.bad) card.append(paragraph("bad", facts.bad));
  for (const [name, text] of facts.lines) {
    const term = document.createElement("dt"), value = document.createElement("dd");
    term.textContent = name;
    value.textContent = text;
    list.append(term, value);
  }
  card.append(list);
  if (facts.more) card.append(paragraph("said", facts.more));
  card.hidden = false;
  const box = card.getBoundingClientRect();
  const left = x + 16 + box.width > innerWidth ? x - box.width - 12 : x + 16;
  const top = y + 18 + box.height > innerHeight ? y - box.height - 14 : y + 18;
  card.style.left = `${Math.max(4, left)}px`;
  card.style.top = `${Math.max(4, top)}px`;
}

function paragraph(kind, text) {
  const element = document.createElement("div");
  element.className = kind;
  element.textContent = text;
  return element;
}

// A number without the noise of binary fractions.
function tidy(number) {
  return Number.isInteger(number) ? String(number) : String(Number(number.toPrecision(12)));
}
