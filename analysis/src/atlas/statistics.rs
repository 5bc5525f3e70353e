//! Statistics of the rows of an atlas.

use std::collections::{BTreeMap, HashMap};

use backrank_rules::{Letter, Variant};
use backrank_selfplay::atlas::AtlasRow;
use serde::Serialize;

use super::agreement::Agreement;
use super::judgement::Judgements;
use super::measure::AtlasMeasure;
use super::reliability::Reliability;
use crate::setups::{Features, SetupMean, SetupName};
use crate::stats::{Estimate, Spread, correlation};

/// The statistics of an atlas.
#[derive(Clone, Debug, Serialize)]
pub struct AtlasStatistics {
    /// The number of setups.
    pub setups: u64,
    /// The distribution of each measure by one search; empty if there are fewer than two setups.
    pub measures: Vec<MeasureSpread>,
    /// How much of each measure would be found again; empty if nothing was searched twice.
    pub reliability: Vec<Reliability>,
    /// The number of setups whose line of best play ends before its twentieth ply.
    pub ended_lines: u64,
    /// The correlation of complexity with White's score.
    pub complexity_and_score: Option<Estimate>,
    /// The agreement of the scores of setups and of their reflections, with each pair counted once. `None` if
    /// reflection changes the game.
    pub reflection: Option<Agreement>,
    /// The same for complexity.
    pub reflection_complexity: Option<Agreement>,
    /// The agreement of the scores by a quarter of the nodes and by all nodes.
    pub quarter: Option<Agreement>,
    /// The Bishop Adjustment along lines of best play; `None` if no setup allows it.
    pub adjustments: Option<LineAdjustments>,
    /// The features with which score, complexity and asymmetry are associated.
    pub features: Vec<MeasureFeatures>,
}

/// The distribution of a measure.
#[derive(Clone, Debug, Serialize)]
pub struct MeasureSpread {
    /// The measure.
    pub measure: AtlasMeasure,
    /// Its distribution.
    #[serde(flatten)]
    pub spread: Spread,
}

/// The features with which a measure is associated.
#[derive(Clone, Debug, Serialize)]
pub struct MeasureFeatures {
    /// The measure.
    pub measure: AtlasMeasure,
    /// The effects of features on the measure.
    #[serde(flatten)]
    pub features: Features,
}

/// The Bishop Adjustment along lines of best play.
#[derive(Clone, Debug, Serialize)]
pub struct LineAdjustments {
    /// The number of setups in which it can be played.
    pub could: u64,
    /// The number of setups in whose line it is played.
    pub did: u64,
    /// The number of adjustments at each ply, from 1.
    pub plies: BTreeMap<u32, u64>,
    /// The number of adjustments with each partner.
    pub partners: BTreeMap<Letter, u64>,
    /// The mean effect of the rule on White's score in setups that allow it, in centipawns.
    pub gain: Option<Estimate>,
}

/// The measures for which effects of features are estimated.
const EXPLAINED: [AtlasMeasure; 3] = [AtlasMeasure::Score, AtlasMeasure::Complexity, AtlasMeasure::Asymmetry];

impl AtlasStatistics {
    /// The statistics of a variant's atlas.
    pub fn of(variant: &Variant, judgements: &Judgements) -> Self {
        let rows = &judgements.rows[..];
        let numbers = |measure: AtlasMeasure| rows.iter().map(|row| measure.of(row)).collect::<Vec<f64>>();
        let spread = |measure| Some(MeasureSpread { measure, spread: Spread::of(&numbers(measure))? });
        let both = |row| (AtlasMeasure::Complexity.of(row), AtlasMeasure::Score.of(row));
        let both = rows.iter().map(both).collect::<Vec<(f64, f64)>>();
        let quarters = rows.iter().filter_map(|row| Some((row.quarter_cp?.into(), row.score_cp.into())));
        let names: Vec<SetupName> = rows
            .iter()
            .map(|row| SetupName {
                id: row.setup,
                white: row.white_rank.clone(),
                black: row.black_rank.clone(),
            })
            .collect();
        let features = |measure: AtlasMeasure| {
            let means = rows.iter().map(|row| SetupMean { weight: 1.0, sum: measure.of(row) });
            let features = Features::of(variant, &names, &means.collect::<Vec<SetupMean>>());
            MeasureFeatures { measure, features }
        };
        Self {
            setups: rows.len() as u64,
            measures: AtlasMeasure::ALL.into_iter().filter_map(spread).collect(),
            reliability: judgements.reliabilities.clone(),
            ended_lines: rows.iter().filter(|row| row.ends_early()).count() as u64,
            complexity_and_score: correlation(&both),
            reflection: reflected(rows, AtlasMeasure::Score),
            reflection_complexity: reflected(rows, AtlasMeasure::Complexity),
            quarter: Agreement::of(&quarters.collect::<Vec<(f64, f64)>>()),
            adjustments: LineAdjustments::of(rows),
            features: EXPLAINED.map(features).into(),
        }
    }
}

