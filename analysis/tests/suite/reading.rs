//! Reading studies: each game once, and what is wrong with a file said with its line.

use std::path::{Path, PathBuf};

use backrank_analysis::fit::Clustering;
use backrank_analysis::games::{Material, Sampling, Studies};
use backrank_analysis::setups::{SetupGames, SetupOptions};
use backrank_analysis::simulate::{Simulation, TrueValue, Truth};
use backrank_analysis::values::{RegressionOptions, Sample};
use backrank_enumerate::Space;
use backrank_rules::{Rules, Variant};
use backrank_selfplay::study::{GameRecord, GamesWriter, SetupChoice, Study, StudyDirectory, StudySpec};
use tempfile::TempDir;

fn records(variant: &Variant, games: u64) -> Vec<GameRecord> {
    let rules = Rules::new(variant);
    let material = Material::of(&rules);
    let values = material.columns().iter().map(|column| TrueValue {
        piece: column.to_string(),
        pawns: if column.to_string() == "P" { 1.0 } else { 4.0 },
    });
    let truth =
        Truth { values: values.collect(), pawn_elo: 60.0, white_elo: 20.0, draws: 0.3, setup_elo: 0.0 };
    let simulation = Simulation::new(&rules, &material, &truth, None, Sampling::default(), 1).unwrap();
    let space = Space::new(variant).unwrap();
    let id = |game: u64| u128::from(game / 3 * 7) % space.len();
    (0..games)
        .map(|game| simulation.game(game, id(game), &space.unrank(id(game)).unwrap()).unwrap())
        .collect()
}

/// A study that asks for just these games, one after the other.
fn write(path: &Path, variant: &Variant, records: &[GameRecord]) {
    let space = Space::new(variant).unwrap();
    let numbering = space.default_numbering().name();
    let setups = SetupChoice::Listed(records.iter().map(|record| record.setup as u64).collect());
    let mut study = StudySpec::new(variant, setups.into(), numbering, records.len() as u64);
    [study.white.name, study.black.name] = ["model", "model"].map(str::to_string);
    let study = Study::new(study).unwrap();
    StudyDirectory::create(path, &study).unwrap();
    let mut writer = GamesWriter::resume(&StudyDirectory::games(path), 0, &study).unwrap();
    for (game, record) in (0..).zip(records) {
        writer.write(&GameRecord { game, ..record.clone() }).unwrap();
    }
}

fn study(key: &str, games: u64) -> (TempDir, PathBuf, Vec<GameRecord>) {
    let folder = tempfile::tempdir().unwrap();
    let variant = Variant::find(key).unwrap();
    let records = records(&variant, games);
    let path = folder.path().join("study");
    write(&path, &variant, &records);
    (folder, path, records)
}

fn everything(paths: &[PathBuf]) -> [String; 2] {
    let studies = Studies::open(paths).unwrap();
    let mut sample = Sample::new(&studies.material, Clustering::Game);
    let mut setups = SetupGames::default();
    let read = studies.read(Sampling::default(), &mut |_| (), &mut |game| {
        sample.add(&game);
        setups.add(&game);
    });
    assert_eq!(read.unwrap().different, 300);
    let options = RegressionOptions { replicates: 60, seed: 3, ..RegressionOptions::default() };
    let values = format!("{:?}", sample.values(options, &|_| ()));
    let options = SetupOptions { permutations: 99, seed: 0 };
    [values, format!("{:?}", setups.statistics(studies.rules.variant(), options))]
}

#[test]
fn writing_a_study_five_times_changes_nothing() {
    let (folder, once, records) = study("pmrc", 300);
    let paths: Vec<PathBuf> = ["0", "1", "2", "3", "4"].map(|name| folder.path().join(name)).to_vec();
    paths.iter().for_each(|path| write(path, &Variant::find("pmrc").unwrap(), &records));
    assert_eq!(everything(&paths), everything(&[once]));
}

#[test]
fn a_game_that_went_the_same_way_twice_counts_twice() {
    let (folder, once, records) = study("pmrc", 20);
    let twice: Vec<GameRecord> = records.iter().flat_map(|record| vec![record.clone(); 2]).collect();
    let path = folder.path().join("twice");
    write(&path, &Variant::find("pmrc").unwrap(), &twice);
    let different = |path: &PathBuf| {
        let studies = Studies::open(std::slice::from_ref(path)).unwrap();
        studies.read(Sampling::default(), &mut |_| (), &mut |_| ()).unwrap().different
    };
    assert_eq!([&once, &path].map(different), [20, 40]);
}

fn wrong(path: &Path) -> String {
    let read = Studies::open(&[path.to_path_buf()])
        .and_then(|studies| studies.read(Sampling::default(), &mut |_| (), &mut |_| ()));
    read.unwrap_err().to_string()
}

