package sagemaker

import (
	"cmp"
	"maps"
	"strconv"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// try is one continuous allocation of instances.
type try struct {
	waits, from, to period.Second // 0 unknown
	outcome         ledger.Outcome
	reason          string
}

// facts makes a workload per attempt and the job as their owner.
func (p *parser) facts(j *job) {
	region, account := place(j.arn)
	cluster := cmp.Or(p.opt.Cluster, "sagemaker/"+region)
	seen := max(j.created, j.start, j.end, j.seen)
	order := ledger.AttrsOrder(ledger.FromAPI, int64(seen)*1000)
	if j.summary { // a description of the job has more data
		order--
	}
	for i, t := range j.tries() {
		labels := maps.Clone(j.labels)
		labels[ledger.LabelAttempt] = strconv.Itoa(i + 1)
		w := ledger.WorkloadFact{
			Cluster: cluster, System: ledger.SystemSageMaker, Namespace: account, Name: j.name, UID: j.arn,
			OwnerKind: ledger.KindSageMakerJob, OwnerName: j.name, Labels: labels,
			Created: t.waits, Scheduled: t.from, Started: t.from, Completed: t.to,
			FirstSeen: cmp.Or(t.waits, t.from), LastSeen: max(t.waits, t.from, cmp.Or(t.to, seen)),
			Outcome: t.outcome, Reason: t.reason, AttrsAt: order,
		}
		if i > 0 {
			w.UID += "#" + strconv.Itoa(i+1)
		}
		if j.gpus > 0 {
			w.Requests = map[string]int64{ledger.ResourceGPU: j.gpus}
		}
		p.out.Workloads = append(p.out.Workloads, w)
	}
	attrs := map[string]string{"status": j.status, "kind": j.family.kind}
	for name, n := range map[string]int64{"training_seconds": j.training, "warm_pool_seconds": j.warm} {
		if n >= 0 {
			attrs[name] = strconv.FormatInt(n, 10)
		}
	}
	if j.billable >= 0 { // per instance, times their number
		attrs["billable_seconds"] = strconv.FormatInt(j.billable, 10)
		attrs["billable_instance_seconds"] = strconv.FormatInt(j.billable*max(j.instances, 1), 10)
	}
	if j.spot {
		attrs["managed_spot"] = "true"
	}
	p.out.Objects = append(p.out.Objects, ledger.ObjectFact{
		Cluster: cluster, Namespace: account, Kind: ledger.KindSageMakerJob, Name: j.name,
		Labels: j.labels, Created: cmp.Or(j.created, j.start), Attrs: attrs, AttrsAt: order,
	})
}

// tries splits the job at its interruptions. Instances are held, and billed, from the first
// status in which they work for the job.
func (j *job) tries() []try {
	end, outcome, reason := j.ending()
	all := []try{{waits: j.created}} // unknown stays unknown: a start does not reveal a wait
	t := &all[0]
	for _, s := range j.steps {
		switch s.status {
		case "Downloading", "DownloadingTrainingImage", "Training", "Uploading":
			if t.from == 0 {
				t.from = s.from
			}
		case "Interrupted", "Restarting":
			t.outcome, t.reason = ledger.Preempted, "spot_interruption"
			if s.status == "Restarting" { // SageMaker's own retry after an error of its service
				t.outcome, t.reason = ledger.NodeFailure, "restarting"
			}
			if t.from == 0 { // it had not begun: it keeps waiting
				t.outcome, t.reason = "", ""
				continue
			}
			t.to = s.from
			all = append(all, try{waits: s.from})
			t = &all[len(all)-1]
		}
	}
	// The start of training is that of the first attempt.
	if first := &all[0]; j.start > 0 && (first.from == 0 || j.start < first.from) {
		first.from = j.start
	}
	t.to, t.outcome, t.reason = end, outcome, reason
	return all
}

// ending is the job's end time, outcome and reason.
func (j *job) ending() (end period.Second, o ledger.Outcome, reason string) {
	last := j.second
	if n := len(j.steps); n > 0 && last == "" {
		last = j.steps[n-1].status
	}
	switch j.status {
	case "Completed":
		o = ledger.Succeeded
	case "Failed":
		o, reason = ledger.Failed, j.failure
	case "Stopped":
		o, reason = ledger.Cancelled, "stopped"
	default: // InProgress, Stopping, Deleting
		return 0, ledger.Running, ""
	}
	for _, s := range append([]step{{status: last}}, j.steps...) {
		if exceeded := s.status == "MaxRuntimeExceeded" || s.status == "MaxWaitTimeExceeded"; exceeded &&
			o != ledger.Succeeded {
			o, reason = ledger.Timeout, s.status
		}
	}
	end = j.end
	if n := len(j.steps); end == 0 && n > 0 {
		end = cmp.Or(j.steps[n-1].to, j.steps[n-1].from)
	}
	return cmp.Or(end, j.seen), o, reason
}
