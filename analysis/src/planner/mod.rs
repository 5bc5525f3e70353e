//! The planner of a study: which imbalance to play next so that the values of all pieces become precise as fast as
//! possible.
//!
//! Matches near 50 % are the most informative, and depend least on the model. The candidates are therefore all
//! imbalances of a few pieces and pawns, and those that current values predict to be near even are compared by how much
//! a few more pairs would reduce the variance of the values in their unit (A-optimality; Atkinson, Donev and Tobias,
//! *Optimum Experimental Designs, with SAS*, 2007, chapter 10). Since each imbalance deviates somewhat from the sum of
//! values, many imbalances are more informative than few.

mod new_pieces;

use backrank_rules::{Letter, Rules, Side, Variant};
use backrank_selfplay::study::Odds;
use nalgebra::{DMatrix, DVector};

use crate::fit::{Link, expected_score};
use crate::games::{Column, Material};
use crate::stats::elo;
use crate::values::{Imbalances, Unit, mobility};
use new_pieces::PlannedInteraction;

/// The largest numbers of pieces and of pawns that a side may lack.
const MAX_PIECES: usize = 3;
const MAX_PAWNS: usize = 4;

/// Imbalances are near even if they are predicted to be within this many Elo of it.
const NEAR_EVEN: f64 = 100.0;

/// No imbalance gets more than this share of the pairs: each has its own effect, and the size of such effects can be
/// estimated only from many imbalances.
const LARGEST_SHARE: f64 = 1.0 / 24.0;

/// The desired relative standard errors: of the pawn's value, and of those of pieces.
const WANTED: [f64; 2] = [0.25, 0.15];

/// How much one more of a new piece, or one piece less that stands opposite, may add to its value, on the scale of η: about 15 Elo.
const INTERACTION: f64 = 0.09;

/// Assumptions before there are games: η per point, with a rook worth five; the pawn's points; the relative error of
/// the guess by mobility; half the distance between the cut-points; the variance of η after one pair; and how far imbalances deviate
/// from the sum of values, about 10 Elo.
const ETA_OF_A_POINT: f64 = 0.3;
const PAWN_POINTS: f64 = 0.8;
const GUESS_ERROR: f64 = 0.5;
const HALF: f64 = 0.4;
const PAIR_VARIANCE: f64 = 2.0;
const USUAL_DEVIATION: f64 = 0.06;

/// The density of occupied squares for the guess by mobility.
const DENSITY: f64 = 0.3;

/// All imbalances that can be played in a game.
#[derive(Clone, Debug)]
pub struct Planner {
    kinds: Vec<Letter>,
    candidates: Vec<Odds>,
    /// For each candidate, the number of each kind that the first side has more than the other, and how often each interaction is in its
    /// advantage.
    differences: Vec<DVector<f64>>,
    /// What interactions there are.
    interactions: Vec<PlannedInteraction>,
    /// η of each kind before there are games.
    guess: DVector<f64>,
    /// The kinds whose values are to become precise.
    measured: Vec<Letter>,
    largest_share: f64,
    /// The number of imbalances that are played even if fewer are near even: those that are nearest to it.
    least: usize,
}

/// The precision of values at one moment, and what further pairs would add to it.
#[derive(Clone, Debug)]
pub struct ImbalancePlan<'p> {
    planner: &'p Planner,
    /// The candidates that are near even.
    near: Vec<usize>,
    /// The pairs played of each candidate.
    pairs: Vec<f64>,
    deviation: f64,
    pair_variance: f64,
    information: DMatrix<f64>,
    /// The matrix of the criterion: a weighted sum of squared errors, as a form in the covariance.
    criterion: DMatrix<f64>,
}

