mod by_network;
mod engine;
mod facts;
mod measuring;
mod show;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use backrank_analysis::games::{Column, Material};
use backrank_analysis::values::{Imbalances, Unit, strongest_beside};
use backrank_rules::files::read_named_text;
use backrank_rules::{Letter, Rules, Side, Variant};
use clap::Args;

use crate::args::piece::PieceArg;
use crate::args::without::Without;
use crate::args::{ExperimentArgs, check_played, find_variant};
use crate::command::study::interrupt::Interrupt;
use crate::command::study::read_time;
use crate::terminal::failure::Failure;
use engine::EnginesValues;
use facts::Facts;
use measuring::Measuring;

/// Measure what a piece is worth, by games in which it stands in the places of pieces whose values are known
///
/// One side has the piece in place of a knight, of two bishops, of a queen with a rook less on the other side and so on; in the second
/// game of each pair the sides are swapped. Castling partners are not replaced, so that no side loses castling. Setups are drawn
/// for each pair, and imbalances are chosen so that games are near even and the value becomes precise fast. The values of the
/// other pieces come from games that were played before (--anchor). A fifth of the time goes to a pilot, by which the engine
/// learns what to take the piece for; its games count as well. Run the command again to add games.
#[derive(Args)]
#[command(after_help = examples!(
    "backrank value WA --time 30s -o runs/waffle",
    "backrank value 'mQcN' NN --on capablanca-random --predict",
    "backrank value camel zebra --predict",
    "backrank value FD --more --games 200 -o runs/fers-dabbaba",
))]
pub struct ValueCommand {
    /// The pieces: moves in Betza's notation such as `WA`, names that `backrank moves` knows, letters of pieces that the game has but
    /// no side starts with, or a letter of your own with one of these: `X=camel`, `X=lion:BmW`
    #[arg(required = true)]
    pieces: Vec<String>,

    /// The game: a key that `backrank variants` lists, or the path of a variant file
    #[arg(long, value_name = "VARIANT", default_value = "chess960")]
    on: String,

    /// About how long everything may take, such as 90s, 2m, 30m or 1h
    #[arg(long, default_value = "2m", value_parser = read_time)]
    time: Duration,

    /// Play this many games, however long they take: the same command gives the same games. A fifth of them are the pilot's
    #[arg(long, conflicts_with = "time", value_parser = clap::value_parser!(u64).range(FEWEST..=1_000_000_000))]
    games: Option<u64>,

    /// The directory of the games [default: value-PIECE]
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,

    /// Also play games that tell what the value depends on: with a second piece and more of them, and where neither side has some others
    #[arg(long)]
    more: bool,

    /// Play all games without these pieces on either side, such as R+B+N+4P: what the piece is worth later in a game
    #[arg(long, value_name = "PIECES")]
    without: Option<Without>,

    /// Say what is known without games, and play none
    #[arg(long, conflicts_with_all = ["more", "without"])]
    predict: bool,

    /// Games by which the values of the other pieces are known: a file that `backrank values --pairs` wrote, or `none`
    /// [default: those that come with the program, where there are any for the board]
    #[arg(long, value_name = "FILE")]
    anchor: Option<PathBuf>,

    /// A piece of known value, and this value, such as N=3.25 [default: N=3.25, or R=5 where there is no knight]
    #[arg(long, value_name = "KIND=NUMBER")]
    unit: Option<Unit>,

    #[command(flatten)]
    experiment: ExperimentArgs,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The fewest games: each round of the pilot's needs a pair.
const FEWEST: u64 = 100;

/// The largest file of pairs.
const LARGEST: u64 = 1 << 20;

impl ValueCommand {
    pub fn run(self) -> Result<(), Failure> {
        let start = Instant::now();
        let (variant, letters) = self.game()?;
        check_played(&variant)?;
        let rules = Rules::new(&variant);
        if let Some(without) = &self.without {
            without.check(&variant)?;
        }
        let unit = self.unit(&variant)?;
        let mut facts = Facts::of(&rules, &letters, unit);
        if self.predict {
            facts.add_network(&variant, unit);
            return if self.json { show::json(&facts, None) } else { show::facts(&facts, &rules) };
        }
        if !self.json {
            show::facts(&facts, &rules)?;
        }
        let path = self.path(&variant, &letters);
        let interrupt = Interrupt::listen()?;
        let mut measuring = Measuring {
            command: &self,
            letters: &letters,
            unit,
            path: path.clone(),
            interrupt,
            start,
            tables: None,
        };
        let (played_by, pilot) = measuring.played_by(&rules)?;
        let found = measuring.measure(&Rules::new(&played_by), pilot.as_ref())?;
        if found.games == 0 {
            let time = humantime::format_duration(self.time);
            return Err(Failure::Other(format!(
                "no game was finished within {time}, which the tables of endgames take as well; give it more --time"
            )));
        }
        let measured = (played_by, found.known.values(unit));
        let strongest = strongest_beside(&rules, &letters);
        let beside = |&letter: &Letter| found.known.beside_kind(letter, strongest?, unit);
        let beside_strongest = letters.iter().filter_map(beside).collect();
        let by_others = self.more.then(|| found.known.values_by_others(&letters, unit));
        let engine = EnginesValues::of(&letters, pilot.as_ref().map(|pilot| &pilot.measured), &measured);
        let found = show::Found {
            values: &measured.1,
            known: &found.known,
            games: found.games,
            of_pilot: found.of_pilot,
            beside_strongest,
            by_others,
            of_anchor: found.of_anchor,
            engine,
            without: &found.without,
            path: &path,
        };
        if self.json { show::json(&facts, Some(&found)) } else { show::values(&facts, &found) }
    }

