//! The tables that an engine needs during play.

use backrank_rules::{PieceKind, Rules, Side};

use crate::bare_king::BareKingTable;
use crate::endgame::Endgame;
use crate::tables::EndgameTables;

/// The largest number of bytes for all tables together.
const MAX_BYTES: u64 = 1 << 28;

impl EndgameTables {
    /// Makes the tables that an engine needs during play: every endgame of one man and two kings, and those of two
    /// pieces against a bare king in which neither piece wins alone with its king.
    ///
    /// A piece wins alone if its side wins at least half of all positions in which it is to move. In orthodox chess
    /// bishops and knights do not, so there are tables for two bishops, for bishop and knight, and for two knights.
    /// They are kept as [`build_for_probing`](Self::build_for_probing) keeps them, up to 256 MiB in all. Games in which
    /// a bare king loses do not need them.
    ///
    /// # Panics
    ///
    /// When there is not enough memory. The games of the catalogue need less than 64 MiB.
    ///
    /// ```
    /// use backrank_endgames::{EndgameTables, EndgameValue};
    /// use backrank_rules::{Position, Rules, Variant};
    ///
    /// let rules = Rules::new(&Variant::find("chess")?);
    /// let tables = EndgameTables::for_play(&rules);
    /// let position = Position::from_fen(&rules, "7k/8/6KN/8/5B2/8/8/8 w - - 0 1")?;
    /// assert_eq!(tables.probe(&position), Some(EndgameValue::Win { plies: 1 })); // Be5
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn for_play(rules: &Rules) -> Self {
        let mut tables = Self::three_men(rules);
        let mut bytes = tables.bytes();
        let pairs: Vec<Endgame> = tables
            .pairs_of_weak_pieces(rules)
            .into_iter()
            .filter(|pair| {
                let Some(order) = BareKingTable::order(rules, pair.men()) else { return false };
                let more = BareKingTable::bytes_of(rules, &order);
                let fits = bytes + more <= MAX_BYTES;
                bytes += if fits { more } else { 0 };
                fits
            })
            .collect();
        tables.add_for_probing(rules, &pairs, u64::MAX).expect("memory for a few MiB");
        tables
    }

    /// The pairs of pieces against a bare king of which neither wins alone, by the tables of three men.
    fn pairs_of_weak_pieces(&self, rules: &Rules) -> Vec<Endgame> {
        let is_weak = |kind: &PieceKind| {
            let endgame = Endgame::against_bare_king(rules, &[*kind]);
            let count = endgame.and_then(|endgame| Some(self.get(&endgame)?.count(Side::White)));
            *kind != PieceKind::PAWN && count.is_some_and(|count| 2 * count.won < count.total())
        };
        let weak: Vec<PieceKind> = rules.kinds().filter(is_weak).collect();
        let pairs = weak
            .iter()
            .enumerate()
            .flat_map(|(place, &one)| weak[place..].iter().map(move |&other| [one, other]));
        pairs.filter_map(|pair| Endgame::against_bare_king(rules, &pair)).collect()
    }
}
