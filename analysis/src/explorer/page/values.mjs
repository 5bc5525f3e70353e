// The values of the pieces, from the studies.

import { byId, el, svgEl, thousands } from "./dom.mjs";
import { pieceIcon } from "./board.mjs";

const METHODS = { imbalances: "by imbalances", regression: "by regression", mobility: "by mobility" };

export function drawValues(data) {
  const rows = data.values.filter((row) => row.value && METHODS[row.method]);
  byId("values").hidden = rows.length === 0;
  if (!rows.length) return;
  const methods = Object.keys(METHODS).filter((method) => rows.some((row) => row.method === method));
  const pieces = [...new Set(rows.map((row) => row.piece))];
  const of = (piece, method) => rows.find((row) => row.piece === piece && row.method === method);
  const worth = (piece) => Math.max(...methods.map((method) => of(piece, method)?.value[0] ?? 0));
  pieces.sort((one, other) => worth(one) - worth(other));
  byId("values-unit").textContent = `In units of ${rows[0].unit.replace("=", " = ")}, with 95 % intervals.`;
  const cell = (row) => {
    if (!row) return el("td", { class: "n" });
    const [value, low, high] = row.value;
    const interval = low === null || high === null || low === high ? null : el("small", {}, ` (${low.toFixed(2)} to ${high.toFixed(2)})`);
    return el("td", { class: "n", title: row.games ? `${thousands(row.games)} games` : null }, value.toFixed(2), interval);
  };
  const name = (piece) => (piece === "P" ? "pawn" : data.rules.kinds.get(piece)?.name ?? `pair of ${data.rules.kinds.get(piece[0])?.name}s`);
  byId("values-head").replaceChildren(el("th", { scope: "col" }, "piece"), ...methods.map((method) => el("th", { scope: "col", class: "n" }, METHODS[method])));
  byId("values-body").replaceChildren(...pieces.map((piece) => el("tr", {},
    el("th", { scope: "row", "data-piece": data.game.moves[piece] ? piece : null }, data.drawings.shapes[piece] ? pieceIcon(data, piece) : null, ` ${name(piece)}`),
    ...methods.map((method) => cell(of(piece, method))))));
  drawPlot(pieces, methods, of, name);
}

function drawPlot(pieces, methods, of, name) {
  const [width, row] = [480, 34];
  const [left, right, bottom] = [110, width - 14, pieces.length * row + 4];
  const ends = pieces.flatMap((piece) => methods.flatMap((method) => of(piece, method)?.value.filter((end) => end !== null) ?? []));
  const most = Math.min(Math.max(...ends), 2 * Math.max(...pieces.flatMap((piece) => methods.map((method) => of(piece, method)?.value[0] ?? 0))));
  const at = (value) => left + (Math.min(Math.max(value, 0), most) / most) * (right - left);
  const parts = [];
  for (let value = 0; value <= most; value += most > 12 ? 5 : 1) {
    parts.push(svgEl("line", { class: "grid", x1: at(value), x2: at(value), y1: 4, y2: bottom }));
    parts.push(svgEl("text", { class: "soft", x: at(value), y: bottom + 16, "text-anchor": "middle" }, String(value)));
  }
  pieces.forEach((piece, place) => {
    const middle = 4 + place * row + row / 2;
    parts.push(svgEl("text", { x: left - 10, y: middle + 4, "text-anchor": "end" }, name(piece)));
    methods.forEach((method, number) => {
      const found = of(piece, method);
      if (!found) return;
      const [value, low, high] = found.value;
      const y = middle + (number - (methods.length - 1) / 2) * 9;
      const title = svgEl("title", {}, `${name(piece)} ${METHODS[method]}: ${value.toFixed(2)}`);
      if (low !== high) parts.push(svgEl("line", { class: `whisker ${method}`, x1: at(low ?? 0), x2: at(high ?? most), y1: y, y2: y }));
      parts.push(svgEl("circle", { class: method, cx: at(value), cy: y, r: 4 }, title));
    });
  });
  const plot = byId("values-plot");
  plot.setAttribute("viewBox", `0 0 ${width} ${bottom + 24}`);
  plot.replaceChildren(...parts);
  byId("values-key").replaceChildren(...methods.map((method) => el("li", {}, el("i", { class: method }), METHODS[method])));
}
