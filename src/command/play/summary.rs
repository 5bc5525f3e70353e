//! The summary of a study after its games.

use std::collections::BTreeMap;
use std::io::Write;

use backrank_analysis::stats::{Estimate, MatchScore, likelihood_of_superiority};
use backrank_analysis::table::thousands;
use backrank_selfplay::play::{Recorder, Tally, Work};
use backrank_selfplay::player::PlayerSpec;
use backrank_selfplay::study::{Ending, Sprt, SprtVerdict, Study};
use serde::{Serialize, Serializer};

use crate::terminal::failure::Failure;
use crate::terminal::output::Output;

/// The results, the difference in strength, and the work of the players.
#[derive(Serialize)]
pub struct Summary {
    games: u64,
    /// The number of different games, move for move.
    different: u64,
    #[serde(serialize_with = "by_name")]
    endings: BTreeMap<Ending, u64>,
    /// The score of the white pieces; `None` without a game.
    white_score: Option<f64>,
    /// The result of the match, if the two players differ.
    #[serde(rename = "match")]
    result: Option<MatchResult>,
    /// The work of each player in this run.
    players: Vec<PlayerWork>,
}

/// The result of the study's first player against its second.
#[derive(Serialize)]
struct MatchResult {
    first: String,
    second: String,
    won: u64,
    drawn: u64,
    lost: u64,
    score: f64,
    elo: Option<Estimate>,
    /// Pairs of games by the half points of the first player, 0 to 4.
    pairs: [u64; 5],
    /// The likelihood that the first player is the stronger one, if there are pairs.
    likelihood_of_superiority: Option<f64>,
    sprt: Option<TestResult>,
}

/// The state of a sequential test.
#[derive(Serialize)]
struct TestResult {
    #[serde(flatten)]
    test: Sprt,
    log_likelihood_ratio: f64,
    /// The bounds of the ratio at which the second Elo is rejected, and accepted.
    bounds: [f64; 2],
    verdict: SprtVerdict,
}

#[derive(Serialize)]
struct PlayerWork {
    name: String,
    moves: u64,
    nodes: u64,
    seconds: f64,
}

fn by_name<S: Serializer>(endings: &BTreeMap<Ending, u64>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(endings.iter().map(|(ending, games)| (ending.to_string(), games)))
}

impl Summary {
    /// The summary of all recorded games of a study, and of the work in this run.
    pub fn new(study: &Study, recorder: &Recorder) -> Self {
        let tally = recorder.tally();
        let games = tally.games();
        let is_match = (study.white != study.black || study.sprt.is_some()) && games > 0;
        Self {
            games,
            different: tally.distinct_games(),
            endings: tally.endings.clone(),
            white_score: (games > 0).then(|| tally.white_score()),
            result: is_match.then(|| MatchResult::new(study, tally)),
            players: work(study, recorder.work()),
        }
    }

    /// Prints the summary as text.
    pub fn print(&self) -> Result<(), Failure> {
        let mut out = Output::stdout();
        let [games, different] = [self.games, self.different].map(thousands);
        writeln!(out, "games        {games}, {different} of them different")?;
        if let Some(white_score) = self.white_score {
            let endings: Vec<String> = self
                .endings
                .iter()
                .map(|(ending, games)| format!("{ending} {}", thousands(*games)))
                .collect();
            writeln!(out, "endings      {}", endings.join(", "))?;
            writeln!(out, "white        {:.1} % of the points", 100.0 * white_score)?;
        }
        if let Some(result) = &self.result {
            result.print(&mut out)?;
        }
        if !self.players.is_empty() {
            writeln!(out)?;
        }
        for PlayerWork { name, moves, nodes, seconds } in &self.players {
            let each_move = (*moves).max(1) as f64;
            writeln!(
                out,
                "{name:<12} {} moves, {:.0} nodes and {:.2} ms a move, {} nodes/s",
                thousands(*moves),
                *nodes as f64 / each_move,
                1000.0 * seconds / each_move,
                thousands((*nodes as f64 / seconds.max(1e-9)) as u128)
            )?;
        }
        out.finish()
    }
}

