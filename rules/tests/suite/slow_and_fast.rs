//! Random games of every playable variant, adjustments and leaps included, in which the generator and the slow one of
//! the tests agree on every move and on what it leads to.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use crate::slow::{SlowPosition, start_fen};
use crate::walk;
use backrank_rules::{
    FenError, Letter, Move, MoveError, MoveKind, Position, Rules, Setup, Side, StartFen, Variant, catalogue,
};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

const SEED: u64 = 20_080_510;
const GAMES: usize = 24;
const PLIES: usize = 150;

/// Variants nobody plays, for what the catalogue has no piece or rule for.
const ODD: [(&str, &str); 20] = [
    ("apart", include_str!("../data/odd/apart.toml")),
    ("armies", include_str!("../data/odd/armies.toml")),
    ("berolina", include_str!("../data/odd/berolina.toml")),
    ("berolina-narrow", include_str!("../data/odd/berolina-narrow.toml")),
    ("checks", include_str!("../data/odd/checks.toml")),
    ("early", include_str!("../data/odd/early.toml")),
    ("georgian", include_str!("../data/odd/georgian.toml")),
    ("hoppers", include_str!("../data/odd/hoppers.toml")),
    ("lame", include_str!("../data/odd/lame.toml")),
    ("leaping-king", include_str!("../data/odd/leaping-king.toml")),
    ("long", include_str!("../data/odd/long.toml")),
    ("low", include_str!("../data/odd/low.toml")),
    ("narrow", include_str!("../data/odd/narrow.toml")),
    ("pawns", include_str!("../data/odd/pawns.toml")),
    ("position", include_str!("../data/odd/position.toml")),
    ("ranks", include_str!("../data/odd/ranks.toml")),
    ("riders", include_str!("../data/odd/riders.toml")),
    ("smallest", include_str!("../data/odd/smallest.toml")),
    ("wide", include_str!("../data/odd/wide.toml")),
    ("zoo", include_str!("../data/odd/zoo.toml")),
];

fn playable() -> impl Iterator<Item = Variant> {
    let odd = ODD.map(|(key, text)| Variant::parse(key, key, text).unwrap());
    catalogue().filter(|variant| !variant.count_only).chain(odd)
}

#[test]
fn they_agree_move_for_move() {
    let mut adjustments = 0;
    for variant in playable() {
        let rules = Rules::new(&variant);
        let plain_rules = rules.clone().without_adjustment();
        let mut random = ChaCha8Rng::seed_from_u64(SEED);
        for game in 0..GAMES {
            let fen = walk::start(&variant, game, &mut random);
            let (rules, slow) = if game % 4 == 3 {
                (&plain_rules, SlowPosition::from_fen(&variant, &fen).without_adjustment())
            } else {
                (&rules, SlowPosition::from_fen(&variant, &fen))
            };
            adjustments += play(&variant, rules, slow, &mut random);
        }
    }
    assert!(adjustments >= 200, "{adjustments} positions with an adjustment");
}

#[test]
fn they_start_alike() {
    for variant in playable() {
        let rules = Rules::new(&variant);
        let [white, black] = variant.armies;
        // A start that is written as a position has no other.
        let blacks = if variant.position.is_some() { 1 } else { 2 };
        for black in [black, black.reversed()].into_iter().take(blacks) {
            let setup = Setup { white, black };
            let fast = Position::new(&rules, &setup).unwrap();
            let slow =
                variant.position.clone().unwrap_or_else(|| start_fen(&variant, &setup.white, &setup.black));
            assert_eq!(fast.to_fen(), slow, "{}", variant.key);
            assert_eq!(StartFen::new(&variant).of(&setup), slow, "{}", variant.key);
        }
    }
}

fn attacks_of_pieces(position: &Position<'_>) -> BTreeMap<String, BTreeSet<String>> {
    let name = |square| position.board().square_name(square);
    let mut attacks = BTreeMap::new();
    for side in Side::BOTH {
        position.for_each_attacking(side, |_, square, attacked| {
            attacks.insert(name(square), attacked.iter().map(name).collect());
        });
    }
    attacks
}

