use std::collections::HashMap;
use std::path::{Path, PathBuf};

use backrank_analysis::table::{spreadsheet_text, thousands};
use backrank_endgames::LonePiece;
use backrank_enumerate::{BruteForce, Claim, Claimed, Space, Verdict, claims, pages_named};
use backrank_rules::{Rules, Variant, catalogue};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::args::{ThreadsArg, find_variant};
use crate::terminal::failure::Failure;
use crate::terminal::notes::show_bars;
use crate::terminal::output::{Output, print_json, serialize_number};
use crate::terminal::table::{TableColumn, print};

/// Check published claims: the number of setups of a game, the number of a setup, and which pieces mate alone
///
/// Setups are counted in two ways: by dynamic programming, and by brute force over all arrangements. The exit code is 0
/// if every verdict is the one on record.
#[derive(Args)]
#[command(after_help = examples!(
    "backrank verify",
    "backrank verify pmrc chess8400",
    "backrank verify my-game.toml",
))]
pub struct VerifyCommand {
    /// Check only claims about these games; a game without a claim is counted in both ways
    #[arg(value_name = "VARIANT")]
    variants: Vec<String>,

    /// Check every game of the catalogue, including those without a claim
    #[arg(long, conflicts_with = "variants")]
    all: bool,

    /// Write the counts to a file as CSV
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    threads: ThreadsArg,
}

/// The result for a claim, or for a space without a claim.
#[derive(Serialize)]
pub struct Finding {
    key: String,
    name: String,
    files: usize,
    ranks: usize,
    #[serde(rename = "where")]
    narrowed_by: Vec<String>,
    /// The setup whose number was claimed, and the numbering; `None` for other claims.
    setup: Option<String>,
    numbering: Option<String>,
    claimed: Option<u64>,
    /// The pieces that checkmate on their own, as claimed and as found; `None` for other claims.
    claimed_mates_alone: Option<String>,
    mates_alone: Option<String>,
    /// The number of setups, or the number of the setup.
    #[serde(serialize_with = "serialize_number")]
    space: u128,
    brute_force: Option<u128>,
    verdict: String,
    on_record: Option<String>,
    source: Option<String>,
}

impl Finding {
    fn is_as_recorded(&self) -> bool {
        match &self.on_record {
            Some(verdict) => *verdict == self.verdict,
            None => Some(self.space) == self.brute_force,
        }
    }
}

/// A space, and the claim about it.
struct UnverifiedSpace {
    variant: Variant,
    space: Space,
    /// The count by brute force, if setups are to be counted.
    brute_force: Option<BruteForce>,
    claim: Option<Claim>,
}

impl VerifyCommand {
    pub fn run(self) -> Result<(), Failure> {
        let named = self.variants.iter().map(|name| find_variant(name));
        let named = if self.all { Ok(catalogue().collect()) } else { named.collect::<Result<Vec<_>, _>>() };
        self.threads.start()?;
        verify(&named?, self.csv.as_deref(), self.json)
    }
}

/// Checks the claims about some variants, or about all if none are given, and prints the results.
fn verify(variants: &[Variant], csv: Option<&Path>, json: bool) -> Result<(), Failure> {
    let findings = find_all(variants)?;
    if let Some(path) = csv {
        write_csv(path, &findings)?;
    }
    if json {
        print_json(&findings)?;
    } else {
        print_findings(&findings)?;
    }
    check(&findings)
}

/// Checks the claims about some variants, or about all if none are given.
pub fn find_all(variants: &[Variant]) -> Result<Vec<Finding>, Failure> {
    let work = work(variants)?;
    let brute_forces = work.iter().filter_map(|work| work.brute_force.as_ref());
    let arrangements: u128 = brute_forces.map(BruteForce::arrangements).sum();
    let bar = if show_bars() { ProgressBar::no_length() } else { ProgressBar::hidden() };
    bar.set_length(u64::try_from(arrangements).unwrap_or(u64::MAX));
    let bar = bar.with_style(
        ProgressStyle::with_template(
            "brute force {bar:20} {percent} % of {human_len} arrangements, {eta} left",
        )
        .expect("a valid template"),
    );
    let findings = work.into_iter().map(|work| find(work, &bar)).collect();
    bar.finish_and_clear();
    findings
}

