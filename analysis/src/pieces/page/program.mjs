// The page of pieces that were measured: finding and sorting them, and predicting a piece that is clicked together.

/** The board for which values are: files and ranks. */
const SIZE = 8;

/** The part of it that is occupied. */
const CROWDED = 1 / 3;

/** Beyond any board. */
const ENDLESS = 255;

/** The mean number of squares that a piece reaches by rays of free steps. A step that is also the first of a ride counts once. */
function mobility(rays, density) {
  const ranges = new Map();
  for (const { dx, dy, range } of rays) {
    const key = `${dx},${dy}`;
    ranges.set(key, Math.max(range, ranges.get(key) ?? 0));
  }
  let sum = 0;
  for (const [key, range] of ranges) {
    const [dx, dy] = key.split(",").map(Number);
    for (let file = 0; file < SIZE; file++) {
      for (let rank = 0; rank < SIZE; rank++) {
        let chance = 1;
        for (let step = 1; step <= range; step++) {
          const [x, y] = [file + step * dx, rank + step * dy];
          if (x < 0 || y < 0 || x >= SIZE || y >= SIZE) break;
          sum += chance;
          chance *= 1 - density;
        }
      }
    }
  }
  return sum / (SIZE * SIZE);
}

/** The squares to which a piece ever comes from d4, as a part of the board. */
function reach(rays) {
  const reached = new Set([3 * SIZE + 3]);
  const open = [...reached];
  while (open.length > 0) {
    const at = open.pop();
    for (const { dx, dy, range } of rays) {
      for (let step = 1; step <= range; step++) {
        const [x, y] = [(at % SIZE) + step * dx, Math.floor(at / SIZE) + step * dy];
        if (x < 0 || y < 0 || x >= SIZE || y >= SIZE) break;
        const next = y * SIZE + x;
        if (!reached.has(next)) {
          reached.add(next);
          open.push(next);
        }
      }
    }
  }
  return reached.size / (SIZE * SIZE);
}

/** What can be seen of a piece. */
export function features(rays) {
  const moving = rays.filter((ray) => ray.moves);
  const capturing = rays.filter((ray) => ray.captures);
  const forwards = (some) => some.filter((ray) => ray.dy > 0);
  const moves = mobility(moving, CROWDED);
  const captures = mobility(capturing, CROWDED);
  const near = capturing.filter((ray) => Math.abs(ray.dx) <= 1 && Math.abs(ray.dy) <= 1);
  const next = mobility(near.map((ray) => ({ ...ray, range: 1 })), 0);
  const forward = mobility(forwards(moving), CROWDED) + mobility(forwards(capturing), CROWDED);
  return {
    moves,
    captures,
    forward: forward / Math.max(moves + captures, Number.MIN_VALUE),
    farCaptures: Math.max(captures - next, 0),
    capturesWhenEmpty: mobility(capturing, 0),
    colourBound: rays.every((ray) => (ray.dx + ray.dy) % 2 === 0),
    reach: reach(rays),
  };
}

/** The terms of the model, in its order. */
function terms(of) {
  const captures = Math.max(of.captures, 0.1);
  const emptyAdds = Math.log(Math.max(of.capturesWhenEmpty, 0.1) / captures);
  const beyond = (of.captures - of.moves) / Math.max(of.captures + of.moves, 0.1);
  return [
    1,
    Math.log(Math.max((of.moves + 2 * of.captures) / 3, 0.1)),
    of.forward - 0.5,
    of.colourBound ? 1 : 0,
    of.farCaptures / captures,
    Math.max(emptyAdds, 0),
    Math.max(-emptyAdds, 0),
    Math.max(beyond, 0),
    Math.max(-beyond, 0),
    1 - of.reach * (of.colourBound ? 2 : 1),
  ];
}

/** The value of a piece by the model, and the ends of its interval. */
export function predict(model, rays) {
  const of = terms(features(rays));
  const logarithm = of.reduce((sum, term, index) => sum + term * model.coefficients[index], 0);
  let variance = model.spread ** 2;
  of.forEach((one, row) => of.forEach((other, column) => (variance += one * other * model.covariance[row][column])));
  const within = model.quantile * Math.sqrt(variance);
  return { value: Math.exp(logarithm), low: Math.exp(logarithm - within), high: Math.exp(logarithm + within) };
}

