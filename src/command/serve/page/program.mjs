// Playing against the engine, and looking at a game with it. The server knows the rules; this page shows what it says.

import { BoardView, pieceIcon } from "./board.mjs";
import { byId, el, plural } from "./dom.mjs";
import { EvaluationGraph, evaluationText, mistakes } from "./evaluation.mjs";
import { BLACK, WHITE } from "./rules.mjs";

// Milliseconds between two questions about a search, and between two looks at the clock.
const [ASK, TICK] = [60, 100];

// Asks the server: a question with a body is a POST. Its problem is thrown as an error.
async function ask(path, body) {
  const options = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const answer = await fetch(path, options);
  if (!answer.ok) throw new Error((await answer.json().catch(() => ({}))).problem ?? "the server does not answer as expected");
  return answer.headers.get("Content-Type").startsWith("application/json") ? answer.json() : answer.text();
}

const rest = (milliseconds) => new Promise((wake) => setTimeout(wake, milliseconds));

// The game of the moment: what was asked for, all moves with their texts, and how many of them are on the board; the players if it is
// recorded; the side whose time is over.
const game = { index: 0, start: "random", moves: [], list: [], shown: 0, side: "white", level: "n1000", names: null, flag: null };
let games = [];
let position = null;
let drawings = null;
let board = null;
let chosen = null;
let annotation = null;
// What the page waits for: a number that changes with every question.
let question = 0;

const graph = new EvaluationGraph(byId("evaluation"), (ply) => attempt(() => show(Math.min(ply, game.moves.length))));
const place = (moves = game.moves.slice(0, game.shown)) => ({ game: game.index, start: game.start, moves });
const isLive = () => game.shown === game.moves.length;
const isOver = () => Boolean(position.result || (game.flag && isLive()));
const isEngines = () => !isOver() && game.side !== "both" && position.to_move !== game.side;

function say(problem) {
  byId("problem").textContent = problem ?? "";
}

// Runs something that asks the server, and shows its problem.
async function attempt(what) {
  say();
  try {
    await what();
  } catch (error) {
    say(error.message);
  }
}

