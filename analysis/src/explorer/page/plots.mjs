// Two measures of all setups against one another, and the distribution of one.

import { miniature } from "./board.mjs";
import { rowsOf } from "./side_by_side.mjs";
import { byId, colour, el, select, svgEl, thousands } from "./dom.mjs";

// Round numbers between two bounds, about as many as asked for.
function ticks(low, high, about) {
  const rough = (high - low) / about;
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((times) => times * unit).find((size) => size >= rough);
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const found = [];
  for (let at = Math.ceil(low / step - 1e-9); at * step <= high + step * 1e-9; at++) {
    found.push({ value: at * step, text: (at * step).toFixed(digits).replace(/^-(?=0(\.0+)?$)/, "").replace("-", "−") });
  }
  return found;
}

// Pearson's correlation.
export function correlation(pairs) {
  const number = pairs.length;
  if (number < 3) return null;
  const mean = [0, 1].map((axis) => pairs.reduce((sum, pair) => sum + pair[axis], 0) / number);
  let [xx, yy, xy] = [0, 0, 0];
  for (const [x, y] of pairs) {
    xx += (x - mean[0]) ** 2;
    yy += (y - mean[1]) ** 2;
    xy += (x - mean[0]) * (y - mean[1]);
  }
  return xx > 0 && yy > 0 ? xy / Math.sqrt(xx * yy) : null;
}

// A number from −0.5 to 0.5 that is always the same for the same setup and salt: it keeps points of whole numbers apart.
function apart(setup, salt) {
  let hash = Math.imul(setup + 1, 2654435761) ^ Math.imul(salt + 7, 40503 * 65537);
  // Without these steps, points would stand in rows.
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b);
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b);
  return ((hash >>> 8) & 0xffff) / 0xffff - 0.5;
}

