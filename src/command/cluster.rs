use std::io::Write;
use std::path::{Path, PathBuf};

use backrank_experiment::cluster::TaskState;
use backrank_experiment::plan::PlannedExperiment;
use clap::Args;

use crate::args::trust::TrustArg;
use crate::terminal::failure::Failure;
use crate::terminal::notes::note;
use crate::terminal::output::Output;
use crate::terminal::processors::read_threads;
use crate::terminal::ranges::runs;
use crate::terminal::reproduce::word;

/// Write the jobs that play the tasks of a study: for Slurm, or for GNU parallel
///
/// Only tasks that are not finished get a job, so the same command continues a study whose tasks have failed. The script for
/// Slurm submits the tasks of each round as job arrays, and after them a job that gathers the round and plans the next.
#[derive(Args)]
#[command(after_help = examples!(
    "backrank cluster runs/big --slurm",
    "backrank cluster runs/big --parallel",
    "backrank cluster runs/big --slurm --time 4:00:00 --sbatch '--partition=long'",
))]
pub struct ClusterCommand {
    /// The directory of the study, which all machines must see at the same path
    #[arg(value_name = "DIR")]
    study: PathBuf,

    #[command(flatten)]
    scheduler: Scheduler,

    /// The number of games that each task plays at a time, and of the processors that it is given
    #[arg(long, default_value_t = 1, value_parser = read_threads)]
    threads: u16,

    #[command(flatten)]
    trust: TrustArg,

    /// For Slurm: the time limit of a task as sbatch takes it; a task that reaches it is requeued and continues
    #[arg(long, value_name = "LIMIT", requires = "slurm")]
    time: Option<String>,

    /// For Slurm: other options of sbatch for all jobs, as on a command line
    #[arg(long, value_name = "OPTIONS", requires = "slurm", allow_hyphen_values = true)]
    sbatch: Option<String>,
}

/// Which scheduler.
#[derive(Args)]
#[group(required = true, multiple = false)]
struct Scheduler {
    /// A script for `sbatch`, or for `bash` where jobs are submitted from a login node
    #[arg(long)]
    slurm: bool,

    /// A command on each line for GNU parallel, for the tasks of this round
    #[arg(long)]
    parallel: bool,
}

/// The largest number of tasks in an array; Slurm takes 1,001 unless its administrator allows more.
const ARRAY: u64 = 1000;

/// What a process takes beside the tables of its games, in mebibytes: endgame tables, the program itself.
const MEMORY: u64 = 512;

/// What the scripts have to know.
struct Jobs {
    /// This program.
    program: String,
    /// The study.
    study: String,
    planned: PlannedExperiment,
    states: Vec<TaskState>,
}

impl ClusterCommand {
    pub fn run(self) -> Result<(), Failure> {
        let planned = PlannedExperiment::open_with_tasks(&self.study)?;
        self.trust.check(
            &self.study,
            &planned.study,
            false,
            "if you trust whoever wrote that file, add --trust-engines, which is then in the jobs, too",
        )?;
        let states = planned.states()?;
        let program = std::env::current_exe()
            .map_err(|error| Failure::Other(format!("cannot find the path of this program: {error}")))?;
        let study = self.study.canonicalize().map_err(|error| {
            Failure::Other(format!("cannot find the path of {}: {error}", self.study.display()))
        })?;
        let jobs = Jobs { program: quoted(&program), study: quoted(&study), planned, states };
        let mut out = Output::data();
        if self.scheduler.slurm {
            write!(out, "{}", self.slurm(&jobs))?;
        } else {
            for task in jobs.unfinished(jobs.planned.plan.planned_rounds()) {
                writeln!(
                    out,
                    "{} work {} --task {task} --threads {}{}",
                    jobs.program,
                    jobs.study,
                    self.threads,
                    self.trusting()
                )?;
            }
            let (round, rounds) = (jobs.planned.plan.planned_rounds(), jobs.planned.plan.rounds);
            let path = word(&self.study);
            note(format_args!(
                "these are the tasks of round {round} of {rounds}; `backrank gather {path}` puts them together{}",
                if round < rounds { " and plans the next, whose tasks this command then writes" } else { "" }
            ));
        }
        out.finish()
    }

