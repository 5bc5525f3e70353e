//! A network for every game: a perceptron computes the rows of a game's network from how its pieces move.
//!
//! What is computed is a network like any other; its score is added to that of the weights, or of the part of them that costs little,
//! which are known before anything is learnt.

mod description;
mod perceptron;

use backrank_rules::Rules;

use super::bytes::take_outputs;
use super::error::NetError;
use super::{Base, HIDDEN, Inputs, Layer, Net, OUTPUT_BUCKETS, OutputWeights};
pub(crate) use description::Descriptions;
use description::{OF_KIND, OF_PLACE, OF_SQUARE, TABLES};
use perceptron::{MIXED, MIXER, Perceptron, WIDTH};

/// The first words of a file.
pub(super) const MAGIC: &str = "backrank general net 2";

/// A network for every game.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct GeneralNet {
    perceptron: Perceptron,
    bias: Layer,
    output: Vec<OutputWeights>,
    scale: i32,
    base: Base,
}

impl GeneralNet {
    /// What the first line says of the sizes.
    fn sizes() -> String {
        format!("{OF_KIND} {OF_SQUARE} {OF_PLACE} {WIDTH} {MIXER} {TABLES} {MIXED} {HIDDEN} {OUTPUT_BUCKETS}")
    }

    /// Reads a file whose first line says `text` after the first words, followed by `rest`.
    pub fn read(text: &str, mut rest: &[u8]) -> Result<Self, NetError> {
        let (found, scale) = text.split_once(", ").ok_or(NetError::NoNet)?;
        let (scale, base) = scale.split_once(", on ").ok_or(NetError::NoNet)?;
        let base = match base {
            "structure" => Base::Structure,
            "weights" => Base::Weights,
            _ => return Err(NetError::NoNet),
        };
        let scale: u16 = scale.parse().map_err(|_| NetError::NoNet)?;
        let needed = Self::sizes();
        if found != needed {
            return Err(NetError::Other { found: found.to_string(), needed });
        }
        let needed = Perceptron::SIZES.iter().map(|size| 4 + 2 * size).sum::<usize>()
            + HIDDEN * 2
            + OUTPUT_BUCKETS * (4 * HIDDEN + 4);
        if rest.len() != needed {
            return Err(NetError::Length { found: rest.len(), needed });
        }
        let mut matrices = Vec::new();
        for size in Perceptron::SIZES {
            matrices.push(take_matrix(&mut rest, size));
        }
        let perceptron = Perceptron::of(&matrices);
        let bias = Layer::take(&mut rest);
        let output = take_outputs(&mut rest)?;
        Ok(Self { perceptron, bias, output, scale: i32::from(scale), base })
    }

    /// The network of a game.
    pub fn net(self, rules: &Rules) -> Net {
        let weights = self.perceptron.rows(&Descriptions::new(rules));
        let inputs = Inputs::new(rules);
        debug_assert_eq!(weights.len(), inputs.len());
        Net { inputs, weights, bias: self.bias, output: self.output, scale: self.scale, base: self.base }
    }
}

/// Takes a matrix off bytes of which there are enough: what its whole numbers are multiplied by, and the numbers.
fn take_matrix(bytes: &mut &[u8], size: usize) -> Vec<f32> {
    let (unit, rest) = bytes.split_first_chunk().expect("the length was checked");
    let unit = f32::from_le_bytes(*unit);
    let (numbers, rest) = rest.split_at(2 * size);
    *bytes = rest;
    let (numbers, _) = numbers.as_chunks();
    numbers.iter().map(|number| f32::from(i16::from_le_bytes(*number)) * unit).collect()
}

#[cfg(test)]
mod tests {
    use backrank_enumerate::{Movers, RandomGame};
    use backrank_rules::{Game, Position, Rules, Variant, catalogue};
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use std::sync::Arc;

    use super::super::accumulators::Accumulators;
    use super::*;
    use crate::eval::{Evaluator, fifty_move_scale};
    use crate::learn::GeneralSampler;
    use crate::weights::Weights;

