//! Piece values in the words of chess players.

use backrank_rules::{Letter, Variant};

use super::rows::ValueRow;
use super::unit::Unit;
use crate::games::Column;
use crate::stats::Estimate;

/// What a piece is worth in the unit of the values.
struct Worth {
    name: String,
    value: f64,
    /// Half of the 95 % interval.
    error: f64,
}

/// A value is in words if half its interval is less than this part of it.
const LEAST_CERTAIN: f64 = 0.5;
/// A remainder of more pawns is made smaller by taking two pieces instead of one.
const LARGEST_REMAINDER: f64 = 2.5;

/// The values that one method gives, from the most valuable piece down, each by the pieces below it: `A queen is worth two rooks
/// and 0.35 of a pawn; …`. What is within the interval of a difference is said to be about the same. `None` if no value is
/// certain enough.
///
/// ```
/// use backrank_analysis::stats::Estimate;
/// use backrank_analysis::values::{Unit, ValueRow, values_in_words};
/// use backrank_analysis::games::Column;
/// use backrank_rules::Variant;
///
/// let chess = Variant::find("chess")?;
/// let row = |letter: &str, pawns| ValueRow {
///     method: "imbalances",
///     at_ply: None,
///     piece: Column::Piece(letter.parse().unwrap()),
///     games: 1000,
///     value: Some(Estimate::normal(pawns, 0.05)),
///     unit: Unit::PAWNS,
///     pawns: None,
///     delta: None,
///     elo: None,
///     note: None,
/// };
/// let rows = [row("P", 1.0), row("N", 3.1), row("B", 3.2), row("R", 5.0), row("Q", 10.35)];
/// assert_eq!(
///     values_in_words(&chess, &rows).unwrap(),
///     "A queen is worth two rooks and 0.35 of a pawn; a rook, a bishop and 1.8 pawns; a bishop, about as much as a knight; a \
///      knight, 3.1 pawns."
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn values_in_words(variant: &Variant, rows: &[ValueRow]) -> Option<String> {
    let is_pawn = |row: &&ValueRow| row.piece == Column::Piece(Letter::PAWN);
    let pawn = Worth::of(variant, rows.iter().find(is_pawn)?)?.value;
    let others = rows.iter().filter(|row| !is_pawn(row));
    let mut pieces: Vec<Worth> = others.filter_map(|row| Worth::of(variant, row)).collect();
    pieces.sort_by(|one, other| one.value.total_cmp(&other.value));
    let sentences = (0..pieces.len()).rev().map(|at| {
        let (piece, below) = (&pieces[at], &pieces[..at]);
        let verb = if at + 1 == pieces.len() { " is worth" } else { "," };
        format!("{}{verb} {}", article(&piece.name), piece.by(below, pawn))
    });
    let said = sentences.collect::<Vec<String>>().join("; ");
    (!said.is_empty()).then(|| capital(&said) + ".")
}

/// The unit of values, and what each letter stands for: `A rook is 5. P is a pawn, N a knight, …`.
pub fn letters_in_words(variant: &Variant, unit: Unit) -> String {
    let Column::Piece(of_unit) = unit.piece() else { return String::new() };
    let pieces = variant.pieces.iter().filter(|piece| !piece.royal);
    let letters = pieces.map(|piece| (piece.letter, article(&piece.name)));
    let mut letters: Vec<(Letter, String)> =
        std::iter::once((Letter::PAWN, article("pawn"))).chain(letters).collect();
    letters.dedup_by_key(|(letter, _)| *letter);
    let name = letters.iter().find(|(letter, _)| *letter == of_unit).map_or("", |(_, name)| name.as_str());
    let unit = format!("{} is {}", capital(name), unit.number());
    let words = letters
        .iter()
        .enumerate()
        .map(|(at, (letter, name))| format!("{letter} {}{name}", if at == 0 { "is " } else { "" }));
    format!("{unit}. {}.", words.collect::<Vec<String>>().join(", "))
}

