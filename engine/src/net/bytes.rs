//! Layers as bytes.

use super::error::NetError;
use super::{HIDDEN, Layer, MAX_OUTPUT_WEIGHT, OUTPUT_BUCKETS, OutputWeights};

/// Takes the output weights of all buckets off bytes of which there are enough.
pub(super) fn take_outputs(bytes: &mut &[u8]) -> Result<Vec<OutputWeights>, NetError> {
    let mut output = Vec::new();
    for _ in 0..OUTPUT_BUCKETS {
        let layers = [Layer::take(bytes), Layer::take(bytes)];
        let too_large = |weight: &&i16| !(-MAX_OUTPUT_WEIGHT..=MAX_OUTPUT_WEIGHT).contains(*weight);
        if let Some(&weight) = layers.iter().flat_map(|layer| &layer.0).find(too_large) {
            return Err(NetError::Weight(weight));
        }
        let (bias, after) = bytes.split_first_chunk().expect("the length was checked");
        output.push(OutputWeights { layers, bias: i32::from_le_bytes(*bias) });
        *bytes = after;
    }
    Ok(output)
}

impl Layer {
    pub(super) fn put(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.0.iter().flat_map(|weight| weight.to_le_bytes()));
    }

    /// Takes a layer off bytes of which there are enough.
    pub(super) fn take(bytes: &mut &[u8]) -> Self {
        let (layer, rest) = bytes.split_at(HIDDEN * 2);
        *bytes = rest;
        Self(std::array::from_fn(|index| i16::from_le_bytes([layer[2 * index], layer[2 * index + 1]])))
    }
}
