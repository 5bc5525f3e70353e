//! The games that arguments stand for.

use std::error::Error;

use backrank_enumerate::{Movers, RandomGame, Space};
use backrank_rules::{Variant, catalogue};

pub fn find(names: &[String]) -> Result<Vec<(Variant, Space)>, Box<dyn Error>> {
    let mut games = Vec::new();
    for name in names {
        add(name, &mut games)?;
    }
    Ok(games)
}

fn add(name: &str, games: &mut Vec<(Variant, Space)>) -> Result<(), Box<dyn Error>> {
    if name == "catalogue" {
        for variant in catalogue().filter(|variant| !variant.count_only) {
            let space = Space::new(&variant)?;
            games.push((variant, space));
        }
        return Ok(());
    }
    for (prefix, movers) in [("random", Movers::Familiar), ("held-out", Movers::HeldOut)] {
        let seeds = name.strip_prefix(prefix).and_then(|rest| rest.strip_prefix(':'));
        if let Some((first, last)) = seeds.and_then(|seeds| seeds.split_once('-')) {
            let (first, last): (u64, u64) = (first.parse()?, last.parse()?);
            games.extend((first..=last).map(|seed| {
                let RandomGame { mut variant, space } = RandomGame::new(seed, movers);
                variant.key = format!("{prefix}-{seed}");
                (variant, space)
            }));
            return Ok(());
        }
    }
    let variant = Variant::find(name)?;
    let space = Space::new(&variant)?;
    games.push((variant, space));
    Ok(())
}
