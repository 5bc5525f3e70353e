//! Games that nobody has thought of: drawn at random, board, army, pawns and all.

use std::fmt::Write;
use std::ops::Range;
use std::sync::LazyLock;

use backrank_rules::{Betza, Board, GameResult, KnownPiece, Letter, Move, Position, Rules, Variant};
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::Deserialize;

use crate::space::Space;

/// Which pieces stand in a random game beside king and pawns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Movers {
    /// Those of the games from which something is learnt.
    #[default]
    Familiar,
    /// Others, to see how well something learnt fares with pieces that it has not met.
    HeldOut,
}

/// A game drawn at random.
///
/// Its board has 7 to 10 files and as many ranks or others. Its army is as strong, in its places, as armies of chess are: one or two
/// great pieces, two like rooks, and pairs of lighter ones. Mostly pawns are orthodox and both armies alike. In none of its setups
/// does a king start in check, and in those that were tried no piece hangs at once and nobody is mated within two plies.
///
/// The same seed gives the same game. Its file says nothing of values, so that the engine derives them from mobility.
///
/// ```
/// use backrank_enumerate::{Movers, RandomGame};
///
/// let game = RandomGame::new(7, Movers::Familiar);
/// assert!(game.space.len() > 0);
/// assert_eq!(game.variant.text(), RandomGame::new(7, Movers::Familiar).variant.text());
/// ```
#[derive(Clone, Debug)]
pub struct RandomGame {
    /// The game; its key is `random-` and the seed.
    pub variant: Variant,
    /// Its setups.
    pub space: Space,
}

/// The names of the movers.
#[derive(Deserialize)]
struct MoverFile {
    familiar: Vec<String>,
    held_out: Vec<String>,
}

static MOVERS: LazyLock<MoverFile> = LazyLock::new(|| {
    toml::from_str(include_str!("../movers.toml")).expect("the list of movers is valid, as a test shows")
});

impl Movers {
    /// The pieces.
    ///
    /// # Panics
    ///
    /// Never: the shipped list has only pieces that are known.
    pub fn pieces(self) -> Vec<&'static KnownPiece> {
        let names = match self {
            Self::Familiar => &MOVERS.familiar,
            Self::HeldOut => &MOVERS.held_out,
        };
        names
            .iter()
            .map(|name| KnownPiece::find(name).expect("the list of movers is valid, as a test shows"))
            .collect()
    }
}

/// How strong a piece is in some place of an army: its mobility against that of a rook on the same board.
type Strength = Range<f64>;

const GREAT: Strength = 1.2..2.6;
const MAJOR: Strength = 0.8..1.3;
const MINOR: Strength = 0.42..0.85;

/// The part of occupied squares at which mobility is counted.
const DENSITY: f64 = 1.0 / 3.0;

/// The armies of a game may differ by this part in strength.
const UNEQUAL: f64 = 0.08;

/// The setups that are tried before a game is taken.
const TRIED: usize = 16;

impl RandomGame {
    /// Draws the game of a seed.
    pub fn new(seed: u64, movers: Movers) -> Self {
        let key = format!("random-{seed}");
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        loop {
            let game = Sketch::draw(movers, &mut rng).and_then(|sketch| {
                let text =
                    sketch.text(&format!("Random game {seed}"), &format!("drawn from the seed {seed}"));
                let variant = Variant::parse(&key, &format!("{key}.toml"), &text).ok()?;
                let space = Space::new(&variant).ok()?;
                Some(Self { variant, space })
            });
            if let Some(game) = game.filter(|game| game.starts_well(&mut rng)) {
                return game;
            }
        }
    }

    /// Whether the first moves decide nothing, in setups drawn at random.
    fn starts_well(&self, rng: &mut impl Rng) -> bool {
        let rules = Rules::new(&self.variant);
        let setups: Vec<_> =
            (0..TRIED).map_while(|_| self.space.unrank(self.space.random_id(rng)?)).collect();
        !setups.is_empty()
            && setups.iter().all(|setup| Position::new(&rules, setup).is_ok_and(|start| is_calm(&start)))
    }
}

/// Whether nobody is in check, neither side could take a piece at once, and nobody is mated within two plies.
fn is_calm(start: &Position<'_>) -> bool {
    let takes_piece = |position: &Position<'_>, played: Move| {
        position
            .piece_at(played.to)
            .is_some_and(|(side, letter)| side != position.side_to_move() && letter != Letter::PAWN)
    };
    let mates = |position: &Position<'_>, played: Move| {
        let outcome = position.after(played).outcome();
        matches!(outcome.map(|outcome| outcome.result), Some(GameResult::Win(_)))
    };
    if start.is_check() || start.null_move().is_check() {
        return false;
    }
    let no_move = |position: &Position<'_>, is: &dyn Fn(&Position<'_>, Move) -> bool| {
        position.legal_moves().into_iter().all(|played| !is(position, played))
    };
    no_move(start, &takes_piece)
        && no_move(&start.null_move(), &takes_piece)
        && no_move(start, &mates)
        && start.legal_moves().into_iter().all(|played| no_move(&start.after(played), &mates))
}

