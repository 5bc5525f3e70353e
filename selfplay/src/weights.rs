//! Every number the evaluation depends on.

use backrank_rules::Rules;

/// A weight in the opening and in the endgame, in centipawns unless said otherwise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tapered {
    /// With all pieces on the board.
    pub opening: f32,
    /// With none but kings and pawns.
    pub endgame: f32,
}

const fn tapered(opening: f32, endgame: f32) -> Tapered {
    Tapered { opening, endgame }
}

/// The weights of the evaluation. None belongs to one game: what they weigh is derived from the board and the moves.
///
/// ```
/// use backrank_rules::{Rules, Variant};
/// use backrank_selfplay::Weights;
///
/// let rules = Rules::new(&Variant::find("pmrc")?);
/// let mut weights = Weights::new(&rules);
/// // A fifth less for the prime minister.
/// weights.material[(b'M' - b'A') as usize] *= 0.8;
/// # Ok::<(), backrank_rules::FindError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// What a piece is worth, by its letter from `A`; `P` is the pawn.
    pub material: [f32; 26],
    /// For each square a piece attacks beyond its mean, divided by the square root of that mean.
    pub mobility: Tapered,
    /// For each square a piece would attack from where it stands on an empty board beyond its mean.
    pub place: Tapered,
    /// For a piece worth less than five pawns on its own first rank.
    pub undeveloped: Tapered,
    /// For a king, the part of the way from its first rank to the middle, and from the edge files to the middle.
    pub king_place: Tapered,
    /// For each own pawn in the two ranks in front of the king, on its file and the next.
    pub king_shelter: Tapered,
    /// For each of those three files without an own pawn.
    pub king_open_file: Tapered,
    /// For attacks on the squares around a king: this times their number, weighted by the attackers' values in pawns,
    /// squared, over a hundred.
    pub king_attack: Tapered,
    /// For a passed pawn on its way: this times the square of the part of the way it has gone.
    pub passed: Tapered,
    /// The same once more for a passed pawn with a free square ahead.
    pub passed_free: Tapered,
    /// For each pawn behind another of its side on the file.
    pub doubled: Tapered,
    /// For a pawn with no pawn of its side on the files beside it.
    pub isolated: Tapered,
    /// For a pawn that another protects or stands beside.
    pub connected: Tapered,
    /// For two colour-bound pieces of a kind on opposite colours.
    pub bishop_pair: Tapered,
    /// For each piece of the enemy that a pawn attacks.
    pub pawn_threat: Tapered,
    /// For each piece of the enemy attacked by one worth less than it by a pawn at least.
    pub threat: Tapered,
    /// For the side to move.
    pub tempo: Tapered,
}

impl Weights {
    /// The weights the engine plays with. Material is as the variant's file says; a piece without a value is worth what
    /// its mobility on the board is worth at a rook's rate.
    pub fn new(rules: &Rules) -> Self {
        let variant = rules.variant();
        let mut material = [0.0; 26];
        material[(b'P' - b'A') as usize] = variant.pawn.value.map_or(100.0, |value| value as f32);
        for piece in variant.pieces.iter().filter(|piece| !piece.royal) {
            let value = match piece.value {
                Some(value) => value as f32,
                None => value_by_mobility(rules, piece.letter),
            };
            material[(piece.letter - b'A') as usize] = value;
        }
        Self {
            material,
            mobility: tapered(11.0, 12.0),
            place: tapered(3.0, 2.0),
            undeveloped: tapered(-10.0, 0.0),
            king_place: tapered(-45.0, 35.0),
            king_shelter: tapered(14.0, 2.0),
            king_open_file: tapered(-18.0, 0.0),
            king_attack: tapered(18.0, 3.0),
            passed: tapered(50.0, 110.0),
            passed_free: tapered(10.0, 50.0),
            doubled: tapered(-8.0, -16.0),
            isolated: tapered(-10.0, -12.0),
            connected: tapered(8.0, 6.0),
            bishop_pair: tapered(30.0, 45.0),
            pawn_threat: tapered(45.0, 40.0),
            threat: tapered(22.0, 22.0),
            tempo: tapered(14.0, 8.0),
        }
    }
}

/// A piece's worth from its mean number of moves on a board a third full, where an orthodox rook has 500.
///
/// Source of the scheme: Ralph Betza, "About the Values of Chess Pieces", crowded-board mobility.
fn value_by_mobility(rules: &Rules, letter: u8) -> f32 {
    // The mean of an orthodox rook on 8×8 at this density is what 500 stands for.
    const CENTIPAWNS_A_MOVE: f32 = 62.0;
    (rules.mean_mobility(letter, 1.0 / 3.0) as f32 * CENTIPAWNS_A_MOVE).round()
}
