//! Features of a first rank: numbers for regression, and columns by which setups are grouped.

#![cfg_attr(not(feature = "groups"), allow(dead_code, reason = "only groups need all of it"))]

use std::fmt;

use backrank_enumerate::Army;
use backrank_rules::{Colour, File, FirstRank, Letter, Side, Variant};

use super::name::SetupName;

/// A number that describes a first rank.
#[derive(Clone, Debug)]
pub(crate) struct Feature {
    /// The name of its column, such as `king_from_middle`.
    pub column: String,
    /// Its title with its unit, such as `king from the middle (files)`.
    pub title: String,
    measure: Measure,
}

/// How a feature is measured. The letters are those of pieces.
#[derive(Clone, Copy, Debug)]
enum Measure {
    /// 1 if both pieces stand on squares of the same colour, else 0.
    OneColour(Letter),
    /// The number of these pieces in a corner.
    InCorner(Letter),
    /// The distance from the middle of the rank, in files.
    FromMiddle(Letter),
    /// −1 left of the middle, 0 in the middle, 1 right of it.
    Side(Letter),
    /// The distance between the leftmost and the rightmost piece, in files.
    Apart(Letter),
    UnprotectedPawns,
    /// The number of pawns that start on the farther of two ranks.
    AdvancedPawns,
    MirroredPairs,
}

/// What a column says of two pieces that start on squares of both colours.
pub(crate) const BOTH_COLOURS: &str = "both colours";

/// A column by which setups are grouped.
#[derive(Clone, Debug)]
pub(crate) struct GroupColumn {
    /// Its name, such as `queen`, `rooks_apart` or `a`.
    pub name: String,
    value: GroupValue,
}

impl GroupColumn {
    /// The letter of the pieces of which it says whether they start on both colours.
    pub fn pair(&self) -> Option<Letter> {
        match self.value {
            GroupValue::Measured(Measure::OneColour(letter)) => Some(letter),
            _ => None,
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum GroupValue {
    /// The file of the only piece of a kind.
    FileOf(Letter),
    /// The letter of the piece on a file.
    LetterOn(File),
    Measured(Measure),
}

/// The value of a column for a first rank.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Description {
    Text(String),
    Number(f64),
}

impl fmt::Display for Description {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(text),
            Self::Number(number) => number.fmt(f),
        }
    }
}

/// Turns first ranks into features. The army determines which features exist: a single piece has a file, and two pieces
/// of a kind have a distance.
pub(crate) struct RankFeatures<'v> {
    variant: &'v Variant,
    army: Army,
    features: Vec<Feature>,
}

/// Whether Black's rank varies independently of White's, and so has features of its own.
pub(super) fn are_independent(setups: &[SetupName]) -> bool {
    let reversed = |text: &str| text.chars().rev().collect::<String>();
    setups.iter().any(|name| name.black != name.white && name.black != reversed(&name.white))
}

impl<'v> RankFeatures<'v> {
    /// The features of a side's ranks.
    pub fn new(variant: &'v Variant, side: Side) -> Self {
        let mut found = Self { variant, army: Army::of(variant, side), features: Vec::new() };
        let mut features = Vec::new();
        let mut add = |name: &str, suffix: &str, title: &str, measure: Measure| {
            let column = format!("{}{suffix}", name.replace(' ', "_"));
            features.push(Feature { column, title: format!("{name}{title}"), measure });
        };
        for letter in found.colour_bound_pairs() {
            let name = found.name(letter);
            add(name, "s", "s on one colour (0 or 1)", Measure::OneColour(letter));
            add(name, "s_in_corner", "s in a corner (number)", Measure::InCorner(letter));
        }
        for letter in found.kinds(1) {
            let name = found.name(letter);
            add(name, "_from_middle", " from the middle (files)", Measure::FromMiddle(letter));
            add(name, "_side", " on the right (−1, 0 or 1)", Measure::Side(letter));
        }
        if let Some(letter) = found.castling_partner() {
            add(found.name(letter), "s_apart", "s apart (files)", Measure::Apart(letter));
        }
        add("", "unprotected_pawns", "pawns nothing protects (number)", Measure::UnprotectedPawns);
        if found.army.has_pawn_choices() {
            add("", "advanced_pawns", "pawns on the farther rank (number)", Measure::AdvancedPawns);
        }
        add("", "mirrored_pairs", "like pieces on mirrored files (pairs)", Measure::MirroredPairs);
        found.features = features;
        found
    }

    /// The features that regression uses, in order.
    pub fn features(&self) -> &[Feature] {
        &self.features
    }

    /// The values of the features for a rank, in order.
    pub fn numbers(&self, rank: &FirstRank) -> Vec<f64> {
        self.features.iter().map(|feature| self.measure(feature.measure, rank)).collect()
    }