    /// A file with random weights.
    fn file(seed: u64) -> Vec<u8> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut bytes = format!("{MAGIC}: {}, 300, on structure\n", GeneralNet::sizes()).into_bytes();
        for size in Perceptron::SIZES {
            bytes.extend(0.000_01_f32.to_le_bytes());
            (0..size).for_each(|_| bytes.extend(rng.random_range(-6_000_i16..6_000).to_le_bytes()));
        }
        (0..HIDDEN).for_each(|_| bytes.extend(rng.random_range(0_i16..200).to_le_bytes()));
        for _ in 0..OUTPUT_BUCKETS {
            (0..2 * HIDDEN).for_each(|_| bytes.extend(rng.random_range(-40_i16..40).to_le_bytes()));
            bytes.extend(0_i32.to_le_bytes());
        }
        bytes
    }

    fn net(rules: &Rules) -> Net {
        Net::from_bytes(&file(1), rules).unwrap()
    }

    fn playable() -> impl Iterator<Item = Variant> {
        let random = (0..8).map(|seed| RandomGame::new(seed, Movers::Familiar).variant);
        catalogue().filter(|variant| !variant.count_only).chain(random)
    }

    #[test]
    fn every_game_has_a_net_whose_score_follows_the_moves() {
        // Without optimisation, a net takes seconds.
        for variant in playable().step_by(if cfg!(debug_assertions) { 12 } else { 1 }) {
            let rules = Rules::new(&variant);
            let net = net(&rules);
            let space = backrank_enumerate::Space::new(&variant).unwrap();
            let mut rng = ChaCha8Rng::seed_from_u64(2);
            let setup = space.unrank(space.random_id(&mut rng).unwrap()).unwrap();
            let mut game = Game::new(Position::new(&rules, &setup).unwrap());
            let mut accumulators = Accumulators::new(&net);
            while game.outcome().is_none() && game.moves().len() < 60 {
                let moves = game.position().legal_moves();
                game.play(moves[rng.random_range(0..moves.len())]);
                let fresh = net.evaluate(game.position(), &mut Accumulators::new(&net));
                assert_eq!(net.evaluate(game.position(), &mut accumulators), fresh, "{}", variant.key);
            }
        }
    }

    /// The rows are those of every other machine and build.
    #[test]
    fn rows_are_the_same_everywhere() {
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        let some = ["amazon960", "chess8400", "cwda-fide-rookies", "knightmate960", "random-0", "random-4"];
        let some: Vec<Variant> = playable().filter(|variant| some.contains(&&*variant.key)).collect();
        assert_eq!(some.len(), 6, "the games have these keys");
        for variant in some {
            for weight in net(&Rules::new(&variant)).weights.iter().flat_map(|row| row.0) {
                hash = (hash ^ weight as u16 as u64).wrapping_mul(0x0000_0100_0000_01b3);
            }
        }
        assert_eq!(hash, 0xa0e3_6ecc_558a_b239, "{hash:#x}");
    }

    #[test]
    fn both_sides_are_judged_alike() {
        let rules = Rules::new(&Variant::find("chess").unwrap());
        let net = net(&rules);
        let score =
            |fen: &str| net.evaluate(&Position::from_fen(&rules, fen).unwrap(), &mut Accumulators::new(&net));
        let white = score("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
        assert_eq!(white, score("r3k2r/pppbbppp/2n2q1P/1P2p3/3pn3/BN2PNP1/P1PPQPB1/R3K2R b KQkq - 0 1"));
    }

    /// What a net says is added to what its file says.
    #[test]
    fn a_net_that_says_nothing_leaves_the_score_of_the_weights() {
        for variant in playable().step_by(7) {
            let rules = Rules::new(&variant);
            let space = backrank_enumerate::Space::new(&variant).unwrap();
            let weights = Weights::new(&rules).without_net();
            let mut sampler = GeneralSampler::new(&rules);
            for base in [Base::Structure, Base::Weights] {
                let mut net = net(&rules);
                net.base = base;
                for output in &mut net.output {
                    output.layers.iter_mut().for_each(|layer| layer.0 = [0; HIDDEN]);
                }
                let evaluator =
                    Evaluator::new(&rules, &Weights { net: Some(Arc::new(net)), ..weights.clone() });
                let mut rng = ChaCha8Rng::seed_from_u64(3);
                let setup = space.unrank(space.random_id(&mut rng).unwrap()).unwrap();
                let mut game = Game::new(Position::new(&rules, &setup).unwrap());
                while game.outcome().is_none() && game.moves().len() < 40 {
                    let moves = game.position().legal_moves();
                    game.play(moves[rng.random_range(0..moves.len())]);
                    let Some(sample) = sampler.sample(game.position()) else { continue };
                    let score = if base == Base::Structure { sample.structure } else { sample.score };
                    let expected = score as f32 * fifty_move_scale(game.position());
                    let found = evaluator.evaluate(game.position()) as f32;
                    assert!((found - expected).abs() <= 1.0, "{found} for {expected}: {}", game.position());
                }
            }
        }
    }

    #[test]
    fn damaged_files_are_refused() {
        let rules = Rules::new(&Variant::find("chess").unwrap());
        let wrong = |bytes: &[u8]| Net::from_bytes(bytes, &rules).unwrap_err().to_string();
        let bytes = file(1);
        assert!(wrong(&bytes[..bytes.len() - 1]).contains("bytes after its first line, not"));
        let other = [b"backrank general net 2: 1 2 3, 300, on structure\n", &bytes[..]].concat();
        assert!(wrong(&other).contains("is for `1 2 3`"), "{}", wrong(&other));
        assert!(wrong(b"backrank general net 2: what\n").starts_with("this is no net"));
    }
}
