//! Do sides that are winning win? For each study: how its games ended, the games drawn although exact tables give one side
//! a win, and how often a side wins that is six pawns ahead in a quiet position: by its pieces, and by its pieces and the
//! static evaluation, which also sees a pawn that runs through or a king that is in danger.
//!
//!     cargo run --release -- play pmrc -o conversion --setups random:2000 --seed 1 --nodes 1000
//!     cargo run --release -p backrank-selfplay --example conversion -- conversion
//!
//! It exits with 1 where a game was drawn in a won position of three men, or where 98 % or fewer of those who were six
//! pawns ahead won.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;
use std::path::Path;
use std::process::ExitCode;

use backrank_endgames::{EndgameTables, EndgameValue};
use backrank_engine::{Evaluator, Weights};
use backrank_rules::{GameResult, Letter, PieceKind, Position, Rules, Side};
use backrank_selfplay::study::{GameRecord, StudyDirectory};

/// An advantage that should win, in pawns.
const AHEAD: f64 = 6.0;

/// The advantages whose games are counted, in pawns.
const ADVANTAGES: [f64; 5] = [4.0, AHEAD, 8.0, 10.0, 12.0];

/// Plies without a capture or promotion before and after a position that is called quiet.
const QUIET_PLIES: usize = 2;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut enough = true;
    for directory in std::env::args().skip(1) {
        enough &= convert(Path::new(&directory))?;
    }
    Ok(if enough { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Prints what the games of a study say; whether it is as it should be.
fn convert(directory: &Path) -> Result<bool, Box<dyn Error>> {
    let study = StudyDirectory::read(directory)?;
    let rules = Rules::new(&study.variant()?);
    let tables = EndgameTables::three_men(&rules);
    let evaluator = Evaluator::new(&rules, &Weights::new(&rules));
    let mut endings: BTreeMap<String, u32> = BTreeMap::new();
    let mut drawn_when_won = Vec::new();
    let mut ahead: [[LeaderResults; ADVANTAGES.len()]; 2] = Default::default();
    let mut games = 0_u32;
    for record in StudyDirectory::read_games(directory, &study)? {
        let record = record?;
        games += 1;
        *endings.entry(record.termination.to_string()).or_default() += 1;
        let positions = positions_of(&rules, &record)?;
        let end = &positions[positions.len() - 1].0;
        if record.result == Some(GameResult::Draw)
            && matches!(tables.probe(end), Some(EndgameValue::Win { .. } | EndgameValue::Loss { .. }))
        {
            drawn_when_won.push(end.to_fen());
        }
        let leads: Vec<[f64; 2]> = positions
            .iter()
            .enumerate()
            .map(
                |(ply, (position, _))| {
                    if is_quiet(&positions, ply) { leads(&evaluator, &rules, position) } else { [0.0; 2] }
                },
            )
            .collect();
        for (way, ahead) in ahead.iter_mut().enumerate() {
            for (&advantage, counts) in ADVANTAGES.iter().zip(ahead) {
                let leaders = leads
                    .iter()
                    .filter(|leads| leads[way].abs() >= advantage)
                    .map(|leads| if leads[way] > 0.0 { Side::White } else { Side::Black });
                counts.add(leaders, &record);
            }
        }
    }
    println!("{}: {games} games", directory.display());
    endings.iter().for_each(|(ending, games)| println!("  {games:>6} {ending}"));
    println!("  {:>6} drawn in a won position of three men", drawn_when_won.len());
    drawn_when_won.iter().take(3).for_each(|fen| println!("         {fen}"));
    for (way, ahead) in ["by pieces", "by pieces and evaluation"].iter().zip(&ahead) {
        for (advantage, counts) in ADVANTAGES.iter().zip(ahead) {
            println!("  {advantage:>2} pawns ahead in a quiet position {way}: {counts}");
        }
    }
    let enough =
        ADVANTAGES.iter().zip(&ahead[0]).all(|(&pawns, counts)| pawns != AHEAD || counts.share() > 0.98);
    Ok(drawn_when_won.is_empty() && enough)
}

/// How games ended for the side that was ahead first, and for those that were ahead in all positions.
#[derive(Default)]
struct LeaderResults {
    positions: u32,
    won_positions: u32,
    won: u32,
    /// By how they ended.
    drawn: BTreeMap<String, u32>,
    lost: u32,
}

impl LeaderResults {
    /// Adds a game, by the sides that are ahead in its positions.
    fn add(&mut self, leaders: impl Iterator<Item = Side>, record: &GameRecord) {
        let mut leaders = leaders.peekable();
        let Some(&leader) = leaders.peek() else { return };
        for leader in leaders {
            self.positions += 1;
            self.won_positions += u32::from(record.result == Some(GameResult::Win(leader)));
        }
        match record.result {
            Some(GameResult::Win(winner)) if winner == leader => self.won += 1,
            Some(GameResult::Win(_)) => self.lost += 1,
            Some(GameResult::Draw) | None => {
                *self.drawn.entry(record.termination.to_string()).or_default() += 1;
            }
        }
    }

    fn share(&self) -> f64 {
        let drawn: u32 = self.drawn.values().sum();
        f64::from(self.won) / f64::from((self.won + drawn + self.lost).max(1))
    }
}

impl fmt::Display for LeaderResults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1} % won: {} won, {} lost", 100.0 * self.share(), self.won, self.lost)?;
        self.drawn.iter().try_for_each(|(ending, games)| write!(f, ", {games} {ending}"))?;
        let share = f64::from(self.won_positions) / f64::from(self.positions.max(1));
        write!(f, "; {:.1} % of all {} such positions", 100.0 * share, self.positions)
    }
}

/// The positions of a game, each with whether the move that is played in it takes or promotes something.
fn positions_of<'r>(rules: &'r Rules, record: &GameRecord) -> Result<Vec<(Position<'r>, bool)>, String> {
    let game = record.replay(rules)?;
    let mut position = *game.start();
    let mut positions = Vec::new();
    for &played in game.moves() {
        positions.push((position, position.is_tactical(played)));
        position.play(played);
    }
    positions.push((position, false));
    Ok(positions)
}

/// Whether nothing is taken or promoted around a position, and nobody is in check.
fn is_quiet(positions: &[(Position<'_>, bool)], ply: usize) -> bool {
    let around = ply.saturating_sub(QUIET_PLIES)..(ply + QUIET_PLIES).min(positions.len());
    !positions[ply].0.is_check() && positions[around].iter().all(|&(_, tactical)| !tactical)
}

/// How many pawns White is ahead by the engine's values of pieces, and by these and the static evaluation: by the lesser of
/// the two, if they agree who is ahead. A pawn of the evaluation is a hundred centipawns.
fn leads(evaluator: &Evaluator, rules: &Rules, position: &Position<'_>) -> [f64; 2] {
    let total = |side: Side| -> i32 {
        let kinds = rules.kinds().filter(|&kind| rules.letter_of(kind) != Letter::K);
        kinds
            .map(|kind| {
                evaluator.value(kind) * (position.of_kind(kind) & position.pieces(side)).count() as i32
            })
            .sum()
    };
    let by_pieces =
        f64::from(total(Side::White) - total(Side::Black)) / f64::from(evaluator.value(PieceKind::PAWN));
    let score = f64::from(evaluator.evaluate(position)) / 100.0;
    let by_evaluation = if position.side_to_move() == Side::White { score } else { -score };
    let by_both = if by_pieces * by_evaluation > 0.0 {
        by_pieces.signum() * by_pieces.abs().min(by_evaluation.abs())
    } else {
        0.0
    };
    [by_pieces, by_both]
}
