//! What others have held to make a piece worth much, each held against the pieces that were measured.

use backrank_rules::{Betza, Board, PieceFeatures, Variant};
use serde::Serialize;

use super::log_linear::{LogLinear, LogRow, Prior};
use super::measured::MeasuredPiece;
use super::predictor::{PRIOR_ERROR, cross_validated, error_of_predictions, logarithm, priors};
use crate::stats::Estimate;
use crate::table::{Format, Table};

/// The parts of the other squares that are occupied, for which mobility is tried.
const DENSITIES: [f64; 7] = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6];

/// A measure of pieces whose power a value may be.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Theory {
    /// What is measured of a piece.
    pub measure: String,
    /// The pieces of which there is any, and that are certain to be worth something.
    pub pieces: usize,
    /// The power of the measure to which values are in proportion; `None` for the model of many terms.
    pub power: Option<Estimate>,
    /// How far off a piece is that was left out of the fit: the root of the mean squared difference of logarithms, errors of measurement
    /// included.
    pub off: f64,
}

/// How well different measures predict the values of pieces at one stage of a game: their mobility with more and more of the board occupied
/// (Betza, "Ideal Values and Practical Values", part 4), capturing counting two thirds; the squares from which a king is checked that cannot
/// take the piece (Taylor, "On the Relative Values of the Pieces in Chess", *Philosophical Magazine*, 1876); and, last, the model of all terms.
pub fn theories(pieces: &[MeasuredPiece]) -> Vec<Theory> {
    let known = pieces.iter().filter(|piece| piece.observation().is_some());
    let known: Vec<(&MeasuredPiece, Betza, Board)> = known
        .filter_map(|piece| {
            let board = Variant::find(&piece.variant).ok()?.board;
            Some((piece, piece.betza.parse().ok()?, board))
        })
        .collect();
    let mobility = |betza: &Betza, board: Board, density: f64| {
        let [moves, captures] = betza.mean_mobility(board, density);
        (moves + 2.0 * captures) / 3.0
    };
    let of_density = |density: f64| {
        let name = match density {
            0.0 => "mobility on an empty board".to_string(),
            _ => format!("mobility, {:.0} % of the board occupied", 100.0 * density),
        };
        theory(name, &known, |_, betza, board| mobility(betza, board, density))
    };
    let when_empty =
        |features: PieceFeatures| features.captures_when_empty - (features.captures - features.far_captures);
    let checks = [
        theory("safe checks on an empty board".to_string(), &known, |piece, _, _| when_empty(piece.features)),
        theory("safe checks, a third of the board occupied".to_string(), &known, |piece, _, _| {
            piece.features.far_captures
        }),
    ];
    let observations: Vec<_> = known.iter().filter_map(|known| known.0.observation()).collect();
    let left_out = observations.iter().zip(cross_validated(&observations));
    let left_out = left_out.filter_map(|(observation, predicted)| Some((observation.value, predicted?)));
    let of_model = error_of_predictions(left_out).map(|(pieces, off)| Theory {
        measure: "the model of all terms".to_string(),
        pieces,
        power: None,
        off,
    });
    DENSITIES.into_iter().map(of_density).chain(checks).flatten().chain(of_model).collect()
}

fn theory(
    measure: String,
    known: &[(&MeasuredPiece, Betza, Board)],
    of: impl Fn(&MeasuredPiece, &Betza, Board) -> f64,
) -> Option<Theory> {
    // A tenth of a square is none.
    const ANY: f64 = 0.1;
    let rows = known.iter().filter_map(|(piece, betza, board)| {
        let number = of(piece, betza, *board);
        let value = piece.value.filter(|value| number > ANY && value.interval.low > 0.0)?;
        let (logarithm, error) = logarithm(value)?;
        Some((value, LogRow { terms: vec![1.0, number.ln()], logarithm, error }))
    });
    let (values, rows): (Vec<Estimate>, Vec<LogRow>) = rows.unzip();
    let unknown = [Prior { mean: 0.0, precision: 0.0 }; 2];
    let power = LogLinear::fit(&rows, &unknown)?.coefficient(1);
    let left_out = (0..rows.len()).filter_map(|index| {
        let others = [&rows[..index], &rows[index + 1..]].concat();
        Some((values[index], LogLinear::fit(&others, &unknown)?.predict(&rows[index].terms)))
    });
    let (pieces, off) = error_of_predictions(left_out)?;
    Some(Theory { measure, pieces, power: Some(power), off })
}

