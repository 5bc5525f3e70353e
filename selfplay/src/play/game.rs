//! Playing one game.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use backrank_endgames::EndgameTables;
use backrank_engine::{Clock, Limits, NoMemory, Weights};
use backrank_rules::{Game, GameResult, Side};

use super::Run;
use super::adjudicate::Adjudicator;
use super::in_order::RunError;
use super::opening::Openings;

use crate::player::{Choice, Player, PlayerError, PlayerSpec};
use crate::study::{Ending, GameRecord, MoveScore, NoStart, ScheduledGame};

/// A game that has been played, with what only the run itself needs to know of it.
#[derive(Clone, Debug)]
pub struct PlayedGame {
    /// Its row of `games.csv`.
    pub record: GameRecord,
    /// The score that the player gave each of its moves; `None` for the plies of the opening.
    pub scores: Vec<Option<MoveScore>>,
    /// The work of the study's White and of its Black, in this order. In pairs they change colours in every second
    /// game.
    pub work: [Work; 2],
    /// The failure that ended the game, if a player failed.
    pub failure: Option<EngineFailure>,
}

/// The work that a player did to choose its moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// The number of moves it chose.
    pub moves: u64,
    /// The number of nodes it says it searched.
    pub nodes: u64,
    /// The time it took, by our clock.
    pub time: Duration,
}

/// The failure of a player.
#[derive(Clone, Debug)]
pub struct EngineFailure {
    /// The player's name.
    pub name: String,
    /// What went wrong.
    pub problem: String,
    /// The last lines of its output.
    pub last_lines: Vec<String>,
}

/// The two players of one thread. A player that failed is launched again for the next game.
pub(super) struct Seats<'a, 'r> {
    run: &'a Run<'a, 'r>,
    tables: Option<&'a Arc<EndgameTables>>,
    players: [Option<Player<'r>>; 2],
    openings: Openings<'r>,
}

/// Why a game was not played.
#[derive(Debug)]
pub enum GameError {
    /// There is not enough memory for a player's transposition table.
    Memory(NoMemory),
    /// There is no position to start from.
    Start(NoStart),
}

impl From<NoMemory> for GameError {
    fn from(error: NoMemory) -> Self {
        Self::Memory(error)
    }
}

impl From<NoStart> for GameError {
    fn from(error: NoStart) -> Self {
        Self::Start(error)
    }
}

impl<E> From<GameError> for RunError<E> {
    fn from(error: GameError) -> Self {
        match error {
            GameError::Memory(error) => Self::Memory(error),
            GameError::Start(error) => Self::Start(error),
        }
    }
}

impl<'a, 'r> Seats<'a, 'r> {
    /// `weights` are those by which openings are judged.
    pub fn new(run: &'a Run<'a, 'r>, tables: Option<&'a Arc<EndgameTables>>, weights: &Weights) -> Self {
        Self { run, tables, players: [None, None], openings: Openings::new(run.rules, weights) }
    }

    fn spec(&self, seat: usize) -> &'a PlayerSpec {
        if seat == 0 { &self.run.study.white } else { &self.run.study.black }
    }