/** The atoms of Betza's notation by how far they go, the greater distance first, and what they are called as rides. */
const ATOMS = { "1,0": "W", "1,1": "F", "2,0": "D", "2,1": "N", "2,2": "A", "3,0": "H", "3,1": "C", "3,2": "Z", "3,3": "G" };
const RIDES = { W: "R", F: "B" };

/** The ways of an atom that can be chosen apart, left and right together: the letters that say so, and what steps they are. */
function waysOf(long, short) {
  const both = (dx, dy) => (dx === 0 ? [[0, dy]] : [[dx, dy], [-dx, dy]]);
  if (short === 0) return [["f", both(0, long)], ["b", both(0, -long)], ["lr", [[long, 0], [-long, 0]]]];
  if (short === long) return [["f", both(long, long)], ["b", both(long, -long)]];
  return [
    ["ff", both(short, long)], ["fs", both(long, short)],
    ["bs", both(long, -short)], ["bb", both(short, -long)],
  ];
}

/** Every way that can be chosen: its atom, letters, steps. */
export const WAYS = Object.entries(ATOMS).flatMap(([distance, atom]) => {
  const [long, short] = distance.split(",").map(Number);
  return waysOf(long, short).map(([letters, steps]) => ({ atom, letters, steps }));
});

/** The kinds of a chosen way: what Betza writes before it, and what it does. */
const KINDS = {
  both: { mark: "", moves: true, captures: true },
  move: { mark: "m", moves: true, captures: false },
  capture: { mark: "c", moves: false, captures: true },
};

/** The text of chosen ways: a map from the index of a way to its kind and whether it rides. */
export function betzaOf(chosen) {
  const groups = new Map();
  WAYS.forEach((way, index) => {
    const choice = chosen.get(index);
    if (!choice) return;
    const key = `${choice.kind},${way.atom},${choice.rides}`;
    groups.set(key, { ...choice, atom: way.atom, letters: [...(groups.get(key)?.letters ?? []), way.letters] });
  });
  let text = "";
  for (const { kind, rides, atom, letters } of groups.values()) {
    const isWhole = letters.length === WAYS.filter((way) => way.atom === atom).length;
    const name = rides ? (RIDES[atom] ?? atom + atom) : atom;
    text += KINDS[kind].mark + (isWhole ? "" : letters.join("")) + name;
  }
  // Queens and kings by their own letters.
  return text.replace(/^((?:[mc]))?W\1F/, "$1K").replace(/^WF/, "K").replace(/^RB$/, "Q");
}

/** The rays of chosen ways. */
export function raysOf(chosen) {
  return WAYS.flatMap(({ steps }, index) => {
    const choice = chosen.get(index);
    if (!choice) return [];
    const { moves, captures } = KINDS[choice.kind];
    return steps.map(([dx, dy]) => ({ dx, dy, range: choice.rides ? ENDLESS : 1, moves, captures }));
  });
}

