use std::io::Write;
use std::path::{Path, PathBuf};

use backrank_analysis::atlas::Judgements;
use backrank_analysis::explorer::{AtlasTable, Explorer};
use backrank_enumerate::Space;
use backrank_rules::{FindError, Variant, catalogue};
use backrank_selfplay::atlas::AtlasDirectory;
use backrank_selfplay::study::{ScoresReader, Study, StudyDirectory};
use clap::Args;

use crate::args::{ThreadsArg, find_variant};
use crate::command::findings;
use crate::command::values::{DENSITY, RegressionArgs, UnitArg};
use crate::terminal::failure::Failure;
use crate::terminal::output::Output;
use crate::terminal::reproduce::{public_name, public_word};

/// Write a page on which every setup of a game can be found, viewed, compared and replayed, in any browser and offline
///
/// Give the directories of studies and atlases of one game, or its key alone. Games at odds are used for piece values;
/// games that start from a setup can be replayed on the page.
#[derive(Args)]
#[command(after_help = examples!(
    "backrank explore runs/all runs/atlas -o explorer.html",
    "backrank explore chess960 -o explorer.html",
))]
pub struct ExploreCommand {
    /// Directories of studies and atlases, tables of setups in CSV, or a key that `backrank variants` lists
    #[arg(value_name = "DIR", required = true)]
    sources: Vec<PathBuf>,

    /// The file to write
    #[arg(short, long, value_name = "FILE", default_value = "explorer.html")]
    output: PathBuf,

    #[command(flatten)]
    unit: UnitArg,

    #[command(flatten)]
    threads: ThreadsArg,
}

/// The sources of the page.
#[derive(Default)]
struct Sources {
    studies: Vec<PathBuf>,
    /// Tables of setups: `atlas.csv` of each atlas.
    atlases: Vec<PathBuf>,
    /// The game, if one is named.
    variant: Option<Variant>,
}

impl ExploreCommand {
    pub fn run(self) -> Result<(), Failure> {
        self.threads.start()?;
        let sources = Sources::find(&self.sources)?;
        let variant = sources.variant()?;
        let findings = (!sources.studies.is_empty())
            .then(|| findings::of(&sources.studies, &RegressionArgs::default(), &self.unit))
            .transpose()?;
        let space = Space::new(&variant)?;
        let mut page = Explorer::new(&variant, &space);
        page.atlases =
            sources.atlases.iter().map(|path| atlas_table(path, &variant)).collect::<Result<_, _>>()?;
        page.dictionary = include_str!("../../data/README.md");
        page.command = self.command();
        if let Some(findings) = findings {
            for (path, study) in &findings.studies.studies {
                add_games(&mut page, path, study)?;
            }
            page.values = findings.rows(DENSITY);
            page.setups = findings.setups;
        }
        let page = page.to_html()?;
        Output::write(&self.output, page.as_bytes())?;
        let mut out = Output::stdout();
        writeln!(out, "{}", self.output.display())?;
        out.finish()
    }

    /// The command that reproduces the page.
    fn command(&self) -> String {
        let sources: Vec<String> = self.sources.iter().map(|path| public_word(path)).collect();
        format!("backrank explore {}{} -o {}", sources.join(" "), self.unit.text(), public_word(&self.output))
    }
}

impl Sources {
    fn find(paths: &[PathBuf]) -> Result<Self, Failure> {
        let mut found = Self::default();
        for path in paths {
            if let Some(atlas) = AtlasDirectory::recorded(path)? {
                found.atlases.push(atlas);
            } else if StudyDirectory::holds(path)? {
                found.studies.push(path.clone());
            } else if path.is_file() && is_table(path) {
                found.atlases.push(path.clone());
            } else if path.is_dir() {
                return Err(Failure::Input(format!(
                    "{} is neither a study nor an atlas: it has no study.toml and no atlas.csv",
                    path.display()
                )));
            } else if let Some(variant) = &found.variant {
                let (path, key) = (path.display(), &variant.key);
                return Err(Failure::Input(format!("{path}: give only one game; {key} is one already")));
            } else {
                found.variant = Some(find_variant(&path.to_string_lossy()).map_err(no_such_source)?);
            }
        }
        Ok(found)
    }

