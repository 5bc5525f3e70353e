// Finding setups by their pieces and features.

import { announce, byId, el, plural, select, thousands } from "./dom.mjs";
import { miniature, pieceIcon } from "./board.mjs";
import { rowsOf } from "./side_by_side.mjs";
import { BLACK, WHITE } from "./rules.mjs";

// A column with more texts than this is not offered as a choice.
const MAX_CHOICES = 24;

// Setups that are shown beside the filter.
const FOUND = 6;

// The side whose slot an arrow key goes to, if not the same, and the number of files to the right.
const ARROWS = { ArrowLeft: [null, -1], ArrowRight: [null, 1], ArrowUp: [BLACK, 0], ArrowDown: [WHITE, 0] };

export class FindPanel {
  constructor(app) {
    this.app = app;
    this.slots = app.data.setups.slots;
    this.slot = this.slots[0].slot;
    this.#listConditions();
    byId("clear-filter").addEventListener("click", () => {
      app.filter.clear();
      this.slot = this.slots[0].slot;
      this.#listConditions();
      app.filterChanged();
    });
    byId("open-random").addEventListener("click", () => app.openRandom());
    byId("found-more").addEventListener("click", () => byId("compare").scrollIntoView({ block: "start" }));
    for (const row of ["black-slots", "slots"]) byId(row).addEventListener("keydown", (event) => this.#key(event));
    app.on("filter", () => this.draw());
    app.on("order", () => this.listFound());
    this.draw();
  }

  // The first setups that pass the filter, in the order of the table.
  listFound() {
    const { app } = this;
    const { data, table, filter } = app;
    if (!table) return;
    const shown = filter.isEmpty ? [] : table.order.slice(0, FOUND);
    const column = data.column(table.sortKey);
    byId("found").replaceChildren(...shown.map((setup) => el("li", {}, el("a", { href: `#${data.setups.label(setup)}` }, miniature(data.look, rowsOf(data, setup)),
      el("span", {}, el("b", {}, data.setups.label(setup)), column && !column.isText ? el("small", {}, ` ${column.format(column.values[setup])}`) : ` #${data.setups.id(data.numberings[0], setup)}`)))));
    byId("found-more").hidden = shown.length >= table.order.length || filter.isEmpty;
    byId("found-more").textContent = `All ${thousands(table.order.length)} in the table`;
  }

  // Shows the conditions of the filter, which has pieces and texts already, and adds these ranges to it.
  restore(ranges) {
    this.#listConditions(ranges);
    this.draw();
  }

  get army() {
    const letters = [...this.app.data.setups.whiteRank(0)].filter((letter) => letter !== ".");
    return this.app.data.game.pieces.map((piece) => piece.letter).filter((letter) => letters.includes(letter));
  }

  draw() {
    const { app } = this;
    const { filter, data } = app;
    const possible = filter.possible(this.slot);
    const focused = document.activeElement?.dataset?.slot;
    const row = (side) => this.slots.filter((place) => place.side === side).map(({ slot, file }) => {
      const letter = filter.placed.get(slot);
      const name = letter ? data.rules.kinds.get(letter).name : "any piece";
      const light = data.rules.isLight(data.rules.square(file, data.rules.firstRank(side)));
      return el("button", {
        type: "button", class: `slot ${light ? "light" : "dark"}`, "data-slot": slot, "aria-pressed": String(slot === this.slot),
        "aria-label": `${this.#slotName(slot)}: ${name}`,
        onclick: () => this.#choose(slot),
      }, letter ? pieceIcon(data, letter, side) : el("span", { class: "any" }, "?"), el("small", {}, data.rules.fileName(file)));
    });
    byId("black-slots").hidden = !data.setups.black;
    if (data.setups.black) byId("slots").setAttribute("aria-label", "White’s first rank");
    byId("black-slots").replaceChildren(...row(BLACK));
    byId("slots").replaceChildren(...row(WHITE));
    if (focused !== undefined) this.#button(focused)?.focus();
    const { side } = this.#place(this.slot);
    byId("palette").replaceChildren(...this.army.map((letter) => {
      const disabled = !possible.has(letter) && filter.placed.get(this.slot) !== letter;
      const button = el("button", {
        type: "button", class: "slot palette", disabled, "data-letter": letter, "data-piece": letter,
        "aria-label": `${data.rules.kinds.get(letter).name} on ${this.#theSlot(this.slot)}`,
        title: disabled ? "It cannot stand here" : data.rules.kinds.get(letter).name,
        onclick: () => this.put(this.slot, letter),
      }, pieceIcon(data, letter, side));
      button.addEventListener("pointerdown", (event) => this.#drag(event, letter));
      return button;
    }), el("button", { type: "button", class: "slot palette any", disabled: !filter.placed.has(this.slot), "aria-label": `any piece on ${this.#theSlot(this.slot)}`, onclick: () => this.put(this.slot, "") }, "?"));
    const { length } = app.matching;
    byId("matching").textContent = filter.isEmpty ? `all ${thousands(data.setups.number)} setups` : `${plural(length, "setup")} of ${thousands(data.setups.number)}`;
    byId("open-random").disabled = length === 0;
    byId("random").disabled = length === 0;
    byId("clear-filter").disabled = filter.isEmpty;
  }

  #place(slot) { return this.slots.find((place) => place.slot === slot); }

  // A slot's button.
  #button(slot) { return byId("find-panel").querySelector(`[data-slot="${slot}"]`); }

  // A slot in words: its file, and whose it is if both sides have slots.
  #slotName(slot) {
    const { side, file } = this.#place(slot);
    const name = `${this.app.data.rules.fileName(file)}-file`;
    if (!this.app.data.setups.black) return name;
    return `${side === WHITE ? "White’s" : "Black’s"} ${name}`;
  }

  #theSlot(slot) { return `${this.app.data.setups.black ? "" : "the "}${this.#slotName(slot)}`; }

  #choose(slot) {
    this.slot = slot;
    this.draw();
  }

