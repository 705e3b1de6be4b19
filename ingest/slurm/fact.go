package slurm

import (
	"cmp"
	"maps"
	"strconv"
	"strings"

	"gpuledger/ingest/records"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// life emits the facts of one life of a job: a workload per node, or one without a node for a
// job that waits, never started, or whose nodes are unknown. part is true for the rest of a
// life after its job was resized.
func (c *collector) life(r *record, firstSubmit period.Second, attempt int64, part bool) {
	labels := r.labels()
	if attempt > 0 {
		labels[ledger.LabelAttempt] = strconv.FormatInt(attempt, 10)
	}
	last := cmp.Or(r.end, r.seen())
	if r.state.phase == running && last == 0 {
		// A later entry in the file was known by then.
		last = max(r.start, r.covered.last)
	}
	last = max(last, r.start, r.submit)
	w := ledger.WorkloadFact{
		Cluster: r.cluster, System: ledger.SystemSlurm, Namespace: records.Clean(r.account), Name: r.number(),
		OwnerKind: ledger.KindSlurmJob, OwnerName: r.owner(),
		Created: r.submit, Eligible: r.eligible, Scheduled: r.start, Started: r.start,
		FirstSeen: cmp.Or(r.submit, r.start, r.end), LastSeen: last,
		Outcome: r.state.outcome, AttrsAt: ledger.AttrsOrder(ledger.FromAPI, int64(last)*1000),
	}
	w.Reason = r.endReason()
	if r.state.phase == ended {
		w.Completed = r.end
		w.Phase = "Failed"
		if w.Outcome == ledger.Succeeded {
			w.Phase = "Succeeded"
		}
	}
	uid := "slurm/" + r.cluster + "/" + r.number() + "/" + strconv.FormatInt(int64(r.submit), 10) + "/"
	if r.clock != "" {
		w.Statement = ledger.ByClock(r.clock, "slurm", r.cluster, r.number())
	}
	suffix := ""
	if part {
		suffix = "/" + strconv.FormatInt(int64(r.start), 10)
	}
	if r.start == 0 || len(r.nodes) == 0 {
		if r.start == 0 {
			w.Started, w.Scheduled = 0, 0
		}
		total := r.alloc
		if total.none() {
			total = r.req
		}
		if tasks, ok := countIndexes(r.id.tasks); ok && r.state.phase == waiting {
			total = total.times(tasks)
		}
		w.UID, w.Labels, w.Requests = uid+suffix, labels, total.requests()
		c.out.Workloads = append(c.out.Workloads, w)
	}
	if r.start > 0 {
		for i, node := range r.nodes {
			c.onNode(r, w, labels, uid+records.Clean(node)+suffix, records.Clean(node), i)
		}
	}
	c.job(r, labels, firstSubmit, last)
}

// onNode emits the facts of a life's part on its i-th node.
func (c *collector) onNode(r *record, w ledger.WorkloadFact, labels map[string]string, uid, node string, i int) {
	w.UID, w.Node = uid, node
	w.Labels = maps.Clone(labels)
	w.Labels[ledger.LabelMember] = strconv.Itoa(i)
	if r.id.offset != "" {
		w.Labels[ledger.LabelMember] = r.id.offset + "-" + strconv.Itoa(i)
	}
	share := r.alloc.part(i, len(r.nodes))
	if len(r.details) == len(r.nodes) && len(r.details[i]) > 0 {
		share = gresTotal(r.details[i])
		c.place(r, w, r.details[i])
	}
	if share.model != "" {
		w.Labels["gpu-type"] = records.Clean(share.model)
	}
	w.Requests = share.requests()
	c.out.Workloads = append(c.out.Workloads, w)
}

// place links a part of a job to devices by their indices in its source. Indices of MIG
// instances number instances, not devices, and are ignored.
func (c *collector) place(r *record, w ledger.WorkloadFact, details []gres) {
	for _, g := range details {
		resource, kind, _ := strings.Cut(g.name, ":")
		if migProfile(kind) != "" {
			continue
		}
		share := int64(1_000_000)
		if resource != "gpu" {
			share = -1
		}
		for _, index := range g.indices {
			c.out.Placements = append(c.out.Placements, ledger.Placement{
				Cluster: r.cluster, Node: w.Node, Device: "#" + strconv.FormatInt(index, 10), SliceID: ledger.WholeDevice,
				Workload: w.UID, Evidence: ledger.EvidenceIndex, CoreShare: share, MemoryShare: share,
			})
		}
	}
}

// owner is the job that the lives belong to: for the parts of a heterogeneous job, their
// leader.
func (r *record) owner() string {
	if r.id.offset != "" {
		return r.id.base
	}
	return r.number()
}

// endReason is why a life ended, or why the job waits.
func (r *record) endReason() string {
	switch {
	case r.state.phase == waiting:
		return records.Clean(r.reason)
	case r.state.phase == running || r.state.outcome == ledger.Succeeded && r.state.reason == "":
		return ""
	case r.state.reason != "":
		return r.state.reason
	case r.state.outcome == ledger.Failed:
		code, signal, _ := strings.Cut(r.exit, ":")
		if digits(signal) && strings.Trim(signal, "0") != "" {
			return "signal " + signal
		}
		if digits(code) && strings.Trim(code, "0") != "" {
			return "exit code " + code
		}
	}
	return r.stateName
}

// labels are the known attributes of a job and its user.
func (r *record) labels() map[string]string {
	labels := commentLabels(r.comment)
	if r.id.task != "" || r.id.tasks != "" {
		labels[ledger.LabelGroup] = r.cluster + "/" + r.id.base
	}
	for key, value := range map[string]string{
		"user": r.user, "account": r.account, "queue": r.partition, "qos": r.qos,
		"job-name": r.name, "wckey": r.wckey, "slurm-job-id": r.id.job(),
	} {
		if labels[key] == "" {
			labels[key] = value
		}
	}
	return dropEmpty(labels)
}

// commentKeys are attributes that users may put into a job's comment as key=value, by folded
// spelling: Slurm has no labels.
var commentKeys = map[string]string{
	"runid": ledger.LabelRunID, "gpuledgeriorunid": ledger.LabelRunID,
	"wandbrunid": ledger.LabelRunID, "mlflowrunid": ledger.LabelRunID,
	"group": ledger.LabelGroup, "gpuledgeriogroup": ledger.LabelGroup,
	"kind": ledger.LabelKind, "gpuledgeriokind": ledger.LabelKind,
	"gpuledgeriotask": ledger.LabelTask, "pricing": ledger.LabelPricing, "gpuledgeriopricing": ledger.LabelPricing,
	"team": "team", "project": "project", "model": "model", "modelversion": "model-version",
	"stage": "stage", "environment": "environment", "env": "environment",
	"experiment": "experiment", "experimentid": "experiment", "dataset": "dataset",
	"businessunit": "business-unit", "costcenter": "cost-center",
	"costbudgetlimit": string(ledger.LabelBudget), "maxcostperrun": string(ledger.LabelRunLimit),
}

// commentLabels reads the key=value pairs of a comment.
func commentLabels(comment string) map[string]string {
	labels := map[string]string{}
	for word := range strings.FieldsFuncSeq(comment, func(r rune) bool { return strings.ContainsRune(",; \t\n\"", r) }) {
		key, value, found := strings.Cut(word, "=")
		name, known := commentKeys[ledger.FoldKey(key)]
		if found && known && value != "" && labels[name] == "" {
			labels[name] = value
		}
	}
	return labels
}

// job emits the fact of the root owner. Slurm's accounts name the payer: a job without a team
// belongs to its account.
func (c *collector) job(r *record, labels map[string]string, firstSubmit, last period.Second) {
	own := maps.Clone(labels)
	delete(own, ledger.LabelAttempt)
	if own["team"] == "" && r.account != "" {
		own["team"] = records.Clean(r.account)
	}
	attrs := map[string]string{"state": r.stateName}
	if n := len(r.nodes); n > 0 {
		attrs["nodes"] = strconv.Itoa(n)
	}
	if r.id.tasks != "" {
		attrs["tasks"] = r.id.tasks
	}
	c.out.Objects = append(c.out.Objects, ledger.ObjectFact{
		Cluster: r.cluster, Namespace: records.Clean(r.account), Kind: ledger.KindSlurmJob, Name: r.owner(),
		Labels: own, Created: firstSubmit, Attrs: attrs, AttrsAt: ledger.AttrsOrder(ledger.FromAPI, int64(last)*1000),
	})
}
