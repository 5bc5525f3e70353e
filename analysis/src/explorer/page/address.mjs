// What the address says beside the setup: the tab, the filter, the order and the columns of the table, the line on the board and the place
// in it, and the setup beside which this one is shown.

import { uci } from "./notation.mjs";

// The words of a view that are not as at first, for the end of an address. A setup that is opened has no line yet.
export function written({ tab, filter, table, line, data, sideBySide }, hasLine = true) {
  const words = new URLSearchParams();
  if (tab !== "setup") words.set("tab", tab);
  for (const [slot, letter] of filter.placed) words.append("on", `${slot}:${letter}`);
  for (const [key, text] of filter.texts) words.append("is", `${key}:${text}`);
  for (const [key, low, high] of filter.ranges.values()) words.append("range", [key, low, high].map((end) => (Number.isFinite(end) || end === key ? end : "")).join(":"));
  if (table.sorted !== table.sortedAtFirst) words.set("sort", table.sorted);
  if (table.columns !== table.columnsAtFirst) words.set("columns", table.columns);
  if (sideBySide.kept !== null) words.set("beside", data.setups.label(sideBySide.kept));
  if (hasLine) {
    if (line.game !== null) words.set("game", data.recorded.nameOf(line.game));
    else if (line.moves.length) words.set("line", line.moves.map((move) => uci(data.rules, move)).join("."));
    if (line.ply) words.set("ply", line.ply);
  }
  // Signs that a query may have as they are.
  return words.toString().replaceAll("%3A", ":").replaceAll("%2C", ",");
}

// The view that words of an address mean. What this page does not have is left out.
export function read(text, data) {
  const words = new URLSearchParams(text);
  const pair = (word) => { const at = word.indexOf(":"); return [word.slice(0, at), word.slice(at + 1)]; };
  const slots = new Set(data.setups.slots.map((place) => place.slot));
  const bound = (end, otherwise) => (end === "" || end === undefined || Number.isNaN(Number(end)) ? otherwise : Number(end));
  return {
    tab: words.get("tab") ?? "setup",
    placed: words.getAll("on").map(pair).map(([slot, letter]) => [Number(slot), letter]).filter(([slot, letter]) => slots.has(slot) && letter),
    texts: words.getAll("is").map(pair).filter(([key, value]) => data.column(key)?.choices?.includes(value)),
    ranges: words.getAll("range").map((word) => word.split(":")).filter(([key]) => data.measures.includes(data.column(key)))
      .map(([key, low, high]) => [key, bound(low, -Infinity), bound(high, Infinity)]),
    sorted: words.get("sort"),
    columns: words.get("columns"),
    beside: data.setups.ofLabel(words.get("beside") ?? "") ?? null,
    game: words.get("game"),
    line: (words.get("line") ?? "").split(".").filter(Boolean).join(" "),
    ply: Number(words.get("ply")) || 0,
  };
}
