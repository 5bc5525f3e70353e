//! Random games in every variant: everything that is told twice is told alike.

mod common;

use backrank_rules::{FirstRank, MoveKind, PAWN, Position, Rules, Setup, Variant, catalogue};
use common::{Numbers, fen};

/// A shuffled first rank with what is empty left where it is.
fn shuffled(variant: &Variant, numbers: &mut Numbers) -> FirstRank {
    let mut rank = variant.army;
    let files: Vec<_> = rank.pieces().map(|(file, _)| file).collect();
    for last in (1..files.len()).rev() {
        let other = numbers.below(last + 1);
        let (a, b) = (rank.at(files[last]).unwrap(), rank.at(files[other]).unwrap());
        rank.set(files[last], b);
        rank.set(files[other], a);
    }
    rank
}

fn check(position: &Position, rules: &Rules) {
    let legal = position.legal_moves();
    assert_eq!(position.count_legal_moves(), legal.len(), "{position}");
    let text = position.to_fen();
    let mut of_pieces: Vec<_> = legal
        .iter()
        .copied()
        .filter(|&played| {
            played.kind == MoveKind::Normal
                && position.piece_at(played.from).is_some_and(|(_, letter)| letter != PAWN)
        })
        .collect();
    of_pieces.sort();
    assert_eq!(of_pieces, common::slow::piece_moves(position), "{text}");
    let us = position.side_to_move();
    assert_eq!(position.is_check(), common::slow::attacks(position, us.other(), position.king(us)), "{text}");
    let read = fen(rules, &text);
    assert_eq!(read, *position);
    assert_eq!(read.key(), position.key(), "{text}");
    assert_eq!(read.to_fen(), text);
    assert_eq!(read.legal_moves(), legal, "{text}");
    let replies: u64 = legal.iter().map(|&played| position.after(played).legal_moves().len() as u64).sum();
    assert_eq!(position.perft(2), replies, "{text}");
    let mut notations = std::collections::HashSet::new();
    for &played in &legal {
        assert_eq!(position.parse_uci(&played.uci(position.board())), Ok(played), "{text}");
        let next = position.after(played);
        // Whoever has moved has left its king safe: reading refuses any other position.
        assert_eq!(fen(rules, &next.to_fen()).key(), next.key(), "{text} {played:?}");
        let notation = position.notation(played);
        assert_eq!(position.parse_notation(&notation), Ok(played), "{text} {notation}");
        assert!(notations.insert(notation.clone()), "{text} {notation} is two moves");
    }
}

fn walk(variant: &Variant, games: usize, plies: usize, seed: u64) {
    let rules = Rules::new(variant);
    let mut numbers = Numbers(seed);
    for _ in 0..games {
        let (white, black) = (shuffled(variant, &mut numbers), shuffled(variant, &mut numbers));
        let Ok(mut position) = Position::new(&rules, &Setup { white, black }) else { continue };
        for _ in 0..plies {
            check(&position, &rules);
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            // Rare kinds of moves, captures and checks are preferred now and then.
            let special: Vec<_> = legal
                .iter()
                .copied()
                .filter(|&played| played.kind != MoveKind::Normal || position.after(played).is_check())
                .collect();
            let captures: Vec<_> =
                legal.iter().copied().filter(|&played| position.is_capture(played)).collect();
            let choice = match numbers.below(8) {
                0 if !special.is_empty() => &special,
                1 if !captures.is_empty() => &captures,
                _ => &legal,
            };
            position.play(choice[numbers.below(choice.len())]);
        }
    }
}

#[test]
fn every_game_of_the_catalogue() {
    for (seed, variant) in (1..).zip(catalogue().filter(|variant| !variant.count_only)) {
        walk(&variant, 5, 120, seed);
    }
}

#[test]
fn games_of_unusual_pieces() {
    for (seed, (board, first_rank, pieces)) in (100..).zip([
        // Riders in long steps, some of them asymmetric or short.
        ((10, 10), "NHZKSBBSGR", "N='NN' H='AADD' Z='CC' S='R3fB' G='ffNbsNfhNNrlW' R='R' B='B2' Q='Q'"),
        // Moves and captures apart, and moves of the first time.
        ((12, 10), "RXYBWKWBVUTR", "R='R' X='mRcB' Y='mNcK' B='BfW' W='WiDiNN' V='cQmF' U='FiR' T='icNmW'"),
        // A king that is none.
        ((9, 8), "RNBCKCBNR", "R='R' N='N' B='B' C='WA' K!='KN'"),
        ((16, 8), "RNBQRNBQKBNRQBNR", "R='R' N='N' B='B' Q='Q'"),
        ((6, 5), "RNKQBR", "R='R' N='N' B='B' Q='Q'"),
        ((4, 4), "RNKB", "R='R' N='N' B='B'"),
    ]) {
        let ((files, ranks), mut tables) = (board, String::new());
        for piece in pieces.split_whitespace() {
            let (letter, betza) = piece.split_once('=').unwrap();
            let royal = letter.ends_with('!');
            let letter = &letter[..1];
            tables += &format!("{letter} = {{ name = \"{letter}\", betza = {betza}, royal = {royal} }}\n");
        }
        if !pieces.contains("K!") {
            tables += "K = { name = \"king\", betza = \"K\", royal = true }\n";
        }
        let text = format!(
            "name = \"t\"\nsource = \"t\"\n[board]\nfiles = {files}\nranks = {ranks}\n[pieces]\n{tables}\n[pawn]\n\
             [setup]\nfirst_rank = \"{first_rank}\"\n[castling]\n\
             left = {{ king = \"b\", partner = \"c\", notation = \"O-O-O\" }}\n\
             right = {{ king = \"c\", partner = \"b\", notation = \"O-O\" }}\n\
             [adjustment]\npiece = \"B\"\n"
        );
        let variant = Variant::parse("t", "t.toml", &text).unwrap_or_else(|error| panic!("{error}"));
        walk(&variant, 25, 80, seed);
    }
}
