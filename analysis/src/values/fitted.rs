//! The values of a network of imbalances, from its fit.

use std::collections::BTreeMap;

use backrank_rules::Letter;
use statrs::distribution::{ContinuousCDF, Normal};

use super::comparison::{difference, pooled};
use super::imbalance_values::{
    Imbalance, ImbalancePiece, ImbalanceValues, PawnOfFile, PieceAlone, ValuesAtPly,
};
use super::imbalances::{ImbalanceGames, Imbalances, PairCounts};
use super::unit::Unit;
use crate::fit::{Link, Mixture, NetworkFit, NetworkFitError, RowFit, expected_score};
use crate::games::Column;
use crate::stats::{ChiSquareTest, Estimate, Interval, MatchScore, NORMAL_975, elo, family_wise, fieller};

impl Imbalances {
    /// The values by the matches, in this unit.
    pub fn values(&self, unit: Unit) -> ImbalanceValues {
        let [fit, probit] = [Link::Logit, Link::Probit].map(|link| self.fit(link));
        let nothing = match &fit {
            Ok(_) => None,
            Err(_) if self.gathered.is_empty() && !self.by_ply.is_empty() => None,
            Err(NetworkFitError::Nothing) => Some("no pair of games is complete, or all games were drawn"),
            Err(NetworkFitError::Swept(_)) => Some("one side won every game of each match"),
            Err(NetworkFitError::Equal) => Some("both sides lack the same pieces"),
            Err(_) => Some("the likelihood has no maximum"),
        };
        let swept = match &fit {
            Err(NetworkFitError::Swept(coefficients)) => coefficients.clone(),
            _ => vec![f64::NAN; self.kinds.len()],
        };
        let [fit, probit] = [fit.ok(), probit.ok()];
        let mut imbalances: Vec<Imbalance> = self
            .gathered
            .iter()
            .enumerate()
            .filter_map(|(row, gathered)| self.one_match(gathered, row, fit.as_ref()))
            .collect();
        correct_for_number(&mut imbalances);
        imbalances.sort_by_key(|found| std::cmp::Reverse(found.pairs.iter().sum::<u64>()));
        let pawns_by_file: Vec<PawnOfFile> = self.files.iter().filter_map(pawn_of_file).collect();
        ImbalanceValues {
            unit,
            imbalances,
            pieces: self.pieces(unit, fit.as_ref(), probit.as_ref(), &swept),
            white: fit.as_ref().map(|fit| fit.in_elo(fit.white.mean(), &fit.white)),
            draws: fit.as_ref().map(|fit| (0.5 * fit.half).tanh()),
            additive: fit.as_ref().and_then(|fit| fit.additive),
            deviation: fit.as_ref().map(|fit| fit.elo_of(fit.deviation)),
            deviation_interval: fit
                .as_ref()
                .and_then(|fit| Some(fit.deviation_interval?.map(|eta| fit.elo_of(eta)))),
            setups: self.setups(),
            by_setup: fit.as_ref().is_some_and(|fit| fit.shared.is_some()),
            alone: fit.as_ref().map(|fit| self.alone(fit, unit)).unwrap_or_default(),
            pawns_add_up: fit.as_ref().and_then(|fit| self.pawns_add_up(fit)),
            files_alike: files_alike(&self.files),
            edge_pawns: edge_pawns(&self.files),
            pawns_by_file,
            unpaired: self.unpaired + self.waiting.len() as u64,
            nothing: nothing.map(str::to_string),
            by_ply: self
                .by_ply
                .iter()
                .map(|(&ply, games)| ValuesAtPly { ply, values: games.values(unit) })
                .collect(),
        }
    }

    /// The result of one match.
    fn one_match(
        &self,
        gathered: &ImbalanceGames,
        row: usize,
        fit: Option<&NetworkFit>,
    ) -> Option<Imbalance> {
        let pairs = by_half_points(&gathered.pairs);
        let MatchScore { score, elo, .. } = MatchScore::of_pairs(pairs)?;
        let fitted = fit.map(|fit| (fit, fit.rows[row])).filter(|(_, row)| row.expected.is_finite());
        let residual = |(fit, row): (&NetworkFit, RowFit)| {
            let from = fit.elo_of(row.expected);
            let to = |eta: f64| fit.elo_of(row.expected + eta) - from;
            let Estimate { value, interval } = Estimate::normal(row.residual, row.error);
            Estimate { value: to(value), interval: interval.map(to) }
        };
        Some(Imbalance {
            odds: self.text_of(&gathered.odds),
            results: gathered.results,
            pairs,
            score,
            elo,
            expected: fitted.map(|(fit, row)| fit.elo_of(row.expected)),
            residual: fitted.map(residual),
            p_value: fitted.and_then(|(_, row)| {
                let steps = row.residual.abs() / row.error;
                steps.is_finite().then(|| 2.0 * Normal::standard().sf(steps))
            }),
        })
    }

