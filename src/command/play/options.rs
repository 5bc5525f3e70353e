//! The options that determine the games.

use std::path::PathBuf;

use backrank_enumerate::Space;
use backrank_rules::Variant;
use backrank_selfplay::study::{
    DEEPEST, DrawRule, LONGEST_MOVE, MOST_CENTIPAWNS, MOST_OPENING_PLIES, MoveLimits, Odds, ResignRule,
    SetupChoice, Shard, Sprt, Study, StudySetups, StudySpec, TimeControl,
};
use clap::{Args, ValueEnum};

use super::players::PlayerArgs;
use super::setups::SetupArgs;
use super::starts::{AskedOfStarts, StartArgs};
use crate::args::piece::PieceArg;
use crate::terminal::failure::Failure;

/// The options that determine the games of a study. They have no defaults here, so that only the options given are
/// compared with those of an existing study.
#[derive(Args)]
pub struct StudyOptions {
    #[command(flatten)]
    setups: SetupArgs,

    /// The number of games from each setup [default: 1, or 2 with --pairs]; with --sprt, the largest number of games in
    /// total [default: 200000]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=i64::MAX as u64))]
    games: Option<u64>,

    /// Play games in pairs: the same start and opening twice, with the players' colours reversed
    ///
    /// In a game whose sides have different pieces, and which one player plays against itself, sides are swapped instead: in the second
    /// game of a pair the other side moves first, so that what is compared are the armies. --pairs=players swaps the players
    /// there, too, and --pairs=sides swaps sides in any game, while the players keep their colours.
    #[arg(long, value_name = "WHAT", num_args = 0..=1, require_equals = true, default_missing_value = "usual")]
    pairs: Option<PairsOption>,

    /// The seed of the random numbers: the same seed gives the same games on every machine [default: 0]
    #[arg(long, value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    seed: Option<u64>,

    /// The pieces that each side starts without, such as `M:Q`, `P:-` or `Q:2N+4P`
    ///
    /// Games are then played in pairs, and the odds change sides in the second game of each. Without --setups, a setup
    /// is drawn for each pair, and --games is the total number of games. Of several pieces of a kind, the missing one
    /// is drawn at random; missing pawns come from each file in turn.
    #[arg(long, value_name = "WHITE:BLACK", allow_hyphen_values = true, group = "at_odds")]
    odds: Option<Odds>,

    /// Pieces that stand in the places of others on one side, such as `2N=2W`, and what it is to start without: `2N=2W+P`
    ///
    /// They are White's in the first game of each pair and Black's in the second: `2N=2W` is short for `--odds 2N=2W:-`. Which of
    /// several pieces of a kind is replaced is drawn at random. A new kind of piece is named by --piece.
    #[arg(long, value_name = "PIECES", group = "at_odds", value_parser = read_replaced)]
    replace: Option<Odds>,

    /// A kind of piece that the game gets for --replace or --odds: `W=waffle:WA`, `W=waffle` or `waffle` (can be repeated)
    #[arg(long = "piece", value_name = "LETTER=PIECE")]
    pieces: Vec<PieceArg>,

