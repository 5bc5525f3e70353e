//! Games of armies against each other.

use std::io::Write;
use std::path::{Path, PathBuf};

use backrank_analysis::setups::{ArmyMatch, ArmyRatings};
use backrank_analysis::table::thousands;
use backrank_analysis::values::Unit;
use backrank_experiment::design::Design;
use backrank_experiment::options::ExperimentOptions;
use backrank_experiment::plan::PlanSize;
use backrank_experiment::play::plan_of;
use backrank_rules::{Rules, Variant, catalogue};
use backrank_selfplay::play::Tally;
use backrank_selfplay::study::StudyDirectory;
use clap::Args;
use serde::Serialize;

use crate::args::{ExperimentArgs, check_played, find_variant};
use crate::command::study::interrupt::Interrupt;
use crate::command::study::{Until, open, play_experiment};
use crate::terminal::failure::Failure;
use crate::terminal::output::{Output, print_json};
use crate::terminal::table::{TableColumn, print};

/// Play armies against each other, and say how strong they are
///
/// Each game is one in which the sides start with different armies, such as those of Chess with Different Armies. It is played in pairs
/// from setups drawn at random: each army has the first move in one game of a pair. Run the command again to continue.
#[derive(Args)]
#[command(after_help = examples!(
    "backrank armies cwda-fide-rookies --games 4 --nodes 20 -o runs/armies",
))]
pub struct ArmiesCommand {
    /// The games: keys that `backrank variants` lists, or variant files [default: those of Chess with Different Armies]
    #[arg(value_name = "VARIANT")]
    games: Vec<String>,

    /// The number of games of each
    #[arg(long = "games", value_name = "NUMBER", default_value = "3000", value_parser = clap::value_parser!(u64).range(2..=1_000_000_000))]
    number: u64,

    /// The directory; each game has one below it
    #[arg(short, long, value_name = "DIR", default_value = "armies")]
    output: PathBuf,

    #[command(flatten)]
    experiment: ExperimentArgs,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// How the keys of Chess with Different Armies begin.
const DIFFERENT_ARMIES: &str = "cwda-";

#[derive(Serialize)]
struct Json {
    matches: Vec<ArmyMatch>,
    ratings: Option<ArmyRatings>,
}

impl ArmiesCommand {
    pub fn run(self) -> Result<(), Failure> {
        let games = self.variants()?;
        let interrupt = Interrupt::listen()?;
        let matches: Vec<ArmyMatch> =
            games.iter().map(|game| self.play(game, &interrupt)).collect::<Result<_, _>>()?;
        let ratings = ArmyRatings::of(&matches);
        if self.json {
            return print_json(&Json { matches, ratings });
        }
        let mut out = Output::stdout();
        let columns = [
            TableColumn::Text("army"),
            TableColumn::Text("against"),
            TableColumn::Number("pairs"),
            TableColumn::Number("score"),
            TableColumn::Number("Elo"),
        ];
        let rows = matches.iter().filter_map(|found| {
            let score = found.score()?;
            let [one, other] = found.armies.clone();
            Some(vec![
                one,
                other,
                thousands(found.pairs.iter().sum::<u64>()),
                format!("{:.1} %", 100.0 * score.score.value),
                format!("{:+.0} ({:+.0})", score.elo.value, score.elo.interval),
            ])
        });
        print(&mut out, &columns, rows)?;
        if let Some(ArmyRatings { ratings, equal, additive }) = ratings.filter(|_| matches.len() > 1) {
            writeln!(out, "\nthe armies by all matches, in Elo around their mean\n")?;
            let columns = [TableColumn::Text("army"), TableColumn::Number("Elo")];
            let row = |(army, elo): &(String, backrank_analysis::stats::Estimate)| {
                vec![army.clone(), format!("{:+.0} ({:+.0})", elo.value, elo.interval)]
            };
            print(&mut out, &columns, ratings.iter().map(row))?;
            if let Some(equal) = equal {
                let so = match equal.p_value < 0.05 {
                    true => "The armies are not equal",
                    false => "The armies are equal as far as these games can tell",
                };
                writeln!(out, "\n{so} ({equal}).")?;
            }
            if let Some(left) = additive.filter(|left| left.p_value < 0.05) {
                out.say(format_args!(
                    "One rating for each army does not explain all matches ({left}): some army does better against one than against another."
                ))?;
            }
        }
        out.finish()
    }

    /// The games, each with two armies.
    fn variants(&self) -> Result<Vec<Variant>, Failure> {
        let games: Vec<Variant> = match self.games.is_empty() {
            true => catalogue().filter(|variant| variant.key.starts_with(DIFFERENT_ARMIES)).collect(),
            false => self.games.iter().map(|game| find_variant(game)).collect::<Result<_, _>>()?,
        };
        for game in &games {
            check_played(game)?;
            if !game.sides_differ() {
                return Err(Failure::Input(format!("in {} both sides start with the same army", game.key)));
            }
        }
        Ok(games)
    }

    /// Plays what is left of a match.
    fn play(&self, variant: &Variant, interrupt: &Interrupt) -> Result<ArmyMatch, Failure> {
        let path = self.output.join(&variant.key);
        let rules = Rules::new(variant);
        let begun = StudyDirectory::holds(&path)?.then(|| StudyDirectory::read(&path)).transpose()?;
        let options = ExperimentOptions { games: Some(self.number), ..self.experiment.options() };
        let mut first = options.first_study(&rules, begun.as_ref())?;
        let is_played = begun.is_some() && 2 * pairs(&path)?.iter().sum::<u64>() == self.number;
        if let (Some(begun), true) = (&begun, is_played) {
            // A round to which nothing is added may be that of another engine.
            let [white, black] = [&begun.white, &begun.black].map(|player| player.fingerprint.clone());
            first = first
                .changed(|spec| (spec.white.fingerprint, spec.black.fingerprint) = (white, black))
                .map_err(|error| Failure::Other(error.to_string()))?;
        }
        let design = Design::of_setups(&rules, first, Unit::usual(variant));
        let size = PlanSize { games: self.number, rounds: 1, tasks: 0 };
        let plan = plan_of(&path, &design, begun.as_ref(), Some(size))?;
        if let (Some(plan), false) = (&plan, is_played) {
            let settings = self.experiment.settings(&rules);
            let mut experiment = open(&path, design, &settings)?;
            play_experiment(&mut experiment, interrupt, Until::Planned(plan))?;
        }
        let setup = variant.written_setup();
        Ok(ArmyMatch { armies: [setup.white.to_string(), setup.black.to_string()], pairs: pairs(&path)? })
    }
}

/// The pairs of a study by the half points of White's army. It has the first move in one game of each pair; the colours stay.
fn pairs(path: &Path) -> Result<[u64; 5], Failure> {
    let study = StudyDirectory::read(path)?;
    let mut tally = Tally::new(&study);
    for record in StudyDirectory::read_games(path, &study)? {
        tally.add(&record?);
    }
    Ok(tally.pairs)
}