// The clocks of both sides, as in games that `play` plays: time for the game, and more after each move. They run from the first move of
// each side on the page that shows the game; whoever has none left loses, if the other side can mate at all.
const clock = {
  control: null, left: { white: 0, black: 0 }, runs: null, since: 0, before: [],

  set(text) {
    const parts = /^(\d+(?:\.\d+)?)(?:\+(\d+(?:\.\d+)?))?$/.exec(text);
    if (text && (!parts || Number(parts[1]) <= 0)) throw new Error("A clock is written as seconds + seconds a move, such as 600+5");
    this.control = text ? { time: 1000 * Number(parts[1]), increment: 1000 * Number(parts[2] ?? 0) } : null;
    this.runs = null;
    this.before = [];
    if (this.control) this.left = { white: this.control.time, black: this.control.time };
    this.draw();
  },

  // What a side has left now.
  of(side) { return Math.max(0, this.left[side] - (this.runs === side ? performance.now() - this.since : 0)); },

  // Lets the clock of a side run, or none.
  run(side) {
    if (!this.control) return;
    if (this.runs) this.left[this.runs] = this.of(this.runs);
    this.runs = side;
    this.since = performance.now();
    this.draw();
  },

  // A side has moved.
  moved(side) {
    if (!this.control) return;
    this.before.push({ ...this.left, [side]: this.of(side) });
    if (this.runs) this.left[this.runs] = this.of(this.runs);
    this.runs = null;
    this.left[side] += this.control.increment;
  },

  // So many plies are taken back, and with them the time that they took.
  takeBack(plies) {
    if (!this.control) return;
    this.runs = null;
    for (let ply = 0; ply < plies && this.before.length; ply++) this.left = this.before.pop();
  },

  draw() {
    const sides = board?.turned ? ["white", "black"] : ["black", "white"];
    ["clock-top", "clock-bottom"].forEach((id, at) => {
      const box = byId(id);
      box.hidden = !this.control;
      if (!this.control) return;
      const left = this.of(sides[at]);
      const whole = Math.ceil(left / 1000);
      box.dataset.side = sides[at];
      box.firstElementChild.textContent = `${sides[at] === "white" ? "White" : "Black"}${game.side === "both" ? "" : sides[at] === game.side ? ", you" : ", the engine"}`;
      box.lastElementChild.textContent = left < 10_000 ? (left / 1000).toFixed(1) : `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
      box.classList.toggle("runs", this.runs === sides[at]);
      box.classList.toggle("short", left < 10_000);
    });
  },

  // Looks whether the time of the side is over whose clock runs.
  tick() {
    if (!this.runs || !this.control) return;
    this.draw();
    if (this.of(this.runs) > 0) return;
    game.flag = this.runs;
    this.run(null);
    question++;
    chosen = null;
    attempt(() => ask("stop", null));
    showBoard();
    showStatus();
  },
};
setInterval(() => clock.tick(), TICK);

const squareOf = (name) => (Number(name.slice(1)) - 1) * position.files + name.charCodeAt(0) - 97;
const nameOf = (square) => String.fromCharCode(97 + (square % position.files)) + (Math.floor(square / position.files) + 1);

// What stands on each square, as a letter.
function letters() {
  const found = new Array(position.files * position.ranks).fill("");
  position.pieces.forEach(([square, side, letter]) => { found[squareOf(square)] = side === "white" ? letter : letter.toLowerCase(); });
  return found;
}

function showBoard(glides = false, arrows = []) {
  const { files, ranks } = position;
  const look = { files, ranks, drawings: { shapes: drawings.shapes, sides: [drawings.white, drawings.black] }, names: drawings.names };
  if (!board) {
    board = new BoardView(look, byId("board"), { choose, lift, drop });
  } else if (board.look.files !== files || board.look.ranks !== ranks || board.look.key !== game.index) {
    board.show(look);
  }
  board.look.key = game.index;
  document.documentElement.style.setProperty("--aspect", files / ranks);
  const last = position.played.at(-1);
  const on = letters();
  const king = position.check ? squareOf(position.king) : -1;
  board.draw(on, {
    side: position.to_move === "white" ? WHITE : BLACK,
    last: last ? [last.from, last.to[0]].map(squareOf) : [],
    chosen,
    targets: chosen === null ? [] : movesFrom(chosen).flatMap((move) => move.to.map(squareOf)),
    check: king,
    arrows,
  }, glides);
}

const movesFrom = (square) => (isOver() ? [] : position.legal.filter((move) => squareOf(move.from) === square));
const mayMove = () => position && !isOver() && (!isEngines() || byId("analyse").checked);

// A square is clicked: a piece is chosen, or moved.
function choose(square) {
  if (!mayMove()) return;
  if (chosen !== null && chosen !== square && drop(chosen, square)) return;
  chosen = chosen !== square && movesFrom(square).length ? square : null;
  showBoard();
}

function lift(square) {
  if (!mayMove() || !movesFrom(square).length) return false;
  chosen = square;
  showBoard();
  return true;
}

// Moves the piece on a square to another; false if it cannot go there.
function drop(from, to) {
  const moves = mayMove() ? movesFrom(from).filter((move) => move.to.includes(nameOf(to))) : [];
  if (!moves.length) {
    if (to !== from) chosen = null;
    showBoard();
    return false;
  }
  attempt(async () => {
    const move = moves.length === 1 ? moves[0] : await promotion(moves);
    if (move) await play(move.uci);
  });
  return true;
}

function showArrows(lines) {
  const best = lines.length && position.legal.find(({ uci }) => uci === lines[0].first);
  showBoard(false, best ? [{ from: squareOf(best.from), to: squareOf(best.to[0]), kind: "best" }] : []);
}

function showMoves() {
  const items = game.list.map((move, index) => {
    const ply = index + (position.first_to_move === "black" ? 1 : 0);
    const number = ply % 2 === 0 ? `${position.first_number + ply / 2}.` : index === 0 ? `${position.first_number}...` : "";
    const mistake = annotation?.found[index];
    return el("li", {}, el("span", {}, number), el("button", {
      type: "button", "aria-current": String(index + 1 === game.shown), onclick: () => attempt(() => show(index + 1)),
    }, move), mistake ? el("abbr", { class: mistake.name, title: mistake.name }, mistake.mark) : null);
  });
  byId("moves").replaceChildren(...items);
  const list = byId("moves");
  const current = list.querySelector('[aria-current="true"]');
  list.scrollTop = current ? current.offsetTop - list.offsetTop - list.clientHeight / 2 : 0;
  byId("players").textContent = game.names ? `${game.names.white} – ${game.names.black}, ${game.names.result} ${game.names.ending}` : "";
  byId("moves-title").textContent = game.names ? `Game ${game.names.number}` : "Moves";
  byId("annotate").disabled = game.moves.length === 0;
  showEvaluation();
}

function showEvaluation() {
  byId("evaluation-side").hidden = !annotation;
  if (!annotation) return;
  graph.mark(game.shown);
  byId("evaluation-now").textContent = evaluationText(annotation.evaluations[game.shown]);
  const { found, done } = annotation;
  const count = (name, many) => plural(found.filter((mistake) => mistake?.name === name).length, name, many);
  byId("evaluation-note").textContent = done ? `for White; ${count("blunder")}, ${count("mistake")}, ${count("inaccuracy", "inaccuracies")}` : `for White; ${annotation.evaluations.length} of ${game.moves.length + 1} positions`;
}

function showStatus(thinking = false) {
  const turn = position.to_move === "white" ? "White" : "Black";
  const onTime = game.flag && isLive() ? position.on_time[game.flag === "white" ? 0 : 1][1] : null;
  const status = position.ending ?? onTime ?? (thinking ? "The engine thinks …" : `${turn} to move${position.check ? ", in check" : ""}`);
  byId("status").textContent = isLive() ? status : `After move ${game.shown} of ${game.moves.length}; ${status}`;
  byId("take-back").disabled = game.moves.length === 0;
}

// Shows the position after so many moves.
async function show(moves) {
  const mine = ++question;
  const answer = await ask("position", place(game.moves.slice(0, moves)));
  if (mine !== question) return;
  const glides = Math.abs(moves - game.shown) <= 1;
  game.shown = moves;
  position = answer;
  game.list = [...position.played.map((move) => move.notation), ...game.list.slice(moves)].slice(0, game.moves.length);
  chosen = null;
  byId("title").textContent = position.name;
  document.title = `${position.name}: play`;
  byId("setup").textContent = position.setup ? `setup ${position.setup}` : "a position";
  showBoard(glides);
  showMoves();
  showStatus();
  if (isLive()) clock.run(isOver() || (clock.control && game.moves.length === 0 && !isEngines()) ? null : position.to_move);
  if (byId("analyse").checked) analyse();
  else if (isLive() && isEngines()) engineMoves();
}

// What the engine may use for a move.
function limits() {
  if (game.level === "clock") {
    if (!clock.control) return { milliseconds: 1000 };
    return { clock: { left: Math.max(1, Math.floor(clock.of(position.to_move))), increment: Math.floor(clock.control.increment) } };
  }
  return { [game.level[0] === "n" ? "nodes" : "milliseconds"]: Number(game.level.slice(1)) };
}

// Begins a search, and tells what it has found again and again, until it has ended or something else is asked.
async function searched(asked, mine, tell) {
  const id = await ask("search", asked);
  for (;;) {
    await rest(asked.lines || asked.whole ? 4 * ASK : ASK);
    if (mine !== question) return null;
    const found = await ask("search");
    if (mine !== question || found.id !== id) return null;
    if (found.problem) throw new Error(found.problem);
    tell?.(found);
    if (!found.running) return found;
  }
}

// The engine plays.
async function engineMoves() {
  const mine = question;
  showStatus(true);
  await attempt(async () => {
    const found = await searched({ place: place(), ...limits() }, mine);
    if (found?.best) await play(found.best);
  });
}

// Looks at the position until something else is shown.
async function analyse() {
  const mine = question;
  await attempt(async () => {
    if (position.result) showLines({ lines: [], depth: 0, nodes: 0 });
    else await searched({ place: place(), lines: 3 }, mine, (found) => { if (byId("analyse").checked) showLines(found); });
  });
}

function showLines({ lines, depth, nodes }) {
  byId("depth").textContent = depth ? `depth ${depth}, ${nodes.toLocaleString("en")} nodes; scores are White’s, in pawns` : "";
  byId("lines").replaceChildren(...lines.map(({ score, moves }) => el("li", {}, el("b", {}, score), moves.join(" "))));
  showArrows(lines);
}

// Evaluates every position of the game, and marks its mistakes.
async function annotate() {
  byId("analyse").checked = false;
  const mine = ++question;
  clock.run(null);
  await attempt(async () => {
    const found = await searched({ place: place(game.moves), nodes: Number(byId("annotate-nodes").value), whole: true }, mine, ({ evaluations, running }) => {
      const isWhite = (ply) => (ply % 2 === 0) === (position.first_to_move === "white");
      annotation = { evaluations, found: mistakes(evaluations, isWhite), done: !running };
      const missing = new Array(game.moves.length + 1 - evaluations.length).fill(null);
      graph.draw([...evaluations, ...missing], annotation.found);
      showEvaluation();
    });
    if (found) showMoves();
  });
}

// Plays a move after the one that is shown; what came after it is gone.
async function play(uci) {
  if (isLive() && !game.names) clock.moved(position.to_move);
  game.moves = [...game.moves.slice(0, game.shown), uci];
  game.list = game.list.slice(0, game.shown);
  annotation = null;
  if (game.names) game.names = null;
  await show(game.moves.length);
}

// What a pawn becomes.
function promotion(moves) {
  const dialog = byId("promotion");
  return new Promise((answer) => {
    const side = position.to_move === "white" ? WHITE : BLACK;
    const look = { drawings: { shapes: drawings.shapes, sides: [drawings.white, drawings.black] } };
    byId("pieces").replaceChildren(...moves.map((move) => el("button", {
      type: "button", "aria-label": move.promotes_to ? drawings.names[move.promotes_to] ?? move.promotes_to : move.notation,
      onclick: () => {
        dialog.close();
        answer(move);
      },
    }, move.promotes_to ? pieceIcon(look, move.promotes_to, side) : move.notation)));
    dialog.addEventListener("cancel", () => answer(null), { once: true });
    dialog.showModal();
  });
}

// Shows a game from its start.
async function open(index, start, changes) {
  question++;
  await ask("stop", null);
  drawings = await ask("drawings", index);
  const first = await ask("position", { game: index, start });
  Object.assign(game, { index, start: first.start, moves: [], list: [], shown: 0, names: null, flag: null }, changes);
  annotation = null;
  position = first;
  showBoard();
  if (board.turned !== (game.side === "black")) board.turn();
}

async function begin() {
  const time = byId("time").value === "own" ? byId("own-time").value.trim() : byId("time").value;
  const index = Number(byId("game").value);
  await open(index, byId("start").value, { side: byId("side").value, level: byId("level").value });
  clock.set(time);
  listRecorded(0);
  await show(0);
}

// Lists recorded games of the game, from a number on.
async function listRecorded(from) {
  const index = Number(byId("game").value);
  byId("recorded-side").hidden = !games[index].recorded;
  if (!games[index].recorded) return;
  const { games: listed, next } = await ask("recorded", { game: index, from });
  byId("recorded").replaceChildren(...listed.map(({ number, rank, white, black, result, ending, plies }) => el("li", {}, el("button", {
    type: "button", "data-number": number, onclick: () => attempt(() => openRecorded(index, number)),
  }, el("b", {}, result.replace("1/2-1/2", "½–½").replace("-", "–")), el("span", {}, `${number}: ${rank}`), el("small", {}, `${white} – ${black}, ${ending}, ${Math.ceil(plies / 2)} moves`)))));
  byId("recorded-more").disabled = next === null;
  byId("recorded-more").onclick = () => attempt(() => listRecorded(next));
}

async function openRecorded(index, number) {
  const found = await ask("recorded-game", { game: index, number });
  byId("analyse").checked = false;
  await open(index, found.fen, { side: "both", names: found });
  clock.set("");
  // The texts of all moves come with the last position.
  game.moves = found.moves;
  await show(found.moves.length);
  await show(0);
}

byId("new").addEventListener("submit", (event) => {
  event.preventDefault();
  attempt(begin);
});
byId("game").addEventListener("change", () => attempt(() => listRecorded(0)));
byId("recorded-first").addEventListener("click", () => attempt(() => listRecorded(0)));
byId("time").addEventListener("change", () => { byId("own-time-row").hidden = byId("time").value !== "own"; });
byId("take-back").addEventListener("click", () => attempt(async () => {
  // Against the engine its answer is taken back as well.
  const plies = game.side !== "both" && !isEngines() && !position.result && game.moves.length > 1 ? 2 : 1;
  clock.takeBack(Math.min(plies, game.moves.length));
  game.flag = null;
  annotation = null;
  game.moves = game.moves.slice(0, Math.max(game.moves.length - plies, 0));
  await show(game.moves.length);
}));
byId("turn").addEventListener("click", () => {
  board.turn();
  showBoard();
  clock.draw();
});
byId("annotate").addEventListener("click", annotate);
byId("save").addEventListener("click", () => attempt(async () => {
  const [white, black] = game.names ? [game.names.white, game.names.black] : { white: ["you", "backrank"], black: ["backrank", "you"], both: ["?", "?"] }[game.side];
  const text = await ask("pgn", { place: place(game.moves), white, black, flag: game.flag });
  const link = el("a", { href: URL.createObjectURL(new Blob([text], { type: "application/x-chess-pgn" })), download: "game.pgn" });
  link.click();
  URL.revokeObjectURL(link.href);
}));
byId("type").addEventListener("submit", (event) => {
  event.preventDefault();
  attempt(async () => {
    if (!mayMove()) throw new Error(isOver() ? "the game is over" : "it is the engine’s turn");
    const after = await ask("position", { ...place(), text: byId("typed").value });
    byId("typed").value = "";
    await play(after.played.at(-1).uci);
  });
});
byId("analyse").addEventListener("change", () => {
  question++;
  if (byId("analyse").checked) analyse();
  else {
    attempt(async () => {
      showLines({ lines: [], depth: 0, nodes: 0 });
      await ask("stop", null);
      await show(game.shown);
    });
  }
});
attempt(async () => {
  games = await ask("games");
  byId("game").replaceChildren(...games.map(({ key, name }, index) => el("option", { value: index }, `${name} (${key})`)));
  await begin();
});