export class Plots {
  constructor(app) {
    this.app = app;
    const { measures } = app.data;
    byId("charts").hidden = measures.length === 0;
    if (!measures.length) return;
    // What is mostly noise is shown only to whoever asks for it.
    const ranked = measures.filter((column) => !column.whyNoRanks);
    const prefer = (...keys) => keys.find((key) => ranked.some((column) => column.key === key));
    const other = (columns) => columns.find((column) => column.key !== this.x)?.key;
    this.x = prefer("score_pawns", "score_cp", "expected_score", "score") ?? (ranked[0] ?? measures[0]).key;
    this.y = prefer("complexity") ?? other(ranked) ?? other(measures) ?? this.x;
    this.bars = this.x;
    const choices = measures.map((column) => [column.key, column.title]);
    const choose = (label, axis) => el("label", {}, `${label} `, select(label, choices, this[axis], (key) => { this[axis] = key; this.draw(); }));
    byId("scatter-axes").replaceChildren(choose("across", "x"), choose("up", "y"));
    byId("histogram-axis").replaceChildren(choose("measure", "bars"));
    const canvas = byId("scatter");
    canvas.addEventListener("pointermove", (event) => this.#hover(event));
    canvas.addEventListener("pointerleave", () => this.#tip(null));
    canvas.addEventListener("click", (event) => {
      const found = this.#nearest(event);
      if (found) app.open(found.setup);
    });
    for (const event of ["filter", "setup", "theme"]) app.on(event, () => this.#later());
    app.on("print", () => this.draw());
    new ResizeObserver(() => this.#later()).observe(canvas.parentElement);
    this.draw();
  }

  // Draws once for all that has changed.
  #later() {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.draw());
  }

  draw() {
    this.#drawScatter();
    this.#drawHistogram();
  }

  #drawScatter() {
    const { app } = this;
    const { data } = app;
    const canvas = byId("scatter");
    const [width, height] = [canvas.parentElement.clientWidth, Math.min(420, Math.max(260, canvas.parentElement.clientWidth * 0.7))];
    if (!width) return;
    const scale = window.devicePixelRatio || 1;
    [canvas.width, canvas.height] = [width * scale, height * scale];
    canvas.style.height = `${height}px`;
    const context = canvas.getContext("2d");
    context.scale(scale, scale);
    const [x, y] = [data.column(this.x), data.column(this.y)];
    const area = { left: 54, right: width - 12, top: 10, bottom: height - 40 };
    const axis = (column, from, to) => {
      const edge = (column.isWhole ? 0.5 : 0) + (column.max - column.min) * 0.02;
      const [low, high] = [column.min - edge, column.max + edge];
      return { low, high, at: (value) => from + ((value - low) / (high - low)) * (to - from) };
    };
    const [across, up] = [axis(x, area.left, area.right), axis(y, area.bottom, area.top)];
    context.font = "12px system-ui, sans-serif";
    context.strokeStyle = colour("--grid");
    context.fillStyle = colour("--soft");
    for (const tick of ticks(across.low, across.high, width / 90)) {
      const at = across.at(tick.value);
      context.beginPath();
      context.moveTo(at, area.top);
      context.lineTo(at, area.bottom);
      context.stroke();
      context.textAlign = "center";
      context.fillText(tick.text, at, area.bottom + 16);
    }
    for (const tick of ticks(up.low, up.high, height / 60)) {
      const at = up.at(tick.value);
      context.beginPath();
      context.moveTo(area.left, at);
      context.lineTo(area.right, at);
      context.stroke();
      context.textAlign = "right";
      context.fillText(tick.text, area.left - 7, at + 4);
    }
    context.fillStyle = colour("--ink");
    context.textAlign = "center";
    context.fillText(x.title, (area.left + area.right) / 2, height - 6);
    context.save();
    context.translate(13, (area.top + area.bottom) / 2);
    context.rotate(-Math.PI / 2);
    context.fillText(y.title, 0, 0);
    context.restore();
    // Few different numbers would lie on one another.
    const spread = (column, salt) => (column.isWhole && column.max - column.min < 60 ? (setup) => 0.7 * apart(setup, salt) : () => 0);
    const [spreadX, spreadY] = [spread(x, 1), spread(y, 2)];
    const isMatching = new Uint8Array(data.setups.number);
    app.matching.forEach((setup) => (isMatching[setup] = 1));
    this.points = [];
    const faint = [];
    for (let setup = 0; setup < data.setups.number; setup++) {
      const [a, b] = [x.values[setup], y.values[setup]];
      if (a === null || b === null) continue;
      const point = { setup, at: [across.at(a + spreadX(setup)), up.at(b + spreadY(setup))], values: [a, b] };
      (isMatching[setup] ? this.points : faint).push(point);
    }
    const size = this.points.length > 3000 ? 2 : 3;
    const dots = (points, fill, alpha) => {
      context.fillStyle = fill;
      context.globalAlpha = alpha;
      for (const { at: [px, py] } of points) context.fillRect(px - size / 2, py - size / 2, size, size);
      context.globalAlpha = 1;
    };
    dots(faint, colour("--soft"), 0.12);
    dots(this.points, colour("--accent"), this.points.length > 3000 ? 0.5 : 0.8);
    const current = [...this.points, ...faint].find((point) => point.setup === app.setup);
    if (current) {
      context.strokeStyle = context.fillStyle = colour("--mark");
      context.lineWidth = 2.5;
      context.beginPath();
      context.arc(...current.at, 7, 0, 2 * Math.PI);
      context.stroke();
      context.beginPath();
      context.arc(...current.at, 2, 0, 2 * Math.PI);
      context.fill();
    }
    const r = correlation(this.points.map((point) => point.values));
    const text = `${thousands(this.points.length)} setups${r === null ? "" : `, r = ${r.toFixed(2).replace("-", "−")}`}`;
    const why = [...new Set([x, y])].filter((column) => column.whyNoRanks).map((column) => `; ${column.title}: ${column.whyNoRanks}`);
    byId("scatter-note").textContent = text + why.join("");
    canvas.setAttribute("aria-label", `${y.title} against ${x.title}: ${text}`);
  }

  #nearest(event) {
    const box = event.currentTarget.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const reach = event.pointerType === "touch" ? 24 : 12;
    let [best, nearest] = [null, reach ** 2];
    for (const point of this.points ?? []) {
      const distance = (point.at[0] - x) ** 2 + (point.at[1] - y) ** 2;
      if (distance < nearest) [best, nearest] = [point, distance];
    }
    return best;
  }

  #hover(event) {
    this.#tip(this.#nearest(event));
  }