/// The agreement of a measure between setups and their reflections, with each pair counted once.
fn reflected(rows: &[AtlasRow], measure: AtlasMeasure) -> Option<Agreement> {
    let by_id: HashMap<u128, &AtlasRow> = rows.iter().map(|row| (row.setup, row)).collect();
    let pairs = rows.iter().filter_map(|row| {
        let other = by_id.get(&row.reflection.filter(|&id| id > row.setup)?)?;
        Some((measure.of(row), measure.of(other)))
    });
    Agreement::of(&pairs.collect::<Vec<(f64, f64)>>())
}

impl LineAdjustments {
    fn of(rows: &[AtlasRow]) -> Option<Self> {
        let gains: Vec<f64> = rows
            .iter()
            .filter_map(|row| Some(f64::from(row.score_cp - row.without_adjustment_cp?)))
            .collect();
        let could = gains.len() as u64;
        let (mut did, mut plies, mut partners) = (0, BTreeMap::new(), BTreeMap::new());
        for row in rows.iter().filter(|row| !row.adjustments.is_empty()) {
            did += 1;
            for (ply, partner) in row.adjustments.split(' ').filter_map(read_adjustment) {
                *plies.entry(ply).or_default() += 1;
                *partners.entry(partner).or_default() += 1;
            }
        }
        let gain = Spread::of(&gains).map(|spread| spread.mean);
        (could > 0).then_some(Self { could, did, plies, partners, gain })
    }
}

/// Reads the ply and the partner of an adjustment such as `5:Bc<=>N`.
fn read_adjustment(text: &str) -> Option<(u32, Letter)> {
    let (ply, notation) = text.split_once(':')?;
    let partner = notation.split_once("<=>")?.1.chars().next()?;
    Some((ply.parse().ok()?, Letter::from_char(partner)?))
}

#[cfg(test)]
mod tests {
    use backrank_selfplay::atlas::ScoreCurve;

    use super::*;

    fn row(setup: u128, rank: &str, score_cp: i32, reflection: u128) -> AtlasRow {
        AtlasRow {
            setup,
            white_rank: rank.to_string(),
            black_rank: rank.to_string(),
            score_cp,
            expected_score: 0.5,
            expected_score_low: 0.4,
            expected_score_high: 0.6,
            complexity_white: 2.0,
            complexity_black: 3.0 + score_cp as f64 / 100.0,
            complexity: 5.0 + score_cp as f64 / 100.0,
            asymmetry: 1.0,
            best_move: "e2e4".to_string(),
            best_moves: format!("e2e4/{score_cp}"),
            depth: 8,
            quarter_cp: Some(score_cp - 5),
            line: ["e2e4"; 20].join(" "),
            line_scores: score_cp.to_string(),
            gaps: "3".to_string(),
            adjustments: String::new(),
            without_adjustment_cp: None,
            reflection: Some(reflection),
        }
    }

    #[test]
    fn each_pair_of_reflections_counts_once_and_a_setup_that_is_its_own_does_not() {
        let pmrc = Variant::find("pmrc").unwrap();
        let rows = vec![
            row(0, "RNBMKQBNR", 10, 3),
            row(1, "RBNMKQNBR", 50, 1),
            row(2, "QRNBKBNRM", 30, 9),
            row(3, "RNBQKMBNR", 16, 0),
        ];
        let found = AtlasStatistics::of(&pmrc, &Judgements::new(rows, None, ScoreCurve::of_game("pmrc")));
        // Setup 2 has a reflection that is not judged. By hand: √(6²/2).
        let pairs = found.reflection.unwrap();
        assert_eq!((pairs.pairs, pairs.change, pairs.noise), (1, 6.0, 18.0_f64.sqrt()));
        let quarter = found.quarter.unwrap();
        assert_eq!((quarter.pairs, quarter.change, quarter.noise), (4, 5.0, 12.5_f64.sqrt()));
        assert!((found.complexity_and_score.unwrap().value - 1.0).abs() < 1e-12);
        assert!(found.adjustments.is_none());
        let score = &found.measures[0];
        assert_eq!((score.measure, score.spread.mean.value), (AtlasMeasure::Score, 26.5));
    }

    #[test]
    fn adjustments_are_counted_by_ply_and_partner() {
        let mut rows = [row(0, "RNBMKQBNR", 10, 3), row(3, "RNBQKMBNR", 16, 0), row(7, "RNBMKQBNR", 0, 7)];
        rows[0].without_adjustment_cp = Some(4);
        rows[1].without_adjustment_cp = Some(20);
        rows[0].adjustments = "5:Bc<=>N 8:Bg<=>Nh".to_string();
        let found = LineAdjustments::of(&rows).unwrap();
        assert_eq!((found.could, found.did), (2, 1));
        assert_eq!(found.plies, BTreeMap::from([(5, 1), (8, 1)]));
        assert_eq!(found.partners, BTreeMap::from([(Letter::N, 2)]));
        assert_eq!(found.gain.unwrap().value, 1.0);
    }
}
