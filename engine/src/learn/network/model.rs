//! A net with floating-point weights, and its gradient.

use rand::{Rng, RngExt};

use super::NetSample;
use crate::learn::cross_entropy;
use crate::net::{
    Base, HIDDEN, Inputs, Layer, MAX_OUTPUT_WEIGHT, Net, OUTPUT_BUCKETS, OutputWeights, QA, QB,
};

/// The usual number of active inputs.
const USUAL_INPUTS: f32 = 30.0;

/// The largest weight, which as a whole number is [`MAX_OUTPUT_WEIGHT`]. In the hidden layer it keeps the sums over all men
/// within 16 bits.
pub(super) const MAX_WEIGHT: f32 = MAX_OUTPUT_WEIGHT as f32 / QB as f32;

/// The neurons of one side.
type Neurons = [f32; HIDDEN];

/// The parameters: the weights of the inputs, the biases of the hidden layer, the weights of the output by bucket and side, and
/// its biases.
#[derive(Debug)]
pub(super) struct NetModel {
    inputs: usize,
    pub(super) parameters: Vec<f32>,
}

impl NetModel {
    /// A net with small random weights.
    pub fn new(inputs: usize, rng: &mut impl Rng) -> Self {
        let mut model = Self { inputs, parameters: Vec::new() };
        model.parameters = vec![0.0; model.output_bias(OUTPUT_BUCKETS)];
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
            parameters.extend(layer(weights, QA));
        }
        let of_output = net.output.iter().flat_map(|output| &output.layers);
        for weights in of_output {
            parameters.extend(layer(weights, QB).map(|weight| weight * rescaled as f32));
        }
        let unit = f64::from(QA) * f64::from(QB);
        parameters.extend(net.output.iter().map(|output| (f64::from(output.bias) / unit * rescaled) as f32));
        Self { inputs: net.weights.len(), parameters }
    }

    /// Where the biases of the hidden layer begin.
    fn hidden_bias(&self) -> usize {
        self.inputs * HIDDEN
    }

    /// Where the weights of the output begin for a bucket and a side.
    fn output_weights(&self, bucket: usize, side: usize) -> usize {
        self.hidden_bias() + HIDDEN + (2 * bucket + side) * HIDDEN
    }

    /// Where the bias of the output is for a bucket.
    fn output_bias(&self, bucket: usize) -> usize {
        self.output_weights(OUTPUT_BUCKETS, 0) + bucket
    }

    /// The parameters from some index on, one for each neuron.
    fn layer(&self, start: usize) -> &Neurons {
        self.parameters[start..].first_chunk().expect("an index within")
    }

    /// The hidden layer of both sides.
    fn hidden(&self, sample: &NetSample) -> [Neurons; 2] {
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

    fn output_of(&self, hidden: &[Neurons; 2], bucket: usize) -> f32 {
        // Sums of eight neurons each, which the compiler computes at once.
        let mut sums = [0.0; 8];
        for (side, neurons) in hidden.iter().enumerate() {
            let weights = self.layer(self.output_weights(bucket, side));
            for (neurons, weights) in neurons.chunks_exact(8).zip(weights.chunks_exact(8)) {
                for ((sum, neuron), weight) in sums.iter_mut().zip(neurons).zip(weights) {
                    let neuron = neuron.clamp(0.0, 1.0);
                    *sum += neuron * neuron * weight;
                }
            }
        }
        self.parameters[self.output_bias(bucket)] + sums.iter().sum::<f32>()
    }

    /// The output: the logarithm of the odds that the side to move wins.
    pub fn output(&self, sample: &NetSample) -> f32 {
        sample.fifty_move_scale * self.output_of(&self.hidden(sample), usize::from(sample.bucket))
    }

    /// The sums over some positions of the gradient of the loss, and of the loss itself.
    pub fn gradient(&self, samples: &[NetSample]) -> (Vec<f32>, f64) {
        let mut gradient = vec![0.0; self.parameters.len()];
        let mut loss = 0.0;
        for sample in samples {
            let bucket = usize::from(sample.bucket);
            let hidden = self.hidden(sample);
            let output = sample.fifty_move_scale * self.output_of(&hidden, bucket);
            loss += cross_entropy(f64::from(sample.target), f64::from(output));
            let residual = sample.fifty_move_scale * (1.0 / (1.0 + (-output).exp()) - sample.target);
            gradient[self.output_bias(bucket)] += residual;
            let half = sample.inputs.len() / 2;
            for (side, neurons) in hidden.iter().enumerate() {
                let index = self.output_weights(bucket, side);
                let weights = self.layer(index);
                let of_weights: &mut Neurons = gradient[index..].first_chunk_mut().expect("an index within");
                let mut of_neurons = [0.0; HIDDEN];
                for index in 0..HIDDEN {
                    let neuron = neurons[index].clamp(0.0, 1.0);
                    of_weights[index] += residual * neuron * neuron;
                    // No slope outside, and none at 0: there the factor is 0.
                    let slope = if neurons[index] < 1.0 { 2.0 * neuron } else { 0.0 };
                    of_neurons[index] = residual * weights[index] * slope;
                }
                let inputs = &sample.inputs[side * half..(side + 1) * half];
                let starts = inputs.iter().map(|&input| usize::from(input) * HIDDEN);
                for index in starts.chain([self.hidden_bias()]) {
                    let of_input: &mut Neurons =
                        gradient[index..].first_chunk_mut().expect("an index within");
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
        let output = |bucket: usize| OutputWeights {
            layers: [0, 1].map(|side| layer(self.output_weights(bucket, side), QB)),
            bias: (self.parameters[self.output_bias(bucket)] * f32::from(QA) * f32::from(QB)).round() as i32,
        };
        Net {
            weights: (0..self.inputs).map(|input| layer(input * HIDDEN, QA)).collect(),
            bias: layer(self.hidden_bias(), QA),
            output: (0..OUTPUT_BUCKETS).map(output).collect(),
            scale: scale.round() as i32,
            inputs,
            base: Base::Nothing,
        }
    }
}

#[cfg(test)]
mod tests {
    use backrank_rules::{Position, Rules, Variant};
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::learn::Label;
    use crate::learn::network::adamw::AdamW;
    use crate::net::Accumulators;

    /// Positions, and what became of them for White.
    const POSITIONS: [(&str, f64); 3] = [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0.55),
        ("6k1/5ppp/5n2/8/8/2N5/PPP5/1K1R4 b - - 0 1", 0.9),
        ("8/2k5/8/8/3q4/8/5K2/3R4 w - - 0 1", 0.0),
    ];

    fn samples(rules: &Rules, inputs: &Inputs) -> Vec<NetSample> {
        let sample = |(fen, target): (&str, f64)| {
            let position = Position::from_fen(rules, fen).unwrap();
            NetSample::new(&position, inputs, Label { result: target, target, is_test: false }, 0)
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
            model.output_weights(0, 0)..model.output_bias(OUTPUT_BUCKETS),
        ];
        for part in parts {
            let steepest = part.max_by(|&one, &other| gradient[one].abs().total_cmp(&gradient[other].abs()));
            let index = steepest.expect("a part with parameters");
            let step = 1e-2;
            let centre = model.parameters[index];
            let mut loss_at = |value: f32| {
                model.parameters[index] = value;
                model.gradient(&samples).1
            };
            let slope = (loss_at(centre + step) - loss_at(centre - step)) / f64::from(2.0 * step);
            model.parameters[index] = centre;
            let found = f64::from(gradient[index]);
            assert!((slope - found).abs() < 0.02 * found.abs(), "parameter {index}: {slope} {found}");
        }
    }

    #[test]
    fn training_lessens_the_loss() {
        let rules = Rules::new(&Variant::find("chess").unwrap());
        let inputs = Inputs::new(&rules);
        let samples = samples(&rules, &inputs);
        let mut model = NetModel::new(inputs.len(), &mut ChaCha8Rng::seed_from_u64(1));
        let mut optimiser = AdamW::new(model.parameters.len(), 300);
        let (_, before) = model.gradient(&samples);
        for _ in 0..300 {
            let (gradient, _) = model.gradient(&samples);
            optimiser.step(&mut model.parameters, &[gradient], samples.len());
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
