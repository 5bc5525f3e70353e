// Playing against the engine, and looking at a game with it. The server knows the rules; this page shows what it says.

const find = (id) => document.getElementById(id);

/** Asks the server: a question with a body is a POST. Its problem is thrown as an error. */
async function ask(path, body) {
  const options = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const answer = await fetch(path, options);
  if (!answer.ok) throw new Error((await answer.json().catch(() => ({}))).problem ?? "the server does not answer as expected");
  return answer.headers.get("Content-Type").startsWith("application/json") ? answer.json() : answer.text();
}

/** The game of the moment: what was asked for, all moves, and how many of them are on the board. */
const game = { index: 0, start: "random", moves: [], shown: 0, side: "white", level: "n1000", turned: false };
let position = null;
let drawings = null;
let chosen = null;
/** What the page waits for: a number that changes with every question. */
let question = 0;

const place = (moves = game.moves.slice(0, game.shown)) => ({ game: game.index, start: game.start, moves });
const isLive = () => game.shown === game.moves.length;
const isEngines = () => !position.result && game.side !== "both" && position.to_move !== game.side;
const limits = () => ({ [game.level[0] === "n" ? "nodes" : "milliseconds"]: Number(game.level.slice(1)) });

function say(problem) {
  find("problem").textContent = problem ?? "";
}

/** Runs something that asks the server, and shows its problem. */
async function attempt(what) {
  say();
  try {
    await what();
  } catch (error) {
    say(error.message);
  }
}

function drawing(side, letter) {
  const shapes = drawings.shapes[letter] ?? `<text x="22.5" y="32" font-size="26" text-anchor="middle">${letter}</text>`;
  return `<svg viewBox="0 0 45 45" aria-hidden="true"><g ${drawings[side]}>${shapes}</g></svg>`;
}

function squareName(file, rank) {
  return String.fromCharCode(97 + file) + (rank + 1);
}

function showBoard() {
  const { files, ranks } = position;
  const board = find("board");
  const at = new Map(position.pieces.map(([square, side, letter]) => [square, { side, letter }]));
  const last = position.played.at(-1);
  const marked = new Set(last ? [last.from, last.to[0]] : []);
  const targets = new Set(chosen ? position.legal.filter((move) => move.from === chosen).flatMap((move) => move.to) : []);
  const focused = document.activeElement?.dataset?.square;
  board.style.gridTemplateColumns = `repeat(${files}, 1fr)`;
  board.style.aspectRatio = `${files} / ${ranks}`;
  const squares = [];
  for (let row = 0; row < ranks; row++) {
    for (let column = 0; column < files; column++) {
      const [file, rank] = game.turned ? [files - 1 - column, row] : [column, ranks - 1 - row];
      const name = squareName(file, rank);
      const piece = at.get(name);
      const button = document.createElement("button");
      button.type = "button";
      button.dataset.square = name;
      button.className = `square ${(file + rank) % 2 === 0 ? "dark" : "light"}`;
      button.classList.toggle("last", marked.has(name));
      button.classList.toggle("chosen", name === chosen);
      button.classList.toggle("target", targets.has(name));
      button.classList.toggle("taken", targets.has(name) && piece !== undefined);
      const what = piece ? `${piece.side} ${drawings.names[piece.letter] ?? piece.letter}` : "empty";
      button.setAttribute("aria-label", `${name}, ${what}${targets.has(name) ? ", can go here" : ""}`);
      const edge = row === ranks - 1 || column === 0 ? `<i>${name}</i>` : "";
      button.innerHTML = (piece ? drawing(piece.side, piece.letter) : "") + edge;
      button.addEventListener("click", () => choose(name));
      button.addEventListener("pointerdown", (event) => drag(event, name));
      squares.push(button);
    }
  }
  const arrows = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  arrows.id = "arrows";
  arrows.setAttribute("viewBox", `0 0 ${files} ${ranks}`);
  board.replaceChildren(...squares, arrows);
  if (focused) board.querySelector(`[data-square="${focused}"]`)?.focus();
}

