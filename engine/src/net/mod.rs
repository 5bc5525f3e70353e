//! A small neural network that evaluates the positions of one game.
//!
//! It is of the efficiently updatable kind (Nasu 2018): its inputs say which piece stands where, one hidden layer sees the
//! board from each side, and what a move changes is added to what was known before it. All of it is whole numbers, so that
//! every build gives the same scores.

mod accumulators;
mod bytes;
mod error;
mod file;
mod general;
mod inputs;

use backrank_rules::{Position, Rules};

pub(crate) use accumulators::Accumulators;
pub use error::NetError;
pub use file::NetChoice;
pub(crate) use general::Descriptions;
pub(crate) use inputs::{Inputs, View};

use crate::score::FORCED_WIN;

/// The neurons of the hidden layer, for each side.
pub(crate) const HIDDEN: usize = 128;

/// The output buckets: each has output weights of its own. A position's bucket depends on its number of men.
pub(crate) const OUTPUT_BUCKETS: usize = 8;

/// The quantisation of the hidden layer: the whole number for an activation of 1.
pub(crate) const QA: i16 = 255;

/// The quantisation of the output weights: the whole number for 1.
pub(crate) const QB: i16 = 64;

/// The largest weight of the output. With it a neuron times its weight fits into 16 bits, and the sum of a side's into 32.
pub(crate) const MAX_OUTPUT_WEIGHT: i16 = 127;

/// The weights of an input, or the state of the hidden layer, for one side.
#[derive(Clone, Debug, PartialEq, Eq)]
#[repr(align(32))]
pub(crate) struct Layer(pub [i16; HIDDEN]);

/// The output weights of one bucket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OutputWeights {
    /// For the hidden layer as the side to move sees it, and as the other side does.
    pub layers: [Layer; 2],
    pub bias: i32,
}

const _: () = assert!(
    HIDDEN as i64 * (QA as i64).pow(2) * MAX_OUTPUT_WEIGHT as i64 <= i32::MAX as i64,
    "the sum of a side's neurons fits into 32 bits"
);

/// A neural network that evaluates the positions of one game, in place of the evaluation's weights.
///
/// [`learn`](crate::learn) trains it on games, and [`Weights::net`](crate::Weights::net) gives it to an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Net {
    pub(crate) inputs: Inputs,
    /// For each input.
    pub(crate) weights: Vec<Layer>,
    pub(crate) bias: Layer,
    pub(crate) output: Vec<OutputWeights>,
    /// The centipawns that stand for 1 in the output.
    pub(crate) scale: i32,
    /// What its score is added to.
    pub(crate) base: Base,
}

/// What a net's score is added to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Base {
    /// To nothing, as that of a net for one game.
    Nothing,
    /// To the score by the weights without the activity of pieces: mobility, king safety and threats.
    Structure,
    /// To the score by the weights.
    Weights,
}

impl Net {
    /// Whether it evaluates positions of this game.
    pub fn is_for(&self, rules: &Rules) -> bool {
        self.inputs == Inputs::new(rules)
    }

    /// Whether the same net evaluates the positions of two games: they have the same board, the same pieces and pawns that move
    /// alike.
    pub fn same_game(some: &Rules, others: &Rules) -> bool {
        Inputs::new(some) == Inputs::new(others)
    }

    #[inline]
    fn weights_of(&self, input: u16) -> &Layer {
        &self.weights[usize::from(input)]
    }

    /// The score of a position for the side to move, in centipawns.
    pub(crate) fn evaluate(&self, position: &Position<'_>, accumulators: &mut Accumulators) -> i32 {
        let mover = position.side_to_move();
        let output = &self.output[self.inputs.bucket(position.occupied().count())];
        let mut sum = 0;
        for (side, weights) in [mover, mover.other()].into_iter().zip(&output.layers) {
            sum += i64::from(weighted(accumulators.update(self, position, side), weights));
        }
        let sum = sum / i64::from(QA) + i64::from(output.bias);
        let score = sum * i64::from(self.scale) / (i64::from(QA) * i64::from(QB));
        let limit = i64::from(FORCED_WIN);
        score.clamp(-limit, limit) as i32
    }
}

/// The dot product of the output weights with the activations, by SCReLU: the square of each neuron clipped to 0 … 1.
#[inline]
fn weighted(hidden: &Layer, weights: &Layer) -> i32 {
    let mut sum = 0;
    for (&neuron, &weight) in hidden.0.iter().zip(&weights.0) {
        let neuron = neuron.clamp(0, QA);
        sum += i32::from(neuron.wrapping_mul(weight)) * i32::from(neuron);
    }
    sum
}

#[cfg(test)]
mod tests {
    use backrank_rules::{Game, Position, Rules, Side, Variant, catalogue};
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::learn::network::random_net;

    fn fresh(net: &Net, position: &Position<'_>) -> i32 {
        net.evaluate(position, &mut Accumulators::new(net))
    }