    /// The columns by which setups can be grouped: those that describe the rank, and the letter on each file.
    pub fn group_columns(&self) -> Vec<GroupColumn> {
        let files = self.army.files();
        let files =
            files.map(|file| GroupColumn { name: file.to_string(), value: GroupValue::LetterOn(file) });
        self.described_columns().chain(files).collect()
    }

    /// The columns that describe a rank: the file of each single piece, and the features.
    pub fn described_columns(&self) -> impl Iterator<Item = GroupColumn> {
        let single = self.kinds(1).map(|letter| GroupColumn {
            name: self.name(letter).replace(' ', "_"),
            value: GroupValue::FileOf(letter),
        });
        let measured = self.features.iter().map(|feature| GroupColumn {
            name: feature.column.clone(),
            value: GroupValue::Measured(feature.measure),
        });
        single.chain(measured)
    }

    /// The value of a column for a rank.
    pub fn describe(&self, column: &GroupColumn, rank: &FirstRank) -> Description {
        let text = |text: &str| Description::Text(text.to_string());
        match column.value {
            GroupValue::FileOf(letter) => {
                let file = rank.pieces().find(|&(_, other)| other == letter);
                text(&file.map_or(String::new(), |(file, _)| file.to_string()))
            }
            GroupValue::LetterOn(file) => {
                text(&rank.at(file).map_or(String::new(), |letter| letter.to_string()))
            }
            GroupValue::Measured(measure) => match (measure, self.measure(measure, rank)) {
                (Measure::OneColour(_), number) => {
                    text(if number == 1.0 { "one colour" } else { BOTH_COLOURS })
                }
                (Measure::Side(_), number) if number < 0.0 => text("left"),
                (Measure::Side(_), number) if number > 0.0 => text("right"),
                (Measure::Side(_), _) => text("middle"),
                (_, number) => Description::Number(number),
            },
        }
    }

    /// Reads a rank as `games.csv` writes it. Recorded ranks leave out empty files, which are those of the army. `None`
    /// if the text is not a rank of the game.
    pub fn read(&self, text: &str) -> Option<FirstRank> {
        self.army.read_rank(text).ok()
    }

    fn measure(&self, measure: Measure, rank: &FirstRank) -> f64 {
        let last = rank.files() as f64 - 1.0;
        let files = |letter: Letter| -> Vec<f64> {
            rank.pieces().filter(|&(_, other)| other == letter).map(|(file, _)| f64::from(file.0)).collect()
        };
        let from_middle = |letter: Letter| files(letter).first().map_or(0.0, |file| file - 0.5 * last);
        match measure {
            Measure::OneColour(letter) => {
                let colours: Vec<Colour> =
                    files(letter).iter().map(|&file| self.army.colour(File(file as u8))).collect();
                f64::from(u8::from(colours.windows(2).all(|two| two[0] == two[1])))
            }
            Measure::InCorner(letter) => {
                files(letter).iter().filter(|&&file| file == 0.0 || file == last).count() as f64
            }
            Measure::FromMiddle(letter) => from_middle(letter).abs(),
            Measure::Side(letter) => match from_middle(letter) {
                0.0 => 0.0,
                off => off.signum(),
            },
            Measure::Apart(letter) => {
                let files = files(letter);
                files.last().zip(files.first()).map_or(0.0, |(last, first)| last - first)
            }
            Measure::AdvancedPawns => rank.advanced_pawns().count() as f64,
            Measure::UnprotectedPawns => self.army.unprotected_pawns(rank).len() as f64,
            Measure::MirroredPairs => {
                let letters = rank.as_bytes();
                let mirrored = (0..letters.len() / 2).filter(|&file| {
                    letters[file] == letters[letters.len() - 1 - file] && letters[file] != FirstRank::EMPTY
                });
                mirrored.count() as f64
            }
        }
    }

    fn name(&self, letter: Letter) -> &'v str {
        self.variant.piece(letter).map_or("piece", |piece| &piece.name)
    }

    /// The kinds of which an army has `number` pieces, in the order of the variant's file.
    fn kinds(&self, number: usize) -> impl Iterator<Item = Letter> {
        let letters = self.variant.pieces.iter().map(|piece| piece.letter);
        letters.filter(move |&letter| self.army.count(letter) == number)
    }

    /// The kinds of which an army has two pieces that never leave the colour of their square.
    fn colour_bound_pairs(&self) -> impl Iterator<Item = Letter> {
        let bound =
            |letter: &Letter| self.variant.piece(*letter).is_some_and(|piece| piece.betza.is_colour_bound());
        self.kinds(2).filter(bound)
    }

    fn castling_partner(&self) -> Option<Letter> {
        let castling = self.variant.castling.as_ref()?;
        castling.partners.iter().copied().find(|&letter| self.army.count(letter) == 2)
    }
}
