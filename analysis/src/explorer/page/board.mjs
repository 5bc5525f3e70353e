// The board as a picture on which pieces are moved: by dragging them, by two clicks, or with the keyboard.
//
// A board's look is its files and ranks, the drawings of its pieces, and their names by letter. What stands on it is an array with a
// letter for each square, as in rules.mjs.

import { BLACK, WHITE, sideOf } from "./rules.mjs";
import { svgEl } from "./dom.mjs";

const SQUARE = 45;
// Pixels that the pointer goes before it drags what it has pressed.
const DRAG = 5;
// Milliseconds that a piece takes to its new square.
const GLIDE = 180;

const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

export class BoardView {
  // `actions`: `choose` is called with a square that is clicked, `lift` with one whose piece is to be dragged, which it may refuse
  // by what it returns, and `drop` with the square that it comes from and that to which it goes.
  constructor(look, svg, actions) {
    this.svg = svg;
    this.actions = actions;
    this.turned = false;
    this.cursor = 0;
    this.dragged = false;
    this.isPressed = false;
    svg.setAttribute("role", "group");
    svg.addEventListener("click", (event) => this.#clicked(event));
    svg.addEventListener("pointerdown", (event) => this.#pressed(event));
    // Whoever clicks on the board still goes through the moves with the arrow keys.
    svg.addEventListener("mousedown", (event) => {
      event.preventDefault();
      if (document.activeElement !== document.body) document.activeElement?.blur();
    });
    // A finger that begins on a piece drags it; elsewhere it scrolls the page.
    svg.addEventListener("touchmove", (event) => { if (this.isPressed && event.cancelable) event.preventDefault(); }, { passive: false });
    svg.addEventListener("keydown", (event) => this.#key(event));
    this.layers = ["ground", "marks", "men", "arrows", "targets"].map((name) => svgEl("g", { class: name }));
    svg.replaceChildren(...this.layers);
    this.show(look);
  }

  // Shows another kind of board.
  show(look) {
    this.look = look;
    this.men = new Map();
    this.cursor = Math.min(this.cursor, look.files * look.ranks - 1);
    this.svg.setAttribute("viewBox", `0 0 ${look.files * SQUARE} ${look.ranks * SQUARE}`);
    this.layers.forEach((layer) => layer.replaceChildren());
    this.#ground();
  }

  turn() {
    this.turned = !this.turned;
    this.show(this.look);
  }

  file(square) { return square % this.look.files; }
  rank(square) { return Math.floor(square / this.look.files); }
  name(square) { return String.fromCharCode(97 + this.file(square)) + (this.rank(square) + 1); }
  isLight(square) { return (this.file(square) + this.rank(square)) % 2 === 1; }

  // The upper left corner of a square.
  #corner(square) {
    const { files, ranks } = this.look;
    const [column, row] = this.turned ? [files - 1 - this.file(square), this.rank(square)] : [this.file(square), ranks - 1 - this.rank(square)];
    return [column * SQUARE, row * SQUARE];
  }

  #middle(square) { return this.#corner(square).map((at) => at + SQUARE / 2); }

  // A place in the window as one on the board.
  #place({ clientX, clientY }) {
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    return [x, y];
  }

  // The square at a place in the window, or −1.
  squareAt(event) {
    const { files, ranks } = this.look;
    const [column, row] = this.#place(event).map((at) => Math.floor(at / SQUARE));
    if (column < 0 || column >= files || row < 0 || row >= ranks) return -1;
    return this.turned ? row * files + files - 1 - column : (ranks - 1 - row) * files + column;
  }

  // The squares, with the names of files and ranks at the edges.
  #ground() {
    const { files, ranks } = this.look;
    const parts = [];
    for (let square = 0; square < files * ranks; square++) {
      const [x, y] = this.#corner(square);
      const shade = this.isLight(square) ? "light" : "dark";
      parts.push(svgEl("rect", { class: `square ${shade}`, x, y, width: SQUARE, height: SQUARE, role: "button", tabindex: square === this.cursor ? 0 : -1, "data-square": square }));
      if (x === 0) parts.push(svgEl("text", { class: `coordinate ${shade}`, x: x + 2.5, y: y + 10 }, String(this.rank(square) + 1)));
      if (y === (ranks - 1) * SQUARE) parts.push(svgEl("text", { class: `coordinate ${shade} file`, x: x + SQUARE - 2.5, y: y + SQUARE - 3.5 }, this.name(square)[0]));
    }
    this.layers[0].replaceChildren(...parts);
    this.squares = [...this.layers[0].querySelectorAll(".square")].sort((one, other) => one.dataset.square - other.dataset.square);
  }

