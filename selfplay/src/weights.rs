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

/// Declares the weights once: a `Score` is mapped to another kind of score by [`Weights::map`], a `Tapered` or plain
/// number is not.
macro_rules! weights {
    (@map Score $weight:expr, $to_score:ident) => { $to_score($weight) };
    (@map $kind:ident $weight:expr, $to_score:ident) => { $weight };
    (
        $(#[$struct_doc:meta])*
        pub struct Weights<Score = Tapered> { $($(#[$doc:meta])* $name:ident: $kind:ident,)* }
    ) => {
        $(#[$struct_doc])*
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct Weights<Score = Tapered> {
            /// What a piece is worth, by its letter from `A`; `P` is the pawn. Not in the file: the variant says it.
            #[serde(skip)]
            pub material: [f32; 26],
            $($(#[$doc])* pub $name: $kind,)*
        }

        impl Weights {
            /// The same weights with another kind of score in place of tapered ones.
            pub(crate) fn map<Score>(&self, to_score: impl Fn(Tapered) -> Score) -> Weights<Score> {
                Weights {
                    material: self.material,
                    $($name: weights!(@map $kind self.$name, to_score),)*
                }
            }
        }
    };
}

weights! {
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
    pub struct Weights<Score = Tapered> {
        /// A pawn, beyond its material.
        pawn: Score,
        /// A piece, beyond its material, for each hundred centipawns of it.
        piece: Score,
        /// A pair of colour-bound pieces of a kind on opposite colours.
        bishop_pair: Score,
        /// For the side to move.
        tempo: Score,

        /// For each square a piece would attack from where it stands on an empty board beyond its mean.
        place: Score,
        /// A light piece, for the part of the way from the edge files to the middle.
        inward: Score,
        /// A light piece, for the part of the way from its first rank to the last.
        advanced: Score,
        /// A light piece on its own first rank.
        undeveloped: Score,
        /// A king, for the part of the way from its first rank to the middle.
        king_up: Score,
        /// A king, for the part of the way from the edge files to the middle.
        king_inward: Score,
        /// A pawn, for the part of the way from the edge files to the middle and from its own end to the other.
        pawn_space: Score,
        /// A pawn, for the part of the way from its own end to the other.
        pawn_up: Score,

        /// For each square a piece attacks beyond three quarters of its mean, divided by the square root of that mean.
        mobility: Score,
        /// For each such square short of half its mean.
        immobility: Score,
        /// A light piece on the far side of the middle that a pawn protects and no enemy pawn can drive away.
        outpost: Score,
        /// A light piece behind a pawn of either side.
        behind_pawn: Score,
        /// For each own pawn on the colour that a piece is bound to.
        pawn_on_colour: Score,
        /// A piece that rides along files, on one without own pawns.
        half_open_file: Score,
        /// The same once more where there are no pawns at all.
        open_file: Score,

        /// A piece that rides along files, shut in with at most three moves between its king and the edge.
        shut_in: Score,
        /// The same once more where the king can no longer castle.
        shut_in_for_good: Score,

        /// For each own pawn in the two ranks in front of the king, on its file and the next.
        king_shelter: Score,
        /// For each of those three files without an own pawn.
        king_open_file: Score,
        /// For each enemy pawn on those files in the four ranks in front of the king.
        king_storm: Score,
        /// For each way in which the king may still castle.
        may_castle: Score,
        /// For danger to a king: for the opening this times its square over a hundred, for the endgame this times danger.
        king_danger: Tapered,
        /// The danger that is there without anything.
        danger_base: f32,
        /// Danger from each piece that attacks squares around the king.
        danger_attacker: f32,
        /// Danger from each of these for the square root of its worth in pawns.
        danger_strength: f32,
        /// Danger from each two of these.
        danger_together: f32,
        /// Danger from each attack on a square around the king.
        danger_attack: f32,
        /// Danger from each of these squares that nothing but the king protects.
        danger_weak: f32,
        /// Danger from each way of giving check, along lines, diagonals or by leaps, by a piece that is not taken.
        danger_check: f32,
        /// Danger from each square beyond the first where it could.
        danger_more_checks: f32,
        /// Danger from each square where a check would be taken.
        danger_unsafe_check: f32,
        /// Danger from each attack on the king's side of the board: its own half, on its file and the two on either side.
        danger_flank: f32,
        /// Danger from each piece that alone stands between the king and a rider.
        danger_pinned: f32,
        /// Danger for each centipawn of its own side's mobility, as a rule below 0.
        danger_mobility: f32,
        /// Danger for each centipawn of the king's shelter, as a rule below 0.
        danger_shelter: f32,
        /// Danger from the attackers' worth in pieces, in pawns.
        danger_army: f32,

        /// A passed pawn on its way: this times the square of the part of the way it has gone.
        passed: Score,
        /// The same once more with a free square ahead.
        passed_free: Score,
        /// The same once more with a square ahead that no enemy attacks.
        passed_safe: Score,
        /// The same once more for each step between it and the enemy's king, up to five.
        passed_enemy_king: Score,
        /// The same once more for each step between it and its own king, up to five.
        passed_own_king: Score,
        /// A pawn behind another of its side on the file.
        doubled: Score,
        /// A pawn with no pawn of its side on the files beside it.
        isolated: Score,
        /// A pawn with none beside or behind it there, that an enemy pawn keeps from stepping up to the others.
        backward: Score,
        /// A pawn beside another of its side.
        phalanx: Score,
        /// A pawn that another protects.
        protected: Score,

        /// Against a king that has nothing left, with a piece that endgame tables say can mate it alone.
        sure_mate: Score,
        /// For each ply until that mate.
        mate_distance: Score,
        /// Against a king that has nothing left, for each step, by files and by ranks, between it and the middle.
        driven_out: Score,
        /// Against a king that has nothing left, for each step between it and the nearest corner in which it can be mated.
        from_corner: Score,
        /// Against a king that has nothing left, for each step between it and the own king.
        kings_apart: Score,
        /// Against a king that has nothing left, for each step between it and each piece.
        pieces_apart: Score,
        /// To a king that has nothing else left, for each square it could get to if the other side stood still.
        bare_king_room: Score,

        /// For each piece of the enemy that a pawn attacks which is not lost by it.
        pawn_threat: Score,
        /// For each piece of the enemy that a pawn could attack by a safe step.
        push_threat: Score,
        /// For each piece of the enemy and each kind that attacks it and is worth less by a pawn at least.
        threat: Score,
        /// For each piece of the enemy, and each pawn that is not well protected, that a light piece attacks.
        light_threat: Score,
        /// For each piece and pawn of the enemy that is attacked and not well protected.
        weak: Score,
        /// For each of these that is not protected at all.
        hanging: Score,
        /// For each of these that the king attacks.
        king_threat: Score,
        /// For each square that both sides attack and the enemy does not hold.
        contested: Score,
        /// For each safe square on the middle files of the own half.
        space: Score,
        /// For each of these behind an own pawn that no enemy attacks.
        space_behind: Score,
    }
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