function middle(square) {
  const [file, rank] = [square.charCodeAt(0) - 97, Number(square.slice(1)) - 1];
  return game.turned ? [position.files - file - 0.5, rank + 0.5] : [file + 0.5, position.ranks - rank - 0.5];
}

function showArrows(lines) {
  const paths = lines.slice(0, 1).flatMap(({ first }) => {
    const move = position.legal.find(({ uci }) => uci === first);
    if (!move) return [];
    const [[x1, y1], [x2, y2]] = [middle(move.from), middle(move.to[0])];
    const angle = Math.atan2(y2 - y1, x2 - x1);
    const head = [2.6, -2.6].map((turn) => `M${x2 + 0.3 * Math.cos(angle + turn)} ${y2 + 0.3 * Math.sin(angle + turn)}L${x2} ${y2}`);
    return [`<path d="M${x1} ${y1}L${x2} ${y2}${head.join("")}"/>`];
  });
  find("arrows").innerHTML = paths.join("");
}

function showMoves() {
  const items = game.list.map((move, index) => {
    const item = document.createElement("li");
    const ply = index + (position.first_to_move === "black" ? 1 : 0);
    const number = document.createElement("span");
    if (ply % 2 === 0) number.textContent = `${position.first_number + ply / 2}.`;
    else if (index === 0) number.textContent = `${position.first_number}...`;
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = move;
    button.setAttribute("aria-current", String(index + 1 === game.shown));
    button.addEventListener("click", () => attempt(() => show(index + 1)));
    item.append(number, button);
    return item;
  });
  find("moves").replaceChildren(...items);
  find("moves").querySelector('[aria-current="true"]')?.scrollIntoView({ block: "nearest" });
}

function showStatus(thinking = false) {
  const turn = position.to_move === "white" ? "White" : "Black";
  const status = position.ending ?? (thinking ? "The engine thinks …" : `${turn} to move${position.check ? ", in check" : ""}`);
  find("status").textContent = isLive() ? status : `After move ${game.shown} of ${game.moves.length}; ${status}`;
  find("take-back").disabled = game.moves.length === 0;
}

/** Shows the position after so many moves. */
async function show(moves) {
  const mine = ++question;
  const answer = await ask("position", place(game.moves.slice(0, moves)));
  if (mine !== question) return;
  game.shown = moves;
  position = answer;
  game.list = [...position.played.map((move) => move.notation), ...(game.list ?? []).slice(moves)].slice(0, game.moves.length);
  chosen = null;
  find("title").textContent = position.name;
  document.title = `${position.name}: play`;
  find("setup").textContent = position.setup ? `setup ${position.setup}` : "a position";
  showBoard();
  showMoves();
  showStatus();
  if (find("analyse").checked) analyse();
  else if (isLive() && isEngines()) engineMoves();
}

/** The engine plays. */
async function engineMoves() {
  const mine = question;
  showStatus(true);
  await attempt(async () => {
    const id = await ask("search", { place: place(), ...limits() });
    for (;;) {
      await new Promise((wake) => setTimeout(wake, 60));
      if (mine !== question) return;
      const found = await ask("search");
      if (mine !== question || found.id !== id) return;
      if (found.problem) throw new Error(found.problem);
      if (!found.running) {
        if (found.best) await play(found.best);
        return;
      }
    }
  });
}

/** Looks at the position until something else is shown. */
async function analyse() {
  const mine = question;
  await attempt(async () => {
    if (position.result) return showLines({ lines: [], depth: 0, nodes: 0 });
    const id = await ask("search", { place: place(), lines: 3 });
    while (mine === question && find("analyse").checked) {
      const found = await ask("search");
      if (found.id !== id || mine !== question) return;
      showLines(found);
      if (!found.running) return;
      await new Promise((wake) => setTimeout(wake, 250));
    }
  });
}

function showLines({ lines, depth, nodes }) {
  find("depth").textContent = depth ? `depth ${depth}, ${nodes.toLocaleString("en")} positions; scores are White's, in pawns` : "";
  const items = lines.map(({ score, moves }) => {
    const item = document.createElement("li");
    const value = document.createElement("b");
    value.textContent = score;
    item.append(value, moves.join(" "));
    return item;
  });
  find("lines").replaceChildren(...items);
  showArrows(lines);
}

