//! What a person can choose of an experiment.

use std::convert::Infallible;

use backrank_engine::Weights;
use backrank_enumerate::Space;
use backrank_rules::{Letter, Rules};
use backrank_selfplay::player::fingerprint;
use backrank_selfplay::study::{Odds, SetupChoice, Study, StudySetups, StudySpec};

use crate::error::ExperimentError;

/// The number of nodes for each search that gives the most precise values in a given time, as `METHODS.md` of
/// `backrank-analysis` explains.
pub const USUAL_NODES: u64 = 1000;

/// The number of setups with which each part is defined, each for a game or a pair: more than will be played, so that games
/// can always be added. An experiment of more games is defined with as many as it needs.
const SETUPS: u64 = 1_000_000;

/// The options that determine the games. What is `None` is as in the experiment that is continued, or as usual.
#[derive(Clone, Debug, Default)]
pub struct ExperimentOptions {
    /// Constraints that narrow the space of setups, such as `opposite_colours=B,B`.
    pub constraints: Option<Vec<String>>,
    /// The number of nodes for each search; usually [`USUAL_NODES`].
    pub nodes: Option<u64>,
    /// The seed; usually 0.
    pub seed: Option<u64>,
    /// Pieces that neither side has in any game, pawns last: values are then those of a later stage of the game.
    pub without: Option<Vec<Letter>>,
    /// The number of games, where these are planned.
    pub games: Option<u64>,
}

impl ExperimentOptions {
    /// The study of the games from all setups, for a variant with these rules. `begun` is that of the experiment that is to
    /// be continued.
    ///
    /// # Errors
    ///
    /// When a constraint is wrong, no setup meets all of them, a game would begin with a check, or a side has not the pieces that it is to
    /// be without.
    pub fn first_study(&self, rules: &Rules, begun: Option<&Study>) -> Result<Study, ExperimentError> {
        let variant = rules.variant();
        let space = Space::new(variant)?;
        let numbering = space.default_numbering().name();
        let setups = begun.map_or(SETUPS.max(self.games.unwrap_or(0)), |begun| begun.number_of_setups);
        let mut study = StudySpec::new(variant, SetupChoice::Random(setups).into(), numbering, setups);
        if variant.sides_differ() {
            // Each side begins in one game of a pair, so that the first move is not taken for a part of its army's worth.
            (study.pairs, study.swap_sides, study.games) = (true, true, 2);
        }
        let constraints = self.constraints.as_ref().or(begun.map(|begun| &begun.constraints));
        if let Some(constraints) = constraints.filter(|constraints| !constraints.is_empty()) {
            study.constraints = constraints.clone();
            study.numbering = study.space()?.default_numbering().name().to_string();
        }
        let odds = match &self.without {
            Some(without) => (!without.is_empty()).then(|| Odds::on_neither(without)),
            None => begun.and_then(|begun| begun.odds.clone()),
        };
        if let Some(odds) = odds {
            study.give_odds(odds);
            study.games = 2;
        }
        study.seed = self.seed.or(begun.map(|begun| begun.seed)).unwrap_or(0);
        study.limits.nodes = self.nodes.or(begun.and_then(|begun| begun.limits.nodes)).or(Some(USUAL_NODES));
        let setups = StudySetups::of(&study)?;
        setups.check_kings()?;
        study.number_of_setups = setups.len();
        study.fit_hash();
        let mut study = Study::new(study)?;
        let own = fingerprint(rules, &space, &Weights::new(rules));
        let Ok(()) = study.set_fingerprints(|_| Ok::<_, Infallible>(own.clone()));
        Ok(study)
    }
}