  #tip(point) {
    const tip = byId("scatter-tip");
    tip.hidden = !point;
    byId("scatter").style.cursor = point ? "pointer" : "default";
    if (!point) return;
    const { data } = this.app;
    const [x, y] = [data.column(this.x), data.column(this.y)];
    const measure = (column, value) => el("span", {}, `${column.title} `, el("b", {}, column.format(value)));
    tip.replaceChildren(el("strong", {}, data.setups.label(point.setup)), miniature(data.look, rowsOf(data, point.setup)),
      measure(x, point.values[0]), measure(y, point.values[1]));
    const [left, top] = point.at;
    const { offsetWidth: width, offsetHeight: height } = tip;
    tip.style.left = `${Math.max(0, Math.min(left - width / 2, byId("scatter").clientWidth - width))}px`;
    tip.style.top = `${top - height - 12 > -60 ? top - height - 12 : top + 14}px`;
  }

  #drawHistogram() {
    const { app } = this;
    const column = app.data.column(this.bars);
    const [width, height] = [480, 240];
    const area = { left: 46, right: width - 8, top: 8, bottom: height - 38 };
    const range = column.max - column.min;
    // Bars of whole numbers hold as many of them each.
    const step = column.isWhole ? Math.ceil((range + 1) / 40) : range / 30;
    const bars = column.isWhole ? Math.ceil((range + 1) / step) : 30;
    const low = column.isWhole ? column.min - 0.5 : column.min;
    const count = (setups) => {
      const counts = new Array(bars).fill(0);
      for (const setup of setups) {
        const value = column.values[setup];
        if (value !== null) counts[Math.min(bars - 1, Math.floor((value - low) / step))] += 1;
      }
      return counts;
    };
    const all = count(column.values.keys());
    const matching = app.filter.isEmpty ? all : count(app.matching);
    const most = Math.max(...all);
    const at = (value) => area.left + ((value - low) / (step * bars)) * (area.right - area.left);
    const up = (number) => area.bottom - (number / most) * (area.bottom - area.top);
    const parts = ticks(0, most, 4).flatMap(({ value, text }) => [
      svgEl("line", { class: "grid", x1: area.left, x2: area.right, y1: up(value), y2: up(value) }),
      svgEl("text", { x: area.left - 6, y: up(value) + 4, "text-anchor": "end", class: "soft" }, thousands(text)),
    ]);
    const gap = bars > 20 ? 1 : 3;
    all.forEach((number, bar) => {
      const [from, to] = [low + bar * step, low + (bar + 1) * step];
      const [first, last] = column.isWhole ? [from + 0.5, to - 0.5] : [from, to];
      const tip = `${column.format(first)}${last > first ? ` to ${column.format(last)}` : ""}: ${thousands(matching[bar])} setups`;
      const rect = (name, height_) => svgEl("rect", { class: name, x: at(from) + gap / 2, width: Math.max(1, at(to) - at(from) - gap), y: up(height_), height: area.bottom - up(height_) }, svgEl("title", {}, tip));
      parts.push(rect("bar all", number), rect("bar", matching[bar]));
    });
    for (const { value, text } of ticks(low, low + step * bars, 6)) {
      parts.push(svgEl("text", { x: at(value), y: area.bottom + 16, "text-anchor": "middle", class: "soft" }, text));
    }
    parts.push(svgEl("text", { x: (area.left + area.right) / 2, y: height - 4, "text-anchor": "middle" }, column.title));
    const value = column.values[app.setup];
    if (value !== null && value !== undefined) {
      parts.push(svgEl("path", { class: "here", d: `M${at(value)} ${area.bottom}V${area.top}` }));
    }
    byId("histogram").replaceChildren(...parts);
    const mean = app.matching.reduce(([sum, number], setup) => (column.values[setup] === null ? [sum, number] : [sum + column.values[setup], number + 1]), [0, 0]);
    const deviation = Math.sqrt(app.matching.reduce((sum, setup) => (column.values[setup] === null ? sum : sum + (column.values[setup] - mean[0] / mean[1]) ** 2), 0) / mean[1]);
    const format = (number) => number.toFixed(column.digits + 1).replace("-", "−");
    const text = mean[1] ? `mean ${format(mean[0] / mean[1])}, standard deviation ${format(deviation)}, ${thousands(mean[1])} setups` : "no setups";
    byId("histogram-note").textContent = text;
    byId("histogram").setAttribute("aria-label", `distribution of ${column.title}: ${text}`);
  }
}
