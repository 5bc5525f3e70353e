// The line of play on the board: a recorded game, or moves that the reader plays.

import { WHITE } from "./rules.mjs";
import { notation, pgn } from "./notation.mjs";
import { fenIn, readMoves, squaresOf } from "./reading.mjs";
import { announce, byId, copyText, el, plural, saveFile } from "./dom.mjs";
import { BoardView } from "./board.mjs";
import { EvaluationGraph, evaluationText, mistakes } from "./evaluation.mjs";

// Milliseconds between two moves during autoplay.
const BEAT = 700;

export class LineView {
  constructor(app) {
    this.app = app;
    this.board = new BoardView(app.data.look, byId("board"), {
      choose: (square) => this.#clicked(square),
      lift: (square) => this.#lift(square),
      drop: (from, to) => this.#drop(from, to),
    });
    this.graph = new EvaluationGraph(byId("evaluation"), (ply) => this.go(ply));
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
    // Lines that are pasted stay apart.
    byId("play-text").addEventListener("paste", (event) => {
      const text = event.clipboardData?.getData("text") ?? "";
      if (!/[\r\n]/.test(text)) return;
      event.preventDefault();
      event.target.setRangeText(text.replace(/;.*$/gm, "").replace(/\s+/g, " "), event.target.selectionStart, event.target.selectionEnd, "end");
    });
    document.addEventListener("keydown", (event) => this.#key(event));
    const copies = { "copy-fen": () => copyText(this.position.fen(), "FEN"), "copy-pgn": () => copyText(this.pgn(), "PGN") };
    for (const [id, action] of Object.entries(copies)) byId(id).addEventListener("click", action);
    const name = () => `${app.data.game.key}-${app.data.setups.label(app.setup).replace(/[/:]/g, "-")}`;
    byId("save-pgn").addEventListener("click", () => saveFile(`${name()}.pgn`, "application/vnd.chess-pgn", this.pgn()));
    byId("save-svg").addEventListener("click", () => saveFile(`${name()}.svg`, "image/svg+xml", this.board.toSvgFile(this.position.board)));
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
    this.legal = null;
    this.#evaluate();
    this.#list();
    this.go(0, false);
  }

  // The evaluations along a recorded game, if there are any, and what they call mistakes.
  #evaluate() {
    const { recorded } = this.app.data;
    this.evaluations = this.game === null ? null : recorded.evaluationsOf(this.game);
    this.mistakes = this.evaluations ? mistakes(this.evaluations, (ply) => this.at(ply).side === WHITE) : [];
    byId("evaluation-side").hidden = !this.evaluations;
    if (this.evaluations) this.graph.draw(this.evaluations, this.mistakes);
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

  // Shows the position after some plies. Where it is the next one or the one before, pieces are seen to move.
  go(ply, glides = Math.abs(ply - this.ply) === 1) {
    this.ply = Math.min(Math.max(ply, 0), this.moves.length);
    if (this.ply === this.moves.length) this.autoplay(false);
    this.chosen = null;
    this.legal = null;
    this.arrows = [];
    this.draw(glides);
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
    if (this.evaluations) this.graph.mark(this.ply);
    byId("evaluation-now").textContent = evaluationText(this.evaluations?.[this.ply]);
    this.#status();
    this.app.emit("position");
    this.app.remember(true);
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

  // The legal moves of the position, each with the squares on which its piece can be dropped.
  #moves() {
    if (this.legal) return this.legal;
    const legal = this.position.legalMoves();
    this.legal = legal.map((move) => ({ move, squares: squaresOf(this.position, move, legal) }));
    return this.legal;
  }

  // Where the piece on a square can be dropped: where it can move, or, while setups are arranged, stand.
  #targets(from) {
    const { arranger } = this.app;
    if (arranger?.on) return arranger.targets(from);
    return this.#moves().filter(({ move }) => move.from === from).flatMap(({ squares }) => squares);
  }

  // Draws the board with its marks.
  draw(glides = false) {
    const last = this.ply > 0 ? this.moves[this.ply - 1] : null;
    const { position } = this;
    const { arranger } = this.app;
    const unprotected = this.ply === 0 && byId("mark-unprotected").checked ? this.app.unprotected() : [];
    byId("circles-note").hidden = !unprotected.length;
    this.board.draw(position.board, {
      side: position.side,
      last: last ? [last.from, last.to] : [],
      chosen: this.chosen,
      targets: this.chosen === null ? [] : this.#targets(this.chosen),
      check: position.isCheck() ? position.kingSquare() : -1,
      editable: arranger?.on ? arranger.squares : [],
      unprotected,
      arrows: this.arrows,
    }, glides);
  }