  // Draws what stands on the board. `marks` has the side to move, squares (those of the last move, the selected one, its targets, those
  // of unprotected pawns, that of a king in check) and arrows from square to square; `glides` says whether pieces are seen to move.
  draw(board, marks = {}, glides = false) {
    const [, ground, , arrows, targets] = this.layers;
    const goes = new Set(marks.targets);
    this.squares.forEach((rect, square) => {
      rect.classList.toggle("last", !!marks.last?.includes(square));
      rect.classList.toggle("chosen", marks.chosen === square);
      rect.classList.toggle("check", marks.check === square);
      rect.classList.toggle("editable", !!marks.editable?.includes(square));
      rect.setAttribute("aria-label", `${this.name(square)}, ${this.#nameOf(board[square])}${goes.has(square) ? ", can go here" : ""}`);
    });
    ground.replaceChildren(...(marks.unprotected ?? []).map((square) => {
      const [cx, cy] = this.#middle(square);
      return svgEl("circle", { class: "unprotected", cx, cy, r: 20 });
    }));
    this.#men(board, glides && !isStill());
    for (const [square, man] of this.men) man.outer.classList.toggle("own", sideOf(man.letter) === marks.side || !!marks.editable?.includes(square));
    arrows.replaceChildren(...(marks.arrows ?? []).flatMap(({ from, to, kind }) => this.#arrow(from, to, kind)));
    targets.replaceChildren(...[...goes].map((square) => {
      const [cx, cy] = this.#middle(square);
      const taken = board[square] !== "";
      return svgEl("circle", { class: taken ? "target taken" : "target", cx, cy, r: taken ? 20 : 7, "data-square": square });
    }));
    this.svg.setAttribute("aria-label", describe(this.look, board, marks));
  }

  #nameOf(letter) {
    if (!letter) return "empty";
    return `${sideOf(letter) === WHITE ? "white" : "black"} ${nameOf(this.look, letter)}`;
  }

  // Puts the pieces on their squares. One that has left a square while a like one has come to another has moved.
  #men(board, glides) {
    const gone = new Map();
    for (const [square, man] of this.men) {
      if (board[square] === man.letter) continue;
      gone.set(square, man);
      this.men.delete(square);
    }
    const distance = (one, other) => Math.hypot(this.file(one) - this.file(other), this.rank(one) - this.rank(other));
    board.forEach((letter, square) => {
      if (!letter || this.men.has(square)) return;
      const like = [...gone.keys()].filter((from) => gone.get(from).letter === letter).sort((one, other) => distance(one, square) - distance(other, square));
      const [from] = like;
      const man = from === undefined ? this.#man(letter) : gone.get(from);
      gone.delete(from);
      this.#stand(man, square);
      if (from !== undefined && glides && this.lifted !== man) this.#glide(man, from, square);
      this.men.set(square, man);
    });
    gone.forEach((man) => man.outer.remove());
  }

