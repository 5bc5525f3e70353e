//! Networks of imbalances whose truth is known, with all that the model does not know of.

use backrank_analysis::games::{Column, Material};
use backrank_analysis::planner::Planner;
use backrank_analysis::values::{Imbalances, PairCounts, Unit};
use backrank_rules::{Letter, Rules, Variant};
use backrank_selfplay::study::Odds;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use crate::coverage::{Coverage, count, merged};

/// What is true: η of each kind, the pawn first, as an engine of a few hundred nodes has it.
const ETA: [(Letter, f64); 6] = [
    (Letter::P, 0.17),
    (Letter::N, 0.72),
    (Letter::B, 0.9),
    (Letter::R, 1.2),
    (Letter::M, 2.25),
    (Letter::Q, 2.6),
];

/// What is in the games that the model knows, or does not know.
#[derive(Clone, Copy)]
struct World {
    name: [&'static str; 2],
    /// The standard deviation of what each imbalance adds of its own, on the scale of η.
    deviation: f64,
    /// That of what a setup is worth to White, and of what the side with the first is worth in a setup.
    setup: [f64; 2],
    /// How far the pawns of files are worth more and less than their mean, as a share.
    pawns: f64,
    /// What is not in η follows a normal distribution, not a logistic one.
    is_normal: bool,
    imbalances: u64,
    /// Which imbalances, instead of so many that the planner fixes.
    odds: &'static str,
    /// Of each imbalance.
    pairs: u64,
    /// Half the distance between the cut-points.
    half: f64,
    /// How far the pieces of a setup are worth more and less than their mean, as a share: all imbalances start from the same setups.
    shared: f64,
}

const AS_MODELLED: World = World {
    name: ["imbalances, R=5", "imbalances, Elo"],
    deviation: 0.0,
    setup: [0.0, 0.0],
    pawns: 0.0,
    is_normal: false,
    imbalances: 24,
    odds: "",
    pairs: 50,
    half: 0.36,
    shared: 0.0,
};

const WORLDS: [World; 11] = [
    AS_MODELLED,
    World {
        name: ["imbalances off by 15 Elo, R=5", "imbalances off by 15 Elo, Elo"],
        deviation: 0.09,
        ..AS_MODELLED
    },
    World {
        name: ["imbalances off by 30 Elo, R=5", "imbalances off by 30 Elo, Elo"],
        deviation: 0.18,
        pairs: 400,
        ..AS_MODELLED
    },
    World { name: ["imbalances, correlated pairs, R=5", ""], setup: [0.5, 0.4], ..AS_MODELLED },
    World { name: ["imbalances, unequal pawns, R=5", ""], pawns: 0.6, ..AS_MODELLED },
    World { name: ["imbalances, wrong link, R=5", ""], is_normal: true, deviation: 0.09, ..AS_MODELLED },
    World {
        name: ["imbalances, ten of them, R=5", ""],
        imbalances: 10,
        pairs: 120,
        deviation: 0.09,
        ..AS_MODELLED
    },
    World {
        name: ["nine imbalances off by 30 Elo, R=5", "nine imbalances off by 30 Elo, Elo"],
        odds: "P:- 3P:- N:3P B:4P R:B+2P 2R:M+P M:R+B+P Q:2B+4P Q:M+2P",
        pairs: 400,
        deviation: 0.18,
        ..AS_MODELLED
    },
    World {
        name: ["five imbalances off by 30 Elo, R=5", "five imbalances off by 30 Elo, Elo"],
        odds: "P:- N:3P B:N+P R:B+2P R:N+3P",
        pairs: 400,
        deviation: 0.18,
        ..AS_MODELLED
    },
    // Where four of five games are drawn, 0.24 are 15 Elo.
    World {
        name: ["80 % draws, off by 15 Elo, R=5", "80 % draws, off by 15 Elo, Elo"],
        pairs: 200,
        deviation: 0.24,
        half: 2.2,
        ..AS_MODELLED
    },
    World { name: ["shared setups, R=5", "shared setups, Elo"], shared: 0.08, ..AS_MODELLED },
];

fn normal(chance: &mut impl Rng) -> f64 {
    let (radius, angle): (f64, f64) = (chance.random(), chance.random());
    (-2.0 * (1.0 - radius).ln()).sqrt() * (std::f64::consts::TAU * angle).cos()
}

/// The imbalances that a planner fixes.
fn network(planner: &Planner, material: &Material, imbalances: u64) -> Vec<usize> {
    let mut plan = planner.fixed(&Imbalances::new(material), "R=5".parse().unwrap());
    let mut chosen = Vec::new();
    while (chosen.len() as u64) < imbalances {
        let next = plan.next(40).unwrap();
        if !chosen.contains(&next) {
            chosen.push(next);
        }
    }
    chosen
}

/// The pairs of an imbalance: of each kind what it is worth and how many more of it the first side has, and what is in the world.
fn pairs(difference: &[(Letter, f64, i32)], world: &World, chance: &mut impl Rng) -> PairCounts {
    let own = world.deviation * normal(chance);
    counted(&pairs_off_by(difference, world, own, &[], chance))
}

fn counted(pairs: &[[usize; 2]]) -> PairCounts {
    let mut counts = PairCounts::default();
    pairs.iter().for_each(|&[as_white, as_black]| counts[as_white][as_black] += 1);
    counts
}

/// The outcomes of the pairs of an imbalance that adds so much of its own. `setups` has what each kind is worth more in the setup of
/// each pair, as a share.
fn pairs_off_by(
    difference: &[(Letter, f64, i32)],
    world: &World,
    own: f64,
    setups: &[Vec<f64>],
    chance: &mut impl Rng,
) -> Vec<[usize; 2]> {
    let half = world.half;
    let mut pairs = Vec::new();
    for pair in 0..world.pairs {
        let mut eta = own + world.setup[1] * normal(chance);
        for (kind, &(letter, worth, number)) in difference.iter().enumerate() {
            let of_setup = setups.get(pair as usize).map_or(0.0, |setup| setup[kind]);
            for _ in 0..number.abs() {
                let file = if letter == Letter::P {
                    world.pawns * (2.0 * chance.random::<f64>() - 1.0)
                } else {
                    0.0
                };
                eta += f64::from(number.signum()) * worth * (1.0 + file + of_setup);
            }
        }
        let white = 0.05 + world.setup[0] * normal(chance);
        let mut game = |eta: f64| {
            let noise = match world.is_normal {
                // As wide as the logistic distribution.
                true => 1.7 * normal(chance),
                false => {
                    let lot: f64 = chance.random();
                    (lot / (1.0 - lot)).ln()
                }
            };
            let latent = eta + noise;
            if latent > half {
                2
            } else if latent < -half {
                0
            } else {
                1
            }
        };
        pairs.push([game(eta + white), game(eta - white)]);
    }
    pairs
}

pub fn coverage(studies: u64) -> Coverage {
    let networks = of_worlds(studies);
    let others = merged(beside_others(studies / 3), of_new_pieces_by_others(studies / 3));
    merged(merged(networks, of_new_pieces(studies)), others)
}

/// Values of networks of imbalances in all worlds.
pub fn of_worlds(studies: u64) -> Coverage {
    let rules = Rules::new(&Variant::find("pmrc").unwrap());
    let material = Material::of(&rules);
    let planner = Planner::new(&rules, &material);
    WORLDS.iter().map(|world| of_world(&planner, &material, world, studies)).reduce(merged).unwrap()
}

/// Values where nothing else is missing, and where both sides lack four pawns, in worlds where pieces are worth more or less beside
/// others of their own side: by 6 Elo (standard deviation) for a rook beside a rook.
fn beside_others(studies: u64) -> Coverage {
    let rules = Rules::new(&Variant::find("pmrc").unwrap());
    let material = Material::of(&rules);
    let planner = Planner::new(&rules, &material);
    let chosen: Vec<Odds> =
        network(&planner, &material, 40).into_iter().map(|at| planner.candidates()[at].clone()).collect();
    let world = World { deviation: 0.03, pairs: 250, ..AS_MODELLED };
    let unit: Unit = "R=5".parse().unwrap();
    let one = |seed: u64| {
        let mut chance = ChaCha8Rng::seed_from_u64(seed);
        let mut beside = [[0.0; ETA.len()]; ETA.len()];
        for (one, (_, worth)) in ETA.iter().enumerate() {
            for (other, (_, of_other)) in ETA.iter().enumerate().take(one + 1) {
                let drawn = 0.037 * (worth * of_other).sqrt() / ETA[3].1 * normal(&mut chance);
                [beside[one][other], beside[other][one]] = [drawn; 2];
            }
        }
        // What pieces are worth less that lack these others, and lack each other.
        let half_of = |lacking: &[f64; ETA.len()]| -> f64 {
            let each = |one: usize| (0..ETA.len()).map(move |other| (one, other));
            let pairs = (0..ETA.len()).flat_map(each);
            0.5 * pairs.map(|(one, other)| lacking[one] * beside[one][other] * lacking[other]).sum::<f64>()
        };
        let lacks = |side: &[Letter]| {
            ETA.map(|(kind, _)| side.iter().filter(|&&letter| letter == kind).count() as f64)
        };
        let mut games = Imbalances::new(&material);
        for odds in &chosen {
            let [first, second] = odds.lacking();
            let own =
                world.deviation * normal(&mut chance) + half_of(&lacks(&second)) - half_of(&lacks(&first));
            let pairs = pairs_off_by(&difference(odds, &ETA), &world, own, &[], &mut chance);
            games.add_pairs(odds, counted(&pairs));
        }
        let found = games.values_beside(unit, &[Letter::P; 4]).unwrap();
        let truth = |kind: usize, pawns: f64| {
            let mut lacking = [0.0; ETA.len()];
            lacking[0] = pawns;
            let mut first = lacking;
            first[kind] += 1.0;
            ETA[kind].1 + half_of(&lacking) - half_of(&first)
        };
        let mut counts = Coverage::new();
        for (kind, piece) in found.pieces.iter().enumerate().filter(|(kind, _)| *kind != 3) {
            let value = |pawns: f64| 5.0 * truth(kind, pawns) / truth(3, pawns);
            count(&mut counts, "all pieces there, R=5", piece.full.interval, value(0.0));
            count(&mut counts, "without four pawns, R=5", piece.without.interval, value(4.0));
        }
        counts
    };
    (0..studies).into_par_iter().map(one).reduce(Coverage::new, merged)
}

/// The value of a new piece by games in which it stands in the places of others, chosen one after the other by the results so far.
/// The values of the others come from a network that was played before.
fn of_new_pieces(studies: u64) -> Coverage {
    const NEW: [(Letter, f64); 2] = [(Letter::W, 0.8), (Letter::X, 1.9)];
    let chess = Variant::find("pmrc").unwrap();
    let variant = chess.with_piece(Letter::W, "waffle", "WA").unwrap();
    let rules = Rules::new(&variant.with_piece(Letter::X, "half-duck", "HFD").unwrap());
    let material = Material::of(&rules);
    let known = Planner::new(&rules, &material);
    let before = network(&known, &material, 24);
    let planner = Planner::of_pieces(&rules, &material, &NEW.map(|(letter, _)| letter), &[], false);
    let unit: Unit = "N=3.25".parse().unwrap();
    let truth: Vec<(Letter, f64)> = ETA.into_iter().chain(NEW).collect();
    let world = World { deviation: 0.06, pairs: 250, ..AS_MODELLED };
    let slice = World { pairs: 50, ..world };
    let one = |seed: u64| {
        let mut chance = ChaCha8Rng::seed_from_u64(seed);
        let mut games = Imbalances::new(&material);
        for &candidate in &before {
            let odds = &known.candidates()[candidate];
            games.add_pairs(odds, pairs(&difference(odds, &truth), &world, &mut chance));
        }
        // What an imbalance adds of its own stays what it is when more of it is played.
        let own: Vec<f64> =
            planner.candidates().iter().map(|_| world.deviation * normal(&mut chance)).collect();
        for _ in 0..24 {
            let candidate = planner.plan(&games, unit).next(slice.pairs).unwrap();
            let odds = &planner.candidates()[candidate];
            let more = difference(odds, &truth);
            let pairs = pairs_off_by(&more, &slice, own[candidate], &[], &mut chance);
            games.add_pairs(odds, counted(&pairs));
        }
        let found = games.values(unit);
        let mut counts = Coverage::new();
        for (letter, eta) in NEW {
            let piece = found.pieces.iter().find(|piece| piece.piece == Column::Piece(letter)).unwrap();
            count(&mut counts, "new pieces, N=3.25", piece.value.unwrap().interval, 3.25 * eta / ETA[1].1);
        }
        counts
    };
    (0..studies).into_par_iter().map(one).reduce(Coverage::new, merged)
}

/// The value of a new piece as the second of its side, and as the first where neither side has a queen, knights or bishops, in worlds where
/// pieces are worth more or less beside others of their own side and against those of the other side.
fn of_new_pieces_by_others(studies: u64) -> Coverage {
    const NEW: (Letter, f64) = (Letter::W, 0.8);
    const ALL: usize = ETA.len() + 1;
    let variant = Variant::find("pmrc").unwrap().with_piece(NEW.0, "waffle", "WA").unwrap();
    let rules = Rules::new(&variant);
    let material = Material::of(&rules);
    let known = Planner::new(&rules, &material);
    let before = network(&known, &material, 40);
    let planner = Planner::of_pieces(&rules, &material, &[NEW.0], &[], true);
    let unit: Unit = "N=3.25".parse().unwrap();
    let truth: Vec<(Letter, f64)> = ETA.into_iter().chain([NEW]).collect();
    let world = World { deviation: 0.03, pairs: 250, ..AS_MODELLED };
    let slice = World { pairs: 50, ..world };
    let one = |seed: u64| {
        let mut chance = ChaCha8Rng::seed_from_u64(seed);
        // What a piece is worth more for one of its own side, and for one of the other.
        let (mut own, mut opposing) = ([[0.0; ALL]; ALL], [[0.0; ALL]; ALL]);
        for (one, (_, worth)) in truth.iter().enumerate() {
            for (other, (_, of_other)) in truth.iter().enumerate().take(one + 1) {
                let mut drawn = || 0.037 * (worth * of_other).sqrt() / ETA[3].1 * normal(&mut chance);
                [own[one][other], own[other][one]] = [drawn(); 2];
                if one != other {
                    opposing[one][other] = drawn();
                    opposing[other][one] = -opposing[one][other];
                }
            }
        }
        let times = |left: &[f64; ALL], between: &[[f64; ALL]; ALL], right: &[f64; ALL]| -> f64 {
            let each = |one: usize| (0..ALL).map(move |other| (one, other));
            (0..ALL).flat_map(each).map(|(one, other)| left[one] * between[one][other] * right[other]).sum()
        };
        // What the side that the odds name second is worth more than by the sum of values. Pieces are counted from the full army, and the
        // new one from none: a side that is said to lack it faces one.
        let interacting = |odds: &Odds| {
            let number = |side: &[Letter], letter: Letter| {
                side.iter().filter(|&&other| other == letter).count() as f64
            };
            let [first, second] = odds.lacking();
            let has = |lacking: &[Letter], faced: &[Letter]| -> [f64; ALL] {
                std::array::from_fn(|kind| match truth[kind].0 {
                    new if new == NEW.0 => number(faced, new),
                    letter => -number(lacking, letter),
                })
            };
            let (one, other) = (has(&first, &second), has(&second, &first));
            0.5 * (times(&other, &own, &other) - times(&one, &own, &one)) + times(&other, &opposing, &one)
        };
        let mut games = Imbalances::new(&material);
        for &candidate in &before {
            let odds = &known.candidates()[candidate];
            let by_itself = interacting(odds) + world.deviation * normal(&mut chance);
            let pairs = pairs_off_by(&difference(odds, &truth), &world, by_itself, &[], &mut chance);
            games.add_pairs(odds, counted(&pairs));
        }
        let by_itself: Vec<f64> = planner
            .candidates()
            .iter()
            .map(|odds| interacting(odds) + world.deviation * normal(&mut chance))
            .collect();
        for _ in 0..60 {
            let candidate = planner.plan(&games, unit).next(slice.pairs).unwrap();
            let odds = &planner.candidates()[candidate];
            let pairs =
                pairs_off_by(&difference(odds, &truth), &slice, by_itself[candidate], &[], &mut chance);
            games.add_pairs(odds, counted(&pairs));
        }
        let found = &games.values_by_others(&[NEW.0], unit).unwrap()[0];
        let mut counts = Coverage::new();
        for value in &found.values {
            // What the last piece of a kind is worth to a side that has as much of everything as the other.
            let lacking = format!("{}:-", value.on_neither)
                .parse::<Odds>()
                .map_or_else(|_| Vec::new(), |odds| odds.first().to_vec());
            let has: [f64; ALL] = std::array::from_fn(|kind| match truth[kind].0 {
                new if new == NEW.0 => value.number as f64,
                letter => -(lacking.iter().filter(|&&other| other == letter).count() as f64),
            });
            let worth = |kind: usize| {
                let beside: f64 =
                    (0..ALL).map(|other| (own[kind][other] + opposing[kind][other]) * has[other]).sum();
                truth[kind].1 + beside - 0.5 * own[kind][kind]
            };
            let name = match (value.number, lacking.is_empty()) {
                (1, true) => "new pieces, the first, N=3.25",
                (_, true) => "new pieces, the second and further ones, N=3.25",
                _ => "new pieces, a kind on neither side, N=3.25",
            };
            count(&mut counts, name, value.value.interval, 3.25 * worth(ALL - 1) / worth(1));
        }
        counts
    };
    (0..studies).into_par_iter().map(one).reduce(Coverage::new, merged)
}

/// How many more of each kind the side has that the odds name first.
fn difference(odds: &Odds, truth: &[(Letter, f64)]) -> Vec<(Letter, f64, i32)> {
    let [first, second] = odds.lacking();
    let count =
        |letter: Letter, side: &[Letter]| side.iter().filter(|&&other| other == letter).count() as i32;
    truth.iter().map(|&(letter, eta)| (letter, eta, count(letter, &first) - count(letter, &second))).collect()
}

fn of_world(planner: &Planner, material: &Material, world: &World, studies: u64) -> Coverage {
    let chosen: Vec<Odds> = match world.odds {
        "" => {
            let planned = network(planner, material, world.imbalances).into_iter();
            planned.map(|candidate| planner.candidates()[candidate].clone()).collect()
        }
        odds => odds.split(' ').map(|text| text.parse().unwrap()).collect(),
    };
    let unit: Unit = "R=5".parse().unwrap();
    let one = |seed: u64| {
        let mut chance = ChaCha8Rng::seed_from_u64(seed);
        let mut games = Imbalances::new(material);
        let mut of_setup = || ETA.map(|_| world.shared * normal(&mut chance)).to_vec();
        let setups: Vec<Vec<f64>> =
            (0..if world.shared > 0.0 { world.pairs } else { 0 }).map(|_| of_setup()).collect();
        for odds in &chosen {
            let own = world.deviation * normal(&mut chance);
            let pairs = pairs_off_by(&difference(odds, &ETA), world, own, &setups, &mut chance);
            if setups.is_empty() {
                games.add_pairs(odds, counted(&pairs));
                continue;
            }
            for (setup, pair) in pairs.into_iter().enumerate() {
                games.add_pair(odds, [&setup.to_string(), ""], pair);
            }
        }
        let found = games.values(unit);
        let mut counts = Coverage::new();
        for (letter, eta) in ETA {
            let piece = found.pieces.iter().find(|piece| piece.piece == Column::Piece(letter));
            let Some(piece) = piece else { continue };
            if letter != Letter::R {
                count(&mut counts, world.name[0], piece.value.unwrap().interval, 5.0 * eta / ETA[3].1);
            }
            if !world.name[1].is_empty() {
                let elo = crate::coverage::elo_of(eta, world.half);
                count(&mut counts, world.name[1], piece.elo.unwrap().interval, elo);
            }
        }
        counts
    };
    (0..studies).into_par_iter().map(one).reduce(Coverage::new, merged)
}
