//! Spaces of random armies under random constraints, held against brute force.

use backrank_enumerate::{BruteForce, Constraint, NotInSpace, Space};
use backrank_rules::{FirstRank, Setup, Variant, catalogue};
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
    prop_oneof![
        (letter(), letter(), letter()).prop_map(|(a, b, c)| format!("between={a},{b},{c}")),
        (letter(), letter()).prop_map(|(a, b)| format!("opposite_colours={a},{b}")),
        (letter(), letter()).prop_map(|(a, b)| format!("same_colour={a},{b}")),
        (letter(), letter()).prop_map(|(a, b)| format!("not_adjacent={a},{b}")),
        Just("pawns_protected".to_string()),
        (shuffled, 0..=number + 1).prop_map(|(rank, files)| format!("differs_from={rank},{files}")),
        pattern.prop_map(|pattern| format!("fixed={pattern}")),
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
        prop_assert_eq!(space.len(), expected.len() as u128);
        prop_assert_eq!(BruteForce::new(&variant, &constraints).unwrap().count(&|_| ()), space.len());
        prop_assert!(space.iter().eq(expected.iter().copied()));
        for (id, setup) in expected.iter().enumerate() {
            prop_assert_eq!(space.rank(setup), Ok(id as u128));
        }
        for setup in &left_out {
            let is_refused = matches!(space.rank(setup), Err(NotInSpace::Breaks { name: "up_to_reflection", .. }));
            prop_assert!(is_refused, "{setup:?}");
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
