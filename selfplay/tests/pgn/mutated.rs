//! No game is lost, and nothing panics, whatever happens to a file.

use std::path::Path;

use backrank_rules::{Rules, Variant};
use backrank_selfplay::study::{Book, BookFormat};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{importer, read};

/// The files of cases and of books.
fn seeds() -> Vec<Vec<u8>> {
    let mut paths: Vec<_> = ["cases", "books"]
        .into_iter()
        .flat_map(|folder| {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pgn").join(folder);
            std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path())
        })
        .collect();
    paths.sort();
    paths.into_iter().map(|path| std::fs::read(path).unwrap()).collect()
}

/// Parts that mean something.
const PARTS: [&str; 30] = [
    "\n\n",
    "\r",
    "\r\n",
    "[Event \"x\"]\n",
    "[White \"x\"]",
    "[FEN \"",
    "\"]",
    "{",
    "}",
    "(",
    ")",
    ";",
    "\n%",
    "1. ",
    "1... ",
    "0. ",
    "1-0",
    " * ",
    "1/2",
    "½-½",
    "--",
    "N ",
    "e.p.",
    "O-O",
    "$13",
    "±",
    "\u{feff}",
    "\u{a0}",
    "\\\"",
    "e8(Q)",
];

fn mutated(rng: &mut ChaCha8Rng, seeds: &[Vec<u8>]) -> Vec<u8> {
    let mut text = seeds[rng.random_range(0..seeds.len())].clone();
    for _ in 0..rng.random_range(1..6) {
        let at = rng.random_range(0..=text.len());
        let end = (at + rng.random_range(0..40)).min(text.len());
        let part = match rng.random_range(0..7) {
            // A flipped bit, a part that is gone, one that is there twice, one of another file, lines that are joined.
            0 if at < text.len() => vec![text[at] ^ (1 << rng.random_range(0..8))],
            0 | 1 => Vec::new(),
            2 => [&text[at..end], &text[at..end]].concat(),
            3 => {
                let other = &seeds[rng.random_range(0..seeds.len())];
                let from = rng.random_range(0..=other.len());
                other[from..(from + rng.random_range(0..200)).min(other.len())].to_vec()
            }
            4 => text[at..end].iter().copied().filter(|&byte| byte != b'\n').collect(),
            _ => PARTS[rng.random_range(0..PARTS.len())].as_bytes().to_vec(),
        };
        text.splice(at..end, part);
    }
    text
}

#[test]
fn no_mutation_loses_a_game_or_panics() {
    let seeds = seeds();
    let [chess, chess960] = ["chess", "chess960"].map(|key| {
        let variant = Variant::find(key).unwrap();
        (importer(key), Rules::new(&variant))
    });
    let mut rng = ChaCha8Rng::seed_from_u64(39);
    for turn in 0..3_000 {
        let text = mutated(&mut rng, &seeds);
        let (importer, rules) = if turn % 4 == 0 { &chess960 } else { &chess };
        if let Ok((records, _)) = read(importer, &text) {
            for record in records {
                let game = record.replay(rules).unwrap();
                assert_eq!(game.moves().len(), record.plies as usize);
            }
        }
        for format in [BookFormat::Games, BookFormat::Positions] {
            match Book::parse(Path::new("book"), &text, format, None, rules) {
                Ok(openings) => assert!(!openings.is_empty()),
                Err(error) => assert!(!error.to_string().is_empty()),
            }
        }
    }
}

/// Well-formed games that are put one after another in every way are all found, in their order.
#[test]
fn games_are_found_whatever_stands_between_them() {
    let importer = importer("chess");
    let moves = [
        ("1. e4 e5 2. Nf3 Nc6 1-0", "e2e4 e7e5 g1f3 b8c6"),
        (
            "1. d4 {a comment with [Event \"x\"], 1-0 and (} d5 (1... Nf6 2. c4 1-0) 2. c4 $1 1/2-1/2",
            "d2d4 d7d5 c2c4",
        ),
        ("1.c4 c5 {two\n\nlines} 2.g3 ; a rest {\ng6 *", "c2c4 c7c5 g2g3 g7g6"),
        ("1. e4 ± 1... c5 N, 2. Nf3!? d6 {[%clk 0:01:00]} 0-1 {White resigns}", "e2e4 c7c5 g1f3 d7d6"),
        ("e4 e6 d4 d5 ½-½", "e2e4 e7e6 d2d4 d7d5"),
        ("1 e2-e4 1 ... e7-e5 +- 2. Ng1-f3 =/+ Nb8c6 1:0", "e2e4 e7e5 g1f3 b8c6"),
    ];
    let between = [
        "\n",
        "\n\n",
        "\n\n\n",
        "\n{between games}\n\n",
        "\n% an escape\n",
        "\n; a comment\n",
        "\n\u{feff}",
        "\n \t\n",
        "\n\n)\n",
    ];
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    for _ in 0..400 {
        let (mut text, mut right) = (String::new(), Vec::new());
        for number in 0..rng.random_range(1..12) {
            let name = format!("Player {number}");
            let tags = match rng.random_range(0..7) {
                0 => format!("[Event \"e\"]\n[White \"{name}\"]\n[Black \"b\"]\n\n"),
                1 => format!("  [White \"{name}\"]\n\t[Black \"b\"]\n\n"),
                2 => format!("[White \"{name}\"][Black \"b\"] "),
                3 => format!("[white \"{name}\"]\n"),
                4 => format!("[Site \"a\\\"b\"]\n[WHITE \"{name}\"]\n\n{{a comment}}\n"),
                5 => format!("[ White \"{name}\" ]\n"),
                _ => String::new(),
            };
            let (written, played) = moves[rng.random_range(0..moves.len())];
            right.push((if tags.is_empty() { String::new() } else { name }, played));
            text.push_str(&tags);
            text.push_str(written);
            // A game may follow on the line.
            text.push_str(if rng.random_range(0..5) == 0 {
                " "
            } else {
                between[rng.random_range(0..between.len())]
            });
        }
        let text = match rng.random_range(0..3) {
            0 => text.replace('\n', "\r\n"),
            1 => text.replace('\n', "\r"),
            _ => text,
        };
        let (records, imported) = read(&importer, text.as_bytes()).unwrap();
        let found: Vec<(String, &str)> =
            records.iter().map(|record| (record.white.clone(), &*record.moves)).collect();
        assert_eq!(found, right, "{text:?}: {imported:?}");
        assert_eq!(imported.read, right.len() as u64, "{text:?}: {imported:?}");
    }
}
