//! Gathering 10,000,000 rows of 10,000 tasks, and `backrank status` before and after that: time and peak memory. The rows are
//! made up, as gathering reads no more of them than their number.
//!
//!     cargo bench --bench cluster
//!     cargo bench --bench cluster -- 1000000 1000

use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use backrank_experiment::cluster::{TaskRecord, TaskRecordPart};
use backrank_experiment::pairs::PairResults;
use backrank_experiment::plan::{Plan, PlanSize, PlannedExperiment, PlannedPart, TaskPart};
use backrank_rules::Variant;
use backrank_selfplay::study::{Odds, SetupChoice, Study, StudyDirectory, StudySpec};
use sha2::{Digest, Sha256};

/// The imbalances.
const ODDS: [&str; 24] = [
    "P:-", "2P:-", "3P:-", "4P:-", "N:B", "N:3P", "N:4P", "B:3P", "B:4P", "R:N+2P", "R:B+P", "R:B+2P",
    "Q:R+4P", "Q:R+B", "Q:R+N", "Q:M", "Q:M+P", "M:R+3P", "M:R+4P", "M:N+B", "Q:2N+4P", "2N:R+P", "2B:R+P",
    "2R:M+2P",
];

/// The length of a row, half that of a game of `pmrc`, so that the disk need not have 20 GB.
const ROW: usize = 450;

static NEVER_STOPS: AtomicBool = AtomicBool::new(false);

fn main() {
    let numbers: Vec<u64> = std::env::args().filter_map(|argument| argument.parse().ok()).collect();
    let [games, tasks] = numbers[..] else { return measure(10_000_000, 10_000) };
    measure(games, tasks);
}

fn measure(games: u64, tasks: u64) {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder for the study");
    let path = folder.path().join("study");
    let planned = plan(&path, games, tasks);
    for task in 1..=tasks {
        match task % 10 {
            0 => leave(&planned, task, "lock", &lock(task)),
            1 => leave(&planned, task, "failed", "cannot write games.csv: No space left on device"),
            _ => finish(&planned, task),
        }
    }
    status(&path, "finished, running or failed");
    for (task, rest) in
        (1..=tasks).filter_map(|task| Some((task, ["lock", "failed"].get(task as usize % 10)?)))
    {
        std::fs::remove_file(planned.finished(task).with_added_extension(rest)).expect("a file of a task");
        finish(&planned, task);
    }
    status(&path, "finished");

    let before = peak_mebibytes();
    let begin = Instant::now();
    let gathered = planned.gather(Duration::from_secs(10), &NEVER_STOPS, |_| ()).expect("all tasks");
    let seconds = begin.elapsed().as_secs_f64();
    assert!(gathered.missing.is_empty() && gathered.added == games);
    println!(
        "{games} rows of {tasks} tasks gathered: {seconds:.1} s, {:.0} MB/s, {:.0} rows/s",
        (games * ROW as u64) as f64 / seconds / 1e6,
        games as f64 / seconds
    );
    println!("peak memory: {:.1} MiB before, {:.1} MiB after", before, peak_mebibytes());
    status(&path, "gathered");
}

/// How long `backrank status` takes.
fn status(study: &Path, tasks_are: &str) {
    let begin = Instant::now();
    // The shell's second line is the processor time of what it has run.
    let shell = ["-c", "\"$0\" status \"$1\" && times", env!("CARGO_BIN_EXE_backrank")];
    let output = Command::new("sh").args(shell).arg(study).output().expect("a shell");
    let took = begin.elapsed().as_secs_f64();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let says = String::from_utf8(output.stdout).expect("text");
    let (processor, tasks) =
        (says.lines().last().unwrap_or_default(), says.lines().nth(1).unwrap_or_default());
    println!("status of tasks that are {tasks_are}: {took:.2} s, {processor} of processor time; {tasks}");
}

/// Leaves a file of a task behind that is not finished.
fn leave(planned: &PlannedExperiment, task: u64, rest: &str, text: &str) {
    let path = planned.finished(task).with_added_extension(rest);
    std::fs::create_dir_all(planned.tasks_path())
        .and_then(|()| std::fs::write(path, text))
        .expect("room on the disk");
}

