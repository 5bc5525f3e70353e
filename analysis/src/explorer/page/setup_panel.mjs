// The setup on the board, and its measures.

import { BLACK, WHITE } from "./rules.mjs";
import { notation } from "./notation.mjs";
import { byId, el, plural, thousands } from "./dom.mjs";
import { pieceIcon } from "./board.mjs";

// What is said of a setup before more is asked for.
const FIRST_MEASURES = ["score_pawns", "score_cp", "expected_score", "complexity", "best_moves", "best_move", "line", "games", "score", "shrunk"];

export class SetupPanel {
  constructor(app) {
    this.app = app;
    app.on("setup", () => this.draw());
    app.on("position", () => this.#press(null));
    byId("mark-unprotected").addEventListener("change", () => app.line.draw());
    const { moves } = app.data.game;
    byId("pieces").replaceChildren(...Object.keys(moves).map((letter) => el("button", {
      type: "button", class: "kind", "data-piece": letter, "aria-label": `${moves[letter].name}: ${moves[letter].words}`,
    }, pieceIcon(app.data, letter))));
  }

  draw() {
    const { data, setup } = this.app;
    const { setups } = data;
    byId("setup-name").textContent = setups.label(setup);
    const ids = data.numberings.map((numbering, at) => el("span", { class: at === 0 ? "id main" : "id", title: numbering.note }, `#${setups.id(numbering, setup)} `, el("small", {}, `in ${numbering.name}`)));
    byId("setup-ids").replaceChildren(...ids);
    const titles = (note) => data.pages.filter(([number]) => new RegExp(`(?<![\\d,])${number}\\b`).test(note)).map(([number, title]) => `${number} ${title}`).join(", ");
    const inWords = (note) => (titles(note) ? `${note} (The Chess Variant Pages: ${titles(note)})` : note);
    const notes = data.notes.filter(([place]) => place === setup).map(([, note]) => el("p", { class: "soft" }, inWords(note)));
    byId("setup-notes").replaceChildren(...notes);
    this.#drawReflection();
    this.#drawCastling();
    this.#drawAdjustments();
    const [white, black] = data.unprotected.map((files) => files[setup]);
    const list = (files) => (files ? [...files].join(", ") : "none");
    const pawns = white === black ? list(white) : `White’s ${list(white)}; Black’s ${list(black)}`;
    byId("unprotected").textContent = white || black ? `no piece protects those on ${pawns}` : "every pawn is protected";
    byId("unprotected-mark").hidden = !white && !black;
    this.#drawSentence();
    this.#drawMeasures();
  }

  // What its numbers say in words, at the top.
  #drawSentence() {
    const { data, setup } = this.app;
    const words = data.column("in_words")?.values[setup];
    byId("in-words").textContent = words ? `${words[0].toUpperCase()}${words.slice(1)}.` : "";
    byId("in-words").hidden = !words;
  }

