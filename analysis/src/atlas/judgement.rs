//! What an atlas says of each setup, once its error is known.

use std::collections::HashMap;
use std::path::Path;

use backrank_selfplay::atlas::{Atlas, AtlasDirectory, AtlasRow, ScoreCurve};
use backrank_selfplay::store::StoreError;

use super::measure::AtlasMeasure;
use super::reliability::Reliability;
use crate::error::AnalysisError;
use crate::stats::{Estimate, Interval};

/// The folder inside an atlas's directory that holds its repeat: another atlas of the same setups, or some of them, by the same
/// engine, with another number of nodes or of best moves, or another size of the table.
pub const REPEAT: &str = "repeat";

/// The rows of an atlas and what they say, with their errors.
///
/// Where a setup and its mirror image are the same game, their two searches are two measurements of one truth: both setups are
/// given the mean of both. If the errors are known, by mirror images or by a repeat, each measure is drawn to its mean by its
/// [`Reliability`].
#[derive(Clone, Debug)]
pub struct Judgements {
    /// The rows, in the order of ids.
    pub rows: Vec<AtlasRow>,
    /// The rows of the repeat, if there is one.
    pub repeat: Option<Vec<AtlasRow>>,
    /// The reliability of each measure; empty if nothing was searched twice.
    pub reliabilities: Vec<Reliability>,
    curve: ScoreCurve,
    /// The index of each row's mirror image, where that is the same game and was judged, too.
    mirrors: Vec<Option<usize>>,
}

impl Judgements {
    /// Reads an atlas and its repeat.
    ///
    /// # Errors
    ///
    /// When the rows cannot be read, or the repeat is no repeat of this atlas.
    pub fn read(path: &Path, atlas: &Atlas) -> Result<Self, AnalysisError> {
        let rows = AtlasDirectory::read_rows(path, atlas)?.collect::<Result<Vec<AtlasRow>, StoreError>>()?;
        Ok(Self::new(rows, read_repeat(path, atlas)?, atlas.expected_score.clone()))
    }

    /// The judgements of some rows.
    pub fn new(rows: Vec<AtlasRow>, repeat: Option<Vec<AtlasRow>>, curve: ScoreCurve) -> Self {
        let by_id: HashMap<u128, usize> =
            rows.iter().enumerate().map(|(index, row)| (row.setup, index)).collect();
        let mirrors = rows
            .iter()
            .map(|row| by_id.get(&row.reflection.filter(|&id| id != row.setup)?).copied())
            .collect();
        let reliability = |measure| {
            let by_repeat = || Reliability::by_repeat(measure, &rows, repeat.as_deref()?);
            Reliability::by_mirrors(measure, &rows).or_else(by_repeat)
        };
        let reliabilities = AtlasMeasure::ALL.into_iter().filter_map(reliability).collect();
        Self { reliabilities, mirrors, curve, rows, repeat }
    }

    /// The reliability of a measure, if it is known.
    pub fn reliability(&self, measure: AtlasMeasure) -> Option<&Reliability> {
        self.reliabilities.iter().find(|found| found.measure == measure)
    }

    /// Why setups cannot be ranked by a measure, as a sentence; `None` if they can, or if its reliability is not known.
    pub fn why_no_ranks(&self, measure: AtlasMeasure) -> Option<String> {
        self.reliability(measure)?.why_no_ranks()
    }

    /// Whether a row is the second of two mirror images, which have the same judgement.
    pub fn is_second(&self, index: usize) -> bool {
        self.mirrors[index].is_some_and(|mirror| mirror < index)
    }

    /// The value of a measure for a setup: the mean of its search and its mirror image's, drawn to the mean of all setups. The
    /// interval is unbounded if the error is not known.
    ///
    /// White's expected score is that of White's score; its interval holds the error of the curve as well.
    pub fn of(&self, index: usize, measure: AtlasMeasure) -> Estimate {
        if measure == AtlasMeasure::ExpectedScore {
            return self.expected(self.of(index, AtlasMeasure::Score));
        }
        let own = measure.of(&self.rows[index]);
        let (found, searches) = match self.mirrors[index] {
            Some(mirror) => (0.5 * (own + measure.of(&self.rows[mirror])), 2),
            None => (own, 1),
        };
        match self.reliability(measure) {
            Some(reliability) => reliability.truth_of(found, searches),
            None => Estimate { value: found, interval: Interval::UNBOUNDED },
        }
    }