impl MatchResult {
    fn new(study: &Study, tally: &Tally) -> Self {
        let [won, drawn, lost] = tally.results;
        let pairs = tally.pairs;
        let is_paired = 2 * pairs.iter().sum::<u64>() == tally.games();
        let found = if is_paired { MatchScore::of_pairs(pairs) } else { MatchScore::of_games(tally.results) };
        Self {
            first: study.white.name.clone(),
            second: study.black.name.clone(),
            won,
            drawn,
            lost,
            score: tally.score(),
            elo: found.map(|found| found.elo),
            pairs,
            likelihood_of_superiority: is_paired.then(|| likelihood_of_superiority(&pairs)),
            sprt: study.sprt.map(|test| TestResult::new(test, &pairs)),
        }
    }

    fn print(&self, out: &mut Output) -> Result<(), Failure> {
        let Self { first, second, won, drawn, lost, score, elo, pairs, .. } = self;
        writeln!(out, "\n{first} against {second}")?;
        writeln!(out, "results      {won} won, {drawn} drawn, {lost} lost")?;
        writeln!(out, "score        {:.1} %", 100.0 * score)?;
        if let Some(elo) = elo {
            writeln!(out, "Elo          {elo:+.0}")?;
        }
        let [zero, half, one, more, two] = pairs;
        if pairs.iter().sum::<u64>() > 0 {
            writeln!(
                out,
                "pairs        {zero} of 0 points, {half} of ½, {one} of 1, {more} of 1½, {two} of 2"
            )?;
        }
        if let Some(likelihood) = self.likelihood_of_superiority {
            writeln!(out, "LOS          {:.1} %", 100.0 * likelihood)?;
        }
        if let Some(result) = &self.sprt {
            result.print(first, out)?;
        }
        Ok(())
    }
}

impl TestResult {
    fn new(test: Sprt, pairs: &[u64; 5]) -> Self {
        Self {
            test,
            log_likelihood_ratio: test.log_likelihood_ratio(pairs),
            bounds: test.bounds(),
            verdict: test.verdict(pairs),
        }
    }

    fn print(&self, first: &str, out: &mut Output) -> Result<(), Failure> {
        let Self { test: Sprt { elo0, elo1, normalised, .. }, log_likelihood_ratio, bounds, verdict } = self;
        let [low, high] = bounds;
        let kind = if *normalised { "normalised Elo" } else { "Elo" };
        writeln!(out, "LLR          {log_likelihood_ratio:.2}, bounds {low:.2} and {high:.2}")?;
        writeln!(
            out,
            "SPRT         {verdict}: {}",
            match verdict {
                SprtVerdict::Accepted => format!("{first} is stronger by {elo1} {kind} rather than {elo0}"),
                SprtVerdict::Rejected => format!("{first} is stronger by {elo0} {kind} rather than {elo1}"),
                SprtVerdict::Undecided =>
                    format!("whether {first} is stronger by {elo0} or by {elo1} {kind}"),
            }
        )?;
        Ok(())
    }
}

/// The work of each player. In self-play both are one player. Players that searched no move are left out.
fn work(study: &Study, seats: [Work; 2]) -> Vec<PlayerWork> {
    let of = |player: &PlayerSpec, work: Work| PlayerWork {
        name: player.name.clone(),
        moves: work.moves,
        nodes: work.nodes,
        seconds: work.time.as_secs_f64(),
    };
    let [first, second] = seats;
    if first.moves + second.moves == 0 {
        return Vec::new();
    }
    if study.white != study.black {
        return vec![of(&study.white, first), of(&study.black, second)];
    }
    let both = Work {
        moves: first.moves + second.moves,
        nodes: first.nodes + second.nodes,
        time: first.time + second.time,
    };
    vec![of(&study.white, both)]
}
