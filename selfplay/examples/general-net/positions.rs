//! Files of positions.
//!
//! A file begins with the largest number of inputs of a position, W, in 32 bits. Each position then has 10 + 4 W bytes: its number of
//! inputs, its output bucket, 1 if it is a quiet position of a game and 0 if only its score counts, the result for the side to move in
//! halves (a byte each); the structure, the weights' score, the TD(λ) return for the side to move in 65,535ths (two bytes each, the lower
//! first); and the inputs as each side sees them, W of two bytes each.

use std::error::Error;
use std::path::Path;
use std::{fs, io, iter};

use backrank_engine::learn::{GeneralSampler, describe_game};
use backrank_engine::{Engine, Weights};
use backrank_enumerate::Space;
use backrank_rules::{Position, Rules, Side, Variant};
use backrank_selfplay::training::{Outcome, Playouts};
use rayon::prelude::*;

pub fn write_all(
    directory: &Path,
    games: &[(Variant, Space)],
    playouts: Playouts,
) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(directory)?;
    games.par_iter().try_for_each(|(variant, space)| write(directory, variant, space, playouts))?;
    Ok(())
}

/// Writes the files of a game if they are not there yet.
fn write(directory: &Path, variant: &Variant, space: &Space, playouts: Playouts) -> io::Result<()> {
    let path = |extension: &str| directory.join(format!("{}.{extension}", variant.key));
    if path("positions").exists() {
        return Ok(());
    }
    let rules = Rules::new(variant);
    fs::write(path("toml"), variant.text())?;
    fs::write(path("game"), describe_game(&rules))?;
    // All men, and the partners of castling.
    let widest = Side::BOTH.iter().map(|&side| variant.start_letters(side).count()).sum::<usize>() + 4;
    let mut recorder = Recorder { sampler: GeneralSampler::new(&rules), widest, bytes: Vec::new() };
    recorder.bytes.extend((widest as u32).to_le_bytes());
    let mut engine = Engine::new(&rules, &Weights::new(&rules).without_net(), 1);
    playouts.visit(&mut engine, space, |position, outcome| recorder.add(position, outcome));
    let unfinished = path("unfinished");
    fs::write(&unfinished, &recorder.bytes)?;
    fs::rename(unfinished, path("positions"))
}

struct Recorder {
    sampler: GeneralSampler,
    /// The largest number of inputs.
    widest: usize,
    bytes: Vec<u8>,
}

impl Recorder {
    fn add(&mut self, position: &Position<'_>, outcome: Option<Outcome>) {
        let Some(sample) = self.sampler.sample(position) else { return };
        let number = sample.inputs[0].len();
        if number > self.widest {
            return;
        }
        let is_white = position.side_to_move() == Side::White;
        let for_mover = |for_white: f64| if is_white { for_white } else { 1.0 - for_white };
        let Outcome { result, value } = outcome.unwrap_or(Outcome { result: 0.5, value: 0.5 });
        let halves = (2.0 * for_mover(result)) as u8;
        self.bytes.extend([number as u8, sample.bucket, u8::from(outcome.is_some()), halves]);
        for score in [sample.structure, sample.score] {
            self.bytes.extend((score.clamp(-9_999, 9_999) as i16).to_le_bytes());
        }
        self.bytes.extend(((65_535.0 * for_mover(value)).round() as u16).to_le_bytes());
        for inputs in &sample.inputs {
            let padded = inputs.iter().copied().chain(iter::repeat(u16::MAX)).take(self.widest);
            padded.for_each(|input| self.bytes.extend(input.to_le_bytes()));
        }
    }
}
