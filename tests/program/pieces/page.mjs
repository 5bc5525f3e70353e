// What the page of pieces computes, to be compared with what the toolkit does: a line of JSON for each.
//     node page.mjs PAGE
import { readFileSync, writeFileSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const page = readFileSync(process.argv[2], "utf8");
const part = (begin) => {
  const from = page.indexOf(begin) + begin.length;
  return page.slice(from, page.indexOf("</script>", from));
};
const { pieces, model } = JSON.parse(part('<script type="application/json" id="data">'));
const file = join(mkdtempSync(join(tmpdir(), "pieces-")), "program.mjs");
writeFileSync(file, part('<script type="module">'));
const { WAYS, betzaOf, predict, raysOf } = await import(file);

// The prediction of every piece that needs no more than the page knows.
for (const { betza, rays, by_all } of pieces.filter((piece) => piece.rays.every((ray) => ray.free))) {
  console.log(JSON.stringify({ betza, page: predict(model, rays).value, program: by_all }));
}
// The text of every choice of ways of an atom, in each kind, and its rays.
for (const atom of new Set(WAYS.map((way) => way.atom))) {
  const indices = WAYS.map((way, index) => [way, index]).filter(([way]) => way.atom === atom).map(([, index]) => index);
  for (let some = 1; some < 1 << indices.length; some++) {
    for (const [kind, rides] of [["both", false], ["move", false], ["capture", false], ["both", true], ["move", true]]) {
      const chosen = new Map(indices.filter((_, bit) => some & (1 << bit)).map((index) => [index, { kind, rides }]));
      const rays = raysOf(chosen).map(({ dx, dy, range, moves, captures }) => [dx, dy, range, moves, captures]);
      console.log(JSON.stringify({ text: betzaOf(chosen), rays }));
    }
  }
}
