//! The likelihood of a network of imbalances, and its maximum where the deviation of the imbalances is given.

use nalgebra::{Cholesky, DMatrix, DVector, Dyn};

use crate::fit::likelihood::{Link, Terms};

/// Pairs of games at one imbalance.
#[derive(Clone, Debug)]
pub(crate) struct NetworkRow {
    /// The number of each kind that the first side has more than the other.
    pub difference: Vec<f64>,
    /// The numbers of pairs by the first side's outcomes, from 0 for a loss to 2 for a win: in the game in which it is
    /// White, then in the one in which it is Black.
    pub pairs: [[u64; 3]; 3],
    /// Of each pair whose setup is known, the setup and the outcomes as a number from 0 to 8: three times the first, plus the second.
    pub of_setups: Vec<(u64, u8)>,
}

impl NetworkRow {
    pub fn number(&self) -> f64 {
        self.pairs.iter().flatten().sum::<u64>() as f64
    }
}

/// The parameters, in order: White's advantage, half the distance between the cut-points unless no game was drawn, the
/// coefficients of the basis, and for each row its effect divided by the deviation.
#[derive(Clone, Debug)]
pub(super) struct Point {
    pub parameters: DVector<f64>,
    pub log: f64,
    pub decomposed: Cholesky<f64, Dyn>,
}

/// The likelihood to be maximised.
pub(super) struct NetworkProblem<'r> {
    pub rows: Vec<&'r NetworkRow>,
    /// The design matrix: a line for each row, in a basis without collinear columns.
    pub design: DMatrix<f64>,
    /// The design effect of each row.
    pub design_effects: Vec<f64>,
    pub drawn: bool,
    pub link: Link,
}

/// A row's likelihood as a function of its η, of White's advantage, and of half the distance between the cut-points.
#[derive(Default)]
pub(super) struct Local {
    log: f64,
    /// The derivatives with respect to η, White's advantage and half the distance.
    pub gradient: [f64; 3],
    /// Minus the second derivatives.
    pub information: [[f64; 3]; 3],
    /// The variance of the pairs' derivatives with respect to η.
    pub spread: f64,
}