    /// The number of random plies at the beginning of each game, the same ones in both games of a pair [default: 8]
    ///
    /// With --openings and a .pgn file, it is the largest number of plies that are taken from each game [default: all].
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(..=i64::from(MOST_OPENING_PLIES)))]
    opening_plies: Option<u32>,

    /// How many centipawns worse than the best move a random opening move may be, by a shallow search [default: 60]
    #[arg(long, value_name = "CENTIPAWNS", value_parser = clap::value_parser!(u32).range(..=i64::from(MOST_CENTIPAWNS)))]
    margin: Option<u32>,

    /// How many centipawns the random plies may change the score, by a shallow search before and after; if they change
    /// it by more, other moves are drawn [default: 100]
    ///
    /// With --from, it is the largest static evaluation of a recorded position for either side, in centipawns [default:
    /// 100].
    #[arg(long, value_name = "CENTIPAWNS", value_parser = clap::value_parser!(u32).range(..=i64::from(MOST_CENTIPAWNS)))]
    balance: Option<u32>,

    /// Play only one of several equal parts, such as 3/8, or a range of games, such as 4000..8000; `backrank merge`
    /// combines them
    #[arg(long, value_name = "N/OF")]
    shard: Option<Shard>,

    /// The number of nodes for each search [default: 1000, unless there is another limit]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=i64::MAX as u64))]
    nodes: Option<u64>,

    /// The depth of each search in plies
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=i64::from(DEEPEST)))]
    depth: Option<u32>,

    /// The time for each search in milliseconds; the games then depend on the machine
    #[arg(long, value_name = "MILLISECONDS", value_parser = clap::value_parser!(u64).range(1..=LONGEST_MOVE))]
    time: Option<u64>,

    /// Play pairs until a sequential test decides whether the player of --white is stronger by ELO1 or only by ELO0
    ///
    /// This is the generalised sequential probability ratio test on the scores of pairs. Without --setups, a setup is
    /// drawn for each pair. Games count in the order of their numbers, so the same games are recorded with any number
    /// of threads.
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true, conflicts_with = "shard")]
    sprt: Option<Sprt>,

    /// The probability that --sprt accepts ELO1 if ELO0 is true [default: 0.05]
    #[arg(long, value_name = "RATE", requires = "sprt")]
    alpha: Option<f64>,

    /// The probability that --sprt accepts ELO0 if ELO1 is true [default: 0.05]
    #[arg(long, value_name = "RATE", requires = "sprt")]
    beta: Option<f64>,

    /// Take ELO0 and ELO1 of --sprt as normalised Elo, for which the number of games needed does not depend on the
    /// proportion of draws
    #[arg(long, requires = "sprt")]
    normalised: bool,

    /// The time control of each side, such as 10+0.1 or 40/60+0.5: the number of moves, the time in seconds or
    /// minutes:seconds, and the increment in seconds. A side that exceeds its time by more than 50 ms loses, or
    /// draws if the other side cannot mate. The games depend on the machine
    #[arg(long, value_name = "TIME+INCREMENT", conflicts_with = "time")]
    tc: Option<TimeControl>,

    /// Adjudicate a game as a draw after this many plies
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..))]
    max_plies: Option<u32>,

    /// A side resigns when its own score has been SCORE centipawns below zero, or worse, for MOVES of its moves in a row
    #[arg(long, value_name = "SCORE,MOVES", value_parser = read_resign)]
    resign: Option<ResignRule>,

    /// A draw is agreed after move NUMBER when the scores of both sides have been within SCORE centipawns of zero for
    /// MOVES moves in a row
    #[arg(long, value_name = "NUMBER,MOVES,SCORE", value_parser = read_draw)]
    draw: Option<DrawRule>,

    /// End a game as soon as the endgame tables know its result; a win counts if the fifty-move rule leaves time for it
    #[arg(long)]
    adjudicate_tables: bool,

    /// Record the score that the players gave each of their moves in scores.csv, beside games.csv
    #[arg(long)]
    scores: bool,

    /// Leave the moves out of games.csv, which makes it ten times smaller; the same options reproduce the games
    ///
    /// Imbalances are measured by results alone; everything else needs the moves.
    #[arg(long, requires = "at_odds", conflicts_with = "scores")]
    no_moves: bool,

    #[command(flatten)]
    players: PlayerArgs,

    #[command(flatten)]
    starts: StartArgs,
}

/// The largest number of games of a sequential test if none is given.
const MAX_SPRT_GAMES: u64 = 200_000;

fn read_resign(text: &str) -> Result<ResignRule, String> {
    match numbers(text).as_deref() {
        Some(&[score, moves]) if moves > 0 => Ok(ResignRule { score, moves }),
        _ => Err("the rule is written as SCORE,MOVES, such as 600,3".to_string()),
    }
}