  // Shows arrows on the board until another position is shown; showing the same arrows again hides them.
  show(arrows) {
    this.arrows = JSON.stringify(arrows) === JSON.stringify(this.arrows) ? [] : arrows;
    this.draw();
    return this.arrows.length > 0;
  }

  turn() {
    this.board.turn();
    this.draw();
  }

  // Plays moves on the board.
  play(...moves) { moves.forEach((move) => this.#play(move)); }

  // Plays a move. It follows the line, or replaces the rest of it.
  #play(move) {
    const next = this.moves[this.ply];
    const same = next && next.from === move.from && next.to === move.to && next.promotion === move.promotion;
    if (!same) {
      this.moves = [...this.moves.slice(0, this.ply), move];
      this.positions.length = this.ply + 1;
      this.names.length = this.ply;
      this.game = null;
      this.#evaluate();
      this.#list();
    }
    this.go(this.ply + 1);
  }

  #clicked(square) {
    const from = this.chosen;
    if (from !== null && square !== from && this.#drop(from, square)) return;
    const movable = this.#targets(square).length > 0;
    this.chosen = movable && from !== square ? square : null;
    this.draw();
  }

  // A piece that is dragged is the chosen one.
  #lift(square) {
    if (!this.#targets(square).length) return false;
    this.chosen = square;
    this.draw();
    return true;
  }

  // Moves the piece on a square to another; false if it cannot go there.
  #drop(from, to) {
    const { arranger } = this.app;
    if (arranger?.on) {
      const can = arranger.targets(from).includes(to);
      this.chosen = null;
      if (can) arranger.move(from, to);
      else this.draw();
      return can;
    }
    const moves = this.#moves().filter(({ move, squares }) => move.from === from && squares.includes(to)).map(({ move }) => move);
    if (!moves.length) {
      // A piece that is let go somewhere else stays chosen no longer.
      if (to !== from) this.chosen = null;
      this.draw();
      return false;
    }
    if (moves.length > 1 || moves[0].promotion) this.#promote(moves);
    else this.play(moves[0]);
    return true;
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
    }, this.app.data.rules.kinds.get(move.promotion)?.name ?? notation(this.position, move)));
    byId("promotion-choices").replaceChildren(...buttons);
    dialog.showModal();
  }

  // Plays what somebody has written: a move, a line or a game in PGN, which may name another setup.
  #playText(text) {
    if (!text.trim()) return;
    try {
      const fen = fenIn(text);
      if (fen) this.app.openFen(fen);
      const moves = readMoves(this.position, text);
      byId("play-text").value = "";
      this.play(...moves);
      announce(moves.length === 1 ? byId("status").textContent : `${plural(moves.length, "ply", "plies")} on the board: ${byId("status").textContent}`);
    } catch (error) {
      announce(error.message);
    }
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
    const mistake = (ply) => {
      const found = this.mistakes[ply];
      return found ? el("abbr", { class: found.name, title: `${found.name}: ${evaluationText(this.evaluations[ply])} to ${evaluationText(this.evaluations[ply + 1])}` }, found.mark) : null;
    };
    this.moves.forEach((_, ply) => {
      const position = this.at(ply);
      if (position.side === WHITE || ply === 0) items.push(el("span", { class: "number" }, this.#number(ply)));
      const opening = this.game !== null && ply < this.app.data.recorded.opening_plies[this.game];
      items.push(el("button", { type: "button", class: opening ? "move opening" : "move", "data-ply": ply + 1, title: opening ? "drawn at random" : null }, this.#name(ply), mistake(ply)));
    });
    this.#title();
    if (this.game !== null) {
      const { recorded } = this.app.data;
      items.push(el("span", { class: "ending" }, `${recorded.resultOf(this.game)} ${recorded.terminationOf(this.game)}`));
    }
    byId("moves").replaceChildren(...items);
    byId("moves").classList.toggle("empty", items.length === 0);
  }

  // What the line is, above its moves.
  #title() {
    const { recorded } = this.app.data;
    const { game } = this;
    byId("line-title").textContent = game !== null ? `Game ${recorded.game[game]} of ${recorded.studies[recorded.study[game]]}` : this.moves.length ? "Line" : "Play";
    byId("line-players").textContent = game !== null ? recorded.playersOf(game).join(" – ") : this.moves.length ? "" : "Drag a piece, click on it, or write a move or a whole line.";
    byId("game-steps").hidden = !recorded;
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
