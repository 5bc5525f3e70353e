//! Every number in every file that we write, in place of it others that nobody would: an error with its place, or an answer.

use std::collections::BTreeMap;

use super::*;

/// In place of a number in TOML.
const IN_TOML: [&str; 8] =
    ["0", "-1", "2147483648", "9223372036854775807", "18446744073709551615", "1e300", "nan", "\"\""];

/// In place of a number in CSV.
const IN_CSV: [&str; 8] =
    ["0", "-1", "2147483648", "9223372036854775807", "18446744073709551615", "1e300", "NaN", ""];

/// Runs a command on what may be anything: it must end, by its own will. One that plays long may be ended.
fn ends(folder: &Path, arguments: &[&str], what: &str) -> Option<i32> {
    let mut child = command(folder, arguments).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let begin = Instant::now();
    let (mut is_told, mut mebibytes) = (false, 0);
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        mebibytes = mebibytes.max(memory_of(&child));
        // It has been asked for that many games, and plays them.
        if !is_told
            && begin.elapsed() > Duration::from_secs(8)
            && ["play", "work", "atlas"].contains(&arguments[0])
        {
            is_told = true;
            Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        }
        if begin.elapsed() > PATIENCE {
            child.kill().unwrap();
            panic!("{what}: {arguments:?} does not end");
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap_or_default();
    assert!(matches!(status.code(), Some(0 | 1 | 2 | 75)), "{what}: {arguments:?}: {status}: {said}");
    assert!(!said.contains("panicked") && mebibytes < 1500, "{what}: {arguments:?}: {mebibytes} MiB: {said}");
    status.code()
}

/// The texts that a TOML file becomes with another value for one of its numbers, each with what was changed. The text of a
/// variant inside it is left alone.
fn with_other_numbers(text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    let mut in_text = false;
    let mut at = 0;
    for line in text.lines() {
        let start = at;
        at += line.len() + 1;
        let quotes = line.matches("\"\"\"").count() + line.matches("'''").count();
        if in_text || quotes > 0 {
            in_text ^= quotes % 2 == 1;
            continue;
        }
        // Of the parts of a plan, which have the same keys, two are enough.
        let key = line.split('=').next().unwrap_or_default().trim();
        let times = seen.entry(key).or_insert(0);
        *times += 1;
        if *times > 2 {
            continue;
        }
        // Each run of digits that is a value of its own, also in arrays and inline tables.
        let is_part = |byte: u8| byte.is_ascii_digit() || b"+-._e".contains(&byte);
        let bytes = line.as_bytes();
        let mut from = line.find('=').unwrap_or(line.len());
        while from < bytes.len() {
            if bytes[from] == b'"' {
                from += 1 + line[from + 1..].find('"').map_or(0, |end| end + 1);
                continue;
            }
            let length = bytes[from..].iter().take_while(|&&byte| is_part(byte)).count();
            if length > 0 && bytes[from].is_ascii_digit() && line[from..from + length].parse::<f64>().is_ok()
            {
                for other in IN_TOML {
                    let range = start + from..start + from + length;
                    found.push((
                        format!("{}{other}{}", &text[..range.start], &text[range.end..]),
                        format!("{} {other}", line.trim()),
                    ));
                }
            }
            from += length.max(1);
        }
    }
    found
}

/// Puts another value in place of each number in a file, and runs commands on it: the first on all, and the
/// others in turn.
fn try_all(
    folder: &Path,
    file: &Path,
    others: &[(String, String)],
    commands: &[&[&str]],
    restore: &dyn Fn(),
) {
    let whole = std::fs::read(file).unwrap();
    assert!(!others.is_empty(), "{}", file.display());
    for (number, (text, what)) in others.iter().enumerate() {
        let what = format!("{}: {what}", file.display());
        std::fs::write(file, text).unwrap();
        let refuses = ends(folder, commands[0], &what) == Some(2);
        // What is refused in reading is refused by all.
        let (turn, others) = (number % (commands.len() - 1), commands.len() - 1);
        let more = if refuses { usize::from(number % 3 == 0) } else { 2.min(others) };
        for command in (0..more).map(|more| commands[1 + (turn + more) % others]) {
            ends(folder, command, &what);
        }
        if !refuses {
            restore();
        }
        std::fs::write(file, &whole).unwrap();
    }
}

/// The texts that a CSV file becomes with another value for a number of its second row.
fn with_other_cells(text: &str) -> Vec<(String, String)> {
    let mut lines: Vec<String> = text.lines().map(String::from).collect();
    let headings: Vec<String> = lines[0].split(',').map(String::from).collect();
    let row = lines[2].clone();
    let cells: Vec<&str> = row.split(',').collect();
    let mut found = Vec::new();
    for (index, heading) in
        headings.iter().enumerate().filter(|(index, _)| cells[*index].parse::<f64>().is_ok())
    {
        for other in IN_CSV {
            let mut changed = cells.clone();
            changed[index] = other;
            lines[2] = changed.join(",");
            found.push((lines.join("\n") + "\n", format!("{heading} {other}")));
        }
    }
    found
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

const STUDY: [&str; 12] = [
    "play",
    "mini.toml",
    "-o",
    "s",
    "--setups",
    "0..4",
    "--games",
    "4",
    "--pairs",
    "--nodes",
    "20",
    "--scores",
];

#[test]
fn changed_numbers_in_a_study_are_refused_or_read() {
    let folder = folder();
    let more =
        ["--resign", "600,3", "--draw", "40,8,10", "--max-plies", "60", "--tc", "40/60+0.5", "--depth", "5"];
    succeed(folder.path(), &[&STUDY[..], &more].concat());
    let [toml, games, scores] =
        ["study.toml", "games.csv", "scores.csv"].map(|name| folder.path().join("s").join(name));
    let (rows, of_moves) = (read(&games), read(&scores));
    let restore = || {
        std::fs::write(&games, &rows).unwrap();
        std::fs::write(&scores, &of_moves).unwrap();
        let _ = std::fs::remove_dir_all(folder.path().join("m"));
    };
    let commands: [&[&str]; 7] = [
        &["values", "s"],
        &["play", "s"],
        &["setups", "s"],
        &["report", "s", "-o", "r.html"],
        &["export", "s", "--format", "pgn", "-o", "g.pgn"],
        &["merge", "s", "-o", "m"],
        &["explore", "s", "-o", "e.html"],
    ];
    try_all(folder.path(), &toml, &with_other_numbers(&read(&toml)), &commands, &restore);
    try_all(folder.path(), &games, &with_other_cells(&rows), &commands, &restore);
    let scores_of = [
        &["tune", "s", "-o", "w.toml"][..],
        &["play", "s"],
        &["merge", "s", "-o", "m"],
        &["export", "s", "--format", "pgn", "-o", "g.pgn"],
    ];
    try_all(folder.path(), &scores, &with_other_cells(&of_moves), &scores_of, &restore);
}

#[test]
fn changed_numbers_in_studies_from_books_and_recorded_positions_are_refused_or_read() {
    let folder = folder();
    succeed(folder.path(), &STUDY);
    std::fs::write(folder.path().join("b.epd"), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\nrnbqkbnr/pppppppp/8/8/3P4/8/PPPP1PPP/RNBQKBNR b KQkq -\n".replace("3P4/8/PPPP1PPP", "3P4/8/PPP1PPPP")).unwrap();
    let book = [
        "play",
        "chess",
        "-o",
        "book",
        "--openings",
        "b.epd",
        "--openings-order",
        "random",
        "--nodes",
        "20",
        "--max-plies",
        "20",
        "--pairs",
    ];
    succeed(folder.path(), &book);
    let odds = [
        "play",
        "mini.toml",
        "-o",
        "odds",
        "--odds",
        "P:-",
        "--games",
        "8",
        "--nodes",
        "20",
        "--shard",
        "1/2",
    ];
    succeed(folder.path(), &odds);
    let test = ["play", "mini.toml", "-o", "test", "--sprt", "0,50", "--games", "8", "--nodes", "20"];
    succeed(folder.path(), &test);
    for study in ["book", "odds", "test"] {
        let toml = folder.path().join(study).join("study.toml");
        let games = folder.path().join(study).join("games.csv");
        let rows = read(&games);
        let restore = || std::fs::write(&games, &rows).unwrap();
        let commands: [&[&str]; 3] = [&["setups", study], &["play", study], &["values", study]];
        try_all(folder.path(), &toml, &with_other_numbers(&read(&toml)), &commands, &restore);
    }
}

/// Puts a copy of a directory in place of another.
fn copy(from: &Path, to: &Path) {
    let _ = std::fs::remove_dir_all(to);
    assert!(Command::new("cp").arg("-a").args([from, to]).status().unwrap().success());
}

/// A plan of which one task is played and nothing is gathered, and a copy of it.
fn begun_plan(folder: &Path) -> [PathBuf; 2] {
    let big = plan(folder);
    succeed(folder, &["work", "big", "--task", "1"]);
    let kept = folder.join("kept");
    copy(&big, &kept);
    [big, kept]
}

/// What reads the tasks of a plan.
const OF_TASKS: [&[&str]; 3] =
    [&["status", "big"], &["gather", "big", "--heartbeat", "100ms"], &["work", "big", "--task", "1"]];

fn changed_numbers_in(name: &str) {
    let folder = folder();
    let [big, kept] = begun_plan(folder.path());
    let commands: [&[&str]; 5] = [
        &["status", "big"],
        &["work", "big", "--task", "2"],
        &["gather", "big", "--heartbeat", "100ms"],
        &["cluster", "big", "--slurm"],
        &["study", "big"],
    ];
    let toml = big.join(name);
    try_all(folder.path(), &toml, &with_other_numbers(&read(&toml)), &commands, &|| copy(&kept, &big));
}

#[test]
fn changed_numbers_in_the_study_of_a_plan_are_refused_or_read() {
    changed_numbers_in("study.toml");
}

#[test]
fn changed_numbers_in_a_plan_are_refused_or_read() {
    changed_numbers_in("plan.toml");
}

#[test]
fn changed_numbers_in_tasks_are_refused_or_read() {
    let folder = folder();
    let [big, kept] = begun_plan(folder.path());
    let task = big.join("tasks/1/task.toml");
    try_all(folder.path(), &task, &with_other_numbers(&read(&task)), &OF_TASKS, &|| copy(&kept, &big));
}

#[test]
fn changed_numbers_in_what_is_gathered_and_in_locks_are_refused_or_read() {
    let folder = folder();
    let [big, kept] = begun_plan(folder.path());
    succeed(folder.path(), &["work", "big"]);
    succeed(folder.path(), &["gather", "big"]);
    copy(&big, &kept);
    let gathered = big.join("gathered.toml");
    let others = with_other_numbers(&read(&gathered));
    try_all(folder.path(), &gathered, &others, &OF_TASKS[..2], &|| copy(&kept, &big));
    let lock = big.join("tasks/3.lock");
    let text = "worker = \"node7-1-0\"\nhost = \"node7\"\nprocess = 1\nincarnation = \"\"\nevery = 0.1\nbeats = 3\nsince = 1.0\n\
        now = 9.0\nfound = 0\ngames = 2\nthreads = 1\n";
    std::fs::write(&lock, text).unwrap();
    let looks: [&[&str]; 2] = [&["status", "big"], &["cluster", "big", "--parallel"]];
    try_all(folder.path(), &lock, &with_other_numbers(text), &looks, &|| ());
}

#[test]
fn changed_numbers_in_an_atlas_are_refused_or_read() {
    let folder = folder();
    succeed(folder.path(), &["atlas", "mini.toml", "-o", "a", "--setups", "0..4", "--nodes", "20"]);
    let [toml, table] = ["atlas.toml", "atlas.csv"].map(|name| folder.path().join("a").join(name));
    let rows = read(&table);
    let restore = || {
        std::fs::write(&table, &rows).unwrap();
        let _ = std::fs::remove_dir_all(folder.path().join("m"));
    };
    let commands: [&[&str]; 4] = [
        &["explore", "a", "-o", "e.html"],
        &["atlas", "a"],
        &["merge", "a", "-o", "m"],
        &["atlas", "a", "--json"],
    ];
    try_all(folder.path(), &toml, &with_other_numbers(&read(&toml)), &commands, &restore);
    try_all(folder.path(), &table, &with_other_cells(&rows), &commands, &restore);
}

#[test]
fn changed_numbers_in_variants_and_weights_are_refused_or_read() {
    let folder = folder();
    let game = folder.path().join("mini.toml");
    let commands: [&[&str]; 4] = [
        &["count", "mini.toml"],
        &["show", "mini.toml", "0"],
        &["search", "mini.toml", "0", "--nodes", "200"],
        &["atlas", "mini.toml", "-o", "x", "--setups", "0..1", "--nodes", "20"],
    ];
    let restore = || drop(std::fs::remove_dir_all(folder.path().join("x")));
    try_all(folder.path(), &game, &with_other_numbers(MINI), &commands, &restore);

    let weights = folder.path().join("weights.toml");
    let own = include_str!("../../../engine/weights.toml");
    std::fs::write(&weights, own).unwrap();
    let others = with_other_numbers(own);
    // They are all of one kind.
    let some: Vec<(String, String)> = others.into_iter().step_by(37).collect();
    let play = ["--white-option", "--black-option"].map(|option| {
        let game = ["play", "mini.toml", "-o", "x", "--setups", "0..1", "--nodes", "50"];
        [&game[..], &[option, "WeightsFile=weights.toml"]].concat()
    });
    let play: Vec<&[&str]> = play.iter().map(Vec::as_slice).collect();
    try_all(folder.path(), &weights, &some, &play, &restore);
}

#[test]
fn extreme_numbers_on_the_command_line_end_without_a_panic() {
    let folder = folder();
    succeed(folder.path(), &STUDY);
    let play = &["play", "mini.toml", "-o", "x", "--setups", "0..1", "--nodes", "20"][..];
    let one = &["play", "mini.toml", "-o", "x", "--setups", "0..1"][..];
    for (command, options) in [
        (
            play,
            &[
                "--games",
                "--seed",
                "--opening-plies",
                "--margin",
                "--balance",
                "--depth",
                "--time",
                "--max-plies",
                "--hash",
                "--threads",
                "--timeout",
                "--resign",
                "--draw",
                "--tc",
                "--sprt",
                "--shard",
            ][..],
        ),
        (one, &["--nodes"]),
        (&["study", "mini.toml", "-o", "x", "--tasks", "2", "--nodes", "20"], &["--games", "--seed"]),
        (&["study", "mini.toml", "-o", "x", "--games", "40", "--nodes", "20"], &["--tasks", "--rounds"]),
        (
            &["atlas", "mini.toml", "-o", "x", "--setups", "0..1", "--nodes", "20"],
            &["--seed", "--top", "--shard", "--threads"],
        ),
        (&["search", "mini.toml", "0", "--nodes", "20"], &["--depth", "--time", "--lines", "--hash"]),
        (&["random", "mini.toml"], &["-n", "--seed"]),
        (&["list", "mini.toml"], &["--range"]),
        (&["values", "s"], &["--bootstrap", "--seed", "--quiet-plies", "--from-ply"]),
        (&["show", "mini.toml"], &[""]),
        (&["perft", "mini.toml", "0"], &[""]),
    ] {
        for option in options {
            for value in IN_TOML {
                // So long has been asked for.
                if *option == "--games" && value == "2147483648" || (option, value) == (&"-n", "2147483648") {
                    continue;
                }
                let _ = std::fs::remove_dir_all(folder.path().join("x"));
                let value = match *option {
                    "--resign" => format!("{value},{value}"),
                    "--draw" => format!("{value},{value},{value}"),
                    "--sprt" => format!("0,{value}"),
                    "--shard" => format!("{value}/{value}"),
                    "--range" => format!("0..{value}"),
                    _ => value.to_string(),
                };
                let asked = if option.is_empty() { vec![value.as_str()] } else { vec![*option, &value] };
                ends_if_asked_for_less(folder.path(), &[command, &asked].concat());
            }
        }
    }
    let uci = [
        "go movetime 9223372036854775807",
        "go wtime 18446744073709551615 winc 18446744073709551615",
        "go depth 1 nodes 99999999999999999999",
        "setoption name Hash value 18446744073709551615",
        "setoption name MultiPV value 9223372036854775807",
        "go wtime -9223372036854775808 movestogo 0",
    ];
    for line in uci {
        std::fs::write(
            folder.path().join("said"),
            format!("position startpos\n{line}\nisready\nstop\nquit\n"),
        )
        .unwrap();
        let mut session = command(folder.path(), &["uci"]);
        session.stdin(std::fs::File::open(folder.path().join("said")).unwrap());
        assert_eq!(finish(session, &["uci", line]).code, Some(0), "{line}");
    }
}

/// Like [`ends`], for commands that do as much as they are asked for.
fn ends_if_asked_for_less(folder: &Path, arguments: &[&str]) {
    let mut child = command(folder, arguments).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let begin = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if begin.elapsed() > Duration::from_secs(4) {
            child.kill().unwrap();
            child.wait().unwrap();
            return;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    let status = child.wait().unwrap();
    assert!(matches!(status.code(), Some(0 | 1 | 2 | 75)), "{arguments:?}: {status}: {said}");
    assert!(!said.contains("panicked"), "{arguments:?}: {said}");
}
