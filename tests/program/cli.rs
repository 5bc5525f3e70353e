//! The commands as a person runs them: what they print, and what they say of wrong input.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::Stdio;

use assert_cmd::assert::OutputAssertExt;
use insta::assert_snapshot;

use crate::common::{backrank, refusal, stdout};

/// The Chess960 file with some text replaced, in a folder of its own, and what `count` says of it.
fn count_of_changed_file(from: &str, to: &str) -> String {
    let text =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("rules/variants/chess960.toml"));
    let text = text.unwrap();
    assert!(text.contains(from), "{from}");
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("my-game.toml"), text.replacen(from, to, 1)).unwrap();
    let output = backrank(&["count", "my-game.toml"]).current_dir(&folder).output().unwrap();
    let bytes = if output.status.success() { output.stdout } else { output.stderr };
    String::from_utf8(bytes).unwrap()
}

#[test]
fn variants() {
    assert_snapshot!(stdout(&["variants"]));
}

#[test]
fn variants_as_json() {
    let entries: serde_json::Value = serde_json::from_str(&stdout(&["variants", "--json"])).unwrap();
    let pmrc = entries.as_array().unwrap().iter().find(|entry| entry["key"] == "pmrc").unwrap();
    assert_eq!(pmrc["setups"], 15_120);
    assert_eq!(pmrc["files"], 9);
}

#[test]
fn count_prints_the_number_and_nothing_else() {
    assert_eq!(stdout(&["count", "pmrc"]), "15120\n");
    assert_eq!(stdout(&["count", "pmrc", "--where", "opposite_colours=B,B"]), "8400\n");
    assert_eq!(
        stdout(&[
            "count",
            "capablanca84000",
            "--where",
            "opposite_colours=Q,A",
            "--where",
            "pawns_protected"
        ]),
        "21836\n"
    );
}

#[test]
fn count_of_several() {
    assert_snapshot!(stdout(&["count", "--all"]));
    assert_snapshot!(stdout(&["count", "pmrc", "chess960", "--json"]));
}

#[test]
fn verify() {
    assert_snapshot!(stdout(&["verify"]));
}

#[test]
fn verify_writes_every_game_as_csv() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("counts.csv");
    stdout(&["verify", "--all", "--csv", path.to_str().unwrap()]);
    let mut reader = csv::Reader::from_path(path).unwrap();
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let row = |key: &str, claimed: &str| {
        rows.iter().find(|row| &row[0] == key && &row[5] == claimed).map(|row| row.iter().collect::<Vec<_>>())
    };
    let narrowed = row("pmrc", "8400").unwrap();
    assert_eq!(
        narrowed[1..8],
        ["Pseudo-Modern Random Chess", "9", "9", "B and B on opposite colours", "8400", "8400", "8400"]
    );
    assert_eq!(row("crc", "2520").unwrap()[6..9], ["1680", "1680", "refuted"]);
    assert_eq!(row("merc", "").unwrap()[8..], ["agreed", ""]);
    let keys: std::collections::BTreeSet<&str> = rows.iter().map(|row| &row[0]).collect();
    assert_eq!(keys.len(), backrank_rules::catalogue().count(), "every game of the catalogue");
}

#[test]
fn verify_counts_games_nobody_made_a_claim_about() {
    assert_snapshot!(stdout(&["verify", "merc", "crc"]));
}

#[test]
fn show_by_id_and_by_rank() {
    assert_snapshot!(stdout(&["show", "pmrc", "6944"]));
    assert_eq!(stdout(&["show", "pmrc", "RNBMKQBNR"]), stdout(&["show", "pmrc", "6944"]));
    assert_snapshot!(stdout(&["show", "pmrc", "RNBMKQBNR", "--json"]));
}

#[test]
fn show_games_with_one_setup_listed_setups_and_independent_sides() {
    assert_snapshot!(stdout(&["show", "mmcc"]));
    assert_snapshot!(stdout(&["show", "pmc", "pmc2"]));
    assert_snapshot!(stdout(&["show", "double960", "RNBQKBNR/BBQNNRKR"]));
    assert_eq!(
        stdout(&["show", "icrc", "QRKNBRBN", "--fen"]),
        "10/1nbrbnkrq1/1pppppppp1/10/10/10/10/1PPPPPPPP1/1QRKNBRBN1/10 w CGdh - 0 1 EFGHIbcdef\n"
    );
}

