//! What pieces are worth beside other pieces: a network of imbalances with interactions.
//!
//! Let W and B be how many of each kind the sides have. The advantage of one side over the other changes its sign if they swap, so to
//! the second order it is f(W) − f(B) + W·C·B, where f(W) is β·W + ½ W·A·W with a symmetric A, and C is antisymmetric: A says what pieces
//! of one side are worth to each other, and C what they are worth against those of the other side. Both are shrunk towards zero.

use backrank_rules::Letter;
use backrank_selfplay::study::Odds;
use nalgebra::{DMatrix, DVector};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use serde::Serialize;

use super::imbalances::{Imbalances, number_of};
use super::unit::Unit;
use crate::fit::{Interacting, Link, Measured, Mixture, NetworkFit, SharedSetups};
use crate::games::Column;
use crate::stats::Estimate;

/// Which interactions there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Interactions {
    /// None: values add up.
    None,
    /// Between pieces of the same side.
    Own,
    /// Those, and between pieces of different sides.
    OwnAndOpposing,
}

impl Interactions {
    /// That these are more probable than none, so many times, in a clause; `None` for none.
    pub fn in_words(self, times_as_probable: f64) -> Option<String> {
        let beside = match self {
            Self::None => return None,
            Self::Own => "beside others of their own side",
            Self::OwnAndOpposing => "beside others of their own side, and against those of the other,",
        };
        let times = match times_as_probable {
            many if many >= 1000.0 => "more than a thousand".to_string(),
            times => format!("{times:.1}"),
        };
        Some(format!(
            "that pieces are worth more or less {beside} is {times} times as probable as that they are not"
        ))
    }
}

const ALL: [Interactions; 3] = [Interactions::None, Interactions::Own, Interactions::OwnAndOpposing];

/// How often the imbalances are divided into halves, each of which predicts the other.
const DIVISIONS: u64 = 10;

/// What a piece is worth beside others.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ValueBeside {
    /// The piece.
    pub piece: Column,
    /// Its value where nothing else is missing, in the unit there.
    pub full: Estimate,
    /// The same in Elo.
    pub full_elo: Estimate,
    /// Its value where both sides lack some pieces, in the unit there.
    pub without: Estimate,
    /// The same in Elo.
    pub without_elo: Estimate,
    /// What it is worth more there than where nothing else is missing, in Elo.
    pub more_elo: Estimate,
}

/// How much a piece is worth more or less for one of another kind.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Interaction {
    /// The piece.
    pub piece: Column,
    /// The other kind.
    pub other: Column,
    /// Whether those of the other side are meant.
    pub is_opposing: bool,
    /// What the piece is worth more for each of the other kind that is there, in Elo.
    pub elo: Estimate,
}

/// How far imbalances are from what those of the other half predict: the root of the mean squared error, in Elo.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct HeldOutError {
    /// By the sum of values.
    pub additive: f64,
    /// With the interactions that are most probable by the half that predicts.
    pub with_interactions: f64,
    /// The error of the imbalances' own results, which no prediction can go below.
    pub chance: f64,
}

/// Values that depend on the other pieces.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ValuesBeside {
    /// The unit.
    pub unit: Unit,
    /// What both sides lack in [`ValueBeside::without`], such as `4P`.
    pub lacking: String,
    /// The number of imbalances.
    pub imbalances: usize,
    /// The most probable interactions, by which everything else is estimated.
    pub interactions: Interactions,
    /// How many times as probable the results are by these interactions as by none (a Bayes factor).
    pub times_as_probable: f64,
    /// The pieces, in ascending order of the engine's values; none where values are the same beside others.
    pub pieces: Vec<ValueBeside>,
    /// The interactions whose interval does not contain zero, the largest first.
    pub found: Vec<Interaction>,
    /// How well values predict; `None` if halves of the imbalances are too few to determine values.
    pub error: Option<HeldOutError>,
}

/// The lines of a row in x and z, for the kinds that have values.
struct Lines {
    kinds: usize,
    interactions: Interactions,
    /// For each two kinds, what their interaction is multiplied by, so that those of strong pieces may be larger: the geometric mean of
    /// their values, where the unit's is 1.
    scale: DMatrix<f64>,
}

