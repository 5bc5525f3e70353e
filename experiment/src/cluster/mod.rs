//! Playing a planned experiment on many machines: workers play the tasks of a round, and gathering adds their games to the
//! studies of the experiment.
//!
//! The machines share a file system and nothing else. A task is played in a directory of its own, which gets the task's name
//! when all its games are there; so a task is either finished or not, however its workers end. Workers are started and killed
//! by a job scheduler, may die at any moment, and may be taken for dead and come back.

mod gather;
mod gather_record;
mod litter;
mod lock;
mod state;
mod task;
mod work;

pub use gather::{GatherOutcome, UngatheredTask};
pub use gather_record::{GatheredGames, TaskResults};
pub use lock::{LockHolder, USUAL_HEARTBEAT};
pub use state::TaskState;
pub use task::{TASKS, TaskRecord, TaskRecordPart};
pub use work::{WorkOutcome, Worker};