/// How certain the values are that one method gives: the widest interval of a piece that is not the unit.
pub fn certainty_in_words(variant: &Variant, unit: Unit, rows: &[ValueRow]) -> Option<String> {
    let share = |value: Estimate| half(value) / value.value.abs();
    let known = rows.iter().filter(|row| row.piece != unit.piece() && matches!(row.piece, Column::Piece(_)));
    let shares = known.map(|row| Some((share(row.value?), row.piece)));
    let shares: Vec<(f64, Column)> = shares.collect::<Option<_>>()?;
    let (widest, piece) = shares.into_iter().max_by(|one, other| one.0.total_cmp(&other.0))?;
    let name = name_of(variant, piece)?;
    (widest < LEAST_CERTAIN).then(|| {
        format!(
            "Each value is certain to within {:.0} %, that of the {name} least (95 % intervals).",
            100.0 * widest
        )
    })
}

/// Half the width of the interval of an estimate.
fn half(estimate: Estimate) -> f64 {
    0.5 * (estimate.interval.high - estimate.interval.low)
}

fn name_of(variant: &Variant, piece: Column) -> Option<&str> {
    match piece {
        Column::Piece(Letter::PAWN) => Some("pawn"),
        Column::Piece(letter) => variant.piece(letter).map(|piece| piece.name.as_str()),
        Column::Pair(_) | Column::Rating => None,
    }
}

impl Worth {
    /// What a row says of a piece, if it is certain enough.
    fn of(variant: &Variant, row: &ValueRow) -> Option<Self> {
        let name = name_of(variant, row.piece)?.to_string();
        let (value, error) = (row.value?.value, half(row.value?));
        (error < LEAST_CERTAIN * value).then_some(Self { name, value, error })
    }

    /// The value by pieces of less value, and pawns of this value.
    fn by(&self, below: &[Self], pawn: f64) -> String {
        let single = below.last().into_iter().map(|piece| vec![piece]);
        let pairs = below
            .iter()
            .enumerate()
            .flat_map(|(at, one)| below[..=at].iter().map(move |other| vec![one, other]));
        let rest = |sum: &[&Self]| self.value - sum.iter().map(|piece| piece.value).sum::<f64>();
        let near = |sum: &Vec<&Self>| rest(sum) < LARGEST_REMAINDER * pawn;
        let nearest = pairs.min_by(|one, other| rest(one).abs().total_cmp(&rest(other).abs()));
        let mut single = single.filter(near);
        match single.next().or_else(|| nearest.filter(near)) {
            Some(sum) => self.and_rest(&sum, rest(&sum), pawn),
            None => pawns(self.value / pawn),
        }
    }

    /// Some pieces and what is left, in pawns.
    fn and_rest(&self, sum: &[&Self], rest: f64, pawn: f64) -> String {
        let words = match sum {
            [one, other] if one.name == other.name => format!("two {}", plural(&one.name)),
            _ => sum.iter().map(|piece| article(&piece.name)).collect::<Vec<_>>().join(" and "),
        };
        // As if errors were independent. They share that of the unit, so that a difference has less.
        let own = match sum {
            [one, other] if one.name == other.name => (2.0 * one.error).powi(2),
            _ => sum.iter().map(|piece| piece.error.powi(2)).sum(),
        };
        let and = if sum.len() == 2 && sum[0].name != sum[1].name { ", and" } else { " and" };
        match rest {
            rest if rest.abs() <= (self.error.powi(2) + own).sqrt() => format!("about as much as {words}"),
            rest if rest > 0.0 => format!("{words}{and} {}", pawns(rest / pawn)),
            rest => format!("{words} less {}", pawns(-rest / pawn)),
        }
    }
}

/// A number of pawns.
fn pawns(number: f64) -> String {
    if number < 0.995 { format!("{number:.2} of a pawn") } else { format!("{number:.1} pawns") }
}

fn article(name: &str) -> String {
    let vowel = name.starts_with(['a', 'e', 'i', 'o', 'A', 'E', 'I', 'O']);
    format!("{} {name}", if vowel { "an" } else { "a" })
}

fn plural(name: &str) -> String {
    let hisses = ["s", "x", "z", "ch", "sh"].iter().any(|end| name.ends_with(end));
    format!("{name}{}", if hisses { "es" } else { "s" })
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
