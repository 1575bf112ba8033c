// Which step is shown? One number; everything on the page follows from it. A run with a cycle has no end: after its last step comes the
// first of the cycle again.

const data = JSON.parse(document.getElementById("data").textContent);
const part = (name) => document.getElementById(name);
const PACE = 900;

let run = 0;
let at = 0;
let round = 1;
let clock = null;

const present = () => data.runs[run];

function show() {
  const { steps, cycle, before, threads } = present();
  const step = at === 0 ? null : steps[at - 1];
  const memory = step === null ? before : step.memory;
  const earlier = at === 0 ? null : at === 1 ? before : steps[at - 2].memory;
  drawMemory(part("memory"), memory, earlier);
  markSteps(part("table"), at);
  markSource(part("code"), new Set(step === null ? [] : step.actions.map(([line]) => line)), memory.threads);
  part("threads").replaceChildren(...memory.threads.map(([line, variables, result], index) => {
    const values = variables.map(([name, value]) => `${name} = ${value}`).join(", ");
    const where = result !== null ? `will return ${result}` : line === null ? "no call" : `before line ${line}`;
    return element("div", step !== null && step.thread === index + 1 ? "now" : "", `t${index + 1}  ${where}${values ? `: ${values}` : ""}`);
  }));
  const turns = cycle !== null && round > 1 ? `, round ${round}` : "";
  const who = step === null ? "before the first step" : `t${step.thread}`;
  part("step").textContent = `${at} of ${steps.length}${turns} · ${who}`;
  part("where").max = steps.length;
  part("where").value = at;
  part("back").disabled = part("first").disabled = at === 0;
  part("forward").disabled = part("last").disabled = at === steps.length && cycle === null;
  part("live").textContent = step === null ? "" : `${who}: ${step.event ?? ""} ${step.actions.map(([line, words]) => `line ${line}, ${words}`).join("; ")}`;
  for (const choice of document.querySelectorAll(".choice")) choice.setAttribute("aria-pressed", choice.dataset.run === String(run));
  part("words").textContent = `${present().name}: ${present().words}.`;
  part("table").style.setProperty("--threads", threads);
}

function go(number) {
  at = Math.max(0, Math.min(present().steps.length, number));
  round = 1;
  show();
}

function forward() {
  const { steps, cycle } = present();
  if (at < steps.length) {
    at += 1;
  } else if (cycle !== null) {
    at = cycle + 1;
    round += 1;
  } else {
    pause();
  }
  show();
}

function back() {
  const { steps, cycle } = present();
  if (round > 1 && at === cycle + 1) {
    at = steps.length;
    round -= 1;
    show();
  } else {
    const kept = round;
    at = Math.max(0, at - 1);
    round = kept;
    show();
  }
}

function pause() {
  clearInterval(clock);
  clock = null;
  part("play").setAttribute("aria-pressed", "false");
  part("play").textContent = "Play";
}

function play() {
  if (clock !== null) {
    pause();
    return;
  }
  clock = setInterval(forward, PACE);
  part("play").setAttribute("aria-pressed", "true");
  part("play").textContent = "Pause";
}

function choose(number) {
  if (number >= data.runs.length) return;
  run = number;
  makeSteps(part("table"), present(), data, go);
  go(0);
}

function toggleTheme() {
  const root = document.documentElement;
  root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
  part("theme").setAttribute("aria-pressed", root.dataset.theme === "dark");
}

part("theme").addEventListener("click", toggleTheme);
part("theme").setAttribute("aria-pressed", document.documentElement.dataset.theme === "dark");

if (data.runs.length) {
  const actions = { first: () => go(0), back, forward, last: () => go(present().steps.length), play };
  for (const [name, action] of Object.entries(actions)) part(name).addEventListener("click", action);
  part("where").addEventListener("input", () => go(Number(part("where").value)));
  for (const choice of document.querySelectorAll(".choice")) choice.addEventListener("click", () => choose(Number(choice.dataset.run)));
  makeSource(part("code"), data);
  choose(0);
}

const KEYS = { ArrowRight: "forward", ArrowLeft: "back", Home: "first", End: "last", " ": "play" };
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.key === "d") toggleTheme();
  else if (data.runs.length && KEYS[event.key] && event.target.id !== "where" && event.target.tagName !== "BUTTON") {
    event.preventDefault();
    part(KEYS[event.key]).click();
  }
});

// For tests, and for whoever is curious in the console.
window.linpoint = {
  state: () => ({
    runs: data.runs.length, run, at, round, steps: data.runs.length ? present().steps.length : 0,
    cycle: data.runs.length ? present().cycle : null, playing: clock !== null,
    lines: [...document.querySelectorAll("#code .now")].map((line) => Number(line.dataset.line)),
    nodes: document.querySelectorAll("#memory .node").length,
    changed: document.querySelectorAll("#memory text.changed").length,
  }),
  go,
};
