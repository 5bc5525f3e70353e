//! Checks before the first move.

use backrank_rules::{FirstRank, Position, Rules, Setup, SetupError, Side, Variant};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::slow::{Side as SlowSide, SlowPosition, start_fen};

/// Whose king stands in check is what the slow generator says, and a setup in which Black's does is no position.
#[test]
fn kings_in_check_at_the_start() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut seen = [[0; 2]; 2];
    for (files, ranks, row) in [(7, 9, 1), (6, 6, 1), (8, 8, 2), (9, 5, 1), (10, 12, 4)] {
        let text = format!(
            "name = \"t\"\nsource = \"t\"\n[board]\nfiles = {files}\nranks = {ranks}\nfirst_rank = {row}\n[pieces]\n\
             K = {{ name = \"king\", betza = \"K\", royal = true }}\nN = {{ name = \"nightrider\", betza = \"NN\" }}\n\
             C = {{ name = \"camel\", betza = \"CHmZ\" }}\nI = {{ name = \"first\", betza = \"WiZciGG\" }}\n\
             L = {{ name = \"lopsided\", betza = \"frNNlfCQ\" }}\n[setup]\nfirst_rank = \"K{}\"\n",
            ".".repeat(files - 1)
        );
        let variant = Variant::parse("t", "t.toml", &text).unwrap();
        let rules = Rules::new(&variant);
        for _ in 0..400 {
            let mut rank = || {
                let mut letters: Vec<u8> = (1..files).map(|_| b"NCIL"[rng.random_range(0..4)]).collect();
                letters.push(b'K');
                letters.shuffle(&mut rng);
                FirstRank::new(&letters).unwrap()
            };
            let setup = Setup { white: rank(), black: rank() };
            let in_check = rules.kings_in_check(&setup).unwrap();
            let fen = start_fen(&variant, &setup.white, &setup.black);
            let slow = SlowPosition::from_fen(&variant, &fen);
            assert_eq!(
                in_check,
                [SlowSide::White, SlowSide::Black].map(|side| slow.is_in_check(side)),
                "{fen}"
            );
            match Position::new(&rules, &setup) {
                Ok(start) => {
                    assert_eq!(in_check, [start.is_check(), false], "{start}");
                }
                Err(error) => assert_eq!(
                    (error, in_check[1]),
                    (SetupError::NotToMoveInCheck { side: Side::Black }, true)
                ),
            }
            seen[usize::from(in_check[0])][usize::from(in_check[1])] += 1;
        }
    }
    assert!(seen.concat().iter().all(|&setups| setups > 50), "{seen:?}");
}
