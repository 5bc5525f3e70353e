//! The evaluator: what it knows of its game. Each file of terms adds methods to it.

use std::sync::Arc;

use backrank_endgames::EndgameTables;
use backrank_rules::{PieceKind, Rules};

use super::pawns::Pawns;
use super::prepared::Prepared;
use crate::net::Net;
use crate::weights::Weights;

/// The static evaluation.
///
/// It adds up material, piece-square tables, mobility, pawn structure, king safety and threats. Each has a score for the
/// opening and one for the endgame, which are interpolated by the material left on the board.
#[derive(Clone, Debug)]
pub struct Evaluator {
    pub(super) prepared: Prepared,
    pub(super) pawns: Pawns,
    /// A net in place of all these, if there is one for this game.
    pub(super) net: Option<Arc<Net>>,
    /// The tables of endgames with few men, if there are any.
    tables: Option<Arc<EndgameTables>>,
}

impl Evaluator {
    /// Prepares the tables of a game.
    pub fn new(rules: &Rules, weights: &Weights) -> Self {
        Self {
            prepared: Prepared::new(rules, weights),
            pawns: Pawns::new(rules, weights),
            net: weights.net.clone().filter(|net| net.is_for(rules)),
            tables: None,
        }
    }

    /// Adds endgame tables, which the evaluation then probes.
    pub(crate) fn set_tables(&mut self, tables: Option<Arc<EndgameTables>>) {
        self.tables = tables;
    }

    /// The endgame tables that the evaluation probes.
    #[inline]
    pub(crate) fn tables(&self) -> Option<&EndgameTables> {
        self.tables.as_deref()
    }

    /// The value of a kind of piece in an exchange, in centipawns. The king is worth more than all others.
    #[inline]
    pub fn value(&self, kind: PieceKind) -> i32 {
        self.prepared.exchange_values[kind.index()]
    }

    /// Whether a kind is the king.
    #[inline]
    pub(crate) fn is_royal(&self, kind: PieceKind) -> bool {
        self.prepared.kinds[kind.index()].royal
    }

    /// The kinds by their value in an exchange, the least valuable first.
    #[inline]
    pub(crate) fn by_value(&self) -> &[PieceKind] {
        &self.prepared.by_value
    }

    /// How much of the opening there is, up to [`Prepared::full_phase`].
    pub(super) fn phase(&self, phases: [i32; 2]) -> i32 {
        (phases[0] + phases[1]).min(self.prepared.full_phase)
    }
}
