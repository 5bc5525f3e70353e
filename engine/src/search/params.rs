//! The parameters of the search: every margin, threshold and reduction, with what it does.

/// Reductions and extensions are counted in fractions of a ply, this many to a ply, so that small ones add up.
pub(super) const PLY: i32 = 1024;

/// Larger depths and move numbers than this do not reduce more.
const MAX_REDUCTION_INDEX: usize = 63;

/// The parameters of the search. Depths are in plies, margins in centipawns, reductions in 1024ths of a ply.
///
/// No parameter changes which moves are legal or what a finished search means. Each trades the risk of missing
/// something for depth.
#[derive(Clone, Debug)]
pub(super) struct SearchParams {
    /// Half the width of the first window around the score of the previous depth.
    pub aspiration_width: i32,
    /// The depth from which windows are used; shallower searches begin with an open window.
    pub aspiration_min_depth: i32,
    /// The width from which a window is opened in full.
    pub aspiration_max_width: i32,

    /// Reverse futility pruning: the largest depth.
    pub reverse_futility_max_depth: i32,
    /// Reverse futility pruning: the margin above beta for each ply of depth.
    pub reverse_futility_margin: i32,

    /// Razoring: the largest depth.
    pub razoring_max_depth: i32,
    /// Razoring: the margin below alpha for each ply of depth.
    pub razoring_margin: i32,

    /// Null move: the smallest depth.
    pub null_move_min_depth: i32,
    /// Null move: the reduction in plies at depth 0.
    pub null_move_reduction: i32,
    /// Null move: the reduction is one ply more for so many plies of depth,
    pub null_move_depth_divisor: i32,
    /// and one ply more for so many centipawns above beta,
    pub null_move_margin_divisor: i32,
    /// but no more than this many plies.
    pub null_move_max_margin_reduction: i32,

    /// Internal iterative reduction: the smallest depth.
    pub internal_reduction_min_depth: i32,

    /// Late move pruning: this number plus depth² quiet moves are searched, and half of them if the side is not
    /// improving.
    pub late_move_base: i32,
    /// Futility pruning: the largest depth after reduction.
    pub futility_max_depth: i32,
    /// Futility pruning: the margin at depth 0.
    pub futility_base: i32,
    /// Futility pruning: the margin for each ply of depth after reduction.
    pub futility_margin: i32,
    /// History pruning: the largest depth.
    pub history_pruning_max_depth: i32,
    /// History pruning: for each ply of depth, the history below which a quiet move is left out.
    pub history_pruning_margin: i32,
    /// Pruning of quiet moves by static exchange evaluation: the largest depth.
    pub see_quiet_max_depth: i32,
    /// The material that a quiet move may lose for each ply of depth after reduction.
    pub see_quiet_margin: i32,
    /// Pruning of bad captures by static exchange evaluation: the largest depth.
    pub see_capture_max_depth: i32,
    /// The material that a capture may lose for each ply of depth.
    pub see_capture_margin: i32,

    /// Late move reductions: the smallest depth.
    pub reduction_min_depth: i32,
    /// A quiet move is reduced by a ply less for this much history.
    pub reduction_history_divisor: i32,
    /// How much more a quiet move is reduced where a cutoff is expected.
    pub reduction_cut_node: i32,
    /// How much less a capture or promotion is reduced.
    pub reduction_capture: i32,
    /// How much more a move is reduced that loses by static exchange evaluation.
    pub reduction_bad_capture: i32,
    /// How much less a move is reduced on the principal variation.
    pub reduction_pv: i32,
    /// How much more a move is reduced if the side to move is not improving.
    pub reduction_not_improving: i32,
    /// How much less a move is reduced in check.
    pub reduction_in_check: i32,

    /// Quiescence: a capture is left out if even this much more than it wins does not reach alpha.
    pub delta_margin: i32,
    /// Quiescence: the number of captures that are searched in a position, apart from those on the square of the last
    /// move.
    pub quiescence_captures: usize,
    /// Quiescence: the number of nodes after which the static evaluation is used.
    pub quiescence_nodes: u64,
    /// Quiescence: the number of quiet evasions that are searched in check.
    pub quiet_evasions: usize,

