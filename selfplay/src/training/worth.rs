//! What pieces add to a score.

use std::sync::Arc;

use backrank_engine::{Engine, Evaluator, NetChoice, NetError, Weights};
use backrank_enumerate::Space;
use backrank_rules::{Letter, PositionBuilder, Rules, Side};

use super::playouts::Playouts;

/// What a piece adds to the score of its side by each of some networks, in centipawns: the mean of what the score loses without one, in
/// quiet positions of games that the engine plays by its weights alone. `None` if no such position has the piece.
///
/// ```
/// use backrank_engine::NetChoice;
/// use backrank_enumerate::Space;
/// use backrank_rules::{Letter, Rules, Variant};
/// use backrank_selfplay::training::{Playouts, added_scores};
///
/// let variant = Variant::find("chess960")?;
/// let playouts = Playouts { first: 0, games: 4, nodes: 50, near: 0 };
/// let added = |letter| {
///     added_scores(&Rules::new(&variant), &Space::new(&variant).unwrap(), letter, &[NetChoice::Without], playouts)
/// };
/// assert!(added(Letter::R)?.unwrap()[0] > added(Letter::N)?.unwrap()[0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// When a network is not for this game.
///
/// # Panics
///
/// If the game has no such piece.
pub fn added_scores(
    rules: &Rules,
    space: &Space,
    letter: Letter,
    nets: &[NetChoice],
    playouts: Playouts,
) -> Result<Option<Vec<f64>>, NetError> {
    let weights = Weights::new(rules).without_net();
    let evaluator = |choice: &NetChoice| {
        let net = choice.net(rules)?.map(Arc::new);
        Ok(Evaluator::new(rules, &Weights { net, ..weights.clone() }))
    };
    let evaluators: Vec<Evaluator> = nets.iter().map(evaluator).collect::<Result<_, NetError>>()?;
    let kind = rules.kind_of(letter).expect("a piece of the game");
    let (mut number, mut sums) = (0_usize, vec![0.0; nets.len()]);
    playouts.visit(&mut Engine::new(rules, &weights, 1), space, |position, outcome| {
        // The sides take turns.
        let side = [Side::White, Side::Black][number % 2];
        let square = (position.of_kind(kind) & position.pieces(side)).first();
        let Some(square) = square.filter(|_| outcome.is_some()) else { return };
        let Ok(without) = PositionBuilder::from_position(position).remove(square).build() else { return };
        number += 1;
        for (sum, evaluator) in sums.iter_mut().zip(&evaluators) {
            let lost = f64::from(evaluator.evaluate(position) - evaluator.evaluate(&without));
            *sum += if side == position.side_to_move() { lost } else { -lost };
        }
    });
    Ok((number > 0).then(|| sums.iter().map(|sum| sum / number as f64).collect()))
}
