//! Does the engine win what is won? It plays both sides of positions drawn at random among those that exact tables give as
//! won for White, and the share that ends in mate is printed for each ending.
//!
//!     cargo run --release -p backrank-selfplay --example won-endings
//!     cargo run --release -p backrank-selfplay --example won-endings -- pmrc 300 1000 KBNvK KQMvK
//!     cargo run --release -p backrank-selfplay --example won-endings -- chess960+D=WD+X=WA 300 1000 KDvK KXXvK
//!
//! The arguments are the variant, with pieces to add to it, nodes a move, positions of each ending, and the endings; these
//! defaults are those of Pseudo-Modern Random Chess. It exits with 1 where fewer are won than there should be: all of those with
//! three men, 95 % of bishop and knight and of those against a knight or a bishop, 85 % of queen against rook, 99 % of the others.

use std::error::Error;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use backrank_endgames::{Endgame, EndgameTables, EndgameValue};
use backrank_engine::{Engine, Limits, Weights};
use backrank_rules::{Game, GameResult, Position, PositionBuilder, Rules, Side, Square, Variant};
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

const ENDINGS: &str = "KQvK KRvK KMvK KQMvK KRRvK KRBvK KMNvK KBBvK KBNvK KQvKN KQvKB KMvKN KMvKB KQvKR";

/// Bytes that the exact tables of one ending may take.
const MAX_BYTES: u64 = 2 << 30;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let argument =
        |index: usize, default: &str| arguments.get(index).map_or(default, |text| text).to_string();
    let rules = Rules::new(&with_pieces(&argument(0, "pmrc"))?);
    let (nodes, positions) = (argument(1, "300").parse()?, argument(2, "1000").parse()?);
    let endings = if arguments.len() > 3 { arguments[3..].join(" ") } else { ENDINGS.to_string() };
    let tables = Arc::new(EndgameTables::for_play(&rules));
    let mut enough = true;
    for name in endings.split_whitespace() {
        let ending = Endgame::parse(name, &rules)?;
        let exact = EndgameTables::build(&rules, std::slice::from_ref(&ending), MAX_BYTES, |_| ())?;
        let starts = won_positions(&rules, &ending, &exact, positions);
        let unfinished: Vec<String> = starts
            .par_iter()
            .filter(|&&start| !is_won(&rules, &tables, start, nodes))
            .map(Position::to_fen)
            .collect();
        let won = 1.0 - unfinished.len() as f64 / positions as f64;
        let least = match (ending.men().len(), name) {
            (3, _) => 1.0,
            (_, "KQvKR") => 0.85,
            (_, "KBNvK") => 0.95,
            _ if !name.ends_with("vK") => 0.95,
            _ => 0.99,
        };
        enough &= won >= least;
        println!(
            "{name:<6} {:>6.1} % of {positions} won, to be at least {:.0} %",
            100.0 * won,
            100.0 * least
        );
        unfinished.iter().take(3).for_each(|fen| println!("       not: {fen}"));
    }
    Ok(if enough { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// A game of the catalogue with further pieces, written as `KEY+LETTER=MOVES`.
fn with_pieces(text: &str) -> Result<Variant, Box<dyn Error>> {
    let mut parts = text.split('+');
    let mut variant = Variant::find(parts.next().unwrap_or_default())?;
    for piece in parts {
        let (letter, moves) =
            piece.split_once('=').ok_or_else(|| format!("`{piece}` is no piece such as D=WD"))?;
        variant = variant.with_piece(letter.parse()?, moves, moves)?;
    }
    Ok(variant)
}

/// Positions that White, who is to move, wins within fifty moves.
fn won_positions<'r>(
    rules: &'r Rules,
    ending: &Endgame,
    exact: &EndgameTables,
    number: usize,
) -> Vec<Position<'r>> {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let draws = std::iter::repeat_with(|| draw(rules, ending, &mut rng));
    let is_won = |position: &Position<'_>| matches!(exact.probe(position), Some(EndgameValue::Win { plies }) if plies <= 100);
    draws.flatten().filter(is_won).take(number).collect()
}

/// The men on squares drawn at random; none where that is no position.
fn draw<'r>(rules: &'r Rules, ending: &Endgame, rng: &mut impl Rng) -> Option<Position<'r>> {
    let mut squares: Vec<Square> = rules.board().all_squares().into_iter().collect();
    let (drawn, _) = squares.partial_shuffle(rng, ending.men().len());
    let mut builder = PositionBuilder::new(rules);
    for (man, &mut square) in ending.men().iter().zip(drawn) {
        builder.put(square, man.side, man.kind);
    }
    builder.build().ok()
}

/// Whether the engine, with so many nodes a move for both sides, mates.
fn is_won(rules: &Rules, tables: &Arc<EndgameTables>, start: Position<'_>, nodes: u64) -> bool {
    let mut engine = Engine::new(rules, &Weights::new(rules), 1).with_tables(Some(Arc::clone(tables)));
    let mut game = Game::new(start);
    while game.outcome().is_none() {
        let found = engine.search(&game, &Limits::of_nodes(nodes), &AtomicBool::new(false), |_| ());
        game.play(found.best.expect("a game that is not over has a legal move"));
    }
    game.outcome().is_some_and(|outcome| outcome.result == GameResult::Win(Side::White))
}
