//! Every number the evaluation depends on.

use backrank_rules::Rules;
use serde::{Deserialize, Serialize};

/// A weight in the opening and in the endgame, in centipawns unless said otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "[f32; 2]", into = "[f32; 2]")]
pub struct Tapered {
    /// With all pieces on the board.
    pub opening: f32,
    /// With none but kings and pawns.
    pub endgame: f32,
}

impl From<[f32; 2]> for Tapered {
    fn from([opening, endgame]: [f32; 2]) -> Self {
        Self { opening, endgame }
    }
}

impl From<Tapered> for [f32; 2] {
    fn from(tapered: Tapered) -> Self {
        [tapered.opening, tapered.endgame]
    }
}

/// The weights of the evaluation. None belongs to one game: what they weigh is derived from the board and the moves.
///
/// Those the engine plays with are in `selfplay/weights.toml`, which `examples/weights.rs` made from games of several
/// variants; a light piece is one worth less than five pawns.
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Weights {
    /// What a piece is worth, by its letter from `A`; `P` is the pawn. Not in the file: the variant says it.
    #[serde(skip)]
    pub material: [f32; 26],

    /// A pawn, beyond its material.
    pub pawn: Tapered,
    /// A piece, beyond its material, for each hundred centipawns of it.
    pub piece: Tapered,
    /// A pair of colour-bound pieces of a kind on opposite colours.
    pub bishop_pair: Tapered,
    /// For the side to move.
    pub tempo: Tapered,

    /// For each square a piece would attack from where it stands on an empty board beyond its mean.
    pub place: Tapered,
    /// A light piece, for the part of the way from the edge files to the middle.
    pub inward: Tapered,
    /// A light piece, for the part of the way from its first rank to the last.
    pub advanced: Tapered,
    /// A light piece on its own first rank.
    pub undeveloped: Tapered,
    /// A king, for the part of the way from its first rank to the middle.
    pub king_up: Tapered,
    /// A king, for the part of the way from the edge files to the middle.
    pub king_inward: Tapered,
    /// A pawn, for the part of the way from the edge files to the middle and from its own end to the other.
    pub pawn_space: Tapered,
    /// A pawn, for the part of the way from its own end to the other.
    pub pawn_up: Tapered,

    /// For each square a piece attacks beyond three quarters of its mean, divided by the square root of that mean.
    pub mobility: Tapered,
    /// For each such square short of half its mean.
    pub immobility: Tapered,
    /// A light piece on the far side of the middle that a pawn protects and no enemy pawn can drive away.
    pub outpost: Tapered,
    /// A light piece behind a pawn of either side.
    pub behind_pawn: Tapered,
    /// For each own pawn on the colour that a piece is bound to.
    pub pawn_on_colour: Tapered,
    /// A piece that rides along files, on one without own pawns.
    pub half_open_file: Tapered,
    /// The same once more where there are no pawns at all.
    pub open_file: Tapered,

    /// A piece that rides along files, shut in with at most three moves between its king and the edge.
    pub shut_in: Tapered,
    /// The same once more where the king can no longer castle.
    pub shut_in_for_good: Tapered,

    /// For each own pawn in the two ranks in front of the king, on its file and the next.
    pub king_shelter: Tapered,
    /// For each of those three files without an own pawn.
    pub king_open_file: Tapered,
    /// For each enemy pawn on those files in the four ranks in front of the king.
    pub king_storm: Tapered,
    /// For each way in which the king may still castle.
    pub may_castle: Tapered,
    /// For danger to a king: for the opening this times its square over a hundred, for the endgame this times danger.
    pub king_danger: Tapered,
    /// The danger that is there without anything.
    pub danger_base: f32,
    /// Danger from each piece that attacks squares around the king.
    pub danger_attacker: f32,
    /// Danger from each of these for the square root of its worth in pawns.
    pub danger_strength: f32,
    /// Danger from each two of these.
    pub danger_together: f32,
    /// Danger from each attack on a square around the king.
    pub danger_attack: f32,
    /// Danger from each of these squares that nothing but the king protects.
    pub danger_weak: f32,
    /// Danger from each way of giving check, along lines, diagonals or by leaps, by a piece that is not taken.
    pub danger_check: f32,
    /// Danger from each square beyond the first where it could.
    pub danger_more_checks: f32,
    /// Danger from each square where a check would be taken.
    pub danger_unsafe_check: f32,
    /// Danger from each attack on the king's side of the board: its own half, on its file and the two on either side.
    pub danger_flank: f32,
    /// Danger from each piece that alone stands between the king and a rider.
    pub danger_pinned: f32,
    /// Danger for each centipawn of its own side's mobility, as a rule below 0.
    pub danger_mobility: f32,
    /// Danger for each centipawn of the king's shelter, as a rule below 0.
    pub danger_shelter: f32,
    /// Danger from the attackers' worth in pieces, in pawns.
    pub danger_army: f32,

    /// A passed pawn on its way: this times the square of the part of the way it has gone.
    pub passed: Tapered,
    /// The same once more with a free square ahead.
    pub passed_free: Tapered,
    /// The same once more with a square ahead that no enemy attacks.
    pub passed_safe: Tapered,
    /// The same once more for each step between it and the enemy's king, up to five.
    pub passed_enemy_king: Tapered,
    /// The same once more for each step between it and its own king, up to five.
    pub passed_own_king: Tapered,
    /// A pawn behind another of its side on the file.
    pub doubled: Tapered,
    /// A pawn with no pawn of its side on the files beside it.
    pub isolated: Tapered,
    /// A pawn with none beside or behind it there, that an enemy pawn keeps from stepping up to the others.
    pub backward: Tapered,
    /// A pawn beside another of its side.
    pub phalanx: Tapered,
    /// A pawn that another protects.
    pub protected: Tapered,

    /// Against a king that has nothing left, for each step, by files and by ranks, between it and the middle.
    pub driven_out: Tapered,
    /// Against a king that has nothing left, for each step between it and the own king.
    pub kings_apart: Tapered,
    /// To a king that has nothing else left, for each square it can still go to.
    pub bare_king_room: Tapered,

    /// For each piece of the enemy that a pawn attacks which is not lost by it.
    pub pawn_threat: Tapered,
    /// For each piece of the enemy that a pawn could attack by a safe step.
    pub push_threat: Tapered,
    /// For each piece of the enemy and each kind that attacks it and is worth less by a pawn at least.
    pub threat: Tapered,
    /// For each piece of the enemy, and each pawn that is not well protected, that a light piece attacks.
    pub light_threat: Tapered,
    /// For each piece and pawn of the enemy that is attacked and not well protected.
    pub weak: Tapered,
    /// For each of these that is not protected at all.
    pub hanging: Tapered,
    /// For each of these that the king attacks.
    pub king_threat: Tapered,
    /// For each square that both sides attack and the enemy does not hold.
    pub contested: Tapered,
    /// For each safe square on the middle files of the own half.
    pub space: Tapered,
    /// For each of these behind an own pawn that no enemy attacks.
    pub space_behind: Tapered,
}