  #man(letter) {
    const side = sideOf(letter);
    const inner = svgEl("g");
    inner.innerHTML = `<g ${this.look.drawings.sides[side]}>${shapesOf(this.look, letter)}</g>`;
    const outer = svgEl("g", { class: side === WHITE ? "white piece" : "black piece", "data-piece": letter.toUpperCase() }, inner);
    this.layers[2].append(outer);
    return { letter, outer, inner };
  }

  #stand({ outer, inner }, square) {
    outer.setAttribute("transform", `translate(${this.#corner(square).join(" ")})`);
    outer.dataset.square = square;
    inner.style.transform = "";
  }

  #glide({ outer, inner }, from, to) {
    const [[x1, y1], [x2, y2]] = [this.#corner(from), this.#corner(to)];
    this.layers[2].append(outer);
    inner.animate([{ transform: `translate(${x1 - x2}px, ${y1 - y2}px)` }, { transform: "translate(0, 0)" }], { duration: GLIDE, easing: "ease-in-out" });
  }

  #clicked(event) {
    if (this.dragged) {
      this.dragged = false;
      return;
    }
    const square = event.target.closest("[data-square]")?.dataset.square ?? this.squareAt(event);
    if (Number(square) >= 0) this.actions.choose(Number(square));
  }

  // Drags a piece, with the mouse, a pen or a finger.
  #pressed(event) {
    this.dragged = false;
    if (!event.isPrimary || event.button !== 0) return;
    const from = this.squareAt(event);
    const man = this.men.get(from);
    if (!man?.outer.classList.contains("own")) return;
    this.isPressed = true;
    const begin = [event.clientX, event.clientY];
    let over = null;
    const move = (next) => {
      if (next.pointerId !== event.pointerId) return;
      if (!this.dragged) {
        if (Math.hypot(next.clientX - begin[0], next.clientY - begin[1]) < DRAG) return;
        if (this.men.get(from) !== man || !this.actions.lift(from)) return end(next);
        this.dragged = true;
        this.lifted = man;
        this.svg.setPointerCapture(event.pointerId);
        this.svg.classList.add("dragging");
        this.layers[2].append(man.outer);
      }
      const [x, y] = this.#place(next);
      const [left, top] = this.#corner(from);
      man.inner.style.transform = `translate(${x - left - SQUARE / 2}px, ${y - top - SQUARE / 2}px)`;
      over?.classList.remove("over");
      over = this.squares[this.squareAt(next)];
      over?.classList.add("over");
    };
    const end = (last) => {
      if (last.pointerId !== event.pointerId) return;
      this.isPressed = false;
      for (const name of ["pointermove", "pointerup", "pointercancel"]) document.removeEventListener(name, name === "pointermove" ? move : end);
      over?.classList.remove("over");
      this.svg.classList.remove("dragging");
      if (!this.lifted) return;
      const to = last.type === "pointerup" ? this.squareAt(last) : -1;
      this.actions.drop(from, to);
      // A piece that has stayed where it was goes back.
      if (this.men.get(from) === man) this.#stand(man, from);
      this.lifted = null;
    };
    document.addEventListener("pointermove", move);
    document.addEventListener("pointerup", end);
    document.addEventListener("pointercancel", end);
  }

  // Arrow keys go from square to square while one has the focus; Enter and space are a click.
  #key(event) {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    const { files, ranks } = this.look;
    if (step) {
      const [right, up] = step.map((by) => (this.turned ? -by : by));
      const [file, rank] = [this.file(this.cursor) + right, this.rank(this.cursor) + up];
      if (file >= 0 && file < files && rank >= 0 && rank < ranks) this.#goTo(rank * files + file);
    } else if (event.key === "Enter" || event.key === " ") {
      this.actions.choose(this.cursor);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  #goTo(square) {
    this.squares[this.cursor].tabIndex = -1;
    this.cursor = square;
    this.squares[square].tabIndex = 0;
    this.squares[square].focus();
  }

  #arrow(from, to, kind) {
    if (from === to) {
      const [cx, cy] = this.#middle(from);
      return [svgEl("circle", { class: `arrow ${kind}`, cx, cy, r: 19 })];
    }
    const [[x1, y1], [x2, y2]] = [this.#middle(from), this.#middle(to)];
    // Arrows along the first rank are curved, so that those of king and rook do not cover each other.
    const bend = kind === "king" ? -26 : kind === "partner" ? 24 : 0;
    const [cx, cy] = [(x1 + x2) / 2, (bend ? y1 : (y1 + y2) / 2) + bend];
    const angle = Math.atan2(y2 - cy, x2 - cx);
    const head = [2.6, -2.6].map((turn) => `${x2 + 9 * Math.cos(angle + turn)} ${y2 + 9 * Math.sin(angle + turn)}`);
    return [svgEl("path", { class: `arrow ${kind}`, d: `M${x1} ${y1}Q${cx} ${cy} ${x2} ${y2}M${head[0]}L${x2} ${y2}L${head[1]}` })];
  }

  // The position as an SVG file, without marks.
  toSvgFile(board) {
    const { files, ranks } = this.look;
    const [width, height] = [files * SQUARE, ranks * SQUARE];
    const parts = board.map((letter, square) => {
      const [x, y] = this.#corner(square);
      const ground = `<rect x="${x}" y="${y}" width="${SQUARE}" height="${SQUARE}" fill="${this.isLight(square) ? "#f0d9b5" : "#b58863"}"/>`;
      const man = letter && `\n<g transform="translate(${x} ${y})" ${this.look.drawings.sides[sideOf(letter)]}>${shapesOf(this.look, letter)}</g>`;
      return ground + man;
    });
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">\n${parts.join("\n")}\n</svg>\n`;
  }
}

