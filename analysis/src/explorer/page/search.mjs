// The search box: an id in any numbering, a rank, or part of a rank.

import { announce, byId, el, thousands } from "./dom.mjs";

const SUGGESTIONS = 8;

// The setups that a text may mean, each with a reason. A `?` stands for any piece.
export function suggestions(data, text) {
  const { setups, numberings } = data;
  const query = text.trim().replace(/^#/, "");
  // `6944`, `lex 13434`, or as this page writes it: `#13434 in lex`.
  const number = query.replace(/(\d),(?=\d{3}\b)/g, "$1").replace(/^(\d+)\s+in\s+([a-z][\w-]*)$/i, "$2 $1");
  const id = /^(?:([a-z][\w-]*)[\s:#]+)?(\d+)$/i.exec(number);
  if (id) {
    const named = id[1] ? numberings.filter((numbering) => numbering.name === id[1].toLowerCase()) : numberings;
    return named.flatMap((numbering) => {
      const setup = setups.ofId(numbering, id[2]);
      return setup === undefined ? [] : [{ setup, why: `#${id[2]} in ${numbering.name}` }];
    });
  }
  // Of a FEN, the first ranks: that of Black comes first.
  const rows = query.split(" ")[0].split("/");
  if (rows.length > 2) {
    const letters = (row) => row.replace(/[^A-Za-z]/g, "").toUpperCase();
    const [black, white] = [rows[data.game.firstRank], rows[rows.length - 1 - data.game.firstRank]].map((row) => letters(row ?? ""));
    const placement = query.split(" ")[0];
    const setup = setups.advanced
      ? [...setups.byLabel.values()].find((other) => data.start(other).fen().split(" ")[0] === placement)
      : setups.ofLabel(setups.black ? `${white}/${black}` : white);
    return setup === undefined ? [] : [{ setup, why: "from its FEN" }];
  }
  const rank = query.toUpperCase().replace(/\s/g, "");
  const whole = setups.ofLabel(rank);
  if (whole !== undefined) return [{ setup: whole, why: `#${setups.id(numberings[0], whole)} in ${numberings[0].name}` }];
  if (!/^[A-Z?/:]+$/.test(rank)) return [];
  const found = [];
  for (const [label, setup] of setups.byLabel) {
    if ([...rank].every((letter, at) => letter === "?" || letter === label[at])) {
      found.push({ setup, why: `#${setups.id(numberings[0], setup)} in ${numberings[0].name}` });
      if (found.length === SUGGESTIONS) break;
    }
  }
  return found;
}

export class SearchBox {
  constructor(app) {
    this.app = app;
    this.input = byId("search");
    this.list = byId("suggestions");
    this.found = [];
    this.at = -1;
    this.input.addEventListener("input", () => this.#suggest());
    this.input.addEventListener("focus", () => this.#suggest());
    this.input.addEventListener("blur", () => setTimeout(() => this.#close(), 150));
    this.input.addEventListener("keydown", (event) => this.#key(event));
    byId("search-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#open(Math.max(this.at, 0));
    });
    document.addEventListener("keydown", (event) => {
      if (event.key !== "/" || event.target.closest("input, select, textarea")) return;
      event.preventDefault();
      this.input.focus();
      this.input.select();
    });
  }

  #suggest() {
    this.found = this.input.value.trim() ? suggestions(this.app.data, this.input.value) : [];
    this.at = -1;
    const options = this.found.map(({ setup, why }, at) => el("li", { role: "option", id: `suggestion-${at}`, onpointerdown: (event) => { event.preventDefault(); this.#open(at); } },
      el("b", {}, this.app.data.setups.label(setup)), " ", el("small", {}, why)));
    this.list.replaceChildren(...options);
    this.#show(options.length > 0);
  }

  #show(shown) {
    this.input.removeAttribute("aria-activedescendant");
    this.list.hidden = !shown;
    this.input.setAttribute("aria-expanded", String(shown));
  }

  #close() { this.#show(false); }

  #key(event) {
    if (event.key === "Escape") {
      this.#close();
    } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && this.found.length) {
      event.preventDefault();
      const step = event.key === "ArrowDown" ? 1 : -1;
      this.at = (this.at + step + this.found.length) % this.found.length;
      [...this.list.children].forEach((option, at) => option.setAttribute("aria-selected", String(at === this.at)));
      this.input.setAttribute("aria-activedescendant", `suggestion-${this.at}`);
    }
  }

  #open(at) {
    const text = this.input.value.trim();
    if (!text) return;
    const found = this.found[at] ?? suggestions(this.app.data, text)[at];
    if (!found) {
      announce(this.#whyNothing(text));
      return;
    }
    this.#close();
    this.input.value = "";
    this.app.open(found.setup);
  }

  #whyNothing(text) {
    const { data } = this.app;
    const { number } = data.setups;
    if (/^#?[\d,]+$/.test(text)) {
      return data.whole ? `There is no setup ${text}: ids are 0 to ${thousands(number - 1)}` : `Setup ${text} is not on this page, which lists ${thousands(number)} of ${data.spaceSize} setups`;
    }
    return `${text} is neither an id nor a first rank of ${data.game.name}, such as ${data.setups.label(0)}`;
  }
}
