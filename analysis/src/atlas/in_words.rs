//! A setup in words that its numbers support.

use std::cmp::Ordering;

use backrank_rules::{Side, Variant};

use super::judgement::Judgements;
use super::measure::AtlasMeasure;
use crate::setups::{Description, RankFeatures};

impl Judgements {
    /// A sentence about a setup: how fair it is beside the others, where the bishops start, how much there is to decide, and when
    /// the line of best play has an adjustment.
    ///
    /// It says that a setup is fairer than most, or less fair, or that there is more or less to decide than in most, only where the 95 %
    /// interval of the measure leaves out the mean of all setups.
    pub fn in_words(&self, index: usize, variant: &Variant) -> String {
        let row = &self.rows[index];
        let mut parts = Vec::new();
        if let Some(side) = self.side_of_mean(index, AtlasMeasure::Score) {
            let mean = self.reliability(AtlasMeasure::Score).map_or(0.0, |found| found.mean);
            parts.push(match side {
                Ordering::Equal => "as fair as most, as far as can be told".to_string(),
                side if (side == Ordering::Greater) == (mean > 0.0) => "less fair than most".to_string(),
                _ => "fairer than most".to_string(),
            });
        }
        let features = RankFeatures::new(variant, Side::White);
        let rank = features.read(&row.white_rank);
        let bishops = features.described_columns().find(|column| column.name == "bishops");
        if let (Some(rank), Some(column)) = (rank, bishops)
            && let Description::Text(colours) = features.describe(&column, &rank)
        {
            parts.push(format!("bishops on {colours}"));
        }
        match self.side_of_mean(index, AtlasMeasure::Complexity) {
            Some(Ordering::Greater) => parts.push("much to decide".to_string()),
            Some(Ordering::Less) => parts.push("sharp: one move often stands out".to_string()),
            _ => (),
        }
        let ply = row.adjustments.split(':').next().and_then(|ply| ply.parse::<u32>().ok());
        if let Some(ply) = ply {
            parts.push(format!("an adjustment by move {} of the best line", ply.div_ceil(2)));
        }
        parts.join("; ")
    }

    /// On which side of the mean of all setups the interval of a measure is, or whether it holds the mean; `None` if setups are not
    /// ranked by it, or its error is not known.
    fn side_of_mean(&self, index: usize, measure: AtlasMeasure) -> Option<Ordering> {
        let reliability = self.reliability(measure).filter(|found| found.ranks())?;
        let interval = self.of(index, measure).interval;
        Some(match (interval.low > reliability.mean, interval.high < reliability.mean) {
            (true, _) => Ordering::Greater,
            (_, true) => Ordering::Less,
            _ => Ordering::Equal,
        })
    }
}
