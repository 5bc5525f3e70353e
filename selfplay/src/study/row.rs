//! Checking that a row of `games.csv` can belong to its study.

use backrank_enumerate::{Numbering, Space};
use backrank_rules::{Letter, Position, Rules, Setup, Side};

use super::book::BookSchedule;
use super::definition::Study;
use super::odds::Odds;
use super::other_side::{start_of_mover, with_other_side_to_move};
use super::record::{Ending, GameRecord};
use super::recorded::RecordedGames;
use super::schedule::ScheduledGame;
use super::setup_choice::SetupsError;
use super::setups::StudySetups;
use super::starts::Starts;

/// Checks rows against everything that a study determines about a game before it is played.
#[derive(Debug)]
pub(super) struct RowCheck {
    study: Study,
    rules: Rules,
    starts: KnownStarts,
}

/// What a study says about the starts of its games, without reading any other file.
#[derive(Debug)]
enum KnownStarts {
    Setups(Box<StudySetups>),
    /// The order of the openings, but not their positions.
    Book(BookSchedule),
    Recorded(RecordedGames),
    /// Each game names its own setup in the space, in this numbering.
    Imported(Box<Space>, Numbering),
}

impl RowCheck {
    /// Prepares to check the rows of a study.
    pub fn new(study: &Study) -> Result<Self, SetupsError> {
        let starts = match &study.starts {
            Starts::Setups(_) => KnownStarts::Setups(Box::new(StudySetups::of_defined(study)?)),
            Starts::Book(book) => KnownStarts::Book(book.schedule(study.seed)),
            Starts::Recorded(from) => KnownStarts::Recorded(from.clone()),
            Starts::Imported(_) => {
                let space = study.space()?;
                let numbering = study.numbering_of(&space)?.clone();
                KnownStarts::Imported(Box::new(space), numbering)
            }
        };
        Ok(Self { study: study.clone(), rules: Rules::new(&study.variant()?), starts })
    }

    /// Whether rows have the moves of their games.
    pub fn has_moves(&self) -> bool {
        !self.study.without_moves
    }

    /// The number of the first game.
    pub fn first(&self) -> u64 {
        self.study.range().start
    }

    /// Checks that a game's number, setup, players and start are those of the study.
    ///
    /// # Errors
    ///
    /// When they are not; the text says what differs.
    pub fn check(&self, record: &GameRecord) -> Result<(), String> {
        let study = &self.study;
        let games = study.range();
        if !games.contains(&record.game) {
            let (game, first, end) = (record.game, games.start, games.end);
            return Err(format!("game {game} is not one of this study, whose games are {first}..{end}"));
        }
        let scheduled = ScheduledGame::of(study, record.game);
        let mut players = [&study.white.name, &study.black.name];
        if scheduled.swaps_players {
            players.reverse();
        }
        let odds = scheduled.odds(study);
        if study.starts.imported().is_none() {
            same("white", &record.white, players[0])?;
            same("black", &record.black, players[1])?;
        }
        if record.result.is_none() != (record.termination == Ending::Unfinished) {
            return Err(format!(
                "the result is {}, with termination {}",
                record.result_text(),
                record.termination
            ));
        }
        self.check_odds_text(&record.odds, odds.as_ref())?;
        if record.opening_plies > record.plies.min(study.opening.plies) {
            return Err(format!("opening_plies is {}, which is more than is possible", record.opening_plies));
        }
        let start = Position::from_fen(&self.rules, &record.fen).map_err(|error| format!("fen: {error}"))?;
        match &self.starts {
            KnownStarts::Setups(setups) => {
                let (mut id, mut setup) = setups.get(scheduled.start);
                // At odds, another setup may have been drawn in the place of one from which no game can start.
                if record.setup != id
                    && let Some(odds) = &study.odds
                {
                    let mut rng = scheduled.rng(study);
                    if let Ok(other) = setups.start_at_odds(scheduled, study, odds, &self.rules, &mut rng) {
                        (id, setup) = (other.id, other.setup);
                    }
                }
                check_setup(record, id, [setup.white, setup.black].map(|rank| rank.to_string()))?;
                match odds {
                    None => {
                        let mut of_setup = self.start(&setup)?;
                        if scheduled.swaps_sides {
                            of_setup =
                                with_other_side_to_move(&of_setup).map_err(|error| error.to_string())?;
                        }
                        same("fen", &start.to_fen(), &of_setup.to_fen())
                    }
                    Some(odds) => self.check_odds(&start, &setup, &odds),
                }
            }
            KnownStarts::Imported(space, numbering) => {
                let setup = space.unrank_by(numbering, record.setup);
                let setup =
                    setup.ok_or_else(|| format!("setup {} is not one of this study", record.setup))?;
                check_setup(record, record.setup, [setup.white, setup.black].map(|rank| rank.to_string()))?;
                let of_setup = start_of_mover(&self.start(&setup)?, start.side_to_move());
                let of_setup = of_setup.map_err(|error| error.to_string())?;
                same("fen", &start.to_fen(), &of_setup.to_fen())
            }
            KnownStarts::Book(schedule) => {
                check_setup(record, schedule.opening(scheduled.start).into(), Default::default())
            }
            KnownStarts::Recorded(from) => match record.source {
                None => Err("source_game and source_ply are missing".to_string()),
                Some(source) if source.game >= from.games => Err(format!(
                    "source_game is {}, but positions come from games 0 to {}",
                    source.game,
                    from.games - 1
                )),
                Some(_) => Ok(()),
            },
        }
    }

