// The state of the page: the open setup, and updates when it changes.

import { BLACK, WHITE } from "./rules.mjs";
import { Data, Filter, unpack } from "./data.mjs";
import { announce, byId, plural, saveFile, select, thousands } from "./dom.mjs";
import { LineView } from "./line.mjs";
import { PieceCard } from "./piece_card.mjs";
import { SetupPanel } from "./setup_panel.mjs";
import { GamesPanel } from "./games_panel.mjs";
import { FindPanel } from "./find_panel.mjs";
import { DrawPanel } from "./draw.mjs";
import { read, written } from "./address.mjs";
import { SearchBox, suggestions } from "./search.mjs";
import { SetupTable } from "./table.mjs";
import { Plots } from "./plots.mjs";
import { drawValues } from "./values.mjs";
import { Arranger } from "./arranging.mjs";
import { SideBySide } from "./side_by_side.mjs";
import { drawPresets } from "./presets.mjs";
import { readMoves } from "./reading.mjs";

class App {
  constructor(data) {
    this.data = data;
    this.listeners = new Map();
    this.filter = new Filter(data);
    this.matching = this.filter.matches();
    this.setup = this.#addressed() ?? this.#firstSetup();
  }

  on(event, listener) { this.listeners.set(event, [...(this.listeners.get(event) ?? []), listener]); }
  emit(event) { this.listeners.get(event)?.forEach((listener) => listener()); }

  // The setup to show if the address names none: the first one with a note, or else one in the middle.
  #firstSetup() { return this.data.notes[0]?.[0] ?? Math.floor(this.data.setups.number / 2); }

