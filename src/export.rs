use std::io::Write;
use std::path::PathBuf;

use backrank_rules::{Game, Position, Rules, Side};
use backrank_selfplay::{Ending, GameRecord, MoveScore, ScoresReader, Study, StudyDirectory};
use clap::{Args, ValueEnum};

use crate::failure::Failure;
use crate::output::Output;

/// Write the games of a study in a format that other programs read
#[derive(Args)]
#[command(after_help = examples!(
    "backrank export runs/all --format pgn -o all.pgn",
    "backrank export runs/all --format epd",
))]
pub struct ExportCommand {
    /// The directory of the study
    study: PathBuf,

    /// The format
    #[arg(long, value_enum)]
    format: ExportFormat,

    /// The file to write to; it appears only when it is complete
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum ExportFormat {
    /// Portable Game Notation, with the starting position and the game's name; scores that were recorded are comments
    Pgn,
    /// One line for each game: the position after the opening, where the players begin, with the game's number and result
    Epd,
}

impl ExportCommand {
    pub fn run(self) -> Result<(), Failure> {
        let study = StudyDirectory::read(&self.study)?;
        let rules = Rules::new(&study.variant()?);
        let mut reader = StudyDirectory::read_games(&self.study, &study)?;
        let scores = StudyDirectory::scores(&self.study);
        let mut scores = study.scores.then(|| ScoresReader::open(&scores)).transpose()?;
        let mut out = Output::open(self.output.as_deref())?;
        while let Some(record) = reader.next().transpose()? {
            let game = record.replay(&rules).map_err(|problem| reader.wrong(problem))?;
            let text = match self.format {
                ExportFormat::Pgn => {
                    let scores = scores.as_mut().map(|scores| scores.scores_of(&record)).transpose()?;
                    pgn(&study, &record, &game, &scores.unwrap_or_default())
                }
                ExportFormat::Epd => epd(&record, &game),
            };
            out.write_all(text.as_bytes())?;
        }
        out.finish()
    }
}

/// The text of a position. It has the seventh field only if that is not `-`, because other programs read six.
fn fen(position: &Position<'_>) -> String {
    let has_unmoved = Side::BOTH.into_iter().any(|side| position.unmoved(side).next().is_some());
    if has_unmoved { position.to_fen() } else { position.to_standard_fen() }
}

fn pgn(study: &Study, record: &GameRecord, game: &Game<'_>, scores: &[Option<MoveScore>]) -> String {
    let mut text = String::new();
    let reason = match record.termination {
        Ending::Rules(_) => "normal",
        Ending::Adjudication => "adjudication",
        Ending::Time => "time forfeit",
        Ending::EngineFailure => "abandoned",
    };
    let (round, result, plies) = (record.game + 1, record.result.to_string(), record.plies.to_string());
    let fen = fen(game.start());
    let tags = [
        ("Event", "backrank"),
        ("Site", "?"),
        ("Date", "????.??.??"),
        ("Round", &round.to_string()),
        ("White", &record.white),
        ("Black", &record.black),
        ("Result", &result),
        // Readers take a game without a variant for orthodox chess.
        ("Variant", if game.start().rules().variant().is_orthodox() { "" } else { &study.variant.key }),
        ("SetUp", "1"),
        ("FEN", &fen),
        ("PlyCount", &plies),
        ("Termination", reason),
        ("Ending", &record.termination.to_string()),
        ("Odds", &record.odds),
    ];
    for (name, value) in tags.into_iter().filter(|(_, value)| !value.is_empty()) {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        text.push_str(&format!("[{name} \"{value}\"]\n"));
    }
    text.push('\n');
    let mut position = *game.start();
    let mut line = String::new();
    let mut add = |word: &str| {
        if !line.is_empty() && line.len() + 1 + word.len() > 79 {
            text.push_str(&line);
            text.push('\n');
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    };
    for (ply, &played) in game.moves().iter().enumerate() {
        let number = position.fullmove_number();
        match position.side_to_move() {
            Side::White => add(&format!("{number}.")),
            Side::Black if ply == 0 => add(&format!("{number}...")),
            Side::Black => (),
        }
        add(&position.notation(played));
        if let Some(score) = scores.get(ply).copied().flatten() {
            add(&comment(score));
        }
        position.play(played);
    }
    add(&result);
    text.push_str(&line);
    text.push_str("\n\n");
    text
}

/// What a player thought of its move, as cutechess writes it: pawns or `M` and the plies to mate, and the depth. The time
/// is left out, as it is not the same in every run.
fn comment(MoveScore { score, depth }: MoveScore) -> String {
    match (score.as_centipawns(), score.as_plies_to_end()) {
        (Some(centipawns), _) => format!("{{{:+.2}/{depth}}}", f64::from(centipawns) / 100.0),
        (None, Some(plies)) => format!("{{{}M{}/{depth}}}", if plies > 0 { '+' } else { '-' }, plies.abs()),
        (None, None) => unreachable!("a score is centipawns or a distance"),
    }
}

fn epd(record: &GameRecord, game: &Game<'_>) -> String {
    let mut position = *game.start();
    game.moves().iter().take(record.opening_plies as usize).for_each(|&played| position.play(played));
    let fen = position.to_fen();
    let fields: Vec<&str> = fen.split(' ').collect();
    let unmoved = match fields.get(6) {
        Some(&unmoved) if unmoved != "-" => format!(" unmoved \"{unmoved}\";"),
        _ => String::new(),
    };
    format!(
        "{} hmvc {}; fmvn {};{unmoved} id \"game {}\"; c0 \"{} {}\";\n",
        fields[..4].join(" "),
        fields[4],
        fields[5],
        record.game,
        record.result,
        record.termination
    )
}
