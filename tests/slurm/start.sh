# Starts a Slurm of its own on the loopback address: a controller and three nodes, all on this machine, with their files in
# one directory. It is sourced; `slurm_start DIR` returns 1 with a message where Slurm cannot start, and `slurm_stop` ends it.

slurm_pids=()
slurm_port=17400
slurm_nodes="n1 n2 n3"

# Starts the programs and waits until all nodes are idle.
slurm_start() {
    slurm_dir=$1
    local program host cpus
    for program in munged slurmctld slurmd sbatch scontrol; do
        command -v $program >/dev/null || { echo "Slurm cannot start: $program is not installed"; return 1; }
    done
    host=$(hostname -s)
    mkdir -p "$slurm_dir"/{munge,state,spool,log}
    chmod 711 "$slurm_dir" && chmod 700 "$slurm_dir/munge"
    dd if=/dev/urandom of="$slurm_dir/munge/key" bs=1 count=1024 status=none
    chmod 400 "$slurm_dir/munge/key"
    munged --foreground --force --socket="$slurm_dir/munge/socket" --key-file="$slurm_dir/munge/key" \
        --pid-file="$slurm_dir/munge/pid" --seed-file="$slurm_dir/munge/seed" --log-file="$slurm_dir/log/munged" \
        >"$slurm_dir/log/munged.out" 2>&1 &
    slurm_pids+=($!)
    cat >"$slurm_dir/slurm.conf" <<CONF
ClusterName=backrank
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$slurm_port
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
CredType=cred/munge
# A job that is requeued waits for as long as its old credential lasts: two minutes, unless this says otherwise.
AuthInfo=socket=$slurm_dir/munge/socket,cred_expire=10
StateSaveLocation=$slurm_dir/state
SlurmdSpoolDir=$slurm_dir/spool/%n
SlurmctldPidFile=$slurm_dir/slurmctld.pid
SlurmdPidFile=$slurm_dir/slurmd-%n.pid
SlurmctldLogFile=$slurm_dir/log/slurmctld
SlurmdLogFile=$slurm_dir/log/slurmd-%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
SwitchType=switch/none
MpiDefault=none
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
JobCompType=jobcomp/none
ReturnToService=2
SlurmdTimeout=15
SlurmctldTimeout=15
MessageTimeout=20
KillWait=10
InactiveLimit=0
MinJobAge=3600
SchedulerParameters=sched_interval=1,sched_min_interval=0,bf_interval=1,batch_sched_delay=0
PriorityType=priority/basic
$(port=$slurm_port; for node in $slurm_nodes; do port=$((port + 1))
echo "NodeName=$node NodeHostname=$host NodeAddr=127.0.0.1 Port=$port CPUs=2 RealMemory=4000 State=UNKNOWN"; done)
PartitionName=all Nodes=$(echo $slurm_nodes | tr ' ' ,) Default=YES MaxTime=60 State=UP OverSubscribe=NO
CONF
    # Several nodes say that they have more than this one machine.
    echo "SlurmdParameters=config_overrides" >>"$slurm_dir/slurm.conf"
    export SLURM_CONF=$slurm_dir/slurm.conf
    slurm_wait 20 test -S "$slurm_dir/munge/socket" || { echo "Slurm cannot start: munged"; return 1; }
    slurmctld -D -c >"$slurm_dir/log/slurmctld.out" 2>&1 &
    slurm_pids+=($!)
    for node in $slurm_nodes; do slurm_node "$node"; done
    slurm_wait 60 slurm_is_idle || {
        echo "Slurm cannot start: its nodes do not come up"
        tail -n 5 "$slurm_dir"/log/* 2>/dev/null
        return 1
    }
}

# Starts a node, or starts it again.
slurm_node() {
    mkdir -p "$slurm_dir/spool/$1"
    slurmd -D -N "$1" >"$slurm_dir/log/slurmd-$1.out" 2>&1 &
    slurm_pids+=($!)
    declare -g "slurm_pid_$1=$!"
}

slurm_is_idle() {
    [ "$(sinfo -h -o %t -t idle -N 2>/dev/null | wc -l)" = "$(echo $slurm_nodes | wc -w)" ]
}

# slurm_wait SECONDS COMMAND…: waits until a command succeeds.
slurm_wait() {
    local until=$((SECONDS + $1))
    shift
    until "$@"; do
        [ $SECONDS -lt $until ] || return 1
        sleep 0.2
    done
}

slurm_stop() {
    # What has ended already need not be ended.
    set +e
    scancel --full -u "$(id -un)" 2>/dev/null
    for pid in "${slurm_pids[@]}"; do kill "$pid" 2>/dev/null; done
    sleep 1
    for pid in "${slurm_pids[@]}"; do kill -9 "$pid" 2>/dev/null; done
    wait "${slurm_pids[@]}" 2>/dev/null
    return 0
}