function start() {
  const find = (id) => document.getElementById(id);
  const { pieces, model, unit } = JSON.parse(find("data").textContent);
  const cards = [...find("cards").children];
  const chosen = new Map();
  const buttons = new Map();
  const text = ({ value, low, high }) => `${value.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`;
  const signs = { both: "●", move: "○", capture: "×" };
  const words = { both: "moves and captures", move: "only moves", capture: "only captures" };

  const wayAt = (dx, dy) => WAYS.findIndex(({ steps }) => steps.some(([x, y]) => x === dx && y === dy));
  const key = (ray) => `${ray.dx},${ray.dy},${ray.range},${ray.moves},${ray.captures}`;
  const isFree = (piece) => piece.rays.every((ray) => ray.free);

  /** Whether a piece goes wherever the chosen one does. */
  const contains = (piece, rays) =>
    rays.every((ray) => {
      const along = piece.rays.filter((other) => other.free && other.dx === ray.dx && other.dy === ray.dy && other.range >= ray.range);
      return (!ray.moves || along.some((other) => other.moves)) && (!ray.captures || along.some((other) => other.captures));
    });

  function showPieces() {
    const rays = find("with-yours").checked ? raysOf(chosen) : [];
    const wanted = find("find").value.trim().toLowerCase();
    let number = 0;
    cards.forEach((card) => {
      const piece = pieces[card.dataset.index];
      const isNamed = `${piece.piece.toLowerCase()} ${piece.betza.toLowerCase()}`.includes(wanted);
      card.hidden = !isNamed || !contains(piece, rays);
      number += card.hidden ? 0 : 1;
    });
    find("number").textContent = `${number} of ${pieces.length} pieces`;
    const by = find("sort").value;
    const off = (piece) => (piece.predicted && piece.value ? Math.abs(Math.log(piece.value.value / piece.predicted.value)) : -1);
    const order = {
      value: (one, other) => (one.value?.value ?? 0) - (other.value?.value ?? 0),
      name: (one, other) => one.piece.localeCompare(other.piece),
      off: (one, other) => off(other) - off(one),
      games: (one, other) => other.games - one.games,
    }[by];
    const sorted = [...cards].sort((one, other) => order(pieces[one.dataset.index], pieces[other.dataset.index]));
    find("cards").append(...sorted);
  }

  function showYours() {
    for (const [index, squares] of buttons) {
      const choice = chosen.get(index);
      for (const button of squares) {
        button.textContent = choice ? signs[choice.kind] + (choice.rides ? "→" : "") : "";
        const does = choice ? words[choice.kind] + (choice.rides ? " and rides on" : "") : "does not go there";
        button.setAttribute("aria-label", `${button.dataset.square}: ${does}`);
      }
    }
    const rays = raysOf(chosen);
    const betza = betzaOf(chosen);
    find("betza").textContent = betza || "–";
    find("predicted").textContent = "";
    find("why").textContent = "";
    find("same").textContent = "";
    find("command").textContent = "";
    if (rays.length > 0) {
      find("command").textContent = `backrank value '${betza}'`;
      if (model && rays.some((ray) => ray.captures)) {
        find("predicted").textContent = `${text(predict(model, rays))} with ${unit}`;
        find("why").textContent =
          `Predicted by ${model.pieces} pieces that were measured, with the interval of a single piece. Two minutes of games say more:`;
      }
      const keys = rays.map(key).sort().join(" ");
      const same = pieces.find((piece) => isFree(piece) && piece.rays.map(key).sort().join(" ") === keys);
      if (same?.value) find("same").textContent = `Measured as ${same.piece}: ${text(same.value)}, in ${same.games} games.`;
    }
    showPieces();
  }

  for (let dy = 3; dy >= -3; dy--) {
    for (let dx = -3; dx <= 3; dx++) {
      const button = document.createElement("button");
      button.type = "button";
      if ((dx + dy) % 2 === 0) button.className = "dark";
      const way = wayAt(dx, dy);
      if (way < 0) {
        button.textContent = "◆";
        button.setAttribute("aria-disabled", "true");
        button.setAttribute("aria-label", "the piece");
      } else {
        const across = dx === 0 ? "" : `${Math.abs(dx)} to the ${dx > 0 ? "right" : "left"}`;
        const along = dy === 0 ? "" : `${Math.abs(dy)} ${dy > 0 ? "forwards" : "backwards"}`;
        button.dataset.square = [along, across].filter(Boolean).join(", ");
        buttons.set(way, [...(buttons.get(way) ?? []), button]);
        button.addEventListener("click", () => {
          const order = [undefined, "both", "move", "capture"];
          const next = order[(order.indexOf(chosen.get(way)?.kind) + 1) % order.length];
          WAYS.forEach(({ atom }, index) => {
            if (index !== way && !(find("all-ways").checked && atom === WAYS[way].atom)) return;
            if (next) chosen.set(index, { kind: next, rides: find("rides").checked });
            else chosen.delete(index);
          });
          showYours();
        });
      }
      find("chooser").append(button);
    }
  }
  find("clear").addEventListener("click", () => {
    chosen.clear();
    showYours();
  });
  for (const id of ["find", "sort", "with-yours"]) find(id).addEventListener("input", showPieces);
  showYours();
}

if (typeof document !== "undefined") start();
