// Sets up every setup of an explorer's page with the page's own code: node start.mjs PAGE EACH
//
// Prints a line for each setup: the position at the start, and for each EACHth the number of legal moves.

import { Data } from "../../../analysis/src/explorer/page/data.mjs";
import { part } from "./page.mjs";

const [page, each] = process.argv.slice(2);
const data = new Data(JSON.parse(part(page, "data").toString()));
const lines = [];
for (let setup = 0; setup < data.setups.number; setup++) {
  const start = data.start(setup);
  const counted = setup % Number(each) === 0;
  lines.push(counted ? `${start.fen()}\t${start.legalMoves().length}` : start.fen());
}
console.log(lines.join("\n"));
