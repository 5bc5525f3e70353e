use std::io::Write;
use std::path::{Path, PathBuf};

use backrank_analysis::atlas::{AtlasAndGames, JudgedSetups, write_judged_setups};
use backrank_analysis::games::{GamesRead, Sampling, Studies};
use backrank_analysis::setups::{
    AdjustmentUse, Features, SetupGames, SetupOptions, SetupStatistics, adjusting_table, ending_table,
    feature_table, group_table, partner_table, score_table, write_adjustments, write_features, write_groups,
    write_setups,
};
use backrank_analysis::stats::Estimate;
use backrank_analysis::table::{Format, thousands};
use clap::Args;
use serde::Serialize;

use crate::args::ThreadsArg;
use crate::args::studies;
use crate::terminal::failure::Failure;
use crate::terminal::output::{Output, print_json};
use crate::terminal::table::print_table;

/// Estimate White's score from each setup, test whether setups differ by more than chance, and relate the score to
/// features of setups
///
/// Prints the setups that are best and worst for White, as far as a false discovery rate of 5 % lets them stand; --csv writes all
/// setups. analysis/METHODS.md has the formulas.
#[derive(Args)]
#[command(after_help = examples!(
    "backrank setups runs/all --csv setups.csv",
    "backrank setups runs/all --top 3",
    "backrank setups runs/all --by queen,bishops",
    "backrank setups runs/all --atlas runs/atlas",
))]
pub struct SetupsCommand {
    /// The directories of studies of the same game
    #[arg(value_name = "STUDY", required = true)]
    studies: Vec<PathBuf>,

    /// Group the games by columns of their setups instead: the file of a piece (`queen`), the piece on a file (`a`), or
    /// a feature (`bishops`, `rooks_apart`, `king_from_middle`); an unknown name lists all columns
    #[arg(long, value_name = "COLUMN", value_delimiter = ',',
          conflicts_with_all = ["top", "permutations", "seed", "features", "adjustments"])]
    by: Vec<String>,

    /// The largest number of best and of worst setups to print
    #[arg(long, value_name = "SETUPS", default_value_t = 10)]
    top: usize,

    /// The number of permutations for the test of whether setups differ
    #[arg(long, default_value_t = SetupOptions::default().permutations, value_parser = clap::value_parser!(u32).range(99..=1_000_000))]
    permutations: u32,

    /// The seed of the permutations: the same seed gives the same result on every machine
    #[arg(long, default_value_t = 0)]
    seed: u64,

    /// Write every setup, or with --by every group, to a file as CSV
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Write the effects of features of the setup on White's score to a file as CSV
    #[arg(long, value_name = "FILE")]
    features: Option<PathBuf>,

    /// Write the use of the Bishop Adjustment to a file as CSV
    #[arg(long, value_name = "FILE")]
    adjustments: Option<PathBuf>,

    /// Compare the scores with those of an atlas of the same game in this directory; --csv then includes its columns
    #[arg(long, value_name = "DIR", conflicts_with = "by")]
    atlas: Option<PathBuf>,

    /// Print JSON instead of tables
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    threads: ThreadsArg,
}

/// What is printed as JSON.
#[derive(Serialize)]
struct SetupsAnswer<'a> {
    #[serde(flatten)]
    found: &'a SetupStatistics,
    #[serde(skip_serializing_if = "Option::is_none")]
    atlas: Option<&'a AtlasAndGames>,
}

