// The data of the page: setups, their measures, and recorded games.

import { Position, Rules, WHITE } from "./rules.mjs";
import { notation, recordedMove, replay } from "./notation.mjs";

// The bytes of a part of the page, from text that is gzip in base64.
export async function unpack(text) {
  const packed = atob(text.trim());
  const bytes = new Uint8Array(packed.length);
  for (let at = 0; at < packed.length; at++) bytes[at] = packed.charCodeAt(at);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  try {
    return new Uint8Array(await new Response(stream).arrayBuffer());
  } catch {
    throw new Error("they do not unpack");
  }
}

export class Data {
  constructor(json, unpackMoves) {
    Object.assign(this, json);
    this.rules = new Rules(this.game);
    this.setups = new Setups(json, this.rules);
    this.columns = json.columns.map((column) => new Column(column));
    this.#addLikeness();
    this.recorded = json.games ? new RecordedGames(json.games, unpackMoves) : null;
  }

  // What the board looks like.
  get look() {
    const names = Object.fromEntries(this.game.pieces.map(({ letter, name }) => [letter, name]));
    return { files: this.game.files, ranks: this.game.ranks, drawings: this.drawings, names };
  }

  // A column with the number of pieces that stand as in the setup of orthodox chess, or of the game that a note names in its place.
  #addLikeness() {
    const { setups } = this;
    const noted = this.notes.find(([, note]) => /the setup of .*chess/i.test(note));
    const model = noted?.[0] ?? setups.ofLabel("RNBQKBNR");
    if (model === undefined || setups.number < 2) return;
    const [like, reflection] = [model, setups.reflection(model)].map((setup) => (setup === undefined ? "" : setups.ranks(setup).join("")));
    const shared = (rank, other) => [...rank].filter((letter, at) => letter !== "." && letter === other[at]).length;
    const values = Array.from({ length: setups.number }, (_, setup) => {
      const rank = setups.ranks(setup).join("");
      return Math.max(shared(rank, like), shared(rank, reflection));
    });
    const meaning = `How many pieces stand where they do in ${setups.label(model)}${noted ? `, ${/the setup of .*/i.exec(noted[1])[0]}` : ""}, or in its reflection`;
    this.columns.push(new Column({ key: "likeness", title: `pieces as in ${setups.label(model)}`, source: "setup", meaning, isText: false, inPawns: false, whyNoRanks: null, values }));
  }

  // The interval of a measure as text, if there are columns of its ends.
  intervalText(column, setup) {
    const ends = ["low", "high"].map((end) => this.column(`${column.key}_${end}`)?.values[setup]);
    return ends.some((end) => typeof end !== "number") ? "" : ` (${ends.map((end) => column.format(end)).join(" to ")})`;
  }

  column(key) { return this.columns.find((column) => column.key === key); }

  // The measures: numeric columns that are not constant.
  get measures() { return this.columns.filter((column) => !column.isText && column.max > column.min); }

  start(setup) {
    const { setups } = this;
    return Position.ofSetup(this.rules, setups.whiteRank(setup), setups.blackRank(setup), setups.advancedPawns(setup));
  }

  // The value of a column for a setup, with moves in the game's notation.
  describe(column, setup) {
    const text = column.text(setup);
    if (!column.isMoves || !text) return text;
    if (column.isLine) return this.lineText(setup, this.line(column, setup));
    const start = this.start(setup);
    return text.split(" ").map((word) => {
      const [move, score] = word.split("/");
      const pawns = score === undefined ? "" : ` ${(score / 100).toFixed(2).replace("-", "−").replace(/^(?=\d)/, "+")}`;
      return notation(start, start.moveOfUci(move)) + pawns;
    }).join(", ");
  }

  // The first move of a column of moves, in the game's notation.
  firstMove(column, setup) {
    const [move] = column.text(setup).split(/[ /]/);
    if (!move) return "";
    const start = this.start(setup);
    return notation(start, start.moveOfUci(move));
  }

  // The moves of a line of play from a setup.
  line(column, setup) {
    const position = this.start(setup);
    return column.text(setup).split(" ").map((text) => {
      const move = position.moveOfUci(text);
      position.play(move);
      return move;
    });
  }

  lineText(setup, moves) {
    const position = this.start(setup);
    return moves.map((move) => {
      const number = position.side === WHITE ? `${position.fullmoves}. ` : "";
      const text = number + notation(position, move);
      position.play(move);
      return text;
    }).join(" ");
  }

  // The moves of a recorded game, and its last position.
  async replayed(number) { return replay(this.start(this.recorded.setup[number]), await this.recorded.movesOf(number)); }
}

