//! Where games start that do not start from setups, as the command line says it.

use std::path::PathBuf;

use backrank_rules::Rules;
use backrank_selfplay::{Book, BookOrder, RecordedGames, Study};
use clap::Args;

use crate::failure::Failure;

/// A book of openings, or positions of recorded games.
#[derive(Args, Default)]
pub struct StartArgs {
    /// Start games from the openings of a file: positions, one on each line, in a .epd or .fen, or games in a .pgn
    ///
    /// With --pairs each opening is played twice, with colours reversed. --games is the number of all games; without it each
    /// opening is played once. After the last opening the first comes again. Of games in a .pgn, --opening-plies says how
    /// many plies at most are played. No ply is drawn at random.
    #[arg(long, value_name = "FILE",
          conflicts_with_all = ["setups", "constraints", "numbering", "odds", "margin", "balance", "from"])]
    openings: Option<PathBuf>,

    /// The order of the openings: `sequential`, as they stand in the file, or `random`, shuffled by the seed
    /// [default: sequential]
    #[arg(long, value_name = "ORDER", requires = "openings")]
    openings_order: Option<BookOrder>,

    /// Start games from positions of recorded games, those of the study in a directory, without what --odds takes away
    ///
    /// Each position is played twice: first White lacks what stands before the colon of --odds, then Black does. A position
    /// is taken if it is even (--balance) and quiet, and quiet without those pieces: not in check, and neither side could
    /// win material by a capture or a promotion. --games is the number of all games; without it each position is played.
    #[arg(long, value_name = "DIR", requires = "at_plies", requires = "odds",
          conflicts_with_all = ["setups", "constraints", "numbering", "margin", "opening_plies"])]
    from: Option<PathBuf>,

    /// Take a position of each recorded game after so many plies, as in 20,60,100, or within the ten plies from there on
    #[arg(long, value_name = "PLIES", value_delimiter = ',', requires = "from",
          value_parser = clap::value_parser!(u32).range(..=100_000))]
    at_plies: Vec<u32>,
}

/// What other options say of these starts.
pub struct AskedOfStarts {
    /// The number of all games.
    pub games: Option<u64>,
    /// The plies of an opening.
    pub plies: Option<u32>,
    /// How uneven a recorded position may be.
    pub balance: Option<u32>,
}

/// How many centipawns better for one side recorded positions may be, where nothing is said.
const BALANCE: u32 = 100;

impl StartArgs {
    /// Whether games start from one of these.
    pub fn are_given(&self) -> bool {
        self.openings.is_some() || self.from.is_some()
    }

    /// The directory of the recorded games.
    pub fn recorded(&self) -> Option<&PathBuf> {
        self.from.as_ref()
    }

    /// Changes where a study's games start; tells whether they start from one of these now.
    pub fn change(&self, study: &mut Study, asked: &AskedOfStarts) -> Result<bool, Failure> {
        let rules = || Ok::<_, Failure>(Rules::new(&study.variant()?));
        if let Some(path) = &self.openings {
            let order = self.openings_order.or(study.book.as_ref().map(|begun| begun.order));
            let plies = asked.plies.or(study.book.as_ref().and_then(|begun| begun.plies));
            let book = Book::open(path, order.unwrap_or_default(), plies, &rules()?)?;
            let begun = study.book.is_some().then_some(study.number_of_setups);
            let starts = starts(study, asked.games)?.or(begun).unwrap_or(book.openings);
            study.start_from_book(book, starts);
        } else if let (Some(path), Some(odds)) = (&self.from, study.odds.clone()) {
            let mut plies = self.at_plies.clone();
            plies.sort_unstable();
            plies.dedup();
            let balance = asked.balance.or(study.from.as_ref().map(|begun| begun.balance));
            let balance = balance.unwrap_or(BALANCE);
            let found = RecordedGames::find(path, plies, balance, &odds, study, &rules()?)?;
            let begun = study.from.is_some().then_some(study.number_of_setups);
            let starts = starts(study, asked.games)?.or(begun).unwrap_or(found.positions);
            if starts > found.positions {
                return Err(Failure::Input(format!(
                    "the games in {} have {} positions that fit, enough for --games {}, not {}",
                    path.display(),
                    found.positions,
                    2 * found.positions,
                    2 * starts
                )));
            }
            study.start_from_recorded(found, starts);
        } else if study.book.is_some() || study.from.is_some() {
            // Begun so; what is asked now may be something else, and is then refused.
            if let Some(starts) = starts(study, asked.games)? {
                study.number_of_setups = starts;
            }
            if let (Some(book), Some(plies)) = (&mut study.book, asked.plies) {
                book.plies = Some(plies);
            }
            if let (Some(from), Some(balance)) = (&mut study.from, asked.balance) {
                from.balance = balance;
            }
        } else {
            return Ok(false);
        }
        Ok(true)
    }
}

/// The number of starts that so many games take.
fn starts(study: &Study, games: Option<u64>) -> Result<Option<u64>, Failure> {
    match games {
        Some(games) if study.pairs && games % 2 == 1 => {
            Err(Failure::Input(format!("games are played in pairs, so that --games is even, not {games}")))
        }
        games => Ok(games.map(|games| if study.pairs { games / 2 } else { games })),
    }
}
