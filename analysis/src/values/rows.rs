//! The values of pieces by every method, as rows of one table.

use serde::Serialize;

use super::imbalance_values::{ImbalancePiece, ImbalanceValues};
use super::mobility::Mobility;
use super::regression::{PieceValue, RegressionValues};
use super::unit::Unit;
use crate::fit::Model;
use crate::games::Column as PieceColumn;
use crate::stats::{Estimate, Interval};

/// A value that one method gives a piece: a row of `values.csv`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ValueRow {
    /// `imbalances`, `regression`, `regression-decided` or `mobility`.
    pub method: &'static str,
    /// The ply of the recorded positions from which the games start; `None` for games that start otherwise.
    pub at_ply: Option<u32>,
    /// The piece, or the pair.
    pub piece: PieceColumn,
    /// The number of games behind the value.
    pub games: u64,
    /// The value in the unit. The interval of a regression is that of the bootstrap.
    pub value: Option<Estimate>,
    /// The unit.
    pub unit: Unit,
    /// The value in pawns; `None` for mobility. The interval of a regression is that of the bootstrap.
    pub pawns: Option<Estimate>,
    /// The interval of a regression by the delta method, in pawns.
    pub delta: Option<Interval>,
    /// The value in Elo, between equals.
    pub elo: Option<Estimate>,
    /// Why there is no value, or a remark on it.
    pub note: Option<String>,
}

impl ValueRow {
    /// The row without a value whose interval is as wide as twice the value or wider: it says nothing of the piece. Neither does the
    /// unit, whose value is what it is called, if its Elo is as uncertain. Of a pair, which may be worth nothing, such a value says
    /// something, unless its interval has no ends.
    pub fn if_certain(mut self) -> Self {
        let is_piece = matches!(self.piece, PieceColumn::Piece(_));
        let says_nothing = |value: &Estimate| {
            let half = 0.5 * (value.interval.high - value.interval.low);
            !value.interval.is_finite() || (is_piece && half >= value.value)
        };
        if [self.value, self.elo].iter().flatten().any(says_nothing) {
            (self.value, self.pawns, self.delta, self.elo) = (None, None, None, None);
            self.note = Some("too few games".to_string());
        }
        self.pawns = self.pawns.filter(|pawns| !says_nothing(pawns));
        self
    }
}

impl RegressionValues {
    /// The values as rows.
    pub fn rows(&self) -> Vec<ValueRow> {
        let method = match self.model {
            Model::Ordered => "regression",
            Model::Decided => "regression-decided",
        };
        let row = |piece: &PieceValue| ValueRow {
            method,
            at_ply: None,
            piece: piece.piece,
            games: piece.games,
            value: piece.value,
            unit: self.unit,
            pawns: piece
                .pawns
                .map(|delta| Estimate { interval: piece.bootstrap.unwrap_or(delta.interval), ..delta }),
            delta: piece.pawns.map(|delta| delta.interval),
            elo: piece.elo,
            note: piece.note.clone().or_else(|| self.nothing.clone()),
        };
        self.pieces.iter().map(row).collect()
    }
}

impl ImbalanceValues {
    /// The values as rows, without those of games that start from recorded positions.
    pub fn rows(&self) -> Vec<ValueRow> {
        self.rows_at(None)
    }

    /// The values of games that start from recorded positions, as rows.
    pub fn rows_by_ply(&self) -> Vec<ValueRow> {
        self.by_ply.iter().flat_map(|found| found.values.rows_at(Some(found.ply))).collect()
    }

    fn rows_at(&self, at_ply: Option<u32>) -> Vec<ValueRow> {
        let row = |piece: &ImbalancePiece| ValueRow {
            method: "imbalances",
            at_ply,
            piece: piece.piece,
            games: piece.games,
            value: piece.value,
            unit: self.unit,
            pawns: piece.pawns,
            delta: None,
            elo: piece.elo,
            note: piece.note.clone(),
        };
        self.pieces.iter().map(row).collect()
    }
}

impl Mobility {
    /// The value as a row. It is not an estimate, so it has no interval.
    pub fn row(&self) -> ValueRow {
        ValueRow {
            method: "mobility",
            at_ply: None,
            piece: self.piece,
            games: 0,
            value: Some(Estimate::exact(self.value)),
            unit: self.unit,
            pawns: None,
            delta: None,
            elo: None,
            note: None,
        }
    }
}

/// The values by every method: imbalances, those of games from recorded positions too, then regression and mobility.
pub fn value_rows(
    imbalances: Option<&ImbalanceValues>,
    regression: Option<&RegressionValues>,
    mobility: &[Mobility],
) -> Vec<ValueRow> {
    let by_imbalances = imbalances.into_iter().flat_map(|found| [found.rows(), found.rows_by_ply()].concat());
    let by_regression = regression.into_iter().flat_map(RegressionValues::rows);
    by_imbalances.chain(by_regression).chain(mobility.iter().map(Mobility::row)).collect()
}

/// The pieces for which any method has a value, in the order of the method that has the most.
pub fn pieces_of(rows: &[ValueRow]) -> Vec<PieceColumn> {
    let of = |method: &str| {
        let mut pieces: Vec<PieceColumn> = Vec::new();
        for row in rows.iter().filter(|row| row.method == method) {
            if !pieces.contains(&row.piece) {
                pieces.push(row.piece);
            }
        }
        pieces
    };
    let lists: Vec<Vec<PieceColumn>> = ["regression", "imbalances", "mobility"].map(of).to_vec();
    lists
        .into_iter()
        .reduce(|longest, list| if list.len() > longest.len() { list } else { longest })
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use backrank_rules::Letter;

    use super::*;

    #[test]
    fn a_pair_may_be_worth_nothing_but_not_anything() {
        let row = |piece: PieceColumn, low: f64, high: f64| ValueRow {
            method: "regression",
            at_ply: None,
            piece,
            games: 80,
            value: Some(Estimate { value: 0.3, interval: Interval { low, high } }),
            unit: "R=5".parse().unwrap(),
            pawns: None,
            delta: None,
            elo: None,
            note: None,
        };
        let shown = |piece, low, high| row(piece, low, high).if_certain().value.is_some();
        let (pair, piece) = (PieceColumn::Pair(Letter::B), PieceColumn::Piece(Letter::B));
        assert!(shown(pair, -0.2, 0.8) && !shown(pair, f64::NEG_INFINITY, f64::INFINITY));
        assert!(shown(piece, 0.1, 0.5) && !shown(piece, -0.2, 0.8));
    }
}
