// The table of all setups. Only visible rows are in the document.

import { byId, el, thousands } from "./dom.mjs";

const ROW = 34;
// The width of a column, in rem.
const COLUMN = 7.2;
// Rows beyond the edge, so that fast scrolling shows no gap.
const BEYOND = 12;
// Rows that are printed.
const PRINTED = 40;
// Columns that are shown at first, if they exist and another search would find them again.
const FIRST = ["score_pawns", "score_cp", "expected_score", "complexity", "asymmetry", "best_move", "games", "score", "king", "bishops", "unprotected_pawns"];

const rem = () => parseFloat(getComputedStyle(document.documentElement).fontSize);

export class SetupTable {
  constructor(app) {
    this.app = app;
    const { data } = app;
    this.view = byId("table-view");
    this.sortKey = "id";
    this.descending = false;
    // The first moves of columns of moves, once the table was sorted by them.
    this.firstMoves = new Map();
    const wanted = FIRST.filter((key) => data.column(key) && !data.column(key).whyNoRanks && (data.column(key).isText || data.measures.includes(data.column(key))));
    // As many as fit: what is cut off is not seen.
    const room = Math.floor((this.view.clientWidth / rem() - this.#widths([]).reduce((sum, width) => sum + width)) / COLUMN);
    this.shown = new Set(wanted.slice(0, Math.min(8, Math.max(2, room))));
    this.sortedAtFirst = this.sorted;
    this.columnsAtFirst = this.columns;
    this.#listColumns();
    this.view.addEventListener("scroll", () => this.#render());
    new ResizeObserver(() => this.#render()).observe(this.view);
    byId("table-body").addEventListener("click", (event) => {
      const row = event.target.closest("tr[data-setup]");
      // A link that is to open in another tab does.
      if (!row || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      this.opening = true;
      app.open(Number(row.dataset.setup));
      this.opening = false;
    });
    this.view.addEventListener("keydown", (event) => this.#key(event));
    byId("save-table").addEventListener("click", () => app.saveTable(this.order, this.#columns()));
    app.on("filter", () => this.#sort());
    app.on("setup", () => this.#current());
    app.on("print", () => {
      this.#render(true, 0, Math.min(PRINTED, this.order.length));
      this.isPrinting = true;
    });
    addEventListener("afterprint", () => {
      this.isPrinting = false;
      this.#render(true);
    });
    this.#head();
    this.#sort();
    this.#reveal();
  }

  // The column by which it is sorted, with a minus if the largest come first.
  get sorted() { return `${this.descending ? "-" : ""}${this.sortKey}`; }

  // The columns that are shown.
  get columns() { return [...this.shown].sort().join(","); }

  // Sorts as another time, and shows the columns of then; as at first if nothing is said.
  restore(sorted, columns) {
    const { data } = this.app;
    const isColumn = (key) => data.column(key) !== undefined;
    const key = (sorted ?? this.sortedAtFirst).replace(/^-/, "");
    this.descending = (sorted ?? this.sortedAtFirst).startsWith("-");
    this.sortKey = ["id", "rank"].includes(key) || isColumn(key) ? key : "id";
    this.shown = new Set((columns ?? this.columnsAtFirst).split(",").filter(isColumn));
    this.#listColumns();
    this.#head();
    this.#sort();
  }

  #columns() { return this.app.data.columns.filter((column) => this.shown.has(column.key)); }

  #listColumns() {
    const boxes = this.app.data.columns.map((column) => {
      const box = el("input", { type: "checkbox", checked: this.shown.has(column.key), onchange: () => {
        if (box.checked) this.shown.add(column.key);
        else this.shown.delete(column.key);
        this.#head();
        this.#render(true);
        this.app.remember();
      } });
      const why = column.whyNoRanks ? el("small", {}, ` – ${column.whyNoRanks}`) : "";
      return el("label", { title: column.meaning }, box, ` ${column.title}`, why);
    });
    byId("columns").replaceChildren(...boxes);
    const list = byId("columns").parentElement;
    list.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !list.open) return;
      list.open = false;
      list.querySelector("summary").focus();
    });
  }

  #head() {
    const heading = (key, title, meaning, isNumber) => {
      const sorted = this.sortKey === key ? (this.descending ? "descending" : "ascending") : "none";
      return el("th", { scope: "col", "aria-sort": sorted, class: isNumber ? "n" : "", title: meaning },
        el("button", { type: "button", "data-sort": key, onclick: () => this.sortBy(key) }, title, el("span", { "aria-hidden": "true", class: "arrow-mark" }, { ascending: " ▲", descending: " ▼", none: "" }[sorted])));
    };
    const [numbering] = this.app.data.numberings;
    byId("table-head").replaceChildren(
      heading("rank", "setup", null, false),
      heading("id", `id in ${numbering.name}`, numbering.note, true),
      ...this.#columns().map((column) => heading(column.key, column.title, column.meaning, !column.isText)),
    );
    const widths = this.#widths(this.#columns());
    byId("table-widths").replaceChildren(...widths.map((width) => el("col", { style: `width: ${width}rem` })));
    byId("table").style.minWidth = `${widths.reduce((sum, width) => sum + width)}rem`;
  }

  // The widths of columns in rem: letters of ranks are wide, sentences as well.
  #widths(columns) {
    const width = (column) => (column.key === "in_words" ? 26 : column.isLine ? 18 : COLUMN);
    return [0.82 * this.app.data.setups.label(0).length + 1.8, 5.5, ...columns.map(width)];
  }

  // Sorts by a column, or reverses the order if it is already sorted by it. Measures begin with the largest.
  sortBy(key) {
    const column = this.app.data.column(key);
    this.descending = this.sortKey === key ? !this.descending : !!column && !column.isText;
    this.sortKey = key;
    this.#head();
    this.#sort();
    this.app.remember();
    byId("table-head").querySelector(`[data-sort="${key}"]`).focus();
  }

  #sort() {
    const { data, matching } = this.app;
    const sign = this.descending ? -1 : 1;
    const order = matching.slice();
    if (this.sortKey === "rank") {
      const labels = new Map(order.map((setup) => [setup, data.setups.label(setup)]));
      order.sort((one, other) => (labels.get(one) < labels.get(other) ? -sign : sign));
    } else if (this.sortKey === "id") {
      if (data.numberings[0].ids) order.sort((one, other) => sign * (Number(data.numberings[0].ids[one]) - Number(data.numberings[0].ids[other])));
      else if (this.descending) order.reverse();
    } else {
      const column = data.column(this.sortKey);
      const { isText } = column;
      // Moves are sorted as they are shown.
      const values = column.isMoves ? this.#firstMovesOf(column) : column.values;
      // Unknown values come last.
      order.sort((one, other) => {
        const [a, b] = [values[one], values[other]];
        if (a === b) return one - other;
        if (a === null || a === "") return 1;
        if (b === null || b === "") return -1;
        return isText ? sign * (a < b ? -1 : 1) : sign * (a - b);
      });
    }
    this.order = order;
    byId("table").setAttribute("aria-rowcount", order.length + 1);
    byId("table-count").textContent = `${thousands(order.length)} of ${thousands(data.setups.number)} setups`;
    this.view.scrollTop = 0;
    this.#render(true);
    this.app.emit("order");
  }

  // The first move of every setup in a column of moves.
  #firstMovesOf(column) {
    const { data } = this.app;
    if (!this.firstMoves.has(column)) this.firstMoves.set(column, Array.from({ length: data.setups.number }, (_, setup) => data.firstMove(column, setup)));
    return this.firstMoves.get(column);
  }

  // Puts the visible rows into the table.
  #render(anew = false, from = undefined, to = undefined) {
    // On paper the view is as high as its rows.
    if (this.isPrinting) return;
    const height = this.view.clientHeight;
    const first = from ?? Math.max(0, Math.floor(this.view.scrollTop / ROW) - BEYOND);
    const end = to ?? Math.min(this.order.length, Math.ceil((this.view.scrollTop + height) / ROW) + BEYOND);
    if (!anew && first === this.first && end === this.end) return;
    [this.first, this.end] = [first, end];
    const columns = this.#columns();
    const space = (rows) => el("tr", { class: "space", "aria-hidden": "true" }, el("td", { colspan: columns.length + 2, style: `height: ${rows * ROW}px` }));
    const rows = this.order.slice(first, end).map((setup, at) => this.#row(setup, first + at, columns));
    byId("table-body").replaceChildren(...(first ? [space(first)] : []), ...rows, ...(end < this.order.length ? [space(this.order.length - end)] : []));
    byId("table-empty").hidden = this.order.length > 0;
  }

  #row(setup, at, columns) {
    const { data } = this.app;
    const cells = columns.map((column) => el("td", { class: column.isText ? "" : "n" }, data.describe(column, setup)));
    return el("tr", { "data-setup": setup, "aria-rowindex": at + 2, class: setup === this.app.setup ? "current" : "" },
      el("th", { scope: "row" }, el("a", { href: `#${data.setups.label(setup)}`, tabindex: -1 }, data.setups.label(setup))),
      el("td", { class: "n" }, data.setups.id(data.numberings[0], setup)), ...cells);
  }

  #current() {
    byId("table-body").querySelectorAll("tr[data-setup]").forEach((row) => {
      row.classList.toggle("current", Number(row.dataset.setup) === this.app.setup);
    });
    // Whoever has clicked on a row sees it.
    if (!this.opening) this.#reveal();
  }

  // Scrolls the table to the open setup. Where the reader sorts or filters, it begins with the first instead.
  #reveal() {
    const at = this.order.indexOf(this.app.setup);
    if (at < 0) return;
    const top = at * ROW;
    // The heading covers the top of the view.
    const room = this.view.clientHeight - byId("table-head").offsetHeight;
    if (top < this.view.scrollTop || top + ROW > this.view.scrollTop + room) this.view.scrollTop = top - Math.floor(room / 3);
    this.#render();
  }

  // Up and down open the setup above or below.
  #key(event) {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key];
    if (!step || event.target.closest("button") || !this.order.length) return;
    event.preventDefault();
    const at = this.order.indexOf(this.app.setup);
    const next = at < 0 ? 0 : Math.min(Math.max(at + step, 0), this.order.length - 1);
    this.app.open(this.order[next], true);
  }
}