impl Lines {
    /// Two kinds for each γ, and whether they belong to different sides.
    fn pairs(&self) -> Vec<(usize, usize, bool)> {
        let of_two = |first: usize, is_opposing: bool| {
            (first + usize::from(is_opposing)..self.kinds).map(move |second| (first, second, is_opposing))
        };
        let own = (0..self.kinds).flat_map(|first| of_two(first, false));
        let opposing = (0..self.kinds).flat_map(|first| of_two(first, true));
        match self.interactions {
            Interactions::None => Vec::new(),
            Interactions::Own => own.collect(),
            Interactions::OwnAndOpposing => own.chain(opposing).collect(),
        }
    }

    /// How often each β and γ is in the advantage of a side that has the first pieces, which the other lacks, and lacks the second.
    fn of(&self, [first, second]: [&[f64]; 2]) -> DVector<f64> {
        let differences = first.iter().zip(second).map(|(first, second)| first - second);
        let interactions = self.pairs().into_iter().map(|(one, other, is_opposing)| {
            let number = if is_opposing {
                second[one] * first[other] - second[other] * first[one]
            } else {
                let of_pair = second[one] * second[other] - first[one] * first[other];
                if one == other { 0.5 * of_pair } else { of_pair }
            };
            self.scale[(one, other)] * number
        });
        DVector::from_iterator(self.kinds + self.pairs().len(), differences.chain(interactions))
    }

    /// How often they are in the value of one more of a kind, where both sides lack these pieces.
    fn of_value(&self, kind: usize, lacking: &[f64]) -> DVector<f64> {
        let mut first = lacking.to_vec();
        first[kind] += 1.0;
        self.of([&first, lacking])
    }
}

/// The rows of a network by one set of interactions.
struct Design {
    lines: Lines,
    /// How often each β and γ is in each row.
    numbers: DMatrix<f64>,
}

impl Design {
    fn new(lines: Lines, sides: &[[Vec<f64>; 2]]) -> Self {
        let each: Vec<DVector<f64>> = sides.iter().map(|[first, second]| lines.of([first, second])).collect();
        Self { numbers: DMatrix::from_columns(&each).transpose(), lines }
    }

    fn fit(&self, measured: &Measured, rows: &[usize], shared: Option<&SharedSetups>) -> Option<Interacting> {
        Interacting::of(measured, rows, &self.numbers, self.lines.kinds, shared)
    }

    /// The η of each row.
    fn predicted(&self, fit: &Interacting) -> DVector<f64> {
        &self.numbers * fit.mean()
    }
}

/// The fit with the most probable interactions.
pub(super) struct InteractingValues<'i> {
    imbalances: &'i Imbalances,
    unit: Unit,
    network: NetworkFit,
    /// The indices of the kinds that have values.
    known: Vec<usize>,
    /// The place of the unit among them.
    of_unit: usize,
    designs: [Design; 3],
    /// The place of the most probable interactions among the designs.
    chosen: usize,
    measured: Measured,
    fit: Interacting,
    /// How many times as probable the results are by these interactions as by none.
    pub times_as_probable: f64,
}

