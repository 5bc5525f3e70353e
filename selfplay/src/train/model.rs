//! A net with real numbers for weights, which can be changed a little at a time.

use rand::{Rng, RngExt};
use rayon::prelude::*;

use super::TrainingSample;
use crate::net::{
    HIDDEN, HIDDEN_UNIT, Inputs, Layer, MAX_OUTPUT_WEIGHT, Net, OUTPUT_UNIT, OutputWeights, STAGES,
};
use crate::tune::cross_entropy;

/// About the number of inputs that are there at once.
const USUAL_INPUTS: f32 = 30.0;

/// The largest weight, which as a whole number is [`MAX_OUTPUT_WEIGHT`]. In the hidden layer it keeps sums of all men within
/// 16 bits.
const MAX_WEIGHT: f32 = MAX_OUTPUT_WEIGHT as f32 / OUTPUT_UNIT as f32;

/// The neurons of one side.
type Neurons = [f32; HIDDEN];

/// The parameters: the weights of the inputs, the biases of the hidden layer, the weights of the output by stage and side, and
/// its biases.
#[derive(Debug)]
pub(super) struct NetModel {
    inputs: usize,
    parameters: Vec<f32>,
}

impl NetModel {
    /// A net with small random weights.
    pub fn new(inputs: usize, rng: &mut impl Rng) -> Self {
        let mut model = Self { inputs, parameters: Vec::new() };
        model.parameters = vec![0.0; model.output_bias(STAGES)];
        let (hidden, output) = (model.hidden_bias(), model.output_weights(0, 0));
        let last = model.output_bias(0);
        let [first_layer, second_layer] =
            [USUAL_INPUTS, 2.0 * HIDDEN as f32].map(|inputs| 1.0 / f32::sqrt(inputs));
        model.parameters[..hidden].fill_with(|| rng.random_range(-first_layer..first_layer));
        model.parameters[output..last].fill_with(|| rng.random_range(-second_layer..second_layer));
        model
    }

    /// The model of a net, whose output is to stand for scores of another scale.
    pub fn of(net: &Net, scale: f64) -> Self {
        let rescaled = f64::from(net.scale) / scale;
        let layer = |layer: &Layer, unit: i16| layer.0.map(|weight| f32::from(weight) / f32::from(unit));
        let mut parameters: Vec<f32> = Vec::new();
        for weights in net.weights.iter().chain([&net.bias]) {
            parameters.extend(layer(weights, HIDDEN_UNIT));
        }
        let of_output = net.output.iter().flat_map(|output| &output.layers);
        for weights in of_output {
            parameters.extend(layer(weights, OUTPUT_UNIT).map(|weight| weight * rescaled as f32));
        }
        let unit = f64::from(HIDDEN_UNIT) * f64::from(OUTPUT_UNIT);
        parameters.extend(net.output.iter().map(|output| (f64::from(output.bias) / unit * rescaled) as f32));
        Self { inputs: net.weights.len(), parameters }
    }

    /// Where the biases of the hidden layer begin.
    fn hidden_bias(&self) -> usize {
        self.inputs * HIDDEN
    }

    /// Where the weights of the output begin for a stage and a side.
    fn output_weights(&self, stage: usize, side: usize) -> usize {
        self.hidden_bias() + HIDDEN + (2 * stage + side) * HIDDEN
    }

    /// Where the bias of the output is for a stage.
    fn output_bias(&self, stage: usize) -> usize {
        self.output_weights(STAGES, 0) + stage
    }

    /// The parameters from some place on, one for each neuron.
    fn layer(&self, start: usize) -> &Neurons {
        self.parameters[start..].first_chunk().expect("a place within")
    }

    /// The hidden layer of both sides.
    fn hidden(&self, sample: &TrainingSample) -> [Neurons; 2] {
        let (mover, other) = sample.inputs.split_at(sample.inputs.len() / 2);
        [mover, other].map(|inputs| {
            let mut neurons = *self.layer(self.hidden_bias());
            for &input in inputs {
                let weights = self.layer(usize::from(input) * HIDDEN);
                neurons.iter_mut().zip(weights).for_each(|(neuron, weight)| *neuron += weight);
            }
            neurons
        })
    }

    fn output_of(&self, hidden: &[Neurons; 2], stage: usize) -> f32 {
        // Sums of eight neurons each, which the compiler computes at once.
        let mut sums = [0.0; 8];
        for (side, neurons) in hidden.iter().enumerate() {
            let weights = self.layer(self.output_weights(stage, side));
            for (neurons, weights) in neurons.chunks_exact(8).zip(weights.chunks_exact(8)) {
                for ((sum, neuron), weight) in sums.iter_mut().zip(neurons).zip(weights) {
                    let neuron = neuron.clamp(0.0, 1.0);
                    *sum += neuron * neuron * weight;
                }
            }
        }
        self.parameters[self.output_bias(stage)] + sums.iter().sum::<f32>()
    }