#[test]
fn what_is_wrong_is_said_with_file_and_line() {
    let (_folder, path, records) = study("pmrc", 5);
    let file = StudyDirectory::games(&path);
    let whole = std::fs::read_to_string(&file).unwrap();
    let second_move = records[2].moves.split(' ').nth(1).unwrap();
    for (from, to, says) in [
        (format!(" {second_move} "), " e4e5 ".to_string(), "games.csv, line 4: move 2: "),
        (records[3].fen.clone(), "9/9 w - - 0 1".to_string(), "games.csv, line 5: fen: "),
        // A setup and its FEN that contradict each other, and a game that the study does not ask for.
        ("\n0,0,".to_string(), "\n0,1,".to_string(), "games.csv, line 2: setup is 1, but should be 0"),
        (
            whole.clone(),
            format!("{whole}{}", whole[whole.find("\n4,").unwrap() + 1..].replacen('4', "5", 1)),
            "games.csv, line 7: game 5 is not one of this study",
        ),
        (",adjudication,".to_string(), ",checkmate,".to_string(), "games.csv, line 2: "),
        ("opening_plies".to_string(), "opening".to_string(), "games.csv, line 1: `opening` is not a column"),
        (
            "plies,opening_plies,".to_string(),
            String::new(),
            "line 1: columns are missing: plies, opening_plies",
        ),
        (
            whole.lines().next().unwrap().to_string(),
            "\u{1f}\u{8b}".to_string(),
            "line 1: this is not the heading of games.csv",
        ),
    ] {
        // The move is that of the third game, wherever else it may stand.
        let (before, after) = if says.contains("line 4") {
            whole.split_at(whole.find("\n2,").unwrap())
        } else {
            ("", whole.as_str())
        };
        std::fs::write(&file, format!("{before}{}", after.replacen(&from, &to, 1))).unwrap();
        let problem = wrong(&path);
        assert!(problem.contains(says), "{problem}");
    }
}

#[test]
fn a_directory_without_a_study_or_without_games_is_named() {
    let folder = tempfile::tempdir().unwrap();
    assert!(wrong(folder.path()).contains("holds no study"));
    let (_kept, path, _) = study("chess", 1);
    let heading = std::fs::read_to_string(StudyDirectory::games(&path)).unwrap();
    std::fs::write(StudyDirectory::games(&path), heading.split_inclusive('\n').next().unwrap()).unwrap();
    assert!(wrong(&path).contains("a study without a finished game; run the command that began it again"));
    std::fs::remove_file(StudyDirectory::games(&path)).unwrap();
    assert!(wrong(&path).contains("a study without a finished game; run the command that began it again"));
    let text = std::fs::read_to_string(path.join("study.toml")).unwrap();
    std::fs::write(path.join("study.toml"), text.replace("Chess", "Chests")).unwrap();
    assert!(wrong(&path).contains("the variant's sha256 is not that of its text"));
}

#[test]
fn studies_of_two_games_are_not_mixed() {
    let ((_one, pmrc, _), (_two, chess, _)) = (study("pmrc", 1), study("chess", 1));
    let problem = Studies::open(&[pmrc, chess.clone()]).unwrap_err().to_string();
    let text = std::fs::read_to_string(chess.join("study.toml")).unwrap();
    let line = 1 + text.lines().position(|line| line == "[variant]").unwrap();
    assert!(
        problem.contains(&format!("study.toml, line {line}: this is a study of chess, but ")),
        "{problem}"
    );
    assert!(problem.ends_with("is one of pmrc; give studies of the same variant"), "{problem}");
}

#[test]
fn a_bishop_that_changes_places_with_its_neighbour_makes_a_pair() {
    let variant = Variant::find("pmrc").unwrap();
    let rules = Rules::new(&variant);
    let material = Material::of(&rules);
    let pair = material.columns().iter().position(|column| column.to_string() == "B+B").unwrap();
    let record = GameRecord {
        game: 0,
        setup: 0,
        white_rank: "BNBMRQKNR".to_string(),
        black_rank: "BNBMRQKNR".to_string(),
        fen: "bnbmrqknr/ppppppppp/9/9/9/9/9/PPPPPPPPP/BNBMRQKNR w EIei - 0 1 ABCDabcd".to_string(),
        odds: String::new(),
        white: "model".to_string(),
        black: "model".to_string(),
        result: Some(backrank_rules::GameResult::Draw),
        termination: backrank_selfplay::study::Ending::Adjudication,
        plies: 4,
        opening_plies: 0,
        moves: "e2e3 e8e7 c1b1 c9d9".to_string(),
        source: None,
        ratings: None,
    };
    let mut replayer =
        backrank_analysis::games::Replayer::new(&rules, &material, Sampling { quiet_plies: 0, from_ply: 0 });
    let seen: Vec<i8> =
        replayer.replay(&record).unwrap().samples.iter().map(|(seen, _)| seen[pair]).collect();
    // Both sides without a pair, then White with one.
    assert_eq!(seen, [0, 1]);
}
