// Filters with an order that a button sets: by measures that another search would find again.

import { byId, el } from "./dom.mjs";

// The value below which a share of some numbers is.
function quantile(values, share) {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}

// The presets of a page: the name, what it means, and the words of the address that stand for it, or why it cannot be had.
export function presetsOf(data) {
  const reliable = (...keys) => keys.map((key) => data.column(key)).find((column) => column && !column.whyNoRanks && column.max > column.min);
  const missing = (...keys) => keys.map((key) => data.column(key)?.whyNoRanks).find(Boolean) ?? "nobody has judged these setups: give an atlas to backrank explore";
  const known = (column) => column.values.filter((value) => value !== null);
  const score = reliable("score_pawns", "score_cp");
  const complexity = reliable("complexity");
  const fair = score && quantile(known(score).map(Math.abs), 0.1);
  const tenth = complexity && [0.1, 0.9].map((share) => quantile(known(complexity), share));
  const rounded = (value, column) => Number(value.toFixed(column.digits));
  const like = data.column("likeness");
  return [
    {
      name: "fair", title: "The tenth of the setups whose score is nearest to 0",
      words: score && `range=${score.key}:${rounded(-fair, score)}:${rounded(fair, score)}&sort=${score.key}`, why: missing("score_pawns", "score_cp"),
    },
    {
      name: "sharp", title: "The tenth with the least to decide: one move often stands out",
      words: complexity && `range=complexity::${rounded(tenth[0], complexity)}&sort=complexity`, why: missing("complexity"),
    },
    {
      name: "quiet", title: "The tenth with the most to decide: many moves are about as good",
      words: complexity && `range=complexity:${rounded(tenth[1], complexity)}:&sort=-complexity`, why: missing("complexity"),
    },
    ...(like ? [{
      name: "orthodox-like", title: like.meaning,
      words: `range=likeness:${Math.max(1, like.max - 4)}:&sort=-likeness`, why: "",
    }] : []),
  ];
}

export function drawPresets(app) {
  byId("presets").replaceChildren(...presetsOf(app.data).map(({ name, title, words, why }) => el("button", {
    type: "button", "data-preset": name, disabled: !words, title: words ? title : why,
    onclick: () => {
      app.restore(`tab=find&${words}${app.table.columns === app.table.columnsAtFirst ? "" : `&columns=${app.table.columns}`}`, { keepsLine: true });
      app.remember();
    },
  }, name)));
}