    fn first_setup<'r>(rules: &'r Rules) -> Position<'r> {
        let space = backrank_enumerate::Space::new(rules.variant()).unwrap();
        let setup = space.unrank_by(&backrank_enumerate::Numbering::Lex, space.len() / 3).unwrap();
        Position::new(rules, &setup).unwrap()
    }

    /// From move to move, back and forth, with castling, adjustments and promotions, on boards of one word and of two.
    #[test]
    fn what_changes_gives_the_same_score_as_the_whole() {
        for variant in catalogue().filter(|variant| !variant.count_only) {
            let rules = Rules::new(&variant);
            let net = random_net(&rules, 1);
            let mut rng = ChaCha8Rng::seed_from_u64(2);
            let mut accumulators = Accumulators::new(&net);
            let mut game = Game::new(first_setup(&rules));
            while game.outcome().is_none() && game.moves().len() < 120 {
                let moves = game.position().legal_moves();
                for &played in &moves[..moves.len().min(3)] {
                    let after = game.position().after(played);
                    assert_eq!(net.evaluate(&after, &mut accumulators), fresh(&net, &after), "{after}");
                }
                game.play(moves[rng.random_range(0..moves.len())]);
            }
        }
    }

    #[test]
    fn both_sides_are_judged_alike() {
        let rules = Rules::new(&Variant::find("chess").unwrap());
        let net = random_net(&rules, 3);
        let score = |fen: &str| fresh(&net, &Position::from_fen(&rules, fen).unwrap());
        let white = score("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
        let black = score("r3k2r/pppbbppp/2n2q1P/1P2p3/3pn3/BN2PNP1/P1PPQPB1/R3K2R b KQkq - 0 1");
        assert_eq!(white, black);
        // Without castling, left and right are the same, too.
        let left = score("1k6/ppp5/2n5/8/8/5N2/5PPP/4R1K1 w - - 0 1");
        assert_eq!(left, score("6k1/5ppp/5n2/8/8/2N5/PPP5/1K1R4 w - - 0 1"));
        assert_ne!(white, left);
    }

    #[test]
    fn a_hundred_queens_are_no_overflow() {
        let rules = Rules::new(&Variant::find("pmrc").unwrap());
        let net = random_net(&rules, 4);
        let queens = "QQQQQQQQQ/".repeat(7);
        let position = Position::from_fen(&rules, &format!("k8/{queens}QQQQKQQQQ b - - 0 1")).unwrap();
        fresh(&net, &position);
        assert_eq!(position.pieces(Side::White).count(), 72);
    }

    #[test]
    fn files_are_read_as_they_are_written_and_others_are_refused() {
        let rules = Rules::new(&Variant::find("pmrc").unwrap());
        let net = random_net(&rules, 5);
        let bytes = net.to_bytes();
        assert_eq!(Net::from_bytes(&bytes, &rules).unwrap(), net);
        let wrong = |bytes: &[u8], key: &str| {
            Net::from_bytes(bytes, &Rules::new(&Variant::find(key).unwrap())).unwrap_err().to_string()
        };
        assert_eq!(
            wrong(&bytes, "chess"),
            "this net is for `9x9 B:B K:K M:BN N:N Q:Q R:R 128 8`, and the game needs one for `8x8 B:B K:K N:N Q:Q R:R 128 8`"
        );
        assert!(wrong(b"hello", "pmrc").starts_with("this is no net: "));
        assert!(wrong(&[], "pmrc").starts_with("this is no net: "));
        assert!(wrong(&bytes[..bytes.len() - 1], "pmrc").contains("bytes after its first line, not"));
        let mut damaged = bytes;
        let last = damaged.len() - 4 * OUTPUT_BUCKETS;
        damaged[last - 1] = 100;
        assert!(wrong(&damaged, "pmrc").contains("weight of the output that is not from -127 to 127"));
    }

    #[test]
    fn the_games_of_the_engines_own_nets() {
        let has_net = |variant: &Variant| Net::own(&Rules::new(variant)).is_some();
        let mut found: Vec<String> = catalogue()
            .filter(|variant| !variant.count_only)
            .filter(has_net)
            .map(|variant| variant.key)
            .collect();
        found.sort();
        let on_9x9 = ["chess8400", "modern", "mrc", "pmrc"];
        let on_9x8 = ["pm-random", "pmc"];
        let on_10x8 = ["capablanca-random", "capablanca84000", "carreblanca"];
        let on_8x8 = [
            "chess",
            "chess18",
            "chess256",
            "chess2880",
            "chess324",
            "chess480",
            "chess960",
            "crc",
            "double960",
            "merc",
            "shuffle",
        ];
        // It does not know that these can be won otherwise; the search does.
        let won_otherwise = ["kingofthehill960", "threecheck960"];
        let mut with_nets = [&on_9x9[..], &on_9x8, &on_10x8, &on_8x8, &won_otherwise].concat();
        with_nets.sort();
        assert_eq!(found, with_nets);
    }
}