// A piece without a drawing is its letter.
function shapesOf({ drawings }, letter) {
  const kind = letter.toUpperCase();
  return drawings.shapes[kind] || `<text x="22.5" y="32" font-size="26" text-anchor="middle">${kind}</text>`;
}

function nameOf({ names }, letter) { return names[letter.toUpperCase()] ?? (letter.toUpperCase() === "P" ? "pawn" : letter); }

// A piece's drawing as an element.
export function pieceIcon(look, letter, side = WHITE) {
  const svg = svgEl("svg", { viewBox: `0 0 ${SQUARE} ${SQUARE}`, class: "icon", "aria-hidden": "true" });
  svg.innerHTML = `<g ${look.drawings.sides[side]}>${shapesOf(look, letter)}</g>`;
  return svg;
}

// A small picture of some rows of letters, the upper one first.
export function miniature(look, rows) {
  const files = rows[0].length;
  const svg = svgEl("svg", { viewBox: `0 0 ${files * SQUARE} ${rows.length * SQUARE}`, class: "miniature", "aria-hidden": "true" });
  svg.innerHTML = rows.map((row, at) => [...row].map((letter, file) => {
    const shade = (file + rows.length - 1 - at) % 2 === 1 ? "light" : "dark";
    const ground = `<rect class="${shade}" x="${file * SQUARE}" y="${at * SQUARE}" width="${SQUARE}" height="${SQUARE}"/>`;
    const isEmpty = letter === "." || letter === "";
    return ground + (isEmpty ? "" : `<g transform="translate(${file * SQUARE} ${at * SQUARE})" ${look.drawings.sides[sideOf(letter)]}>${shapesOf(look, letter)}</g>`);
  }).join("")).join("");
  return svg;
}

// What stands on a board, in words.
function describe(look, board, { side, check }) {
  const name = (square) => String.fromCharCode(97 + (square % look.files)) + (Math.floor(square / look.files) + 1);
  const list = (owner) => {
    const names = new Map();
    board.forEach((letter, square) => {
      if (!letter || sideOf(letter) !== owner) return;
      const kind = nameOf(look, letter);
      names.set(kind, [...(names.get(kind) ?? []), name(square)]);
    });
    return [...names].map(([kind, squares]) => `${kind} ${squares.join(" ")}`).join(", ");
  };
  const inCheck = check === undefined || check < 0 ? "" : ", in check";
  return `Board. ${side === BLACK ? "Black" : "White"} to move${inCheck}. White: ${list(WHITE)}. Black: ${list(BLACK)}.`;
}
