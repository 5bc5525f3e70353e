//! The evaluation as a function of its weights, with its derivatives.

use backrank_rules::{PieceKind, Rules, Side};

use crate::eval::{DANGER_INPUTS, EvalFeatures, HARDLY_WINNABLE, MAX_DANGER, MAX_WINNABLE, WINNABLE_INPUTS};
use crate::weights::{Weight, Weights};

/// What a parameter is in the evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// A score in the opening or in the endgame.
    Score,
    /// The weight of an input of king danger.
    Danger,
    /// The weight of danger in the endgame.
    KingDanger,
    /// The weight of an input of how winnable an endgame is.
    Winnable,
    /// The value of a piece in a game.
    Value,
    /// The value of a piece that stays as it is.
    Fixed,
}

/// The layout of the parameters: the weights first, in the order of the file, then the values of each game's pieces.
#[derive(Debug)]
pub(super) struct EvalModel {
    roles: Vec<Role>,
    tempo: usize,
    king_danger: usize,
    danger: [usize; DANGER_INPUTS.len()],
    winnable: [usize; WINNABLE_INPUTS.len()],
    /// The parameter of each score in the opening; that in the endgame follows it.
    scores: Vec<usize>,
    parameters: Vec<f64>,
}

/// The values of a game's pieces among the parameters: that of a kind has its index after the first.
#[derive(Clone, Copy, Debug)]
pub(super) struct GameValues(usize);

impl GameValues {
    /// The parameter of a kind's value.
    pub fn of(self, kind: PieceKind) -> usize {
        self.0 + kind.index()
    }
}

/// The derivatives of a score: the indices of the parameters on which it depends, each with the derivative.
pub(super) type Gradient = Vec<(usize, f64)>;

impl EvalModel {
    /// The model with the parameters of some weights, without any game.
    pub fn new(weights: &Weights) -> Self {
        let mut model = Self {
            roles: Vec::new(),
            tempo: 0,
            king_danger: 0,
            danger: [0; DANGER_INPUTS.len()],
            winnable: [0; WINNABLE_INPUTS.len()],
            scores: Vec::new(),
            parameters: Vec::new(),
        };
        for (name, weight) in weights.clone().each() {
            let index = model.roles.len();
            match weight {
                Weight::Score(score) => {
                    model.scores.push(index);
                    model.roles.extend([Role::Score; 2]);
                    model.parameters.extend([score.opening, score.endgame].map(f64::from));
                    if name == "tempo" {
                        model.tempo = index;
                    }
                }
                Weight::Number(number) => {
                    model.parameters.push(f64::from(*number));
                    let input_of = |inputs: &[&str]| inputs.iter().position(|&input| input == name);
                    model.roles.push(match (input_of(&DANGER_INPUTS), input_of(&WINNABLE_INPUTS)) {
                        (Some(input), _) => {
                            model.danger[input] = index;
                            Role::Danger
                        }
                        (_, Some(input)) => {
                            model.winnable[input] = index;
                            Role::Winnable
                        }
                        _ => {
                            model.king_danger = index;
                            Role::KingDanger
                        }
                    });
                }
            }
        }
        model
    }

    /// Adds the values of a game's pieces as parameters. The pawn's value, the unit of the others, is fixed; all others are free
    /// if `free`, and fixed otherwise.
    pub fn add_game(&mut self, rules: &Rules, weights: &Weights, free: bool) -> GameValues {
        let first = self.roles.len();
        for kind in rules.kinds() {
            let is_free = free && kind != PieceKind::PAWN;
            self.roles.push(if is_free { Role::Value } else { Role::Fixed });
            let letter = rules.letter_of(kind);
            self.parameters.push(f64::from(weights.material[letter]));
        }
        GameValues(first)
    }

    /// The parameters at the start.
    pub fn parameters(&self) -> &[f64] {
        &self.parameters
    }

    /// The standard deviation of a parameter's ridge prior, which is centred on its value at the start. `None` where the
    /// parameter is fixed.
    pub fn prior_deviation(&self, parameter: usize) -> Option<f64> {
        match self.roles[parameter] {
            Role::Score => Some(40.0),
            Role::Danger => Some(10.0),
            Role::KingDanger => Some(2.0),
            Role::Winnable => Some(0.3),
            Role::Value => Some(200.0),
            Role::Fixed => None,
        }
    }

