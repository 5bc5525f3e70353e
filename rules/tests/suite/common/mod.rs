//! What several tests need.

use backrank_rules::{FirstRank, Game, Move, Position, Rules, Setup, Variant};

pub fn rules(variant: &str) -> Rules {
    Rules::new(&Variant::find(variant).unwrap())
}

/// Both sides with one first rank, Black's mirrored.
pub fn mirrored<'r>(rules: &'r Rules, rank: &str) -> Position<'r> {
    let rank = FirstRank::new(rank.as_bytes()).unwrap();
    Position::new(rules, &Setup { white: rank, black: rank }).unwrap()
}

/// Both sides with one first rank, the board turned half around for Black.
pub fn rotated<'r>(rules: &'r Rules, rank: &str) -> Position<'r> {
    let rank = FirstRank::new(rank.as_bytes()).unwrap();
    Position::new(rules, &Setup { white: rank, black: rank.reversed() }).unwrap()
}

pub fn fen<'r>(rules: &'r Rules, text: &str) -> Position<'r> {
    Position::from_fen(rules, text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The legal moves in UCI, in alphabetical order.
pub fn uci(position: &Position) -> Vec<String> {
    let mut moves: Vec<String> =
        position.legal_moves().iter().map(|legal| legal.uci(position.board())).collect();
    moves.sort();
    moves
}

pub fn has(position: &Position, text: &str) -> bool {
    position.legal_moves().iter().any(|legal| legal.uci(position.board()) == text)
}

/// The adjustments in UCI.
pub fn adjustments(position: &Position) -> Vec<String> {
    of_kind(position, backrank_rules::MoveKind::Adjustment)
}

/// The castlings in UCI.
pub fn castlings(position: &Position) -> Vec<String> {
    of_kind(position, backrank_rules::MoveKind::Castling)
}

fn of_kind(position: &Position, kind: backrank_rules::MoveKind) -> Vec<String> {
    let mut moves: Vec<String> = position
        .legal_moves()
        .iter()
        .filter(|legal| legal.kind == kind)
        .map(|legal| legal.uci(position.board()))
        .collect();
    moves.sort();
    moves
}

/// Plays moves in notation or UCI, each exactly as the game would write it.
pub fn play<'r>(start: Position<'r>, moves: &str) -> Position<'r> {
    let mut game = Game::new(start);
    for text in moves.split_whitespace() {
        let played = parse(game.position(), text);
        game.play(played);
    }
    *game.position()
}

pub fn parse(position: &Position, text: &str) -> Move {
    position.parse_move(text).unwrap_or_else(|error| panic!("{position}: {error}"))
}

/// The seventh field.
pub fn unmoved(position: &Position) -> String {
    position.to_fen().split(' ').nth(6).unwrap().to_string()
}

/// The third field.
pub fn castling_rights(position: &Position) -> String {
    position.to_fen().split(' ').nth(2).unwrap().to_string()
}

/// Numbers that look random, the same in every run.
pub struct Numbers(pub u64);

impl Numbers {
    pub fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % end
    }
}
