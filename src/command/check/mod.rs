mod games;

use std::io::Write;
use std::path::{Path, PathBuf};

use backrank_analysis::checkup::{Checkup, Mating, PieceFacts, QuickGames, SetupFacts};
use backrank_analysis::table::thousands;
use backrank_endgames::LonePiece;
use backrank_enumerate::{BruteForce, Constraint, Space};
use backrank_rules::files::read_named_text;
use backrank_rules::{Diagram, FindError, Letter, Rules, Variant};
use clap::Args;
use serde::Serialize;

use crate::args::{ThreadsArg, find_variant};
use crate::terminal::failure::Failure;
use crate::terminal::output::{Output, print_json, serialize_number};
use crate::terminal::reproduce::own_command;
use crate::terminal::table::{TableColumn, print};

/// Check a game of your own: everything that is wrong with its file, and then what the game is like
///
/// All faults are said at once, each with its place. A file without a fault gets a page: the board, every piece with its moves drawn,
/// its mobility, the colours it reaches and whether it can mate a bare king, the setups counted in two ways, those in which a
/// king stands in check or a pawn unprotected, and quick games: how long, how often drawn, what White scores, and which
/// pieces are captured.
#[derive(Args)]
#[command(after_help = examples!(
    "backrank check my-game.toml",
    "backrank check pmrc --games 500 -o pmrc.html",
))]
pub struct CheckCommand {
    /// The path of a variant file, or a key that `backrank variants` lists
    variant: String,

    /// The page to write [default: check-KEY.html]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// The number of quick games
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u64).range(0..=1_000_000))]
    games: u64,

    /// The number of nodes for each move of theirs
    #[arg(long, default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    nodes: u64,

    #[command(flatten)]
    threads: ThreadsArg,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The result as JSON.
#[derive(Serialize)]
struct CheckupJson<'a> {
    key: &'a str,
    name: &'a str,
    files: usize,
    ranks: usize,
    pieces: &'a [PieceFacts],
    #[serde(serialize_with = "serialize_number")]
    setups: u128,
    #[serde(serialize_with = "serialize_number")]
    in_check: u128,
    brute_force: Option<String>,
    unprotected: Option<String>,
    games: Option<&'a QuickGames>,
    median_moves: Option<u32>,
    page: String,
}

/// The most arrangements that brute force goes through here: some seconds.
const MOST_ARRANGEMENTS: u128 = 200_000_000;

/// The largest variant file.
const LARGEST: u64 = 1 << 20;

impl CheckCommand {
    pub fn run(self) -> Result<(), Failure> {
        let (variant, space) = self.read()?;
        self.threads.start()?;
        let rules = Rules::new(&variant);
        let games = (!variant.count_only && self.games > 0)
            .then(|| games::play(&variant, &rules, &space, self.games, self.nodes, self.threads.number()))
            .transpose()?;
        let checkup = Checkup {
            variant: &variant,
            pieces: PieceFacts::of(&rules, mating(&rules)),
            setups: setups(&variant, &space)?,
            games,
            command: own_command(),
        };
        let page =
            self.output.clone().unwrap_or_else(|| PathBuf::from(format!("check-{}.html", variant.key)));
        Output::write(&page, checkup.to_html().as_bytes())?;
        if self.json { print_json(&json(&checkup, &page)) } else { show(&checkup, &page) }
    }

    /// The game and its setups, or everything that is wrong with it.
    fn read(&self) -> Result<(Variant, Space), Failure> {
        let error = match find_variant(&self.variant) {
            Ok(variant) => match Space::diagnose(&variant.key, variant.path(), variant.text()) {
                Ok(found) => return Ok(found),
                Err(faults) => return Err(wrong(&faults)),
            },
            Err(FindError::Invalid(error)) => error,
            Err(error) => return Err(error.into()),
        };
        let path = Path::new(&self.variant);
        match read_named_text(path, LARGEST).map(|text| Space::diagnose("", &error.path, &text)) {
            Ok(Err(faults)) if !faults.is_empty() => Err(wrong(&faults)),
            // A pipe, for one, is read only once.
            _ => Err(Failure::Input(error.to_string())),
        }
    }
}

/// All faults of a file.
fn wrong(faults: &[impl ToString]) -> Failure {
    let texts: Vec<String> = faults.iter().map(ToString::to_string).collect();
    let number = match faults.len() {
        1 => "1 fault".to_string(),
        number => format!("{number} faults"),
    };
    Failure::Input(format!("{number}\n\n{}", texts.join("\n\n")))
}