impl SetupsCommand {
    pub fn run(self) -> Result<(), Failure> {
        self.threads.start()?;
        let studies = studies::open(&self.studies)?;
        let mut games = SetupGames::default();
        let read = studies::read(&studies, Sampling::default(), |game| games.add(&game))?;
        if !self.by.is_empty() {
            return self.print_grouped(&studies, &read, &games);
        }
        let options = SetupOptions { permutations: self.permutations, seed: self.seed };
        let variant = studies.rules.variant();
        let found = games.statistics(variant, options).ok_or_else(|| Failure::Input(read.why_no_setups()))?;
        if self.adjustments.is_some() && found.adjustments.is_none() {
            let why = "--adjustments: no side could play the Bishop Adjustment in these games";
            return Err(Failure::Input(why.to_string()));
        }
        let judged = self.atlas.as_ref().map(|path| JudgedSetups::open(path, variant)).transpose()?;
        match (&self.csv, &judged) {
            (Some(path), Some(judged)) => {
                Output::write_by(path, |out| write_judged_setups(&found, judged, out))?;
            }
            (Some(path), None) => write_csv(path, &found)?,
            (None, _) => (),
        }
        let atlas = judged.map(|judged| judged.and_games(&found));
        if let Some(path) = &self.features {
            Output::write_by(path, |out| write_features(&found.features, out))?;
        }
        if let (Some(path), Some(adjustments)) = (&self.adjustments, &found.adjustments) {
            Output::write_by(path, |out| write_adjustments(adjustments, out))?;
        }
        if self.json {
            return print_json(&SetupsAnswer { found: &found, atlas: atlas.as_ref() });
        }
        let mut out = Output::stdout();
        studies::print_games(&mut out, &studies, &read)?;
        writeln!(out)?;
        print_overview(&mut out, &found)?;
        if variant.sides_differ() {
            out.say_of("army", whose_score(&studies))?;
        }
        if let Some(atlas) = &atlas {
            print_atlas(&mut out, atlas)?;
        }
        print_ends(&mut out, &found, self.top)?;
        print_features(&mut out, &found.features)?;
        if let Some(adjustments) = &found.adjustments {
            print_adjustments(&mut out, adjustments)?;
        }
        print_endings(&mut out, &found)?;
        out.finish()
    }
}

impl SetupsCommand {
    /// Prints and writes the groups of `--by`.
    fn print_grouped(&self, studies: &Studies, read: &GamesRead, games: &SetupGames) -> Result<(), Failure> {
        let found = games.grouped(studies.rules.variant(), &self.by)?;
        if let Some(path) = &self.csv {
            Output::write_by(path, |out| write_groups(&found, out))?;
        }
        if self.json {
            return print_json(&found);
        }
        let mut out = Output::stdout();
        studies::print_games(&mut out, studies, read)?;
        writeln!(out)?;
        print_table(&mut out, group_table(&found).for_people(&found.groups))?;
        out.finish()
    }
}

/// Whose score it is where the sides have different armies.
fn whose_score(studies: &Studies) -> &'static str {
    match studies.studies.iter().all(|(_, study)| study.swap_sides) {
        true => {
            "White's and Black's are not alike, and each has the first move in one game of each pair: the score is that of White's army, whoever begins"
        }
        false => {
            "White's and Black's are not alike: the score is that of White's army and of the first move together"
        }
    }
}

/// Writes `setups.csv`.
fn write_csv(path: &Path, found: &SetupStatistics) -> Result<(), Failure> {
    Output::write_by(path, |out| write_setups(found, out))
}

fn percent(share: f64) -> String {
    Format::PERCENT.number(share)
}

/// An interval of scores, in percent.
fn percents(estimate: Estimate) -> String {
    Format::PERCENT.interval(estimate.interval)
}

fn results([won, drawn, lost]: [u64; 3]) -> String {
    [won, drawn, lost].map(thousands).join(" ")
}

fn print_overview(out: &mut Output, found: &SetupStatistics) -> Result<(), Failure> {
    out.say_of("setups", thousands(found.setups.len() as u64))?;
    out.say_of("White", format_args!("{} won, drawn and lost", results(found.results)))?;
    let (score, interval) = (percent(found.score.value), percents(found.score));
    out.say_of("score", format_args!("{score}, between {interval} at 95 %"))?;
    match &found.dispersion {
        None => out.say_of(
            "differences",
            "cannot be tested: this takes at least two setups, and one of them with at least two games",
        )?,
        Some(found) => out.say_of(
            "differences",
            format_args!(
                "{:.0} where chance alone gives {:.0}: p = {:.3} by {} permutations",
                found.statistic, found.expected, found.p_value, found.permutations
            ),
        )?,
    }
    if let Some(found) = &found.shrinkage {
        let (deviation, games) = (percent(found.deviation.value), found.games);
        let interval = percents(found.deviation);
        out.say_of(
            "spread",
            format_args!("true scores have a standard deviation of {deviation}, between {interval} at 95 %"),
        )?;
        out.say_of("", format_args!("the mean of all setups weighs as much as {games:.0} games of a setup"))?;
        if found.mostly_assumed {
            let why = "this mostly follows from the prior, because too few setups have several games";
            out.say_of("", why)?;
        }
    }
    let sure = found.setups.iter().filter(|setup| setup.false_discovery_rate <= 0.05).count();
    out.say_of("different", format_args!("{sure} setups at a false discovery rate of 5 %"))?;
    Ok(())
}