impl NetworkProblem<'_> {
    pub fn columns(&self) -> usize {
        self.design.ncols()
    }

    /// The index of the first coefficient.
    pub fn first(&self) -> usize {
        1 + usize::from(self.drawn)
    }

    pub fn size(&self) -> usize {
        self.first() + self.columns() + self.rows.len()
    }

    pub fn half(&self, parameters: &DVector<f64>) -> f64 {
        if self.drawn { parameters[1] } else { 0.0 }
    }

    /// The sum of a row's coefficients.
    pub fn fixed(&self, parameters: &DVector<f64>, row: usize) -> f64 {
        (0..self.columns()).map(|column| self.design[(row, column)] * parameters[self.first() + column]).sum()
    }

    /// A row's η without White's advantage.
    pub fn eta(&self, parameters: &DVector<f64>, row: usize, deviation: f64) -> f64 {
        self.fixed(parameters, row) + deviation * parameters[self.first() + self.columns() + row]
    }

    pub fn local(&self, row: usize, eta: f64, white: f64, half: f64) -> Local {
        let pairs = &self.rows[row].pairs;
        let terms = [1.0, -1.0]
            .map(|side| Terms::of(self.link, -half - eta - side * white, half - eta - side * white));
        let slope = |terms: &Terms| -(terms.first[0] + terms.first[1]);
        let mut local = Local::default();
        let (mut number, mut sum, mut squares) = (0.0, 0.0, 0.0);
        for (as_white, counts) in pairs.iter().enumerate() {
            for (as_black, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
                let count = count as f64;
                let both = slope(&terms[0][as_white]) + slope(&terms[1][as_black]);
                number += count;
                sum += count * both;
                squares += count * both * both;
                for (terms, side) in [(&terms[0][as_white], 1.0), (&terms[1][as_black], -1.0)] {
                    let [lower, upper] = terms.first;
                    let [aa, ab, bb] = terms.second;
                    let by = [slope(terms), side * slope(terms), upper - lower];
                    let (twice, mixed) = (aa + 2.0 * ab + bb, aa - bb);
                    let second = [
                        [twice, side * twice, mixed],
                        [side * twice, twice, side * mixed],
                        [mixed, side * mixed, aa - 2.0 * ab + bb],
                    ];
                    local.log += count * terms.log;
                    for index in 0..3 {
                        local.gradient[index] += count * by[index];
                        for (sum, part) in local.information[index].iter_mut().zip(second[index]) {
                            *sum -= count * part;
                        }
                    }
                }
            }
        }
        local.spread = (squares - sum * sum / number).max(0.0) / (number - 1.0).max(1.0);
        local
    }

    /// The derivative of a pair's log-likelihood with respect to η, for each of its nine outcomes, at an η without White's advantage.
    pub fn pair_slopes(&self, eta: f64, white: f64, half: f64) -> [f64; 9] {
        let slopes = [1.0, -1.0].map(|side| {
            let terms = Terms::of(self.link, -half - eta - side * white, half - eta - side * white);
            terms.map(|terms| -(terms.first[0] + terms.first[1]))
        });
        std::array::from_fn(|outcomes| slopes[0][outcomes / 3] + slopes[1][outcomes % 3])
    }

    /// The penalised likelihood with its gradient and minus its second derivatives.
    fn slopes(&self, parameters: &DVector<f64>, deviation: f64) -> (f64, DVector<f64>, DMatrix<f64>) {
        let (first, columns, size) = (self.first(), self.columns(), self.size());
        let (white, half) = (parameters[0], self.half(parameters));
        let (mut log, mut gradient, mut information) =
            (0.0, DVector::zeros(size), DMatrix::zeros(size, size));
        for row in 0..self.rows.len() {
            let eta = self.eta(parameters, row, deviation);
            let local = self.local(row, eta, white, half);
            let weight = 1.0 / self.design_effects[row];
            let own = first + columns + row;
            // Which parameters move η, White's advantage and the cut-points, and how much.
            let mut moves: Vec<(usize, usize, f64)> = vec![(0, 1, 1.0)];
            if self.drawn {
                moves.push((1, 2, 1.0));
            }
            moves.extend((0..columns).map(|column| (first + column, 0, self.design[(row, column)])));
            moves.push((own, 0, deviation));
            log += weight * local.log - 0.5 * parameters[own].powi(2);
            gradient[own] -= parameters[own];
            information[(own, own)] += 1.0;
            for &(index, of, by) in &moves {
                gradient[index] += weight * by * local.gradient[of];
                for &(other, of_other, by_other) in &moves {
                    information[(index, other)] += weight * by * by_other * local.information[of][of_other];
                }
            }
        }
        (log, gradient, information)
    }

    /// Newton's method from a starting point.
    pub fn maximise(&self, deviation: f64, start: &DVector<f64>) -> Result<Point, NetworkFitError> {
        let mut parameters = start.clone();
        let (mut log, mut gradient, mut information) = self.slopes(&parameters, deviation);
        for _ in 0..MAX_STEPS {
            let decomposed = Cholesky::new(information).ok_or(NetworkFitError::Singular)?;
            let step = decomposed.solve(&gradient);
            if step.amax() < 1e-8 {
                return Ok(Point { parameters, log, decomposed });
            }
            let mut share = 1.0;
            loop {
                let next = &parameters + share * &step;
                if !self.drawn || next[1] > 0.0 {
                    let there = self.slopes(&next, deviation);
                    if there.0 >= log - 1e-10 * log.abs() {
                        parameters = next;
                        (log, gradient, information) = there;
                        break;
                    }
                }
                share *= 0.5;
                if share < 1e-9 {
                    return Err(NetworkFitError::Singular);
                }
            }
            let far = (0..self.rows.len()).any(|row| self.fixed(&parameters, row).abs() > MAX_ETA);
            if far && step.amax() > 0.2 {
                let rows = (0..self.rows.len()).map(|row| self.fixed(&step, row) * share);
                let longest = rows.clone().map(f64::abs).fold(f64::MIN_POSITIVE, f64::max);
                return Err(NetworkFitError::Separated(rows.map(|by| (by / longest).abs() > 0.1).collect()));
            }
        }
        Err(NetworkFitError::Singular)
    }
}

/// The maximum number of Newton steps; a fit takes about six.
const MAX_STEPS: usize = 50;

/// If the coefficients put a row further than this from equality and steps do not shrink, the likelihood has no
/// maximum.
const MAX_ETA: f64 = 12.0;

/// Why there is no fit.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum NetworkFitError {
    /// There are no pairs, or all games were drawn.
    Nothing,
    /// Each imbalance was won by the same side in every game. These are the coefficients: infinite, or NaN where no match
    /// says anything.
    Swept(Vec<f64>),
    /// In every match both sides lack the same.
    Equal,
    /// The likelihood has no maximum: it grows without bound along these rows, of those with pairs.
    Separated(Vec<bool>),
    /// Newton's method did not converge.
    Singular,
}
