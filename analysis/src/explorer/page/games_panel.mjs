// The recorded games of the setup.

import { byId, el, plural } from "./dom.mjs";

// Games that are listed at first.
const SHOWN = 200;

export class GamesPanel {
  constructor(app) {
    this.app = app;
    app.on("setup", () => this.draw());
    app.on("position", () => this.#mark());
  }

  draw() {
    const { recorded } = this.app.data;
    const games = recorded?.ofSetup.get(this.app.setup) ?? [];
    byId("games-tab").textContent = recorded ? `Games (${games.length})` : "Games";
    const none = recorded ? "No game was recorded from this setup." : "This page was made without games. Give the directory of a study to backrank explore.";
    byId("games-note").textContent = games.length ? plural(games.length, "recorded game") : none;
    const rows = games.slice(0, SHOWN).map((game) => this.#row(game));
    if (games.length > SHOWN) rows.push(el("li", { class: "soft" }, `${plural(games.length - SHOWN, "more game")} not shown`));
    byId("games").replaceChildren(...rows);
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

  #mark() {
    const { game } = this.app.line;
    document.querySelectorAll("#games .game").forEach((button) => {
      button.setAttribute("aria-pressed", String(Number(button.dataset.game) === game && game !== null));
    });
  }
}
