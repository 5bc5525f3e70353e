mod draft;

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

use backrank_analysis::table::thousands;
use backrank_enumerate::Space;
use backrank_rules::printable;
use clap::Args;

use crate::args::find_variant;
use crate::args::piece::PieceArg;
use crate::command::schema::SCHEMA;
use crate::terminal::failure::Failure;
use crate::terminal::notes::note;
use crate::terminal::output::Output;
use draft::Draft;

/// Begin a game of your own: write a variant file like another game's, with the pieces that you change
///
/// The file has a comment at each table, and can be counted, played and studied as it is. The schema by which editors complete and
/// check such files is written beside it. `backrank check` tells what is wrong with what you make of it.
#[derive(Args)]
#[command(after_help = examples!(
    "backrank new my.toml",
    "backrank new camels.toml --like capablanca-random --swap 'A=L:BmW' --add 'C=camel:C'",
    "backrank new waffles.toml --like chess960 --swap 'N=waffle'",
    "backrank new surprise.toml --random 7",
))]
pub struct NewCommand {
    /// The file to write; the game's key is its name without `.toml`
    file: PathBuf,

    /// The game that it begins from: a key that `backrank variants` lists, or the path of a variant file
    #[arg(long, value_name = "VARIANT", default_value = "chess960")]
    like: String,

    /// Replace a piece: `A=L:BmW` puts a piece with the letter L and these moves in its places, `A=lion:BmW` one of this name
    /// with the letter A, and `N=waffle` a piece that `backrank moves` knows (can be repeated)
    #[arg(long, value_name = "LETTER=PIECE")]
    swap: Vec<PieceArg>,

    /// Add a piece to each side, on an empty file or else on a file more: `C=camel:C`, `camel`, or `2C=camel:C` for two of
    /// them (can be repeated)
    #[arg(long, value_name = "[NUMBER][LETTER=]PIECE")]
    add: Vec<PieceArg>,

    /// Draw a game at random in place of one like another: its board, its army, its pawns and its setups. The same seed draws the same
    /// game
    #[arg(long, value_name = "SEED", conflicts_with_all = ["like", "swap", "add"])]
    random: Option<u64>,
}

impl NewCommand {
    pub fn run(self) -> Result<(), Failure> {
        let key = match (self.file.file_stem().and_then(|stem| stem.to_str()), self.file.extension()) {
            (Some(key), Some(extension)) if extension == "toml" && !key.is_empty() => key.to_string(),
            _ => {
                return Err(Failure::Input(format!(
                    "{}: a variant file ends in `.toml`, such as my-game.toml",
                    self.file.display()
                )));
            }
        };
        let mut draft = match self.random {
            Some(seed) => Draft::random(seed, &key)?,
            None => Draft::like(&find_variant(&self.like)?, &key)?,
        };
        for piece in &self.swap {
            draft.swap(piece)?;
        }
        for piece in &self.add {
            draft.add(piece)?;
        }
        let text = draft.finish();
        let path = self.file.display().to_string();
        let (variant, space) = Space::diagnose(&key, &path, &text).map_err(|faults| {
            let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
            Failure::Input(format!("the changes make no game:\n{}", faults.join("\n")))
        })?;
        write_new(&self.file, &text)?;
        let schema = self.file.with_file_name("variant.schema.json");
        if !schema.exists() {
            write_new(&schema, SCHEMA)?;
        }
        draft.notes().iter().for_each(|text| note(format_args!("note: {text}")));
        let mut out = Output::stdout();
        writeln!(out, "{path}: {}, {} setups", variant.board, thousands(space.len()))?;
        writeln!(out, "Check it with `backrank check {path}`, and study it with `backrank study {path}`.")?;
        out.finish()
    }
}

/// Writes a file that is not there yet.
fn write_new(path: &Path, text: &str) -> Result<(), Failure> {
    let mut file =
        OpenOptions::new().write(true).create_new(true).open(path).map_err(|error| match error.kind() {
            std::io::ErrorKind::AlreadyExists => Failure::Input(format!(
                "{} is there already and is not overwritten; name another file",
                printable(&path.display().to_string())
            )),
            _ => Failure::writing(path, &error),
        })?;
    file.write_all(text.as_bytes()).map_err(|error| Failure::writing(path, &error))
}
