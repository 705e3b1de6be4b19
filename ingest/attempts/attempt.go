package attempts

import (
	"fmt"
	"strconv"
	"strings"

	"gpuledger/ingest/records"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// attempt is a row.
type attempt struct {
	run, task, group, cluster, namespace, name, kind, reason string
	number                                                   int64 // 0: unknown
	submitted, eligible, started, ended, seen                period.Second
	checkpoint, resumed                                      period.Second
	// the start as written, if it has no zone
	clock                string
	outcome              ledger.Outcome
	nodes, pods, devices []string
	gpus                 int64 // -1: unknown
	labels               map[string]string
}

// fieldError is the fault of one field.
type fieldError struct{ column, reason, detail string }

// maxNodes bounds the nodes, pods and devices of one attempt.
const maxNodes = 1 << 16

// maxGPUs bounds a plausible count.
const maxGPUs = 1 << 20

func (p *parser) attempt(r *records.Record) (*attempt, *fieldError) {
	text := func(names ...string) string { return records.Clean(r.Text(names...)) }
	a := &attempt{
		run: text("run_id"), task: text("task"), group: text("group"),
		cluster: text("cluster"), namespace: text("namespace"), name: text("name"),
		reason: text("reason"), gpus: -1, labels: map[string]string{},
	}
	if a.run == "" {
		return nil, &fieldError{"run_id", "missing value", "each row needs its run_id"}
	}
	for _, t := range []struct {
		column string
		at     *period.Second
	}{{"submitted_at", &a.submitted}, {"eligible_at", &a.eligible}, {"started_at", &a.started},
		{"ended_at", &a.ended}, {"last_seen_at", &a.seen}, {"last_checkpoint_at", &a.checkpoint}} {
		var err error
		if *t.at, err = records.Instant(r.Text(t.column), p.opt.Zone); err != nil {
			return nil, &fieldError{t.column, "not a time", fmt.Sprintf("%q: %v", records.Clip(r.Text(t.column)), err)}
		}
	}
	if a.clock = records.Clock(r.Text("started_at")); a.started == 0 {
		a.clock = records.Clock(r.Text("submitted_at"))
	}
	switch {
	case a.started == 0 && a.submitted == 0:
		return nil, &fieldError{"started_at", "missing value", "a row needs started_at, or submitted_at while the run waits"}
	case period.Impossible(a.submitted, a.eligible, a.started, a.ended, a.seen) != "":
		return nil, &fieldError{
			"ended_at", "impossible time", period.Impossible(a.submitted, a.eligible, a.started, a.ended, a.seen),
		}
	case a.ended > 0 && a.ended < max(a.started, a.submitted):
		return nil, &fieldError{"ended_at", "ends before it starts", fmt.Sprintf("it ended at %s", a.ended)}
	}
	if bad := a.counts(r); bad != nil {
		return nil, bad
	}
	if a.outcome = outcomeOf(r.Text("outcome")); a.outcome == "" {
		if word := r.Text("outcome"); word != "" {
			return nil, &fieldError{
				"outcome", "unknown outcome",
				fmt.Sprintf("%q; use succeeded, failed, oom, timeout, preempted, evicted, node_failure, suspended, "+
					"cancelled or running", records.Clip(word)),
			}
		}
		if a.outcome = ledger.Running; a.ended > 0 {
			a.outcome = ledger.OutcomeUnknown
		}
	}
	if a.reason == "" && spotWords[word(r.Text("outcome"))] {
		a.reason = "spot_interruption"
	}
	a.nodes, a.pods, a.devices = splitList(r.Text("nodes", "node")), splitList(r.Text("pods", "pod")),
		splitList(r.Text("devices"))
	for column, list := range map[string][]string{"nodes": a.nodes, "pods": a.pods, "devices": a.devices} {
		if len(list) > maxNodes {
			return nil, &fieldError{column, "too many", fmt.Sprintf("more than %d", maxNodes)}
		}
	}
	a.describe(r, p)
	return a, nil
}

// counts reads the numbers of a row.
func (a *attempt) counts(r *records.Record) *fieldError {
	for _, c := range []struct {
		column string
		to     *int64
		least  int64
	}{{"attempt", &a.number, 1}, {"gpus", &a.gpus, 0}} {
		text := r.Text(c.column)
		if text == "" {
			continue
		}
		n, err := strconv.ParseInt(strings.TrimSuffix(text, ".0"), 10, 64)
		if err != nil || n < c.least || n > maxGPUs {
			return &fieldError{
				c.column, "not a number", fmt.Sprintf("%q; expected a whole number of at least %d", records.Clip(text), c.least),
			}
		}
		*c.to = n
	}
	return nil
}

// describe collects the labels of a row.
func (a *attempt) describe(r *records.Record, p *parser) {
	for i, name := range r.Names() {
		if key, isLabel := strings.CutPrefix(strings.ToLower(name), labelPrefix); isLabel {
			a.labels[records.Clean(key)] = r.At(i)
		} else {
			p.knows(name)
		}
	}
	for label, column := range map[string]string{
		"team": "team", "project": "project", "model": "model", "user": "user", "queue": "queue", "gpu-type": "gpu_type",
		ledger.LabelKind: "kind", ledger.LabelPricing: "pricing",
		ledger.LabelTask: "task", ledger.LabelGroup: "group", ledger.LabelRunID: "run_id",
	} {
		if v := r.Text(column); v != "" {
			a.labels[label] = v
		}
	}
	a.kind = records.Clean(r.Text("kind"))
	if resumed := r.Text("resumed_from"); resumed != "" {
		if at, err := records.Instant(resumed, p.opt.Zone); err == nil {
			a.resumed = at
		} else { // a step, or the path of a checkpoint
			a.labels["resumed-from"] = resumed
		}
	}
	if a.number > 0 {
		a.labels[ledger.LabelAttempt] = strconv.FormatInt(a.number, 10)
	}
	for key, value := range a.labels {
		if a.labels[key] = records.Clean(value); a.labels[key] == "" || key == "" {
			delete(a.labels, key)
		}
	}
}

func word(text string) string {
	return strings.NewReplacer("-", "_", " ", "_").Replace(strings.ToLower(strings.TrimSpace(text)))
}

// spotWords are outcomes that mean that the cloud took the machine.
var spotWords = map[string]bool{
	"spot_interruption": true, "spot": true, "interrupted": true,
	"spot_interrupted": true, "spot_preempted": true, "reclaimed": true,
}

// outcomeOf reads an outcome in the words of ledger.Outcome, or common synonyms.
func outcomeOf(text string) ledger.Outcome {
	w := word(text)
	switch o := ledger.Outcome(w); o {
	case ledger.Succeeded, ledger.Failed, ledger.OOM, ledger.Timeout, ledger.Preempted, ledger.Evicted, ledger.NodeFailure,
		ledger.Suspended, ledger.Cancelled, ledger.Running, ledger.OutcomeUnknown:
		return o
	}
	if spotWords[w] {
		return ledger.Preempted
	}
	switch w {
	case "success", "complete", "completed", "finished", "done", "ok":
		return ledger.Succeeded
	case "failure", "error", "crashed", "errored":
		return ledger.Failed
	case "out_of_memory", "oomkilled", "oom_killed":
		return ledger.OOM
	case "timed_out", "deadline", "deadlineexceeded", "deadline_exceeded":
		return ledger.Timeout
	case "preemption":
		return ledger.Preempted
	case "node_fail", "node_failed", "hardware", "nodefailure":
		return ledger.NodeFailure
	case "canceled", "killed", "stopped", "aborted":
		return ledger.Cancelled
	case "queued", "pending", "waiting", "in_progress":
		return ledger.Running
	case "paused":
		return ledger.Suspended
	}
	return ""
}
