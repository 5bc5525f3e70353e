//! The evaluation against a bare king, for mates that lie beyond the search.

use backrank_endgames::Man;
use backrank_rules::{Bitboard, BitboardPair, PieceKind, Position, Side, Square};

use super::evaluator::Evaluator;

impl Evaluator {
    /// The side that plays against a bare king without pawns; `None` if that is neither or both.
    pub(super) fn mating_side(&self, position: &Position<'_>) -> Option<Side> {
        let [white, black] = Side::BOTH.map(|side| position.pieces(side).is_single());
        if white == black || !position.of_kind(PieceKind::PAWN).is_empty() {
            return None;
        }
        Some(if black { Side::White } else { Side::Black })
    }

    /// How near a side is to mating a bare king, in centipawns: material, and beyond that only driving the king to where it
    /// can be mated, taking squares from it, and approaching it.
    pub(super) fn mating_score(&self, position: &Position<'_>, side: Side) -> i32 {
        let prepared = &self.prepared;
        let weights = &prepared.weights;
        let [own_king, king] = [position.king(side), position.king(side.other())];
        let mut material = 0;
        let mut distance = 0;
        let mut soonest: Option<i32> = None;
        let mut attacked = prepared.king_steps[own_king.index()];
        position.for_each_attacking(side, |kind, square, squares| {
            attacked |= squares;
            material += self.value(kind);
            distance += self.pawns.steps_between(square, king);
            if let Some(plies) = self.plies_to_mate_with(position, side, kind, square) {
                soonest = Some(soonest.map_or(plies, |soonest| soonest.min(plies)));
            }
        });
        // A piece that mates with the help of its king alone can also mate if other pieces do not stand in its way.
        if let Some(plies) = soonest {
            return material + weights.sure_mate.endgame() + weights.mate_distance.endgame() * plies;
        }
        let room = self.room(king.into(), attacked | own_king.bitboard());
        let corners = self.mating_corners(position, side);
        let to_corner = corners.iter().map(|corner| self.pawns.steps_between(corner, king)).min();
        material
            + weights.driven_out.endgame() * i32::from(prepared.from_middle[king.index()])
            + weights.from_corner.endgame() * to_corner.unwrap_or_default()
            + weights.kings_apart.endgame() * self.pawns.steps_between(own_king, king)
            + weights.pieces_apart.endgame() * distance
            + weights.bare_king_room.endgame() * room.count() as i32
    }

    /// How many plies it takes to mate with the king and one piece alone, where the tables say that this is possible.
    fn plies_to_mate_with(
        &self,
        position: &Position<'_>,
        side: Side,
        kind: PieceKind,
        square: Square,
    ) -> Option<i32> {
        let tables = self.tables()?;
        let royal = |side: Side| {
            let square = position.king(side);
            Some((Man { side, kind: position.kind_at(square)? }, square))
        };
        let men = [royal(side)?, (Man { side, kind }, square), royal(side.other())?];
        let value = tables.probe_men(&men, position.side_to_move())?;
        (value.winner(position.side_to_move()) == Some(side)).then(|| value.plies().map_or(0, i32::from))
    }

    /// The squares a bare king could get to if the other side stood still.
    fn room(&self, king: Bitboard, attacked: Bitboard) -> Bitboard {
        let shifts = &self.prepared.shifts;
        let mut room = king;
        loop {
            let pair = BitboardPair::new(room, Bitboard::EMPTY);
            let column = pair | shifts.forward(pair) | shifts.backward(pair);
            let [steps, _] = (column | shifts.beside(column)).halves();
            let wider = room | steps & !attacked;
            if wider == room {
                return room;
            }
            room = wider;
        }
    }

    /// The corners in which a side can force mate. With light pieces alone, such as bishop and knight, they are the corners
    /// of the colour that its pieces are bound to; otherwise all corners.
    fn mating_corners(&self, position: &Position<'_>, side: Side) -> Bitboard {
        let prepared = &self.prepared;
        let own = position.pieces(side);
        let of = |kinds: &[PieceKind]| -> Bitboard {
            kinds.iter().map(|&kind| position.of_kind(kind) & own).collect()
        };
        let bound = of(&prepared.bound_to_colour);
        let only_light = of(&prepared.light) | position.king(side).bitboard() == own;
        let colour = match (bound.is_disjoint(prepared.dark), bound.is_disjoint(!prepared.dark)) {
            (true, false) if only_light => !prepared.dark,
            (false, true) if only_light => prepared.dark,
            _ => !Bitboard::EMPTY,
        };
        prepared.board_corners & colour
    }
}