    /// History: the bonus is this for each ply of depth,
    pub history_bonus: i32,
    /// minus this,
    pub history_malus_base: i32,
    /// at least this,
    pub history_min_bonus: i32,
    /// and at most this.
    pub history_max_bonus: i32,

    /// Late move reductions by depth and by the number of moves tried, in 1024ths of a ply.
    reductions: Box<[[i32; MAX_REDUCTION_INDEX + 1]; MAX_REDUCTION_INDEX + 1]>,
}

impl Default for SearchParams {
    fn default() -> Self {
        Self {
            aspiration_width: 25,
            aspiration_min_depth: 5,
            aspiration_max_width: 800,
            reverse_futility_max_depth: 7,
            reverse_futility_margin: 85,
            razoring_max_depth: 3,
            razoring_margin: 220,
            null_move_min_depth: 3,
            null_move_reduction: 3,
            null_move_depth_divisor: 4,
            null_move_margin_divisor: 200,
            null_move_max_margin_reduction: 3,
            internal_reduction_min_depth: 4,
            late_move_base: 3,
            futility_max_depth: 6,
            futility_base: 110,
            futility_margin: 95,
            history_pruning_max_depth: 4,
            history_pruning_margin: 4_000,
            see_quiet_max_depth: 8,
            see_quiet_margin: 60,
            see_capture_max_depth: 7,
            see_capture_margin: 110,
            reduction_min_depth: 3,
            reduction_history_divisor: 10_922,
            reduction_cut_node: PLY,
            reduction_capture: PLY,
            reduction_bad_capture: PLY / 2,
            reduction_pv: PLY,
            reduction_not_improving: PLY / 2,
            reduction_in_check: PLY,
            delta_margin: 180,
            quiescence_captures: 1000,
            quiescence_nodes: 300,
            quiet_evasions: 4,
            history_bonus: 400,
            history_malus_base: 60,
            history_min_bonus: 200,
            history_max_bonus: 4_000,
            reductions: reductions(1.05, 1.8),
        }
    }
}

impl SearchParams {
    /// The reduction of a late move before anything about the move itself is known, in 1024ths of a ply; `tried` moves
    /// came before it.
    #[inline]
    pub fn base_reduction(&self, depth: i32, tried: usize) -> i32 {
        self.reductions[(depth as usize).min(MAX_REDUCTION_INDEX)][tried.min(MAX_REDUCTION_INDEX)]
    }

    /// The number of moves before late move pruning leaves out quiet moves.
    #[inline]
    pub fn late_move_count(&self, depth: i32, improving: bool) -> i32 {
        (self.late_move_base + depth * depth) / (2 - i32::from(improving))
    }

    /// The bonus in the histories for a move that caused a cutoff at a depth.
    pub fn history_bonus_at(&self, depth: i32) -> i32 {
        (self.history_bonus * depth - self.history_malus_base)
            .clamp(self.history_min_bonus, self.history_max_bonus)
    }
}

/// Reductions that grow with the logarithms of depth and move number.
fn reductions(base: f64, divisor: f64) -> Box<[[i32; MAX_REDUCTION_INDEX + 1]; MAX_REDUCTION_INDEX + 1]> {
    let logarithms: [f64; MAX_REDUCTION_INDEX + 1] = std::array::from_fn(logarithm);
    Box::new(std::array::from_fn(|depth| {
        std::array::from_fn(|tried| match (depth, tried) {
            (0, _) | (_, 0) => 0,
            _ => (f64::from(PLY) * (base + logarithms[depth] * logarithms[tried] / divisor)) as i32,
        })
    }))
}

/// The natural logarithm from the harmonic numbers, H(n) ≈ ln n + γ + 1/2n. Additions and divisions are the same on
/// every machine, while the logarithms of mathematical libraries need not be.
fn logarithm(number: usize) -> f64 {
    const EULER_MASCHERONI: f64 = 0.577_215_664_9;
    let harmonic: f64 = (1..=number).map(|term| 1.0 / term as f64).sum();
    (harmonic - EULER_MASCHERONI - 0.5 / number.max(1) as f64).max(0.0)
}