#[test]
fn show_writes_an_svg() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("setup.svg");
    stdout(&["show", "mmcc", "--svg", file.to_str().unwrap()]);
    let svg = std::fs::read_to_string(file).unwrap();
    // A board of 88 squares and the white ground; a group for each of the 44 pieces.
    assert_eq!(svg.matches(r##"width="45" height="45" fill="#"##).count(), 88);
    assert_eq!(svg.matches("<g ").count(), 44);
    // Elephants have no drawing; ministers move as the king does.
    assert_eq!([">E</text>", ">M</text>", ">N</text>"].map(|letter| svg.matches(letter).count()), [4, 0, 0]);
}

#[test]
fn index() {
    assert_eq!(stdout(&["index", "chess960", "RNBQKBNR", "--numbering", "scharnagl"]), "518\n");
    assert_eq!(stdout(&["index", "chess960", "rnbqkbnr", "--numbering", "lex"]), "828\n");
    assert_eq!(stdout(&["index", "icrc", ".QRKNBRBN."]), stdout(&["index", "icrc", "QRKNBRBN"]));
    assert_eq!(stdout(&["index", "pmc", "PMC1", "--numbering", "listed"]), "0\n");
}

#[test]
fn list_in_every_format() {
    assert_snapshot!(stdout(&["list", "chess8400", "--range", "..3"]));
    assert_snapshot!(stdout(&["list", "mrc", "--range", "100..102", "--format", "jsonl"]));
    assert_snapshot!(stdout(&["list", "pmc", "--format", "ranks"]));
    assert_snapshot!(stdout(&["list", "chess960", "--format", "fen", "--range", "518..519"]));
}

#[test]
fn a_list_is_whole_and_in_order_on_stdout_and_in_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("double960.csv");
    // More than one lot of rows.
    stdout(&["list", "double960", "-o", file.to_str().unwrap()]);
    let text = std::fs::read_to_string(file).unwrap();
    assert_eq!(text, stdout(&["list", "double960"]));
    let mut ids = text.lines().skip(1).map(|line| line.split(',').next().unwrap().parse::<usize>().unwrap());
    assert!((0..921_600).all(|id| ids.next() == Some(id)));
    assert_eq!(ids.next(), None);
}

