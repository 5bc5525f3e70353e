//! What pieces are worth.

use super::super::Report;
use super::super::plots::{Row, estimates};
use super::super::svg::plain;
use super::{between, card, figure, fixed, folded, key, mark, percent, plural};
use crate::fit::{Clustering, Model};
use crate::games::{Column, limits_text};
use crate::stats::Estimate;
use crate::table::{escape, thousands};
use crate::values::{
    ImbalanceValues, ValueRow, ValuesAtPly, certainty_in_words, fit_table, imbalance_rows, imbalance_table,
    letters_in_words, method_table, pieces_of, stage_table, value_table, values_in_words,
};

impl Report<'_> {
    /// The plot of all values.
    pub(in crate::report) fn plot_of_values(&self) -> Option<String> {
        if self.regression.is_none() && self.imbalances.is_none() {
            return None;
        }
        let unit = self.unit;
        let title = format!("Piece values with {unit}, by method");
        Some(estimates(&title, &unit.to_string(), &self.lines(), true))
    }

    /// The plot of all values, and the table of those by the most reliable method.
    pub(in crate::report) fn values(&self) -> Option<String> {
        let picture = self.plot_of_values()?;
        // What no piece has a mark of is not in the key.
        let lines = self.lines();
        let is_marked = |class: &str| lines.iter().flat_map(|row| &row.marks).any(|mark| mark.class == class);
        let entries = [
            ("imbalances", "imbalances", "imbalances ■"),
            ("confirmed", "imbalances", "imbalances, confirmatory sample ▲"),
            ("regression", "regression", "regression ●"),
            ("mobility", "mobility", "mobility ◇"),
            ("others", "others", "published |"),
        ];
        let entries = entries.into_iter().filter(|(class, ..)| is_marked(class));
        let entries: Vec<(&str, &str)> = entries.map(|(_, colour, name)| (colour, name)).collect();
        let by_mobility = match is_marked("mobility") {
            true => "Mobility is calculated from the rules, without games. ",
            false => "",
        };
        let unit = self.unit;
        let plies = match &self.imbalances {
            Some(found) if found.imbalances.is_empty() && found.by_ply.len() > 1 => {
                "Of several marks of one method the upper ones are of earlier plies. "
            }
            _ => "",
        };
        let caption = format!(
            "Marks are estimates, and lines are their 95 % intervals; an arrow means that an interval continues beyond the plot. \
             {plies}{by_mobility}Point at a mark to read its numbers."
        );
        let (method, values, statements) = match (&self.imbalances, &self.regression) {
            (Some(found), _) if !found.imbalances.is_empty() => {
                let rows = found.rows();
                // Whether values add up is no question where there are none.
                let said = match values_in_words(self.variant, &rows) {
                    Some(_) => notes(&found.statements()),
                    None => String::new(),
                };
                ("imbalances", self.table_of(&rows), said)
            }
            (Some(found), None) if !found.by_ply.is_empty() => {
                let said = |found: &ValuesAtPly| {
                    format!("<h4>Ply {}</h4>{}", found.ply, notes(&found.values.statements()))
                };
                (
                    "imbalances in positions of recorded games",
                    self.by_ply(found),
                    found.by_ply.iter().map(said).collect(),
                )
            }
            (_, Some(found)) => ("regression", self.table_of(&found.rows()), String::new()),
            _ => return None,
        };
        let said = match statements.is_empty() {
            true => String::new(),
            false => format!(r#"<div class="card"><h3>What the games say</h3>{statements}</div>"#),
        };
        Some(format!(
            r#"{}<div class="cards">{}{said}</div>{}"#,
            self.in_words(),
            figure(&format!("With {unit}"), &(key(&entries) + &picture), &caption),
            card(&format!("<h3>By {method}</h3>{values}"))
        ))
    }

    /// The values in words, the unit and the letters, and how certain the values are.
    fn in_words(&self) -> String {
        let of_games = self.imbalances.as_ref().filter(|found| !found.imbalances.is_empty());
        let (observed, rows) = match (of_games, &self.regression) {
            (Some(found), _) => ("", found.rows()),
            (None, Some(found)) => ("By regression, which observes and does not measure. ", found.rows()),
            (None, None) => return String::new(),
        };
        let letters = escape(&letters_in_words(self.variant, self.unit));
        let unit = format!("<p>The unit: {letters}</p>");
        let Some(values) = values_in_words(self.variant, &rows) else {
            let games = thousands(self.read.different);
            return format!(
                "<p class=\"lead\">{games} games are too few to say what a piece is worth.</p>{unit}"
            );
        };
        let certainty = certainty_in_words(self.variant, self.unit, &rows).unwrap_or_default();
        let limits = self.studies.first().map_or(String::new(), |(_, study)| limits_text(&study.limits));
        // Made-up games have no limits.
        let played = match limits.contains(char::is_alphanumeric) {
            true => format!("All this is for play at {limits}."),
            false => String::new(),
        };
        format!(
            "<p class=\"lead\">{}</p><p>{observed}{} {}</p>{unit}",
            escape(&values),
            escape(&certainty),
            escape(&played)
        )
    }

    /// The values of games from recorded positions, ply by ply.
    fn by_ply(&self, found: &ImbalanceValues) -> String {
        let stages = found.by_ply.iter().map(|found| (format!("ply {}", found.ply), found.values.rows()));
        self.table_of_stages(&stages.collect::<Vec<_>>())
    }

    fn table_of(&self, rows: &[ValueRow]) -> String {
        value_table(self.unit).to_html(rows.iter().cloned().map(ValueRow::if_certain))
    }

    /// The values by stage of the game, side by side.
    fn table_of_stages(&self, stages: &[(String, Vec<ValueRow>)]) -> String {
        let certain = |rows: &Vec<ValueRow>| rows.iter().cloned().map(ValueRow::if_certain).collect();
        let stages: Vec<(String, Vec<ValueRow>)> =
            stages.iter().map(|(stage, rows)| (stage.clone(), certain(rows))).collect();
        let rows: Vec<ValueRow> = stages.iter().flat_map(|(_, rows)| rows.clone()).collect();
        stage_table(self.unit, &stages).to_html(pieces_of(&rows))
    }

    /// A row of the plot for each piece.
    fn lines(&self) -> Vec<Row> {
        let mut rows = self.rows();
        if rows.iter().all(|row| row.method != "imbalances") {
            rows.extend(self.imbalances.iter().flat_map(ImbalanceValues::rows_by_ply));
        }
        let rows: Vec<ValueRow> = rows.into_iter().map(ValueRow::if_certain).collect();
        let confirmatory = self.confirmatory.iter().flat_map(ImbalanceValues::rows).map(ValueRow::if_certain);
        let confirmatory: Vec<_> = confirmatory.filter_map(|row| Some((row.piece, row.value?))).collect();
        let line = |piece: Column| {
            let mut marks = Vec::new();
            for method in ["imbalances", "regression", "mobility"] {
                for row in rows.iter().filter(|row| row.method == method && row.piece == piece) {
                    let name =
                        row.at_ply.map_or(method.to_string(), |ply| format!("{method} from ply {ply}"));
                    marks.extend(row.value.map(|value| mark(method, value, &name, piece)));
                }
                let found = confirmatory.iter().find(|(other, _)| method == "imbalances" && *other == piece);
                if let Some(&(_, value)) = found {
                    marks.push(mark("confirmed", value, "imbalances, confirmatory sample", piece));
                }
            }
            for list in &self.published {
                if let Some(value) = list.of(self.variant, piece, self.unit) {
                    marks.push(mark("others", Estimate::exact(value), &list.name, piece));
                }
            }
            Row { name: piece.to_string(), marks }
        };
        pieces_of(&rows).into_iter().map(line).collect()
    }

    /// The network of imbalances, and how well values add up in it.
    pub(in crate::report) fn matches(&self) -> Option<String> {
        let found = self.imbalances.as_ref()?;
        let mut html = "<p>One side has what is before the colon and starts without what is after it; for the other side it is \
                        the reverse. Results are those of the first side. The two games of a pair start from one setup with \
                        colours reversed. One ordered logit of all these games gives the values: it adds up what the pieces \
                        are worth, and allows each imbalance to be somewhat off.</p>"
            .to_string();
        if !found.imbalances.is_empty() {
            html += &card(&folded_matches(found));
        }
        if let Some(found) = &self.confirmatory {
            html += "<p>Which imbalances were played, and how often, was planned by what earlier games said. For the last \
                     games it was fixed before. These are the values by those alone.</p>";
            html += &card(&self.table_of(&found.rows()));
        }
        if !found.by_ply.is_empty() {
            html += "<p>Games from the middle of recorded ones start from quiet and even positions at some plies, from which one \
                     side’s pieces are taken. Values are then those of that stage of the game.</p>";
            if !found.imbalances.is_empty() {
                html += &card(&self.by_ply(found));
            }
            for found in &found.by_ply {
                html += &format!("<h3>Ply {}</h3>{}", found.ply, card(&folded_matches(&found.values)));
            }
        }
        Some(html)
    }

    /// Piece values by regression.
    pub(in crate::report) fn observed(&self) -> Option<String> {
        let found = self.regression.as_ref()?;
        let clusters = match found.clustering {
            Clustering::Game => "game",
            Clustering::Setup => "setup",
        };
        let model = match found.model {
            Model::Ordered => "Ordered logit",
            Model::Decided => "Logit of decided games",
        };
        let mut note = format!(
            "{model} of {} quiet positions of {} games, from ply {} on, without a capture or promotion in {} plies before \
             and after; errors by {clusters}, {} replicates of the cluster bootstrap.",
            thousands(found.positions),
            thousands(found.games),
            self.sampling.from_ply,
            self.sampling.quiet_plies,
            thousands(found.replicates)
        );
        if let Some(why) = &found.nothing {
            note += &format!(" There are no values: {why}; more games are needed.");
        }
        if let Some(white) = found.white {
            let (value, interval) = (fixed(white.value, 0), between(white.interval, 0));
            note += &format!(" White’s side is worth {value} Elo ({interval}).");
        }
        if let Some(draws) = found.draws {
            note += &format!(
                " By this fit {} of games would be drawn in which material is equal throughout.",
                percent(draws)
            );
        }
        let mut cards =
            card(&(self.table_of(&found.rows()) + &format!(r#"<p class="note">{}</p>"#, escape(&note))));
        if !found.fit.is_empty() {
            let fit = fit_table(self.unit).to_html(&found.fit);
            cards += &card(&format!("<h3>White’s score by its advantage in a position</h3>{fit}"));
        }
        if !found.stages.is_empty() {
            let stages = found.stages.iter().map(|(stage, found)| (stage.to_string(), found.rows()));
            cards += &card(&format!(
                "<h3>By stage of the game</h3>{}<p class=\"note\">In the opening more than three quarters of the pieces are \
                 on the board, in the middlegame more than three eighths.</p>",
                self.table_of_stages(&stages.collect::<Vec<_>>())
            ));
        }
        Some(format!(
            "<p>Regression estimates how results depend on the material that was on the board. Players lose pieces when they are \
             about to lose for other reasons, so that it observes, and does not measure what a piece is worth.</p>{cards}"
        ))
    }

    pub(in crate::report) fn side_by_side(&self) -> String {
        let rows: Vec<ValueRow> = self.rows().into_iter().map(ValueRow::if_certain).collect();
        let by_ply: Vec<ValueRow> = self.imbalances.iter().flat_map(ImbalanceValues::rows_by_ply).collect();
        let pieces = pieces_of(&[rows.as_slice(), &by_ply].concat());
        let table = method_table(self.variant, self.unit, &rows, &self.published).to_html(pieces);
        let sources: String =
            self.published.iter().map(|list| format!("{}: {}. ", list.title(), list.source)).collect();
        let here = self.published.iter().any(|list| list.is_for(self.variant));
        let other =
            if here { "" } else { "No published list is for this board; these are for other boards. " };
        let taken = plain(100.0 * self.mobility.1);
        let unit = self.unit;
        card(
            &(table
                + &format!(
                    r#"<p class="note">With {unit}. Mobility is the mean number of squares that a piece reaches if {taken} % of the other squares are occupied. {}</p>"#,
                    escape(&format!("{other}{sources}"))
                )),
        )
    }
}

/// The matches of a network, and how well values add up in each.
fn folded_matches(found: &ImbalanceValues) -> String {
    let matches = plural(found.imbalances.len(), "match at odds", "matches at odds");
    folded(&matches, &imbalance_table().to_html(imbalance_rows(found)))
}

/// Sentences as notes.
fn notes(statements: &[String]) -> String {
    statements.iter().map(|said| format!(r#"<p class="note">{}</p>"#, escape(said))).collect()
}