impl<'i> InteractingValues<'i> {
    /// Fits a network. Kinds that are `new` belong to no army: a side that is said to lack one faces one. In armies they are counted
    /// from none, so `lacking` has negative numbers of them.
    ///
    /// # Errors
    ///
    /// Where these games cannot say it, with the reason.
    pub fn of(imbalances: &'i Imbalances, unit: Unit, new: &[Letter]) -> Result<Self, String> {
        if imbalances.gathered.is_empty() {
            return Err("there are no games at odds from setups".to_string());
        }
        let too_few =
            || "there are too few imbalances: more of them are needed than there are kinds".to_string();
        let network = imbalances.fit(Link::Logit).map_err(|_| too_few())?;
        let kinds = &imbalances.kinds;
        let known: Vec<usize> =
            (0..kinds.len()).filter(|&kind| network.coefficients[kind].is_finite()).collect();
        let of_unit = known
            .iter()
            .position(|&kind| Column::Piece(kinds[kind]) == unit.piece())
            .ok_or_else(|| format!("the unit {unit} has no value by these games"))?;
        let counts = |own: &[Letter], other: &[Letter]| -> Vec<f64> {
            let number = |&kind: &usize| {
                let among = |side: &[Letter]| number_of(side, kinds[kind]) as f64;
                if new.contains(&kinds[kind]) { -among(other) } else { among(own) }
            };
            known.iter().map(number).collect()
        };
        // Only those that the fit has kept, in their order, as the errors of shared setups have them.
        let kept = imbalances.gathered.iter().zip(&network.rows).filter(|(_, row)| row.variance.is_finite());
        let (sides, rows): (Vec<_>, Vec<_>) = kept
            .map(|(gathered, row)| {
                let [first, second] = [gathered.odds.first(), gathered.odds.second()];
                ([counts(first, second), counts(second, first)], *row)
            })
            .unzip();
        let elo = network.elo_of(1e-4) / 1e-4;
        let measured = Measured {
            eta: rows.iter().map(|row| row.expected + row.residual).collect(),
            variance: rows.iter().map(|row| row.variance).collect(),
            elo,
        };
        let worth = |kind: usize| {
            (network.coefficients[known[kind]] / network.coefficients[known[of_unit]]).clamp(0.01, 10.0)
        };
        let designs = ALL.map(|interactions| {
            let scale =
                DMatrix::from_fn(known.len(), known.len(), |one, other| (worth(one) * worth(other)).sqrt());
            Design::new(Lines { kinds: known.len(), interactions, scale }, &sides)
        });
        let all: Vec<usize> = (0..rows.len()).collect();
        let fits = fits(&designs, &measured, &all).ok_or_else(too_few)?;
        let (design, most_probable) = most_probable(&fits);
        let fit = design.fit(&measured, &all, network.shared.as_ref()).ok_or_else(too_few)?;
        let times_as_probable = (most_probable.evidence - fits[0].1.evidence).exp();
        let interactions = design.lines.interactions;
        let chosen = ALL.iter().position(|&other| other == interactions).unwrap_or(0);
        drop(fits);
        Ok(Self {
            imbalances,
            unit,
            network,
            known,
            of_unit,
            designs,
            chosen,
            measured,
            fit,
            times_as_probable,
        })
    }

    fn lines(&self) -> &Lines {
        &self.designs[self.chosen].lines
    }

    /// The interactions that are the most probable.
    pub fn interactions(&self) -> Interactions {
        self.lines().interactions
    }

    /// The number of imbalances that are fitted.
    pub fn imbalances(&self) -> usize {
        self.measured.eta.len()
    }

    /// The place of a kind among those that have values.
    pub fn index(&self, letter: Letter) -> Option<usize> {
        self.known.iter().position(|&kind| self.imbalances.kinds[kind] == letter)
    }

    /// How many of each kind both sides lack.
    ///
    /// # Errors
    ///
    /// When one of them has no value by these games.
    pub fn lacking(&self, letters: &[Letter]) -> Result<Vec<f64>, String> {
        let mut lacking = vec![0.0; self.known.len()];
        for &letter in letters {
            let kind = self.index(letter).ok_or_else(|| format!("{letter} has no value by these games"))?;
            lacking[kind] += 1.0;
        }
        Ok(lacking)
    }

    /// The value in the unit of one of a kind where both sides lack some.
    pub fn value(&self, kind: usize, lacking: &[f64]) -> Estimate {
        let of = |kind: usize| self.lines().of_value(kind, lacking);
        let (own, of_unit) = (of(kind), of(self.of_unit));
        if own == of_unit {
            return Estimate::exact(self.unit.number());
        }
        let [above, below] = [&own, &of_unit].map(|numbers| self.fit.sum(numbers));
        let ratio = above.mean() / below.mean();
        let interval =
            Mixture::of_ratio(ratio, &below, |multiple| self.fit.sum(&(&own - multiple * &of_unit)));
        Estimate { value: ratio, interval }.times(self.unit.number())
    }

    /// The value in Elo of one of a kind where both sides lack some.
    pub fn elo(&self, kind: usize, lacking: &[f64]) -> Estimate {
        self.in_elo(&self.fit.sum(&self.lines().of_value(kind, lacking)))
    }

    /// What one of a kind is worth more where both sides lack some than where they lack others, in Elo.
    pub fn more_elo(&self, kind: usize, lacking: &[f64], than: &[f64]) -> Estimate {
        let [here, there] = [lacking, than].map(|lacking| self.lines().of_value(kind, lacking));
        self.in_elo(&self.fit.sum(&(here - there)))
    }

