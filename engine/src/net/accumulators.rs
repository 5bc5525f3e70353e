//! The hidden layer, kept up to date from position to position.

use arrayvec::ArrayVec;
use backrank_rules::{Bitboard, MAX_SQUARES, PieceKind, Position, Side};

use super::{HIDDEN, Layer, Net, View};

/// The hidden layers of the positions that were evaluated last: for each side, as it sees the board with its king on the
/// left and on the right.
///
/// A position is evaluated by what differs from the position before, which is little, for the search goes from one to the
/// next.
#[derive(Clone, Debug)]
pub(crate) struct Accumulators([[Accumulator; 2]; 2]);

/// The hidden layer of a position.
#[derive(Clone, Debug)]
struct Accumulator {
    hidden: Layer,
    /// The squares of each kind's pieces.
    kinds: [Bitboard; PieceKind::MAX],
    /// The squares of White's pieces.
    white: Bitboard,
    /// The partners with which a king may still castle.
    castling: Bitboard,
    /// The input of the piece on each square.
    active: [Option<u16>; MAX_SQUARES],
}

/// The weights of inputs that are to be added to a layer, or taken from it: at most of one piece for each square, and of the
/// partners with which kings may castle.
type Changes<'n> = ArrayVec<&'n Layer, { 2 * MAX_SQUARES }>;

impl Accumulators {
    /// Those of the empty board.
    pub fn new(net: &Net) -> Self {
        let empty = Accumulator {
            hidden: net.bias.clone(),
            kinds: [Bitboard::EMPTY; PieceKind::MAX],
            white: Bitboard::EMPTY,
            castling: Bitboard::EMPTY,
            active: [None; MAX_SQUARES],
        };
        let both = [empty.clone(), empty];
        Self([both.clone(), both])
    }

    /// The hidden layer as a side sees a position.
    #[inline]
    pub fn update(&mut self, net: &Net, position: &Position<'_>, side: Side) -> &Layer {
        let view = net.inputs.view(position, side);
        let accumulator = &mut self.0[side as usize][usize::from(view.is_reflected)];
        accumulator.update(net, view, position);
        &accumulator.hidden
    }
}

impl Accumulator {
    #[inline]
    fn update(&mut self, net: &Net, view: View, position: &Position<'_>) {
        let inputs = &net.inputs;
        let (mut added, mut removed) = (Changes::new(), Changes::new());
        let (white, castling) = (position.pieces(Side::White), position.castling());
        for square in castling ^ self.castling {
            let is_added = castling.contains(square);
            let white = if is_added { white } else { self.white };
            let side = if white.contains(square) { Side::White } else { Side::Black };
            let weights = net.weights_of(inputs.castling(view, side, square));
            if is_added { added.push(weights) } else { removed.push(weights) }
        }
        let mut changed = white ^ self.white;
        for kind in position.rules().kinds() {
            let now = position.of_kind(kind);
            changed |= now ^ std::mem::replace(&mut self.kinds[kind.index()], now);
        }
        (self.white, self.castling) = (white, castling);
        for square in changed {
            let side = if white.contains(square) { Side::White } else { Side::Black };
            let now = position.kind_at(square).map(|kind| inputs.piece(view, side, kind, square));
            let before = std::mem::replace(&mut self.active[square.index()], now);
            removed.extend(before.map(|input| net.weights_of(input)));
            added.extend(now.map(|input| net.weights_of(input)));
        }
        self.hidden.change(&added, &removed);
    }
}

/// Neurons that are worked on at once: as many as fit into a few registers.
const BLOCK: usize = 64;
const _: () = assert!(HIDDEN.is_multiple_of(BLOCK));

impl Layer {
    /// Adds some weights and takes others away. No position of a game comes near what 16 bits hold; one of a hundred queens
    /// wraps, which is wrong but the same in every build.
    #[inline]
    fn change(&mut self, added: &[&Self], removed: &[&Self]) {
        let (blocks, _) = self.0.as_chunks_mut::<BLOCK>();
        for (index, block) in blocks.iter_mut().enumerate() {
            let of_block = |weights: &Self| -> [i16; BLOCK] { weights.0.as_chunks().0[index] };
            let mut neurons = *block;
            for weights in added {
                let weights = of_block(weights);
                neurons
                    .iter_mut()
                    .zip(weights)
                    .for_each(|(neuron, weight)| *neuron = neuron.wrapping_add(weight));
            }
            for weights in removed {
                let weights = of_block(weights);
                neurons
                    .iter_mut()
                    .zip(weights)
                    .for_each(|(neuron, weight)| *neuron = neuron.wrapping_sub(weight));
            }
            *block = neurons;
        }
    }
}