  // Puts a piece in a slot, or takes it away. When only one setup is left, it is opened.
  put(slot, letter) {
    const { app } = this;
    if (letter) app.filter.placed.set(slot, letter);
    else app.filter.placed.delete(slot);
    const free = this.slots.map((place) => place.slot).filter((other) => !app.filter.placed.has(other));
    this.slot = !letter ? slot : free.find((other) => other > slot) ?? free[0] ?? slot;
    app.filterChanged();
    if (letter && app.matching.length === 1) {
      const [only] = app.matching;
      const { setups } = app.data;
      this.slots.forEach((place) => app.filter.placed.set(place.slot, setups.pieceAt(only, place.slot)));
      this.draw();
      app.open(only);
      announce(`${setups.label(only)} is the only setup left`);
    }
  }

  #key(event) {
    const slot = Number(event.target.dataset.slot);
    const letter = event.key.toUpperCase();
    if (event.key === "Delete" || event.key === "Backspace") {
      this.put(slot, "");
    } else if (ARROWS[event.key]) {
      const { side, file } = this.#place(slot);
      const [toSide, right] = ARROWS[event.key];
      const next = this.slots.find((place) => place.side === (toSide ?? side) && place.file === file + right && place.slot !== slot);
      if (!next) return;
      this.#choose(next.slot);
      this.#button(next.slot).focus();
    } else if (this.army.includes(letter) && !event.ctrlKey && !event.metaKey) {
      this.slot = slot;
      if (!this.app.filter.possible(slot).has(letter)) {
        announce(`${this.app.data.rules.kinds.get(letter).name} cannot stand on ${this.#theSlot(slot)}`);
        return;
      }
      this.put(slot, letter);
      this.#button(this.slot)?.focus();
    } else {
      return;
    }
    event.preventDefault();
  }

  // Drags a piece to a slot, with the mouse or a finger. Slots where it cannot stand are greyed out.
  #drag(event, letter) {
    const [startX, startY] = [event.clientX, event.clientY];
    const button = event.currentTarget;
    let ghost = null;
    const slotAt = (x, y) => document.elementsFromPoint(x, y).find((element) => element.dataset?.slot !== undefined);
    const move = (next) => {
      if (!ghost && Math.hypot(next.clientX - startX, next.clientY - startY) < 7) return;
      if (!ghost) {
        ghost = el("div", { class: "ghost" }, pieceIcon(this.app.data, letter, this.#place(this.slot).side));
        document.body.append(ghost);
        this.slots.forEach(({ slot }) => {
          this.#button(slot).classList.toggle("closed", !this.app.filter.possible(slot).has(letter));
        });
      }
      ghost.style.transform = `translate(${next.clientX}px, ${next.clientY}px)`;
      next.preventDefault();
    };
    const end = (last) => {
      button.removeEventListener("pointermove", move);
      button.removeEventListener("pointerup", end);
      button.removeEventListener("pointercancel", end);
      if (!ghost) return;
      ghost.remove();
      // The click that follows a drag places nothing more.
      button.addEventListener("click", (click) => click.stopImmediatePropagation(), { capture: true, once: true });
      setTimeout(() => this.draw());
      if (last.type !== "pointerup") return;
      // On the board's own first rank as well as in the row above.
      const onBoard = this.app.arranger.places.get(this.app.line.board.squareAt(last))?.slot;
      const slot = slotAt(last.clientX, last.clientY)?.dataset.slot ?? onBoard;
      if (slot !== undefined && this.app.filter.possible(Number(slot)).has(letter)) this.put(Number(slot), letter);
    };
    button.setPointerCapture(event.pointerId);
    button.addEventListener("pointermove", move);
    button.addEventListener("pointerup", end);
    button.addEventListener("pointercancel", end);
  }

  // A choice for each column with few texts, and a range for any measure.
  #listConditions(ranges = []) {
    const { filter, data } = this.app;
    const choices = data.columns.filter((column) => column.isText && !column.isMoves && column.choices.length > 1 && column.choices.length <= MAX_CHOICES);
    const conditions = choices.map((column) => el("label", {}, `${column.title} `, select(column.title, [["", "any"], ...column.choices.map((text) => [text, text || "none"])], filter.texts.get(column.key) ?? "", (text) => {
      if (text) filter.texts.set(column.key, text);
      else filter.texts.delete(column.key);
      this.app.filterChanged();
    })));
    byId("conditions").replaceChildren(...conditions);
    const measures = data.measures.map((column) => [column.key, column.title]);
    byId("ranges").replaceChildren();
    ranges.forEach((range) => this.#addRange(...range));
    if (measures.length && !ranges.length) this.#addRange(measures[0][0]);
  }

  // A row in which a measure and its range are chosen.
  #addRange(key, least = -Infinity, most = Infinity) {
    const { filter, data } = this.app;
    let chosen = key;
    const input = (label) => el("input", { type: "number", step: "any", inputmode: "decimal", "aria-label": label, oninput: () => apply() });
    const [low, high] = [input("at least"), input("at most")];
    const row = el("div", { class: "range" });
    const apply = () => {
      const number = (text, otherwise) => (text.value === "" ? otherwise : Number(text.value));
      if (low.value === "" && high.value === "") filter.ranges.delete(row);
      else filter.ranges.set(row, [chosen, number(low, -Infinity), number(high, Infinity)]);
      this.app.filterChanged();
    };
    const suggest = () => {
      const column = data.column(chosen);
      [low.placeholder, high.placeholder] = [column.format(column.min), column.format(column.max)];
    };
    const which = select("measure", data.measures.map((column) => [column.key, column.title]), key, (next) => {
      chosen = next;
      suggest();
      apply();
    });
    suggest();
    if (Number.isFinite(least)) low.value = least;
    if (Number.isFinite(most)) high.value = most;
    if (low.value || high.value) filter.ranges.set(row, [key, least, most]);
    const more = el("button", { type: "button", class: "quiet", onclick: () => { more.remove(); this.#addRange(key); } }, "and another measure");
    row.append(which, low, el("span", {}, "to"), high, more);
    byId("ranges").append(row);
  }
}
