//! The parts of the page.

use backrank_rules::{Diagram, FirstRank, Setup};
use backrank_selfplay::Study;

use super::plots::{Histogram, Mark, Row, estimates, results};
use super::svg::{escape, plain};
use super::{Report, thousands};
use crate::fit::{Clustering, Model};
use crate::games::Column;
use crate::setups::{SetupScore, SetupStatistics};
use crate::stats::{Estimate, Interval};

/// A cell of a table, and whether it holds a number.
enum Cell {
    Text(String),
    Number(String),
}

fn text(value: impl ToString) -> Cell {
    Cell::Text(escape(&value.to_string()))
}

fn number(value: impl ToString) -> Cell {
    Cell::Number(escape(&value.to_string()))
}

/// A table under headings; a heading that begins with `#` is one of numbers.
fn table(headings: &[&str], rows: impl IntoIterator<Item = Vec<Cell>>) -> String {
    let head: String = headings
        .iter()
        .map(|heading| match heading.strip_prefix('#') {
            Some(heading) => format!(r#"<th class="n">{}</th>"#, escape(heading)),
            None => format!("<th>{}</th>", escape(heading)),
        })
        .collect();
    let cell = |cell: &Cell| match cell {
        Cell::Text(text) => format!("<td>{text}</td>"),
        Cell::Number(text) => format!(r#"<td class="n">{text}</td>"#),
    };
    let body: String = rows
        .into_iter()
        .map(|row| format!("<tr>{}</tr>", row.iter().map(cell).collect::<String>()))
        .collect();
    format!(r#"<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"#)
}

/// A picture and what is to be seen on it.
fn figure(title: &str, picture: &str, caption: &str) -> String {
    format!(
        r#"<figure class="card plot"><h3>{}</h3>{picture}<figcaption>{}</figcaption></figure>"#,
        escape(title),
        escape(caption)
    )
}

fn key(entries: &[(&str, &str)]) -> String {
    let entry = |(colour, name): &(&str, &str)| {
        format!(r#"<li><i style="background:var(--{colour})"></i>{}</li>"#, escape(name))
    };
    format!(r#"<ul class="key">{}</ul>"#, entries.iter().map(entry).collect::<String>())
}

fn card(html: &str) -> String {
    format!(r#"<div class="card wide">{html}</div>"#)
}

fn fixed(value: f64, digits: usize) -> String {
    match value {
        f64::INFINITY => "∞".to_string(),
        f64::NEG_INFINITY => "−∞".to_string(),
        value => format!("{value:.digits$}").replace('-', "−"),
    }
}

fn between(interval: Interval, digits: usize) -> String {
    format!("{} to {}", fixed(interval.low, digits), fixed(interval.high, digits))
}

/// A number and its interval, or nothing.
fn estimated(estimate: Option<Estimate>, digits: usize) -> Cell {
    Cell::Number(estimate.map_or(String::new(), |estimate| {
        let Estimate { value, interval } = estimate;
        let value = fixed(value, digits);
        if interval.low == interval.high {
            return value;
        }
        format!("{value} <small>({})</small>", between(interval, digits))
    }))
}

fn percent(share: f64) -> String {
    format!("{} %", fixed(100.0 * share, 1))
}

fn percents(estimate: Estimate) -> String {
    format!("{} ({})", percent(estimate.value), between(estimate.interval.map(|end| 100.0 * end), 1))
}

fn wdl([won, drawn, lost]: [u64; 3]) -> Cell {
    number([won, drawn, lost].map(thousands).join(" "))
}

fn mark(class: &'static str, estimate: Estimate, name: &str, piece: Column) -> Mark {
    let interval = match estimate.interval.low < estimate.interval.high {
        true => format!(", 95 %: {}", between(estimate.interval, 2)),
        false => String::new(),
    };
    Mark { class, estimate, tip: format!("{piece}, {name}: {}{interval}", fixed(estimate.value, 2)) }
}

impl Report<'_> {
    pub(super) fn subtitle(&self) -> String {
        let studies = match self.studies.len() {
            1 => "one study".to_string(),
            number => format!("{number} studies"),
        };
        format!("Piece values and setup statistics from {studies}. Every interval is one of 95 %.")
    }

    /// What there is to see at once.
    pub(super) fn figures(&self) -> String {
        let mut figures = vec![(thousands(self.read.different), "different games".to_string())];
        if let Some(setups) = &self.setups {
            figures.push((thousands(setups.setups.len() as u64), "setups".to_string()));
            let interval = between(setups.score.interval.map(|end| 100.0 * end), 1);
            figures.push((percent(setups.score.value), format!("White’s score, {interval}")));
            let drawn = setups.results[1] as f64 / setups.games as f64;
            figures.push((percent(drawn), "drawn".to_string()));
        }
        if let Some(regression) = &self.regression {
            figures.push((thousands(regression.positions), "quiet positions".to_string()));
        }
        if let Some(odds) = &self.odds {
            let pairs: u64 = odds.matches.iter().flat_map(|found| found.pairs).sum();
            figures.push((thousands(pairs), "pairs of games at odds".to_string()));
        }
        let figure = |(value, name): &(String, String)| {
            format!(r#"<div class="figure"><b>{}</b><span>{}</span></div>"#, escape(value), escape(name))
        };
        format!(r#"<div class="figures">{}</div>"#, figures.iter().map(figure).collect::<String>())
    }

    pub(super) fn asked(&self) -> String {
        let row = |(path, study): &(String, &Study)| {
            let player = |study: &Study| match study.white == study.black {
                true => study.white.name.clone(),
                false => format!("{} against {}", study.white.name, study.black.name),
            };
            let limits = [
                study.limits.nodes.map(|nodes| format!("{} nodes", thousands(nodes))),
                study.limits.depth.map(|depth| format!("depth {depth}")),
                study.limits.time.map(|time| format!("{time} ms")),
            ];
            let limits: Vec<String> = limits.into_iter().flatten().collect();
            let odds = study.odds.as_ref().map_or("—".to_string(), ToString::to_string);
            vec![
                text(path),
                text(player(study)),
                text(if limits.is_empty() { "—".to_string() } else { limits.join(", ") }),
                text(&study.setups),
                number(thousands(study.number_of_setups)),
                number(study.games),
                text(if study.pairs { "yes" } else { "no" }),
                text(odds),
                number(format!("{} within {}", study.opening.plies, study.opening.margin)),
                number(study.seed),
            ]
        };
        let headings = [
            "study",
            "players",
            "a move",
            "which setups",
            "#setups",
            "#games of each",
            "pairs",
            "odds",
            "#plies drawn by lot, centipawns",
            "#seed",
        ];
        let rows = table(&headings, self.studies.iter().map(row));
        let [games, different] = [self.read.games, self.read.different].map(thousands);
        format!(
            "<p>{games} games were read and replayed by the rules, move by move; {different} of them are different. A \
             game that was recorded more than once counts once.</p>{}",
            card(&rows)
        )
    }

    pub(super) fn values(&self) -> Option<String> {
        let regression = self.regression.as_ref();
        if regression.is_none() && self.odds.is_none() {
            return None;
        }
        let mut html = String::new();
        if let Some(why) = regression.and_then(|regression| regression.nothing.as_ref()) {
            html += &format!("<p>Regression has no values: {}; more games are needed.</p>", escape(why));
        }
        let mut entries = Vec::new();
        if regression.is_some() {
            entries.push(("regression", "regression ●"));
        }
        if self.odds.is_some() {
            entries.push(("odds", "odds ■"));
        }
        entries.push(("mobility", "mobility, R = 5 ◇"));
        entries.push(("others", "published |"));
        let picture = estimates("Piece values in pawns, by method", "pawns", &self.value_rows(), true);
        let caption = "Marks are estimates, lines their 95 % intervals; an arrow shows that an interval goes on. Those of \
                       regression are from the cluster bootstrap. Mobility is worked out, not measured, and scaled so \
                       that a rook has 5. Point at a mark to read it.";
        html += &format!(
            r#"<div class="cards">{}{}</div>"#,
            figure("In pawns", &(key(&entries) + &picture), caption),
            self.value_table()
        );
        Some(html)
    }

    fn value_rows(&self) -> Vec<Row> {
        let pieces = self.pieces();
        let rows = pieces.into_iter().map(|piece| {
            let mut marks = Vec::new();
            let regression = self.regression.iter().flat_map(|found| &found.pieces);
            if let Some(found) = regression.into_iter().find(|found| found.piece == piece)
                && let Some(pawns) = found.pawns
            {
                let interval = found.bootstrap.unwrap_or(pawns.interval);
                marks.push(mark("regression", Estimate { interval, ..pawns }, "regression", piece));
            }
            let odds = self.odds.iter().flat_map(|found| &found.pieces);
            if let Some(pawns) =
                odds.into_iter().find(|found| found.piece == piece).and_then(|found| found.pawns)
            {
                marks.push(mark("odds", pawns, "odds", piece));
            }
            if let Some(found) = self.mobility.0.iter().find(|found| found.piece == piece) {
                marks.push(mark("mobility", Estimate::exact(found.scaled), "mobility", piece));
            }
            for list in &self.published {
                if let Some(value) = list.of(self.variant, piece) {
                    marks.push(mark("others", Estimate::exact(value), &list.name, piece));
                }
            }
            Row { name: piece.to_string(), marks }
        });
        rows.collect()
    }

    /// Every piece that some method is about, in the order of the material.
    fn pieces(&self) -> Vec<Column> {
        let mut pieces: Vec<Column> =
            self.regression.iter().flat_map(|found| &found.pieces).map(|p| p.piece).collect();
        let others = self.odds.iter().flat_map(|found| &found.pieces).map(|found| found.piece);
        for piece in others.chain(self.mobility.0.iter().map(|found| found.piece)) {
            if !pieces.contains(&piece) {
                pieces.push(piece);
            }
        }
        pieces
    }

    fn value_table(&self) -> String {
        let mut html = String::new();
        if let Some(found) = &self.regression {
            let clusters = match found.clustering {
                Clustering::Game => "game",
                Clustering::Setup => "setup",
            };
            let rows = found.pieces.iter().map(|piece| {
                let pawns = piece
                    .pawns
                    .map(|pawns| Estimate { interval: piece.bootstrap.unwrap_or(pawns.interval), ..pawns });
                let mut cells = vec![
                    text(piece.piece),
                    number(thousands(piece.games)),
                    estimated(pawns, 2),
                    estimated(piece.elo, 0),
                ];
                if let Some(note) = &piece.note {
                    cells[2] = text(note);
                }
                cells
            });
            html += "<h3>By regression</h3>";
            html += &table(&["piece", "#games", "#pawns", "#Elo"], rows);
            let model = match found.model {
                Model::Ordered => "Ordered logit",
                Model::Decided => "Logit of decided games",
            };
            let mut note = format!(
                "{model} of {} quiet positions of {} games, from ply {} on, nothing taken or promoted in {} plies before \
                 and after; errors by {clusters}, {} replicates.",
                thousands(found.positions),
                thousands(found.games),
                self.sampling.from_ply,
                self.sampling.quiet_plies,
                thousands(found.replicates.into())
            );
            if let Some(white) = found.white {
                let (value, interval) = (fixed(white.value, 0), between(white.interval, 0));
                note += &format!(" White’s side is worth {value} Elo ({interval}).");
            }
            if let Some(draws) = found.draws {
                note += &format!(" Between equals {} are drawn.", percent(draws));
            }
            html += &format!(r#"<p class="note">{}</p>"#, escape(&note));
        }
        if let Some(found) = &self.odds {
            let rows = found.pieces.iter().map(|piece| {
                let mut cells = vec![
                    text(piece.piece),
                    number(thousands(piece.games)),
                    estimated(piece.pawns, 2),
                    estimated(piece.elo, 0),
                ];
                if let (None, Some(note)) = (piece.pawns, &piece.note) {
                    cells[2] = text(note);
                }
                cells
            });
            let gap = if html.is_empty() { "" } else { r#" style="margin-top:1.25rem""# };
            html += &format!("<h3{gap}>By odds, if worth adds up</h3>");
            html += &table(&["piece", "#games", "#pawns", "#Elo"], rows);
            if let Some(chance) = found.additive {
                let note =
                    format!("If it does, matches are off by as much with a chance of {}.", percent(chance));
                html += &format!(r#"<p class="note">{note}</p>"#);
            }
        }
        format!(r#"<div class="card">{html}</div>"#)
    }

    pub(super) fn matches(&self) -> Option<String> {
        let found = self.odds.as_ref()?;
        let rows = found.matches.iter().map(|found| {
            vec![
                text(format!("{} : {}", found.first, found.second)),
                number(thousands(found.pairs.iter().sum())),
                number(found.pairs.map(thousands).join(" ")),
                Cell::Number(percents(found.score)),
                estimated(Some(found.elo), 0),
                estimated(found.pawns, 2),
            ]
        });
        let headings = ["odds", "#pairs", "#pairs of 0, ½, 1, 1½, 2 points", "#score", "#Elo", "#pawns"];
        Some(format!(
            "<p>Two games from one setup, colours reversed in the second: the side that has what stands before the colon, \
             against the side that has what stands after it; the other piece is missing. Pawns are Elo divided by that of \
             the match at the odds of a pawn, with Fieller’s interval.</p>{}",
            card(&table(&headings, rows))
        ))
    }

    pub(super) fn side_by_side(&self) -> String {
        let regression = self.regression.as_ref();
        let decided = self.decided.as_ref();
        let mut headings = vec!["piece".to_string()];
        headings.extend(regression.map(|_| "#regression".to_string()));
        headings.extend(decided.map(|_| "#decided games".to_string()));
        headings.extend(self.odds.as_ref().map(|_| "#odds".to_string()));
        headings.push("#mobility, R = 5".to_string());
        headings.extend(
            self.published.iter().map(|list| format!("#{} {}", list.name, list.board.replace('x', "×"))),
        );
        let rows = self.pieces().into_iter().map(|piece| {
            let mut cells = vec![text(piece)];
            for found in [regression, decided].into_iter().flatten() {
                let row = found.pieces.iter().find(|row| row.piece == piece);
                let pawns = row.and_then(|row| {
                    let pawns = row.pawns?;
                    Some(Estimate { interval: row.bootstrap.unwrap_or(pawns.interval), ..pawns })
                });
                cells.push(estimated(pawns, 2));
            }
            if let Some(odds) = &self.odds {
                let row = odds.pieces.iter().find(|row| row.piece == piece);
                cells.push(estimated(row.and_then(|row| row.pawns), 2));
            }
            let mobile = self.mobility.0.iter().find(|row| row.piece == piece);
            cells.push(number(mobile.map_or(String::new(), |row| fixed(row.scaled, 2))));
            for list in &self.published {
                let value = list.of(self.variant, piece);
                cells.push(number(value.map_or(String::new(), |value| fixed(value, 2))));
            }
            cells
        });
        let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
        let sources: String = self
            .published
            .iter()
            .map(|list| format!("{} ({}): {}. ", list.name, list.board.replace('x', "×"), list.source))
            .collect();
        let here = self.published.iter().any(|list| list.is_for(self.variant));
        let other =
            if here { "" } else { "No list is for this board; these are for others, and no measure of it. " };
        let taken = plain(100.0 * self.mobility.1);
        card(
            &(table(&headings, rows)
                + &format!(
                    r#"<p class="note">In pawns. Mobility: the mean number of squares a piece reaches with {taken} % of the others taken. {}</p>"#,
                    escape(&format!("{other}{sources}"))
                )),
        )
    }

    pub(super) fn scores(&self) -> Option<String> {
        let found = self.setups.as_ref()?;
        let seen: Vec<f64> = found.histogram.setups.iter().map(|&number| number as f64).collect();
        let picture = Histogram {
            title: "Setups by White’s score, and what chance alone would give",
            unit: "White’s score, percent",
            from: -2.5,
            step: 5.0,
            bars: &seen,
            chance: &found.histogram.chance,
            counted: "setups",
            label: plain,
        };
        let entries = [("bars", "setups"), ("chance", "what chance alone would give")];
        let caption = match &found.dispersion {
            None => {
                "No setup has two games, so that nothing can be said of how much setups differ.".to_string()
            }
            Some(test) => format!(
                "If setups did not differ, scores would spread as the line shows. They spread {} times as much as by chance \
                 ({} where {} is expected): p = {} of {} times that results were dealt anew.",
                fixed(test.statistic / test.expected, 2),
                thousands(test.statistic.round() as u64),
                thousands(test.expected as u64),
                fixed(test.p_value, 3),
                test.permutations
            ),
        };
        let mut rows = vec![
            vec![text("games"), number(thousands(found.games))],
            vec![text("won, drawn, lost by White"), wdl(found.results)],
            vec![text("White’s score"), number(percents(found.score))],
        ];
        if let Some(shrinkage) = &found.shrinkage {
            let deviation = percents(shrinkage.deviation);
            rows.push(vec![text("standard deviation of true scores"), number(deviation)]);
            rows.push(vec![
                text("what is known of all is worth"),
                number(format!("{} games", fixed(shrinkage.games, 0))),
            ]);
        }
        let sure = found.setups.iter().filter(|setup| setup.false_discovery_rate <= 0.05).count() as u64;
        rows.push(vec![
            text("different at a false discovery rate of 5 %"),
            number(format!("{} setups", thousands(sure))),
        ]);
        let table = table(&["all setups", "#"], rows);
        Some(format!(
            r#"<div class="cards">{}<div class="card">{table}</div></div>"#,
            figure("Setups by White’s score", &(key(&entries) + &picture.draw()), &caption)
        ))
    }

    pub(super) fn boards(&self) -> Option<String> {
        let found = self.setups.as_ref()?;
        let off = |score: Estimate| (score.value - 0.5).abs();
        let likely = |setup: &SetupScore| off(setup.shrunk.unwrap_or(setup.score));
        let mut sorted: Vec<&SetupScore> = found.setups.iter().collect();
        let shown = 6.min(sorted.len());
        let boards = |setups: &[&SetupScore]| {
            let boards: String = setups[..shown].iter().filter_map(|setup| self.board(setup)).collect();
            format!(r#"<div class="boards">{boards}</div>"#)
        };
        sorted.sort_by(|one, other| {
            let by_score = off(one.score).total_cmp(&off(other.score)).then(other.games.cmp(&one.games));
            by_score.then(likely(one).total_cmp(&likely(other))).then(one.name.id.cmp(&other.name.id))
        });
        let balanced = boards(&sorted);
        sorted.sort_by(|one, other| {
            likely(other).total_cmp(&likely(one)).then(one.name.id.cmp(&other.name.id))
        });
        let unbalanced = boards(&sorted);
        let warning = match &found.dispersion {
            Some(test) if test.p_value <= 0.05 => "",
            _ => " There is no sign here that setups differ at all, so that the order is one of chance.",
        };
        Some(format!(
            "<p>A score from few games is mostly chance. So it is drawn towards the mean of all setups, by as much as its \
             doubt calls for: that is what is to be thought of the setup.{warning}</p>\
             <h3>Scores nearest to 50 %</h3>{balanced}\
             <h3 style=\"margin-top:1.5rem\">Farthest from 50 % when drawn to the mean</h3>{unbalanced}"
        ))
    }

    fn board(&self, setup: &SetupScore) -> Option<String> {
        let [white, black] = [&setup.name.white, &setup.name.black].map(|rank| self.read_rank(rank));
        let diagram = Diagram::of_setup(self.variant, &Setup { white: white?, black: black? }).to_svg();
        // The page has a ground of its own, and colours for text on it.
        let ground =
            diagram.find("<rect").and_then(|start| Some(start..start + diagram[start..].find("/>")? + 2));
        let mut picture = diagram.clone();
        picture.replace_range(ground?, "");
        let picture = picture.replace(r##"font-size="14" fill="#222""##, r#"class="coordinate""#);
        let rank = match setup.name.white == setup.name.black {
            true => setup.name.white.clone(),
            false => format!("{}/{}", setup.name.white, setup.name.black),
        };
        let shrunk = setup
            .shrunk
            .map_or(String::new(), |shrunk| format!("drawn to the mean: {}<br>", percents(shrunk)));
        let [won, drawn, lost] = setup.results.map(thousands);
        Some(format!(
            r#"<div class="board">{picture}<p><b>{}</b> · {}<br>{shrunk}scored {}<br>{won} won, {drawn} drawn, {lost} lost</p></div>"#,
            escape(&rank),
            setup.name.id,
            percents(setup.score),
        ))
    }

    /// A rank as records write it: without the files that the army leaves empty.
    fn read_rank(&self, text: &str) -> Option<FirstRank> {
        let mut letters = text.bytes();
        let mut rank = self.variant.army;
        for (file, _) in self.variant.army.pieces() {
            rank.set(file, letters.next().filter(u8::is_ascii_uppercase)?);
        }
        letters.next().is_none().then_some(rank)
    }

    pub(super) fn features(&self) -> Option<String> {
        let features = &self.setups.as_ref()?.features;
        if let Some(why) = &features.nothing {
            return Some(format!("<p>Nothing to tell: {}.</p>", escape(why)));
        }
        let shown = || features.effects.iter().filter_map(|effect| Some((effect, effect.effect?)));
        let hundred = |effect: Estimate| Estimate {
            value: 100.0 * effect.value,
            interval: effect.interval.map(|end| 100.0 * end),
        };
        let rows: Vec<Row> = shown()
            .map(|(feature, effect)| {
                let estimate = hundred(effect);
                let tip = format!(
                    "{}: {} ({})",
                    feature.feature,
                    fixed(estimate.value, 2),
                    between(estimate.interval, 2)
                );
                Row {
                    name: feature.feature.clone(),
                    marks: vec![Mark { class: "regression", estimate, tip }],
                }
            })
            .collect();
        let picture =
            estimates("Effects of features on White’s score", "percent more for White", &rows, false);
        let table = table(
            &["feature", "#from", "#mean", "#to", "#percent more for White"],
            features.effects.iter().map(|feature| {
                let [least, mean, most] = feature.range;
                let effect = match feature.effect {
                    Some(effect) => estimated(Some(hundred(effect)), 2),
                    None => text("cannot be told apart"),
                };
                vec![
                    text(&feature.feature),
                    number(plain(least)),
                    number(fixed(mean, 2)),
                    number(plain(most)),
                    effect,
                ]
            }),
        );
        Some(format!(
            r#"<div class="cards">{}<div class="card">{table}</div></div>"#,
            figure(
                "What one more of a feature adds to White’s score",
                &picture,
                "Least squares on all features at once, errors by setup. A line that crosses the dashed one leaves it open \
                 whether the feature does anything; of twenty that do nothing one is off by chance."
            )
        ))
    }

    pub(super) fn adjustment(&self) -> Option<String> {
        let found = self.setups.as_ref()?.adjustments.as_ref()?;
        let [games, could, did] = [found.games, found.could, found.did].map(thousands);
        let share = percent(found.did as f64 / found.could.max(1) as f64);
        let who: Vec<(String, [u64; 3])> = found
            .by_whom
            .iter()
            .filter(|adjusting| adjusting.results != [0; 3])
            .map(|adjusting| (format!("{} adjusted", capital(adjusting.who)), adjusting.results))
            .collect();
        let entries = [("won", "White won"), ("drawn", "drawn"), ("lost", "Black won")];
        let bars = figure(
            "Who adjusted, and how it went",
            &(key(&entries) + &results("Games by who adjusted", &who, "White")),
            "Sides adjust when they think it good, so that what follows is not what adjusting does.",
        );
        let moves: Vec<f64> = found.moves.iter().map(|&number| number as f64).collect();
        let histogram = Histogram {
            title: "Adjustments by the number of the move",
            unit: "number of the side’s move",
            from: 1.0,
            step: 1.0,
            bars: &moves,
            chance: &[],
            counted: "adjustments",
            label: plain,
        };
        let when = figure(
            "When",
            &histogram.draw(),
            "The number of adjustments at each move of the side that adjusted.",
        );
        let partners = table(
            &["partner", "#adjustments", "#median move", "#won, drawn, lost", "#score of the side"],
            found.partners.iter().map(|partner| {
                vec![
                    text(partner.partner),
                    number(thousands(partner.number)),
                    number(partner.median_move),
                    wdl(partner.results),
                    number(percents(partner.score)),
                ]
            }),
        );
        let whose = table(
            &["who adjusted", "#games", "#won, drawn, lost by White", "#White’s score"],
            found.by_whom.iter().map(|adjusting| {
                vec![
                    text(adjusting.who),
                    number(thousands(adjusting.results.iter().sum())),
                    wdl(adjusting.results),
                    number(adjusting.score.map_or(String::new(), percents)),
                ]
            }),
        );
        Some(format!(
            r#"<p>In {games} games a side could play it when they began. Of {could} sides that could, {did} did: {share}.</p><div class="cards">{bars}{when}<div class="card">{whose}</div><div class="card">{partners}</div></div>"#
        ))
    }

    pub(super) fn endings(&self) -> Option<String> {
        let found: &SetupStatistics = self.setups.as_ref()?;
        let rows: Vec<(String, [u64; 3])> = found
            .endings
            .iter()
            .map(|ended| (ended.ending.to_string().replace('-', " "), ended.results))
            .collect();
        let entries = [("won", "White won"), ("drawn", "drawn"), ("lost", "Black won")];
        let bars = figure(
            "Terminations",
            &(key(&entries) + &results("Games by how they ended", &rows, "White")),
            "The number of games on the right. An adjudication is a draw or a win that was agreed as the study asks.",
        );
        let lengths = &found.lengths;
        let tens: Vec<f64> = lengths.tens.iter().map(|&number| number as f64).collect();
        let histogram = Histogram {
            title: "Games by their length in plies",
            unit: "plies",
            from: 0.0,
            step: 10.0,
            bars: &tens,
            chance: &[],
            counted: "games",
            label: plain,
        };
        let [shortest, lower, median, upper, longest] = lengths.quartiles;
        let caption = format!(
            "Half of the games have {lower} to {upper} plies, the median is {median}; the shortest has {shortest}, the \
             longest {longest}."
        );
        Some(format!(r#"<div class="cards">{bars}{}</div>"#, figure("Lengths", &histogram.draw(), &caption)))
    }

    pub(super) fn again(&self) -> String {
        let version = escape(self.version);
        let mut html = format!(
            "<p>backrank {version} made this page. Each <code>study.toml</code> decides its games: the same one gives the \
             same games on every machine, as long as no limit is a time.</p><pre>{}</pre><p>Formulas, assumptions and \
             sources of every method are in <code>analysis/METHODS.md</code> of backrank.</p>",
            escape(&self.command)
        );
        for (path, study) in &self.studies {
            html += &format!(
                "<details><summary><code>{}/study.toml</code></summary><pre>{}</pre></details>",
                escape(path),
                escape(&study.to_toml())
            );
        }
        html
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
