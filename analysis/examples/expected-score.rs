//! The curves by which an atlas turns centipawns into an expected score, fitted to games that were played with `--scores`:
//!
//!     cargo run --release -p backrank-analysis --example expected-score -- runs/pmrc runs/chess960
//!
//! prints what stands in `selfplay/src/atlas/expected-score.toml`: a curve for each game, one for all of them together, and
//! one for the centipawns of each other engine that has played a game.
//! `data/atlas/make-curve.sh` plays the games.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::PathBuf;

use backrank_analysis::atlas::ScoredGames;
use backrank_selfplay::atlas::ScoreCurve;
use backrank_selfplay::study::{ScoresReader, StudyDirectory};

fn main() -> Result<(), Box<dyn Error>> {
    let mut games: BTreeMap<String, (ScoredGames, String)> = BTreeMap::new();
    let mut all = ScoredGames::default();
    let mut ours = Vec::new();
    for path in std::env::args_os().skip(1).map(PathBuf::from) {
        let study = StudyDirectory::read(&path)?;
        let mut scores = ScoresReader::open(&StudyDirectory::scores(&path))?;
        let mut found = ScoredGames::default();
        for record in StudyDirectory::read_games(&path, &study)? {
            let record = record?;
            found.add(&record, &scores.scores_of(&record)?);
        }
        let by = match &study.white.reported {
            Some(engine) => format!(" by {engine}"),
            None => {
                all.extend(&found);
                ours.push(study.variant.key.clone());
                String::new()
            }
        };
        let nodes =
            study.limits.nodes.map_or("other limits".to_string(), |nodes| format!("{nodes} nodes a move"));
        let source = format!("play {} --scores{by} at {nodes}, seed {}", study.variant.key, study.seed);
        games.insert(format!("{}{by}", study.variant.key), (found, source));
    }
    ours.sort_unstable();
    let source = format!("the games of {} together", ours.join(", "));
    games.insert("any".to_string(), (all, source));
    let curves = games.into_iter().map(|(key, (games, source))| {
        let curve = games.fit(source).ok_or_else(|| format!("{key}: these games decide no curve"))?;
        Ok((key, curve))
    });
    let curves = curves.collect::<Result<BTreeMap<String, ScoreCurve>, String>>()?;
    print!(
        "# Made by `cargo run --release -p backrank-analysis --example expected-score`.\n\n{}",
        toml::to_string(&curves)?
    );
    Ok(())
}