    /// Plays a game to its end; `None` if the run was told to stop.
    ///
    /// # Errors
    ///
    /// When there is not enough memory, or no position to start from. Any other failure of a player is recorded as the end
    /// of the game.
    pub fn play(&mut self, number: u64) -> Result<Option<PlayedGame>, GameError> {
        let study = self.run.study;
        let scheduled = ScheduledGame::of(study, number);
        let mut rng = scheduled.rng(study);
        let start = self.run.starts.get(scheduled, study, self.run.rules, &mut rng)?;
        // Both games of a pair have the same opening, unless another side begins.
        let own_start = [start.position(scheduled)];
        let starts = if study.swap_sides { &own_start[..] } else { &start.positions };
        let opening = self.openings.draw(starts, study.opening, &mut rng);
        // The seat with the white pieces.
        let white = scheduled.swaps_players as usize;
        let mut game = Game::new(start.position(scheduled));
        opening.iter().for_each(|&played| game.play(played));
        let mut adjudicator = Adjudicator::new(study.adjudication, self.tables.map(Arc::as_ref));
        let mut scores = vec![None; opening.len()];
        let mut work = [Work::default(); 2];
        let mut failure = None;
        let mut ready = [false; 2];
        let mut limits = study.limits.search();
        let mut clocks = study.limits.clock.map(|control| [control.start(); 2]);
        let (result, ending) = loop {
            if let Some(outcome) = game.outcome() {
                break (outcome.result, Ending::Rules(outcome.termination));
            }
            let move_number = game.position().fullmove_number();
            let adjudicated = adjudicator
                .result(game.moves().len() as u32, move_number)
                .or_else(|| adjudicator.known_result(game.position()));
            if let Some(result) = adjudicated {
                break (result, Ending::Adjudication);
            }
            let side = game.position().side_to_move();
            let seat = if side == Side::White { white } else { 1 - white };
            let is_new = !std::mem::replace(&mut ready[seat], true);
            let opponent = clocks.map(|clocks| clocks[side.other() as usize].read());
            limits.clock = clocks.map(|clocks| clocks[side as usize].read());
            match self.choose(seat, is_new, &game, &limits, opponent) {
                Ok(choice) => {
                    work[seat].moves += 1;
                    work[seat].nodes = work[seat].nodes.saturating_add(choice.nodes);
                    work[seat].time += choice.time;
                    if clocks.as_mut().is_some_and(|clocks| !clocks[side as usize].stop(choice.time)) {
                        let can_mate = game.position().can_mate(side.other());
                        let result = if can_mate { GameResult::Win(side.other()) } else { GameResult::Draw };
                        break (result, Ending::Time);
                    }
                    adjudicator.record_score(side, choice.score);
                    scores.push(choice.score.map(|score| MoveScore { score, depth: choice.depth }));
                    game.play(choice.played);
                }
                Err(PlayerError::Stopped) => return Ok(None),
                Err(PlayerError::Memory(error)) => return Err(error.into()),
                Err(error) => {
                    let failed = self.players[seat].take();
                    failure = Some(EngineFailure {
                        name: self.spec(seat).name.clone(),
                        problem: error.to_string(),
                        last_lines: failed.map(|player| player.last_lines()).unwrap_or_default(),
                    });
                    break (GameResult::Win(side.other()), Ending::EngineFailure);
                }
            }
            if self.run.stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
        };
        let board = self.run.rules.board();
        let recorded = if study.without_moves { &[] } else { game.moves() };
        let moves: Vec<String> = recorded.iter().map(|played| played.uci(board)).collect();
        let [white_rank, black_rank] = start.ranks;
        let record = GameRecord {
            game: number,
            setup: start.setup,
            white_rank,
            black_rank,
            fen: game.start().to_fen(),
            odds: scheduled.odds(study).map(|odds| odds.to_string()).unwrap_or_default(),
            white: self.spec(white).name.clone(),
            black: self.spec(1 - white).name.clone(),
            result: Some(result),
            termination: ending,
            plies: game.moves().len() as u32,
            opening_plies: opening.len() as u32,
            moves: moves.join(" "),
            source: start.source,
            ratings: None,
        };
        Ok(Some(PlayedGame { record, scores, work, failure }))
    }

    fn choose(
        &mut self,
        seat: usize,
        is_new: bool,
        game: &Game<'r>,
        limits: &Limits,
        opponent: Option<Clock>,
    ) -> Result<Choice, PlayerError> {
        let player = match &mut self.players[seat] {
            Some(player) => player,
            empty => {
                let spec = if seat == 0 { &self.run.study.white } else { &self.run.study.black };
                let player =
                    empty.insert(Player::launch(spec, self.run.rules, self.run.timeout, self.tables)?);
                player.prepare(spec, self.run.rules, Some(self.run.stop))?;
                player
            }
        };
        if is_new {
            player.new_game(self.run.stop)?;
        }
        player.choose(game, limits, opponent, self.run.stop)
    }
}
