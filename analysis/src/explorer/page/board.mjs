// The board as a picture.

import { BLACK, WHITE, sideOf } from "./rules.mjs";
import { svgEl } from "./dom.mjs";

const SQUARE = 45;
const MARGIN = 20;

export class BoardView {
  // `onsquare` is called with a square that is clicked.
  constructor(data, svg, onsquare) {
    this.data = data;
    this.rules = data.rules;
    this.svg = svg;
    this.turned = false;
    const [width, height] = [this.rules.files * SQUARE + MARGIN, this.rules.ranks * SQUARE + MARGIN];
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.addEventListener("click", (event) => {
      const square = event.target.closest("[data-square]");
      if (square) onsquare(Number(square.dataset.square));
    });
  }

  // The upper left corner of a square.
  #corner(square) {
    const [file, rank] = [this.rules.file(square), this.rules.rank(square)];
    const [column, row] = this.turned ? [this.rules.files - 1 - file, rank] : [file, this.rules.ranks - 1 - rank];
    return [MARGIN + column * SQUARE, row * SQUARE];
  }

  #middle(square) { return this.#corner(square).map((at) => at + SQUARE / 2); }

  // Draws a position. `marks` has squares (those of the last move, the selected one, its targets, those of unprotected
  // pawns) and arrows from square to square.
  draw(position, marks = {}) {
    const { rules } = this;
    const parts = [];
    for (let square = 0; square < rules.squares; square++) {
      const [x, y] = this.#corner(square);
      const classes = ["square", rules.isLight(square) ? "light" : "dark"];
      if (marks.last?.includes(square)) classes.push("last");
      if (marks.chosen === square) classes.push("chosen");
      parts.push(svgEl("rect", { class: classes.join(" "), x, y, width: SQUARE, height: SQUARE, "data-square": square }));
    }
    const text = (x, y, label) => parts.push(svgEl("text", { class: "coordinate", x, y }, label));
    for (let file = 0; file < rules.files; file++) {
      text(this.#middle(file)[0], rules.ranks * SQUARE + 15, rules.fileName(file));
    }
    for (let rank = 0; rank < rules.ranks; rank++) {
      text(MARGIN / 2 - 1, this.#middle(rules.square(0, rank))[1] + 4, String(rank + 1));
    }
    marks.unprotected?.forEach((square) => {
      const [cx, cy] = this.#middle(square);
      parts.push(svgEl("circle", { class: "unprotected", cx, cy, r: 20 }));
    });
    position.board.forEach((letter, square) => {
      if (letter) parts.push(this.#piece(letter, this.#corner(square), square));
    });
    marks.arrows?.forEach(({ from, to, kind }) => parts.push(...this.#arrow(from, to, kind)));
    marks.targets?.forEach((square) => {
      const [cx, cy] = this.#middle(square);
      const taken = position.board[square] !== "";
      parts.push(svgEl("circle", { class: taken ? "target taken" : "target", cx, cy, r: taken ? 20 : 7, "data-square": square }));
    });
    this.svg.replaceChildren(...parts);
    this.svg.setAttribute("aria-label", describe(position));
  }

  #piece(letter, [x, y], square) {
    const side = sideOf(letter);
    const piece = svgEl("g", { transform: `translate(${x} ${y})`, class: side === WHITE ? "white piece" : "black piece", "data-square": square, "data-piece": letter.toUpperCase() });
    piece.innerHTML = `<g ${this.data.drawings.sides[side]}>${this.data.drawings.shapes[letter.toUpperCase()]}</g>`;
    return piece;
  }

  #arrow(from, to, kind) {
    if (from === to) {
      const [cx, cy] = this.#middle(from);
      return [svgEl("circle", { class: `arrow ${kind}`, cx, cy, r: 19 })];
    }
    const [[x1, y1], [x2, y2]] = [this.#middle(from), this.#middle(to)];
    // Arrows along the first rank are curved, so that those of king and rook do not cover each other.
    const bend = kind === "king" ? -26 : 24;
    const [cx, cy] = [(x1 + x2) / 2, y1 + bend];
    const angle = Math.atan2(y2 - cy, x2 - cx);
    const head = [2.6, -2.6].map((turn) => `${x2 + 9 * Math.cos(angle + turn)} ${y2 + 9 * Math.sin(angle + turn)}`);
    return [svgEl("path", { class: `arrow ${kind}`, d: `M${x1} ${y1}Q${cx} ${cy} ${x2} ${y2}M${head[0]}L${x2} ${y2}L${head[1]}` })];
  }

  // The position as an SVG file, without marks.
  toSvgFile(position) {
    const { rules } = this;
    const [width, height] = [rules.files * SQUARE, rules.ranks * SQUARE];
    const parts = [];
    for (let square = 0; square < rules.squares; square++) {
      const [x, y] = this.#corner(square).map((at, axis) => (axis === 0 ? at - MARGIN : at));
      parts.push(`<rect x="${x}" y="${y}" width="${SQUARE}" height="${SQUARE}" fill="${rules.isLight(square) ? "#f0d9b5" : "#b58863"}"/>`);
      const letter = position.board[square];
      if (letter) {
        const { sides, shapes } = this.data.drawings;
        parts.push(`<g transform="translate(${x} ${y})" ${sides[sideOf(letter)]}>${shapes[letter.toUpperCase()]}</g>`);
      }
    }
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">\n${parts.join("\n")}\n</svg>\n`;
  }
}

// A piece's drawing as an element.
export function pieceIcon(data, letter, side = WHITE) {
  const svg = svgEl("svg", { viewBox: `0 0 ${SQUARE} ${SQUARE}`, class: "icon", "aria-hidden": "true" });
  svg.innerHTML = `<g ${data.drawings.sides[side]}>${data.drawings.shapes[letter]}</g>`;
  return svg;
}

// The position in words.
function describe(position) {
  const { rules } = position;
  const list = (side) => {
    const names = new Map();
    position.board.forEach((letter, square) => {
      if (!letter || sideOf(letter) !== side) return;
      const name = rules.kinds.get(letter.toUpperCase())?.name ?? "pawn";
      names.set(name, [...(names.get(name) ?? []), rules.name(square)]);
    });
    return [...names].map(([name, squares]) => `${name} ${squares.join(" ")}`).join(", ");
  };
  const check = position.isCheck() ? ", in check" : "";
  return `${position.side === WHITE ? "White" : "Black"} to move${check}. White: ${list(WHITE)}. Black: ${list(BLACK)}.`;
}
