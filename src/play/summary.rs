//! What a study says in the end.

use std::io::Write;

use backrank_analysis::{MatchScore, thousands};
use backrank_selfplay::{Recorder, Study, Work};

use crate::failure::Failure;
use crate::output::Output;

/// Prints results, the difference in strength, and what the players did.
pub fn print(study: &Study, recorder: &Recorder) -> Result<(), Failure> {
    let tally = recorder.tally();
    let mut out = Output::stdout();
    let [won, drawn, lost] = tally.results;
    let games = tally.games();
    let distinct = thousands(tally.distinct_games());
    writeln!(out, "games        {}, {distinct} of them different", thousands(games))?;
    if games == 0 {
        return out.finish();
    }
    let endings: Vec<String> =
        tally.endings.iter().map(|(ending, number)| format!("{ending} {}", thousands(*number))).collect();
    writeln!(out, "endings      {}", endings.join(", "))?;
    writeln!(out, "white        {:.1} % of the points", 100.0 * tally.white_score())?;
    if study.white != study.black {
        let [first, second] = [&study.white.name, &study.black.name];
        writeln!(out, "\n{first} against {second}")?;
        writeln!(out, "results      {won} won, {drawn} drawn, {lost} lost")?;
        writeln!(out, "score        {:.1} %", 100.0 * tally.score())?;
        let pairs = tally.pairs;
        let paired = 2 * pairs.iter().sum::<u64>() == games;
        let found = if paired { MatchScore::of_pairs(pairs) } else { MatchScore::of_games(tally.results) };
        if let Some(MatchScore { elo, .. }) = found {
            writeln!(out, "Elo          {elo:+.0}")?;
        }
        if pairs.iter().sum::<u64>() > 0 {
            let [zero, half, one, more, two] = pairs;
            writeln!(
                out,
                "pairs        {zero} of 0 points, {half} of ½, {one} of 1, {more} of 1½, {two} of 2"
            )?;
        }
    }
    if recorder.work().iter().all(|work| work.moves == 0) {
        return out.finish();
    }
    // In self-play the two seats are one player.
    let mut work = recorder.work();
    let mut players = vec![&study.white, &study.black];
    if study.white == study.black {
        let [first, second] = work;
        work[0] = Work {
            moves: first.moves + second.moves,
            nodes: first.nodes + second.nodes,
            time: first.time + second.time,
        };
        players.pop();
    }
    writeln!(out)?;
    for (player, work) in players.into_iter().zip(work) {
        let seconds = work.time.as_secs_f64();
        writeln!(
            out,
            "{:<12} {} moves, {:.0} nodes and {:.2} ms a move, {} nodes/s",
            player.name,
            thousands(work.moves),
            work.nodes as f64 / work.moves.max(1) as f64,
            1000.0 * seconds / work.moves.max(1) as f64,
            thousands((work.nodes as f64 / seconds.max(1e-9)) as u128)
        )?;
    }
    out.finish()
}
