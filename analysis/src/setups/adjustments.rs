//! How often the Bishop Adjustment was played, and with what results.

use std::collections::BTreeMap;

use backrank_rules::{Letter, Side};
use serde::Serialize;

use super::endings;
use super::endings::EndingResults;
use super::score::ScoreSpread;
use super::tally::SetupTally;
use crate::games::ReplayedGame;
use crate::stats::{Estimate, wilson};

/// The use of the Bishop Adjustment, in games in which it was available.
#[derive(Clone, Debug, Serialize)]
pub struct AdjustmentUse {
    /// The number of games in which at least one side could adjust at the start.
    pub games: u64,
    /// The number of sides that could adjust, up to two per game.
    pub could: u64,
    /// The number of sides that did.
    pub did: u64,
    /// Games by which sides adjusted, with White's score.
    pub by_whom: Vec<AdjusterResults>,
    /// Adjustments by the piece with which the bishop swapped squares.
    pub partners: Vec<PartnerUse>,
    /// The number of adjustments played at a side's first move, at its second, and so on.
    pub moves: Vec<u64>,
    /// How the games ended in which at least one side adjusted.
    pub endings: Vec<EndingResults>,
}

/// Games in which the same sides adjusted.
#[derive(Clone, Debug, Serialize)]
pub struct AdjusterResults {
    /// The sides that adjusted: `nobody`, `White`, `Black` or `both`.
    pub who: &'static str,
    /// Games that White has won, drawn and lost.
    pub results: [u64; 3],
    /// White's score; `None` if there is no game.
    pub score: Option<Estimate>,
}

/// Adjustments with one kind of partner.
#[derive(Clone, Debug, Serialize)]
pub struct PartnerUse {
    /// The partner's letter.
    pub partner: Letter,
    /// The number of adjustments.
    pub number: u64,
    /// The median move at which it was played, from 1.
    pub median_move: u32,
    /// Games that the side that adjusted has won, drawn and lost.
    pub results: [u64; 3],
    /// The score of the side that adjusted.
    pub score: Estimate,
}

/// Counts of adjustments, to which games are added one by one.
#[derive(Clone, Debug, Default)]
pub(super) struct AdjustmentCounts {
    games: u64,
    could: u64,
    by_whom: [[u64; 3]; 4],
    /// For each partner, the number of adjustments by move, and the results of the side that adjusted.
    partners: BTreeMap<Letter, (BTreeMap<u32, u64>, [u64; 3])>,
    outcomes: Vec<u8>,
    endings: Vec<u8>,
}

const WHO: [&str; 4] = ["nobody", "White", "Black", "both"];

impl AdjustmentCounts {
    pub fn add(&mut self, game: &ReplayedGame) {
        let could = game.replayed.may_adjust.iter().filter(|&&could| could).count() as u64;
        if could == 0 {
            return;
        }
        self.games += 1;
        self.could += could;
        let did = game.replayed.adjusted;
        let who = usize::from(did[0].is_some()) + 2 * usize::from(did[1].is_some());
        self.by_whom[who][2 - game.outcome()] += 1;
        for side in Side::BOTH {
            let Some(adjusted) = did[side as usize] else { continue };
            let (moves, results) = self.partners.entry(adjusted.partner).or_default();
            *moves.entry(adjusted.ply / 2 + 1).or_default() += 1;
            let outcome = if side == Side::White { game.outcome() } else { 2 - game.outcome() };
            results[2 - outcome] += 1;
        }
        if who > 0 {
            self.outcomes.push(game.outcome() as u8);
            self.endings.push(endings::number(game.termination));
        }
    }

    pub fn statistics(&self, spread: ScoreSpread) -> Option<AdjustmentUse> {
        let score = |results: [u64; 3]| {
            let score = SetupTally { results }.score();
            let games = results.iter().sum::<u64>() as f64;
            Estimate { value: score, interval: wilson(score, spread.trials(games)) }
        };
        let by_whom = WHO.into_iter().zip(self.by_whom).map(|(who, results)| AdjusterResults {
            who,
            results,
            score: (results != [0; 3]).then(|| score(results)),
        });
        let partners = self.partners.iter().map(|(&partner, (moves, results))| PartnerUse {
            partner,
            number: results.iter().sum(),
            median_move: median(moves),
            results: *results,
            score: score(*results),
        });
        let mut all_moves = Vec::new();
        for (&at, &number) in self.partners.values().flat_map(|(moves, _)| moves) {
            all_moves.resize(all_moves.len().max(at as usize), 0);
            all_moves[at as usize - 1] += number;
        }
        (self.games > 0).then(|| AdjustmentUse {
            games: self.games,
            could: self.could,
            did: self.partners.values().flat_map(|(_, results)| results).sum(),
            by_whom: by_whom.collect(),
            partners: partners.collect(),
            moves: all_moves,
            endings: endings::of(&self.outcomes, &self.endings),
        })
    }
}

/// The lower median of numbers, of which each is given with its count.
fn median(counts: &BTreeMap<u32, u64>) -> u32 {
    let half = counts.values().sum::<u64>().div_ceil(2);
    let mut passed = 0;
    let found = counts.iter().find(|(_, number)| {
        passed += **number;
        passed >= half
    });
    found.map_or(0, |(&value, _)| value)
}
