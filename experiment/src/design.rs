//! The design of an experiment: which imbalances are played, how many games of each, and from which setups and seeds.
//!
//! Games from all setups measure setups, and piece values by regression. Games at odds measure piece values directly. A
//! [`Design`] divides games among these parts by what is known so far. It does not know how many games there will be: whoever
//! plays a number of games asks once a [round](crate::rounds), whoever plays for a time asks for each slice of it.
//!
//! The imbalances that are chosen by results so far are the exploratory sample. Their results are a little better than the
//! truth where chance helped them to be chosen. Therefore the last games at odds are a confirmatory sample, whose imbalances
//! and numbers of games are all chosen before the first of them is played.

use backrank_analysis::findings::CONFIRMATORY;
use backrank_analysis::games::Material;
use backrank_analysis::planner::Planner;
use backrank_analysis::values::{Imbalances, Unit};
use backrank_rules::{Letter, Rules};
use backrank_selfplay::study::{Odds, Study};

use crate::pairs::PairResults;
use crate::plan::{ALL_SETUPS, PartPath};

/// The share of games, or of the time for them, that goes to games from all setups. The rest goes to games at odds.
pub const SHARE_OF_ALL_SETUPS: f64 = 0.2;

/// The number of times that an imbalance is chosen for a sample or a round, one after the other.
pub const CHOICES: u64 = 24;

/// The difference between the seeds of two parts. No two parts draw the same random numbers, and neither do experiments
/// with adjacent seeds.
pub(crate) const BETWEEN_SEEDS: u64 = 1_000_000;

/// The directory of the exploratory sample.
pub(crate) const EXPLORATORY: &str = "odds";

/// A part of an experiment, which is a study of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PartId {
    /// The games from all setups.
    AllSetups,
    /// The games at an imbalance.
    Imbalance {
        /// Its index among the candidates of the planner.
        candidate: usize,
        /// The sample that it belongs to.
        sample: ImbalanceSample,
    },
}

/// The two samples of imbalances.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ImbalanceSample {
    /// Each imbalance is chosen by the results so far.
    Exploratory,
    /// All imbalances are chosen before the first game of the sample.
    Confirmatory,
}

/// A number of games for a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allocation {
    /// The part.
    pub part: PartId,
    /// The number of pairs. From all setups, two games count as a pair.
    pub pairs: u64,
}

/// The design of an experiment.
#[derive(Clone, Debug)]
pub struct Design {
    /// The study of the games from all setups.
    first: Study,
    unit: Unit,
    planner: Planner,
    /// Games of others that are known from the start.
    anchor: Imbalances,
    share_of_all_setups: f64,
}

impl Design {
    /// The design of the experiment whose games from all setups are the study `first`, to measure values in this unit.
    /// `rules` are those of the study's variant.
    pub fn new(rules: &Rules, first: Study, unit: Unit) -> Self {
        let material = Material::of(rules);
        let planner = Planner::new(rules, &material);
        let anchor = Imbalances::new(&material);
        Self { first, unit, planner, anchor, share_of_all_setups: SHARE_OF_ALL_SETUPS }
    }

    /// The design by which new kinds of pieces are measured, which neither side has at the start. All games have them in the places of
    /// others, and what both sides lack by the odds of the study `first`, they lack in all games. `anchor` has games by which the values of the others are known. With `interactions`, games also tell what the values
    /// of the new ones depend on.
    pub fn of_pieces(
        rules: &Rules,
        first: Study,
        unit: Unit,
        new: &[Letter],
        anchor: Imbalances,
        interactions: bool,
    ) -> Self {
        let material = Material::of(rules);
        let without = first.odds.as_ref().map(Odds::lacked_by_both).unwrap_or_default();
        let planner = Planner::of_pieces(rules, &material, new, &without, interactions);
        Self { first, unit, planner, anchor, share_of_all_setups: 0.0 }
    }

    /// The design of an experiment that has games from all setups only.
    pub fn of_setups(rules: &Rules, first: Study, unit: Unit) -> Self {
        Self { share_of_all_setups: 1.0, ..Self::new(rules, first, unit) }
    }

    /// The share of the time that goes to games from all setups.
    pub fn share_of_all_setups(&self) -> f64 {
        self.share_of_all_setups
    }

    /// The same design to measure values in another unit.
    pub fn with_unit(self, unit: Unit) -> Self {
        Self { unit, ..self }
    }

    /// The study of the games from all setups.
    pub fn first(&self) -> &Study {
        &self.first
    }

    /// The unit of the values.
    pub fn unit(&self) -> Unit {
        self.unit
    }

    /// Every part that may be played, always in the same order: games from all setups first.
    pub fn parts(&self) -> impl Iterator<Item = PartId> + use<> {
        let samples = [ImbalanceSample::Exploratory, ImbalanceSample::Confirmatory];
        let imbalances = (0..self.planner.candidates().len())
            .flat_map(move |candidate| samples.map(|sample| PartId::Imbalance { candidate, sample }));
        std::iter::once(PartId::AllSetups).chain(imbalances)
    }

    /// The pieces that each side of a part starts without.
    pub fn odds(&self, part: PartId) -> Option<&Odds> {
        match part {
            PartId::AllSetups => None,
            PartId::Imbalance { candidate, .. } => Some(&self.planner.candidates()[candidate]),
        }
    }

    /// The directory of a part below that of the experiment.
    pub fn path(&self, part: PartId) -> PartPath {
        let path = match part {
            PartId::AllSetups => ALL_SETUPS.to_string(),
            PartId::Imbalance { candidate, sample } => {
                let folder = match sample {
                    ImbalanceSample::Exploratory => EXPLORATORY,
                    ImbalanceSample::Confirmatory => CONFIRMATORY,
                };
                format!("{folder}/{}", self.planner.candidates()[candidate].directory())
            }
        };
        PartPath::try_from(path).expect("directories named after odds are valid")
    }