// The setups by index. A rank has a letter for each file of the board, or a dot for an empty file. Where pawns start on one of two ranks,
// there are also the files of those on the farther one.
export class Setups {
  constructor({ game, white, black, advanced, sides, numberings }, rules) {
    this.files = game.files;
    this.number = white.length / game.files;
    this.sides = sides;
    this.numberings = numberings;
    this.white = white;
    this.black = black;
    this.advanced = advanced;
    this.rules = rules;
    this.byLabel = new Map();
    for (let setup = 0; setup < this.number; setup++) this.byLabel.set(this.label(setup).toUpperCase(), setup);
    this.byId = new Map();
    // The places for pieces: White's files, and Black's beyond them if Black's rank does not follow from White's.
    this.slots = this.ranks(0).flatMap((rank, side) => [...rank].flatMap((letter, file) => (letter === "." ? [] : [{ slot: side * this.files + file, side, file }])));
  }

  whiteRank(setup) { return this.white.slice(setup * this.files, (setup + 1) * this.files); }

  blackRank(setup) {
    if (this.black) return this.black.slice(setup * this.files, (setup + 1) * this.files);
    const rank = this.whiteRank(setup);
    return this.sides === "rotate" ? [...rank].reverse().join("") : rank;
  }

  // The files of White's pawns and of Black's that start on the farther of two ranks.
  advancedPawns(setup) { return this.advanced ? this.advanced.map((ofSide) => ofSide[setup]) : ["", ""]; }

  // White's rank, and Black's if it does not follow from White's.
  ranks(setup) { return this.black ? [this.whiteRank(setup), this.blackRank(setup)] : [this.whiteRank(setup)]; }

  // The letter of the piece in a slot.
  pieceAt(setup, slot) {
    const start = setup * this.files;
    return slot < this.files ? this.white[start + slot] : this.black[start + slot - this.files];
  }

  // The name of a setup: its ranks without empty files, each with the files of its advanced pawns behind a colon.
  label(setup) {
    const advanced = this.advancedPawns(setup);
    return this.ranks(setup).map((rank, side) => rank.replaceAll(".", "") + (advanced[side] && `:${advanced[side]}`)).join("/");
  }

  id(numbering, setup) { return numbering.ids ? numbering.ids[setup] : String(setup); }

  ofLabel(text) { return this.byLabel.get(text.trim().toUpperCase().replaceAll(".", "")); }

  ofId(numbering, id) {
    if (!numbering.ids) return Number(id) < this.number ? Number(id) : undefined;
    if (!this.byId.has(numbering)) this.byId.set(numbering, new Map(numbering.ids.map((other, setup) => [other, setup])));
    return this.byId.get(numbering).get(String(BigInt(id)));
  }

  // The setup with files from right to left, if it is one.
  reflection(setup) {
    const last = 96 + this.files;
    const mirrored = (file) => String.fromCharCode(97 + last - file.charCodeAt(0));
    const reversed = (text) => {
      const [rank, advanced] = text.split(":");
      return [...rank].reverse().join("") + (advanced ? `:${[...advanced].reverse().map(mirrored).join("")}` : "");
    };
    return this.ofLabel(this.label(setup).split("/").map(reversed).join("/"));
  }
}

// A column of the table of setups: numbers or texts, null if unknown.
export class Column {
  constructor(json) {
    Object.assign(this, json);
    const known = this.values.filter((value) => value !== null);
    this.known = known.length;
    if (this.isText) {
      this.texts = [...new Set(known)].sort();
      // Moves in UCI, with scores if they are alternatives: a list of moves, or a line of play.
      this.isMoves = this.texts.every((text) => /^([a-p]\d+[a-p]\d+[a-z]?(\/-?\d+)?( |$))*$/.test(text));
      this.isLine = this.isMoves && this.key === "line";
      // Of a sentence each part can be asked for.
      this.isSentence = this.key === "in_words";
      this.choices = this.isSentence ? [...new Set(this.texts.flatMap((text) => text.split("; ")))].filter(Boolean).sort() : this.texts;
      return;
    }
    this.sorted = Float64Array.from(known).sort();
    this.min = this.sorted[0];
    this.max = this.sorted[this.sorted.length - 1];
    const whole = !this.inPawns && this.sorted.every((value) => Number.isInteger(value));
    this.isWhole = whole;
    const digits = 2 - Math.floor(Math.log10(this.max - this.min || 1));
    this.digits = this.inPawns ? 2 : whole ? 0 : Math.min(4, Math.max(0, digits));
  }

