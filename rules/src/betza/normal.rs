//! What a piece does, however it is written: two texts with the same normal form are the same piece.

use std::collections::BTreeMap;

use super::directions::Leap;
use super::{Betza, Passage, Ray};

/// Where moves go, and what must stand in between.
pub(super) type Line = (Leap, Passage);

/// How far a piece goes along a line: to empty squares and to captures, always and in addition on its first move. 0 is not at all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Reach {
    always: [u8; 2],
    first: [u8; 2],
}

impl Reach {
    fn add(&mut self, ray: &Ray) {
        let reach = if ray.first_move_only { &mut self.first } else { &mut self.always };
        for (reach, applies) in reach.iter_mut().zip([ray.moves, ray.captures]) {
            if applies {
                *reach = ray.range.max(*reach);
            }
        }
    }

    /// Takes away what another line does anyway.
    fn subtract(&mut self, other: &Self) {
        for purpose in 0..2 {
            if self.always[purpose] <= other.always[purpose] {
                self.always[purpose] = 0;
            }
            let anyway = self.always[purpose].max(other.always[purpose]).max(other.first[purpose]);
            if self.first[purpose] <= anyway {
                self.first[purpose] = 0;
            }
        }
    }

    /// Each once: on the first move only or not, for what, and how far.
    fn parts(&self) -> impl Iterator<Item = (bool, Purpose, u8)> {
        [(false, self.always), (true, self.first)].into_iter().flat_map(|(first, [moves, captures])| {
            let parts = if moves == captures {
                [Some((Purpose::Any, moves)), None]
            } else {
                [Some((Purpose::Move, moves)), Some((Purpose::Capture, captures))]
            };
            let some = parts.into_iter().flatten().filter(|part| part.1 > 0);
            some.map(move |(purpose, range)| (first, purpose, range))
        })
    }
}

/// What a move is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Purpose {
    /// Going to an empty square or capturing.
    Any,
    /// Going to an empty square only.
    Move,
    /// Capturing only.
    Capture,
}

/// The lines of a piece, without any that say nothing new.
pub(super) fn lines(rays: &[Ray]) -> BTreeMap<Line, Reach> {
    let mut lines: BTreeMap<Line, Reach> = BTreeMap::new();
    let mut corners: BTreeMap<Leap, Reach> = BTreeMap::new();
    for ray in rays {
        let step = (ray.dx, ray.dy);
        lines.entry((step, ray.passage)).or_default().add(ray);
        if matches!(ray.passage, Passage::Bent { .. }) {
            corners.entry(step).or_default().add(&Ray { range: 1, ..*ray });
        }
    }
    let whole = lines.clone();
    lines.retain(|&(step, passage), reach| {
        // What is said twice within the line, by the corner of a bent rider, or by a line that asks for less.
        reach.subtract(&Reach::default());
        let less = match passage {
            Passage::Free => corners.get(&step),
            Passage::Lame | Passage::Jump => whole.get(&(step, Passage::Free)),
            Passage::Grasshopper => whole.get(&(step, Passage::Hop)),
            Passage::Hop | Passage::Bent { .. } => None,
        };
        if let Some(less) = less {
            reach.subtract(less);
        }
        *reach != Reach::default()
    });
    lines
}

/// Lines that differ in nothing but their direction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Group {
    /// On the first move only.
    pub first: bool,
    pub purpose: Purpose,
    pub range: u8,
    /// Its step, longer part first, neither negative.
    pub step: Leap,
    /// What stands in between. The second step of a bend is as `step` is.
    pub passage: Passage,
    /// The directions of the step, in order.
    pub directions: Vec<Leap>,
}

/// The lines of a piece by what they are like, in the order in which they are written.
pub(super) fn groups(rays: &[Ray]) -> Vec<Group> {
    let shape = |(dx, dy): Leap| (dx.abs().max(dy.abs()), dx.abs().min(dy.abs()));
    let mut groups: Vec<Group> = Vec::new();
    for ((direction, passage), reach) in lines(rays) {
        let step = shape(direction);
        let passage = match passage {
            Passage::Bent { dx, dy } => {
                let (dx, dy) = shape((dx, dy));
                Passage::Bent { dx, dy }
            }
            other => other,
        };
        for (first, purpose, range) in reach.parts() {
            let same = |group: &&mut Group| {
                (group.first, group.purpose, group.range) == (first, purpose, range)
                    && (group.step, group.passage) == (step, passage)
            };
            match groups.iter_mut().find(same) {
                // Both arms of a bend have the same corner.
                Some(group) if group.directions.contains(&direction) => {}
                Some(group) => group.directions.push(direction),
                None => {
                    groups.push(Group { first, purpose, range, step, passage, directions: vec![direction] });
                }
            }
        }
    }
    let length = |(long, short): Leap| i32::from(long).pow(2) + i32::from(short).pow(2);
    groups.sort_by_key(|group| {
        let rides = group.range > 1 && !matches!(group.passage, Passage::Bent { .. });
        (group.first, group.purpose, group.passage, !rides, length(group.step), group.range)
    });
    groups
}

impl Betza {
    /// Whether it moves in every way as another does, however the two are written.
    ///
    /// ```
    /// use backrank_rules::Betza;
    ///
    /// let silver: Betza = "FfW".parse()?;
    /// assert!(silver.moves_like(&"fKbF".parse()?));
    /// assert!(!silver.moves_like(&"fK".parse()?));
    /// # Ok::<(), backrank_rules::BetzaError>(())
    /// ```
    pub fn moves_like(&self, other: &Self) -> bool {
        lines(&self.rays) == lines(&other.rays)
    }

    /// Whether it has all the moves of two others, and no other moves.
    pub(crate) fn is_union(&self, one: &Self, other: &Self) -> bool {
        lines(&self.rays) == lines(&[&one.rays[..], &other.rays].concat())
    }

    /// Whether it moves alike to the left and to the right.
    ///
    /// ```
    /// use backrank_rules::Betza;
    ///
    /// assert!("fhNbsK".parse::<Betza>()?.is_symmetric());
    /// assert!(!"flbrF".parse::<Betza>()?.is_symmetric());
    /// # Ok::<(), backrank_rules::BetzaError>(())
    /// ```
    pub fn is_symmetric(&self) -> bool {
        let mirrored = |ray: &Ray| {
            let passage = match ray.passage {
                Passage::Bent { dx, dy } => Passage::Bent { dx: -dx, dy },
                other => other,
            };
            Ray { dx: -ray.dx, passage, ..*ray }
        };
        let mirror: Vec<Ray> = self.rays.iter().map(mirrored).collect();
        lines(&self.rays) == lines(&mirror)
    }
}
