// Two setups side by side: the open one, and one that was kept.

import { BLACK, WHITE } from "./rules.mjs";
import { notation } from "./notation.mjs";
import { byId, el } from "./dom.mjs";
import { miniature } from "./board.mjs";

export class SideBySide {
  constructor(app) {
    this.app = app;
    this.kept = null;
    byId("keep").addEventListener("click", () => this.keep(app.setup));
    byId("forget").addEventListener("click", () => this.keep(null));
    byId("exchange").addEventListener("click", () => {
      const { kept } = this;
      this.kept = app.setup;
      app.open(kept);
    });
    app.on("setup", () => this.draw());
  }

  keep(setup) {
    this.kept = setup;
    this.draw();
    this.app.remember();
  }

  draw() {
    const { app, kept } = this;
    byId("side-by-side").hidden = kept === null;
    byId("keep").disabled = kept === app.setup;
    byId("exchange").disabled = kept === app.setup;
    if (kept === null) return;
    const { data } = app;
    const { setups } = data;
    const both = [kept, app.setup];
    byId("sides-head").replaceChildren(el("td"), ...both.map((setup, at) => el("th", { scope: "col" },
      miniature(data.look, rowsOf(data, setup)),
      el("a", { href: `#${setups.label(setup)}` }, setups.label(setup)),
      el("small", {}, at === 0 ? " kept" : kept === app.setup ? " open: open another one" : " open"))));
    const row = (name, title, texts) => el("tr", { class: texts[0] === texts[1] ? "same" : "" },
      el("th", { scope: "row", title }, name), ...texts.map((text) => el("td", {}, text)));
    const { numberings } = data;
    const rows = numberings.map((numbering) => row(`number in ${numbering.name}`, numbering.note, both.map((setup) => setups.id(numbering, setup))));
    rows.push(row("castling", null, both.map((setup) => castlingsOf(data, setup))));
    if (data.game.adjustment) rows.push(row("adjustments", null, both.map((setup) => adjustmentsOf(data, setup))));
    for (const column of data.columns) {
      if (/_(low|high)$/.test(column.key)) continue;
      const texts = both.map((setup) => column.values[setup] === null ? "" : data.describe(column, setup) + data.intervalText(column, setup));
      if (texts.some(Boolean)) rows.push(row(column.title, column.meaning, texts));
    }
    byId("sides-body").replaceChildren(...rows);
  }
}

// The first ranks as letters, that of Black first if it does not follow from White's. Where pawns start on one of two ranks, White's two
// ranks of pawns come before its first one.
export function rowsOf(data, setup) {
  const { setups } = data;
  const white = setups.whiteRank(setup);
  if (!setups.advanced) return setups.black ? [setups.blackRank(setup).toLowerCase(), white] : [white];
  const { board } = data.start(setup);
  const row = (rank) => Array.from({ length: data.rules.files }, (_, file) => board[data.rules.square(file, rank)] || ".").join("");
  const [pawns] = data.game.pawnRanks;
  return [row(pawns + 1), row(pawns), white];
}

function castlingsOf(data, setup) {
  const position = data.start(setup);
  const own = [...position.castling].filter((square) => position.isOwn(square));
  return own.map((partner) => notation(position, position.move(position.kingSquare(), partner))).join(", ") || "none";
}

function adjustmentsOf(data, setup) {
  const of = (side) => {
    const position = data.start(setup);
    position.side = side;
    return position.legalMoves().filter((move) => move.kind === "adjustment").map((move) => notation(position, move)).join(", ");
  };
  const [white, black] = [WHITE, BLACK].map(of);
  return white === black ? white || "none" : `White ${white || "none"}; Black ${black || "none"}`;
}