impl Planner {
    /// All imbalances of a game of up to three pieces and four pawns a side, always in the same order.
    pub fn new(rules: &Rules, material: &Material) -> Self {
        let variant = rules.variant();
        let in_army = |letter: Letter| match letter {
            Letter::PAWN => 0,
            _ => in_both_armies(variant, letter),
        };
        let columns = material.columns().iter();
        let kinds = columns.filter_map(|column| match *column {
            Column::Piece(letter) if letter == Letter::PAWN || in_army(letter) > 0 => Some(letter),
            _ => None,
        });
        let kinds: Vec<Letter> = kinds.collect();
        let most: Vec<usize> = kinds.iter().map(|&letter| in_army(letter)).collect();
        let sides = sides(&most, MAX_PIECES);
        let names = Imbalances::new(material);
        let (mut candidates, mut differences) = (Vec::new(), Vec::new());
        for (index, one) in sides.iter().enumerate() {
            for other in &sides[..=index] {
                if one.iter().zip(other).any(|(one, other)| *one > 0 && *other > 0) {
                    continue;
                }
                for pawns in -(MAX_PAWNS as i32)..=MAX_PAWNS as i32 {
                    let mut difference: Vec<i32> =
                        one.iter().zip(other).map(|(one, other)| *one as i32 - *other as i32).collect();
                    difference[0] = pawns;
                    // If there are only pawns on both sides, either may be named first.
                    let empty = difference[1..].iter().all(|&number| number == 0);
                    if empty && pawns <= 0 {
                        continue;
                    }
                    let (odds, turned) = names.named(&kinds, &difference);
                    let sign = if turned { -1.0 } else { 1.0 };
                    candidates.push(odds);
                    differences.push(DVector::from_iterator(
                        kinds.len(),
                        difference.iter().map(|&number| sign * f64::from(number)),
                    ));
                }
            }
        }
        let guess = guess(rules, &kinds);
        let measured = kinds.clone();
        let (interactions, largest_share) = (Vec::new(), LARGEST_SHARE);
        Self { kinds, candidates, differences, interactions, guess, measured, largest_share, least: 0 }
    }

    /// The imbalances, always in the same order.
    pub fn candidates(&self) -> &[Odds] {
        &self.candidates
    }

    /// A plan from the games so far, for values in this unit.
    pub fn plan(&self, known: &Imbalances, unit: Unit) -> ImbalancePlan<'_> {
        let mut plan = self.fixed(known, unit);
        for (candidate, odds) in self.candidates.iter().enumerate() {
            let pairs = known.pairs(odds) as f64;
            if pairs > 0.0 {
                plan.add(candidate, pairs);
            }
        }
        plan
    }

    /// A plan for a new sample. The games so far are used only to predict which imbalances are near even.
    pub fn fixed(&self, known: &Imbalances, unit: Unit) -> ImbalancePlan<'_> {
        let fit = known.fit(Link::Logit).ok();
        let of_fit = |index: usize| {
            let fit = fit.as_ref()?;
            let kind = known.kinds().iter().position(|&kind| kind == self.kinds[index])?;
            let (coefficient, variance) = (fit.coefficients[kind], fit.covariance[(kind, kind)]);
            // An estimate that is less precise than the guess is not used.
            let found = coefficient.is_finite() && coefficient > 0.0;
            (found && variance.sqrt() < GUESS_ERROR * self.guess[index]).then_some(coefficient)
        };
        let of_kinds = (0..self.kinds.len()).map(|index| of_fit(index).unwrap_or(self.guess[index]));
        let size = self.kinds.len() + self.interactions.len();
        let eta = of_kinds.chain(std::iter::repeat_n(0.0, self.interactions.len()));
        let eta = DVector::from_iterator(size, eta);
        let half = fit.as_ref().map_or(HALF, |fit| fit.half);
        let from_even =
            |candidate: usize| elo(expected_score(self.differences[candidate].dot(&eta), half)).abs();
        let mut near: Vec<usize> = (0..self.candidates.len()).collect();
        // Always the nearest `least`, and all that are near.
        near.sort_by(|&one, &other| from_even(one).total_cmp(&from_even(other)));
        let is_near = near.iter().take_while(|&&candidate| from_even(candidate) <= NEAR_EVEN).count();
        near.truncate(is_near.max(self.least));
        near.sort_unstable();
        let unit = self.kinds.iter().position(|&letter| Column::Piece(letter) == unit.piece()).unwrap_or(0);
        let mut criterion = DMatrix::zeros(size, size);
        for (index, &letter) in self
            .kinds
            .iter()
            .enumerate()
            .filter(|&(index, letter)| index != unit && self.measured.contains(letter))
        {
            // The error of the logarithm of a ratio.
            let mut slope = DVector::zeros(size);
            slope[index] = 1.0 / eta[index];
            slope[unit] = -1.0 / eta[unit];
            let wanted = WANTED[usize::from(letter != Letter::PAWN)];
            criterion += &slope * slope.transpose() / (wanted * wanted);
        }
        for (index, interaction) in self.interactions.iter().enumerate() {
            let piece = self.kinds.iter().position(|&kind| kind == interaction.piece()).unwrap_or(unit);
            let place = self.kinds.len() + index;
            criterion[(place, place)] += (eta[piece] * WANTED[1]).powi(-2);
        }
        let of_kinds = self.guess.iter().map(|eta| GUESS_ERROR * eta);
        let errors = of_kinds.chain(std::iter::repeat_n(INTERACTION, self.interactions.len()));
        let guessed = DVector::from_iterator(size, errors.map(|error| error.powi(-2)));
        ImbalancePlan {
            planner: self,
            near,
            pairs: vec![0.0; self.candidates.len()],
            deviation: fit.as_ref().map_or(USUAL_DEVIATION, |fit| fit.deviation),
            pair_variance: fit.as_ref().map_or(PAIR_VARIANCE, |fit| fit.pair_variance),
            information: DMatrix::from_diagonal(&guessed),
            criterion,
        }
    }
}