fn print_atlas(out: &mut Output, found: &AtlasAndGames) -> Result<(), Failure> {
    if found.setups == 0 {
        return Ok(out.say_of("atlas", "has none of these setups")?);
    }
    let (games, setups) = (thousands(found.games), thousands(found.setups));
    let (expected, score) = (percent(found.expected), percent(found.score));
    out.say_of(
        "atlas",
        format_args!(
            "expects {expected}, and White scores {score} in {games} games from {setups} of its setups"
        ),
    )?;
    if let Some(r) = found.correlation {
        let (value, interval) = (r.value, r.interval);
        out.say_of(
            "",
            format_args!("r = {value:.3}, {interval:.3} at 95 %, between expected scores and scores"),
        )?;
    }
    if let Some(slope) = found.slope {
        let (value, interval) = (slope.value, slope.interval);
        out.say_of(
            "",
            format_args!("scores rise by {value:.2} for each 1 of expected score, {interval:.2} at 95 %"),
        )?;
    }
    for left_out in &found.not_ranked {
        writeln!(out, "             ranks no setups by {left_out}")?;
    }
    Ok(())
}

fn print_ends(out: &mut Output, found: &SetupStatistics, top: usize) -> Result<(), Failure> {
    let [better, worse] = found.standing_out();
    if better.is_empty() && worse.is_empty() && top > 0 {
        let said = "no setup is said to be good or bad for White: none differs from the mean of all at a false discovery rate of 5 %, so \
                    that a list of the best would be one of chance; --csv writes all setups";
        out.say(format_args!("\n{said}"))?;
    }
    for (title, setups) in [("best for White", better), ("worst for White", worse)] {
        let shown = top.min(setups.len());
        if shown > 0 {
            writeln!(
                out,
                "\n{title}, {shown} of {} that differ from the mean\n",
                thousands(setups.len() as u64)
            )?;
            print_table(out, score_table().for_people(setups[..shown].to_vec()))?;
        }
    }
    Ok(())
}

fn print_features(out: &mut Output, features: &Features) -> Result<(), Failure> {
    out.say("\nfeatures associated with White's score: percent for one unit more, 95 % intervals clustered by setup")?;
    if let Some(why) = &features.nothing {
        out.say(format_args!("no effects: {why}"))?;
    }
    writeln!(out)?;
    Ok(print_table(out, feature_table().for_people(&features.effects))?)
}

fn print_adjustments(out: &mut Output, found: &AdjustmentUse) -> Result<(), Failure> {
    let [games, could, did] = [found.games, found.could, found.did].map(thousands);
    out.say(format_args!("\nBishop Adjustment: {did} of the {could} sides that could, in {games} games\n"))?;
    print_table(out, adjusting_table().for_people(&found.by_whom))?;
    writeln!(out)?;
    Ok(print_table(out, partner_table().for_people(&found.partners))?)
}

fn print_endings(out: &mut Output, found: &SetupStatistics) -> Result<(), Failure> {
    let [shortest, lower, median, upper, longest] = found.lengths.quartiles;
    out.say(format_args!(
        "\nplies: median {median}, half of the games {lower} to {upper}, shortest {shortest}, longest {longest}\n"
    ))?;
    Ok(print_table(out, ending_table().for_people(&found.endings))?)
}
