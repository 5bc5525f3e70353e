// The line of play on the board: a recorded game, or moves that the reader plays.

import { WHITE } from "./rules.mjs";
import { notation, pgn, uci } from "./notation.mjs";
import { announce, byId, copyText, el, saveFile } from "./dom.mjs";
import { BoardView } from "./board.mjs";

// Milliseconds between two moves during autoplay.
const BEAT = 700;

export class LineView {
  constructor(app) {
    this.app = app;
    this.board = new BoardView(app.data, byId("board"), (square) => this.#clicked(square));
    this.arrows = [];
    const actions = {
      first: () => this.go(0), back: () => this.go(this.ply - 1), forward: () => this.go(this.ply + 1),
      last: () => this.go(this.moves.length), autoplay: () => this.autoplay(!this.timer), turn: () => this.turn(),
    };
    for (const [id, action] of Object.entries(actions)) byId(id).addEventListener("click", action);
    byId("ply").addEventListener("input", (event) => this.go(Number(event.target.value)));
    byId("moves").addEventListener("click", (event) => {
      const ply = event.target.closest("[data-ply]")?.dataset.ply;
      if (ply) this.go(Number(ply));
    });
    byId("play-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#playText(byId("play-text").value);
    });
    document.addEventListener("keydown", (event) => this.#key(event));
    const copies = { "copy-fen": () => copyText(this.position.fen(), "FEN"), "copy-pgn": () => copyText(this.pgn(), "PGN") };
    for (const [id, action] of Object.entries(copies)) byId(id).addEventListener("click", action);
    const name = () => `${app.data.game.key}-${app.data.setups.label(app.setup).replace("/", "-")}`;
    byId("save-pgn").addEventListener("click", () => saveFile(`${name()}.pgn`, "application/vnd.chess-pgn", this.pgn()));
    byId("save-svg").addEventListener("click", () => saveFile(`${name()}.svg`, "image/svg+xml", this.board.toSvgFile(this.position)));
  }

  // Shows a line on the board; `game` is the index of the recorded game, if it is one.
  set(start, moves = [], game = null) {
    this.autoplay(false);
    this.start = start;
    this.moves = moves;
    this.game = game;
    this.positions = [start];
    this.names = [];
    this.ply = 0;
    this.#list();
    this.go(0);
  }

  // The position after some plies.
  at(ply) {
    for (let next = this.positions.length; next <= ply; next++) {
      const position = this.positions[next - 1].copy();
      position.play(this.moves[next - 1]);
      this.positions.push(position);
    }
    return this.positions[ply];
  }

  get position() { return this.at(this.ply); }

  #name(ply) { return (this.names[ply] ??= notation(this.at(ply), this.moves[ply])); }

  // Shows the position after some plies.
  go(ply) {
    this.ply = Math.min(Math.max(ply, 0), this.moves.length);
    if (this.ply === this.moves.length) this.autoplay(false);
    this.chosen = null;
    this.arrows = [];
    this.draw();
    const { moves } = this;
    byId("ply").max = moves.length;
    byId("ply").value = this.ply;
    byId("ply").setAttribute("aria-valuetext", this.ply ? `move ${this.#number(this.ply - 1)}${this.#name(this.ply - 1)}` : "start");
    for (const [id, useless] of [["first", this.ply === 0], ["back", this.ply === 0], ["forward", this.ply === moves.length], ["last", this.ply === moves.length], ["autoplay", moves.length === 0]]) {
      byId(id).disabled = useless;
    }
    const list = byId("moves");
    list.querySelector(".current")?.removeAttribute("aria-current");
    list.querySelector(".current")?.classList.remove("current");
    const current = list.querySelector(`[data-ply="${this.ply}"]`);
    if (current) {
      current.classList.add("current");
      current.setAttribute("aria-current", "step");
      // Only the list scrolls, not the page.
      const below = current.offsetTop + current.offsetHeight - list.clientHeight;
      if (list.scrollTop < below) list.scrollTop = below + 4;
      else if (list.scrollTop > current.offsetTop) list.scrollTop = current.offsetTop - 4;
    } else {
      list.scrollTop = 0;
    }
    byId("fen").textContent = this.position.fen();
    this.#status();
    this.app.emit("position");
  }

  #status() {
    const { data } = this.app;
    const mover = this.position.side === WHITE ? "White" : "Black";
    let text = `${mover} to move`;
    if (this.game !== null && this.ply === this.moves.length) {
      text = `${data.recorded.resultOf(this.game)}, ${data.recorded.terminationOf(this.game)}`;
    } else if (this.ply > 0) {
      const check = this.position.isCheck();
      if (this.position.legalMoves().length === 0) text = check ? "checkmate" : "stalemate";
      else if (check) text += ", in check";
    }
    if (this.ply > 0) text = `${this.#number(this.ply - 1)}${this.#name(this.ply - 1)} · ${text}`;
    byId("status").textContent = text;
  }