    fn pieces(
        &self,
        unit: Unit,
        fit: Option<&NetworkFit>,
        probit: Option<&NetworkFit>,
        swept: &[f64],
    ) -> Vec<ImbalancePiece> {
        let (of_unit, pawn) = (self.index(unit.piece()), self.index(Column::Piece(Letter::PAWN)));
        let mut pieces = Vec::new();
        for (kind, &letter) in self.kinds.iter().enumerate() {
            let is_in = |gathered: &&ImbalanceGames| self.difference(&gathered.odds)[kind] != 0.0;
            let in_matches = self.gathered.iter().filter(is_in);
            let games = in_matches.map(|gathered| 2 * gathered.pairs.iter().flatten().sum::<u64>()).sum();
            if games == 0 {
                continue;
            }
            let ratio = |to: Option<usize>| fit.and_then(|fit| fit.ratio(kind, to?));
            let of_probit = || {
                let coefficients = &probit?.coefficients;
                Some(unit.number() * coefficients[kind] / coefficients[of_unit?])
                    .filter(|value| value.is_finite())
            };
            let coefficient = fit.map_or(swept[kind], |fit| fit.coefficients[kind]);
            let value = ratio(of_unit).map(|ratio| ratio.times(unit.number()));
            pieces.push(ImbalancePiece {
                piece: Column::Piece(letter),
                games,
                value,
                pawns: ratio(pawn),
                elo: fit.and_then(|fit| fit.piece_in_elo(kind)),
                probit: of_probit(),
                note: note(coefficient, value, unit),
            });
        }
        pieces
    }

    /// The values of single pieces by their matches against nothing alone.
    fn alone(&self, fit: &NetworkFit, unit: Unit) -> Vec<PieceAlone> {
        let Some(of_unit) = self.index(unit.piece()) else { return Vec::new() };
        let (below, variance) = (fit.coefficients[of_unit], fit.covariance[(of_unit, of_unit)]);
        let by_match_of = |&letter: &Letter| {
            let is_alone = |gathered: &ImbalanceGames| {
                gathered.odds.first() == [letter] && gathered.odds.second().is_empty()
            };
            let row = fit.rows[self.gathered.iter().position(is_alone)?];
            let eta = row.expected + row.residual;
            if !(eta.is_finite() && below.is_finite() && row.variance.is_finite()) {
                return None;
            }
            let interval = fieller(eta, below, [row.variance, variance, 0.0], NORMAL_975);
            let Estimate { value, interval: in_eta } = Estimate::normal(eta, row.variance.sqrt());
            Some(PieceAlone {
                piece: Column::Piece(letter),
                value: Estimate { value: eta / below, interval }.times(unit.number()),
                elo: Estimate { value: fit.elo_of(value), interval: in_eta.map(|eta| fit.elo_of(eta)) },
            })
        };
        self.kinds.iter().filter_map(by_match_of).collect()
    }

    /// Tests whether the values of several pawns lie on a line through zero.
    fn pawns_add_up(&self, fit: &NetworkFit) -> Option<ChiSquareTest> {
        let rungs = self.gathered.iter().zip(&fit.rows).filter_map(|(gathered, row)| {
            let pawns = gathered.odds.first();
            let only_pawns =
                gathered.odds.second().is_empty() && pawns.iter().all(|&letter| letter == Letter::PAWN);
            let found = only_pawns && row.variance.is_finite();
            found.then_some((pawns.len() as f64, row.expected + row.residual, row.variance))
        });
        let rungs: Vec<(f64, f64, f64)> = rungs.collect();
        let sum = |of: fn(&(f64, f64, f64)) -> f64| rungs.iter().map(of).sum::<f64>();
        let each = sum(|(pawns, eta, variance)| pawns * eta / variance)
            / sum(|(pawns, _, variance)| pawns * pawns / variance);
        let chi = rungs.iter().map(|(pawns, eta, variance)| (eta - pawns * each).powi(2) / variance).sum();
        ChiSquareTest::new(chi, rungs.len().checked_sub(1)?).filter(|_| rungs.len() > 1)
    }
}

impl NetworkFit {
    /// The Elo of an η near equality.
    pub(super) fn elo_of(&self, eta: f64) -> f64 {
        elo(expected_score(eta, self.half))
    }

    pub(super) fn in_elo(&self, eta: f64, known: &Mixture) -> Estimate {
        Estimate { value: self.elo_of(eta), interval: known.interval().map(|eta| self.elo_of(eta)) }
    }

    pub(super) fn piece_in_elo(&self, kind: usize) -> Option<Estimate> {
        let eta = self.coefficients[kind];
        let interval = if eta.is_finite() { self.interval(kind) } else { Interval::UNBOUNDED };
        let interval = interval.map(|eta| self.elo_of(eta));
        (!eta.is_nan()).then(|| Estimate { value: self.elo_of(eta), interval })
    }

    /// The value of a kind in the unit, whose kind has an index; `None` unless its interval is finite.
    pub(super) fn certain_value(&self, kind: usize, of_unit: usize, unit: Unit) -> Option<Estimate> {
        let value = self.ratio(kind, of_unit)?.times(unit.number());
        value.interval.is_finite().then_some(value)
    }

