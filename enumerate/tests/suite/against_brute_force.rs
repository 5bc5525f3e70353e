//! Spaces of random armies under random constraints, held against brute force.

use backrank_enumerate::{BruteForce, Constraint, NotInSpace, Space};
use backrank_rules::{FirstRank, Rules, Setup, Variant, catalogue};
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

/// A variant file with an army, a first rank on row 1 or 2, and pieces that protect pawns in many ways.
fn variant(army: &str, row: usize, symmetry: &str) -> Variant {
    let text = format!(
        r#"
        name = "random"
        source = "a test"
        count_only = true
        [board]
        files = {}
        ranks = 8
        first_rank = {row}
        [pieces]
        K = {{ name = "king", betza = "K", royal = true }}
        Q = {{ name = "queen", betza = "Q" }}
        R = {{ name = "rook", betza = "R" }}
        B = {{ name = "bishop", betza = "B" }}
        N = {{ name = "knight", betza = "N" }}
        C = {{ name = "camel", betza = "C" }}
        M = {{ name = "one-sided", betza = "mfFcflFbW" }}
        [setup]
        first_rank = "{army}"
        symmetry = "{symmetry}"
        "#,
        army.len()
    );
    Variant::parse("random", "random.toml", &text).unwrap()
}

/// An army of 2 pieces up to so many, and up to two empty files.
fn armies(most: usize) -> impl Strategy<Value = String> {
    let pieces = prop::collection::vec(select(&b"KKQRRRBBBNNCM"[..]), 2..=most);
    (pieces, prop::collection::vec(any::<prop::sample::Index>(), 0..=2)).prop_map(|(mut army, gaps)| {
        for gap in gaps {
            army.insert(gap.index(army.len() + 1), b'.');
        }
        String::from_utf8(army).unwrap()
    })
}

/// A constraint that can be asked of an army.
fn constraints(army: &str) -> BoxedStrategy<String> {
    let pieces: Vec<char> = army.chars().filter(|&letter| letter != '.').collect();
    let number = pieces.len();
    let letter = || select(pieces.clone());
    let group = {
        let pieces = pieces.clone();
        move |most: usize| {
            subsequence(pieces.clone(), 1..=most.min(number))
                .prop_map(|letters| letters.iter().map(char::to_string).collect::<Vec<_>>().join(","))
        }
    };
    let files: Vec<char> = ('a'..).take(army.len()).collect();
    let shuffled = Just(pieces.clone()).prop_shuffle().prop_map(String::from_iter);
    let pattern = (Just(pieces.clone()).prop_shuffle(), prop::collection::vec(any::<bool>(), number))
        .prop_map(|(letters, shown)| {
            letters.iter().zip(shown).map(|(&c, shown)| if shown { c } else { '.' }).collect::<String>()
        });
    // A letter for each file of the board, or for each piece.
    let whole = army.to_string();
    let on_files = move |pattern: String, is_whole: bool| match is_whole {
        true => {
            let mut letters = pattern.chars();
            whole.chars().map(|file| if file == '.' { '.' } else { letters.next().unwrap() }).collect()
        }
        false => pattern,
    };
    let also_on_files = on_files.clone();
    prop_oneof![
        (letter(), letter(), letter()).prop_map(|(a, b, c)| format!("between={a},{b},{c}")),
        (letter(), letter()).prop_map(|(a, b)| format!("opposite_colours={a},{b}")),
        (letter(), letter()).prop_map(|(a, b)| format!("same_colour={a},{b}")),
        (letter(), letter()).prop_map(|(a, b)| format!("not_adjacent={a},{b}")),
        Just("pawns_protected".to_string()),
        (shuffled, 0..=number + 1, any::<bool>()).prop_map(move |(rank, files, is_whole)| {
            format!("differs_from={},{files}", also_on_files(rank, is_whole))
        }),
        (pattern, any::<bool>())
            .prop_map(move |(pattern, is_whole)| format!("fixed={}", on_files(pattern, is_whole))),
        (group(3), subsequence(files, 1..=army.len()))
            .prop_map(|(pieces, files)| { format!("within={pieces}:{}", String::from_iter(files)) }),
        (letter(), group(2)).prop_map(|(piece, others)| format!("each_side_of={piece},{others}")),
        Just("up_to_reflection".to_string()),
    ]
    .boxed()
}

