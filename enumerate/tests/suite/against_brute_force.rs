//! Spaces of random armies under random constraints, held against brute force.

use backrank_enumerate::{BruteForce, Constraint, NotInSpace, Space};
use backrank_rules::{File, FirstRank, Rules, Setup, Side, StartFen, Variant, catalogue};
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
        group(3).prop_map(|letters| format!("symmetric={letters}")),
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
        let force = BruteForce::new(&variant, &constraints).unwrap();
        let [ranks, of_black] = Side::BOTH.map(|side| force.ranks_of(side));
        let pairs = ranks.iter().flat_map(|white| {
            blacks(white, &of_black).into_iter().map(|black| Setup { white: *white, black })
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
            prop_assert_eq!(error, "no_check: there is no king");
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

/// Two armies of as many files, each with a row behind it and one before it, of which either may be empty, and constraints on one
/// side, on both, and on pairs.
fn two_armies() -> impl Strategy<Value = ([Vec<String>; 2], usize, Vec<String>)> {
    let army = |files: usize| prop::collection::vec(select(&b"KQRRBNCM."[..]), files);
    let fixed = |files: usize| prop::collection::vec(select(&b"......KRM"[..]), files);
    let text = |letters: Vec<u8>| String::from_utf8(letters).unwrap();
    let side = move |files: usize| {
        (army(files), fixed(files), prop::collection::vec(select(&b"PP."[..]), files)).prop_map(
            move |(mut shuffled, fixed, pawns)| {
                shuffled[0] = b'Q';
                // A side has its king on one rank or on the other.
                let mut fixed: Vec<u8> = fixed;
                if let Some(king) = fixed.iter().position(|&letter| letter == b'K') {
                    fixed[king + 1..].iter_mut().chain(&mut shuffled).for_each(|letter| {
                        *letter = if *letter == b'K' { b'R' } else { *letter };
                    });
                }
                vec![text(fixed), text(shuffled), text(pawns)]
            },
        )
    };
    (2..=4usize, 7..=9usize).prop_flat_map(move |(files, ranks)| {
        (side(files), side(files)).prop_flat_map(move |(white, black)| {
            let named = |side: &'static str, army: &str| {
                prop::collection::vec(constraints(army), 0..=2).prop_map(move |texts| {
                    let mut texts = texts;
                    texts.retain(|text| text != "up_to_reflection");
                    texts.iter().map(|text| format!("{side}.{text}")).collect::<Vec<_>>()
                })
            };
            let on_white = named("white", &white[1]);
            let on_black = named("black", &black[1]);
            let on_pairs = subsequence(vec!["no_check", "up_to_reflection"], 0..=2);
            (Just([white, black]), Just(ranks), on_white, on_black, on_pairs).prop_map(
                |(armies, ranks, mut texts, on_black, on_pairs)| {
                    texts.extend(on_black);
                    texts.extend(on_pairs.into_iter().map(str::to_string));
                    (armies, ranks, texts)
                },
            )
        })
    })
}

/// A game with two armies, in which pieces attack in many ways.
fn game_of_two_armies(armies: &[Vec<String>; 2], ranks: usize, symmetry: &str) -> Variant {
    let files = armies[0][1].len();
    let text = attacking(&"Q".repeat(files), 1, "mirror", ranks).text().to_string();
    let (head, _) = text.split_once("[setup]").unwrap();
    let head = head.replace("first_rank = 1", "");
    let text = format!(
        "{head}[setup]\nwhite = {:?}\nblack = {:?}\nshuffled_rank = 2\n{symmetry}\n",
        armies[0], armies[1]
    );
    Variant::parse("two", "two.toml", &text).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// Each setup of two armies on three ranks is looked at by itself: by the words of its constraints, and by the rules of play.
    #[test]
    fn setups_of_two_armies((armies, ranks, texts) in two_armies()) {
        let variant = game_of_two_armies(&armies, ranks, "symmetry = \"independent\"");
        let rules = Rules::new(&variant);
        let constraints: Vec<Constraint> = texts.iter().map(|text| text.parse().unwrap()).collect();
        let (space, force) = match (Space::narrowed(&variant, &constraints), BruteForce::new(&variant, &constraints)) {
            (Ok(space), Ok(force)) => (space, force),
            // Where no side has a king, none can be in check.
            (Err(error), _) => {
                prop_assert!(error.to_string().contains("there is no king"), "{}", error);
                return Ok(());
            }
            (_, Err(error)) => return Err(TestCaseError::fail(error.to_string())),
        };
        let all = BruteForce::new(&variant, &[]).unwrap();
        let [whites, blacks] = Side::BOTH.map(|side| all.ranks_of(side));
        let holds = |setup: &Setup| {
            constraints.iter().all(|constraint| match constraint.name() {
                "up_to_reflection" => {
                    let backwards = |rank: &FirstRank| rank.to_string().chars().rev().collect::<String>();
                    let [white, black] = [setup.white, setup.black].map(|rank| (rank.to_string(), backwards(&rank)));
                    (white.0, black.0) <= (white.1, black.1)
                }
                "no_check" => rules.kings_in_check(setup).unwrap() == [false; 2],
                _ => constraint.holds(&setup.white, space.army_of(Side::White))
                    && constraint.holds(&setup.black, space.army_of(Side::Black)),
            })
        };
        let pairs = whites.iter().flat_map(|&white| blacks.iter().map(move |&black| Setup { white, black }));
        let (expected, refused): (Vec<Setup>, Vec<Setup>) = pairs.partition(holds);
        prop_assert_eq!(space.len(), expected.len() as u128);
        prop_assert_eq!(force.count(&|_| ()), space.len());
        prop_assert!(space.iter().eq(expected.iter().copied()));
        for (id, setup) in expected.iter().enumerate() {
            prop_assert_eq!(space.rank(setup), Ok(id as u128));
        }
        for setup in &refused {
            prop_assert!(matches!(space.rank(setup), Err(NotInSpace::Breaks { .. })), "{:?}", setup);
        }
        let in_check = expected.iter().filter(|setup| rules.kings_in_check(setup).unwrap() != [false; 2]).count();
        let found = space.in_check().unwrap().map_or(0, |found| found.number);
        prop_assert_eq!(found, in_check as u128);
    }

    /// Where Black's rank follows from White's, each piece of Black's stands for one of White's.
    #[test]
    fn setups_of_counterparts((army, _, _) in cases(6), symmetry in select(vec!["mirror", "rotate"]), no_check in any::<bool>()) {
        // The king stands for itself, and other pieces for the next of a list.
        let next = |letter: char| match letter {
            'Q' => 'R', 'R' => 'B', 'B' => 'N', 'N' => 'C', 'C' => 'M', 'M' => 'Q', other => other,
        };
        let of_black = |text: &str| text.chars().map(next).collect::<String>();
        let armies = [army.clone(), of_black(&army)].map(|army| vec![".".repeat(army.len()), army.clone(), "P".repeat(army.len())]);
        let variant = game_of_two_armies(&armies, 8, &format!("symmetry = \"{symmetry}\""));
        let rules = Rules::new(&variant);
        let further: Vec<Constraint> = if no_check && army.contains('K') { vec!["no_check".parse().unwrap()] } else { Vec::new() };
        let space = Space::narrowed(&variant, &further).unwrap();
        let setup = |white: &FirstRank| {
            let letters = of_black(std::str::from_utf8(white.as_bytes()).unwrap());
            let black = FirstRank::new(letters.as_bytes()).unwrap();
            Setup { white: *white, black: if symmetry == "rotate" { black.reversed() } else { black } }
        };
        let ranks = BruteForce::new(&variant, &[]).unwrap().ranks();
        let keeps = |setup: &Setup| further.is_empty() || rules.kings_in_check(setup).unwrap() == [false; 2];
        let expected: Vec<Setup> = ranks.iter().map(setup).filter(keeps).collect();
        prop_assert!(space.iter().eq(expected.iter().copied()));
        prop_assert_eq!(BruteForce::new(&variant, &further).unwrap().count(&|_| ()), space.len());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// Every pawn stands on either of two ranks with every arrangement of the pieces; brute force goes through all of them.
    #[test]
    fn pawns_on_either_of_two_ranks(
        (army, row, texts) in cases(4),
        symmetry in select(vec!["mirror", "rotate", "independent"]),
    ) {
        let plain = variant(&army, row, symmetry);
        let pawns = format!("pawn_ranks = [{}, {}]\n        symmetry =", row + 1, row + 2);
        let variant = Variant::parse("pawns", "pawns.toml", &plain.text().replace("symmetry =", &pawns)).unwrap();
        let of_setups = ["pawns_protected", "up_to_reflection"];
        let (refused, texts): (Vec<_>, Vec<_>) = texts.iter().partition(|text| of_setups.contains(&text.as_str()));
        for text in refused {
            let error = Space::narrowed(&variant, &[text.parse().unwrap()]).unwrap_err().to_string();
            prop_assert!(error.contains("does not go with pawns that start on one of two ranks"), "{error}");
        }
        let constraints: Vec<Constraint> = texts.iter().map(|text| text.parse().unwrap()).collect();
        let space = Space::narrowed(&variant, &constraints).unwrap();
        let force = BruteForce::new(&variant, &constraints).unwrap();
        let expected = force.ranks();
        let without = BruteForce::new(&plain, &constraints).unwrap().ranks().len();
        let pawns = army.chars().filter(|&letter| letter != '.').count();
        prop_assert_eq!(expected.len(), without << pawns);
        prop_assert_eq!(space.len(), force.count(&|_| ()));
        let rules = Rules::new(&variant);
        let fens = StartFen::new(&variant);
        let mut in_check = 0;
        for id in (0..space.len()).step_by((space.len() / 300).max(1) as usize) {
            let setup = space.unrank(id).unwrap();
            prop_assert_eq!(space.rank(&setup), Ok(id));
            prop_assert_eq!(space.read(&format!("{}/{}", setup.white, setup.black)), Ok(setup));
            let fen = fens.of(&setup);
            prop_assert_eq!(space.read_start(&variant, &fen), Ok(setup), "{}", fen);
            let of_white = fen.chars().filter(|&letter| letter == 'P').count();
            prop_assert_eq!(of_white, pawns, "{}", fen);
            prop_assert_eq!(space.has_check(&setup), rules.kings_in_check(&setup).unwrap() != [false; 2]);
            in_check += usize::from(space.has_check(&setup));
        }
        prop_assert!(space.in_check().unwrap().map_or(0, |found| found.number) >= in_check as u128);
        if symmetry != "independent" {
            let ranks: Vec<FirstRank> = space.iter().map(|setup| setup.white).collect();
            prop_assert_eq!(&ranks, &expected);
        }
    }
}

/// Where each setup has to be looked at, there can be too many.
#[test]
fn checks_of_too_many_setups_are_not_counted() {
    let text =
        variant("BKM.RN.", 2, "independent").text().replace("symmetry =", "pawn_ranks = [3, 4]\nsymmetry =");
    let space = Space::new(&Variant::parse("many", "many.toml", &text).unwrap()).unwrap();
    // 120 arrangements of five pieces and 32 ways to place their pawns, on either side.
    assert_eq!(space.len(), (120 * 32_u128).pow(2));
    let error = space.in_check().unwrap_err().to_string();
    assert!(error.contains("each of 14745600 setups would have to be looked at"), "{error}");
}

/// A pawn that has advanced lets a bishop through.
#[test]
fn an_advanced_pawn_opens_a_line_to_the_king() {
    let text = Variant::find("chess256")
        .unwrap()
        .text()
        .replace("{ fixed = \"RNBQKBNR\" }", "{ fixed = \"BRQNRBNK\" }");
    let variant = Variant::parse("open", "open.toml", &text).unwrap();
    let space = Space::new(&variant).unwrap();
    let found = space.in_check().unwrap().unwrap();
    // From a1 to h8 once the pawns on the b and g files have advanced, and those on the c and f files have not.
    assert_eq!((found.number, found.first.white.to_string()), (16, "BRQNRBNK:bg".to_string()));
    assert!(space.has_check(&found.first) && !space.has_check(&space.read("BRQNRBNK:b").unwrap()));
    // Nothing protects a2; a3 the pawn on b2 does.
    let unprotected = |text: &str| space.army().unprotected_pawns(&space.read(text).unwrap().white);
    assert_eq!((unprotected("BRQNRBNK:h"), unprotected("BRQNRBNK:a")), (vec![File(0)], vec![]));
    let error = space.read("BRQNRBNK:i").unwrap_err().to_string();
    assert_eq!(
        error,
        "`:i` says which pawns start on the farther of two ranks; those on the files abcdefgh can"
    );
}