impl ImbalancePlan<'_> {
    /// The information from this many pairs of an imbalance.
    fn weight(&self, pairs: f64) -> f64 {
        if pairs > 0.0 { 1.0 / (self.deviation.powi(2) + self.pair_variance / pairs) } else { 0.0 }
    }

    fn add(&mut self, candidate: usize, pairs: f64) {
        let before = self.pairs[candidate];
        let more = self.weight(before + pairs) - self.weight(before);
        let difference = &self.planner.differences[candidate];
        self.information += more * difference * difference.transpose();
        self.pairs[candidate] += pairs;
    }

    /// The candidate of which this many more pairs are the most informative. They count as played from then on. `None`
    /// if there are no candidates.
    ///
    /// Of several that are equally informative, it is the first.
    pub fn next(&mut self, pairs: u64) -> Option<usize> {
        let pairs = pairs as f64;
        let covariance = self.information.clone().cholesky()?.inverse();
        let form = &covariance * &self.criterion * &covariance;
        let largest = (self.planner.largest_share * (self.pairs.iter().sum::<f64>() + pairs)).max(pairs);
        let mut best: Option<(f64, usize)> = None;
        for &candidate in &self.near {
            let played = self.pairs[candidate];
            if played + pairs > largest {
                continue;
            }
            let difference = &self.planner.differences[candidate];
            let more = self.weight(played + pairs) - self.weight(played);
            let by = |matrix: &DMatrix<f64>| -> f64 {
                (0..difference.len())
                    .filter(|&row| difference[row] != 0.0)
                    .map(|row| difference[row] * matrix.column(row).dot(difference))
                    .sum()
            };
            let gain = more * by(&form) / (1.0 + more * by(&covariance));
            if best.is_none_or(|(most, _)| gain > most) {
                best = Some((gain, candidate));
            }
        }
        let (_, candidate) = best?;
        self.add(candidate, pairs);
        Some(candidate)
    }
}

/// How many of a kind both sides start with: what only one side has cannot be missing on either.
fn in_both_armies(variant: &Variant, letter: Letter) -> usize {
    Side::BOTH.map(|side| variant.starts_with(side, letter)).into_iter().min().unwrap_or(0)
}

/// η of each kind before there are games, by mobility.
fn guess(rules: &Rules, kinds: &[Letter]) -> DVector<f64> {
    let by_mobility = mobility(rules, DENSITY, Unit::usual(rules.variant())).unwrap_or_default();
    let points = |letter: Letter| match by_mobility.iter().find(|found| found.piece == Column::Piece(letter))
    {
        Some(found) => found.value,
        None if letter == Letter::PAWN => PAWN_POINTS,
        None => rules.mean_mobility(letter, DENSITY),
    };
    DVector::from_iterator(kinds.len(), kinds.iter().map(|&letter| ETA_OF_A_POINT * points(letter)))
}

/// All ways to lack up to `pieces` pieces, as a number for each kind without the pawn, which is the first kind.
fn sides(most: &[usize], pieces: usize) -> Vec<Vec<usize>> {
    let mut sides = vec![vec![0; most.len()]];
    for kind in 1..most.len() {
        for mut side in sides.clone() {
            let left = pieces - side.iter().sum::<usize>();
            for number in 1..=most[kind].min(left) {
                side[kind] = number;
                sides.push(side.clone());
            }
        }
    }
    sides
}

#[cfg(test)]
mod tests {
    use backrank_rules::{Variant, catalogue};

    use super::*;

    fn planner(variant: &Variant) -> (Planner, Imbalances) {
        let rules = Rules::new(variant);
        let material = Material::of(&rules);
        (Planner::new(&rules, &material), Imbalances::new(&material))
    }

    fn pmrc() -> (Planner, Imbalances) {
        planner(&Variant::find("pmrc").unwrap())
    }

    /// The criterion, which should be small.
    fn doubt(plan: &ImbalancePlan<'_>) -> f64 {
        (&plan.criterion * plan.information.clone().cholesky().unwrap().inverse()).trace()
    }

