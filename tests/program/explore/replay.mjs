// Replays every game of an explorer's page with the page's own code: node replay.mjs PAGE EACH
//
// Prints a line for each game: its number, the position after its last move, and, for each EACHth game, every move in the
// game's notation with the number of legal moves before it.

import { Data } from "../../../analysis/src/explorer/page/data.mjs";
import { notation } from "../../../analysis/src/explorer/page/notation.mjs";
import { part } from "./page.mjs";

const [page, each] = process.argv.slice(2);
const data = new Data(JSON.parse(part(page, "data").toString()), async () => part(page, "recorded-moves"));
const lines = [];
for (let game = 0; game < data.recorded.number; game++) {
  const { moves, position } = await data.replayed(game);
  const fields = [data.recorded.game[game], position.fen()];
  if (game % Number(each) === 0) {
    const before = data.start(data.recorded.setup[game]);
    fields.push(moves.map((move) => {
      const text = `${notation(before, move)}:${before.legalMoves().length}`;
      before.play(move);
      return text;
    }).join(" "));
  }
  lines.push(fields.join("\t"));
}
console.log(lines.join("\n"));