    /// The ratio of the values of two kinds, with Fieller's interval.
    fn ratio(&self, kind: usize, to: usize) -> Option<Estimate> {
        let [above, below] = [kind, to].map(|kind| self.coefficients[kind]);
        if kind == to && below.is_finite() {
            return Some(Estimate::exact(1.0));
        }
        let value = above / below;
        if value.is_nan() || below.is_infinite() {
            return None;
        }
        let interval = if above.is_finite() { self.ratio_interval(kind, to) } else { Interval::UNBOUNDED };
        Some(Estimate { value, interval })
    }
}

/// Corrects the p-values of the deviations for the number of imbalances.
fn correct_for_number(imbalances: &mut [Imbalance]) {
    let p_values: Vec<f64> = imbalances.iter().filter_map(|found| found.p_value).collect();
    let corrected = family_wise(&p_values);
    let tested = imbalances.iter_mut().filter(|found| found.p_value.is_some());
    tested.zip(corrected).for_each(|(found, p_value)| found.p_value = Some(p_value));
}

/// Why a piece has no value, or what to know of it.
fn note(coefficient: f64, value: Option<Estimate>, unit: Unit) -> Option<String> {
    let said = if coefficient.is_nan() {
        "no chain of imbalances determines its value".to_string()
    } else if coefficient.is_infinite() {
        "every game was won by the side that has it".to_string()
    } else if value.is_none() {
        format!("no value in {unit}, because the unit has none")
    } else if value.is_some_and(|value| !value.interval.is_finite()) {
        format!(
            "the value of the unit {unit} does not differ significantly from 0, so no ratio to it is bounded"
        )
    } else {
        return None;
    };
    Some(said)
}

/// Pairs by half points.
fn by_half_points(pairs: &PairCounts) -> [u64; 5] {
    let mut counts = [0; 5];
    for (as_white, row) in pairs.iter().enumerate() {
        row.iter().enumerate().for_each(|(as_black, count)| counts[as_white + as_black] += count);
    }
    counts
}

/// The results of a match; `None` without a pair.
fn pawn_of_file((&file, pairs): (&u32, &PairCounts)) -> Option<PawnOfFile> {
    let pairs = by_half_points(pairs);
    let elo = MatchScore::of_pairs(pairs)?.elo;
    Some(PawnOfFile { file: char::from(b'a' + file as u8), pairs: pairs.iter().sum(), elo })
}

/// The value of a pawn in Elo with its standard error, by the pairs of games without it; `None` if that is not known.
fn pawn_in_elo(pairs: &PairCounts) -> Option<(f64, f64)> {
    let found = MatchScore::of_pairs(by_half_points(pairs))?;
    (found.error.is_finite() && found.error > 0.0).then_some((found.elo.value, found.error))
}

/// Tests whether the pawns of all files score the same.
fn files_alike(files: &BTreeMap<u32, PairCounts>) -> Option<ChiSquareTest> {
    let known: Vec<(f64, f64)> = files.values().filter_map(pawn_in_elo).collect();
    let weight: f64 = known.iter().map(|(_, error)| error.powi(-2)).sum();
    let mean = known.iter().map(|(elo, error)| elo * error.powi(-2)).sum::<f64>() / weight;
    let chi = known.iter().map(|(elo, error)| ((elo - mean) / error).powi(2)).sum();
    ChiSquareTest::new(chi, known.len().checked_sub(1)?).filter(|_| known.len() > 1)
}

/// By how much less pawns of the first and of the last file are worth than the others.
fn edge_pawns(files: &BTreeMap<u32, PairCounts>) -> Option<Estimate> {
    let pawn = |pairs| pawn_in_elo(pairs).map(|(elo, error)| Estimate::normal(elo, error));
    let pawns: Vec<Estimate> = files.values().map(pawn).collect::<Option<_>>()?;
    let [first, middle @ .., last] = &pawns[..] else { return None };
    if middle.len() < 2 {
        return None;
    }
    Some(difference(pooled(middle)?, pooled(&[*first, *last])?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pawns_at_the_edges_are_held_against_the_others() {
        let of = |points: [u64; 5]| {
            let [lost, half, even, ahead, won] = points;
            [[lost, half, 0], [0, even, 0], [0, ahead, won]]
        };
        let (weak, strong) = (of([20, 10, 40, 10, 20]), of([10, 10, 40, 10, 30]));
        let edge = |pawns: &[PairCounts]| edge_pawns(&(0..).zip(pawns.iter().copied()).collect());
        assert!(edge(&[weak, strong, weak]).is_none(), "one other file says too little");
        let found = edge(&[weak, strong, strong, strong, weak]).unwrap();
        let [weak, strong] = [weak, strong].map(|pairs| pawn_in_elo(&pairs).unwrap());
        let error = (weak.1.powi(2) / 2.0 + strong.1.powi(2) / 3.0).sqrt();
        let expected = Estimate::normal(strong.0 - weak.0, error);
        let ends = |of: Estimate| [of.value, of.interval.low, of.interval.high];
        assert!(
            ends(found).iter().zip(ends(expected)).all(|(one, other)| (one - other).abs() < 1e-9),
            "{found:?}"
        );
    }
}
