// The source and the steps as lists: made once for a run, then only marked.

function element(name, kind, words) {
  const made = document.createElement(name);
  if (kind) made.className = kind;
  if (words !== undefined) made.textContent = words;
  return made;
}

// One line each, with its number and room for the threads that stand before it.
function makeSource(place, data) {
  place.replaceChildren(...data.source.map((text, index) => {
    const line = element("li");
    line.dataset.line = data.first + index;
    line.append(element("span", "number", String(data.first + index)), element("span", "at"), element("span", "text", text));
    return line;
  }));
}

// The lines that the step ran, and for every thread the line that it will run next.
function markSource(place, ran, threads) {
  const next = new Map();
  threads.forEach(([line], index) => {
    if (line !== null) next.set(line, [...(next.get(line) ?? []), `t${index + 1}`]);
  });
  let first = null;
  for (const line of place.children) {
    const number = Number(line.dataset.line);
    line.classList.toggle("now", ran.has(number));
    line.children[1].textContent = (next.get(number) ?? []).join(" ");
    if (ran.has(number)) first ??= line;
  }
  bring(place, first);
}

// What a thread does in a step: its call or return, then line by line what it read and wrote.
function cell(step, data) {
  const made = element("div");
  if (step.event !== null) made.append(element("div", "event", step.event));
  let line = null;
  for (const [number, words] of step.actions) {
    if (number !== line) made.append(element("div", "line", `${number}  ${(data.source[number - data.first] ?? "").trim().split("  #")[0]}`));
    line = number;
    made.append(element("div", "values", words));
  }
  if (step.fault !== null) made.append(element("div", "fault", step.fault));
  if (!made.childNodes.length) made.append(element("div", "values", "goes on"));
  return made;
}

function makeSteps(place, run, data, go) {
  place.style.setProperty("--threads", run.threads);
  const head = element("div", "row head");
  head.append(element("div"), ...Array.from({ length: run.threads }, (_, index) => element("div", "", `t${index + 1}`)));
  const rows = [head];
  run.steps.forEach((step, index) => {
    if (run.cycle === index) rows.push(element("div", "again", "from here on for ever:"));
    const row = element("div", run.cycle !== null && index >= run.cycle ? "row cycle" : "row");
    row.dataset.step = index + 1;
    row.setAttribute("role", "option");
    row.append(element("div", "number", String(index + 1)));
    for (let thread = 1; thread <= run.threads; thread += 1) row.append(thread === step.thread ? cell(step, data) : element("div"));
    row.addEventListener("click", () => go(index + 1));
    rows.push(row);
  });
  place.replaceChildren(...rows);
}

function markSteps(place, number) {
  let now = null;
  for (const row of place.children) {
    const here = row.dataset.step === String(number);
    row.classList.toggle("now", here);
    if (row.dataset.step) row.setAttribute("aria-selected", here);
    if (here) now = row;
  }
  bring(place, now);
}

// Scrolls within the list only: the page stays where it is.
function bring(place, item) {
  if (item === null) return;
  const top = item.offsetTop - place.offsetTop;
  if (top < place.scrollTop || top + item.offsetHeight > place.scrollTop + place.clientHeight) {
    place.scrollTop = top - place.clientHeight / 3;
  }
}