  // The setup that the address names.
  #addressed() {
    const hash = location.hash.slice(1).split("&")[0];
    const text = (() => { try { return decodeURIComponent(hash); } catch { return hash; } })();
    if (!text) return undefined;
    const [found] = /[?*]/.test(text) ? [] : suggestions(this.data, text);
    const exact = found && (/\d/.test(text) || this.data.setups.ofLabel(text) !== undefined);
    if (!exact) announce(`${text} is neither an id nor a first rank of ${this.data.game.name}`);
    return exact ? found.setup : undefined;
  }

  // An address without a setup is that of the setup that the page opened with. A link on the page names a setup only, and leaves all
  // else as it is.
  followAddress() {
    const [name, ...words] = location.hash.slice(1).split("&");
    const setup = name ? this.#addressed() : this.#firstSetup();
    if (setup !== undefined && setup !== this.setup) {
      this.restoring = true;
      this.#show(setup);
      this.restoring = false;
    }
    if (words.length || history.state?.view) this.restore(words.join("&"));
    if (name && setup !== undefined && !words.length) this.remember();
  }

  // The address of a setup with all that the reader has chosen.
  #address(setup, hasLine = true) {
    const words = written(this, hasLine);
    return `#${this.data.setups.label(setup)}${words && `&${words}`}`;
  }

  // Writes into the address what the reader has chosen, or does so soon: browsers refuse addresses that change too often.
  remember(soon = false) {
    clearTimeout(this.pending);
    if (soon) {
      this.pending = setTimeout(() => this.remember(), 200);
      return;
    }
    if (!this.isReady || this.restoring) return;
    const address = this.#address(this.setup);
    if (location.hash !== address) history.replaceState({ view: true }, "", address);
  }

  // Shows what words of an address mean.
  restore(words, { keepsLine = false } = {}) {
    if (words === written(this)) return;
    const view = read(words, this.data);
    this.restoring = true;
    this.filter.clear();
    this.filter.placed = new Map(view.placed);
    this.filter.texts = new Map(view.texts);
    this.findPanel.restore(view.ranges);
    this.table.restore(view.sorted, view.columns);
    this.filterChanged();
    this.chooseTab(view.tab);
    if (!keepsLine) {
      this.sideBySide.kept = view.beside;
      this.sideBySide.draw();
      this.#restoreLine(view);
    }
    this.restoring = false;
  }

  // The line of an address. A recorded game is there a little later.
  #restoreLine({ game, line, ply }) {
    const { recorded } = this.data;
    const found = game === null ? undefined : recorded?.named(this.setup, game);
    if (found !== undefined) {
      this.openGame(found, { ply, quietly: true });
      return;
    }
    const start = this.data.start(this.setup);
    const moves = (() => { try { return readMoves(start, line); } catch { return []; } })();
    this.line.set(start, moves);
    this.line.go(ply, false);
  }

  // Opens a setup. When the reader steps through many, they do not all enter the browser's history.
  open(setup, passing = false) {
    this.remember();
    const address = this.#address(setup, false);
    if (passing) history.replaceState({ view: true }, "", address);
    else if (location.hash !== address) history.pushState({ view: true }, "", address);
    this.#show(setup);
  }

  // Opens the setup of a FEN, if it is one of this page.
  openFen(fen) {
    const [found] = suggestions(this.data, fen);
    if (!found) throw new Error("The FEN is not that of a setup of this page");
    if (found.setup !== this.setup || this.line.moves.length) this.open(found.setup);
  }

  // Scrolls so that the board is seen, where something has happened on it.
  showBoard() {
    const { top, bottom, height } = byId("board").getBoundingClientRect();
    const seen = Math.min(bottom, innerHeight) - Math.max(top, 0);
    if (seen < 0.8 * Math.min(height, innerHeight)) byId("board").scrollIntoView({ block: "start" });
  }

  #show(setup) {
    this.setup = setup;
    this.line.set(this.data.start(setup));
    this.emit("setup");
    document.title = `${this.data.setups.label(setup)} · ${this.data.game.name}`;
    byId("opened").textContent = `Setup ${this.data.setups.label(setup)}, number ${this.data.setups.id(this.data.numberings[0], setup)}`;
  }

  start() { this.#show(this.setup); }

  openRandom() {
    const { matching } = this;
    if (matching.length) this.open(matching[Math.floor(Math.random() * matching.length)]);
  }

  filterChanged() {
    this.matching = this.filter.matches();
    this.emit("filter");
    this.remember();
  }

  // The squares of White's and Black's pawns that no piece protects.
  unprotected() {
    const { rules, unprotected } = this.data;
    const ranks = [WHITE, BLACK].map((side) => rules.ownRank(side, rules.game.pawnRanks[side]));
    return ranks.flatMap((rank, side) => [...unprotected[side][this.setup]].map((file) => rules.square(file.charCodeAt(0) - 97, rank)));
  }

  // Replays a recorded game, from its start or from some ply.
  async openGame(game, { ply = 0, quietly = false } = {}) {
    try {
      const { moves } = await this.data.replayed(game);
      if (this.data.recorded.setup[game] !== this.setup) return;
      this.line.set(this.data.start(this.setup), moves, game);
      if (ply) this.line.go(ply, false);
      if (quietly) return;
      byId("moves").focus({ preventScroll: true });
      this.showBoard();
    } catch (error) {
      announce(`The game cannot be replayed: ${error.message}`);
    }
  }

  // The rows of the table as CSV.
  saveTable(order, columns) {
    const { setups, numberings, game } = this.data;
    const field = (value) => (/[",\n]/.test(value) ? `"${String(value).replaceAll('"', '""')}"` : value ?? "");
    const rows = order.map((setup) => [setups.id(numberings[0], setup), setups.label(setup), ...columns.map((column) => field(column.values[setup]))].join(","));
    const heading = ["setup", "rank", ...columns.map((column) => column.key)].join(",");
    saveFile(`${game.key}-setups.csv`, "text/csv", `${[heading, ...rows].join("\n")}\n`);
  }
}

// Tabs, as the ARIA practices describe them.
function startTabs(app) {
  const tabs = [...document.querySelectorAll('[role="tab"]')];
  const choose = (chosen) => {
    tabs.forEach((tab) => {
      tab.setAttribute("aria-selected", String(tab === chosen));
      tab.tabIndex = tab === chosen ? 0 : -1;
      byId(tab.getAttribute("aria-controls")).hidden = tab !== chosen;
    });
    app.tab = chosen.id.replace(/-tab$/, "");
    app.remember();
  };
  app.tab = "setup";
  app.chooseTab = (name) => choose(tabs.find((tab) => tab.id === `${name}-tab`) ?? tabs[0]);
  // What a tab shows is seen, too.
  const look = () => {
    const { top } = byId("tabs").getBoundingClientRect();
    if (top > 0.5 * innerHeight || top < 0) byId("tabs").scrollIntoView({ block: "start" });
  };
  tabs.forEach((tab, at) => {
    tab.addEventListener("click", () => {
      choose(tab);
      look();
    });
    tab.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!step) return;
      event.stopPropagation();
      const next = tabs[(at + step + tabs.length) % tabs.length];
      choose(next);
      next.focus();
    });
  });
}