/// A failure if a verdict is not the one on record.
pub fn check(findings: &[Finding]) -> Result<(), Failure> {
    let surprises = findings.iter().filter(|finding| !finding.is_as_recorded()).count();
    match surprises {
        0 => Ok(()),
        _ => Err(Failure::Other(format!(
            "{surprises} of {} verdicts are not the ones on record",
            findings.len()
        ))),
    }
}

fn work(variants: &[Variant]) -> Result<Vec<UnverifiedSpace>, Failure> {
    let mut wanted: HashMap<&str, (&Variant, bool)> =
        variants.iter().map(|variant| (variant.key.as_str(), (variant, false))).collect();
    let mut work = Vec::new();
    for claim in claims() {
        let variant = match wanted.get(claim.variant.as_str()) {
            Some((variant, _)) => (*variant).clone(),
            None if variants.is_empty() => Variant::find(&claim.variant)?,
            None => continue,
        };
        let space = Space::narrowed(&variant, &claim.narrowed_by)?;
        if !claim.applies_to(&space) {
            continue;
        }
        if let Some((_, claimed)) = wanted.get_mut(claim.variant.as_str()) {
            *claimed = true;
        }
        let brute_force = match claim.claimed {
            Claimed::Id { .. } | Claimed::MatesAlone(_) => None,
            Claimed::Setups(_) => Some(BruteForce::new(&variant, &claim.narrowed_by)?),
        };
        work.push(UnverifiedSpace { variant, space, brute_force, claim: Some(claim) });
    }
    for variant in variants {
        if let Some((variant, false)) = wanted.remove(variant.key.as_str()) {
            let (space, brute_force) = (Space::new(variant)?, Some(BruteForce::new(variant, &[])?));
            work.push(UnverifiedSpace { variant: variant.clone(), space, brute_force, claim: None });
        }
    }
    Ok(work)
}

fn find(
    UnverifiedSpace { variant, space, brute_force, claim }: UnverifiedSpace,
    bar: &ProgressBar,
) -> Result<Finding, Failure> {
    let brute_force = brute_force.map(|force| force.count(&|arrangements| bar.inc(arrangements)));
    let (mut counted, mut of_setup, mut of_numbering) = (space.len(), None, None);
    let mut mates_alone = None;
    let claimed = match claim.as_ref().map(|claim| &claim.claimed) {
        None => None,
        Some(Claimed::Setups(setups)) => Some(*setups),
        Some(Claimed::Id { setup, numbering, id }) => {
            let known = space.numbering(numbering).expect("claims that do not apply are left out");
            counted = space.rank_by(known, &space.read(setup)?)?;
            (of_setup, of_numbering) = (Some(setup.clone()), Some(numbering.clone()));
            Some(*id)
        }
        Some(Claimed::MatesAlone(pieces)) => {
            mates_alone = Some((pieces.clone(), pieces_that_mate_alone(&variant)?));
            None
        }
    };
    let of_play = || mates_alone.as_ref().map(|(claimed, found)| Verdict::of(claimed == found));
    let verdict = match &claim {
        _ if brute_force.is_some_and(|brute_force| brute_force != counted) => "disputed".to_string(),
        None => "agreed".to_string(),
        Some(claim) => claim.judge(&space).or_else(of_play).map_or_else(String::new, |it| it.to_string()),
    };
    let (claimed_mates_alone, mates_alone) = mates_alone.unzip();
    Ok(Finding {
        key: variant.key,
        name: variant.name,
        files: variant.board.files(),
        ranks: variant.board.ranks(),
        narrowed_by: claim.iter().flat_map(|claim| &claim.narrowed_by).map(ToString::to_string).collect(),
        setup: of_setup,
        numbering: of_numbering,
        claimed,
        claimed_mates_alone,
        mates_alone,
        space: counted,
        brute_force,
        verdict,
        on_record: claim.as_ref().map(|claim| claim.verdict.to_string()),
        source: claim.map(|claim| claim.source),
    })
}

