package slurm

import (
	"cmp"
	"strings"

	"gpuledger/internal/ledger"
)

// phase is the phase of a job's life.
type phase byte

const (
	waiting phase = iota // in the queue, holds nothing
	running              // holds its nodes
	ended
)

// state is the meaning of a job state.
type state struct {
	phase   phase
	outcome ledger.Outcome // of ended or running jobs
	reason  string         // empty: the state's name
	resized bool           // a part of a life that goes on in another row
}

// states by Slurm's name and, for squeue, their short form. Flags next to a state (COMPLETING,
// CONFIGURING) count as a state if there is no other.
var states = map[string]state{
	"PENDING":         {phase: waiting, outcome: ledger.Running},
	"REQUEUE_HOLD":    {phase: waiting, outcome: ledger.Running},
	"REQUEUE_FED":     {phase: waiting, outcome: ledger.Running},
	"RESV_DEL_HOLD":   {phase: waiting, outcome: ledger.Running},
	"SPECIAL_EXIT":    {phase: waiting, outcome: ledger.Running},
	"EXPEDITING":      {phase: waiting, outcome: ledger.Running},
	"RUNNING":         {phase: running, outcome: ledger.Running},
	"SUSPENDED":       {phase: running, outcome: ledger.Running},
	"STOPPED":         {phase: running, outcome: ledger.Running},
	"SIGNALING":       {phase: running, outcome: ledger.Running},
	"STAGE_OUT":       {phase: running, outcome: ledger.Running},
	"CONFIGURING":     {phase: running, outcome: ledger.Running},
	"COMPLETING":      {phase: running, outcome: ledger.Running},
	"UPDATE_DB":       {phase: running, outcome: ledger.Running},
	"POWER_UP_NODE":   {phase: running, outcome: ledger.Running},
	"COMPLETED":       {phase: ended, outcome: ledger.Succeeded},
	"CANCELLED":       {phase: ended, outcome: ledger.Cancelled},
	"REVOKED":         {phase: ended, outcome: ledger.Cancelled},
	"TIMEOUT":         {phase: ended, outcome: ledger.Timeout},
	"DEADLINE":        {phase: ended, outcome: ledger.Timeout},
	"OUT_OF_MEMORY":   {phase: ended, outcome: ledger.OOM},
	"NODE_FAIL":       {phase: ended, outcome: ledger.NodeFailure},
	"BOOT_FAIL":       {phase: ended, outcome: ledger.NodeFailure},
	"LAUNCH_FAILED":   {phase: ended, outcome: ledger.NodeFailure},
	"RECONFIG_FAIL":   {phase: ended, outcome: ledger.NodeFailure},
	"PREEMPTED":       {phase: ended, outcome: ledger.Preempted, reason: "scheduler"},
	"REQUEUED":        {phase: ended, outcome: ledger.Preempted, reason: "scheduler"},
	"FAILED":          {phase: ended, outcome: ledger.Failed},
	"RESIZING":        {phase: ended, outcome: ledger.Succeeded, reason: "resizing", resized: true},
	"COMPLETED_EARLY": {phase: ended, outcome: ledger.Succeeded},
}

var shortStates = map[string]string{
	"PD": "PENDING", "RH": "REQUEUE_HOLD", "RF": "REQUEUE_FED", "RD": "RESV_DEL_HOLD", "SE": "SPECIAL_EXIT",
	"R": "RUNNING", "S": "SUSPENDED", "ST": "STOPPED", "SI": "SIGNALING",
	"SO": "STAGE_OUT", "CF": "CONFIGURING", "CG": "COMPLETING",
	"CD": "COMPLETED", "CA": "CANCELLED", "RV": "REVOKED", "TO": "TIMEOUT", "DL": "DEADLINE", "OOM": "OUT_OF_MEMORY",
	"NF": "NODE_FAIL", "BF": "BOOT_FAIL", "LF": "LAUNCH_FAILED",
	"PR": "PREEMPTED", "RQ": "REQUEUED", "F": "FAILED", "RS": "RESIZING",
}

// stateOf finds a state by Slurm's spelling of its name: "CANCELLED by 1000", cut to a width
// ("CANCELLED+"), or short.
func stateOf(text string) (name string, s state, ok bool) {
	name, _, _ = strings.Cut(strings.ToUpper(strings.TrimSpace(text)), " ")
	if s, ok = states[name]; ok {
		return name, s, true
	}
	if long, short := shortStates[name]; short {
		return long, states[long], true
	}
	start, cut := strings.CutSuffix(name, "+")
	if !cut || len(start) < 2 {
		return name, state{}, false
	}
	found := ""
	for full := range states {
		if strings.HasPrefix(full, start) {
			if found != "" && states[found].outcome != states[full].outcome {
				// RE+ may be REQUEUED, RESIZING or REVOKED.
				return name, state{}, false
			}
			found = min(full, cmp.Or(found, full))
		}
	}
	return found, states[found], found != ""
}

// stateOfList finds the state in a list that also has flags: the first proper state, else the
// first known entry.
func stateOfList(list []string) (string, state, bool) {
	flags := map[string]bool{"COMPLETING": true, "CONFIGURING": true, "SIGNALING": true, "STAGE_OUT": true,
		"UPDATE_DB": true, "POWER_UP_NODE": true,
		"REQUEUED": true, "REQUEUE_HOLD": true, "REQUEUE_FED": true,
		"SPECIAL_EXIT": true, "RESIZING": true, "EXPEDITING": true}
	var name string
	var found state
	ok := false
	for _, text := range list {
		n, s, known := stateOf(text)
		if !known {
			continue
		}
		if !flags[n] {
			return n, s, true
		}
		if !ok {
			name, found, ok = n, s, true
		}
	}
	return name, found, ok
}
