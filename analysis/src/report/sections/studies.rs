//! The definitions of the studies, and how to reproduce the page.

use backrank_selfplay::study::Study;

use super::super::Report;
use super::{between, card, folded, percent, plural};
use crate::games::{limits_text, players_text};
use crate::table::{Alignment, Format, Table, escape, thousands};

impl Report<'_> {
    pub(in crate::report) fn subtitle(&self) -> String {
        let studies = match self.studies.len() {
            1 => "one study".to_string(),
            number => format!("{number} studies"),
        };
        format!("Piece values and setup statistics from {studies}. All intervals are 95 % intervals.")
    }

    /// The most important numbers, as tiles.
    pub(in crate::report) fn figures(&self) -> String {
        let mut figures = vec![(thousands(self.read.different), "different games".to_string())];
        if let Some(setups) = &self.setups {
            figures.push((thousands(setups.setups.len() as u64), "setups".to_string()));
            let interval = between(setups.score.interval.map(|end| 100.0 * end), 1);
            figures.push((percent(setups.score.value), format!("White’s score, {interval}")));
            let drawn = setups.results[1] as f64 / setups.games as f64;
            figures.push((percent(drawn), "of the games without odds drawn".to_string()));
        }
        if let Some(regression) = &self.regression {
            figures.push((thousands(regression.positions), "quiet positions".to_string()));
        }
        if let Some(found) = &self.imbalances {
            let networks = std::iter::once(found).chain(found.by_ply.iter().map(|found| &found.values));
            let pairs: u64 = networks.flat_map(|found| &found.imbalances).flat_map(|found| found.pairs).sum();
            figures.push((thousands(pairs), "pairs of games at odds".to_string()));
        }
        let figure = |(value, name): &(String, String)| {
            format!(r#"<div class="figure"><b>{}</b><span>{}</span></div>"#, escape(value), escape(name))
        };
        format!(r#"<div class="figures">{}</div>"#, figures.iter().map(figure).collect::<String>())
    }

    pub(in crate::report) fn studies(&self) -> String {
        let rows = self.studies.iter().zip(&self.read.by_study);
        let rows = rows.map(|((path, study), &played)| (path.as_str(), *study, played));
        let table = study_table().to_html(rows);
        let [games, different, without] =
            [self.read.games, self.read.different, self.read.without_moves].map(thousands);
        let checked = match self.read.without_moves {
            0 => "read and replayed by the rules, move by move".to_string(),
            all if all == self.read.games => {
                "read; their moves were not recorded, so only their starts and results are checked"
                    .to_string()
            }
            _ => format!(
                "read and replayed by the rules, move by move, except for {without} whose moves were not recorded"
            ),
        };
        format!(
            "<p>{games} games were {checked}. {different} of them are different: a game of which there is a copy \
             counts once.</p>{}",
            card(&folded(&plural(self.studies.len(), "study", "studies"), &table))
        )
    }

    pub(in crate::report) fn reproduction(&self) -> String {
        let version = escape(self.version);
        let mut html = format!(
            "<p>This command of backrank {version} made the page:</p><pre tabindex=\"0\" role=\"group\" aria-label=\"Command\">{}</pre><p>A <code>study.toml</code> determines its \
             games. The same file gives the same games on every machine, as long as no limit is a time. \
             <code>analysis/METHODS.md</code> of backrank has the formulas, assumptions and sources of every method.</p>",
            escape(&self.command)
        );
        let files = self.studies.iter().map(|(path, study)| {
            format!(
                r#"<details><summary><code>{}/study.toml</code></summary><pre tabindex="0" role="group" aria-label="study.toml">{}</pre></details>"#,
                escape(path),
                escape(&study.to_toml())
            )
        });
        html += &folded(
            &plural(self.studies.len(), "definition of a study", "definitions of studies"),
            &files.collect::<String>(),
        );
        html
    }
}

/// A study: its name, its definition, and the number of games that were read.
type StudyRow<'r> = (&'r str, &'r Study, u64);

fn study_table<'t>() -> Table<'t, StudyRow<'t>> {
    let odds = |study: &Study| study.odds.as_ref().map_or("—".to_string(), ToString::to_string);
    let opening = |study: &Study| match study.opening.plies {
        0 => "—".to_string(),
        plies => format!("{plies} within {}", study.opening.margin),
    };
    Table::<StudyRow<'_>>::new()
        .text("study", |row| row.0.to_string())
        .text("players", |row| players_text(row.1))
        .text("a move", |row| limits_text(&row.1.limits))
        .text("setups", |row| row.1.starts.text())
        .count("starts", |row| row.1.number_of_setups)
        .count("games from each", |row| row.1.games)
        .format(Format::PLAIN)
        .count("games played", |row| row.2)
        .text("pairs", |row| if row.1.pairs { "yes" } else { "no" })
        .text("odds", move |row| odds(row.1))
        .text("random plies, centipawns", move |row| opening(row.1))
        .align(Alignment::Right)
        .count("seed", |row| row.1.seed)
        .format(Format::PLAIN)
}