/// The letters of the pieces that can checkmate without their king, in alphabetical order.
fn pieces_that_mate_alone(variant: &Variant) -> Result<String, Failure> {
    let rules = Rules::new(variant);
    let pieces = LonePiece::all(&rules)?;
    let able = pieces.iter().filter(|piece| piece.checkmates > 0);
    Ok(able.map(|piece| rules.letter_of(piece.kind)).collect())
}

/// A row for each space that was counted; `data/README.md` says what each column means.
fn write_csv(path: &Path, findings: &[Finding]) -> Result<(), Failure> {
    let mut out = Output::open(Some(path))?;
    let mut rows = csv::Writer::from_writer(&mut out);
    let failed = |error: csv::Error| Failure::writing(path, &error.into());
    rows.write_record(COLUMNS).map_err(failed)?;
    for finding in findings {
        let Some(brute_force) = finding.brute_force else { continue };
        let claimed = finding.claimed.map_or_else(String::new, |claimed| claimed.to_string());
        let row = [
            &finding.key,
            &finding.name,
            &finding.files.to_string(),
            &finding.ranks.to_string(),
            &finding.narrowed_by.join("; "),
            &claimed,
            &finding.space.to_string(),
            &brute_force.to_string(),
            &finding.verdict,
            finding.source.as_deref().unwrap_or_default(),
        ];
        rows.write_record(row.map(|text| spreadsheet_text(text).into_owned())).map_err(failed)?;
    }
    rows.flush().map_err(|error| Failure::writing(path, &error))?;
    drop(rows);
    out.finish()
}

const COLUMNS: [&str; 10] =
    ["key", "name", "files", "ranks", "where", "claimed", "space", "brute_force", "verdict", "source"];

/// Prints findings as a table.
pub fn print_findings(findings: &[Finding]) -> Result<(), Failure> {
    use TableColumn::{Number, Text};
    let columns = [
        Text("key"),
        Number("claimed"),
        Number("found"),
        Number("brute force"),
        Text("verdict"),
        Text("claim and source"),
    ];
    let rows = findings.iter().map(|finding| {
        let verdict = match &finding.on_record {
            Some(on_record) if *on_record != finding.verdict => {
                format!("{}, but {on_record} on record", finding.verdict)
            }
            _ => finding.verdict.clone(),
        };
        let mut about = finding.narrowed_by.clone();
        about.extend(
            finding
                .setup
                .iter()
                .zip(&finding.numbering)
                .map(|(setup, numbering)| format!("{setup} in {numbering}")),
        );
        if finding.mates_alone.is_some() {
            about.push("the pieces that checkmate without their king".to_string());
        }
        about.extend(finding.source.clone());
        let claimed = finding.claimed.map(thousands).or_else(|| finding.claimed_mates_alone.clone());
        vec![
            finding.key.clone(),
            claimed.unwrap_or_default(),
            finding.mates_alone.clone().unwrap_or_else(|| thousands(finding.space)),
            finding.brute_force.map_or_else(String::new, thousands),
            verdict,
            about.join("; "),
        ]
    });
    let mut out = Output::stdout();
    print(&mut out, &columns, rows)?;
    say_pages(&mut out, findings.iter().filter_map(|finding| finding.source.as_deref()))?;
    out.finish()
}

/// Says what the pages are that sources name as `000` and so on.
pub fn say_pages<'a>(out: &mut Output, sources: impl Iterator<Item = &'a str>) -> std::io::Result<()> {
    let named: Vec<String> =
        pages_named(sources).into_iter().map(|(number, title)| format!("{number} {title}")).collect();
    match named.is_empty() {
        true => Ok(()),
        false => out.say(format_args!("\nThe Chess Variant Pages: {}", named.join(", "))),
    }
}