    /// Puts parameters back into weights, rounded to hundredths.
    pub fn put(&self, parameters: &[f64], weights: &mut Weights) {
        let mut parameters = parameters.iter().map(|parameter| (100.0 * parameter).round() as f32 / 100.0);
        let mut next = || parameters.next().expect("a parameter for each weight");
        for (_, weight) in weights.each() {
            match weight {
                Weight::Score(score) => (score.opening, score.endgame) = (next(), next()),
                Weight::Number(number) => *number = next(),
            }
        }
    }

    /// The score of a position for White in centipawns, by the formula of the evaluation. `gradient` is overwritten with its
    /// derivatives.
    pub fn score(
        &self,
        parameters: &[f64],
        features: &EvalFeatures,
        values: GameValues,
        gradient: Option<&mut Gradient>,
    ) -> f64 {
        let mut halves = [0.0; 2];
        for &(score, times) in &features.scores {
            let index = self.scores[usize::from(score)];
            halves[0] += parameters[index] * f64::from(times);
            halves[1] += parameters[index + 1] * f64::from(times);
        }
        for &(kind, lead) in &features.material {
            let material = parameters[values.of(kind)] * f64::from(lead);
            halves.iter_mut().for_each(|half| *half += material);
        }
        let king_danger = parameters[self.king_danger];
        let most_danger = f64::from(MAX_DANGER);
        let dangers = features.danger.map(|inputs| {
            let terms = inputs.iter().zip(self.danger);
            let danger: f64 = terms.map(|(&input, index)| f64::from(input) * parameters[index]).sum();
            danger.clamp(0.0, most_danger)
        });
        const SIGNS: [f64; 2] = [1.0, -1.0];
        for (danger, sign) in dangers.iter().zip(SIGNS) {
            halves[0] += sign * danger * danger / 100.0;
            halves[1] += sign * king_danger * danger;
        }
        let [opening, endgame] = halves;

        let ahead = if endgame > 0.0 { Side::White } else { Side::Black };
        let max_winnable = f64::from(MAX_WINNABLE) / 256.0;
        let winnable = features.winnable[ahead as usize].map(|inputs| {
            let terms = inputs.iter().zip(self.winnable);
            (inputs, terms.map(|(&input, index)| f64::from(input) * parameters[index]).sum::<f64>())
        });
        let part =
            winnable.map_or(f64::from(HARDLY_WINNABLE) / 256.0, |(_, part)| part.clamp(0.0, max_winnable));

        let opening_share = f64::from(features.opening);
        let shares =
            [opening_share, 1.0 - opening_share].map(|share| share * f64::from(features.fifty_move_scale));
        let mover = SIGNS[features.side_to_move as usize];
        let tempo = [0, 1].map(|half| mover * parameters[self.tempo + half]);
        if let Some(gradient) = gradient {
            gradient.clear();
            let by_half = [shares[0], shares[1] * part];
            for &(score, times) in &features.scores {
                let index = self.scores[usize::from(score)];
                gradient.extend([0, 1].map(|half| (index + half, f64::from(times) * by_half[half])));
            }
            gradient.extend([0, 1].map(|half| (self.tempo + half, mover * shares[half])));
            for &(kind, lead) in &features.material {
                gradient.push((values.of(kind), f64::from(lead) * (by_half[0] + by_half[1])));
            }
            let by_danger = [0, 1].map(|side| {
                let danger = dangers[side];
                let is_between = danger > 0.0 && danger < most_danger;
                let by = SIGNS[side] * (by_half[0] * danger / 50.0 + by_half[1] * king_danger);
                if is_between { by } else { 0.0 }
            });
            for (input, &index) in self.danger.iter().enumerate() {
                let by = |side: usize| by_danger[side] * f64::from(features.danger[side][input]);
                gradient.push((index, by(0) + by(1)));
            }
            gradient.push((self.king_danger, by_half[1] * (dangers[0] - dangers[1])));
            if let Some((inputs, part)) = winnable
                && (0.0..max_winnable).contains(&part)
            {
                for (&input, index) in inputs.iter().zip(self.winnable) {
                    gradient.push((index, f64::from(input) * endgame * shares[1]));
                }
            }
            gradient.retain(|&(parameter, by)| by != 0.0 && self.roles[parameter] != Role::Fixed);
        }
        shares[0] * (opening + tempo[0]) + shares[1] * (endgame * part + tempo[1])
    }
}

