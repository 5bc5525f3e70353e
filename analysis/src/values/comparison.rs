//! Two measurements of the same pieces, side by side.

use serde::Serialize;

use super::rows::ValueRow;
use crate::games::Column;
use crate::stats::{Estimate, NORMAL_975};

/// The value of a piece in two measurements, such as at two strengths of play, by two engines or on two boards.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ComparedValue {
    /// The method, which is that of both.
    pub method: &'static str,
    /// The ply of the recorded positions from which the games of the first measurement start; `None` for games that start
    /// otherwise.
    pub at_ply: Option<u32>,
    /// The piece, or the pair.
    pub piece: Column,
    /// The value in the first measurement, in its unit.
    pub value: Estimate,
    /// The value in the second measurement, in its unit.
    pub against: Estimate,
    /// The first value divided by the second.
    pub ratio: Estimate,
    /// What the first measurement has more in Elo.
    pub elo_more: Option<Estimate>,
}

/// Compares every value of the first measurement with that of the same piece, method and ply in the second, or with that of
/// games from setups where the second has none of this ply. A piece that only one of them has a value for is left out.
///
/// The two are taken for independent, as they are when they come from different games.
pub fn compare_values(rows: &[ValueRow], against: &[ValueRow]) -> Vec<ComparedValue> {
    let compared = |row: &ValueRow| {
        let of = |ply: Option<u32>| {
            against
                .iter()
                .find(|other| other.method == row.method && other.piece == row.piece && other.at_ply == ply)
        };
        let other = of(row.at_ply).or_else(|| of(None))?;
        let (value, against) = (row.value?, other.value?);
        // A calculation by the rules, of the same board.
        if row.elo.is_none() && value == against {
            return None;
        }
        Some(ComparedValue {
            method: row.method,
            at_ply: row.at_ply,
            piece: row.piece,
            value,
            against,
            ratio: estimates_ratio(value, against)?,
            elo_more: row.elo.zip(other.elo).map(|(more, less)| difference(more, less)),
        })
    };
    rows.iter().filter_map(compared).collect()
}

/// By how much the value of each piece is larger in the first of two independent measurements, in its unit. The unit's own piece is left
/// out.
pub fn value_differences(rows: &[ValueRow], against: &[ValueRow]) -> Vec<(Column, Estimate)> {
    let more = |row: &ValueRow| {
        let other = against.iter().find(|other| other.piece == row.piece)?;
        (row.piece != row.unit.piece()).then_some((row.piece, difference(row.value?, other.value?)))
    };
    rows.iter().filter_map(more).filter(|(_, more)| more.interval.is_finite()).collect()
}

/// The mean of independent estimates of the same number, weighed by their precision; `None` without any.
pub fn pooled(estimates: &[Estimate]) -> Option<Estimate> {
    let precision = |of: &Estimate| ((of.interval.high - of.interval.low) / (2.0 * NORMAL_975)).powi(-2);
    let weight: f64 = estimates.iter().map(precision).sum();
    let sum: f64 = estimates.iter().map(|of| precision(of) * of.value).sum();
    (weight > 0.0 && weight.is_finite()).then(|| Estimate::normal(sum / weight, weight.powf(-0.5)))
}

/// The ratio of two independent estimates of positive numbers. Each is taken as normal on a logarithmic scale, with the error
/// that its interval has there: the intervals of ratios to the unit are about symmetric on that scale.
pub(crate) fn estimates_ratio(above: Estimate, below: Estimate) -> Option<Estimate> {
    if !(above.value > 0.0 && below.value > 0.0 && above.value.is_finite() && below.value.is_finite()) {
        return None;
    }
    let logarithm =
        |of: Estimate| Estimate { value: of.value.ln(), interval: of.interval.map(|end| end.max(0.0).ln()) };
    let log_ratio = difference(logarithm(above), logarithm(below));
    Some(Estimate { value: above.value / below.value, interval: log_ratio.interval.map(f64::exp) })
}

/// The difference of two independent estimates, each with the error that its interval is the width of.
pub(super) fn difference(more: Estimate, less: Estimate) -> Estimate {
    let error = |of: Estimate| (of.interval.high - of.interval.low) / (2.0 * NORMAL_975);
    Estimate::normal(more.value - less.value, error(more).hypot(error(less)))
}