    fn expected(&self, score: Estimate) -> Estimate {
        let half = score.interval.is_finite().then_some(0.5 * (score.interval.high - score.interval.low));
        let odds = |logarithm: f64| 1.0 / (1.0 + (-logarithm).exp());
        let logarithm = self.curve.slope * score.value;
        // An error of 1.96 standard errors, from both.
        let of_curve = Estimate::normal(0.0, self.curve.standard_error * score.value.abs()).interval.high;
        let interval = half.map_or(Interval::UNBOUNDED, |half| {
            Estimate::within(logarithm, (self.curve.slope * half).hypot(of_curve)).interval.map(odds)
        });
        Estimate { value: odds(logarithm), interval }
    }
}

/// The rows of the repeat of an atlas, if there is one in its directory.
fn read_repeat(path: &Path, atlas: &Atlas) -> Result<Option<Vec<AtlasRow>>, AnalysisError> {
    let path = path.join(REPEAT);
    if !AtlasDirectory::holds(&path)? {
        return Ok(None);
    }
    let repeat = AtlasDirectory::read(&path)?;
    let judge = |atlas: &Atlas| (atlas.engine.clone(), atlas.net, atlas.fingerprint.clone(), atlas.verified);
    let searches = |atlas: &Atlas| (atlas.nodes, atlas.hash, atlas.best_moves);
    let problem = if repeat.variant.text != atlas.variant.text {
        Some("it is of another game")
    } else if judge(&repeat) != judge(atlas) {
        Some("another engine has judged")
    } else if searches(&repeat) == searches(atlas) {
        Some("nodes, hash and best_moves are the same, so it finds the same again")
    } else {
        None
    };
    if let Some(problem) = problem {
        return Err(AnalysisError::NoRepeat { path, problem });
    }
    let rows = AtlasDirectory::read_rows(&path, &repeat)?;
    Ok(Some(rows.collect::<Result<Vec<AtlasRow>, StoreError>>()?))
}

#[cfg(test)]
mod tests {
    use backrank_selfplay::atlas::AtlasRow;

    use super::*;

    /// Setups and their mirror images, with scores that agree on the whole.
    fn mirrored(scores: &[(i32, i32)]) -> Vec<AtlasRow> {
        let row = |setup: usize, score_cp: i32, reflection: usize| AtlasRow {
            setup: setup as u128,
            white_rank: setup.to_string(),
            black_rank: setup.to_string(),
            score_cp,
            expected_score: 0.5,
            expected_score_low: 0.5,
            expected_score_high: 0.5,
            complexity_white: 2.0,
            complexity_black: 2.0,
            complexity: 4.0,
            asymmetry: 0.0,
            best_move: String::new(),
            best_moves: String::new(),
            depth: 1,
            quarter_cp: None,
            line: ["e2e4"; 20].join(" "),
            line_scores: String::new(),
            gaps: String::new(),
            adjustments: String::new(),
            without_adjustment_cp: None,
            reflection: Some(reflection as u128),
        };
        let n = scores.len();
        let first = scores.iter().enumerate().map(|(at, score)| row(at, score.0, at + n));
        let second = scores.iter().enumerate().map(|(at, score)| row(at + n, score.1, at));
        first.chain(second).collect()
    }

    #[test]
    fn mirror_images_have_one_judgement_drawn_to_the_mean() {
        let scores = [(0, 10), (10, 0), (40, 50), (30, 40), (20, 10), (20, 30)].repeat(4);
        let found = Judgements::new(mirrored(&scores), None, ScoreCurve::of_game("chess"));
        let reliability = found.reliability(AtlasMeasure::Score).unwrap();
        assert!(reliability.ranks() && reliability.pairs == 24, "{reliability:?}");
        for (at, &(one, other)) in scores.iter().enumerate() {
            let shown = found.of(at, AtlasMeasure::Score);
            assert_eq!(shown, found.of(at + 24, AtlasMeasure::Score));
            let mean = f64::from(one + other) / 2.0;
            let drawn = reliability.mean + reliability.of_shown * (mean - reliability.mean);
            assert!((shown.value - drawn).abs() < 1e-9, "{shown:?} {drawn}");
            let expected = found.of(at, AtlasMeasure::ExpectedScore);
            assert!(expected.interval.contains(expected.value) && expected.interval.is_finite());
            assert!(!found.is_second(at) && found.is_second(at + 24));
        }
        // Constant measures have no reliability, and what was searched once has no interval.
        assert!(found.reliability(AtlasMeasure::Asymmetry).is_none());
        let once = Judgements::new(mirrored(&scores)[..24].to_vec(), None, ScoreCurve::of_game("chess"));
        assert_eq!(once.of(1, AtlasMeasure::Score), Estimate { value: 10.0, interval: Interval::UNBOUNDED });
        assert_eq!(once.of(1, AtlasMeasure::ExpectedScore).interval, Interval::UNBOUNDED);
    }
}