    /// The same in comparison with the unit's piece, as if that were worth the same in both places: games that compare the two tell this,
    /// and not which of the two is worth more or less.
    pub fn gain_elo(&self, kind: usize, lacking: &[f64], than: &[f64]) -> Estimate {
        let of = |kind: usize, lacking: &[f64]| self.lines().of_value(kind, lacking);
        let worth = |kind: usize| self.fit.sum(&of(kind, than)).mean();
        let ratio = worth(kind) / worth(self.of_unit);
        let ahead = |lacking: &[f64]| of(kind, lacking) - ratio * of(self.of_unit, lacking);
        self.in_elo(&self.fit.sum(&(ahead(lacking) - ahead(than))))
    }

    fn in_elo(&self, known: &Mixture) -> Estimate {
        self.network.in_elo(known.mean(), known)
    }

    /// The interactions that are known not to be zero, the largest first.
    fn found(&self) -> Vec<Interaction> {
        let column = |kind: usize| Column::Piece(self.imbalances.kinds[self.known[kind]]);
        let lines = self.lines();
        let pairs = lines.pairs();
        let each = pairs.iter().enumerate().map(|(index, &(one, other, is_opposing))| {
            let mut numbers = DVector::zeros(lines.kinds + pairs.len());
            numbers[lines.kinds + index] = lines.scale[(one, other)];
            let elo = self.in_elo(&self.fit.sum(&numbers));
            Interaction { piece: column(one), other: column(other), is_opposing, elo }
        });
        let mut found: Vec<Interaction> = each.filter(|found| !found.elo.interval.contains(0.0)).collect();
        found.sort_by(|one, other| other.elo.value.abs().total_cmp(&one.elo.value.abs()));
        found
    }
}

impl Imbalances {
    /// The values of pieces beside others, in this unit: where nothing else is missing, and where both sides lack some pieces.
    ///
    /// # Errors
    ///
    /// Where these games cannot say it, with the reason.
    pub fn values_beside(&self, unit: Unit, lacking: &[Letter]) -> Result<ValuesBeside, String> {
        let fitted = InteractingValues::of(self, unit, &[])?;
        let context = fitted.lacking(lacking)?;
        let nothing = fitted.lacking(&[])?;
        let piece = |kind: usize| ValueBeside {
            piece: Column::Piece(self.kinds[fitted.known[kind]]),
            full: fitted.value(kind, &nothing),
            full_elo: fitted.elo(kind, &nothing),
            without: fitted.value(kind, &context),
            without_elo: fitted.elo(kind, &context),
            more_elo: fitted.more_elo(kind, &context, &nothing),
        };
        Ok(ValuesBeside {
            unit,
            lacking: Odds::side_text(lacking),
            imbalances: fitted.imbalances(),
            interactions: fitted.interactions(),
            times_as_probable: fitted.times_as_probable,
            pieces: match fitted.interactions() {
                Interactions::None => Vec::new(),
                Interactions::Own | Interactions::OwnAndOpposing => {
                    (0..fitted.known.len()).map(piece).collect()
                }
            },
            found: fitted.found(),
            error: held_out_error(&fitted.designs, &fitted.measured),
        })
    }
}

/// The fit of each design, the one without interactions first; `None` if that has none.
fn fits<'d>(
    designs: &'d [Design],
    measured: &Measured,
    rows: &[usize],
) -> Option<Vec<(&'d Design, Interacting)>> {
    let fit = |design: &'d Design| Some((design, design.fit(measured, rows, None)?));
    let additive = fit(&designs[0])?;
    Some(std::iter::once(additive).chain(designs[1..].iter().filter_map(fit)).collect())
}

/// The fit by which the results are most probable, with its design.
fn most_probable<'f, 'd>(fits: &'f [(&'d Design, Interacting)]) -> &'f (&'d Design, Interacting) {
    let probable = fits.iter().max_by(|(_, one), (_, other)| one.evidence.total_cmp(&other.evidence));
    probable.expect("the fit without interactions at least")
}