#[test]
fn a_space_without_setups() {
    let nothing = ["--where", "fixed=K........"];
    let with = |arguments: &[&'static str]| [arguments, &nothing].concat();
    assert_eq!(stdout(&with(&["count", "pmrc"])), "0\n");
    assert_eq!(stdout(&with(&["list", "pmrc"])), "id,white,black,fen\n");
    assert_snapshot!(refusal(&with(&["random", "pmrc"])));
}

#[test]
fn random_is_the_same_for_a_seed() {
    assert_snapshot!(stdout(&["random", "pmrc", "-n", "5", "--seed", "7"]));
    // Without a seed it says which one it took.
    let output = backrank(&["random", "pmrc"]).assert().success().get_output().clone();
    let seed = String::from_utf8(output.stderr).unwrap();
    let seed = seed.trim().strip_prefix("seed ").unwrap();
    assert_eq!(stdout(&["random", "pmrc", "--seed", seed]).as_bytes(), output.stdout);
}

#[test]
fn a_path_works_wherever_a_key_does() {
    assert_eq!(count_of_changed_file("Chess960", "Mine"), "960\n");
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/rules/variants/crc.toml");
    assert_eq!(stdout(&["count", path]), "1680\n");
    assert_eq!(stdout(&["show", path, "0"]), stdout(&["show", "crc", "0"]));
}

#[test]
fn wrong_variants_and_setups() {
    assert_snapshot!(refusal(&["count", "pmcr"]), @"error: no variant `pmcr`; did you mean pmc, pmrc, mmcc? (`backrank variants` lists them, and a path to a variant file works too)");
    assert_snapshot!(refusal(&["show", "pmrc", "15120"]), @"error: there is no setup 15120: pmrc has 15,120 setups, with ids 0 to 15119");
    assert_snapshot!(refusal(&["show", "pmrc", "99999999999999999999999999999999999999999999"]), @"error: there is no setup 99999999999999999999999999999999999999999999: pmrc has 15,120 setups, with ids 0 to 15119");
    assert_snapshot!(refusal(&["show", "pmrc"]), @"error: pmrc has 15,120 setups, with ids 0 to 15119; give an id or White's first rank");
    assert_snapshot!(refusal(&["show", "pmrc", "RNBMKQBNN"]), @"error: RNBMKQBNN is not an arrangement of RNBMKQBNR: missing R, too many N");
    assert_snapshot!(refusal(&["index", "chess960", "RNBQKBN"]), @"error: RNBQKBN is not an arrangement of RNBQKBNR: missing R");
    assert_snapshot!(refusal(&["index", "chess960", "RNBQKBNRÄ"]), @"error: RNBQKBNRÄ is not an arrangement of RNBQKBNR: too many Ä");
    assert_snapshot!(refusal(&["index", "chess960", ""]), @"error:  is not an arrangement of RNBQKBNR: missing RNBQKBNR");
    assert_snapshot!(refusal(&["index", "chess960", "KRRBBNNQ"]), @"error: KRRBBNNQ is not a setup: it breaks between (every K between R and R)");
    assert_snapshot!(refusal(&["index", "double960", "RNBQKBNR"]), @"error: RNBQKBNR is one rank and the sides are independent: give White's and Black's as RNBQKBNR/RNBQKBNR");
    assert_snapshot!(refusal(&["index", "crc", "RNBQKBNR/RNBQKBNR"]), @"error: Black's RNBQKBNR does not go with White's RNBQKBNR: sides are rotate, so it would be RNBKQBNR");
    assert_snapshot!(refusal(&["index", "pmc", "RNBKMQBNR/RNBKMQBNR"]), @"error: RNBKMQBNR/RNBKMQBNR is none of the listed setups, which are PMC1, PMC2, PMC3, PMC4");
    assert_snapshot!(refusal(&["index", "icrc", "Q.RKNBRBN."]), @"error: Q.RKNBRBN. has pieces on other files than .RNBQKBNR.");
    assert_snapshot!(refusal(&["list", "chess960", "--range", "950..2000"]), @"error: --range 950..2000 goes beyond the last id: chess960 has 960 setups");
    assert_snapshot!(refusal(&["list", "chess960", "--numbering", "lexx"]), @"error: no numbering `lexx` here; there is lex, scharnagl");
    assert_snapshot!(refusal(&["count", "pmrc", "--where", "between=Z,R,R"]), @"error: between: there is no Z on the first rank, which has BKMNQR");
}

#[test]
fn wrong_constraints_on_the_command_line() {
    assert_snapshot!(refusal(&["count", "pmrc", "--where", "betwen=K,R,R"]));
    assert_snapshot!(refusal(&["count", "pmrc", "--where", "within=R,N,B:abx"]));
}

#[test]
fn wrong_variant_files_name_the_line() {
    assert_snapshot!(count_of_changed_file("{ between =", "{ betwen ="));
    assert_snapshot!(count_of_changed_file("\"K,R,R\"", "3"));
    assert_snapshot!(count_of_changed_file("symmetry = \"mirror\"", "symmetry = \"miror\""));
    assert_snapshot!(count_of_changed_file("symmetry = \"mirror\"", ""));
    assert_snapshot!(count_of_changed_file("betza = \"N\"", "betza = \"pN\""));
    assert_snapshot!(count_of_changed_file("first_rank = \"RNBQKBNR\"", "first_rank = \"RNBQKBN\""));
    assert_snapshot!(count_of_changed_file("files = 8", "files = eight"));
    assert_snapshot!(count_of_changed_file("king = \"c\"", "king = \"k\""));
}

#[test]
fn a_reader_that_stops_early_ends_it_quietly() {
    let mut list =
        backrank(&["list", "double960"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(list.stdout.take().unwrap()).lines();
    assert_eq!(lines.next().unwrap().unwrap(), "id,white,black,fen");
    drop(lines);
    let mut said = String::new();
    list.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert_eq!(said, "");
    assert!(list.wait().unwrap().success());
}

#[test]
fn a_file_that_cannot_be_written_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("no/such/folder.csv");
    backrank(&["list", "crc", "-o", file.to_str().unwrap()]).assert().code(1).stdout("");
    #[cfg(target_os = "linux")]
    backrank(&["list", "double960", "-o", "/dev/full"]).assert().code(1).stdout("");
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
}

#[test]
fn perft_ends_with_the_number_of_nodes() {
    let nodes = |arguments: &[&str]| {
        let output =
            backrank(&[&["perft"], arguments].concat()).assert().success().get_output().stdout.clone();
        String::from_utf8(output).unwrap()
    };
    assert_eq!(nodes(&["modern", "--depth", "4"]), "Nodes searched: 713549\n");
    assert_eq!(nodes(&["modern", "--depth", "4", "--no-adjustment"]), "Nodes searched: 433729\n");
    assert_eq!(nodes(&["pmc", "PMC1", "--depth", "4"]), "Nodes searched: 708884\n");
    assert_eq!(nodes(&["chess8400", "NQRKMBNRB", "-d", "4", "--threads", "2"]), "Nodes searched: 435304\n");
    assert_eq!(nodes(&["chess", "--depth", "0"]), "Nodes searched: 1\n");
    assert_snapshot!(nodes(&["mmcc", "--depth", "3", "--divide", "--threads", "2"]));
    let divided = |threads| nodes(&["chess960", "518", "-d", "4", "--divide", "--threads", threads]);
    assert_eq!(divided("1"), divided("3"));
    assert!(divided("1").ends_with("\nNodes searched: 197281\n"));
    assert_eq!(
        nodes(&[
            "pmrc",
            "--fen",
            "rqnknbbrm/ppppppppp/9/9/9/9/9/PPPPPPPPP/RQNKNBBRM w AHah - 0 1",
            "-d",
            "2"
        ]),
        "Nodes searched: 529\n"
    );
}

#[test]
fn legal_moves() {
    let fen = "4k4/P8/9/9/9/9/9/9/R1B1K4 w A - 0 1 -";
    assert_snapshot!(stdout(&["legal", "pmrc", "--fen", fen]));
    let legal: serde_json::Value = serde_json::from_str(&stdout(&["legal", "modern", "--json"])).unwrap();
    let swap = serde_json::json!({ "uci": "g1f1", "notation": "Bg<=>Q" });
    assert_eq!(legal["moves"].as_array().unwrap().len(), 28);
    assert!(legal["moves"].as_array().unwrap().contains(&swap));
    let without: serde_json::Value =
        serde_json::from_str(&stdout(&["legal", "modern", "--json", "--no-adjustment"])).unwrap();
    assert_eq!(without["moves"].as_array().unwrap().len(), 24);
}

#[test]
fn replay_shows_where_moves_lead() {
    assert_snapshot!(stdout(&["replay", "modern", "--moves", "e4 d6 f4 e6 Bg<=>Q Nc7 Nc3 Bc<=>Q"]));
    let numbered = "1.e4 d6 2. f4 e6 3.Bg<=>Q Nc7 4.Nc3 c9d9";
    assert_eq!(
        stdout(&["replay", "modern", "--moves", numbered]),
        stdout(&["replay", "modern", "--moves", "e4 d6 f4 e6 Bg<=>Q Nc7 Nc3 Bc<=>Q"])
    );
    let mate = stdout(&["replay", "chess", "--moves", "f3 e5 g4 Qh4#"]);
    assert!(mate.ends_with("\n0-1 checkmate\n"), "{mate}");
    let knights = "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8";
    assert!(stdout(&["replay", "chess", "--moves", knights]).ends_with("\n1/2-1/2 repetition\n"));
    assert!(
        stdout(&["replay", "chess", "--moves", &format!("{knights} e4")])
            .ends_with("\n1/2-1/2 repetition, after 8 of 9 plies\n")
    );
    let replayed = stdout(&["replay", "chess", "--moves", "f3 e5 g4 Qh4#", "--json"]);
    let replayed: serde_json::Value = serde_json::from_str(&replayed).unwrap();
    let outcome = serde_json::json!({ "result": "0-1", "termination": "checkmate", "plies": 4 });
    assert_eq!(replayed["outcome"], outcome);
}

#[test]
fn wrong_positions_and_moves() {
    assert_snapshot!(refusal(&["replay", "modern", "--moves", "e4 d6 f4 e6 Bg<=>Q Nf6"]));
    assert_snapshot!(refusal(&["replay", "modern", "--moves", "e4 e55"]));
    assert_snapshot!(refusal(&[
        "legal",
        "chess",
        "--fen",
        "rnbqkbnr/ppppppppp/8/8/8/8/8/RNBQKBNR w KQkq - 0 1"
    ]));
    assert_snapshot!(refusal(&["legal", "chess", "--fen", "4k3/8/8/8/8/8/8/4K3 w K - 0 1"]));
    assert_snapshot!(refusal(&["perft", "chess99", "0", "--depth", "1"]));
    assert_snapshot!(refusal(&["perft", "pmrc", "--depth", "1"]));
}

#[test]
fn a_move_after_the_end_is_told_that_the_game_is_over() {
    let said = refusal(&["replay", "chess", "--moves", "f3 e5 g4 Qh4 a3"]);
    assert!(
        said.starts_with("error: ply 5: the game is over (0-1 checkmate); `a3` is not legal here"),
        "{said}"
    );
}