/// Whether a piece can mate a bare king.
pub fn mating_of(piece: &LonePiece) -> Mating {
    match piece.forced_with_king {
        Some(longest) => Mating::Forced {
            moves: longest.moves,
            from: piece.with_king.won as f64 / piece.with_king.total().max(1) as f64,
        },
        None => Mating::Never,
    }
}

/// Whether each piece can mate a bare king.
fn mating(rules: &Rules) -> impl Fn(Letter) -> Mating {
    let lone = if rules.variant().count_only {
        Err("the game is only counted".to_string())
    } else {
        LonePiece::all(rules).map_err(|error| error.to_string())
    };
    let found = lone.map(|pieces| {
        let of = |piece: LonePiece| (rules.letter_of(piece.kind), mating_of(&piece));
        pieces.into_iter().map(of).collect::<Vec<_>>()
    });
    move |letter| match &found {
        Ok(pieces) => {
            let found = pieces.iter().find(|piece| piece.0 == letter);
            found.map_or(Mating::Unknown("it is not in the game".to_string()), |piece| piece.1.clone())
        }
        Err(why) => Mating::Unknown(why.clone()),
    }
}

fn setups(variant: &Variant, space: &Space) -> Result<SetupFacts, Failure> {
    let brute_force = BruteForce::new(variant, &[])?;
    let protected = "pawns_protected".parse::<Constraint>().ok();
    let protected = protected.and_then(|protected| Space::narrowed(variant, &[protected]).ok());
    Ok(SetupFacts {
        number: space.len(),
        brute_force: (brute_force.arrangements() <= MOST_ARRANGEMENTS).then(|| brute_force.count(&|_| ())),
        in_check: space.in_check()?,
        unprotected: protected.map(|protected| space.len() - protected.len()),
    })
}

fn json<'a>(checkup: &'a Checkup<'_>, page: &Path) -> CheckupJson<'a> {
    let Checkup { variant, pieces, setups, games, .. } = checkup;
    CheckupJson {
        key: &variant.key,
        name: &variant.name,
        files: variant.board.files(),
        ranks: variant.board.ranks(),
        pieces,
        setups: setups.number,
        in_check: setups.in_check.as_ref().map_or(0, |found| found.number),
        brute_force: setups.brute_force.map(|number| number.to_string()),
        unprotected: setups.unprotected.map(|number| number.to_string()),
        games: games.as_ref(),
        median_moves: games.as_ref().map(QuickGames::median_moves),
        page: page.display().to_string(),
    }
}

fn show(checkup: &Checkup<'_>, page: &Path) -> Result<(), Failure> {
    let variant = checkup.variant;
    let mut out = Output::stdout();
    writeln!(
        out,
        "{}, {}\n\n{}",
        variant.name,
        variant.board,
        Diagram::of_setup(variant, &variant.written_setup())
    )?;
    let columns = [
        TableColumn::Text("piece"),
        TableColumn::Text(""),
        TableColumn::Text("moves"),
        TableColumn::Number("mobility"),
        TableColumn::Text("board"),
        TableColumn::Text("against a bare king"),
    ];
    let rows = checkup.pieces.iter().map(|piece| {
        let mobility = if (piece.moves - piece.captures).abs() < 0.005 {
            format!("{:.1}", piece.moves)
        } else {
            format!("{:.1}, captures {:.1}", piece.moves, piece.captures)
        };
        vec![
            piece.letter.to_string(),
            piece.name.clone(),
            piece.betza.clone(),
            mobility,
            piece.reach(variant.board.squares()),
            piece.mating.to_string(),
        ]
    });
    print(&mut out, &columns, rows)?;
    writeln!(out)?;
    for (_, text) in checkup.setups.lines() {
        writeln!(out, "{text}")?;
    }
    if let Some(games) = &checkup.games {
        let [won, drawn, lost] = games.results;
        writeln!(
            out,
            "{} quick games of {} nodes a move: White won {won}, {drawn} were drawn, Black won {lost}; half of them took {} moves or fewer",
            thousands(games.games()),
            thousands(games.nodes),
            games.median_moves(),
        )?;
        let endings: Vec<String> =
            games.endings.iter().map(|(ending, number)| format!("{ending} {number}")).collect();
        writeln!(out, "they ended by {}", endings.join(", "))?;
        let traded = games
            .traded
            .iter()
            .filter_map(|(letter, traded)| Some(format!("{letter} {:.0} %", 100.0 * traded.share()?)));
        writeln!(out, "captured, of those at the start: {}", traded.collect::<Vec<_>>().join(", "))?;
    }
    writeln!(out, "\n{}", page.display())?;
    out.finish()
}
