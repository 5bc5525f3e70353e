mod epd;
mod parquet;
pub mod pgn;

use std::io::Write;
use std::path::{Path, PathBuf};

use backrank_rules::Rules;
use backrank_selfplay::study::{GameRecord, GamesReader, MoveScore, ScoresReader, Study, StudyDirectory};
use clap::{Args, ValueEnum};

use crate::terminal::failure::Failure;
use crate::terminal::output::Output;
use pgn::CommentForm;

/// Write the games of a study in a format that other programs read
#[derive(Args)]
#[command(after_help = examples!(
    "backrank export runs/all --format pgn -o all.pgn",
    "backrank export runs/all --format pgn --comments eval -o all.pgn",
    "backrank export runs/all --format epd",
    "backrank export runs/all --format parquet -o all.parquet",
))]
pub struct ExportCommand {
    /// The directory of the study
    study: PathBuf,

    /// The format
    #[arg(long, value_enum)]
    format: ExportFormat,

    /// The form of recorded scores in the comments of a PGN
    #[arg(long, value_enum, default_value_t = CommentForm::Cutechess)]
    comments: CommentForm,

    /// The file to write to; it appears only when it is complete
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum ExportFormat {
    /// Portable Game Notation, with the starting position and the game's name; recorded scores become comments
    Pgn,
    /// One line for each game: the first position after the opening, with the game's number and result and, if scores
    /// were recorded, the best move, its score and the depth
    Epd,
    /// The columns of games.csv, and those of scores.csv if scores were recorded, for DuckDB, R and polars
    Parquet,
}

/// The games of a study in order, with the scores of their moves if these were recorded.
struct ExportedStudy {
    study: Study,
    rules: Rules,
    games: GamesReader,
    scores: Option<ScoresReader>,
}

/// A game, and the scores of its moves.
type ScoredGame = (GameRecord, Option<Vec<Option<MoveScore>>>);

impl ExportedStudy {
    fn open(path: &Path) -> Result<Self, Failure> {
        let study = StudyDirectory::read(path)?;
        let rules = Rules::new(&study.variant()?);
        let games = StudyDirectory::read_games(path, &study)?;
        let scores = StudyDirectory::scores(path);
        let scores = study.scores.then(|| ScoresReader::open(&scores)).transpose()?;
        Ok(Self { study, rules, games, scores })
    }

    fn next(&mut self) -> Result<Option<ScoredGame>, Failure> {
        let Some(record) = self.games.next().transpose()? else {
            self.scores.as_mut().map_or(Ok(()), ScoresReader::verify)?;
            return Ok(None);
        };
        let scores = self.scores.as_mut().map(|scores| scores.scores_of(&record)).transpose()?;
        Ok(Some((record, scores)))
    }
}

impl ExportCommand {
    pub fn run(self) -> Result<(), Failure> {
        let mut recorded = ExportedStudy::open(&self.study)?;
        let mut out = Output::open(self.output.as_deref())?;
        if let ExportFormat::Parquet = self.format {
            parquet::write(&mut recorded, &mut out)?;
            return out.finish();
        }
        while let Some((record, scores)) = recorded.next()? {
            let game = record.replay(&recorded.rules).map_err(|problem| recorded.games.wrong(problem))?;
            let scores = scores.unwrap_or_default();
            let text = match self.format {
                ExportFormat::Epd => epd::line(&record, &game, &scores),
                _ => pgn::text(&record, &game, &scores, self.comments),
            };
            out.write_all(text.as_bytes())?;
        }
        out.finish()
    }
}