  #number(ply) {
    const position = this.at(ply);
    return `${position.fullmoves}${position.side === WHITE ? "." : "…"} `;
  }

  // Draws the board with its marks.
  draw() {
    const last = this.ply > 0 ? this.moves[this.ply - 1] : null;
    const targets = this.chosen === null ? [] : this.legal.filter((move) => move.from === this.chosen).map((move) => move.to);
    this.board.draw(this.position, {
      last: last ? [last.from, last.to] : [],
      chosen: this.chosen,
      targets,
      unprotected: this.ply === 0 && byId("mark-unprotected").checked ? this.app.unprotected() : [],
      arrows: this.arrows,
    });
  }

  // Shows arrows on the board until another position is shown; showing the same arrows again hides them.
  show(arrows) {
    this.arrows = JSON.stringify(arrows) === JSON.stringify(this.arrows) ? [] : arrows;
    this.draw();
    return this.arrows.length > 0;
  }

  turn() {
    this.board.turned = !this.board.turned;
    this.draw();
  }

  // Plays a move on the board. It follows the line, or replaces the rest of it.
  play(move) {
    const next = this.moves[this.ply];
    const same = next && next.from === move.from && next.to === move.to && next.promotion === move.promotion;
    if (!same) {
      this.moves = [...this.moves.slice(0, this.ply), move];
      this.positions.length = this.ply + 1;
      this.names.length = this.ply;
      this.game = null;
      this.#list();
    }
    this.go(this.ply + 1);
  }

  #clicked(square) {
    if (this.chosen !== null && square !== this.chosen) {
      const moves = this.legal.filter((move) => move.from === this.chosen && move.to === square);
      if (moves.length) return moves[0].promotion ? this.#promote(moves) : this.play(moves[0]);
    }
    this.legal = this.position.legalMoves();
    const movable = this.legal.some((move) => move.from === square);
    this.chosen = movable && this.chosen !== square ? square : null;
    return this.draw();
  }

  // Asks which piece a pawn becomes.
  #promote(moves) {
    const dialog = byId("promotion");
    const buttons = moves.map((move) => el("button", {
      type: "button",
      onclick: () => {
        dialog.close();
        this.play(move);
      },
    }, this.app.data.rules.kinds.get(move.promotion).name));
    byId("promotion-choices").replaceChildren(...buttons);
    dialog.showModal();
  }

  #playText(text) {
    const wanted = text.trim().replace(/[+#]$/, "");
    if (!wanted) return;
    const { position } = this;
    const legal = position.legalMoves();
    const plain = (move) => notation(position, move).replace(/[+#]$/, "");
    const found = legal.find((move) => uci(position.rules, move) === wanted)
      ?? legal.find((move) => plain(move) === wanted)
      ?? legal.find((move) => plain(move).toLowerCase() === wanted.toLowerCase());
    if (!found) {
      announce(`${wanted} is not a legal move here`);
      return;
    }
    byId("play-text").value = "";
    this.play(found);
    announce(byId("status").textContent);
  }

  autoplay(on) {
    clearInterval(this.timer);
    this.timer = null;
    if (on) {
      if (this.ply === this.moves.length) this.go(0);
      this.timer = setInterval(() => this.go(this.ply + 1), BEAT);
    }
    byId("autoplay").setAttribute("aria-pressed", String(!!on));
    byId("autoplay").setAttribute("aria-label", on ? "Pause" : "Play the moves");
  }

  #key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, select, textarea, dialog, [data-own-keys]")) return;
    const step = { ArrowLeft: this.ply - 1, ArrowRight: this.ply + 1, Home: 0, End: this.moves.length }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      this.autoplay(false);
      this.go(step);
    } else if (event.key === " " && !event.target.closest("button, a, summary") && this.moves.length) {
      event.preventDefault();
      this.autoplay(!this.timer);
    }
  }

  // Lists the moves in the game's notation.
  #list() {
    const items = [];
    this.moves.forEach((_, ply) => {
      const position = this.at(ply);
      if (position.side === WHITE || ply === 0) items.push(el("span", { class: "number" }, this.#number(ply)));
      const opening = this.game !== null && ply < this.app.data.recorded.opening_plies[this.game];
      items.push(el("button", { type: "button", class: opening ? "move opening" : "move", "data-ply": ply + 1, title: opening ? "drawn at random" : null }, this.#name(ply)));
    });
    if (this.game !== null) {
      const { recorded } = this.app.data;
      items.push(el("span", { class: "ending" }, `${recorded.resultOf(this.game)} ${recorded.terminationOf(this.game)}`));
    }
    byId("moves").replaceChildren(...items);
    byId("moves").classList.toggle("empty", items.length === 0);
  }

  // The line as PGN; a recorded game as `backrank export` writes it.
  pgn() {
    const { data } = this.app;
    const { recorded } = data;
    const { game } = this;
    const isRecorded = game !== null;
    const [white, black] = isRecorded ? recorded.playersOf(game) : ["?", "?"];
    const result = isRecorded ? recorded.resultOf(game) : "*";
    const ending = isRecorded ? recorded.terminations[recorded.termination[game]] : "";
    const reasons = { adjudication: "adjudication", time: "time forfeit", "engine-failure": "abandoned" };
    return pgn(this.start, this.moves, result, [
      ["Event", isRecorded ? "backrank" : "?"],
      ["Site", "?"],
      ["Date", "????.??.??"],
      ["Round", isRecorded ? recorded.game[game] + 1 : "?"],
      ["White", white],
      ["Black", black],
      ["Result", result],
      ["Variant", data.game.orthodox ? "" : data.game.key],
      ["SetUp", "1"],
      // Other programs read six fields.
      ["FEN", this.start.fen().replace(/^(\S+(?: \S+){5}) -$/, "$1")],
      ["PlyCount", this.moves.length],
      ["Termination", isRecorded ? reasons[ending] ?? "normal" : ""],
      ["Ending", ending],
    ]);
  }
}
