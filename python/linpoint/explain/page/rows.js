// Which operations are to be seen? Filters and search, and the operations of each process in a row of its own.

// Rows of the operations that pass the filters. Each has its operations sorted by start, and `reach`, the latest end so
// far, which grows along the row: a binary search in it finds the first operation that touches a stretch of time.
function rowsOf(history, axis, filters) {
  const lists = history.processes.map(() => []);
  for (let op = 0; op < history.n; op++) if (passes(history, filters, op)) lists[history.process[op]].push(op);
  const rows = [], rowOf = new Int32Array(history.n).fill(-1);
  let shown = 0;
  lists.forEach((list, process) => {
    if (!list.length) return;
    const reach = new Float64Array(list.length);
    let latest = -Infinity;
    list.forEach((op, i) => {
      latest = Math.max(latest, axis.end[op]);
      reach[i] = latest;
      rowOf[op] = rows.length;
    });
    shown += list.length;
    rows.push({ name: history.processes[process], ops: Int32Array.from(list), reach });
  });
  return { rows, rowOf, shown };
}

// A filter is a set of numbers; an empty one lets everything pass.
function passes(history, filters, op) {
  const { process, key, part } = filters;
  return (
    (!process.size || process.has(history.process[op])) &&
    (!key.size || key.has(history.key(op))) &&
    (!part.size || part.has(history.part(op)))
  );
}

// The operations that contain a text, in the order of their calls: in the label, the process, a field, or as `#number`.
function find(history, wanted, rowOf) {
  const words = wanted.trim().toLowerCase();
  if (!words) return new Int32Array(0);
  if (/^#\d+$/.test(words)) {
    const op = history.index.indexOf(Number(words.slice(1)));
    return op >= 0 && rowOf[op] >= 0 ? Int32Array.of(op) : new Int32Array(0);
  }
  if (!history.lower) history.lower = history.texts.map((text) => text.toLowerCase());
  const { lower, raw } = history;
  const text = lower.map((entry) => entry.includes(words));
  const kind = raw.kinds.label.map((label) => text[label]);
  const process = history.processes.map((name) => name.toLowerCase().includes(words));
  const columns = raw.extras.map((column, i) => ({ column, values: history.extras[i].values }));
  const inField = ({ column, values }, op) =>
    column.texts ? column.texts[op] !== null && text[column.texts[op]] : values[op] !== null && String(values[op]).includes(words);
  const found = [];
  for (let op = 0; op < history.n; op++) {
    if (rowOf[op] < 0) continue;
    if (kind[history.kind[op]] || process[history.process[op]] || columns.some((column) => inField(column, op))) found.push(op);
  }
  return Int32Array.from(found);
}

// A menu that chooses some of many: a list of check boxes with a field that narrows it. Calls `changed` with the choices.
function menu(title, names, counts, first, changed) {
  const chosen = new Set(), MOST = 300;
  const box = document.createElement("details"), summary = document.createElement("summary");
  const choices = document.createElement("div"), narrow = document.createElement("input"), list = document.createElement("div");
  box.className = "menu";
  choices.className = "choices";
  list.className = "list";
  narrow.type = "search";
  narrow.placeholder = `Find among ${names.length.toLocaleString("en")}`;
  narrow.setAttribute("aria-label", `Find in ${title}`);
  list.setAttribute("role", "group");
  list.setAttribute("aria-label", title);
  if (names.length > 8) choices.append(narrow);
  choices.append(list);
  box.append(summary, choices);

  const order = names.map((_, i) => i);
  if (first !== null && first !== undefined) order.unshift(...order.splice(first, 1));

  function head() {
    const one = chosen.size === 1 ? names[[...chosen][0]] : `${chosen.size} chosen`;
    summary.textContent = chosen.size ? `${title}: ${one.length > 24 ? one.slice(0, 23) + "…" : one}` : `${title}: all`;
    box.classList.toggle("active", chosen.size > 0);
  }

  function fill() {
    const words = narrow.value.toLowerCase();
    const fitting = order.filter((i) => names[i].toLowerCase().includes(words));
    list.replaceChildren(...fitting.slice(0, MOST).map(entry));
    if (fitting.length > MOST) {
      const rest = document.createElement("div");
      rest.className = "rest";
      rest.textContent = `… and ${(fitting.length - MOST).toLocaleString("en")} more: type to narrow`;
      list.append(rest);
    }
  }

  function entry(i) {
    const label = document.createElement("label"), check = document.createElement("input");
    const name = document.createElement("span"), count = document.createElement("small");
    check.type = "checkbox";
    check.checked = chosen.has(i);
    name.textContent = (i === first ? "✗ " : "") + (names[i] || "(nothing)");
    count.textContent = counts[i].toLocaleString("en");
    check.addEventListener("change", () => {
      if (check.checked) chosen.add(i);
      else chosen.delete(i);
      head();
      changed(chosen);
    });
    label.append(check, name, count);
    return label;
  }

  box.addEventListener("toggle", () => {
    if (box.open) fill();
    if (box.open && narrow.isConnected) narrow.focus();
  });
  narrow.addEventListener("input", fill);
  head();
  return {
    box,
    clear() {
      chosen.clear();
      head();
      fill();
      changed(chosen);
    },
  };
}