/// How many times as much the pieces with a property are worth as the model says of them otherwise: the model with one more term. `has` says of
/// each piece, by its place, whether it has the property; `None` leaves it out. There is nothing to say where all or none have it.
pub fn premium(pieces: &[MeasuredPiece], has: &[Option<bool>]) -> Option<Estimate> {
    let rows = pieces.iter().zip(has).filter_map(|(piece, has)| {
        let mut row = piece.observation()?.row()?;
        row.terms.push(f64::from((*has)?));
        Some(row)
    });
    let rows: Vec<LogRow> = rows.collect();
    let term = rows.first()?.terms.len() - 1;
    let of_first = rows[0].terms[term];
    if rows.iter().all(|row| row.terms[term] == of_first) {
        return None;
    }
    let mut priors = priors();
    priors.push(Prior { mean: 0.0, precision: PRIOR_ERROR.powi(-2) });
    let coefficient = LogLinear::fit(&rows, &priors)?.coefficient(term);
    Some(Estimate { value: coefficient.value.exp(), interval: coefficient.interval.map(f64::exp) })
}

/// The table of [`theories`].
pub fn theories_table<'t>() -> Table<'t, Theory> {
    Table::<Theory>::new()
        .text("a power of", |theory: &Theory| theory.measure.clone())
        .estimate("power", |theory| theory.power)
        .format(Format::digits(2))
        .number("off by, %", |theory| Some(100.0 * theory.off))
        .format(Format::digits(1))
        .count("pieces", |theory| theory.pieces as u64)
}

#[cfg(test)]
mod tests {
    use backrank_rules::Board;

    use super::super::shipped_pieces;
    use super::*;

    fn shipped() -> Vec<MeasuredPiece> {
        let mut pieces = shipped_pieces("N=3.25".parse().unwrap(), Board::new(8, 8).unwrap()).unwrap();
        pieces.retain(MeasuredPiece::is_of_full_army);
        pieces
    }

    /// Values that are a power of mobility at a density are predicted without error by this, and by nothing else.
    #[test]
    fn a_theory_that_is_true_is_found() {
        let board = Board::new(8, 8).unwrap();
        let mut pieces = shipped();
        for piece in &mut pieces {
            let betza: Betza = piece.betza.parse().unwrap();
            let [moves, captures] = betza.mean_mobility(board, 0.4);
            let value = 0.3 * ((moves + 2.0 * captures) / 3.0).powf(1.5);
            piece.value = Some(Estimate::normal(value, 0.02 * value));
        }
        let found = theories(&pieces);
        let best = found.iter().min_by(|one, other| one.off.total_cmp(&other.off)).unwrap();
        assert_eq!(best.measure, "mobility, 40 % of the board occupied");
        assert!(best.off < 1e-9 && (best.power.unwrap().value - 1.5).abs() < 1e-9, "{best:?}");
        let others = found.iter().filter(|theory| theory.power.is_some() && *theory != best);
        assert!(others.into_iter().all(|theory| theory.off > 0.02));
    }

    #[test]
    fn a_premium_is_found() {
        let mut pieces = shipped();
        let has: Vec<Option<bool>> = pieces.iter().map(|piece| Some(piece.betza.len() % 2 == 0)).collect();
        let before = premium(&pieces, &has).unwrap();
        for (piece, _) in pieces.iter_mut().zip(&has).filter(|(_, has)| **has == Some(true)) {
            piece.value = piece.value.map(|value| value.times(1.3));
        }
        let after = premium(&pieces, &has).unwrap();
        assert!((after.value / before.value / 1.3 - 1.0).abs() < 0.02, "{before:?} {after:?}");
        assert!(before.interval.contains(1.0) && !after.interval.contains(1.0), "{before:?} {after:?}");
        assert_eq!(premium(&pieces, &vec![Some(true); pieces.len()]), None);
    }
}