    /// The game of all sources. Reads every row of atlases, so that what is wrong in them is found before anything else is done.
    fn variant(&self) -> Result<Variant, Failure> {
        let mut known: Vec<(String, Variant)> = Vec::new();
        for path in &self.studies {
            let study = StudyDirectory::read(path)?;
            let variant =
                study.variant().map_err(|error| Failure::Input(format!("{}: {error}", path.display())))?;
            known.push((path.display().to_string(), variant));
        }
        for path in &self.atlases {
            // A table by itself says nothing of its game.
            let directory = path.parent().unwrap_or(Path::new(""));
            if AtlasDirectory::holds(directory)? {
                let atlas = AtlasDirectory::read(directory)?;
                known.push((path.display().to_string(), atlas.variant()?));
                AtlasDirectory::read_rows(directory, &atlas)?.try_for_each(|row| row.map(|_| ()))?;
            }
        }
        known.extend(self.variant.clone().map(|variant| (variant.key.clone(), variant)));
        let Some((first, variant)) = known.first() else {
            return Err(Failure::Input(format!(
                "cannot tell which game {} is of; give the game's key as well, such as pmrc",
                self.atlases[0].display()
            )));
        };
        if let Some((path, other)) = known.iter().find(|(_, other)| !is_same_game(other, variant)) {
            let text = if other.key == variant.key { " with other rules or setups" } else { "" };
            let [path, first] =
                [(path, other), (first, variant)].map(|(name, variant)| match *name == variant.key {
                    true => format!("the game named is {name}"),
                    false => format!("{name} is of {}", variant.key),
                });
            return Err(Failure::Input(format!("{path}{text}, but {first}; give sources of the same game")));
        }
        // A study keeps a copy of its game's file. The catalogue may have gained numberings and notes since.
        let newer = catalogue().find(|other| other.key == variant.key);
        Ok(newer.filter(|newer| is_same_game(newer, variant)).unwrap_or_else(|| variant.clone()))
    }
}

/// Whether two variants have the same rules and the same setups. Names, values, notations, numberings and notes may differ.
fn is_same_game(one: &Variant, other: &Variant) -> bool {
    fn drop_keys(table: Option<&mut toml::Value>, keys: &[&str]) {
        if let Some(table) = table.and_then(toml::Value::as_table_mut) {
            table.retain(|key, _| !keys.contains(&key));
        }
    }
    let rules = |variant: &Variant| -> Option<toml::Table> {
        let mut file: toml::Table = toml::from_str(variant.text()).ok()?;
        drop_keys(file.get_mut("setup"), &["notes", "numberings"]);
        drop_keys(file.get_mut("pawn"), &["value"]);
        let pieces = file.get_mut("pieces").and_then(toml::Value::as_table_mut);
        for (_, piece) in pieces.into_iter().flatten() {
            drop_keys(Some(piece), &["name", "value"]);
        }
        for side in ["left", "right"] {
            drop_keys(file.get_mut("castling").and_then(|castling| castling.get_mut(side)), &["notation"]);
        }
        file.retain(|key, _| !matches!(key, "name" | "also_called" | "source"));
        Some(file)
    };
    rules(one) == rules(other)
}

/// What a source is not, if it is nothing.
fn no_such_source(error: FindError) -> Failure {
    match error {
        FindError::Unknown { name, nearest } => {
            let meant = match nearest.is_empty() {
                true => ".".to_string(),
                false => format!("; did you mean {}?", nearest.join(", ")),
            };
            Failure::Input(format!(
                "no such file or game: {name}{meant} A source is the directory of a study or of an atlas, a table of setups, a variant \
                 file, or a key that `backrank variants` lists"
            ))
        }
        error => error.into(),
    }
}

/// A table of setups; of an atlas, what its searches say together.
fn atlas_table(path: &Path, variant: &Variant) -> Result<AtlasTable, Failure> {
    let directory = path.parent().unwrap_or(Path::new(""));
    if !AtlasDirectory::holds(directory)? {
        return Ok(AtlasTable::read(path)?);
    }
    let judgements = Judgements::read(directory, &AtlasDirectory::read(directory)?)?;
    Ok(AtlasTable::judged(path, &judgements, variant)?)
}

fn is_table(path: &Path) -> bool {
    let name = path.to_string_lossy();
    name.ends_with(".csv") || name.ends_with(".csv.gz")
}

/// Adds the games of a study that start from setups.
fn add_games(page: &mut Explorer<'_>, path: &Path, study: &Study) -> Result<(), Failure> {
    let name = public_name(path);
    let mut reader = StudyDirectory::read_games(path, study)?;
    let scores = StudyDirectory::scores(path);
    let mut scores = study.scores.then(|| ScoresReader::open(&scores)).transpose()?;
    while let Some(record) = reader.next().transpose()? {
        let scores = scores.as_mut().map(|scores| scores.scores_of(&record)).transpose()?.unwrap_or_default();
        page.add_game(&name, &record, &scores).map_err(|problem| reader.wrong(problem))?;
    }
    Ok(())
}