#[cfg(test)]
mod tests {
    use backrank_enumerate::Space;
    use backrank_rules::{Game, Position, Variant, catalogue};
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::eval::{Evaluator, FeatureExtractor};

    /// Positions of games of random moves, until so many were of use.
    fn see_positions(variant: &Variant, number: usize, mut is_of_use: impl FnMut(&Position<'_>) -> bool) {
        let (rules, space) = (Rules::new(variant), Space::new(variant).unwrap());
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut seen = 0;
        while seen < number {
            let setup = space.unrank(rng.random_range(0..space.len())).unwrap();
            let mut game = Game::new(Position::new(&rules, &setup).unwrap());
            while game.outcome().is_none() && seen < number {
                let moves = game.position().legal_moves();
                game.play(moves[rng.random_range(0..moves.len())]);
                if rng.random_bool(0.2) {
                    seen += usize::from(is_of_use(game.position()));
                }
            }
        }
    }

    /// So much larger than those of play are the weights of the test, so that rounding shows less.
    const TIMES: f32 = 16.0;

    fn weights(rules: &Rules) -> Weights {
        let mut weights = Weights::new(rules).without_net();
        weights.material.values_mut().for_each(|value| *value *= TIMES);
        for (name, weight) in weights.each() {
            match weight {
                Weight::Score(score) => {
                    score.opening *= TIMES;
                    score.endgame *= TIMES;
                }
                // In play these are 256ths.
                Weight::Number(number) if WINNABLE_INPUTS.contains(&name) => {
                    *number = (256.0 * (*number + 0.1)).round() / 256.0;
                }
                Weight::Number(_) => (),
            }
        }
        weights
    }

    #[test]
    fn features_and_weights_give_the_score_of_play_in_every_game() {
        for variant in catalogue().filter(|variant| !variant.count_only) {
            let rules = Rules::new(&variant);
            let weights = weights(&rules);
            let evaluator = Evaluator::new(&rules, &weights);
            let mut extractor = FeatureExtractor::new(&rules, &weights);
            let mut model = EvalModel::new(&weights);
            let values = model.add_game(&rules, &weights, true);
            let (mut errors, mut positions) = (0.0, 0.0);
            see_positions(&variant, 1_000, |position| {
                let Some(features) = extractor.extract(position) else { return false };
                let score = model.score(model.parameters(), &features, values, None);
                let for_mover = if position.side_to_move() == Side::White { score } else { -score };
                // Beyond that a score would mean a forced win.
                let is_undecided = for_mover.abs() < 25_000.0;
                if is_undecided {
                    let played = f64::from(evaluator.evaluate(position));
                    let error = (for_mover - played).abs();
                    // Dozens of terms are rounded, each by half a unit at most.
                    assert!(
                        error < 1.5 * f64::from(TIMES),
                        "{}: {for_mover} instead of {played} in {position}",
                        variant.key
                    );
                    errors += error;
                    positions += 1.0;
                }
                is_undecided
            });
            let mean = errors / positions / f64::from(TIMES);
            println!("{}: {mean:.3} centipawns off", variant.key);
            assert!(mean < 0.2, "{}: {mean} centipawns off in the mean", variant.key);
        }
    }

    #[test]
    fn derivatives_are_those_of_the_score() {
        let variant = Variant::find("pmrc").unwrap();
        let rules = Rules::new(&variant);
        let weights = weights(&rules);
        let mut extractor = FeatureExtractor::new(&rules, &weights);
        let mut model = EvalModel::new(&weights);
        let values = model.add_game(&rules, &weights, true);
        let mut gradient = Gradient::new();
        see_positions(&variant, 50, |position| {
            let Some(features) = extractor.extract(position) else { return false };
            let score = model.score(model.parameters(), &features, values, Some(&mut gradient));
            let mut all = vec![0.0; model.parameters().len()];
            gradient.iter().for_each(|&(parameter, by)| all[parameter] += by);
            for (parameter, by) in all.into_iter().enumerate() {
                let mut changed = model.parameters().to_vec();
                let step = 1e-4;
                changed[parameter] += step;
                let found = (model.score(&changed, &features, values, None) - score) / step;
                let is_fixed = model.prior_deviation(parameter).is_none();
                assert!(
                    is_fixed || (found - by).abs() < 0.01 * by.abs().max(1.0),
                    "{parameter}: {by}, not {found}"
                );
            }
            true
        });
    }
}
