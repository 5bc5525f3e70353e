// Moves and games as text.

import { WHITE } from "./rules.mjs";

// A legal move in the game's notation. It has to be found among the legal moves only where another piece could go there.
export function notation(position, move) {
  const { rules } = position;
  let text;
  if (move.kind === "castling") {
    text = rules.landing(position.kind(move.to), move.to < move.from).notation;
  } else if (move.kind === "adjustment") {
    text = adjustmentNotation(position, move);
  } else {
    text = pieceNotation(position, move);
  }
  const after = position.copy();
  after.play(move);
  if (!after.isCheck()) return text;
  return text + (after.legalMoves().length ? "+" : "#");
}

function adjustmentNotation(position, move) {
  const { rules } = position;
  const partner = position.kind(move.to);
  const like = position.legalMoves()
    .filter((other) => other.kind === "adjustment" && other.from === move.from && position.kind(other.to) === partner);
  const file = like.length > 1 ? rules.fileName(move.to) : "";
  return `${position.kind(move.from)}${rules.fileName(move.from)}<=>${partner}${file}`;
}

function pieceNotation(position, move) {
  const { rules } = position;
  const from = rules.name(move.from);
  const captures = position.isCapture(move);
  const letter = position.kind(move.from);
  let text = letter;
  if (letter === "P") {
    const isAnother = (other) => other.to === move.to && other.from !== move.from && position.kind(other.from) === "P";
    const needsFile = captures || (rules.game.pawn.berolina && position.legalMoves().some(isAnother));
    text = needsFile ? from[0] : "";
  } else if (position.board.filter((piece) => piece === position.board[move.from]).length > 1) {
    const others = position.legalMoves().filter((other) => other.kind === "normal" && other.to === move.to
      && other.from !== move.from && position.kind(other.from) === letter);
    const onFile = others.some((other) => rules.file(other.from) === rules.file(move.from));
    const onRank = others.some((other) => rules.rank(other.from) === rules.rank(move.from));
    if (others.length && !onFile) text += from[0];
    else if (onFile && !onRank) text += from.slice(1);
    else if (onFile && onRank) text += from;
  }
  return text + (captures ? "x" : "") + rules.name(move.to) + (move.promotion ? `=${move.promotion}` : "");
}

export function uci(rules, move) {
  return rules.name(move.from) + rules.name(move.to) + move.promotion.toLowerCase();
}

// Recorded moves: two bytes each, the square the piece leaves and the one it goes to. A promotion has 128 in its second
// byte, and below it five times the place of the piece among those that a pawn can become, and where the pawn goes: 0 to
// the left, 1 straight on, 2 to the right, 3 two squares on, or, of a Berolina pawn, two to the left, 4 two to the right.
export function recordedMove(position, from, second) {
  if (second < 128) return position.move(from, second);
  const { rules } = position;
  const forward = position.side === WHITE ? rules.files : -rules.files;
  const number = second & 127;
  const way = number % 5;
  const aside = rules.game.pawn.berolina ? 2 * (way === 3 ? -1 : 1) : 0;
  const to = way >= 3 ? from + 2 * forward + aside : from + forward + way - 1;
  return position.move(from, to, rules.game.pawn.promotesTo[position.side][Math.floor(number / 5)]);
}

// The moves of a recorded game, and the position after the last of them.
export function replay(start, bytes) {
  const position = start.copy();
  const moves = [];
  for (let at = 0; at < bytes.length; at += 2) {
    const move = recordedMove(position, bytes[at], bytes[at + 1]);
    moves.push(move);
    position.play(move);
  }
  return { moves, position };
}

// The game as PGN, its lines shorter than 80 letters. `tags` are names and values; values that are empty are left out.
export function pgn(start, moves, result, tags) {
  const words = [];
  const position = start.copy();
  moves.forEach((move, ply) => {
    if (position.side === WHITE) words.push(`${position.fullmoves}.`);
    else if (ply === 0) words.push(`${position.fullmoves}...`);
    words.push(notation(position, move));
    position.play(move);
  });
  words.push(result);
  const lines = [""];
  for (const word of words) {
    const last = lines[lines.length - 1];
    if (last && last.length + 1 + word.length > 79) lines.push(word);
    else lines[lines.length - 1] = last ? `${last} ${word}` : word;
  }
  const quoted = (value) => String(value).replace(/\\/g, "\\\\").replace(/"/g, '\\"');
  const head = tags.filter(([, value]) => value !== "").map(([name, value]) => `[${name} "${quoted(value)}"]\n`).join("");
  return `${head}\n${lines.join("\n")}\n\n`;
}

