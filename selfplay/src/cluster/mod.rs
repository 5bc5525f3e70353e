//! Studies on as many machines as there are: the tasks of a plan, the workers that play them, and putting them together.

mod gather;
mod gathered;
mod litter;
mod lock;
mod plan;
mod state;
mod task;
mod work;

pub use gather::{Gathered, NotGathered};
pub use gathered::{GatheredStudy, TaskResults};
pub use lock::{LockHolder, USUAL_HEARTBEAT};
pub use plan::{
    ALL_SETUPS, MOST_PLANNED_GAMES, MOST_ROUNDS, MOST_TASKS, PartPath, Plan, PlannedPart, TaskPart,
};
pub use state::TaskState;
pub use task::{PairResults, PlannedStudy, TASKS, TaskRecord, TaskRecordPart};
pub use work::{WorkError, Worked, Worker};