    /// The game with the pieces, and their letters.
    fn game(&self) -> Result<(Variant, Vec<Letter>), Failure> {
        let mut variant = find_variant(&self.on)?;
        let mut letters = Vec::new();
        for text in &self.pieces {
            // A kind of the game that no side starts with.
            let in_reserve = text.parse::<Letter>().ok().filter(|&letter| {
                let is_royal = variant.piece(letter).is_none_or(|piece| piece.royal);
                !is_royal && Side::BOTH.iter().all(|&side| variant.starts_with(side, letter) == 0)
            });
            let letter = match in_reserve {
                Some(letter) => letter,
                None => {
                    let piece: PieceArg = text.parse().map_err(Failure::Input)?;
                    let (with_piece, letter) = piece.add_to(&variant)?;
                    variant = with_piece;
                    letter
                }
            };
            if letters.contains(&letter) {
                return Err(Failure::Input(format!("`{text}` is named twice")));
            }
            letters.push(letter);
        }
        Ok((variant, letters))
    }

    /// The unit: a knight of 3.25, or the game's usual one.
    fn unit(&self, variant: &Variant) -> Result<Unit, Failure> {
        let has_knight = variant.piece(Letter::N).is_some_and(|piece| piece.betza.to_string() == "N");
        let unit = match self.unit {
            Some(unit) => unit,
            None if has_knight => "N=3.25".parse().map_err(Failure::Input)?,
            None => Unit::usual(variant),
        };
        let refused = |problem: String| Failure::Input(format!("--unit {unit}: {problem}"));
        unit.check(variant).map_err(refused)?;
        if let (Some(without), Column::Piece(letter)) = (&self.without, unit.piece()) {
            let gone = without.letters().iter().filter(|&&other| other == letter).count();
            if gone > 0 && Side::BOTH.iter().any(|&side| variant.starts_with(side, letter) == gone) {
                return Err(refused(format!(
                    "no {letter} is left on either side; choose another unit, such as R=5"
                )));
            }
        }
        Ok(unit)
    }

    /// The directory of the games.
    fn path(&self, variant: &Variant, letters: &[Letter]) -> PathBuf {
        self.output.clone().unwrap_or_else(|| {
            let name =
                |letter: &Letter| variant.piece(*letter).map_or(String::new(), |piece| piece.name.clone());
            let names: Vec<String> = letters.iter().map(name).collect();
            let is_plain = |letter: char| letter.is_ascii_alphanumeric();
            let plain: String =
                names.join("-").chars().map(|letter| if is_plain(letter) { letter } else { '-' }).collect();
            PathBuf::from(format!("value-{plain}"))
        })
    }

    /// The games by which the other values are known, and where they are from.
    fn anchor(
        &self,
        rules: &Rules,
        nodes: Option<u64>,
        without: &[Letter],
    ) -> Result<(Imbalances, Option<String>), Failure> {
        let mut anchor = Imbalances::new(&Material::of(rules));
        match &self.anchor {
            Some(path) if path == Path::new("none") => Ok((anchor, None)),
            Some(path) => {
                let shown = path.display().to_string();
                let text = read_named_text(path, LARGEST)
                    .map_err(|error| Failure::Input(format!("cannot read {shown}: {error}")))?;
                anchor.add_written(&text).map_err(|problem| Failure::Input(format!("{shown}: {problem}")))?;
                Ok((anchor, Some(shown)))
            }
            None => Ok(match Imbalances::reference(rules, nodes, without) {
                Some((reference, source)) => (reference, Some(source.to_string())),
                None => (anchor, None),
            }),
        }
    }
}