// Light, dark, or as the system; the choice is stored if the browser allows it.
function startTheme(app) {
  const kept = (() => { try { return localStorage.getItem("theme"); } catch { return null; } })();
  const apply = (theme) => {
    if (theme === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    try { localStorage.setItem("theme", theme); } catch { /* A page from disk may not be allowed to. */ }
    app.emit("theme");
  };
  const choice = select("Colours", [["system", "◐ automatic"], ["light", "○ light"], ["dark", "● dark"]], kept ?? "system", apply);
  byId("theme").replaceChildren(choice);
  if (kept) apply(kept);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => app.emit("theme"));
  // Paper is white.
  let before;
  addEventListener("beforeprint", () => {
    before = document.documentElement.dataset.theme;
    document.documentElement.dataset.theme = "light";
    app.emit("print");
  });
  addEventListener("afterprint", () => {
    if (before) document.documentElement.dataset.theme = before;
    else delete document.documentElement.dataset.theme;
    app.emit("theme");
  });
}

function describePage(data) {
  const { number } = data.setups;
  const parts = [data.whole ? plural(number, "setup") : `${thousands(number)} of ${data.spaceSize} setups, those of which something is known`];
  if (data.recorded) parts.push(plural(data.recorded.number, "game"));
  if (data.atlases.length) {
    const known = Math.max(0, ...data.columns.filter((column) => column.source === "atlas").map((column) => column.known));
    parts.push(known < number ? `scores by search of ${plural(known, "setup")}` : "scores by search");
  }
  byId("subtitle").textContent = parts.join(" · ");
  byId("command").textContent = data.command;
  byId("search").placeholder = `${data.setups.label(Math.min(5, number - 1))} or ${data.setups.id(data.numberings[0], Math.floor(number / 3))}`;
  byId("constraints").textContent = data.constraints.length ? `Every setup keeps to this: ${data.constraints.join("; ")}.` : "";
}

async function begin() {
  try {
    const text = new TextDecoder().decode(await unpack(byId("data").textContent));
    const data = new Data(JSON.parse(text), () => unpack(byId("recorded-moves").textContent));
    const app = new App(data);
    startTabs(app);
    startTheme(app);
    describePage(data);
    document.documentElement.style.setProperty("--aspect", data.game.files / data.game.ranks);
    app.line = new LineView(app);
    app.arranger = new Arranger(app);
    app.sideBySide = new SideBySide(app);
    app.findPanel = new FindPanel(app);
    app.panels = [new SetupPanel(app), new GamesPanel(app), app.findPanel, new DrawPanel(app), new SearchBox(app)];
    app.start();
    app.table = new SetupTable(app);
    app.findPanel.listFound();
    drawPresets(app);
    app.panels.push(app.table, new Plots(app));
    app.isReady = true;
    app.restore(location.hash.split("&").slice(1).join("&"));
    drawValues(data);
    new PieceCard(data);
    byId("random").addEventListener("click", () => app.openRandom());
    byId("reflect").addEventListener("click", () => app.open(data.setups.reflection(app.setup)));
    addEventListener("hashchange", () => app.followAddress());
    addEventListener("popstate", () => app.followAddress());
    // Where one goes from here, one comes back to what is shown now.
    addEventListener("pagehide", () => app.remember());
    document.addEventListener("click", (event) => { if (event.target.closest("a[href^='#']")) app.remember(); }, { capture: true });
    document.body.classList.remove("loading");
    document.body.classList.add("ready");
    performance.mark("ready");
  } catch (error) {
    byId("problem").textContent = typeof DecompressionStream === "undefined"
      ? "This browser is too old for this page: it needs one from 2023 or later."
      : `The data of this page cannot be read: ${error.message}. The file may be damaged; make it again.`;
    document.body.classList.add("failed");
  }
}

begin();