    /// The output: the logarithm of the odds that the side to move wins.
    pub fn output(&self, sample: &TrainingSample) -> f32 {
        sample.not_faded * self.output_of(&self.hidden(sample), usize::from(sample.stage))
    }

    /// The sums over some positions of the gradient of the loss, and of the loss itself.
    pub fn gradient(&self, samples: &[TrainingSample]) -> (Vec<f32>, f64) {
        let mut gradient = vec![0.0; self.parameters.len()];
        let mut loss = 0.0;
        for sample in samples {
            let stage = usize::from(sample.stage);
            let hidden = self.hidden(sample);
            let output = sample.not_faded * self.output_of(&hidden, stage);
            loss += cross_entropy(f64::from(sample.target), f64::from(output));
            let residual = sample.not_faded * (1.0 / (1.0 + (-output).exp()) - sample.target);
            gradient[self.output_bias(stage)] += residual;
            let half = sample.inputs.len() / 2;
            for (side, neurons) in hidden.iter().enumerate() {
                let place = self.output_weights(stage, side);
                let weights = self.layer(place);
                let of_weights: &mut Neurons = gradient[place..].first_chunk_mut().expect("a place within");
                let mut of_neurons = [0.0; HIDDEN];
                for place in 0..HIDDEN {
                    let neuron = neurons[place].clamp(0.0, 1.0);
                    of_weights[place] += residual * neuron * neuron;
                    // No slope outside, and none at 0: there the factor is 0.
                    let slope = if neurons[place] < 1.0 { 2.0 * neuron } else { 0.0 };
                    of_neurons[place] = residual * weights[place] * slope;
                }
                let inputs = &sample.inputs[side * half..(side + 1) * half];
                let places = inputs.iter().map(|&input| usize::from(input) * HIDDEN);
                for place in places.chain([self.hidden_bias()]) {
                    let of_input: &mut Neurons = gradient[place..].first_chunk_mut().expect("a place within");
                    of_input.iter_mut().zip(&of_neurons).for_each(|(sum, neuron)| *sum += neuron);
                }
            }
        }
        (gradient, loss)
    }

    /// The net in whole numbers.
    pub fn quantised(&self, inputs: Inputs, scale: f64) -> Net {
        let layer = |start: usize, unit: i16| {
            Layer(self.layer(start).map(|weight| (weight * f32::from(unit)).round() as i16))
        };
        let output = |stage: usize| OutputWeights {
            layers: [0, 1].map(|side| layer(self.output_weights(stage, side), OUTPUT_UNIT)),
            bias: (self.parameters[self.output_bias(stage)] * f32::from(HIDDEN_UNIT) * f32::from(OUTPUT_UNIT))
                .round() as i32,
        };
        Net {
            weights: (0..self.inputs).map(|input| layer(input * HIDDEN, HIDDEN_UNIT)).collect(),
            bias: layer(self.hidden_bias(), HIDDEN_UNIT),
            output: (0..STAGES).map(output).collect(),
            scale: scale.round() as i32,
            inputs,
        }
    }
}

/// The optimiser of Kingma and Ba (2015), with the decay of weights apart (Loshchilov and Hutter 2019).
#[derive(Debug)]
pub(super) struct Adam {
    /// The number of steps, and how many there will be.
    steps: usize,
    all_steps: usize,
    means: Vec<f32>,
    squares: Vec<f32>,
}

/// The length of a step at the start. It falls to nothing as half a wave of the cosine (Loshchilov and Hutter 2017).
const RATE: f32 = 0.001;
const DECAY: f32 = 0.01;
const MEAN_DECAY: f32 = 0.9;
const SQUARE_DECAY: f32 = 0.999;

/// Parameters that are worked on in one piece.
const PIECE: usize = 4_096;

impl Adam {
    pub fn new(model: &NetModel, all_steps: usize) -> Self {
        let zeros = vec![0.0; model.parameters.len()];
        Self { steps: 0, all_steps, means: zeros.clone(), squares: zeros }
    }

