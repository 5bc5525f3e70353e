//! The options for games that do not start from setups.

use std::path::PathBuf;

use backrank_rules::Rules;
use backrank_selfplay::study::{Book, BookOrder, LATEST_PLY, RecordedGames, Starts, StudySpec};
use clap::Args;

use crate::terminal::failure::Failure;

/// The book of openings, or the recorded games, from which games start.
#[derive(Args)]
pub struct StartArgs {
    /// Start games from the openings in a .epd or .fen file, which has a position on each line, or in a .pgn file
    ///
    /// With --pairs, each opening is played twice, with colours reversed. --games is the total number of games
    /// [default: each opening once]; after the last opening, the first is played again. From each game of a .pgn file
    /// all moves are played, or the first --opening-plies plies. There are no random plies.
    #[arg(long, value_name = "FILE",
          conflicts_with_all = ["setups", "constraints", "numbering", "odds", "margin", "balance", "from"])]
    openings: Option<PathBuf>,

    /// The order of the openings: `sequential`, the order of the file, or `random`, an order drawn by the seed
    /// [default: sequential]
    #[arg(long, value_name = "ORDER", requires = "openings")]
    openings_order: Option<BookOrder>,

    /// Start games from positions in the recorded games of a study's directory, without the pieces of --odds
    ///
    /// Each position is played twice: first White lacks the pieces before the colon of --odds, then Black does.
    /// Positions are even (--balance) and quiet, before and after the pieces are removed: the side to move is not in
    /// check, and neither side could win material by a capture or a promotion. --games is the total number of games
    /// [default: two from each position].
    #[arg(long, value_name = "DIR", requires = "at_plies", requires = "odds",
          conflicts_with_all = ["setups", "constraints", "numbering", "margin", "opening_plies"])]
    from: Option<PathBuf>,

    /// Take a position from each recorded game at each of these plies, such as 20,60,100, or up to nine plies later
    #[arg(long, value_name = "PLIES", value_delimiter = ',', requires = "from",
          value_parser = clap::value_parser!(u32).range(..=i64::from(LATEST_PLY)))]
    at_plies: Vec<u32>,
}

/// Other options that affect these starts.
pub struct AskedOfStarts {
    /// The total number of games.
    pub games: Option<u64>,
    /// The largest number of plies of an opening.
    pub plies: Option<u32>,
    /// The largest static evaluation of a recorded position for either side, in centipawns.
    pub balance: Option<u32>,
}

/// The default for the largest static evaluation of a recorded position, in centipawns.
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

    /// Applies the options to a study. Returns false if its games start from setups.
    pub fn change(&self, study: &mut StudySpec, asked: &AskedOfStarts) -> Result<bool, Failure> {
        let rules = || Ok::<_, Failure>(Rules::new(&study.variant()?));
        if let Some(path) = &self.openings {
            let order = self.openings_order.or(study.starts.book().map(|begun| begun.order));
            let plies = asked.plies.or(study.starts.book().and_then(|begun| begun.plies));
            let book = Book::open(path, order.unwrap_or_default(), plies, &rules()?)?;
            let begun = study.starts.book().is_some().then_some(study.number_of_setups);
            let starts = starts(study, asked.games)?.or(begun).unwrap_or(book.openings);
            study.start_from_book(book, starts);
        } else if let (Some(path), Some(odds)) = (&self.from, study.odds.clone()) {
            let mut plies = self.at_plies.clone();
            plies.sort_unstable();
            plies.dedup();
            let balance = asked.balance.or(study.starts.recorded().map(|begun| begun.balance));
            let balance = balance.unwrap_or(BALANCE);
            let found = RecordedGames::find(path, plies, balance, &odds, study, &rules()?)?;
            let begun = study.starts.recorded().is_some().then_some(study.number_of_setups);
            let starts = starts(study, asked.games)?.or(begun).unwrap_or(found.positions);
            if starts > found.positions {
                return Err(Failure::Input(format!(
                    "the games in {} have {} suitable positions, which is enough for --games {}, but not {}",
                    path.display(),
                    found.positions,
                    2 * found.positions,
                    2 * starts
                )));
            }
            study.start_from_recorded(found, starts);
        } else if study.starts.book().is_some() || study.starts.recorded().is_some() {
            // The study is being continued. Options that differ from its own are refused later.
            if let Some(starts) = starts(study, asked.games)? {
                study.number_of_setups = starts;
            }
            match &mut study.starts {
                Starts::Book(book) => book.plies = asked.plies.or(book.plies),
                Starts::Recorded(from) => from.balance = asked.balance.unwrap_or(from.balance),
                Starts::Setups(_) | Starts::Imported(_) => (),
            }
        } else {
            return Ok(false);
        }
        Ok(true)
    }
}

/// The number of starts for a number of games.
fn starts(study: &StudySpec, games: Option<u64>) -> Result<Option<u64>, Failure> {
    match games {
        Some(games) if study.pairs && games % 2 == 1 => {
            Err(Failure::Input(format!("games are played in pairs, so --games must be even, not {games}")))
        }
        games => Ok(games.map(|games| if study.pairs { games / 2 } else { games })),
    }
}