/// The weights the engine plays with.
const WEIGHTS: &str = include_str!("../weights.toml");

impl Weights {
    /// The weights the engine plays with. Material is as the variant's file says; a piece without a value is worth what
    /// its mobility on the board is worth at a rook's rate.
    pub fn new(rules: &Rules) -> Self {
        Self::parse(WEIGHTS, rules).expect("the engine's own weights are spelt right, as a test shows")
    }

    /// Weights from a file like `selfplay/weights.toml`, with the material of a game.
    ///
    /// # Errors
    ///
    /// When the text is no such file; the error says where.
    pub fn parse(text: &str, rules: &Rules) -> Result<Self, toml::de::Error> {
        let mut weights: Self = toml::from_str(text)?;
        let variant = rules.variant();
        weights.material[(b'P' - b'A') as usize] = variant.pawn.value.map_or(100.0, |value| value as f32);
        for piece in variant.pieces.iter().filter(|piece| !piece.royal) {
            let value = match piece.value {
                Some(value) => value as f32,
                None => value_by_mobility(rules, piece.letter),
            };
            weights.material[(piece.letter - b'A') as usize] = value;
        }
        Ok(weights)
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

#[cfg(test)]
mod tests {
    use backrank_rules::{Rules, Variant, catalogue};

    use super::Weights;

    #[test]
    fn the_engines_weights_are_read_and_written() {
        for variant in catalogue().filter(|variant| !variant.count_only) {
            let rules = Rules::new(&variant);
            let weights = Weights::new(&rules);
            let text = toml::to_string(&weights).unwrap();
            assert_eq!(Weights::parse(&text, &rules).unwrap(), weights);
        }
    }

    #[test]
    fn an_unknown_weight_is_named() {
        let rules = Rules::new(&Variant::find("chess").unwrap());
        let text = format!("{}\nking_luck = [1.0, 2.0]\n", super::WEIGHTS);
        let error = Weights::parse(&text, &rules).unwrap_err();
        assert!(error.to_string().contains("king_luck"), "{error}");
    }
}
