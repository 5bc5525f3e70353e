// Sorts a table by the column whose heading is chosen, and the other way round when it is chosen again. Without scripts every table stays
// in its order.
(() => {
  // The number that a cell begins with, or its text. The interval behind a number does not count.
  const valueOf = (cell) => {
    const bare = cell.cloneNode(true);
    bare.querySelectorAll("small").forEach((small) => small.remove());
    const text = bare.textContent.trim();
    const number = /^[+−]?(∞|[\d,]*\.?\d+)/.exec(text);
    if (!number) return text;
    return Number(number[0].replace("−", "-").replace("∞", "Infinity").replaceAll(",", ""));
  };
  const sort = (table, at) => {
    const [head] = table.tHead.rows;
    const heading = head.cells[at];
    const rows = [...table.tBodies[0].rows].map((row) => [row, valueOf(row.cells[at])]);
    const isNumeric = rows.some(([, value]) => typeof value === "number");
    const before = heading.getAttribute("aria-sort");
    // The greatest number comes first, and the first text.
    const descending = before ? before === "ascending" : isNumeric;
    // What is missing comes last.
    const missing = ([, value]) => isNumeric ? typeof value !== "number" : value === "";
    const compare = ([, one], [, other]) => (isNumeric ? one - other : one < other ? -1 : one > other ? 1 : 0);
    rows.sort((one, other) => missing(one) - missing(other) || (descending ? -1 : 1) * compare(one, other));
    for (const other of head.cells) other.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", descending ? "descending" : "ascending");
    table.tBodies[0].append(...rows.map(([row]) => row));
  };
  for (const table of document.querySelectorAll(".scroll > table")) {
    if (!table.tHead || table.tBodies[0].rows.length < 3) continue;
    [...table.tHead.rows[0].cells].forEach((heading, at) => {
      if (!heading.textContent.trim()) return;
      const button = document.createElement("button");
      button.type = "button";
      button.title = "Sort by this column";
      button.append(...heading.childNodes);
      button.addEventListener("click", () => sort(table, at));
      heading.append(button);
    });
  }
})();
