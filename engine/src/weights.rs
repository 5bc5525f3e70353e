//! Every number the evaluation depends on.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::io;
use std::path::Path;
use std::sync::Arc;

use backrank_rules::files::read_text;
use backrank_rules::{ByLetter, Letter, Rules};
use serde::{Deserialize, Serialize};

use crate::material::material;
use crate::net::Net;

/// A weight in the opening and in the endgame, in centipawns.
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

/// One of the weights.
#[derive(Debug)]
pub(crate) enum Weight<'w> {
    /// One that counts in centipawns.
    Score(&'w mut Tapered),
    /// One that counts in something else.
    Number(&'w mut f32),
}

impl<'w> From<&'w mut Tapered> for Weight<'w> {
    fn from(score: &'w mut Tapered) -> Self {
        Self::Score(score)
    }
}

impl<'w> From<&'w mut f32> for Weight<'w> {
    fn from(number: &'w mut f32) -> Self {
        Self::Number(number)
    }
}

/// The number of kinds of files: the outer ones, those next to them, the next, and all others.
pub(crate) const FILE_KINDS: usize = 4;

/// Declares the weights once: a `Score`, or one `ByFile` for each kind of file, is mapped to another kind of score by
/// [`Weights::map`], a plain number is not.
macro_rules! weights {
    (@map Score $weight:expr, $to_score:ident) => { $to_score($weight) };
    (@map ByFile $weight:expr, $to_score:ident) => { $weight.map(&$to_score) };
    (@map f32 $weight:expr, $to_score:ident) => { $weight };
    (@each ByFile $weight:expr) => { $weight.iter_mut().map(Weight::from).collect() };
    (@each $kind:ident $weight:expr) => { vec![Weight::from($weight)] };
    (
        $(#[$struct_doc:meta])*
        pub struct Weights<Score = Tapered> { $($(#[$doc:meta])* $name:ident: $kind:ident,)* }
    ) => {
        $(#[$struct_doc])*
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct Weights<Score = Tapered, ByFile = [Score; FILE_KINDS]> {
            /// The material value of each piece; `P` is the pawn. It comes from the variant,
            /// not from the file of weights.
            #[serde(skip)]
            pub material: ByLetter<f32>,
            /// Material values that replace those of variants, by the game's key and the piece's letter: `values.pmrc.N
            /// = 340`.
            #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
            pub values: BTreeMap<String, BTreeMap<char, f32>>,
            /// A net that scores positions in place of the weights, if it is for the game that is played; those of a bare
            /// king and of a last piece are still scored by the weights. It has a file of its own, and some games have one
            /// that comes with the engine, [`Net::own`].
            #[serde(skip)]
            pub net: Option<Arc<Net>>,
            $($(#[$doc])* pub $name: $kind,)*
        }

        impl Weights {
            /// The weights in the order of the file, each with its name; those by file follow each other.
            pub(crate) fn each(&mut self) -> Vec<(&'static str, Weight<'_>)> {
                let mut all = Vec::new();
                $(
                    let found: Vec<Weight<'_>> = weights!(@each $kind &mut self.$name);
                    all.extend(found.into_iter().map(|weight| (stringify!($name), weight)));
                )*
                all
            }

            /// The same weights with another kind of score in place of tapered ones.
            pub(crate) fn map<Score>(&self, to_score: impl Fn(Tapered) -> Score) -> Weights<Score> {
                Weights {
                    material: self.material,
                    values: BTreeMap::new(),
                    net: None,
                    $($name: weights!(@map $kind self.$name, to_score),)*
                }
            }
        }
    };
}

weights! {
    /// The weights of the evaluation. None belongs to one game: what they weigh is derived from the board and the moves.
    ///
    /// Those the engine plays with are in `engine/weights.toml`, which `selfplay/tune/make.sh` makes from games of several
    /// variants. A light piece is worth less than 475 centipawns, as bishops and knights are, and a great one 650 or more,
    /// as queens are; the others are heavy.
    ///
    /// ```
    /// use backrank_rules::{Letter, Rules, Variant};
    /// use backrank_engine::Weights;
    ///
    /// let rules = Rules::new(&Variant::find("pmrc")?);
    /// let mut weights = Weights::new(&rules).without_net();
    /// // A fifth less for the prime minister.
    /// weights.material[Letter::M] *= 0.8;
    /// # Ok::<(), backrank_rules::FindError>(())
    /// ```
    pub struct Weights<Score = Tapered> {
        /// A pawn, beyond its material.
        pawn: Score,
        /// A light piece, beyond its material, for each hundred centipawns of it.
        light: Score,
        /// A heavy piece, beyond its material, for each hundred centipawns of it.
        heavy: Score,
        /// A great piece, beyond its material, for each hundred centipawns of it.
        great: Score,
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
        /// A heavy piece, for the part of the way from the edge files to the middle.
        heavy_inward: Score,
        /// A heavy piece, for the part of the way from its first rank to the last.
        heavy_advanced: Score,
        /// A great piece, for the part of the way from the edge files to the middle.
        great_inward: Score,
        /// A great piece, for the part of the way from its first rank to the last.
        great_advanced: Score,
        /// A king, for the part of the way from its first rank to the middle.
        king_up: Score,
        /// A king, for the part of the way from the edge files to the middle.
        king_inward: Score,
        /// A pawn, for the part of the way from the edge files to the middle and from its own end to the other.
        pawn_space: Score,
        /// A pawn, for the part of the way from its own end to the other.
        pawn_up: Score,

        /// For each square a light piece attacks beyond three quarters of its mean, divided by the square root of that mean.
        mobility: Score,
        /// For each such square short of half its mean.
        immobility: Score,
        /// The same as `mobility` for a heavy piece.
        heavy_mobility: Score,
        /// The same as `immobility` for a heavy piece.
        heavy_immobility: Score,
        /// The same as `mobility` for a great piece.
        great_mobility: Score,
        /// The same as `immobility` for a great piece.
        great_immobility: Score,
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

        // The shelter of a king: the pawns on its file and on those beside it. In these names the first rank is the one on
        // which the king's pawns begin. A pawn behind the king does not count.
        /// For each of these files whose nearest own pawn stands on the first rank; by the kind of file.
        shelter_first: ByFile,
        /// The same for the second rank.
        shelter_second: ByFile,
        /// The same for the third rank.
        shelter_third: ByFile,
        /// For each of these files without an own pawn.
        shelter_none: ByFile,
        /// Once more for each of these files without an enemy pawn either.
        shelter_open: Score,
        /// For each of these files whose nearest enemy pawn has come to the second rank or the first; by the kind of file.
        storm_second: ByFile,
        /// The same for the third rank.
        storm_third: ByFile,
        /// The same for the fourth rank.
        storm_fourth: ByFile,
        /// The same for the fifth rank.
        storm_fifth: ByFile,
        /// In place of these, for an enemy pawn up to the third rank that an own pawn blocks.
        storm_stopped_near: Score,
        /// The same on the fourth or fifth rank.
        storm_stopped: Score,
        /// For each way in which the king may still castle.
        may_castle: Score,
        /// For danger to a king in the endgame. In the opening it counts as its square over a hundred.
        king_danger: f32,
        /// The danger that is there without anything.
        danger_base: f32,
        /// Danger from each piece that attacks squares around the king.
        danger_attacker: f32,
        /// Danger from each of these for the square root of its worth in hundreds of centipawns.
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
        /// Danger from each pawn of the king's side that shelters it.
        danger_shield: f32,
        /// Danger from each file at the king without a pawn of its side.
        danger_open_file: f32,
        /// Danger from each enemy pawn that storms its shelter.
        danger_storm: f32,
        /// Danger from the attackers' worth in pieces, in hundreds of centipawns.
        danger_army: f32,

        /// A passed pawn on its way: this times the square of the part of the way it has gone.
        passed: Score,
        /// The same once more with a free square ahead.
        passed_free: Score,
        /// The same once more with a square ahead that no enemy attacks.
        passed_safe: Score,
        /// The same once more with a square ahead that its own side attacks.
        passed_supported: Score,
        /// The same once more with nothing on any square ahead.
        passed_free_path: Score,
        /// The same once more with no square ahead that an enemy attacks.
        passed_safe_path: Score,
        /// The same once more for each step between the square ahead and the enemy's king, up to five.
        passed_enemy_king: Score,
        /// The same once more for each step between the square ahead and its own king, up to five.
        passed_own_king: Score,
        /// A passed pawn with nothing ahead that the enemy, who has only a king and pawns left, cannot catch.
        passed_unstoppable: Score,
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
        /// A pawn beside another or protected by one: this times the square of the part of the way it has gone.
        connected_up: Score,

        /// The part of an advantage in the endgame that counts; the weights from here to `winnable_opposite` add up.
        winnable: f32,
        /// That part for each pawn of the side ahead.
        winnable_pawn: f32,
        /// That part where there are pawns on both halves of the board.
        winnable_both_wings: f32,
        /// That part where there are only kings and pawns.
        winnable_pawns_only: f32,
        /// That part where each side has one piece that never leaves its colour, on opposite ones.
        winnable_opposite: f32,
        /// The same once more where neither has another piece.
        winnable_opposite_only: f32,

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
        /// Against a king that has one piece left and cannot hold, without pawns: for each step, by files and by ranks,
        /// between that king and the middle.
        last_piece_driven_out: Score,
        /// Against the same, for each step between the kings.
        last_piece_kings_apart: Score,

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

/// A larger file has no weights: the engine's own takes a few thousand bytes.
const LARGEST: u64 = 1 << 20;

/// The weights the engine plays with.
const WEIGHTS: &str = include_str!("../weights.toml");

impl Weights {
    /// What the engine plays with: its weights, and its net if it has one for this game. Material is as the variant's file
    /// says; a piece without a value is worth what its mobility on the board is worth at a rook's rate.
    pub fn new(rules: &Rules) -> Self {
        let weights = Self::parse(WEIGHTS, rules);
        let weights = weights.expect("the engine's own weights are spelt right, as a test shows");
        Self { net: Net::own(rules).map(Arc::new), ..weights }
    }

    /// The weights alone, which then score all positions.
    pub fn without_net(self) -> Self {
        Self { net: None, ..self }
    }

    /// The text of a file of weights.
    ///
    /// # Errors
    ///
    /// When it cannot be read, is no regular file, or is far too large for weights.
    pub fn read_text(path: &Path) -> io::Result<String> {
        read_text(path, LARGEST)
    }

    /// Weights from a file like `engine/weights.toml`, with the material of a game and without a net.
    ///
    /// # Errors
    ///
    /// When the text is not a valid file of weights; the error says where.
    pub fn parse(text: &str, rules: &Rules) -> Result<Self, toml::de::Error> {
        let mut weights: Self = toml::from_str(text)?;
        weights.set_game(rules);
        Ok(weights)
    }

    /// Takes the values of a game's pieces: from the weights, where they have some for the game, or else from its file.
    pub fn set_game(&mut self, rules: &Rules) {
        let variant = rules.variant();
        self.material = material(rules);
        let has_value = |letter: &Letter| {
            *letter == Letter::PAWN || variant.piece(*letter).is_some_and(|piece| !piece.royal)
        };
        for (&letter, &value) in self.values.get(&variant.key).into_iter().flatten() {
            if let Some(letter) = Letter::from_char(letter).filter(has_value) {
                self.material[letter] = value;
            }
        }
    }

    /// The text of a file of these weights, each to hundredths.
    pub fn to_toml(&self) -> String {
        let mut text = String::from(
            "# The weights of the evaluation, each for the opening and the endgame, in centipawns; `Weights` says what each \
             weighs.\n",
        );
        for of_name in self.clone().each().chunk_by(|(one, _), (other, _)| one == other) {
            let numbers = of_name.iter().map(|(_, weight)| match weight {
                Weight::Score(Tapered { opening, endgame }) => format!("[{opening:.2}, {endgame:.2}]"),
                Weight::Number(number) => format!("{number:.2}"),
            });
            let numbers = numbers.collect::<Vec<_>>().join(", ");
            let (name, _) = of_name[0];
            match of_name.len() {
                1 => writeln!(text, "{name} = {numbers}"),
                _ => writeln!(text, "{name} = [{numbers}]"),
            }
            .expect("a string takes it");
        }
        for (key, values) in &self.values {
            writeln!(text, "\n[values.{key}]").expect("a string takes it");
            for (letter, value) in values {
                writeln!(text, "{letter} = {value:.0}").expect("a string takes it");
            }
        }
        text
    }
}

impl Weights {
    /// A weight that is a plain number, by its name.
    ///
    /// # Panics
    ///
    /// When there is no weight with this name.
    pub(crate) fn number(&self, name: &str) -> f32 {
        let mut weights = self.clone();
        let found = weights.each().into_iter().find(|(other, _)| *other == name);
        match found {
            Some((_, Weight::Number(number))) => *number,
            _ => panic!("no number `{name}` among the weights"),
        }
    }
}

#[cfg(test)]
mod tests {
    use backrank_rules::{Rules, Variant, catalogue};

    use super::Weights;

    #[test]
    fn the_engines_weights_are_read_and_written() {
        for variant in catalogue().filter(|variant| !variant.count_only) {
            let rules = Rules::new(&variant);
            let weights = Weights::new(&rules).without_net();
            let text = weights.to_toml();
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
