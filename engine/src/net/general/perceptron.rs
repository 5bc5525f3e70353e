//! The perceptron that computes a network's rows.
//!
//! It calculates with 32-bit floating-point numbers, each sum in one fixed order, and a product is rounded before it is added: the
//! compiler neither reorders these operations nor fuses them, so that every machine and every build gets the same rows.

use super::description::{Descriptions, OF_KIND, OF_PLACE, OF_SQUARE, TABLE_SQUARES, TABLES};
use crate::net::{HIDDEN, Layer, QA};

/// The neurons of each of its two layers.
pub(super) const WIDTH: usize = 96;

/// The tables in which every kind has a share, besides those of pawns and kings.
pub(super) const MIXED: usize = 16;
/// The neurons of the layer from which these shares follow.
pub(super) const MIXER: usize = 64;

/// Numbers for each neuron of a layer.
type Neurons = [f32; WIDTH];

/// A row before it is rounded.
type Row = [f32; HIDDEN];

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Perceptron {
    /// The first layer: the weights of what describes the kind, the square, and the kind on the square, and the bias.
    pub of_kind: Vec<Neurons>,
    pub of_square: Vec<Neurons>,
    pub of_place: Vec<Neurons>,
    pub first_bias: Neurons,
    /// The second layer, by neurons of the first.
    pub second: Vec<Neurons>,
    pub second_bias: Neurons,
    /// The row, by neurons of the second layer.
    pub row: Vec<Row>,
    /// The layer of the shares, by what describes the kind, and its bias.
    pub mixer: Vec<[f32; MIXER]>,
    pub mixer_bias: [f32; MIXER],
    /// The shares, by neurons of this layer.
    pub mix: Vec<[f32; MIXED]>,
    /// What is added, by table and square: the tables of pawns and kings, and those in which kinds have shares.
    pub tables: Vec<Row>,
}

impl Perceptron {
    /// The number of weights.
    pub const SIZES: [usize; 11] = [
        OF_KIND * WIDTH,
        OF_SQUARE * WIDTH,
        OF_PLACE * WIDTH,
        WIDTH,
        WIDTH * WIDTH,
        WIDTH,
        WIDTH * HIDDEN,
        OF_KIND * MIXER,
        MIXER,
        MIXER * MIXED,
        (TABLES + MIXED) * TABLE_SQUARES * HIDDEN,
    ];

    /// That of these matrices, each of its size.
    pub fn of(matrices: &[Vec<f32>]) -> Self {
        let neurons = |index: usize| matrices[index].as_chunks().0.to_vec();
        let size = "a matrix of its size";
        let bias = |index: usize| *matrices[index].first_chunk().expect(size);
        Self {
            of_kind: neurons(0),
            of_square: neurons(1),
            of_place: neurons(2),
            first_bias: bias(3),
            second: neurons(4),
            second_bias: bias(5),
            row: matrices[6].as_chunks().0.to_vec(),
            mixer: matrices[7].as_chunks().0.to_vec(),
            mixer_bias: *matrices[8].first_chunk().expect(size),
            mix: matrices[9].as_chunks().0.to_vec(),
            tables: matrices[10].as_chunks().0.to_vec(),
        }
    }

    /// The rows of a game, in the order of its inputs.
    pub fn rows(&self, descriptions: &Descriptions) -> Vec<Layer> {
        let of_squares: Vec<Neurons> = descriptions
            .squares
            .iter()
            .map(|square| {
                let mut sum = [0.0; WIDTH];
                add(&mut sum, &square.numbers, &self.of_square);
                sum
            })
            .collect();
        let mut rows = Vec::with_capacity(descriptions.planes.len() * of_squares.len());
        for plane in &descriptions.planes {
            let mut of_plane = self.first_bias;
            add(&mut of_plane, &plane.numbers, &self.of_kind);
            let shares = self.shares(&plane.numbers);
            for ((square, of_square), place) in
                descriptions.squares.iter().zip(&of_squares).zip(&plane.places)
            {
                let mut first = of_plane;
                first.iter_mut().zip(of_square).for_each(|(sum, number)| *sum += number);
                add(&mut first, place, &self.of_place);
                let mut second = self.second_bias;
                add(&mut second, &rectified(first), &self.second);
                let mut row = [0.0; HIDDEN];
                add(&mut row, &rectified(second), &self.row);
                let own = plane.table.map(|table| (table, 1.0));
                let mixed = shares.iter().enumerate().map(|(table, &share)| (TABLES + table, share));
                for (table, share) in own.into_iter().chain(mixed) {
                    let added = &self.tables[table * TABLE_SQUARES + square.cell];
                    row.iter_mut().zip(added).for_each(|(sum, number)| *sum += share * number);
                }
                rows.push(Layer(row.map(|number| (number * f32::from(QA)).round() as i16)));
            }
        }
        rows
    }

    /// The shares of a kind in the tables of all.
    fn shares(&self, of_kind: &[f32]) -> [f32; MIXED] {
        let mut mixer = self.mixer_bias;
        add(&mut mixer, of_kind, &self.mixer);
        let mut shares = [0.0; MIXED];
        add(&mut shares, &rectified(mixer), &self.mix);
        shares
    }
}

/// Adds to each sum the numbers times its weights, one number after the other. Most numbers are zero, and change nothing.
#[inline]
fn add<const N: usize>(sums: &mut [f32; N], numbers: &[f32], weights: &[[f32; N]]) {
    for (&number, weights) in numbers.iter().zip(weights) {
        if number != 0.0 {
            sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += number * weight);
        }
    }
}

/// The rectifier: nothing below zero.
fn rectified<const N: usize>(mut neurons: [f32; N]) -> [f32; N] {
    neurons.iter_mut().for_each(|neuron| *neuron = neuron.max(0.0));
    neurons
}