  // Whether a setup has what is chosen of a column of texts.
  has(setup, choice) {
    const value = this.values[setup];
    return this.isSentence ? !!value && value.split("; ").includes(choice) : value === choice;
  }

  text(setup) {
    const value = this.values[setup];
    return this.isText ? value ?? "" : this.format(value);
  }

  format(value) {
    if (value === null || value === undefined) return "";
    const sign = this.inPawns && value > 0 ? "+" : "";
    return sign + value.toFixed(this.digits).replace("-", "−");
  }

  // The number of setups with less, and with the same.
  standing(value) {
    const bound = (stays) => {
      let [low, high] = [0, this.sorted.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (stays(this.sorted[middle])) low = middle + 1;
        else high = middle;
      }
      return low;
    };
    const less = bound((other) => other < value);
    return { less, same: bound((other) => other <= value) - less };
  }
}

// Recorded games in columns.
export class RecordedGames {
  constructor(json, unpackMoves) {
    Object.assign(this, json);
    this.number = json.setup.length;
    this.ofSetup = new Map();
    let at = 0;
    this.starts = json.plies.map((plies) => {
      const start = at;
      at += 2 * plies;
      return start;
    });
    json.setup.forEach((setup, game) => {
      if (!this.ofSetup.has(setup)) this.ofSetup.set(setup, []);
      this.ofSetup.get(setup).push(game);
    });
    this.unpackMoves = unpackMoves;
  }

  async movesOf(game) {
    this.moves ??= this.unpackMoves();
    return (await this.moves).subarray(this.starts[game], this.starts[game] + 2 * this.plies[game]);
  }

  // What a game is called: its number in its study, with the study if there are several.
  nameOf(game) { return `${this.studies.length > 1 ? `${this.studies[this.study[game]]}:` : ""}${this.game[game]}`; }

  // The game of a setup by its name.
  named(setup, name) { return this.ofSetup.get(setup)?.find((game) => this.nameOf(game) === name); }

  // White's evaluations along a game: of the position before each ply, as the player who moved saw it, in centipawns; null where none was
  // recorded.
  evaluationsOf(game) {
    if (!this.scores) return null;
    const start = this.starts[game] / 2;
    const found = this.scores.slice(start, start + this.plies[game]);
    return found.some((score) => score !== null) ? found : null;
  }

  // Whether somebody adjusted in a game. Nobody can any more once no bishop is where it began.
  async hasAdjustment(game, data) {
    this.adjusted ??= new Map();
    if (!this.adjusted.has(game)) {
      const position = data.start(this.setup[game]);
      const bytes = await this.movesOf(game);
      let found = false;
      for (let at = 0; at < bytes.length && position.unmoved.size && !found; at += 2) {
        const move = recordedMove(position, bytes[at], bytes[at + 1]);
        found = move.kind === "adjustment";
        position.play(move);
      }
      this.adjusted.set(game, found);
    }
    return this.adjusted.get(game);
  }

  resultOf(game) { return this.results[this.result[game]]; }
  terminationOf(game) { return this.terminations[this.termination[game]].replaceAll("-", " "); }
  playersOf(game) { return [this.players[this.white[game]], this.players[this.black[game]]]; }
}

// A filter of setups: by the piece in each slot, by the texts of columns, and by ranges of numbers.
export class Filter {
  constructor(data) {
    this.data = data;
    this.clear();
  }

  clear() {
    // The letters of the pieces that were placed, by slot.
    this.placed = new Map();
    this.texts = new Map();
    // The measure and the bounds of each range, by the row in which they are chosen.
    this.ranges = new Map();
  }

  get isEmpty() { return !this.placed.size && !this.texts.size && !this.ranges.size; }

  // The setups that pass, as if no piece were placed in the slot `without`.
  matches(without = -1) {
    const { setups } = this.data;
    const placed = [...this.placed].filter(([slot]) => slot !== without);
    const texts = [...this.texts].map(([key, text]) => [this.data.column(key), text]);
    const ranges = [...this.ranges.values()].map(([key, ...bounds]) => [this.data.column(key).values, ...bounds]);
    const found = [];
    for (let setup = 0; setup < setups.number; setup++) {
      if (placed.every(([slot, letter]) => setups.pieceAt(setup, slot) === letter)
        && texts.every(([column, text]) => column.has(setup, text))
        && ranges.every(([values, low, high]) => values[setup] !== null && values[setup] >= low && values[setup] <= high)) {
        found.push(setup);
      }
    }
    return found;
  }

  // The letters that are possible in a slot, given the pieces placed in other slots.
  possible(slot) { return new Set(this.matches(slot).map((setup) => this.data.setups.pieceAt(setup, slot))); }
}
