//! From measured values to those by which the engine plays.

/// The centipawns at which the engine takes a piece to be as strong as it was measured: `known` has the measured values of other
/// pieces with the engine's centipawns for them. Between two of those it is interpolated; beyond the last it is in proportion to it.
/// `None` if no piece with a value above 0 is known.
///
/// ```
/// use backrank_analysis::values::engine_centipawns;
///
/// let known = [(1.0, 101.0), (3.25, 370.0), (4.75, 535.0)];
/// assert_eq!(engine_centipawns(&known, 4.0), Some(452.5));
/// assert_eq!(engine_centipawns(&known, 9.5), Some(1070.0));
/// ```
pub fn engine_centipawns(known: &[(f64, f64)], value: f64) -> Option<f64> {
    let mut points: Vec<(f64, f64)> = known.iter().copied().filter(|point| point.0 > 0.0).collect();
    points.push((0.0, 0.0));
    points.sort_by(|one, other| one.0.total_cmp(&other.0));
    let last = *points.last().filter(|last| last.0 > 0.0)?;
    if value >= last.0 {
        return Some(value * last.1 / last.0);
    }
    let above = points.partition_point(|point| point.0 <= value).max(1);
    let [from, to] = [points[above - 1], points[above]];
    Some(from.1 + (value - from.0) / (to.0 - from.0) * (to.1 - from.1))
}
