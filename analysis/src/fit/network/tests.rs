use backrank_rules::Letter;

use super::*;

/// What `tests/reference/imbalances.py` has from statsmodels: coefficients of P, N, B, R, M and Q, and White's advantage,
/// games as if they were independent and values as if they added up.
#[test]
fn without_effects_it_is_the_ordered_logit_of_statsmodels() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference");
    let text = std::fs::read_to_string(folder.join("imbalances.json")).unwrap();
    let theirs: serde_json::Value = serde_json::from_str(&text).unwrap();
    let kinds = [Letter::P, Letter::N, Letter::B, Letter::R, Letter::M, Letter::Q];
    let mut rows: Vec<(String, NetworkRow)> = Vec::new();
    for line in csv::Reader::from_path(folder.join("imbalances.csv")).unwrap().records() {
        let line = line.unwrap();
        let number = |column: usize| line[column].parse::<usize>().unwrap();
        if rows.last().is_none_or(|(odds, _)| *odds != line[0]) {
            let odds: backrank_selfplay::study::Odds = line[0].parse().unwrap();
            let of =
                |side: &[Letter], kind: Letter| side.iter().filter(|&&letter| letter == kind).count() as f64;
            let difference = kinds.iter().map(|&kind| of(odds.first(), kind) - of(odds.second(), kind));
            let row =
                NetworkRow { difference: difference.collect(), pairs: [[0; 3]; 3], of_setups: Vec::new() };
            rows.push((line[0].to_string(), row));
        }
        rows.last_mut().unwrap().1.pairs[number(1)][number(2)] = number(3) as u64;
    }
    let x = DMatrix::from_fn(rows.len(), kinds.len(), |row, kind| rows[row].1.difference[kind]);
    let basis = row_space(&x);
    let problem = NetworkProblem {
        rows: rows.iter().map(|(_, row)| row).collect(),
        design: &x * &basis,
        design_effects: vec![1.0; rows.len()],
        drawn: true,
        link: Link::Logit,
    };
    let mut start = DVector::zeros(problem.size());
    start[1] = 0.3;
    let point = problem.maximise(0.0, &start).unwrap();
    let ours = &basis * point.parameters.rows(2, basis.ncols());
    let theirs = &theirs["plain"];
    for (kind, value) in ours.iter().enumerate() {
        let expected = theirs["coefficients"][kind].as_f64().unwrap();
        assert!((value - expected).abs() < 5e-4 * expected, "{value} and {expected}");
    }
    assert!((point.parameters[0] - theirs["white"].as_f64().unwrap()).abs() < 5e-5);
}