fn read_draw(text: &str) -> Result<DrawRule, String> {
    match numbers(text).as_deref() {
        Some(&[from_move, moves, score]) if moves > 0 => Ok(DrawRule { from_move, moves, score }),
        _ => Err("the rule is written as NUMBER,MOVES,SCORE, such as 40,8,10".to_string()),
    }
}

fn numbers(text: &str) -> Option<Vec<u32>> {
    text.split(',').map(|number| number.trim().parse().ok()).collect()
}

/// What is swapped in the second game of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum PairsOption {
    /// The sides in games where these have different pieces and the players are the same, else the players.
    #[value(hide = true)]
    Usual,
    /// The players.
    Players,
    /// Which side moves first.
    Sides,
}

/// Reads odds of one side only.
fn read_replaced(text: &str) -> Result<Odds, String> {
    let odds = if text.contains(':') { text.to_string() } else { format!("{text}:-") };
    odds.parse().map_err(|_| {
        "pieces are replaced by as many others, as in 2N=2W, or 2N=2W+P for a pawn less as well; letters are capital"
            .to_string()
    })
}

impl StudyOptions {
    /// The odds that are asked for.
    fn odds(&self) -> Option<&Odds> {
        self.odds.as_ref().or(self.replace.as_ref())
    }

    /// A game with the kinds of pieces that it is to get.
    pub fn with_pieces(&self, variant: Variant) -> Result<Variant, Failure> {
        self.pieces.iter().try_fold(variant, |variant, piece| Ok(piece.add_to(&variant)?.0))
    }

    /// Whether games are played in pairs.
    fn is_paired(&self) -> bool {
        self.pairs.is_some() || self.odds().is_some() || self.sprt.is_some()
    }

    /// A new study of a variant.
    pub fn new_study(&self, variant: &Variant) -> Result<Study, Failure> {
        let numbering = Space::new(variant)?.default_numbering().name().to_string();
        let mut study = StudySpec::new(variant, SetupChoice::All.into(), &numbering, 0);
        if self.is_paired() {
            study.games = 2;
        }
        let games = self.games.or(self.sprt.map(|_| MAX_SPRT_GAMES));
        if let (true, None, Some(games)) = (self.draws_setups(), self.setups.choice(), games)
            && !self.starts.are_given()
        {
            // Odds and players are compared over all setups of the game, so each pair gets its own.
            study.starts = SetupChoice::Random(games / 2).into();
        }
        self.change(&mut study)?;
        if study.limits == MoveLimits::default() {
            study.limits.nodes = Some(1000);
        }
        if !self.players.has_hash() {
            study.fit_hash();
        }
        Ok(Study::new(study)?)
    }

