package runrecords

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"gpuledger/ingest/records"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// record is one run in its tracker.
type record struct {
	id, name, kind, group string
	from, to              period.Second // 0 unknown
	clock                 string        // from as written, if it has no zone
	outcome               ledger.Outcome
	reason                string
	labels                map[string]string
	cluster, namespace    string
	workloads             []string // names or uids
}

// fieldError is the fault of one member.
type fieldError struct{ column, reason, detail string }

// instant reads a time of a record.
func (k known) instant(zone *time.Location, names ...string) (period.Second, *fieldError) {
	for _, name := range names {
		text := strings.TrimSpace(k[name])
		if text == "" {
			continue
		}
		at, err := records.Instant(text, zone)
		if err != nil {
			return 0, &fieldError{name, "not a time", fmt.Sprintf("%q: %v", records.Clip(text), err)}
		}
		return at, nil
	}
	return 0, nil
}

// clock is a time of a record as written, if it has no zone.
func (k known) clock(names ...string) string { return records.Clock(k.first(names...)) }

// mlflow reads a run of MLflow.
func mlflow(k known, zone *time.Location) (*record, *fieldError) {
	r := &record{id: k.first("run_id", "run_uuid"), name: k.first("tags.mlflow.runname", "run_name")}
	if r.id == "" {
		return nil, &fieldError{"run_id", "missing value", "a run needs its id"}
	}
	var bad *fieldError
	if r.from, bad = k.instant(zone, "start_time"); bad != nil {
		return nil, bad
	}
	if r.to, bad = k.instant(zone, "end_time"); bad != nil {
		return nil, bad
	}
	r.clock = k.clock("start_time")
	r.group = k.first("tags.mlflow.parentrunid")
	switch status := strings.ToUpper(k.first("status")); status {
	case "FINISHED", "3":
		r.outcome = ledger.Succeeded
	case "FAILED", "4":
		r.outcome = ledger.Failed
	case "KILLED", "5":
		r.outcome, r.reason = ledger.Cancelled, "killed"
	case "RUNNING", "SCHEDULED", "1", "2", "":
		r.outcome = ledger.Running
	default:
		return nil, &fieldError{"status", "unknown status", fmt.Sprintf("%q", records.Clip(status))}
	}
	return r.finish(k, map[string]string{
		"experiment": k.first("tags.mlflow.experimentname", "experiment_name", "experiment_id"),
		"dataset":    k.first("dataset.name", "tags.dataset", "params.dataset"),
		"model":      k.first("tags.model", "params.model", "params.model_name", "params.model_name_or_path"),
		"user":       k.first("tags.mlflow.user", "user_id"),
	})
}

// wandb reads a run of Weights & Biases.
func wandb(k known, zone *time.Location) (*record, *fieldError) {
	r := &record{
		id: k.first("id", "run_id"), name: k.first("display_name", "displayname", "name"),
		group: k.first("group", "sweep", "sweep.name", "sweepname"),
	}
	if r.id == "" { // in the API, name is the id
		r.id = k.first("name")
	}
	if r.id == "" {
		return nil, &fieldError{"id", "missing value", "a run needs its id"}
	}
	var bad *fieldError
	if r.from, bad = k.instant(zone, "started_at", "startedat", "created_at", "createdat", "created"); bad != nil {
		return nil, bad
	}
	r.clock = k.clock("started_at", "startedat", "created_at", "createdat", "created")
	state := strings.ToLower(k.first("state"))
	if state != "running" && state != "pending" {
		if r.to, bad = k.instant(zone, "end time", "end_time", "finished_at", "heartbeat_at", "heartbeatat", "stopped_at",
			"updated"); bad != nil {
			return nil, bad
		}
	}
	if seconds := k.first("runtime", "summary._runtime", "summary_metrics._runtime", "summarymetrics._runtime",
		"duration"); r.to == 0 && r.from > 0 && state != "running" && seconds != "" {
		whole, _, _ := strings.Cut(seconds, ".")
		var n int64
		if _, err := fmt.Sscan(whole, &n); err == nil && n >= 0 && n < 10*366*period.Day {
			r.to = r.from + period.Second(n)
		}
	}
	switch state {
	case "finished":
		r.outcome = ledger.Succeeded
	case "failed", "crashed":
		r.outcome, r.reason = ledger.Failed, state
	case "killed":
		r.outcome, r.reason = ledger.Cancelled, state
	case "preempted", "preempting":
		r.outcome = ledger.Preempted
	case "running", "pending", "":
		r.outcome = ledger.Running
	default:
		return nil, &fieldError{"state", "unknown state", fmt.Sprintf("%q", records.Clip(state))}
	}
	return r.finish(k, map[string]string{
		"project": k.first("project", "project.name"), "experiment": k.first("config.experiment", "config.experiment_name"),
		"dataset": k.first("config.dataset", "config.dataset_name"),
		"model":   k.first("config.model", "config.model_name", "config.model_name_or_path"),
		"user":    k.first("user.username", "user.name", "user", "username"),
	})
}

