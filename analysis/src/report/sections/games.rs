//! How games went: the Bishop Adjustment, endings and lengths.

use super::super::Report;
use super::super::plots::{Histogram, results};
use super::super::svg::plain;
use super::{figure, key, percent};
use crate::setups::{SetupStatistics, adjusting_table, partner_table};
use crate::table::thousands;

impl Report<'_> {
    pub(in crate::report) fn adjustment(&self) -> Option<String> {
        let found = self.setups.as_ref()?.adjustments.as_ref()?;
        let [games, could, did] = [found.games, found.could, found.did].map(thousands);
        let share = percent(found.did as f64 / found.could.max(1) as f64);
        let who: Vec<(String, [u64; 3])> = found
            .by_whom
            .iter()
            .filter(|adjusting| adjusting.results != [0; 3])
            .map(|adjusting| (format!("{} adjusted", capital(adjusting.who)), adjusting.results))
            .collect();
        let bars = outcomes(
            "Results by who adjusted",
            &results("Games by who adjusted", &who, "White"),
            "Sides adjust when they expect to gain by it, so these scores do not measure the effect of adjusting.",
        );
        let moves: Vec<f64> = found.moves.iter().map(|&number| number as f64).collect();
        let histogram = Histogram {
            title: "Adjustments by move number",
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
            "The number of adjustments at each move, counted for the side that adjusted.",
        );
        let partners = partner_table().to_html(&found.partners);
        let whose = adjusting_table().to_html(&found.by_whom);
        Some(format!(
            r#"<p>In {games} games at least one side could adjust when the game began. Of the {could} sides that could, {did} did ({share}).</p><div class="cards">{bars}{when}<div class="card">{whose}</div><div class="card">{partners}</div></div>"#
        ))
    }

    pub(in crate::report) fn endings(&self) -> Option<String> {
        let found: &SetupStatistics = self.setups.as_ref()?;
        let rows: Vec<(String, [u64; 3])> = found
            .endings
            .iter()
            .map(|ended| (ended.ending.to_string().replace('-', " "), ended.results))
            .collect();
        let bars = outcomes(
            "Terminations",
            &results("Games by ending", &rows, "White"),
            "The number of games is on the right. An adjudicated game was ended early, by the rules in its study.toml.",
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
            "Half of the games have between {lower} and {upper} plies, and the median is {median}. The shortest has {shortest}, the \
             longest {longest}."
        );
        Some(format!(r#"<div class="cards">{bars}{}</div>"#, figure("Lengths", &histogram.draw(), &caption)))
    }
}

/// A plot of won, drawn and lost games, with its legend.
fn outcomes(title: &str, picture: &str, caption: &str) -> String {
    let entries = [("won", "White won"), ("drawn", "drawn"), ("lost", "Black won")];
    figure(title, &(key(&entries) + picture), caption)
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
