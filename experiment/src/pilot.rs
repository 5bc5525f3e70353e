//! The value by which the engine itself plays a piece that nobody has measured.
//!
//! A side that misjudges its piece makes trades that it should not make, or keeps from those that it should, and the piece measures
//! lower than it is. The engine's first guess is what the piece's moves are worth. A pilot of few games measures the piece with that; then
//! more games measure it with the value that the pilot found. How much a wrong value costs is measured by `benches/misvalued.sh`.
//!
//! The games of the pilot count as well. They begin from setups of their own, so that their errors are independent of the others'. In pilots
//! whose seed is that of the experiment, as earlier versions played them, they do not, and these do not count.

use std::path::{Path, PathBuf};

use backrank_analysis::stats::{Estimate, Interval};
use backrank_analysis::values::{ImbalanceValues, engine_centipawns};
use backrank_engine::Weights;
use backrank_rules::{Letter, Rules};
use serde::Serialize;

use crate::design::BETWEEN_SEEDS;

/// The directory of the pilot, below that of the experiment.
pub(crate) const PILOT: &str = "pilot";

/// The share of the time that is for the pilot.
pub const SHARE_OF_PILOT: f64 = 0.2;

/// The relative standard error of the engine's first guess.
const GUESS_ERROR: f64 = 0.2;

/// The least that the engine takes a piece for, in centipawns.
const LEAST: f64 = 20.0;

/// The seed of the pilot of an experiment whose seed is `asked` for, usually 0: no part of the one draws the same random numbers as a part of
/// the other. A pilot that is `begun` goes on, also one that has the seed of the experiment.
pub fn pilot_seed(asked: Option<u64>, begun: Option<u64>) -> u64 {
    match begun {
        Some(begun) if asked.is_none_or(|asked| asked == begun) => begun,
        _ => asked.unwrap_or(0).wrapping_add(BETWEEN_SEEDS / 2) & i64::MAX as u64,
    }
}

/// The directory of the pilot of an experiment.
pub fn pilot_path(path: &Path) -> PathBuf {
    path.join(PILOT)
}

/// The centipawns by which the engine plays a piece after a pilot: what the pilot measured and the engine's first guess, each by how
/// sure it is. `rules` are those that the pilot was played by, and `found` the values by its games.
///
/// The engine's scale is not that of measured values; the pieces that both know tell one from the other.
pub fn centipawns_after(rules: &Rules, letter: Letter, found: &ImbalanceValues) -> i32 {
    let weights = Weights::new(rules);
    let guess = f64::from(weights.material[letter]);
    let known: Vec<(f64, f64)> = rules
        .variant()
        .pieces
        .iter()
        .map(|piece| (piece.letter, piece.value))
        .chain([(Letter::PAWN, rules.variant().pawn.value)])
        .filter(|(other, value)| *other != letter && value.is_some())
        .filter_map(|(other, _)| Some((measured(found, other)?.value, f64::from(weights.material[other]))))
        .collect();
    let by_pilot = measured(found, letter).filter(|value| value.interval.is_finite()).and_then(|value| {
        let on_scale = |value: f64| engine_centipawns(&known, value.max(0.0));
        let Interval { low, high } = value.interval;
        let error = (on_scale(high)? - on_scale(low)?) / (2.0 * 1.96);
        Some((on_scale(value.value)?, error.max(1.0)))
    });
    let (mut sum, mut weight) = (guess / (GUESS_ERROR * guess).powi(2), (GUESS_ERROR * guess).powi(-2));
    if let Some((value, error)) = by_pilot {
        sum += value / error.powi(2);
        weight += error.powi(-2);
    }
    (sum / weight).max(LEAST).round() as i32
}

/// The value of a piece that games measured.
pub fn measured(found: &ImbalanceValues, letter: Letter) -> Option<Estimate> {
    let of_piece = found.pieces.iter().find(|piece| piece.piece.to_string() == letter.to_string());
    of_piece.and_then(|piece| piece.value)
}

/// What the engine took a piece for, and what was measured by then.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct EngineValue {
    /// The engine's centipawns.
    pub centipawns: f64,
    /// What was measured.
    pub measured: Option<Estimate>,
}

#[cfg(test)]
mod tests {
    use backrank_rules::Variant;

    use super::*;

    #[test]
    fn a_pilot_has_a_seed_of_its_own_and_keeps_it() {
        let own = pilot_seed(Some(7), None);
        assert_ne!(own, 7);
        assert_eq!([pilot_seed(Some(7), Some(own)), pilot_seed(None, Some(own))], [own; 2]);
        // As earlier versions played it.
        assert_eq!(pilot_seed(Some(7), Some(7)), 7);
        // Another seed is another pilot.
        assert_ne!(pilot_seed(Some(8), Some(own)), own);
        assert_eq!(pilot_seed(None, None), pilot_seed(Some(0), None));
    }

    #[test]
    fn without_games_the_first_guess_stays() {
        let game = Variant::find("chess960").unwrap().with_piece(Letter::W, "waffle", "WA").unwrap();
        let rules = Rules::new(&game);
        let material = backrank_analysis::games::Material::of(&rules);
        let nothing = backrank_analysis::values::Imbalances::new(&material).values("N=3.25".parse().unwrap());
        let guess = Weights::new(&rules).material[Letter::W].round() as i32;
        assert_eq!(centipawns_after(&rules, Letter::W, &nothing), guess);
    }
}
