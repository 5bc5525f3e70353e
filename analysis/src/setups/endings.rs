//! How games ended, and how long they were.

use backrank_selfplay::study::Ending;
use serde::{Serialize, Serializer};

/// The games with one kind of ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct EndingResults {
    /// Why the games ended.
    #[serde(serialize_with = "as_text")]
    pub ending: Ending,
    /// Games that White has won, drawn and lost.
    pub results: [u64; 3],
}

/// How long games were, in plies.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Lengths {
    /// The mean.
    pub mean: f64,
    /// The shortest, the lower quartile, the median, the upper quartile and the longest.
    pub quartiles: [u32; 5],
    /// The number of games of 0 to 9 plies, 10 to 19, and so on.
    pub tens: Vec<u64>,
}

fn as_text<S: Serializer>(ending: &Ending, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(ending)
}

/// The index of an ending among all endings.
pub(super) fn number(ending: Ending) -> u8 {
    Ending::ALL.iter().position(|&other| other == ending).unwrap_or(0) as u8
}

/// Games by their ending, without endings that did not occur.
pub(super) fn of(outcomes: &[u8], endings: &[u8]) -> Vec<EndingResults> {
    let mut counts = [[0; 3]; Ending::ALL.len()];
    outcomes.iter().zip(endings).for_each(|(&outcome, &ending)| {
        counts[ending as usize][2 - outcome as usize] += 1;
    });
    let all = Ending::ALL.into_iter().zip(counts).map(|(ending, results)| EndingResults { ending, results });
    all.filter(|ended| ended.results != [0; 3]).collect()
}

impl Lengths {
    pub(super) fn of(plies: &[u32]) -> Self {
        let mut sorted = plies.to_vec();
        sorted.sort_unstable();
        let last = sorted.len() - 1;
        let mut tens = vec![0; sorted[last] as usize / 10 + 1];
        plies.iter().for_each(|&plies| tens[plies as usize / 10] += 1);
        Self {
            mean: plies.iter().map(|&plies| f64::from(plies)).sum::<f64>() / plies.len() as f64,
            quartiles: [0, 1, 2, 3, 4].map(|quarter| sorted[last * quarter / 4]),
            tens,
        }
    }
}