    #[test]
    fn every_imbalance_of_every_game_can_be_played() {
        for variant in catalogue().filter(|variant| !variant.count_only) {
            // Of two armies nothing but pawns can be missing on either side.
            let least = if variant.has_equal_armies() { 50 } else { 3 };
            let (planner, nothing) = planner(&variant);
            let mut names: Vec<String> = planner.candidates().iter().map(ToString::to_string).collect();
            assert!(
                planner.candidates().iter().all(|odds| odds.check(&variant) == Ok(())),
                "{}",
                variant.key
            );
            names.sort_unstable();
            let number = names.len();
            names.dedup();
            assert!(names.len() == number && number > least, "{}: {number}", variant.key);
            let next = planner.plan(&nothing, Unit::usual(&variant)).next(10);
            assert!(next.is_some(), "{}", variant.key);
        }
    }

    #[test]
    fn a_new_piece_stands_in_the_places_of_others() {
        let variant = Variant::find("chess960").unwrap().with_piece(Letter::W, "waffle", "WA").unwrap();
        let rules = Rules::new(&variant);
        let material = Material::of(&rules);
        let planner = Planner::of_pieces(&rules, &material, &[Letter::W], &[], false);
        let mut names: Vec<String> = planner.candidates().iter().map(ToString::to_string).collect();
        assert!(planner.candidates().iter().all(|odds| odds.check(&variant) == Ok(())));
        for odds in ["N=W:-", "2B=2W:-", "2N=2W+P:-", "B=W:2P", "Q=W:R", "2N=2W:R"] {
            assert!(names.contains(&odds.to_string()), "{odds}: {names:?}");
        }
        let number = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), number);
        // Near even by what is known of the others, and for several of them.
        let (known, _) = Imbalances::reference(&rules, Some(1000), &[]).unwrap();
        let mut plan = planner.plan(&known, "N=3.25".parse().unwrap());
        let chosen: std::collections::BTreeSet<usize> = (0..24).map(|_| plan.next(20).unwrap()).collect();
        let instead_of = |old: Letter| {
            chosen
                .iter()
                .any(|&candidate| planner.candidates()[candidate].replaced()[0].contains(&(old, Letter::W)))
        };
        // However strong or weak a piece is, there is always something to play.
        for (betza, number) in [("QNNZZ", 40), ("fW", 40)] {
            let variant = Variant::find("chess960").unwrap().with_piece(Letter::W, "w", betza).unwrap();
            let rules = Rules::new(&variant);
            let planner = Planner::of_pieces(&rules, &Material::of(&rules), &[Letter::W], &[], false);
            let mut plan = planner.plan(&known, "N=3.25".parse().unwrap());
            assert!((0..number).all(|_| plan.next(20).is_some()), "{betza}");
        }
        assert!(chosen.len() >= 8 && [Letter::N, Letter::B].into_iter().all(instead_of), "{chosen:?}");
    }

    #[test]
    fn what_neither_side_has_is_missing_in_all_imbalances() {
        let variant = Variant::find("chess960").unwrap().with_piece(Letter::W, "waffle", "WA").unwrap();
        let rules = Rules::new(&variant);
        let material = Material::of(&rules);
        for (without, names, not) in [
            (
                "B+N+R+2P",
                &["N=W+B+N+R+2P:B+N+R+2P", "B=W+B+N+R+2P:B+N+R+5P", "Q=W+B+N+R+2P:B+N+2R+2P"][..],
                "2N=2W",
            ),
            ("Q", &["2N=2W+Q:Q+R", "B=W+Q:P+Q"], "Q=W"),
            ("2N+7P", &["Q=W+2N+7P:2N+R+7P", "2B=2W+2N+8P:2N+7P"], "9P"),
        ] {
            let letters = Odds::side_letters(without).unwrap();
            for more in [false, true] {
                let planner = Planner::of_pieces(&rules, &material, &[Letter::W], &letters, more);
                for odds in planner.candidates() {
                    assert_eq!(odds.check(&variant), Ok(()), "{odds}");
                    let both = odds.lacked_by_both();
                    assert!(letters.iter().all(|letter| both.contains(letter)), "{odds}");
                    assert!(more || both == letters, "{odds}");
                    assert!(!odds.to_string().contains(not), "{odds}");
                }
                for name in names {
                    let odds: Odds = name.parse().unwrap();
                    assert!(planner.candidates().contains(&odds), "{name}");
                }
            }
        }
    }

    #[test]
    fn interactions_of_a_new_piece_have_imbalances_of_their_own() {
        let variant = Variant::find("chess960").unwrap().with_piece(Letter::W, "waffle", "WA").unwrap();
        let rules = Rules::new(&variant);
        let material = Material::of(&rules);
        let [plain, planner] =
            [false, true].map(|more| Planner::of_pieces(&rules, &material, &[Letter::W], &[], more));
        // The same games belong to the same places.
        assert_eq!(planner.candidates()[..plain.candidates().len()], *plain.candidates());
        assert!(planner.candidates().iter().all(|odds| odds.check(&variant) == Ok(())));
        let names: Vec<String> = planner.candidates().iter().map(ToString::to_string).collect();
        for odds in ["2B=2W+2N=2W:P", "N=W+Q:Q", "2N=2W+Q:P+Q", "B=W+2N:2N"] {
            let odds: Odds = odds.parse().unwrap();
            assert!(names.contains(&odds.to_string()), "{odds}: {names:?}");
        }
        let of = |interaction: PlannedInteraction, odds: &str| interaction.number(&odds.parse().unwrap());
        let own = PlannedInteraction::Own(Letter::W);
        assert_eq!(["N=W:-", "2N=2W:P", "2B=2W+2N=2W:-"].map(|odds| of(own, odds)), [-0.5, -2.0, -8.0]);
        let opposing = PlannedInteraction::Opposing(Letter::W, Letter::Q);
        assert_eq!(["N=W+Q:Q", "2N=2W+Q:Q", "2N=2W:P"].map(|odds| of(opposing, odds)), [1.0, 2.0, 0.0]);
        // Games go to values and to interactions.
        let (known, _) = Imbalances::reference(&rules, Some(1000), &[]).unwrap();
        let mut plan = planner.plan(&known, "N=3.25".parse().unwrap());
        let chosen: Vec<usize> = (0..60).map(|_| plan.next(20).unwrap()).collect();
        let is_plain = |candidate: &&usize| **candidate < plain.candidates().len();
        let number = chosen.iter().filter(is_plain).count();
        assert!((15..=45).contains(&number), "{number}");
    }

    #[test]
    fn imbalances_as_in_the_trial_are_among_them() {
        let (planner, _) = pmrc();
        for odds in [
            "M+R:Q+4P", "M:R+4P", "Q+N:M+4P", "2B:R+4P", "Q:2N+4P", "2N:B+3P", "2R:M+2P", "N:4P", "2P:-",
            "Q:M+P",
        ] {
            let odds: Odds = odds.parse().unwrap();
            let found =
                planner.candidates().iter().position(|other| *other == odds || other.swapped() == odds);
            assert!(found.is_some(), "{odds}");
        }
    }

    #[test]
    fn what_is_chosen_is_near_even_and_tells_more_than_an_even_spread() {
        let (planner, nothing) = pmrc();
        let unit = "R=5".parse().unwrap();
        let mut plan = planner.plan(&nothing, unit);
        let chosen: Vec<usize> = (0..60).map(|_| plan.next(30).unwrap()).collect();
        for &candidate in &chosen {
            let eta = planner.differences[candidate].dot(&planner.guess);
            assert!(elo(expected_score(eta, HALF)).abs() <= NEAR_EVEN, "{}", planner.candidates()[candidate]);
        }
        let mut even = planner.plan(&nothing, unit);
        let near = even.near.clone();
        near.iter().for_each(|&candidate| even.add(candidate, 1800.0 / near.len() as f64));
        assert!(doubt(&plan) < 0.9 * doubt(&even), "{} and {}", doubt(&plan), doubt(&even));
        let most = plan.pairs.iter().copied().fold(0.0, f64::max);
        assert!(most <= (LARGEST_SHARE * 1800.0).max(30.0) + 1e-9, "{most}");
        let different = plan.pairs.iter().filter(|&&pairs| pairs > 0.0).count();
        assert!(different >= 24, "{different}");
    }

    #[test]
    fn what_is_least_known_is_played_next() {
        let (planner, mut known) = pmrc();
        let even = |times: u64| [[times, times, times], [times, times, times], [times, times, times]];
        // All but the queen, many times.
        for odds in ["P:-", "2P:-", "N:3P", "B:N", "R:B+P", "R:N+2P", "M:R+3P", "M:N+B", "2N:R+P"] {
            known.add_pairs(&odds.parse().unwrap(), even(2000));
        }
        let plan = &mut planner.plan(&known, "R=5".parse().unwrap());
        let next = &planner.candidates()[plan.next(20).unwrap()];
        assert!([next.first(), next.second()].concat().contains(&Letter::Q), "{next}");
    }
}
