//! The fingerprint, which distinguishes versions of the embedded engine.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use backrank_endgames::EndgameTables;
use backrank_engine::{Engine, Limits, Weights};
use backrank_enumerate::{Numbering, Space};
use backrank_rules::{Game, Move, Position, Rules, Variant};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sha2::{Digest, Sha256};

/// The numbers of random moves after which positions are taken: at the start, in the opening, and with fewer and fewer
/// pieces.
const PLIES: [usize; 4] = [0, 10, 40, 100];
/// The number of nodes for each position: few enough to take less than a tenth of a second in total, and enough to
/// reach the depths at which studies are played.
const NODES: u64 = 1_500;

/// A game so small that its endgame tables are made in a few milliseconds. The engine uses tables in the same way in every game.
const SMALL: &str = r#"
name = "Small chess"
source = "for the fingerprint alone"
[board]
files = 5
ranks = 5
[pieces]
K = { name = "king", betza = "K", royal = true }
R = { name = "rook", betza = "R" }
B = { name = "bishop", betza = "B" }
N = { name = "knight", betza = "N" }
[pawn]
double_step = false
[setup]
first_rank = "RNKBR"
symmetry = "mirror"
constraints = [{ fixed = "RNKBR" }]
"#;
/// Positions of that game that are in the tables, and positions from which captures lead into the tables.
const NEAR_TABLES: [&str; 5] = [
    "4k/5/2K2/5/R4 w - - 0 1",
    "2k2/5/5/1K3/NB3 b - - 0 1",
    "k4/5/1P3/2K2/5 w - - 0 1",
    "2k2/1r3/5/2K2/1NB2 w - - 0 1",
    "4k/1n3/5/2R2/1K3 w - - 20 1",
];
/// The depth to which each of these is searched. The number of nodes shows whether tables were probed.
const DEPTH_NEAR_TABLES: u32 = 6;

/// A fingerprint of how the embedded engine plays a game: 16 hexadecimal digits that are the same in every build and on
/// every machine, and others as soon as the rules, the pieces' values, the weights, the net or the search change.
///
/// It is a hash of the best line, the score and the nodes of searches of positions from the first, the middle and the last
/// setup of the space, and of the moves that are legal there. The game's endgame tables would take too long to make, so the
/// engine's use of tables is covered by searches of endings in a small game. With a net, the same searches by the weights alone
/// follow.
///
/// ```
/// use backrank_enumerate::Space;
/// use backrank_rules::{Rules, Variant};
/// use backrank_engine::Weights;
/// use backrank_selfplay::player::fingerprint;
///
/// let chess = Variant::find("chess")?;
/// let (rules, space) = (Rules::new(&chess), Space::new(&chess)?);
/// let mut weights = Weights::new(&rules);
/// let own = fingerprint(&rules, &space, &weights);
/// weights.tempo.opening += 10.0;
/// assert_ne!(fingerprint(&rules, &space, &weights), own);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn fingerprint(rules: &Rules, space: &Space, weights: &Weights) -> String {
    let mut text = findings(rules, space, weights);
    if weights.net.is_some() {
        // They still decide exchanges, and score a bare king and a last piece, which may not show in these few positions.
        text += &findings(rules, space, &weights.clone().without_net());
    }
    Sha256::digest(text.as_bytes())[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What the engine finds in some positions of the game, and in some with endgame tables.
fn findings(rules: &Rules, space: &Space, weights: &Weights) -> String {
    let mut ids = vec![0, space.len() / 2, space.len().saturating_sub(1)];
    ids.dedup();
    let mut engine = Engine::new(rules, weights, 1);
    let mut text = String::new();
    for setup in ids.into_iter().filter_map(|id| space.unrank_by(&Numbering::Lex, id)) {
        // A study of the other setups can leave out one that is no position, because Black's king stands in check.
        let Ok(start) = Position::new(rules, &setup) else { continue };
        let mut game = Game::new(start);
        let mut rng = ChaCha8Rng::seed_from_u64(0);
        loop {
            let moves = sorted_moves(&game);
            if game.outcome().is_some() || moves.is_empty() {
                break;
            }
            let plies = game.moves().len();
            if PLIES.contains(&plies) {
                text += &search(&mut engine, &game, &Limits::of_nodes(NODES));
            }
            if plies >= PLIES[PLIES.len() - 1] {
                break;
            }
            game.play(moves[rng.random_range(0..moves.len())]);
        }
    }
    text + &near_tables(weights)
}

/// The engine's findings with endgame tables.
fn near_tables(weights: &Weights) -> String {
    let small = Variant::parse("small", "the fingerprint", SMALL).expect("a variant that is right");
    let rules = Rules::new(&small);
    let mut weights = weights.clone();
    weights.set_game(&rules);
    let engine = Engine::new(&rules, &weights, 1);
    let mut engine = engine.with_tables(Some(Arc::new(EndgameTables::for_play(&rules))));
    let positions = NEAR_TABLES.map(|fen| Position::from_fen(&rules, fen).expect("a position that is right"));
    positions
        .map(|position| search(&mut engine, &Game::new(position), &Limits::of_depth(DEPTH_NEAR_TABLES)))
        .concat()
}

/// The engine's findings in a position, and its legal moves.
fn search<'r>(engine: &mut Engine<'r>, game: &Game<'r>, limits: &Limits) -> String {
    engine.clear();
    let found = engine.search(game, limits, &AtomicBool::new(false), |_| ());
    let position = game.position();
    let moves = [sorted_moves(game), found.line].concat();
    let line: Vec<String> = moves.iter().map(|played| played.uci(position.board())).collect();
    format!("{position} {} {} {}\n", line.join(" "), found.score.to_number(), found.nodes)
}

