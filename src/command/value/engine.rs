//! The values by which the engine plays the pieces.

use backrank_engine::Weights;
use backrank_experiment::pilot::{EngineValue, measured};
use backrank_rules::{ByLetter, Letter, Rules};
use serde::Serialize;

use super::measuring::Measured;

/// What the engine took a piece for.
#[derive(Serialize)]
pub struct EnginesValues {
    pub piece: Letter,
    /// In the pilot.
    pub pilot: Option<EngineValue>,
    /// After it.
    pub then: EngineValue,
}

impl EnginesValues {
    /// Those of some pieces, in the pilot if there was one, and then.
    pub fn of(letters: &[Letter], pilot: Option<&Measured>, then: &Measured) -> Vec<Self> {
        let then_material = material(then);
        let pilot = pilot.map(|pilot| (material(pilot), pilot));
        let of_piece = |&piece: &Letter| {
            let at = |material: &ByLetter<f32>, (_, values): &Measured| EngineValue {
                centipawns: f64::from(material[piece]),
                measured: measured(values, piece),
            };
            let then = at(&then_material, then);
            let pilot = pilot.as_ref().map(|(material, pilot)| at(material, pilot));
            Self { piece, pilot, then }
        };
        letters.iter().map(of_piece).collect()
    }
}

/// The engine's centipawns for each kind of piece of a game.
fn material((variant, _): &Measured) -> ByLetter<f32> {
    Weights::new(&Rules::new(variant)).material
}