    /// Checks that odds are those of the study, in whatever order their pieces are named.
    fn check_odds_text(&self, text: &str, odds: Option<&Odds>) -> Result<(), String> {
        match text.parse::<Odds>() {
            Ok(recorded) if Some(&recorded) == odds => Ok(()),
            _ => same("odds", text, &odds.map(ToString::to_string).unwrap_or_default()),
        }
    }

    fn start(&self, setup: &Setup) -> Result<Position<'_>, String> {
        Position::new(&self.rules, setup).map_err(|error| format!("{}/{}: {error}", setup.white, setup.black))
    }

    /// Checks that a start is the setup without the pieces that the odds name, and with others in the places of some. Of several
    /// pieces of one kind any may be missing.
    fn check_odds(&self, start: &Position<'_>, setup: &Setup, odds: &Odds) -> Result<(), String> {
        let full = self.start(setup)?;
        let wrong = || {
            let start = start.to_fen();
            Err(format!("fen is {start}, where this study has {} without {odds}", full.to_fen()))
        };
        let mut missing = [Vec::new(), Vec::new()];
        let mut replaced = [Vec::new(), Vec::new()];
        for (square, side, letter) in full.all_pieces() {
            match start.piece_at(square) {
                None => missing[side as usize].push(letter),
                Some(piece) if piece == (side, letter) => (),
                Some((of, other)) if of == side => replaced[side as usize].push((letter, other)),
                Some(_) => return wrong(),
            }
        }
        let added = start.all_pieces().any(|(square, ..)| full.piece_at(square).is_none());
        let lacks = |side: Side, letters: &[Letter]| {
            let sorted = |letters: &[Letter]| {
                let mut letters = letters.to_vec();
                letters.sort_unstable();
                letters
            };
            sorted(&missing[side as usize]) == sorted(letters)
        };
        replaced.iter_mut().for_each(|pairs| pairs.sort_unstable());
        let is_right = !added
            && lacks(Side::White, odds.first())
            && lacks(Side::Black, odds.second())
            && replaced.each_ref().map(|pairs| &pairs[..]) == odds.replaced();
        if is_right { Ok(()) } else { wrong() }
    }
}

/// Checks that a row names this setup, or this opening of a book, whose first ranks are empty.
fn check_setup(record: &GameRecord, id: u128, [white, black]: [String; 2]) -> Result<(), String> {
    same("setup", &record.setup.to_string(), &id.to_string())?;
    same("white_rank", &record.white_rank, &white)?;
    same("black_rank", &record.black_rank, &black)
}

/// Checks that a column has the value it should have.
pub(crate) fn same(column: &str, is: &str, should: &str) -> Result<(), String> {
    if is == should {
        return Ok(());
    }
    Err(format!("{column} is {is}, but should be {should}"))
}