fn sorted_moves(game: &Game<'_>) -> Vec<Move> {
    let mut moves = game.position().legal_moves();
    moves.sort_unstable();
    moves
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(variant: &Variant) -> String {
        let rules = Rules::new(variant);
        fingerprint(&rules, &Space::new(variant).unwrap(), &Weights::new(&rules))
    }

    #[test]
    fn the_fingerprint_changes_with_values_and_rules() {
        let pmrc = Variant::find("pmrc").unwrap();
        let changed = |from: &str, to: &str| {
            assert!(pmrc.text().contains(from), "{from}");
            of(&Variant::parse("pmrc", "this test", &pmrc.text().replace(from, to)).unwrap())
        };
        let own = of(&pmrc);
        assert_eq!(own.len(), 16);
        assert_eq!(changed("name = \"knight\"", "name = \"horse\""), own, "a name changes no move");
        let knight = pmrc.text().lines().find(|line| line.contains("\"knight\"")).unwrap();
        let value =
            knight.split("value = ").nth(1).unwrap().split(|c: char| !c.is_ascii_digit()).next().unwrap();
        let dearer = knight.replace(value, &(value.parse::<u32>().unwrap() + 40).to_string());
        assert_ne!(changed(knight, &dearer), own);
        let stepping = "[pawn]\ndouble_step = false\n";
        assert_ne!(of(&Variant::parse("pmrc", "this test", &with_pawn(pmrc.text(), stepping)).unwrap()), own);
    }

    /// A variant's text with another section about pawns.
    fn with_pawn(text: &str, section: &str) -> String {
        match text.contains("[pawn]\n") {
            true => text.replace("[pawn]\n", section),
            false => format!("{text}\n{section}"),
        }
    }

    #[test]
    fn endgame_tables_are_asked() {
        let small = Variant::parse("small", "the fingerprint", SMALL).unwrap();
        let rules = Rules::new(&small);
        let mut engine = Engine::new(&rules, &Weights::new(&rules), 1);
        let positions = NEAR_TABLES.map(|fen| Position::from_fen(&rules, fen).unwrap());
        let without = positions
            .map(|position| search(&mut engine, &Game::new(position), &Limits::of_depth(DEPTH_NEAR_TABLES)));
        let with = near_tables(&Weights::new(&rules));
        for (with, without) in with.lines().zip(without) {
            assert_ne!(with, without.trim_end(), "tables make no difference here");
        }
    }
}