  #drawReflection() {
    const { app } = this;
    const { setups } = app.data;
    const reflection = setups.reflection(app.setup);
    const button = byId("reflect");
    button.disabled = reflection === undefined || reflection === app.setup;
    const text = reflection === undefined ? "its reflection is not listed"
      : reflection === app.setup ? "it is its own reflection"
        : el("a", { href: `#${setups.label(reflection)}` }, `${setups.label(reflection)} (#${setups.id(app.data.numberings[0], reflection)})`);
    byId("reflection").replaceChildren(text);
  }

  // The castlings of both sides, shown by arrows on the board.
  #drawCastling() {
    const { app } = this;
    const start = app.data.start(app.setup);
    const { rules } = app.data;
    const buttons = [WHITE, BLACK].flatMap((side) => {
      const position = start.copy();
      position.side = side;
      const king = position.kingSquare();
      return [...position.castling].filter((square) => position.isOwn(square)).map((partner) => {
        const move = position.move(king, partner);
        const [kingLands, partnerLands] = position.landing(move);
        const arrows = [{ from: king, to: kingLands, kind: "king" }, { from: partner, to: partnerLands, kind: "partner" }];
        const pieces = `${rules.kinds.get(position.kind(king)).name} ${rules.name(king)} to ${rules.name(kingLands)}, ${rules.kinds.get(position.kind(partner)).name} ${rules.name(partner)} to ${rules.name(partnerLands)}`;
        const button = el("button", { type: "button", class: side === WHITE ? "chip white-side" : "chip black-side", "aria-pressed": "false", title: pieces, "aria-label": `${side === WHITE ? "White" : "Black"}’s ${notation(position, move)}: ${pieces}` }, notation(position, move));
        button.addEventListener("click", () => {
          if (app.line.ply > 0) app.line.go(0);
          const shown = app.line.show(arrows);
          this.#press(shown ? button : null);
          app.showBoard();
        });
        return button;
      });
    });
    byId("castling").replaceChildren(...(buttons.length ? buttons : ["no castling"]));
  }

  // Marks the castling whose arrows are on the board.
  #press(button) {
    document.querySelectorAll("#castling button").forEach((other) => other.setAttribute("aria-pressed", String(other === button)));
  }

  // The adjustments that each side could play at the start.
  #drawAdjustments() {
    const { app } = this;
    byId("adjustment-row").hidden = !app.data.game.adjustment;
    if (!app.data.game.adjustment) return;
    const start = app.data.start(app.setup);
    const buttons = [WHITE, BLACK].flatMap((side) => {
      const position = start.copy();
      position.side = side;
      return position.legalMoves().filter((move) => move.kind === "adjustment").map((move) => el("button", {
        type: "button",
        class: side === WHITE ? "chip white-side" : "chip black-side",
        title: side === WHITE ? "Play it on the board" : "Show it on the board",
        "aria-label": `${side === WHITE ? "White" : "Black"}’s ${notation(position, move)}`,
        onclick: () => {
          app.line.set(start);
          if (side === WHITE) app.line.play(move);
          else app.line.show([{ from: move.from, to: move.to, kind: "king" }, { from: move.to, to: move.from, kind: "partner" }]);
          app.showBoard();
        },
      }, notation(position, move)));
    });
    byId("adjustments").replaceChildren(...(buttons.length ? buttons : ["none: the bishops start on both colours"]));
  }

  // Every measure, with its rank among all setups: first those that most people look for, the others behind them.
  #drawMeasures() {
    const { data, setup } = this.app;
    const isEnd = (column) => /_(low|high)$/.test(column.key) && data.column(column.key.replace(/_(low|high)$/, ""));
    // The best moves begin with the best one.
    const isSaid = (column) => column.key === "in_words" || (column.key === "best_move" && data.column("best_moves"));
    const isFirst = (column) => FIRST_MEASURES.includes(column.key) && !column.whyNoRanks;
    const rows = (source, first) => data.columns
      .filter((column) => column.source === source && !isSaid(column) && column.values[setup] !== null && column.text(setup) !== "" && !isEnd(column) && isFirst(column) === first)
      .flatMap((column) => this.#measure(column, setup));
    const group = (title, source, first) => {
      const found = rows(source, first);
      if (!found.length) return [];
      const known = Math.max(...data.columns.filter((column) => column.source === source).map((column) => column.known));
      const among = known < data.setups.number ? plural(known, "setup") : "all setups";
      const ranks = found.some((row) => row.querySelector(".standing")) ? el("small", {}, `more than … of ${among}`) : null;
      return [el("tr", { class: "group" }, el("th", { colspan: 2, scope: "rowgroup" }, title), el("td", {}, ranks)), ...found];
    };
    byId("measures").replaceChildren(...group("By search", "atlas", true), ...group("In games", "games", true));
    byId("features").replaceChildren(...group("By search", "atlas", false), ...group("In games", "games", false), ...group("Its pieces", "setup", false));
  }

  #interval(column, setup) {
    const text = this.app.data.intervalText(column, setup);
    return text && el("small", {}, text);
  }

  #measure(column, setup) {
    const heading = el("th", { scope: "row", title: column.meaning }, column.title);
    if (column.isLine) {
      const { app } = this;
      const play = () => {
        app.line.set(app.data.start(setup), app.data.line(column, setup));
        app.showBoard();
      };
      return el("tr", {}, heading, el("td", { colspan: 2, class: "text" }, app.data.describe(column, setup), " ",
        el("button", { type: "button", class: "quiet", id: "show-line", onclick: play }, "play it on the board")));
    }
    if (column.isText || column.max === column.min) {
      return el("tr", {}, heading, el("td", { colspan: 2, class: column.isText ? "text" : "" }, this.app.data.describe(column, setup)));
    }
    const value = column.values[setup];
    if (column.whyNoRanks) {
      const why = el("small", {}, `not ranked: ${column.whyNoRanks}`);
      return [el("tr", {}, heading, el("td", { class: "n" }, column.format(value), this.#interval(column, setup)), el("td", {})), el("tr", { class: "why" }, el("td", { colspan: 3 }, why))];
    }
    const { less, same } = column.standing(value);
    const share = less / column.known;
    const rank = `more than ${thousands(less)} of ${thousands(column.known)} setups${same > 1 ? `, the same as ${thousands(same - 1)}` : ""}`;
    const meter = el("span", { class: "standing", title: rank, role: "img", "aria-label": rank }, el("i", { style: `left: ${(100 * share).toFixed(1)}%` }));
    const percent = el("small", { "aria-hidden": "true" }, `${Math.round(100 * share)} %`);
    return el("tr", {}, heading, el("td", { class: "n" }, column.format(value), this.#interval(column, setup)), el("td", {}, el("div", { class: "place" }, meter, percent)));
  }
}
