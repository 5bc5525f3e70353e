// The evaluation along a game: as a graph, and what it says of each move.
//
// Evaluations are White's, in centipawns, of the position after each number of plies; a mate in n plies is 30,000 − n, and what nobody
// has evaluated is null.

import { svgEl } from "./dom.mjs";

const [WIDTH, HEIGHT] = [480, 96];
export const MATE = 30000;

// The share of the points that White may expect, by the scale of Elo ratings.
export const expected = (evaluation) => 1 / (1 + 10 ** (-evaluation / 400));

// What a move is called that loses so much of what its side could expect.
const MISTAKES = [[0.3, "??", "blunder"], [0.2, "?", "mistake"], [0.1, "?!", "inaccuracy"]];

// For each ply the mark and the name of a mistake, or null. `isWhite` says whose ply it is.
export function mistakes(evaluations, isWhite) {
  return evaluations.slice(1).map((after, ply) => {
    const before = evaluations[ply];
    if (before === null || after === null) return null;
    const lost = (expected(before) - expected(after)) * (isWhite(ply) ? 1 : -1);
    const found = MISTAKES.find(([least]) => lost >= least);
    return found ? { mark: found[1], name: found[2], lost } : null;
  });
}

// An evaluation as people read it: `+0.44`, `#−3`.
export function evaluationText(evaluation) {
  if (evaluation === null || evaluation === undefined) return "";
  const sign = evaluation > 0 ? "+" : evaluation < 0 ? "−" : "";
  const left = MATE - Math.abs(evaluation);
  if (left < 2000) return `#${sign === "+" ? "" : sign}${Math.ceil(left / 2)}`;
  return `${sign}${(Math.abs(evaluation) / 100).toFixed(2)}`;
}

export class EvaluationGraph {
  // `onply` is called with the number of plies at which the graph is clicked.
  constructor(svg, onply) {
    this.svg = svg;
    svg.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
    svg.setAttribute("role", "img");
    svg.addEventListener("click", (event) => {
      const box = svg.getBoundingClientRect();
      onply(Math.round(((event.clientX - box.left) / box.width) * this.last));
    });
  }

  // Draws evaluations, of which the last is after `last` plies, with the mistakes among the plies before.
  draw(evaluations, found) {
    this.last = Math.max(1, evaluations.length - 1);
    const known = evaluations.flatMap((evaluation, ply) => (evaluation === null ? [] : [[this.#x(ply), HEIGHT * (1 - expected(evaluation)), ply]]));
    const line = known.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L");
    const ends = known.length ? [known[0][0], known[known.length - 1][0]] : [0, 0];
    const marks = found.flatMap((mistake, ply) => {
      const at = mistake && known.find(([, , other]) => other === ply + 1);
      return at ? [svgEl("circle", { class: `error ${mistake.name}`, cx: at[0], cy: at[1], r: 4.5 }, svgEl("title", {}, `${mistake.name}, ply ${ply + 1}: ${evaluationText(evaluations[ply])} to ${evaluationText(evaluations[ply + 1])}`))] : [];
    });
    this.svg.replaceChildren(
      svgEl("rect", { class: "unknown", x: 0, y: 0, width: WIDTH, height: HEIGHT }),
      svgEl("rect", { class: "black-half", x: ends[0], y: 0, width: ends[1] - ends[0], height: HEIGHT }),
      svgEl("path", { class: "white-half", d: known.length ? `M${ends[0].toFixed(1)} ${HEIGHT}L${line}L${ends[1].toFixed(1)} ${HEIGHT}Z` : "" }),
      svgEl("path", { class: "even", d: `M0 ${HEIGHT / 2}H${WIDTH}` }),
      ...marks,
      svgEl("path", { class: "now", d: "" }),
    );
    const count = found.filter(Boolean).length;
    this.svg.setAttribute("aria-label", `White’s evaluation along the game, ${count} ${count === 1 ? "move" : "moves"} marked as mistakes`);
  }

  #x(ply) { return (ply / this.last) * WIDTH; }

  // Marks the position after some plies.
  mark(ply) { this.svg.querySelector(".now")?.setAttribute("d", `M${this.#x(ply).toFixed(1)} 0V${HEIGHT}`); }
}
