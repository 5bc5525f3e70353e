// Reading moves as people write them, as `backrank replay` does.

import { notation } from "./notation.mjs";

const UCI = /^([a-p]\d+)([a-p]\d+)([a-z]?)$/;

// The move of a position that a text means, in UCI or in the game's notation.
export function readMove(position, text) {
  const legal = position.legalMoves();
  const found = UCI.test(text) ? ofUci(position, legal, text) : ofNotation(position, legal, text);
  if (found.length === 1) return found[0];
  if (!found.length) throw new Error(`${text} is not a legal move here`);
  throw new Error(`${text} may be ${found.map((move) => notation(position, move)).join(" or ")}`);
}

// The moves of a text such as `1.e4 e5 2.Nf3`, played from a position. Numbers, results, and what a game in PGN has beside its moves (tags,
// comments, variations) are passed over.
export function readMoves(start, text) {
  const position = start.copy();
  return wordsOf(text).map((word, ply) => {
    const move = (() => {
      try {
        return readMove(position, word);
      } catch (error) {
        throw ply ? new Error(`ply ${ply + 1}: ${error.message}`) : error;
      }
    })();
    position.play(move);
    return move;
  });
}

// The words of a text that are moves.
function wordsOf(text) {
  let bare = text.replace(/\[\s*\w+\s+"(?:[^"\\]|\\.)*"\s*\]/g, " ").replace(/\{[^}]*\}/g, " ").replace(/;[^\n]*/g, " ");
  // Variations can have variations.
  for (let before = ""; before !== bare;) [before, bare] = [bare, bare.replace(/\([^()]*\)/g, " ")];
  const isMove = (word) => word && !/^(\$\d+|1-0|0-1|1\/2-1\/2|½-½|\*)$/.test(word);
  // Castling can be written with zeros, so a number must end with a point.
  return bare.split(/\s+/).map((word) => word.replace(/^\d*(\.+|…)/, "")).filter(isMove);
}

// The FEN that a game in PGN names.
export function fenIn(text) { return /\[\s*FEN\s+"([^"]+)"\s*\]/.exec(text)?.[1]; }

// The squares on which a move's piece can be dropped: where it goes, and of castling also where the king lands, if no other move of
// his goes there.
export function squaresOf(position, move, legal) {
  if (move.kind !== "castling") return [move.to];
  const [lands] = position.landing(move);
  const isOther = legal.some((other) => other !== move && other.from === move.from && other.to === lands);
  return isOther || lands === move.to ? [move.to] : [move.to, lands];
}

function ofUci(position, legal, text) {
  const { rules } = position;
  const [, from, to, promotion] = UCI.exec(text);
  const [start, end] = [from, to].map((name) => rules.parse(name));
  const exact = legal.filter((move) => move.from === start && move.to === end && move.promotion === promotion.toUpperCase());
  if (exact.length || promotion) return exact;
  return legal.filter((move) => move.kind === "castling" && move.from === start && position.landing(move)[0] === end).slice(0, 1);
}

function ofNotation(position, legal, text) {
  const bare = text.replace(/[!?]+$/, "").replace(/[+#]+$/, "");
  if (/^[O0o](-[^-]{0,2})+$/.test(bare)) return castlings(position, legal, bare);
  const swap = /^([A-Z])([a-p]?)<=>([A-Z])([a-p]?)$/.exec(bare);
  if (swap) {
    const [, letter, file, like, lands] = swap;
    return adjustments(position, legal, letter, like, (move) => isOn(position, move.from, file) && isOn(position, move.to, lands));
  }
  const maura = /^([A-Z])([a-p]?)=([A-Z]?)([A-Z])$/.exec(bare);
  if (maura) {
    const [, letter, file, beside, like] = maura;
    return adjustments(position, legal, letter, like, (move) => isOn(position, move.from, file) && (!beside || isBeside(position, beside, move.to)));
  }
  return pieceMoves(position, legal, bare);
}

function isOn(position, square, file) { return !file || position.rules.fileName(square) === file; }

// Whether a square of the first rank lies on the same side of the king as a piece of this letter.
function isBeside(position, letter, square) {
  const { rules } = position;
  const king = position.kingSquare();
  return position.board.some((_, other) => position.isOwn(other) && position.kind(other) === letter
    && rules.rank(other) === rules.rank(king) && (other < king) === (square < king));
}

function adjustments(position, legal, letter, like, fits) {
  return legal.filter((move) => move.kind === "adjustment" && position.kind(move.from) === letter && position.kind(move.to) === like && fits(move));
}

function castlings(position, legal, bare) {
  const normal = (text) => text.replace(/[0o]/g, "O");
  const wanted = normal(bare);
  const all = legal.filter((move) => move.kind === "castling");
  const written = (move) => {
    const landing = position.rules.landing(position.kind(move.to), move.to < move.from);
    return [landing.notation, ...(landing.alsoRead?.[position.side] ?? [])];
  };
  const whole = all.filter((move) => written(move).some((text) => normal(text) === wanted));
  // Without the file on which the king lands.
  return whole.length ? whole : all.filter((move) => written(move).some((text) => /[a-z]$/.test(text) && normal(text.slice(0, -1)) === wanted));
}

function pieceMoves(position, legal, bare) {
  const { rules } = position;
  const parts = /^([A-Z]?)([a-p]?)(\d{0,2})([x:-]?)([a-p]\d+)(?:=([A-Za-z])|([A-Z]))?$/.exec(bare);
  if (!parts) return [];
  const [, letter, file, rank, sign, to, promotion, bareLetter] = parts;
  return legal.filter((move) => move.kind !== "castling" && move.kind !== "adjustment"
    && move.to === rules.parse(to) && position.kind(move.from) === (letter || "P")
    && move.promotion === (promotion ?? bareLetter ?? "").toUpperCase()
    && isOn(position, move.from, file) && (!rank || rules.rank(move.from) + 1 === Number(rank))
    && (sign === "" || sign === "-" || position.isCapture(move)));
}
