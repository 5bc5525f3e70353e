// Drawing setups from a phrase, as `backrank draw` does.

import { announce, byId, el, plural, thousands } from "./dom.mjs";

// Distinct numbers below another, drawn from a phrase: the i-th hash is that of the phrase, "#" and i, and its remainder is drawn
// unless it was before.
export async function draw(phrase, number, among) {
  const drawn = new Set();
  for (let at = 1; drawn.size < Math.min(number, among); at++) {
    const text = new TextEncoder().encode(`${phrase}#${at}`);
    const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", text));
    const whole = hash.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
    drawn.add(Number(whole % BigInt(among)));
  }
  return [...drawn];
}

export class DrawPanel {
  constructor(app) {
    this.app = app;
    // Where not every setup is listed, there is nothing to draw among.
    byId("draw").hidden = !app.data.whole;
    byId("draw-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#draw();
    });
    app.on("filter", () => this.#show([], ""));
  }

  // The setups among which is drawn, in the order of their ids. Those that pass a filter have ids of their own, by `lex`.
  #among() {
    const { data, matching, filter } = this.app;
    const [numbering] = data.numberings;
    if (filter.isEmpty && !numbering.ids) return { setups: matching, name: numbering.name };
    const lex = data.numberings.find((other) => other.name === "lex");
    const id = (setup) => Number(data.setups.id(lex, setup));
    return { setups: [...matching].sort((one, other) => id(one) - id(other)), name: "lex" };
  }

  async #draw() {
    const phrase = byId("draw-phrase").value;
    const { setups, name } = this.#among();
    if (!phrase || !setups.length) return;
    if (!globalThis.crypto?.subtle) {
      announce("The browser hashes only on pages from disk and by https");
      return;
    }
    const number = Math.max(1, Math.min(1000, Math.floor(Number(byId("draw-number").value)) || 1));
    const ids = await draw(phrase, number, setups.length);
    const { filter } = this.app;
    const where = filter.isEmpty ? `in ${name}` : `among the ${plural(setups.length, "setup")} that pass the filter, in the order of ${name}`;
    this.#show(ids.map((id) => [id, setups[id]]), `Setup i is number SHA-256(“${phrase}#i”) mod ${thousands(setups.length)}, ${where}; one drawn before is skipped.`);
  }

  #show(drawn, rule) {
    const { setups } = this.app.data;
    byId("draw-rule").textContent = rule;
    byId("drawn").replaceChildren(...drawn.map(([id, setup]) => el("li", {}, el("a", { href: `#${setups.label(setup)}` }, setups.label(setup)), ` #${id}`)));
  }
}