    /// Changes the model by the gradients' sum over so many positions.
    pub fn step(&mut self, model: &mut NetModel, gradients: &[Vec<f32>], positions: usize) {
        let done = self.steps as f32 / self.all_steps as f32;
        let rate = RATE * (1.0 + (std::f32::consts::PI * done).cos()) / 2.0;
        self.steps += 1;
        let [mean_part, square_part] =
            [MEAN_DECAY, SQUARE_DECAY].map(|decay| 1.0 - decay.powi(self.steps.min(100_000) as i32));
        let pieces = model.parameters.par_chunks_mut(PIECE);
        let pieces = pieces.zip(self.means.par_chunks_mut(PIECE)).zip(self.squares.par_chunks_mut(PIECE));
        pieces.enumerate().for_each(|(piece, ((parameters, means), squares))| {
            let mut sums = [0.0; PIECE];
            for gradient in gradients {
                let gradient = &gradient[piece * PIECE..][..parameters.len()];
                sums.iter_mut().zip(gradient).for_each(|(sum, one)| *sum += one);
            }
            let values = parameters.iter_mut().zip(means).zip(squares).zip(&sums);
            for (((parameter, mean), square), sum) in values {
                let gradient = sum / positions as f32;
                *mean = MEAN_DECAY * *mean + (1.0 - MEAN_DECAY) * gradient;
                *square = SQUARE_DECAY * *square + (1.0 - SQUARE_DECAY) * gradient * gradient;
                let step = *mean / mean_part / ((*square / square_part).sqrt() + 1e-8);
                *parameter = (*parameter - rate * (step + DECAY * *parameter)).clamp(-MAX_WEIGHT, MAX_WEIGHT);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use backrank_rules::{Position, Rules, Variant};
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::net::Accumulators;
    use crate::tune::Became;

    /// Positions, and what became of them for White.
    const POSITIONS: [(&str, f64); 3] = [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0.55),
        ("6k1/5ppp/5n2/8/8/2N5/PPP5/1K1R4 b - - 0 1", 0.9),
        ("8/2k5/8/8/3q4/8/5K2/3R4 w - - 0 1", 0.0),
    ];

    fn samples(rules: &Rules, inputs: &Inputs) -> Vec<TrainingSample> {
        let sample = |(fen, target): (&str, f64)| {
            let position = Position::from_fen(rules, fen).unwrap();
            TrainingSample::new(&position, inputs, Became { result: target, target, is_test: false }, 0)
        };
        POSITIONS.map(sample).into()
    }

    #[test]
    fn the_gradient_is_the_slope_of_the_loss() {
        let rules = Rules::new(&Variant::find("chess").unwrap());
        let inputs = Inputs::new(&rules);
        let samples = samples(&rules, &inputs);
        let mut model = NetModel::new(inputs.len(), &mut ChaCha8Rng::seed_from_u64(1));
        let (gradient, _) = model.gradient(&samples);
        // Those that matter most, of each kind of parameter.
        let parts = [
            0..model.hidden_bias(),
            model.hidden_bias()..model.output_weights(0, 0),
            model.output_weights(0, 0)..model.output_bias(STAGES),
        ];
        for part in parts {
            let steepest = part.max_by(|&one, &other| gradient[one].abs().total_cmp(&gradient[other].abs()));
            let place = steepest.expect("a part with parameters");
            let step = 1e-2;
            let centre = model.parameters[place];
            let mut loss_at = |value: f32| {
                model.parameters[place] = value;
                model.gradient(&samples).1
            };
            let slope = (loss_at(centre + step) - loss_at(centre - step)) / f64::from(2.0 * step);
            model.parameters[place] = centre;
            let found = f64::from(gradient[place]);
            assert!((slope - found).abs() < 0.02 * found.abs(), "parameter {place}: {slope} {found}");
        }
    }

    #[test]
    fn training_lessens_the_loss() {
        let rules = Rules::new(&Variant::find("chess").unwrap());
        let inputs = Inputs::new(&rules);
        let samples = samples(&rules, &inputs);
        let mut model = NetModel::new(inputs.len(), &mut ChaCha8Rng::seed_from_u64(1));
        let mut adam = Adam::new(&model, 300);
        let (_, before) = model.gradient(&samples);
        for _ in 0..300 {
            let (gradient, _) = model.gradient(&samples);
            adam.step(&mut model, &[gradient], samples.len());
        }
        let (_, after) = model.gradient(&samples);
        // What no net can predict better than by the targets themselves.
        let floor: f64 = samples
            .iter()
            .map(|sample| f64::from(sample.target))
            .map(|target| cross_entropy(target, (target / (1.0 - target)).ln().clamp(-50.0, 50.0)))
            .sum();
        assert!(after - floor < 0.1 * (before - floor), "{before} before, {after} after, {floor} at best");
    }

    #[test]
    fn whole_numbers_give_the_same_scores() {
        let rules = Rules::new(&Variant::find("chess").unwrap());
        let inputs = Inputs::new(&rules);
        let model = NetModel::new(inputs.len(), &mut ChaCha8Rng::seed_from_u64(1));
        let net = model.quantised(inputs.clone(), 400.0);
        let rounded = NetModel::of(&net, 400.0);
        for (sample, (fen, _)) in samples(&rules, &inputs).iter().zip(POSITIONS) {
            let position = Position::from_fen(&rules, fen).unwrap();
            let score = net.evaluate(&position, &mut Accumulators::new(&net));
            let exact = 400.0 * rounded.output(sample);
            assert!((score as f32 - exact).abs() < 1.5, "{score} {exact}");
            // Weights of the output are rounded to 64ths.
            assert!((score as f32 - 400.0 * model.output(sample)).abs() < 20.0, "{score}");
        }
        assert_eq!(rounded.quantised(inputs, 400.0), net);
    }
}