fn cases(most: usize) -> impl Strategy<Value = (String, usize, Vec<String>)> {
    (armies(most), 1..=2usize).prop_flat_map(|(army, row)| {
        let constraints = prop::collection::vec(constraints(&army), 0..=3);
        (Just(army), Just(row), constraints)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn a_space_and_brute_force_agree((army, row, texts) in cases(7)) {
        let variant = variant(&army, row, "mirror");
        let constraints: Vec<Constraint> = texts.iter().map(|text| text.parse().unwrap()).collect();
        let space = Space::narrowed(&variant, &constraints).unwrap();
        let force = BruteForce::new(&variant, &constraints).unwrap();
        let expected = force.ranks();

        prop_assert_eq!(space.len(), expected.len() as u128);
        prop_assert_eq!(force.count(&|_| ()), expected.len() as u128);
        // `ranks` sorts, so this is the order of `lex` as well.
        let ranks: Vec<FirstRank> = space.iter().map(|setup| setup.white).collect();
        prop_assert_eq!(&ranks, &expected);
        for (id, rank) in expected.iter().enumerate() {
            prop_assert_eq!(space.rank(&Setup { white: *rank, black: *rank }), Ok(id as u128));
        }
        // Every other arrangement is refused, for a constraint that it breaks.
        let all = BruteForce::new(&variant, &[]).unwrap().ranks();
        for rank in all.iter().filter(|rank| expected.binary_search(rank).is_err()) {
            match space.rank(&Setup { white: *rank, black: *rank }) {
                Err(NotInSpace::Breaks { name, .. }) => {
                    let broken = constraints.iter().any(|c| c.name() == name && !c.holds(rank, space.army()));
                    prop_assert!(broken, "{rank} does not break {name}");
                }
                other => prop_assert!(false, "{rank}: {other:?}"),
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// Where sides are independent, both ranks are reflected together: every pair of ranks is looked at here.
    #[test]
    fn setups_up_to_reflection((army, row, texts) in cases(5), symmetry in select(vec!["independent", "rotate"])) {
        let variant = variant(&army, row, symmetry);
        let mut constraints: Vec<Constraint> = texts.iter().map(|text| text.parse().unwrap()).collect();
        constraints.retain(|constraint| constraint.name() != "up_to_reflection");
        let blacks = |white: &FirstRank, ranks: &[FirstRank]| {
            if symmetry == "rotate" { vec![white.reversed()] } else { ranks.to_vec() }
        };
        let ranks = BruteForce::new(&variant, &constraints).unwrap().ranks();
        let pairs = ranks.iter().flat_map(|white| {
            blacks(white, &ranks).into_iter().map(|black| Setup { white: *white, black })
        });
        let letters = |rank: &FirstRank| rank.to_string();
        let backwards = |rank: &FirstRank| rank.to_string().chars().rev().collect::<String>();
        let is_kept = |setup: &Setup| {
            (letters(&setup.white), letters(&setup.black)) <= (backwards(&setup.white), backwards(&setup.black))
        };
        let (expected, left_out): (Vec<Setup>, Vec<Setup>) = pairs.partition(is_kept);

        constraints.push("up_to_reflection".parse().unwrap());
        let space = Space::narrowed(&variant, &constraints).unwrap();
        holds_just(&space, &expected, &left_out, "up_to_reflection")?;
        prop_assert_eq!(BruteForce::new(&variant, &constraints).unwrap().count(&|_| ()), space.len());
    }
}

/// Whether a space has these setups in this order, and refuses others for breaking a constraint.
fn holds_just(
    space: &Space,
    expected: &[Setup],
    refused: &[Setup],
    constraint: &str,
) -> Result<(), TestCaseError> {
    prop_assert_eq!(space.len(), expected.len() as u128);
    prop_assert!(space.iter().eq(expected.iter().copied()));
    for (id, setup) in expected.iter().enumerate() {
        prop_assert_eq!(space.rank(setup), Ok(id as u128));
    }
    for setup in refused {
        let is_refused =
            matches!(space.rank(setup), Err(NotInSpace::Breaks { name, .. }) if name == constraint);
        prop_assert!(is_refused, "{setup:?}");
    }
    Ok(())
}

/// A variant whose pieces attack from one first rank to the other: over the pawns, along lines between them, on their
/// first move only, more to one side than to the other.
fn attacking(army: &str, row: usize, symmetry: &str, ranks: usize) -> Variant {
    let mut text = variant(army, row, symmetry).text().replace("ranks = 8", &format!("ranks = {ranks}"));
    for (plain, attacking) in [
        ("\"Q\"", "\"Q0iG\""),
        ("\"N\"", "\"NN\""),
        ("\"C\"", "\"CH\""),
        ("\"mfFcflFbW\"", "\"frNNlHmCicrfZ\""),
    ] {
        assert!(text.contains(plain));
        text = text.replace(plain, attacking);
    }
    Variant::parse("attacking", "attacking.toml", &text).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// Every pair of ranks is set up on a board, and the rules of play say whose king stands in check.
    #[test]
    fn setups_without_a_check(
        ((army, row, texts), ranks) in (cases(5), 6..=11usize),
        symmetry in select(vec!["mirror", "independent", "rotate"]),
    ) {
        let variant = attacking(&army, row, symmetry, ranks);
        let mut constraints: Vec<Constraint> = texts.iter().map(|text| text.parse().unwrap()).collect();
        let no_check: Constraint = "no_check".parse().unwrap();
        if !army.contains('K') {
            let error = Space::narrowed(&variant, &[no_check]).unwrap_err().to_string();
            prop_assert_eq!(error, "no_check: there is no king on the first rank");
            return Ok(());
        }
        let whole = Space::narrowed(&variant, &constraints).unwrap();
        let rules = Rules::new(&variant);
        let (expected, in_check): (Vec<Setup>, Vec<Setup>) =
            whole.iter().partition(|setup| rules.kings_in_check(setup).unwrap() == [false; 2]);
        let found = whole.in_check().unwrap();
        prop_assert_eq!(found.map_or(0, |found| found.number), in_check.len() as u128);
        prop_assert_eq!(found.map(|found| found.first), in_check.first().copied());

        constraints.push(no_check);
        let space = Space::narrowed(&variant, &constraints).unwrap();
        holds_just(&space, &expected, &in_check, "no_check")?;
        prop_assert_eq!(BruteForce::new(&variant, &constraints).unwrap().count(&|_| ()), space.len());
        prop_assert_eq!(space.in_check().unwrap(), None);
    }
}

/// The games of the catalogue have no setup with a check, and looking for one takes no time.
#[test]
fn no_setup_of_the_catalogue_has_a_check() {
    for variant in catalogue() {
        let space = Space::new(&variant).unwrap();
        assert_eq!(space.in_check().unwrap(), None, "{}", variant.key);
        if space.len() < 10_000 && !variant.count_only {
            let rules = Rules::new(&variant);
            assert!(
                space.iter().all(|setup| rules.kings_in_check(&setup) == Ok([false; 2])),
                "{}",
                variant.key
            );
        }
    }
}

/// A side that is independent of the other can have any of many ranks.
#[test]
fn large_games_without_a_check() {
    let text = Variant::find("transcendental").unwrap().text().replace("betza = \"N\"", "betza = \"NNH\"");
    for (ranks, symmetry) in
        [(7, "independent"), (5, "independent"), (5, "mirror"), (9, "rotate"), (5, "rotate")]
    {
        let text = text
            .replace("ranks = 8", &format!("ranks = {ranks}"))
            .replace("\"independent\"", &format!("\"{symmetry}\""));
        let variant = Variant::parse("t", "t.toml", &text).unwrap();
        for texts in [&["no_check"][..], &["no_check", "up_to_reflection"]] {
            let constraints: Vec<Constraint> = texts.iter().map(|text| text.parse().unwrap()).collect();
            let space = Space::narrowed(&variant, &constraints).unwrap();
            assert_eq!(
                space.len(),
                BruteForce::new(&variant, &constraints).unwrap().count(&|_| ()),
                "{ranks} {symmetry}"
            );
            let step = (space.len() / 500).max(1) as usize;
            for id in (0..space.len()).step_by(step).chain([space.len() - 1]) {
                let setup = space.unrank(id).unwrap();
                assert_eq!(space.rank(&setup), Ok(id), "{ranks} {symmetry}");
                assert_eq!(Rules::new(&variant).kings_in_check(&setup), Ok([false; 2]), "{ranks} {symmetry}");
            }
        }
    }
}

#[test]
fn setups_of_the_catalogue_up_to_reflection() {
    let reflected: Constraint = "up_to_reflection".parse().unwrap();
    // No rank of eight squares with one king and one queen is its own reflection; nor are those of `pmc`, listed as
    // two pairs of reflections.
    for (key, setups) in
        [("double960", 460_800), ("chess960", 480), ("crc", 840), ("transcendental", 4_147_200), ("pmc", 2)]
    {
        let variant = Variant::find(key).unwrap();
        let space = Space::narrowed(&variant, std::slice::from_ref(&reflected)).unwrap();
        let force = BruteForce::new(&variant, std::slice::from_ref(&reflected)).unwrap();
        assert_eq!((space.len(), force.count(&|_| ())), (setups, setups), "{key}");
    }
}

#[test]
fn constraints_that_ask_for_more_than_any_rank_has_hold_nowhere() {
    let variant = variant("RBQKBR", 1, "mirror");
    for number in [3, 17, 31, 32, 33, 64] {
        let rooks = vec!["R"; number].join(",");
        for text in [format!("within={rooks},Q:abcdef"), format!("each_side_of=K,{rooks},Q")] {
            let constraint: Constraint = text.parse().unwrap();
            let space = Space::narrowed(&variant, std::slice::from_ref(&constraint)).unwrap();
            let force = BruteForce::new(&variant, &[constraint]).unwrap();
            assert_eq!((space.len(), force.count(&|_| ())), (0, 0), "{text}");
        }
    }
}

#[test]
fn lex_is_the_sorted_brute_force_list_in_every_variant_of_the_catalogue() {
    for variant in catalogue() {
        let space = Space::new(&variant).unwrap();
        let force = BruteForce::new(&variant, &[]).unwrap();
        let lex = &space.numberings()[0];
        let ranks = force.ranks();
        let sides = match space.sides() {
            backrank_enumerate::Sides::Listed(_) => continue,
            backrank_enumerate::Sides::Independent => ranks.len(),
            _ => 1,
        };
        // Where sides are independent, White's rank changes once in as many ids as Black has ranks.
        for (id, rank) in ranks.iter().enumerate() {
            let setup = space.unrank_by(lex, (id * sides) as u128).unwrap();
            assert_eq!(setup.white, *rank, "{} {id}", variant.key);
        }
    }
}