    /// The part with this directory; `None` if it is not an imbalance of this game.
    pub fn part_at(&self, path: &str) -> Option<PartId> {
        self.parts().find(|&part| &*self.path(part) == path)
    }

    /// The seed of a part.
    pub fn seed(&self, part: PartId) -> u64 {
        let number = match part {
            PartId::AllSetups => 0,
            PartId::Imbalance { candidate, sample } => {
                2 * candidate as u64 + u64::from(sample == ImbalanceSample::Confirmatory) + 1
            }
        };
        self.first.seed.wrapping_add(number * BETWEEN_SEEDS) & i64::MAX as u64
    }

    /// The study of a part: it draws its own setups, and defines more games than will be played.
    pub fn study(&self, part: PartId) -> Study {
        self.first.part(self.odds(part).cloned(), self.seed(part))
    }

    /// What is known after these games at odds.
    pub fn known<'r>(&self, results: impl IntoIterator<Item = (&'r Odds, &'r PairResults)>) -> Imbalances {
        let mut known = self.anchor.clone();
        results.into_iter().for_each(|(odds, pairs)| known.add_pairs(odds, pairs.counts));
        known
    }

    /// Divides a round of games: a fifth goes to games from all setups, the rest to the imbalances that narrow the values'
    /// intervals most. If there is no imbalance that helps, more games are from all setups.
    pub fn round(&self, sample: ImbalanceSample, pairs: u64, known: &Imbalances) -> Vec<Allocation> {
        let of_setups = (pairs as f64 * self.share_of_all_setups).ceil() as u64;
        let at_odds = self.choose(sample, pairs - of_setups, CHOICES, known);
        let chosen: u64 = at_odds.iter().map(|allocation| allocation.pairs).sum();
        let of_setups = Allocation { part: PartId::AllSetups, pairs: pairs - chosen };
        std::iter::once(of_setups).filter(|first| first.pairs > 0).chain(at_odds).collect()
    }

    /// Divides pairs at odds among imbalances, chosen one after the other `choices` times, each for as many pairs. Pairs
    /// for which there is no imbalance are left out.
    pub fn choose(
        &self,
        sample: ImbalanceSample,
        pairs: u64,
        choices: u64,
        known: &Imbalances,
    ) -> Vec<Allocation> {
        let mut plan = match sample {
            ImbalanceSample::Exploratory => self.planner.plan(known, self.unit),
            ImbalanceSample::Confirmatory => self.planner.fixed(known, self.unit),
        };
        let choices = choices.min(pairs);
        let mut chosen: Vec<Allocation> = Vec::new();
        for number in 0..choices {
            let pairs = pairs * (number + 1) / choices - pairs * number / choices;
            let Some(candidate) = plan.next(pairs) else { continue };
            let part = PartId::Imbalance { candidate, sample };
            match chosen.iter_mut().find(|allocation| allocation.part == part) {
                Some(allocation) => allocation.pairs += pairs,
                None => chosen.push(Allocation { part, pairs }),
            }
        }
        chosen
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use backrank_rules::Variant;

    use super::*;
    use crate::options::ExperimentOptions;

    fn design() -> Design {
        let rules = Rules::new(&Variant::find("chess960").unwrap());
        let first = ExperimentOptions::default().first_study(&rules, None).unwrap();
        Design::new(&rules, first, "R=5".parse().unwrap())
    }

    #[test]
    fn parts_are_told_apart_by_directory_and_by_seed() {
        let design = design();
        let parts: Vec<PartId> = design.parts().collect();
        let paths: BTreeSet<String> = parts.iter().map(|&part| design.path(part).to_string()).collect();
        let seeds: BTreeSet<u64> = parts.iter().map(|&part| design.seed(part)).collect();
        assert!(parts.len() > 100 && paths.len() == parts.len() && seeds.len() == parts.len());
        for part in parts {
            assert_eq!(design.part_at(&design.path(part)), Some(part));
            let study = design.study(part);
            assert_eq!((study.odds.as_ref(), study.seed), (design.odds(part), design.seed(part)));
            assert_eq!(study.pairs, study.odds.is_some());
        }
        assert_eq!(design.study(PartId::AllSetups), *design.first());
        assert_eq!(design.part_at("odds/Z"), None);
    }

    #[test]
    fn a_round_has_as_many_pairs_as_it_should() {
        let design = design();
        let known = design.known([]);
        for sample in [ImbalanceSample::Exploratory, ImbalanceSample::Confirmatory] {
            for pairs in [1, 2, 7, 100, 1001] {
                let round = design.round(sample, pairs, &known);
                assert_eq!(round.iter().map(|allocation| allocation.pairs).sum::<u64>(), pairs);
                assert_eq!(round[0].part, PartId::AllSetups);
                assert!(round[0].pairs as f64 >= SHARE_OF_ALL_SETUPS * pairs as f64);
                assert!(round.len() as u64 <= CHOICES + 1);
            }
        }
        assert_eq!(design.choose(ImbalanceSample::Exploratory, 0, 1, &known), []);
    }

    /// An imbalance that was played often says little more, so others come first.
    #[test]
    fn what_is_known_changes_what_is_chosen() {
        let design = design();
        let choose = |known: &Imbalances| design.choose(ImbalanceSample::Exploratory, 50, 1, known)[0].part;
        let first = choose(&design.known([]));
        let played = PairResults { counts: [[400; 3]; 3] };
        assert_ne!(choose(&design.known([(design.odds(first).unwrap(), &played)])), first);
    }
}