/// What a random game is to be.
struct Sketch {
    files: usize,
    ranks: usize,
    /// The places of an army: how many pieces each has.
    places: Vec<usize>,
    /// The piece in each place, White's and Black's.
    armies: [Vec<(&'static KnownPiece, Letter)>; 2],
    berolina: bool,
    double_step: &'static str,
    en_passant: bool,
    castles: bool,
    symmetry: &'static str,
}

impl Sketch {
    /// Draws a sketch; `None` if the pieces do not make two armies of equal strength.
    fn draw(movers: Movers, rng: &mut impl Rng) -> Option<Self> {
        let (files, ranks) = (rng.random_range(7..=10), rng.random_range(7..=10));
        let board = Board::new(files, ranks).ok()?;
        // Of the pieces beside the king, some stand alone and the others are pairs.
        let others = files - 1;
        let alone = match (others % 2, rng.random_bool(0.7)) {
            (1, true) => 1,
            (1, false) => 3.min(others),
            (_, true) => 2,
            (_, false) => 0,
        };
        let places: Vec<usize> =
            std::iter::repeat_n(1, alone).chain(std::iter::repeat_n(2, (others - alone) / 2)).collect();
        let with_passages = rng.random_bool(0.3);
        let mut pool: Vec<_> = movers
            .pieces()
            .into_iter()
            .filter(|piece| with_passages || !piece.betza.has_passages())
            .map(|piece| (piece, strength(board, &piece.betza)))
            .collect();
        pool.shuffle(rng);
        let white = army(&places, &pool, rng)?;
        let black = if rng.random_bool(0.25) {
            pool.shuffle(rng);
            army(&places, &pool, rng)?
        } else {
            white.clone()
        };
        let of_army = |army: &[(&KnownPiece, f64)]| -> f64 {
            army.iter().zip(&places).map(|((_, strength), &number)| strength * number as f64).sum()
        };
        let (of_white, of_black) = (of_army(&white), of_army(&black));
        if (of_white - of_black).abs() > UNEQUAL * of_white {
            return None;
        }
        let mut letters: Vec<(&str, Letter)> = Vec::new();
        let armies = [white, black].map(|army| {
            let lettered = army.into_iter().map(|(piece, _)| {
                let known = letters.iter().find(|(name, _)| *name == piece.name).map(|&(_, letter)| letter);
                let letter = known.unwrap_or_else(|| {
                    let letter = free_letter(&piece.name, &letters);
                    letters.push((&piece.name, letter));
                    letter
                });
                (piece, letter)
            });
            lettered.collect()
        });
        let symmetries: &[&str] = if letters.len() == places.len() {
            &["mirror", "mirror", "mirror", "rotate", "independent"]
        } else {
            &["mirror"]
        };
        Some(Self {
            files,
            ranks,
            places,
            armies,
            berolina: rng.random_bool(0.15),
            double_step: ["true", "true", "true", "true", "false", "\"any\""].choose(rng)?,
            en_passant: rng.random_bool(0.9),
            castles: rng.random_bool(0.75),
            symmetry: symmetries.choose(rng)?,
        })
    }

    /// The pairs' places.
    fn pairs(&self) -> impl Iterator<Item = usize> {
        (0..self.places.len()).filter(|&place| self.places[place] == 2)
    }

    /// A first rank before it is shuffled: pairs outside, the king and what stands alone in the middle.
    fn rank(&self, army: &[(&KnownPiece, Letter)]) -> String {
        let pairs: String = self.pairs().map(|place| army[place].1.as_char()).collect();
        let alone = army.iter().zip(&self.places).filter(|(_, number)| **number == 1);
        let middle: String = alone.map(|((_, letter), _)| letter.as_char()).collect();
        let back: String = pairs.chars().rev().collect();
        format!("{pairs}{middle}K{back}")
    }

    /// The variant file.
    fn text(&self, name: &str, source: &str) -> String {
        let [white, black] = &self.armies;
        let are_alike = white.iter().zip(black).all(|(one, other)| one.1 == other.1);
        let mut text = format!(
            "name = \"{name}\"\nsource = \"{source}\"\n\n[board]\nfiles = {}\nranks = {}\n\n[pieces]\nK = {{ name = \"king\", betza = \"K\", royal = true }}\n",
            self.files, self.ranks
        );
        let mut line = |arguments: std::fmt::Arguments<'_>| {
            text.write_fmt(arguments).expect("a string takes it");
            text.push('\n');
        };
        let mut written = Vec::new();
        for (piece, letter) in white.iter().chain(black) {
            if !written.contains(letter) {
                written.push(*letter);
                line(format_args!("{letter} = {{ name = \"{}\", betza = \"{}\" }}", piece.name, piece.betza));
            }
        }
        let letters = |army: &[(&KnownPiece, Letter)]| -> String {
            army.iter().map(|(_, letter)| letter.as_char()).collect()
        };
        line(format_args!("\n[pawn]"));
        if self.berolina {
            line(format_args!("moves = \"berolina\""));
        }
        if self.double_step != "true" {
            line(format_args!("double_step = {}", self.double_step));
        }
        if !self.en_passant {
            line(format_args!("en_passant = false"));
        }
        if are_alike {
            line(format_args!("promotes_to = \"{}\"", letters(white)));
        } else {
            line(format_args!(
                "promotes_to = {{ white = \"{}\", black = \"{}\" }}",
                letters(white),
                letters(black)
            ));
        }
        line(format_args!("\n[setup]"));
        if are_alike {
            line(format_args!("first_rank = \"{}\"", self.rank(white)));
        } else {
            line(format_args!("white = \"{}\"\nblack = \"{}\"", self.rank(white), self.rank(black)));
        }
        line(format_args!("symmetry = \"{}\"\nconstraints = [", self.symmetry));
        let partner = self.pairs().next().filter(|_| self.castles);
        if let Some(partner) = partner {
            let partner = white[partner].1;
            line(format_args!("    {{ between = \"K,{partner},{partner}\" }},"));
        }
        for pair in self.pairs() {
            let letter = white[pair].1;
            if [white, black].iter().any(|army| army[pair].0.betza.is_colour_bound()) {
                line(format_args!("    {{ opposite_colours = \"{letter},{letter}\" }},"));
            }
        }
        line(format_args!("    {{ no_check = true }},\n]"));
        if let Some(partner) = partner {
            let file = |index: usize| (b'a' + index as u8) as char;
            let partners = [white[partner].1, black[partner].1];
            let partners = if are_alike { &partners[..1] } else { &partners[..] };
            let mut partners: Vec<Letter> = partners.to_vec();
            partners.dedup();
            let partners: String = partners.into_iter().map(Letter::as_char).collect();
            line(format_args!("\n[castling]\npartner = \"{partners}\""));
            for (side, king, partner, notation) in
                [("left", 2, 3, "O-O-O"), ("right", self.files - 2, self.files - 3, "O-O")]
            {
                line(format_args!(
                    "{side} = {{ king = \"{}\", partner = \"{}\", notation = \"{notation}\" }}",
                    file(king),
                    file(partner)
                ));
            }
        }
        text
    }
}

/// The mobility of a piece against that of a rook.
fn strength(board: Board, betza: &Betza) -> f64 {
    let mean = |betza: &Betza| betza.mean_mobility(board, DENSITY).iter().sum::<f64>() / 2.0;
    let rook = &KnownPiece::find("rook").expect("everybody knows the rook").betza;
    mean(betza) / mean(rook)
}

/// A piece for each place, from a shuffled pool: first the great ones, then a pair like rooks, then lighter ones and, sometimes, a
/// stronger pair.
fn army(
    places: &[usize],
    pool: &[(&'static KnownPiece, f64)],
    rng: &mut impl Rng,
) -> Option<Vec<(&'static KnownPiece, f64)>> {
    let first_pair = places.iter().position(|&number| number == 2)?;
    let mut army: Vec<(&'static KnownPiece, f64)> = Vec::new();
    for (place, &number) in places.iter().enumerate() {
        let strength = match number {
            1 if place == 0 => GREAT,
            1 => MAJOR.start..GREAT.end,
            _ if place == first_pair => MAJOR,
            _ if rng.random_bool(0.1) => MAJOR,
            _ => MINOR,
        };
        let fits = |(piece, of_piece): &&(&'static KnownPiece, f64)| {
            strength.contains(of_piece) && !army.iter().any(|(other, _)| other.name == piece.name)
        };
        let found = *pool.iter().find(fits)?;
        army.push(found);
    }
    Some(army)
}

/// A letter for a piece: one of its name if possible.
fn free_letter(name: &str, taken: &[(&str, Letter)]) -> Letter {
    let is_free = |letter: &Letter| {
        ![Letter::K, Letter::PAWN].contains(letter) && taken.iter().all(|(_, other)| other != letter)
    };
    let of_name = name.chars().filter_map(|letter| Letter::from_char(letter.to_ascii_uppercase()));
    of_name.chain(Letter::ALL).find(is_free).expect("an army has fewer kinds than there are letters")
}
