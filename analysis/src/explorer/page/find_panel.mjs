// Finding setups by their pieces and features.

import { announce, byId, el, plural, select, thousands } from "./dom.mjs";
import { pieceIcon } from "./board.mjs";

// A column with more texts than this is not offered as a choice.
const MAX_CHOICES = 24;

export class FindPanel {
  constructor(app) {
    this.app = app;
    this.files = [...app.data.setups.whiteRank(0)].map((letter, file) => (letter === "." ? -1 : file)).filter((file) => file >= 0);
    this.slot = this.files[0];
    this.#listConditions();
    byId("clear-filter").addEventListener("click", () => {
      app.filter.clear();
      this.slot = this.files[0];
      this.#listConditions();
      app.filterChanged();
    });
    byId("open-random").addEventListener("click", () => app.openRandom());
    byId("slots").addEventListener("keydown", (event) => this.#key(event));
    app.on("filter", () => this.draw());
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
    const focused = document.activeElement?.dataset?.file;
    byId("slots").replaceChildren(...this.files.map((file) => {
      const letter = filter.pattern[file];
      const name = letter ? data.rules.kinds.get(letter).name : "any piece";
      const light = data.rules.isLight(data.rules.square(file, data.game.firstRank));
      return el("button", {
        type: "button", class: `slot ${light ? "light" : "dark"}`, "data-file": file, "data-slot": true, "aria-pressed": String(file === this.slot),
        "aria-label": `${data.rules.fileName(file)}-file: ${name}`,
        onclick: () => this.#choose(file),
      }, letter ? pieceIcon(data, letter) : el("span", { class: "any" }, "?"), el("small", {}, data.rules.fileName(file)));
    }));
    if (focused !== undefined) byId("slots").querySelector(`[data-file="${focused}"]`)?.focus();
    byId("palette").replaceChildren(...this.army.map((letter) => {
      const disabled = !possible.has(letter) && filter.pattern[this.slot] !== letter;
      const button = el("button", {
        type: "button", class: "slot palette", disabled, "data-letter": letter,
        "aria-label": `${data.rules.kinds.get(letter).name} on the ${data.rules.fileName(this.slot)}-file`,
        title: disabled ? "It cannot stand here" : data.rules.kinds.get(letter).name,
        onclick: () => this.put(this.slot, letter),
      }, pieceIcon(data, letter));
      button.addEventListener("pointerdown", (event) => this.#drag(event, letter));
      return button;
    }), el("button", { type: "button", class: "slot palette any", disabled: !filter.pattern[this.slot], "aria-label": `any piece on the ${data.rules.fileName(this.slot)}-file`, onclick: () => this.put(this.slot, "") }, "?"));
    const { length } = app.matching;
    byId("matching").textContent = filter.isEmpty ? `all ${thousands(data.setups.number)} setups` : `${plural(length, "setup")} of ${thousands(data.setups.number)}`;
    byId("open-random").disabled = length === 0;
    byId("random").disabled = length === 0;
    byId("clear-filter").disabled = filter.isEmpty;
  }

  #choose(file) {
    this.slot = file;
    this.draw();
  }

  // Puts a piece on a file, or takes it away. When only one setup is left, it is opened.
  put(file, letter) {
    const { app } = this;
    app.filter.pattern[file] = letter;
    const free = this.files.filter((other) => !app.filter.pattern[other]);
    this.slot = !letter ? file : free.find((other) => other > file) ?? free[0] ?? file;
    app.filterChanged();
    if (letter && app.matching.length === 1) {
      const [only] = app.matching;
      const { setups } = app.data;
      setups.whiteRank(only).split("").forEach((other, at) => (app.filter.pattern[at] = other === "." ? "" : other));
      this.draw();
      app.open(only);
      announce(`${setups.label(only)} is the only setup left`);
    }
  }

  #key(event) {
    const file = Number(event.target.dataset.file);
    const letter = event.key.toUpperCase();
    if (event.key === "Delete" || event.key === "Backspace") {
      this.put(file, "");
    } else if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
      const next = this.files[this.files.indexOf(file) + (event.key === "ArrowLeft" ? -1 : 1)];
      if (next === undefined) return;
      this.#choose(next);
      byId("slots").querySelector(`[data-file="${next}"]`).focus();
    } else if (this.army.includes(letter) && !event.ctrlKey && !event.metaKey) {
      this.slot = file;
      if (!this.app.filter.possible(file).has(letter)) {
        announce(`${this.app.data.rules.kinds.get(letter).name} cannot stand on the ${this.app.data.rules.fileName(file)}-file`);
        return;
      }
      this.put(file, letter);
      byId("slots").querySelector(`[data-file="${this.slot}"]`)?.focus();
    } else {
      return;
    }
    event.preventDefault();
  }

  // Drags a piece to a file, with the mouse or a finger. Files where it cannot stand are greyed out.
  #drag(event, letter) {
    const [startX, startY] = [event.clientX, event.clientY];
    const button = event.currentTarget;
    let ghost = null;
    const slotAt = (x, y) => document.elementsFromPoint(x, y).find((element) => element.dataset?.slot !== undefined);
    const move = (next) => {
      if (!ghost && Math.hypot(next.clientX - startX, next.clientY - startY) < 7) return;
      if (!ghost) {
        ghost = el("div", { class: "ghost" }, pieceIcon(this.app.data, letter));
        document.body.append(ghost);
        byId("slots").querySelectorAll("[data-slot]").forEach((slot) => {
          slot.classList.toggle("closed", !this.app.filter.possible(Number(slot.dataset.file)).has(letter));
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
      const slot = last.type === "pointerup" ? slotAt(last.clientX, last.clientY) : null;
      if (slot && !slot.classList.contains("closed")) this.put(Number(slot.dataset.file), letter);
    };
    button.setPointerCapture(event.pointerId);
    button.addEventListener("pointermove", move);
    button.addEventListener("pointerup", end);
    button.addEventListener("pointercancel", end);
  }

  // A choice for each column with few texts, and a range for any measure.
  #listConditions() {
    const { filter, data } = this.app;
    const choices = data.columns.filter((column) => column.isText && !column.isMoves && column.texts.length > 1 && column.texts.length <= MAX_CHOICES);
    const conditions = choices.map((column) => el("label", {}, `${column.title} `, select(column.title, [["", "any"], ...column.texts.map((text) => [text, text || "none"])], filter.texts.get(column.key) ?? "", (text) => {
      if (text) filter.texts.set(column.key, text);
      else filter.texts.delete(column.key);
      this.app.filterChanged();
    })));
    byId("conditions").replaceChildren(...conditions);
    const measures = data.measures.map((column) => [column.key, column.title]);
    byId("ranges").replaceChildren();
    if (measures.length) this.#addRange(measures[0][0]);
  }

  // A row in which a measure and its range are chosen.
  #addRange(key) {
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
    const more = el("button", { type: "button", class: "quiet", onclick: () => { more.remove(); this.#addRange(key); } }, "and another measure");
    row.append(which, low, el("span", {}, "to"), high, more);
    byId("ranges").append(row);
  }
}
