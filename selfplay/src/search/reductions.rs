//! How much shallower a late move is searched.

use std::sync::LazyLock;

/// More for deep searches and late moves; in 1024ths of a ply, by depth and number of moves tried.
pub(super) static REDUCTIONS: LazyLock<[[i32; 64]; 64]> = LazyLock::new(|| {
    let logarithms: [f64; 64] = std::array::from_fn(logarithm);
    std::array::from_fn(|depth| {
        std::array::from_fn(|tried| match (depth, tried) {
            (0, _) | (_, 0) => 0,
            _ => (1024.0 * (1.05 + logarithms[depth] * logarithms[tried] / 1.8)) as i32,
        })
    })
});

/// The natural logarithm as it follows from the harmonic numbers: additions and divisions are the same on every machine,
/// the logarithms of its mathematical library need not be.
fn logarithm(number: usize) -> f64 {
    const EULER: f64 = 0.577_215_664_9;
    let harmonic: f64 = (1..=number).map(|term| 1.0 / term as f64).sum();
    (harmonic - EULER - 0.5 / number.max(1) as f64).max(0.0)
}