    /// Applies the options to a study.
    pub fn change(&self, study: &mut StudySpec) -> Result<(), Failure> {
        // A study that was begun by another version must be refused as well.
        study.version = env!("CARGO_PKG_VERSION").to_string();
        study.pairs |= self.is_paired();
        if let Some(test) = self.sprt {
            let test = Sprt {
                alpha: self.alpha.unwrap_or(test.alpha),
                beta: self.beta.unwrap_or(test.beta),
                normalised: self.normalised,
                ..test
            };
            test.validate().map_err(|problem| Failure::Input(format!("--sprt: {problem}")))?;
            study.sprt = Some(test);
        }
        study.scores |= self.scores;
        study.without_moves |= self.no_moves;
        study.seed = self.seed.unwrap_or(study.seed);
        if let Some(shard) = &self.shard {
            study.shard = Some(shard.clone());
        }
        study.limits.nodes = self.nodes.or(study.limits.nodes);
        study.limits.depth = self.depth.or(study.limits.depth);
        study.limits.time = self.time.or(study.limits.time);
        study.limits.clock = self.tc.or(study.limits.clock);
        if let Some(odds) = self.odds().filter(|&odds| study.odds.as_ref() != Some(odds)) {
            study.give_odds(odds.clone());
        }
        study.adjudication.resign = self.resign.or(study.adjudication.resign);
        study.adjudication.draw = self.draw.or(study.adjudication.draw);
        study.adjudication.max_plies = self.max_plies.or(study.adjudication.max_plies);
        study.adjudication.tables |= self.adjudicate_tables;
        self.players.change(study);
        if let Some(pairs) = self.pairs {
            let from_setups = self.odds().is_none() && !self.starts.are_given();
            // Of two players each has both armies, or else it would be these that are compared.
            let compares_players = self.sprt.is_some() || study.white != study.black;
            study.swap_sides = match pairs {
                PairsOption::Players => false,
                PairsOption::Sides => true,
                PairsOption::Usual => from_setups && !compares_players && study.variant()?.sides_differ(),
            };
        }
        if let Some(odds) = &study.odds {
            odds.check(&study.variant()?).map_err(|problem| {
                let option = if self.replace.is_some() { "--replace" } else { "--odds" };
                Failure::Input(format!("{option} {odds}: {problem}"))
            })?;
        }
        let is_new_test = self.sprt.is_some() && study.number_of_setups == 0;
        let asked = AskedOfStarts {
            games: self.games.or(is_new_test.then_some(MAX_SPRT_GAMES)),
            plies: self.opening_plies,
            balance: self.balance,
        };
        let from_setups = !self.starts.change(study, &asked)?;
        if from_setups {
            self.change_games(study)?;
        }
        if study.starts.book().is_none() {
            study.opening.plies = self.opening_plies.unwrap_or(study.opening.plies);
        }
        if study.starts.recorded().is_none() {
            study.opening.balance = self.balance.or(study.opening.balance);
        }
        study.opening.margin = self.margin.unwrap_or(study.opening.margin);
        if let Some(setups) = self.setups.choice() {
            study.starts = setups.clone().into();
        }
        self.setups.change_space(&study.variant()?, &mut study.constraints, &mut study.numbering)?;
        let listed = match study.starts.choice() {
            Some(SetupChoice::Listed(ids)) => ids.as_slice(),
            _ => &[],
        };
        if let Some(id) = listed.iter().find(|&&id| i64::try_from(id).is_err()) {
            return Err(Failure::Input(format!(
                "--setups: {id} is more than 2^63, and no such id can be written down"
            )));
        }
        if from_setups {
            let setups = StudySetups::of(study)?;
            setups.check_kings()?;
            study.number_of_setups = setups.len();
        }
        if study.pairs && study.games % 2 == 1 {
            return Err(Failure::Input(format!(
                "--pairs needs an even number of games from each setup, not --games {}",
                study.games
            )));
        }
        study.check_shard().map_err(|problem| Failure::Input(format!("--{problem}")))?;
        if i64::try_from(study.all_games()).is_err() {
            return Err(Failure::Input("a study cannot have more than 2^63 games".to_string()));
        }
        Ok(())
    }

    /// Whether the engines of a study are those that these options name.
    pub fn names_engines(&self, study: &Study) -> bool {
        self.players.names_engines(study)
    }

    /// The directory of the recorded games of --from.
    pub fn recorded(&self) -> Option<&PathBuf> {
        self.starts.recorded()
    }

    /// Whether a setup is drawn for each pair unless --setups is given.
    fn draws_setups(&self) -> bool {
        self.odds().is_some() || self.sprt.is_some()
    }

    /// Applies the number of games: the total if a setup is drawn for each pair, else the number from each setup.
    fn change_games(&self, study: &mut StudySpec) -> Result<(), Failure> {
        let Some(games) = self.games else { return Ok(()) };
        let drawn = matches!(study.starts.choice(), Some(SetupChoice::Random(_)));
        if (study.odds.is_none() && study.sprt.is_none()) || self.setups.choice().is_some() || !drawn {
            study.games = games;
            return Ok(());
        }
        if games % 2 == 1 {
            let option = if study.odds.is_some() { "--odds" } else { "--sprt" };
            return Err(Failure::Input(format!(
                "{option} needs an even number of games, not --games {games}"
            )));
        }
        study.games = 2;
        study.starts = SetupChoice::Random(games / 2).into();
        Ok(())
    }
}
