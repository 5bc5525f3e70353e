//! The settings of a study in words.

use backrank_selfplay::study::{MoveLimits, Study};

use crate::table::thousands;

/// The players of a study.
pub(crate) fn players_text(study: &Study) -> String {
    match study.white == study.black {
        true => study.white.name.clone(),
        false => format!("{} against {}", study.white.name, study.black.name),
    }
}

/// The limits of a search in words; a dash if there are none.
pub(crate) fn limits_text(limits: &MoveLimits) -> String {
    let limits = [
        limits.nodes.map(|nodes| format!("{} nodes", thousands(nodes))),
        limits.depth.map(|depth| format!("depth {depth}")),
        limits.time.map(|time| format!("{time} ms")),
        limits.clock.map(|clock| clock.to_string()),
    ];
    let limits: Vec<String> = limits.into_iter().flatten().collect();
    if limits.is_empty() { "—".to_string() } else { limits.join(", ") }
}
