// Reads lines as the page does: node reading.mjs PAGE SETUP TEXT…
//
// Prints a line for each text: where it leads from the setup, or that it cannot be read.

import { Data } from "../../../analysis/src/explorer/page/data.mjs";
import { readMoves } from "../../../analysis/src/explorer/page/reading.mjs";
import { part } from "./page.mjs";

const [page, setup, ...texts] = process.argv.slice(2);
const data = new Data(JSON.parse(part(page, "data").toString()));
const start = data.start(data.setups.ofLabel(setup));
for (const text of texts) {
  try {
    const position = start.copy();
    readMoves(start, text).forEach((move) => position.play(move));
    console.log(position.fen());
  } catch {
    console.log("not read");
  }
}