/** Plays a move after the one that is shown; what came after it is gone. */
async function play(uci) {
  game.moves = [...game.moves.slice(0, game.shown), uci];
  game.list = game.list.slice(0, game.shown);
  await show(game.moves.length);
}

/** A square is clicked: a piece is chosen, or moved. */
async function choose(square) {
  if (!position || position.result || (isEngines() && !find("analyse").checked)) return;
  const moves = position.legal.filter((move) => move.from === chosen && move.to.includes(square));
  if (moves.length > 0) {
    const move = moves.length === 1 ? moves[0] : await promotion(moves);
    if (move) return attempt(() => play(move.uci));
  }
  chosen = chosen !== square && position.legal.some((move) => move.from === square) ? square : null;
  showBoard();
}

/** What a pawn becomes. */
function promotion(moves) {
  const dialog = find("promotion");
  return new Promise((answer) => {
    const buttons = moves.map((move) => {
      const button = document.createElement("button");
      button.type = "button";
      const letter = move.promotes_to;
      button.setAttribute("aria-label", letter ? drawings.names[letter] ?? letter : move.notation);
      button.innerHTML = letter ? drawing(position.to_move, letter) : move.notation;
      button.addEventListener("click", () => {
        dialog.close();
        answer(move);
      });
      return button;
    });
    find("pieces").replaceChildren(...buttons);
    dialog.addEventListener("cancel", () => answer(null), { once: true });
    dialog.showModal();
  });
}

/** A piece is dragged from a square to where it is let go. */
function drag(event, from) {
  if (!position.legal.some((move) => move.from === from)) return;
  const up = (end) => {
    const to = document.elementFromPoint(end.clientX, end.clientY)?.closest(".square")?.dataset.square;
    if (to && to !== from && position.legal.some((move) => move.from === from && move.to.includes(to))) {
      chosen = from;
      choose(to);
    }
  };
  document.addEventListener("pointerup", up, { once: true });
}

async function begin() {
  game.index = Number(find("game").value);
  game.side = find("side").value;
  game.level = find("level").value;
  game.turned = game.side === "black";
  question++;
  await ask("stop", null);
  drawings = await ask("drawings", game.index);
  const first = await ask("position", { game: game.index, start: find("start").value });
  Object.assign(game, { start: first.start, moves: [], shown: 0, list: [] });
  await show(0);
}

find("new").addEventListener("submit", (event) => {
  event.preventDefault();
  attempt(begin);
});
find("take-back").addEventListener("click", () =>
  attempt(async () => {
    // Against the engine its answer is taken back as well.
    const plies = game.side !== "both" && !isEngines() && !position.result && game.moves.length > 1 ? 2 : 1;
    game.moves = game.moves.slice(0, Math.max(game.moves.length - plies, 0));
    await show(game.moves.length);
  }),
);
find("turn").addEventListener("click", () => {
  game.turned = !game.turned;
  showBoard();
});
find("save").addEventListener("click", () =>
  attempt(async () => {
    const names = { white: ["you", "backrank"], black: ["backrank", "you"], both: ["?", "?"] }[game.side];
    const text = await ask("pgn", [place(game.moves), ...names]);
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "application/x-chess-pgn" }));
    link.download = "game.pgn";
    link.click();
    URL.revokeObjectURL(link.href);
  }),
);
find("type").addEventListener("submit", (event) => {
  event.preventDefault();
  attempt(async () => {
    const text = find("typed").value;
    const after = await ask("position", { ...place(), text });
    find("typed").value = "";
    await play(after.played.at(-1).uci);
  });
});
find("analyse").addEventListener("change", () => {
  question++;
  if (find("analyse").checked) analyse();
  else
    attempt(async () => {
      showLines({ lines: [], depth: 0, nodes: 0 });
      await ask("stop", null);
      await show(game.shown);
    });
});
attempt(async () => {
  const games = await ask("games");
  const options = games.map(({ key, name }, index) => {
    const option = document.createElement("option");
    option.value = index;
    option.textContent = `${name} (${key})`;
    return option;
  });
  find("game").replaceChildren(...options);
  await begin();
});