/// How far rows are from what other halves of them predict; `None` if halves determine no values.
fn held_out_error(designs: &[Design], measured: &Measured) -> Option<HeldOutError> {
    let mut rows: Vec<usize> = (0..measured.eta.len()).collect();
    let (mut squares, mut number) = ([0.0; 2], 0.0);
    for seed in 0..DIVISIONS {
        rows.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
        let (one, other) = rows.split_at(rows.len() / 2);
        for [known, predicted] in [[one, other], [other, one]] {
            let Some(fits) = fits(designs, measured, known) else { continue };
            let by_each = [&fits[0], most_probable(&fits)].map(|(design, fit)| design.predicted(fit));
            for &row in predicted {
                let errors = by_each.each_ref().map(|eta| (measured.eta[row] - eta[row]).powi(2));
                squares.iter_mut().zip(errors).for_each(|(sum, error)| *sum += error);
                number += 1.0;
            }
        }
    }
    if number == 0.0 {
        return None;
    }
    let mean = measured.variance.iter().sum::<f64>() / measured.variance.len() as f64;
    let elo = |squares: f64| measured.elo * squares.sqrt();
    Some(HeldOutError {
        additive: elo(squares[0] / number),
        with_interactions: elo(squares[1] / number),
        chance: elo(mean),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// η by the second order, of sides that have these numbers of three kinds.
    fn advantage(own: [f64; 3], other: [f64; 3]) -> f64 {
        let beta = [1.0, 3.0, 5.0];
        let a = [[0.1, 0.3, -0.2], [0.3, 0.4, 0.05], [-0.2, 0.05, 0.7]];
        let c = [[0.0, 0.2, -0.1], [-0.2, 0.0, 0.4], [0.1, -0.4, 0.0]];
        let side = |side: [f64; 3]| -> f64 {
            let of_two = |i: usize| (0..3).map(|j| 0.5 * side[i] * a[i][j] * side[j]).sum::<f64>();
            (0..3).map(|i| beta[i] * side[i] + of_two(i)).sum()
        };
        let between: f64 = (0..3).flat_map(|i| (0..3).map(move |j| own[i] * c[i][j] * other[j])).sum();
        side(own) - side(other) + between
    }

    #[test]
    fn the_lines_are_the_second_order_of_any_advantage() {
        let lines = Lines {
            kinds: 3,
            interactions: Interactions::OwnAndOpposing,
            scale: DMatrix::from_fn(3, 3, |one, other| (one + other + 1) as f64),
        };
        let army = [8.0, 4.0, 2.0];
        let less = |missing: [f64; 3]| std::array::from_fn(|kind| army[kind] - missing[kind]);
        // All effects follow from odds of one and two pieces; then others are what they say.
        let numbers = |kinds: &[usize]| {
            let mut number = [0.0; 3];
            kinds.iter().for_each(|&kind| number[kind] += 1.0);
            number
        };
        let mut odds: Vec<[[f64; 3]; 2]> = Vec::new();
        for one in 0..3 {
            odds.push([numbers(&[one]), numbers(&[])]);
            for other in 0..3 {
                odds.push([numbers(&[one, other]), numbers(&[])]);
                odds.push([numbers(&[one]), numbers(&[other])]);
            }
        }
        let design: Vec<DVector<f64>> =
            odds.iter().map(|[first, second]| lines.of([first, second])).collect();
        let matrix = DMatrix::from_fn(odds.len(), design[0].len(), |row, column| design[row][column]);
        let eta = DVector::from_iterator(
            odds.len(),
            odds.iter().map(|&[first, second]| advantage(less(second), less(first))),
        );
        let effects = matrix.svd(true, true).solve(&eta, 1e-9).unwrap();
        for [first, second] in [[[3.0, 0.0, 1.0], [0.0, 2.0, 0.0]], [[4.0, 2.0, 0.0], [1.0, 0.0, 2.0]]] {
            let (found, expected) =
                (lines.of([&first, &second]).dot(&effects), advantage(less(second), less(first)));
            assert!((found - expected).abs() < 1e-9, "{found} and {expected}");
        }
        let lacking = [4.0, 1.0, 0.0];
        for kind in 0..3 {
            let without = less(lacking);
            let mut with_one_less = without;
            with_one_less[kind] -= 1.0;
            let (found, expected) =
                (lines.of_value(kind, &lacking).dot(&effects), advantage(without, with_one_less));
            assert!((found - expected).abs() < 1e-9, "{found} and {expected}");
        }
    }
}
