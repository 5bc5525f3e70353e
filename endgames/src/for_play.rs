//! The tables that an engine wants at hand.

use backrank_rules::{PieceKind, Rules, Side};

use crate::bare_king::BareKingTable;
use crate::endgame::Endgame;
use crate::tables::EndgameTables;

/// The most bytes of all tables for play.
const MAX_BYTES: u64 = 1 << 28;

impl EndgameTables {
    /// What an engine wants at hand: every endgame of one man and two kings, and of two pieces against a bare king those in
    /// which neither piece wins alone with its king.
    ///
    /// A piece wins alone where its side wins at least half of all positions with it to move. In the orthodox games bishops
    /// and knights do not, so two bishops, bishop and knight, and two knights are there. Such tables are kept as
    /// [`build_for_probing`](Self::build_for_probing) keeps them, up to 256 MiB in all. Where a bare king loses, none are
    /// needed.
    ///
    /// # Panics
    ///
    /// When there is no memory for them; in the games of the catalogue they take less than 64 MiB.
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

    /// Two pieces against a bare king neither of which wins alone, by the tables of three men.
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