#[cfg(test)]
mod tests {
    use backrank_rules::Letter;

    use super::*;
    use crate::stats::Interval;

    fn row(piece: char, at_ply: Option<u32>, value: Estimate) -> ValueRow {
        ValueRow {
            method: "imbalances",
            at_ply,
            piece: Column::Piece(Letter::from_char(piece).unwrap()),
            games: 100,
            value: Some(value),
            unit: "R=5".parse().unwrap(),
            pawns: None,
            delta: None,
            elo: Some(value.times(60.0)),
            note: None,
        }
    }

    #[test]
    fn errors_add_up_as_those_of_independent_estimates_do() {
        let found = compare_values(
            &[row('Q', None, Estimate::normal(10.0, 0.3)), row('R', None, Estimate::exact(5.0))],
            &[row('R', None, Estimate::exact(5.0)), row('Q', None, Estimate::normal(8.0, 0.32))],
        );
        // 3 % and 4 % of error make 5 % of the ratio's.
        let [queen, rook] = &found[..] else { panic!("{found:?}") };
        assert_eq!(queen.ratio.value, 1.25);
        let expected = Estimate::normal(1.25_f64.ln(), 0.05).interval.map(f64::exp);
        assert!((queen.ratio.interval.low - expected.low).abs() < 1e-3, "{queen:?}");
        assert!((queen.ratio.interval.high - expected.high).abs() < 1e-3, "{queen:?}");
        let more = queen.elo_more.unwrap();
        assert!((more.value - 120.0).abs() < 1e-9);
        assert!(
            (more.interval.high - more.value - 1.96 * 60.0 * 0.3_f64.hypot(0.32)).abs() < 0.01,
            "{more:?}"
        );
        assert_eq!(rook.ratio, Estimate::exact(1.0));
    }

    #[test]
    fn differences_of_several_parts_are_pooled_by_their_precision() {
        let of =
            |rook: f64, bishop: Estimate| [row('R', None, Estimate::exact(rook)), row('B', None, bishop)];
        let more =
            value_differences(&of(5.0, Estimate::normal(3.7, 0.03)), &of(5.0, Estimate::normal(3.5, 0.04)));
        let [(piece, more)] = more[..] else { panic!("{more:?}") };
        assert_eq!(piece, Column::Piece(Letter::B));
        let found = pooled(&[more, Estimate::normal(0.5, 0.1)]).unwrap();
        // Precisions 400 and 100.
        assert!((found.value - (400.0 * 0.2 + 100.0 * 0.5) / 500.0).abs() < 1e-9, "{found:?}");
        assert!(
            (found.interval.high - found.value - NORMAL_975 / 500.0_f64.sqrt()).abs() < 1e-9,
            "{found:?}"
        );
        assert_eq!(pooled(&[]), None);
    }

    #[test]
    fn a_value_of_a_ply_is_held_against_that_of_the_same_ply_or_of_games_from_setups() {
        let [early, late, whole] = [9.0, 8.0, 10.0].map(Estimate::exact);
        let rows = [row('Q', Some(20), early), row('Q', Some(60), late)];
        let against = [row('Q', None, whole), row('Q', Some(60), whole.times(0.5))];
        let found: Vec<f64> = compare_values(&rows, &against).iter().map(|found| found.ratio.value).collect();
        assert_eq!(found, [0.9, 1.6]);
    }

    #[test]
    fn without_a_positive_value_there_is_no_ratio_and_without_an_end_no_interval() {
        let value = Estimate::exact(3.0);
        assert_eq!(compare_values(&[row('N', None, value)], &[row('B', None, value)]), []);
        assert_eq!(compare_values(&[row('N', None, value)], &[row('N', None, Estimate::exact(-1.0))]), []);
        let open = Estimate { value: 3.0, interval: Interval { low: -1.0, high: 7.0 } };
        let found = compare_values(&[row('N', None, value)], &[row('N', None, open)]);
        assert_eq!(
            found[0].ratio,
            Estimate { value: 1.0, interval: Interval { low: 0.0, high: f64::INFINITY } }
        );
    }
}
