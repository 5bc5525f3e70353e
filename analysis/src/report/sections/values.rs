//! What pieces are worth.

use super::super::Report;
use super::super::plots::{Row, estimates};
use super::super::svg::{escape, plain};
use super::{between, card, estimated, figure, fixed, key, mark, number, percent, shares, table, text};
use crate::fit::{Clustering, Model};
use crate::games::Column;
use crate::stats::Estimate;
use crate::tables::thousands;

impl Report<'_> {
    pub(in crate::report) fn values(&self) -> Option<String> {
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
        let method = match regression.is_some_and(|regression| regression.replicates > 0) {
            true => "the cluster bootstrap",
            false => "the delta method",
        };
        let caption = format!(
            "Marks are estimates, and lines are their 95 % intervals; an arrow means that an interval goes on. The intervals \
             of the regression are from {method}. Mobility is calculated from the rules, without games, and scaled so that a \
             rook has 5. Point at a mark to read its numbers."
        );
        html += &format!(
            r#"<div class="cards">{}{}</div>"#,
            figure("In pawns", &(key(&entries) + &picture), &caption),
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

    /// Every piece that some method gives a value, in the order of the material.
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
                "{model} of {} quiet positions of {} games, from ply {} on, without captures and promotions in the {} plies \
                 before and after. Errors are clustered by {clusters}, with {} replicates.",
                thousands(found.positions),
                thousands(found.games),
                self.sampling.from_ply,
                self.sampling.quiet_plies,
                thousands(found.replicates)
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
                if let Some(note) = &piece.note {
                    cells[2] = text(note);
                }
                cells
            });
            let gap = if html.is_empty() { "" } else { r#" style="margin-top:1.25rem""# };
            html += &format!("<h3{gap}>By odds, all matches together</h3>");
            html += &table(&["piece", "#games", "#pawns", "#Elo"], rows);
            if let Some(chance) = found.additive {
                let note = format!("Test of whether values add up in Elo: p = {}.", percent(chance));
                html += &format!(r#"<p class="note">{note}</p>"#);
            }
        }
        format!(r#"<div class="card">{html}</div>"#)
    }

    pub(in crate::report) fn matches(&self) -> Option<String> {
        let found = self.odds.as_ref()?;
        let rows = found.matches.iter().map(|found| {
            vec![
                text(format!("{}\u{a0}:\u{a0}{}", found.first, found.second)),
                number(thousands(found.pairs.iter().sum::<u64>())),
                number(found.pairs.map(thousands).join(" ")),
                shares(found.score),
                estimated(Some(found.elo), 0),
                estimated(found.pawns, 2),
            ]
        });
        let headings = ["odds", "#pairs", "#pairs of 0, ½, 1, 1½, 2 points", "#score", "#Elo", "#pawns"];
        Some(format!(
            "<p>One side has what is before the colon and starts without what is after it; for the other side it is the \
             reverse. Results are those of the first side. The two games of a pair start from one setup with colours reversed. \
             The value in pawns is the Elo divided by that of the match at the odds of a pawn, with Fieller’s interval.</p>{}",
            card(&table(&headings, rows))
        ))
    }

    pub(in crate::report) fn side_by_side(&self) -> String {
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
            if here { "" } else { "No published list is for this board; these are for other boards. " };
        let taken = plain(100.0 * self.mobility.1);
        card(
            &(table(&headings, rows)
                + &format!(
                    r#"<p class="note">In pawns. Mobility is the mean number of squares that a piece reaches if {taken} % of the other squares are occupied. {}</p>"#,
                    escape(&format!("{other}{sources}"))
                )),
        )
    }
}