// ownerTags are tags that name an owner, by name after tags. or config. The first one with a
// value counts.
var ownerTags = [][2]string{
	{"gpuledger.io/team", "team"}, {"gpuledger.io/project", "project"},
	{"team", "team"}, {"project", "project"}, {"stage", "stage"},
	{"environment", "environment"}, {"cost_center", "cost-center"}, {"business_unit", "business-unit"},
}

// finish checks the times and collects labels and workloads.
func (r *record) finish(k known, labels map[string]string) (*record, *fieldError) {
	switch {
	case r.from == 0:
		return nil, &fieldError{"start_time", "missing value", "the run needs its start time"}
	case r.to > 0 && r.to < r.from:
		return nil, &fieldError{"end_time", "ends before it starts", fmt.Sprintf("start %s, end %s", r.from, r.to)}
	case period.Impossible(r.from, r.to) != "":
		return nil, &fieldError{"end_time", "impossible time", period.Impossible(r.from, r.to)}
	case r.outcome == ledger.Running:
		r.to = 0
	}
	for _, prefix := range []string{"tags.", "config."} {
		for _, t := range ownerTags {
			if v := k.first(prefix + t[0]); v != "" && labels[t[1]] == "" {
				labels[t[1]] = v
			}
		}
	}
	for key, value := range labels {
		if value == "" || strings.HasPrefix(value, "{") {
			delete(labels, key)
		}
	}
	r.kind = strings.ToLower(k.first("tags.gpuledger.io/kind", "tags.kind", "job_type", "jobtype", "job type"))
	r.labels = labels
	r.cluster = k.first("tags.gpuledger.io/cluster", "tags.cluster", "tags.k8s.cluster.name", "config.cluster",
		"tags.slurm_cluster_name", "config.slurm_cluster_name", "metadata.slurm.cluster_name")
	r.namespace = k.first("tags.k8s.namespace.name", "tags.kubernetes.namespace", "tags.namespace", "tags.pod_namespace",
		"config.namespace", "config.pod_namespace")
	r.link(k)
	return r, nil
}

// link finds the workloads that a record names, the most certain first: the uid of a pod, its
// name, the number of a Slurm job, the host (in a pod its name).
func (r *record) link(k known) {
	var names []string
	for _, prefix := range []string{"tags.", "config.", "metadata.", "params.", ""} {
		for _, name := range []string{"k8s.pod.uid", "kubernetes.pod.uid", "pod_uid"} {
			names = append(names, prefix+name)
		}
	}
	pods := []string{}
	for _, prefix := range []string{"tags.", "config.", "metadata.", "params.", ""} {
		for _, name := range []string{
			"k8s.pod.name", "kubernetes.pod.name", "kubernetes.pod_name",
			"kubernetes_pod_name", "mlflow.kubernetes.pod_name", "pod_name", "pod",
		} {
			pods = append(pods, prefix+name)
		}
	}
	var jobs, hosts []string
	for _, prefix := range []string{"tags.", "config.", "metadata.", "metadata.slurm.", "params.", ""} {
		jobs = append(jobs, prefix+"slurm_job_id", prefix+"slurm_jobid", prefix+"slurm.job_id", prefix+"slurm.jobid")
		hosts = append(hosts, prefix+"hostname", prefix+"host", prefix+"mlflow.source.host")
	}
	jobs = append(jobs, "metadata.slurm.job_id", "metadata.slurm.jobid")
	found := cmp.Or(k.first(names...), k.first(pods...), k.first(jobs...), k.first(hosts...))
	for name := range strings.FieldsFuncSeq(found, func(c rune) bool { return c == ',' || c == ';' || c == ' ' }) {
		if namespace, pod, qualified := strings.Cut(name, "/"); qualified {
			r.namespace, name = namespace, pod
		}
		r.workloads = append(r.workloads, name)
	}
}

// take emits the segments of a record.
func (p *parser) take(r *record) error {
	if len(r.workloads) == 0 {
		p.read.Ignore("run that names no pod, job or host", 1)
		return nil
	}
	p.read.Accepted++
	cluster := cmp.Or(r.cluster, p.opt.Cluster)
	if cluster == "" {
		cluster = defaultCluster
		p.read.Unlabelled++
	}
	for _, name := range r.workloads {
		statement := ""
		if r.clock != "" {
			statement = ledger.ByClock(r.clock, "run record", cluster, r.namespace, name, r.id)
		}
		p.out.Segments = append(p.out.Segments, ledger.SegmentFact{
			Cluster: cluster, Namespace: r.namespace, Pod: name, Run: r.id, From: r.from, To: r.to,
			Name: cmp.Or(r.name, r.id), Kind: r.kind, Group: r.group, Outcome: r.outcome,
			Reason: r.reason, Labels: r.labels, Statement: statement,
			AttrsAt: ledger.AttrsOrder(ledger.FromAPI, int64(max(r.from, r.to))*1000),
		})
	}
	if len(p.out.Segments) < batchSize {
		return nil
	}
	return p.send()
}
