// The first rank on the board as the editor of a setup.

import { announce, byId } from "./dom.mjs";

export class Arranger {
  constructor(app) {
    this.app = app;
    this.on = false;
    const { rules, setups } = app.data;
    this.places = new Map(setups.slots.map((place) => [rules.square(place.file, rules.firstRank(place.side)), place]));
    byId("arrange").addEventListener("click", () => this.set(!this.on));
    byId("arrange").hidden = setups.number < 2;
    app.on("position", () => { if (app.line.ply > 0) this.set(false); });
  }

  set(on) {
    if (on === this.on) return;
    this.on = on;
    byId("arrange").setAttribute("aria-pressed", String(on));
    if (on && this.app.line.ply > 0) this.app.line.go(0);
    else this.app.line.draw();
    byId("arrange-note").hidden = !on;
  }

  get squares() { return [...this.places.keys()]; }

  // The squares to which the piece on a square can go.
  targets(from) {
    const place = this.places.get(from);
    if (!place) return [];
    const { setups } = this.app.data;
    const letter = setups.pieceAt(this.app.setup, place.slot);
    const possible = new Set();
    for (let setup = 0; setup < setups.number; setup++) {
      for (const other of setups.slots) if (setups.pieceAt(setup, other.slot) === letter) possible.add(other.slot);
    }
    return this.squares.filter((square) => {
      const other = this.places.get(square);
      return square !== from && other.side === place.side && possible.has(other.slot) && setups.pieceAt(this.app.setup, other.slot) !== letter;
    });
  }

  // Opens the setup with the piece of one square on another that is most like the open one: two pieces change places, if that is a setup.
  move(from, to) {
    if (!this.targets(from).includes(to)) return;
    const { setups, rules } = this.app.data;
    const { slots } = setups;
    const [start, end] = [from, to].map((square) => this.places.get(square).slot);
    const now = new Map(slots.map(({ slot }) => [slot, setups.pieceAt(this.app.setup, slot)]));
    const letter = now.get(start);
    let [best, least] = [null, Infinity];
    for (let setup = 0; setup < setups.number; setup++) {
      if (setups.pieceAt(setup, end) !== letter || setups.pieceAt(setup, start) === letter) continue;
      const moved = slots.filter(({ slot }) => setups.pieceAt(setup, slot) !== now.get(slot)).length;
      if (moved < least) [best, least] = [setup, moved];
    }
    if (best === null) return;
    this.app.open(best);
    if (least > 2) announce(`${rules.kinds.get(letter).name} to ${rules.name(to)}, and ${least - 2} more ${least === 3 ? "piece moves" : "pieces move"} with it`);
  }
}
