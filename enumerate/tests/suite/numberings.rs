//! Numberings against what is published, and what is wrong with those that do not fit.

use backrank_enumerate::Space;
use backrank_rules::Variant;

fn space(key: &str) -> Space {
    Space::new(&Variant::find(key).unwrap()).unwrap()
}

/// Scharnagl's table of the files left over when bishops and queen stand: knights, rooks and king.
const KRN: [&str; 10] =
    ["NNRKR", "NRNKR", "NRKNR", "NRKRN", "RNNKR", "RNKNR", "RNKRN", "RKNNR", "RKNRN", "RKRNN"];

/// The rank of a Chess960 number by Scharnagl's tables, with none of the toolkit's arithmetic.
fn scharnagl(number: usize) -> String {
    let mut rank = [b'.'; 8];
    rank[[1, 3, 5, 7][number % 4]] = b'B';
    rank[[0, 2, 4, 6][number / 4 % 4]] = b'B';
    let free = |rank: &[u8; 8]| (0..8).filter(|&file| rank[file] == b'.').collect::<Vec<_>>();
    rank[free(&rank)[number / 16 % 6]] = b'Q';
    for (file, letter) in free(&rank).into_iter().zip(KRN[number / 96].bytes()) {
        rank[file] = letter;
    }
    String::from_utf8(rank.to_vec()).unwrap()
}

#[test]
fn chess960_is_numbered_as_in_scharnagls_table() {
    let space = space("chess960");
    assert_eq!(space.default_numbering().name(), "scharnagl");
    for number in 0..960 {
        let setup = space.unrank(number as u128).unwrap();
        assert_eq!(setup.white.to_string(), scharnagl(number), "{number}");
        assert_eq!(space.rank(&setup), Ok(number as u128));
    }
    for (rank, number) in [("BBQNNRKR", 0), ("RNBQKBNR", 518), ("RKRNNQBB", 959)] {
        assert_eq!(space.rank(&space.read(rank).unwrap()), Ok(number));
    }
}

#[test]
fn the_extension_to_nine_files_numbers_the_whole_space_once() {
    for key in ["chess8400", "pm-random"] {
        let space = space(key);
        assert_eq!(space.default_numbering().name(), "lex");
        let numbering = space.numbering("scharnagl").unwrap();
        let mut setups: Vec<_> = space.range_by(numbering, 0..space.len()).collect();
        // Bishops first, the light-squared one as the lowest digit: b1, d1, f1, h1.
        let bishops: Vec<usize> =
            setups[..4].iter().map(|setup| setup.white.to_string().rfind('B').unwrap()).collect();
        assert_eq!(bishops, [1, 3, 5, 7], "{key}");
        setups.sort_unstable();
        assert!(setups.iter().eq(space.iter().collect::<Vec<_>>().iter()), "{key}");
    }
}

/// The rank of an MRC number, worked out from the words of its description: pairs are listed and sorted.
fn mrc(number: usize) -> String {
    let mut rank = [b'.'; 9];
    let free = |rank: &[u8; 9]| (0..9).filter(|&file| rank[file] == b'.').collect::<Vec<_>>();
    rank[free(&rank)[number % 9]] = b'Q';
    rank[free(&rank)[number / 9 % 8]] = b'M';
    let mut place_pair = |letter, number: usize| {
        let free = free(&rank);
        let mut pairs: Vec<(usize, usize)> =
            (0..free.len()).flat_map(|a| (a + 1..free.len()).map(move |b| (a, b))).collect();
        pairs.sort_by_key(|&(a, b)| (std::cmp::Reverse(b - a), a));
        let (first, second) = pairs[number % pairs.len()];
        (rank[free[first]], rank[free[second]]) = (letter, letter);
    };
    place_pair(b'B', number / 72);
    place_pair(b'N', number / (72 * 21));
    for (file, letter) in free(&rank).into_iter().zip(*b"RKR") {
        rank[file] = letter;
    }
    String::from_utf8(rank.to_vec()).unwrap()
}

#[test]
fn modern_random_chess_is_numbered_as_its_inventor_did() {
    for key in ["mrc", "pmrc"] {
        let space = space(key);
        assert_eq!(space.default_numbering().name(), "mrc");
        assert_eq!(space.default_numbering().note(), Some("recovered from the two published numbers"));
        for number in 0..15_120 {
            let setup = space.unrank(number as u128).unwrap();
            assert_eq!(setup.white.to_string(), mrc(number), "{number}");
            assert_eq!(space.rank(&setup), Ok(number as u128));
        }
        // The two that were published, and the ends.
        for (rank, number) in
            [("RNBMKQBNR", 6944), ("BNBMRQKNR", 2264), ("QMBNRKRNB", 0), ("RKRNNBBMQ", 15_119)]
        {
            assert_eq!(space.rank(&space.read(rank).unwrap()), Ok(number));
        }
    }
}

/// A Chess960 file with another numbering.
fn numbered(place: &str, rest: &str) -> Result<Space, String> {
    let variant = Variant::find("chess960").unwrap();
    let text = variant.text();
    let start = text.find("[[setup.numberings]]").unwrap();
    let end = start + text[start..].find("[[setup.notes]]").unwrap();
    let numbering = format!("[[setup.numberings]]\nname = \"mine\"\nplace = {place}\nrest = \"{rest}\"\n\n");
    let text = format!("{}{numbering}{}", &text[..start], &text[end..]);
    let variant = Variant::parse("mine", "mine.toml", &text).map_err(|error| error.to_string())?;
    Space::new(&variant).map_err(|error| error.to_string())
}

#[test]
fn a_numbering_that_does_not_fit_the_space_is_refused() {
    assert!(numbered(r#"["B light", "B dark", "NN", "Q"]"#, "RKR").is_ok());
    assert!(numbered(r#"["B light", "B dark", "Q", "NN by falling distance"]"#, "RKR").is_ok());
    for (place, rest, problem) in [
        (r#"["B light", "B dark", "Q"]"#, "NNRKR", "this numbers 96 ranks, and there are 960"),
        (r#"["B light", "B dark", "Q", "NN"]"#, "KRR", "which is not a setup: "),
        (r#"["B light", "B dark", "Q", "NN"]"#, "RK", "R is neither placed nor in `rest`"),
        (r#"["B light", "B dark", "BB"]"#, "RKR", "B is placed more often"),
        (r#"["Q", "B dark", "B light", "NN"]"#, "RKR", "comes after a step without a colour"),
        (r#"["B pink"]"#, "RKR", "`pink` is not a colour"),
        (r#"["B light", "B dark", "NN by chance"]"#, "QRKR", "`by chance` is not an order"),
        (r#"["B light", "B dark", "Q by falling distance"]"#, "NNRKR", "does not place two pieces"),
        (r#"["BQ"]"#, "RKR", "`BQ` is not a step"),
    ] {
        let error = numbered(place, rest).unwrap_err();
        assert!(error.contains(problem) && error.starts_with("mine.toml:"), "{error}");
    }
}