    /// What the jobs say to workers if engines are trusted.
    fn trusting(&self) -> &'static str {
        if self.trust.trust_engines { " --trust-engines" } else { "" }
    }

    /// The script for Slurm.
    fn slurm(&self, jobs: &Jobs) -> String {
        let Jobs { program, study, planned, .. } = jobs;
        let plan = &planned.plan;
        let memory = MEMORY + planned.study.tables_mebibytes(self.threads.into());
        let options = self.sbatch.as_deref().unwrap_or_default();
        let limit = self.time.as_ref().map_or(String::new(), |time| {
            // Time to end the games' searches and to write, however slow the file system is.
            format!(" --time={} --signal=B:USR1@60", quoted_text(time))
        });
        let mut script = format!(
            r#"#!/bin/bash
#SBATCH --job-name=backrank-plan
#SBATCH --output=/dev/null
#SBATCH --no-requeue
# Submits the tasks of a study, and after each round the job that gathers it and plans the next.
set -euo pipefail
export BACKRANK={program} STUDY={study}
# Where this is a job itself, what Slurm says of it is not true of the jobs that it submits.
for variable in ${{!SLURM_@}}; do [ "$variable" = SLURM_CONF ] || unset "$variable"; done
mkdir -p "$STUDY/tasks"
log="$STUDY/tasks/%A.log"

# tasks DEPENDENCY FIRST INDICES: submits the tasks FIRST + each of INDICES, and prints the job's number.
tasks() {{
    export FIRST=$2
    sbatch --parsable --export=ALL --job-name=backrank-work ${{1:+--dependency="$1"}} --kill-on-invalid-dep=yes --array="$3" \
        --requeue --open-mode=append --output="$log" --ntasks=1 --cpus-per-task={threads} --mem={memory}{limit} {options} <<'JOB'
#!/bin/bash
task=$((FIRST + SLURM_ARRAY_TASK_ID))
again=no
stop=no
# Slurm sends USR1 before the time limit, and TERM for other reasons to stop.
trap 'again=yes; stop=yes; kill -TERM "$worker" 2>/dev/null' USR1
trap 'stop=yes; kill -TERM "$worker" 2>/dev/null' TERM
for attempt in 1 2 3; do
    "$BACKRANK" work "$STUDY" --task "$task" --wait{trusting} &
    worker=$!
    while wait "$worker"; code=$?; kill -0 "$worker" 2>/dev/null; do :; done
    # A worker that was killed by a signal, such as for want of memory, is tried again.
    [ "$code" -gt 128 ] && [ "$stop" = no ] || break
done
if [ "$again" = yes ] && [ "$code" = 75 ]; then scontrol requeue "${{SLURM_ARRAY_JOB_ID}}_$SLURM_ARRAY_TASK_ID"; fi
exit "$code"
JOB
}}

# gather DEPENDENCY: submits the job that gathers a round, and prints its number.
gather() {{
    sbatch --parsable --export=ALL --job-name=backrank-gather ${{1:+--dependency="$1"}} --kill-on-invalid-dep=yes \
        --requeue --open-mode=append --output="$log" --ntasks=1 --cpus-per-task=1 --mem={MEMORY} {options} <<'JOB'
#!/bin/bash
exec "$BACKRANK" gather "$STUDY"
JOB
}}

before=
"#,
            threads = self.threads,
            trusting = self.trusting(),
        );
        for round in plan.planned_rounds()..=plan.rounds {
            script += &format!("\n# Round {round} of {}.\nafter=afterany\n", plan.rounds);
            for (first, indices) in arrays(&jobs.unfinished(round)) {
                script += &format!("after+=:$(tasks \"$before\" {first} {indices})\n");
            }
            script += "[ \"$after\" != afterany ] || after=$before\n";
            script += "before=afterok:$(gather \"$after\")\n";
        }
        script
    }
}

impl Jobs {
    /// The tasks of a round that are not finished.
    fn unfinished(&self, round: u64) -> Vec<u64> {
        let tasks = self.planned.plan.tasks_of_round(round);
        tasks.filter(|&task| self.states[task as usize - 1] != TaskState::Finished).collect()
    }
}

/// Tasks as job arrays: what is to be added to the indices of each, and these indices.
fn arrays(tasks: &[u64]) -> Vec<(u64, String)> {
    let chunks = tasks.chunk_by(|one, other| one / ARRAY == other / ARRAY);
    let array = |chunk: &[u64]| {
        let first = chunk[0] / ARRAY * ARRAY;
        let indices: Vec<String> = runs(chunk)
            .into_iter()
            .map(|(one, last)| match one == last {
                true => (one - first).to_string(),
                false => format!("{}-{}", one - first, last - first),
            })
            .collect();
        (first, indices.join(","))
    };
    chunks.map(array).collect()
}

fn quoted(path: &Path) -> String {
    quoted_text(&path.display().to_string())
}

fn quoted_text(text: &str) -> String {
    shell_words::quote(text).into_owned()
}
