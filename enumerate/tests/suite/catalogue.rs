//! The spaces of the variants that come with the toolkit.

use backrank_enumerate::{BruteForce, Claimed, Space, Verdict, claims};
use backrank_rules::{Variant, catalogue};

/// How many setups each game has.
const COUNTS: [(&str, u128); 41] = [
    ("modern", 1),
    ("mrc", 15_120),
    ("pmrc", 15_120),
    ("chess8400", 8_400),
    ("pmc", 4),
    ("pm-random", 8_400),
    ("mmcc", 1),
    ("crc", 1_680),
    ("icrc", 1_680),
    ("merc", 5_040),
    ("chess", 1),
    ("chess960", 960),
    ("double960", 921_600),
    ("chess480", 480),
    ("shuffle", 5_040),
    ("chess2880", 2_880),
    ("transcendental", 8_294_400),
    ("chess18", 18),
    ("chess256", 256),
    ("chess324", 324),
    ("capablanca-random", 12_118),
    ("capablanca84000", 84_000),
    ("carreblanca", 216),
    ("chess99", 216),
    ("cwda-clobberers-nutters", 960),
    ("cwda-clobberers-rookies", 960),
    ("cwda-fide-clobberers", 960),
    ("cwda-fide-nutters", 960),
    ("cwda-fide-rookies", 960),
    ("cwda-nutters-rookies", 960),
    ("grand", 1),
    ("grand-random", 5_760),
    ("shatranj", 1),
    ("kingofthehill960", 960),
    ("threecheck960", 960),
    ("knightmate960", 960),
    ("amazon960", 960),
    ("janus-random", 42_000),
    ("berolina960", 960),
    ("xiangqi", 1),
    ("janggi", 16),
];

fn space(key: &str) -> Space {
    Space::new(&Variant::find(key).unwrap()).unwrap()
}

#[test]
fn every_variant_has_as_many_setups_as_its_rules_allow() {
    let mut keys: Vec<String> = catalogue().map(|variant| variant.key).collect();
    for (key, setups) in COUNTS {
        assert_eq!(space(key).len(), setups, "{key}");
        keys.retain(|other| other != key);
    }
    assert!(keys.is_empty(), "no count to hold against: {keys:?}");
}

#[test]
fn brute_force_counts_the_same() {
    for (key, setups) in COUNTS {
        let brute_force = BruteForce::new(&Variant::find(key).unwrap(), &[]).unwrap();
        assert_eq!(brute_force.count(&|_| ()), setups, "{key}");
    }
}

#[test]
fn every_claim_gets_the_verdict_on_record() {
    for claim in claims() {
        let variant = Variant::find(&claim.variant).unwrap();
        let space = Space::narrowed(&variant, &claim.narrowed_by).unwrap();
        let about_setups = !matches!(claim.claimed, Claimed::MatesAlone(_));
        assert_eq!(claim.judge(&space), about_setups.then_some(claim.verdict), "{claim:?}");
    }
}

#[test]
fn ids_and_setups_correspond_in_every_numbering() {
    for variant in catalogue() {
        let space = Space::new(&variant).unwrap();
        // Of the two large spaces with independent sides, every so many setups.
        let step = (space.len() / 50_000).max(1) as usize;
        for numbering in space.numberings() {
            for id in (0..space.len()).step_by(step) {
                let setup = space.unrank_by(numbering, id).unwrap();
                assert_eq!(space.rank_by(numbering, &setup), Ok(id), "{} {}", variant.key, numbering.name());
            }
            assert_eq!(space.unrank_by(numbering, space.len()), None);
        }
    }
}

#[test]
fn a_claim_about_a_number_can_be_wrong() {
    let claim = claims().into_iter().find(|claim| matches!(claim.claimed, Claimed::Id { .. })).unwrap();
    let space = space(&claim.variant);
    assert_eq!(claim.judge(&space), Some(Verdict::Confirmed));
    let Claimed::Id { setup, numbering, id } = &claim.claimed else { unreachable!() };
    for (setup, numbering, id) in [
        (setup.as_str(), numbering.as_str(), id + 1),
        (setup, "lex", *id),
        (setup, "nobody's", *id),
        ("RNBQKMBNR", numbering, *id),
        ("RNBQKQBNR", numbering, *id),
        (setup, numbering, 15_120),
    ] {
        let mut wrong = claim.clone();
        wrong.claimed = Claimed::Id { setup: setup.to_string(), numbering: numbering.to_string(), id };
        assert_eq!(wrong.judge(&space), Some(Verdict::Refuted), "{wrong:?}");
    }
}
