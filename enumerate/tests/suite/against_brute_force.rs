//! Spaces of random armies under random constraints, held against brute force.

use backrank_enumerate::{BruteForce, Constraint, NotInSpace, Space};
use backrank_rules::{FirstRank, Setup, Variant, catalogue};
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

/// A variant file with an army, a first rank on row 1 or 2, and pieces that protect pawns in many ways.
fn variant(army: &str, row: usize) -> Variant {
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
        symmetry = "mirror"
        "#,
        army.len()
    );
    Variant::parse("random", "random.toml", &text).unwrap()
}

/// An army of 2 to 7 pieces and up to two empty files.
fn armies() -> impl Strategy<Value = String> {
    let pieces = prop::collection::vec(select(&b"KKQRRRBBBNNCM"[..]), 2..=7);
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

fn cases() -> impl Strategy<Value = (String, usize, Vec<String>)> {
    (armies(), 1..=2usize).prop_flat_map(|(army, row)| {
        let constraints = prop::collection::vec(constraints(&army), 0..=3);
        (Just(army), Just(row), constraints)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn a_space_and_brute_force_agree((army, row, texts) in cases()) {
        let variant = variant(&army, row);
        let constraints: Vec<Constraint> = texts.iter().map(|text| text.parse().unwrap()).collect();
        let space = Space::narrowed(&variant, &constraints).unwrap();
        let force = BruteForce { army: space.army(), constraints: &constraints, progress: &|_| () };
        let expected = force.collect();

        prop_assert_eq!(space.len(), expected.len() as u128);
        prop_assert_eq!(space.brute_force(&|_| ()), expected.len() as u128);
        // `collect` sorts, so this is the order of `lex` as well.
        let ranks: Vec<FirstRank> = space.iter().map(|setup| setup.white).collect();
        prop_assert_eq!(&ranks, &expected);
        for (id, rank) in expected.iter().enumerate() {
            prop_assert_eq!(space.rank(&Setup { white: *rank, black: *rank }), Ok(id as u128));
        }
        // Every other arrangement is refused, for a constraint that it breaks.
        let all = BruteForce { army: space.army(), constraints: &[], progress: &|_| () }.collect();
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

#[test]
fn constraints_that_ask_for_more_than_any_rank_has_hold_nowhere() {
    let variant = variant("RBQKBR", 1);
    for number in [3, 17, 31, 32, 33, 64] {
        let rooks = vec!["R"; number].join(",");
        for text in [format!("within={rooks},Q:abcdef"), format!("each_side_of=K,{rooks},Q")] {
            let constraint: Constraint = text.parse().unwrap();
            let space = Space::narrowed(&variant, std::slice::from_ref(&constraint)).unwrap();
            assert_eq!((space.len(), space.brute_force(&|_| ())), (0, 0), "{text}");
        }
    }
}

#[test]
fn lex_is_the_sorted_brute_force_list_in_every_variant_of_the_catalogue() {
    for variant in catalogue() {
        let space = Space::new(&variant).unwrap();
        let force = BruteForce { army: space.army(), constraints: space.constraints(), progress: &|_| () };
        let lex = &space.numberings()[0];
        let ranks = force.collect();
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
