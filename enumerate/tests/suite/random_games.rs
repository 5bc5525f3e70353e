//! Games drawn at random.

use std::collections::BTreeSet;

use backrank_enumerate::{BruteForce, Movers, RandomGame};
use backrank_rules::{Letter, PawnType, Position, Rules, Side};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Plies that are played of each game.
const PLIES: usize = 20;

/// The largest space that is counted by brute force.
const FEW: u128 = 2_000;

#[test]
fn a_thousand_seeds_give_games_that_can_be_played() {
    let (mut sizes, mut movers) = (BTreeSet::new(), BTreeSet::new());
    let [mut berolina, mut unequal, mut passing, mut counted] = [0; 4];
    for seed in 0..1_000 {
        let RandomGame { variant, space } = RandomGame::new(seed, Movers::Familiar);
        let rules = Rules::new(&variant);
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        assert!(space.len() > 1, "{}", variant.text());
        for _ in 0..3 {
            let setup = space.unrank(space.random_id(&mut rng).unwrap()).unwrap();
            let mut position = Position::new(&rules, &setup).unwrap();
            assert!(!position.is_check() && !position.null_move().is_check(), "{}", variant.text());
            for _ in 0..PLIES {
                let moves = position.legal_moves();
                if moves.is_empty() || position.outcome().is_some() {
                    break;
                }
                position.play(moves[rng.random_range(0..moves.len())]);
                let fen = position.to_fen();
                assert_eq!(Position::from_fen(&rules, &fen).unwrap().to_fen(), fen);
            }
        }
        sizes.insert((variant.board.files(), variant.board.ranks()));
        movers.extend(variant.pieces.iter().map(|piece| piece.name.clone()));
        berolina += usize::from(variant.pawn.moves == PawnType::Berolina);
        unequal += usize::from(!variant.has_equal_armies());
        passing += usize::from(rules.has_paths());
        if space.len() < FEW {
            counted += 1;
            assert_eq!(BruteForce::new(&variant, &[]).unwrap().count(&|_| ()), space.len());
        }
        for side in Side::BOTH {
            assert_eq!(variant.starts_with(side, Letter::PAWN), variant.board.files());
        }
    }
    assert_eq!(sizes.len(), 16);
    let mut known: BTreeSet<_> =
        Movers::Familiar.pieces().into_iter().map(|piece| piece.name.clone()).collect();
    known.insert("king".to_string());
    assert_eq!(movers, known, "some mover never comes, or one that is not of the list");
    for number in [berolina, unequal, passing, counted] {
        assert!(number > 100, "{berolina} {unequal} {passing} {counted}");
    }
}

#[test]
fn what_is_held_out_is_never_familiar() {
    let names =
        |movers: Movers| movers.pieces().into_iter().map(|piece| &piece.name).collect::<BTreeSet<_>>();
    let [familiar, held_out] = [Movers::Familiar, Movers::HeldOut].map(names);
    assert!(familiar.is_disjoint(&held_out));
    assert_eq!((familiar.len(), held_out.len()), (40, 14));
    for seed in 0..50 {
        let variant = RandomGame::new(seed, Movers::HeldOut).variant;
        let others = variant.pieces.iter().filter(|piece| !piece.royal);
        assert!(others.map(|piece| &piece.name).all(|name| held_out.contains(name)));
    }
}