/// Plays a game with both and says in how many positions an adjustment was legal.
fn play(variant: &Variant, rules: &Rules, slow: SlowPosition, random: &mut ChaCha8Rng) -> usize {
    let fast = Position::from_fen(rules, &slow.fen());
    // Riders can attack the king from their own first rank: no game starts like that.
    if slow.could_take_king() {
        assert!(matches!(fast, Err(FenError::NotToMoveInCheck { .. })), "{}, {}", variant.key, slow.fen());
        return 0;
    }
    let mut fast = fast.unwrap();
    let mut slow = slow;
    let mut adjustments = 0;
    for ply in 0..PLIES {
        let fen = slow.fen();
        assert_eq!(fast.to_fen(), fen, "{}", variant.key);
        let read = Position::from_fen(rules, &fen).unwrap();
        assert_eq!(read.to_fen(), fen, "{}", variant.key);
        assert_eq!(read.key(), fast.key(), "{}, {fen}", variant.key);

        let moves = slow.moves();
        let mut theirs: Vec<_> =
            fast.legal_moves().into_iter().map(|played| (played.uci(fast.board()), played)).collect();
        theirs.sort();
        let names = |(uci, _): &(String, _)| uci.clone();
        assert_eq!(
            moves.iter().map(names).collect::<Vec<_>>(),
            theirs.iter().map(|(uci, _)| uci.clone()).collect::<Vec<_>>(),
            "{}, {fen}: slow, then fast",
            variant.key
        );
        assert_eq!(fast.count_legal_moves(), moves.len(), "{}, {fen}", variant.key);
        assert_eq!(fast.is_check(), slow.is_check(), "{}, {fen}", variant.key);
        assert_eq!(attacks_of_pieces(&fast), slow.attacks_of_pieces(), "{}, {fen}", variant.key);
        for ((uci, next), &(_, played)) in moves.iter().zip(&theirs) {
            let after = fast.after(played);
            assert_eq!(after.to_fen(), next.fen(), "{}, {fen}: {uci}", variant.key);
            // Reading works the key out afresh, playing changes it step by step.
            let read = Position::from_fen(rules, &next.fen()).unwrap();
            assert_eq!(read.key(), after.key(), "{}, {fen}: {uci}", variant.key);
        }
        // Counting replies without playing the moves gives what playing them gives.
        let replies = theirs.iter().map(|&(_, played)| fast.after(played).legal_moves().len() as u64);
        assert_eq!(fast.perft(2), replies.sum::<u64>(), "{}, {fen}", variant.key);
        let mut notations = HashSet::new();
        for (uci, played) in &theirs {
            assert_eq!(fast.parse_uci(uci), Ok(*played), "{}, {fen}: {uci}", variant.key);
            let notation = fast.notation(*played);
            assert_eq!(fast.parse_notation(&notation), Ok(*played), "{}, {fen}: {notation}", variant.key);
            assert!(notations.insert(notation), "{}, {fen}: {uci} is written like another move", variant.key);
        }
        if ply % 8 == 0 {
            all_texts_of_pieces_are_read_as_the_list_says(&fast);
        }
        adjustments += theirs.iter().any(|(_, played)| played.kind == MoveKind::Adjustment) as usize;
        let Some(chosen) = walk::choose(&fen, &moves, random) else {
            break;
        };
        slow = moves[chosen].1.clone();
        fast = fast.after(theirs[chosen].1);
    }
    adjustments
}

/// Texts such as `Nf3` and `e4`, for every kind of piece and every square, and whether each piece may go to each square: reading
/// them makes no list of moves where it can do without.
fn all_texts_of_pieces_are_read_as_the_list_says(position: &Position) {
    let (board, legal) = (position.board(), position.legal_moves());
    let letters = position.rules().variant().pieces.iter().map(|piece| piece.letter).chain([Letter::PAWN]);
    for (letter, to) in letters.flat_map(|letter| board.all_squares().iter().map(move |to| (letter, to))) {
        let is_meant = |played: &&Move| {
            played.to == to
                && matches!(played.kind, MoveKind::Normal | MoveKind::EnPassant)
                && position.piece_at(played.from).is_some_and(|(_, other)| other == letter)
        };
        let square = board.square_name(to);
        let text = if letter == Letter::PAWN { square } else { format!("{letter}{square}") };
        let read = position.parse_notation(&text);
        match legal.iter().filter(is_meant).collect::<Vec<_>>()[..] {
            [] => assert!(matches!(read, Err(MoveError::Illegal { .. })), "{position}: {text} {read:?}"),
            [meant] => assert_eq!(read, Ok(*meant), "{position}: {text}"),
            _ => assert!(matches!(read, Err(MoveError::Ambiguous { .. })), "{position}: {text} {read:?}"),
        }
    }
    for (from, to) in position
        .pieces(position.side_to_move())
        .iter()
        .flat_map(|from| board.all_squares().iter().map(move |to| (from, to)))
    {
        for kind in [MoveKind::Normal, MoveKind::Castling] {
            let played = Move { from, to, kind };
            assert_eq!(position.is_legal(played), legal.contains(&played), "{position}: {played:?}");
        }
    }
}