/// The lock of a worker that is alive, on another machine.
fn lock(task: u64) -> String {
    let now = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .expect("a time after 1970")
        .as_secs();
    format!(
        "worker = \"node-{task}-0\"\nhost = \"node\"\nprocess = {task}\nincarnation = \"\"\nevery = 600.0\nbeats = 3\n\
         since = {now}.0\nnow = {now}.0\nfound = 0\ngames = 2\nthreads = 1\n"
    )
}

/// A study of which a fifth is from all setups.
fn plan(path: &Path, games: u64, tasks: u64) -> PlannedExperiment {
    let variant = Variant::find("pmrc").expect("a game of the catalogue");
    let study = StudySpec::new(&variant, SetupChoice::Random(games).into(), "mrc", games);
    let study = Study::new(study).expect("a study that can be played");
    let size = PlanSize { games, rounds: 1, tasks };
    let mut plan = Plan::new(size, "R=5".parse().expect("a unit")).expect("a plan that is possible");
    let at_odds = games / 60 * 2;
    let part = |odds: Option<&str>, end| {
        let odds: Option<Odds> = odds.map(|odds| odds.parse().expect("odds"));
        let path = odds.as_ref().map_or(".".to_string(), |odds| format!("odds/{}", odds.directory()));
        let path = path.try_into().expect("a directory of a plan");
        PlannedPart { round: 1, path, odds, seed: 0, start: 0, end }
    };
    let mut parts = vec![part(None, games - at_odds * ODDS.len() as u64)];
    parts.extend(ODDS.map(|odds| part(Some(odds), at_odds)));
    plan.add_round(parts);
    let planned = PlannedExperiment { path: path.to_path_buf(), study, plan };
    planned.create().expect("a new experiment");
    PlannedExperiment::open(path).expect("what was written")
}

/// Writes the files of a finished task.
fn finish(planned: &PlannedExperiment, task: u64) {
    let path = planned.finished(task);
    let parts = planned.parts_of(task).expect("a task of the plan");
    let parts: Vec<TaskRecordPart> = parts.iter().map(|part| write_part(planned, &path, part)).collect();
    let record = TaskRecord {
        version: env!("CARGO_PKG_VERSION").to_string(),
        host: "localhost".to_string(),
        threads: 1,
        played: 0,
        seconds: 1.0,
        parts,
    };
    std::fs::write(path.join("task.toml"), toml::to_string(&record).expect("TOML"))
        .expect("room on the disk");
}

fn write_part(
    planned: &PlannedExperiment,
    path: &Path,
    TaskPart { part, games }: &TaskPart<'_>,
) -> TaskRecordPart {
    let directory = part.below(path);
    let study = TaskPart { part, games: games.clone() }.study(&planned.study);
    std::fs::create_dir_all(&directory).expect("room on the disk");
    std::fs::write(directory.join("study.toml"), study.to_toml()).expect("room on the disk");
    let file = std::fs::File::create(StudyDirectory::games(&directory)).expect("room on the disk");
    let (mut file, mut hash, mut bytes) = (BufWriter::with_capacity(1 << 20, file), Sha256::new(), 0);
    let mut write = |row: &str| {
        file.write_all(row.as_bytes()).expect("room on the disk");
        hash.update(row.as_bytes());
        bytes += row.len() as u64;
    };
    write(
        "game,setup,white_rank,black_rank,fen,odds,white,black,result,termination,plies,opening_plies,moves\n",
    );
    let rest = "e2e4 ".repeat(ROW / 5);
    for game in games.clone() {
        write(&format!("{game},{}\n", &rest[..ROW - 10]));
    }
    file.flush().expect("room on the disk");
    let sha256: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    let (path, start, end) = (part.path.to_string(), games.start, games.end);
    TaskRecordPart { path, start, end, bytes, sha256, pairs: PairResults::default() }
}

/// The most memory that this process has had so far.
fn peak_mebibytes() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
    kibibytes.unwrap_or(f64::NAN) / 1024.0
}
