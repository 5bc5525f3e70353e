// The recorded games of the setup.

import { announce, byId, el, plural } from "./dom.mjs";

// Games that are listed at first.
const SHOWN = 200;

export class GamesPanel {
  constructor(app) {
    this.app = app;
    this.onlyAdjusted = byId("only-adjusted");
    byId("adjusted-only").hidden = !app.data.recorded || !app.data.game.adjustment;
    this.onlyAdjusted.addEventListener("change", () => this.draw());
    for (const [id, step] of [["game-before", -1], ["game-after", 1]]) byId(id).addEventListener("click", () => this.#go(step));
    app.on("setup", () => this.draw());
    app.on("position", () => this.#mark());
  }

  async draw() {
    const { recorded } = this.app.data;
    const { setup } = this.app;
    const all = recorded?.ofSetup.get(setup) ?? [];
    byId("games-tab").textContent = recorded ? `Games (${all.length})` : "Games";
    const games = await this.#kept(all);
    // Another setup may have been opened since.
    if (setup !== this.app.setup) return;
    const none = recorded ? "No game was recorded from this setup." : "This page was made without games. Give the directory of a study to backrank explore.";
    const adjusted = all.length && !games.length ? "Nobody adjusted in a game from this setup." : none;
    byId("games-note").textContent = games.length ? plural(games.length, "recorded game") : adjusted;
    const rows = games.slice(0, SHOWN).map((game) => this.#row(game));
    if (games.length > SHOWN) rows.push(el("li", { class: "soft" }, `${plural(games.length - SHOWN, "more game")} not shown`));
    byId("games").replaceChildren(...rows);
    this.#mark();
  }

  // Those games that are asked for.
  async #kept(games) {
    if (!this.onlyAdjusted.checked) return games;
    const kept = [];
    for (const game of games) if (await this.app.data.recorded.hasAdjustment(game, this.app.data)) kept.push(game);
    return kept;
  }

  #row(game) {
    const { recorded } = this.app.data;
    const result = recorded.resultOf(game);
    const kind = { "1-0": "won", "0-1": "lost" }[result] ?? "drawn";
    const players = recorded.playersOf(game).join(" – ");
    return el("li", {}, el("button", { type: "button", class: "game", "data-game": game, onclick: () => this.app.openGame(game) },
      el("b", { class: `result ${kind}` }, result.replace("1/2-1/2", "½–½").replace("-", "–")),
      el("span", {}, `${recorded.terminationOf(game)}, ${plural(Math.ceil(recorded.plies[game] / 2), "move")}`),
      el("small", {}, `${players} · game ${recorded.game[game]} of ${recorded.studies[recorded.study[game]]}`)));
  }

  // Opens the game before or after the open one: of this setup, or else of the next setup in the table of which there is one.
  async #go(step) {
    const { app } = this;
    const { recorded } = app.data;
    if (!recorded) return;
    const own = await this.#kept(recorded.ofSetup.get(app.setup) ?? []);
    const at = own.indexOf(app.line.game);
    const next = at < 0 ? (step > 0 ? own[0] : undefined) : own[at + step];
    if (next !== undefined) return app.openGame(next);
    const { order } = app.table;
    let place = order.indexOf(app.setup);
    if (place < 0) place = step > 0 ? -1 : order.length;
    for (place += step; place >= 0 && place < order.length; place += step) {
      const games = await this.#kept(recorded.ofSetup.get(order[place]) ?? []);
      if (!games.length) continue;
      app.open(order[place]);
      return app.openGame(step > 0 ? games[0] : games[games.length - 1]);
    }
    announce(step > 0 ? "That was the last game in the order of the table" : "That was the first game in the order of the table");
  }

  #mark() {
    const { game } = this.app.line;
    document.querySelectorAll("#games .game").forEach((button) => {
      button.setAttribute("aria-pressed", String(Number(button.dataset.game) === game && game !== null));
    });
  }
}
