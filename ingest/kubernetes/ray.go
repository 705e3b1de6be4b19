package kubernetes

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// rays links RayJobs that share a Ray cluster (spec.clusterSelector) to its pods: each job is a
// segment of all of them. A RayJob with its own cluster needs no segments, since its pods
// belong to it.
type rays struct {
	jobs map[string]map[string]rayJob // namespace/cluster → job name → job
	pods map[string]map[string]string // namespace/cluster → pod UID → pod name
	at   map[string]string            // pod UID → namespace/cluster
}

type rayJob struct {
	namespace, name, run string
	from, to             period.Second
	outcome              ledger.Outcome
	reason               string
	labels               map[string]string
	attrsAt              int64
}

func newRays() rays {
	return rays{jobs: map[string]map[string]rayJob{}, pods: map[string]map[string]string{}, at: map[string]string{}}
}

const rayCluster = "ray.io/cluster"

// pod records a pod of a Ray cluster and returns the segments that it serves.
func (r rays) pod(cluster string, f *ledger.WorkloadFact) []ledger.SegmentFact {
	name := f.Labels[rayCluster]
	if name == "" || !asksForDevices(f.Requests) {
		return nil
	}
	key := f.Namespace + "/" + name
	if r.pods[key] == nil {
		r.pods[key] = map[string]string{}
	}
	r.pods[key][f.UID], r.at[f.UID] = f.Name, key
	var out []ledger.SegmentFact
	for _, job := range slices.Sorted(maps.Keys(r.jobs[key])) {
		out = append(out, r.jobs[key][job].segment(cluster, f.UID))
	}
	return out
}

func (r rays) forget(uid string) {
	if key, ok := r.at[uid]; ok {
		delete(r.pods[key], uid)
		delete(r.at, uid)
	}
}

// job reads a RayJob and returns its segments.
func (r rays) job(cluster string, o *Object, seenMS int64) []ledger.SegmentFact {
	selector, shared, err := unstructured.NestedStringMap(o.Object, "spec", "clusterSelector")
	if err != nil || !shared || len(selector) == 0 {
		return nil
	}
	attrs := attrsOf(o)
	name := cmp.Or(attrs["rayCluster"], selector[rayCluster])
	from := timeOf(attrs["started_at"])
	if name == "" || from == 0 {
		return nil
	}
	key := o.GetNamespace() + "/" + name
	created := second(o.GetCreationTimestamp())
	job := rayJob{
		namespace: o.GetNamespace(), name: o.GetName(), from: from, to: timeOf(attrs["ended_at"]), labels: labelsOf(o),
		run: cmp.Or(labelsOf(o)[ledger.LabelRunID],
			strings.Join([]string{cluster, o.GetNamespace(), "RayJob", o.GetName(), unix(created)}, "/")),
		attrsAt: ledger.AttrsOrder(ledger.FromAPI, seenMS),
	}
	switch attrs["jobStatus"] {
	case "SUCCEEDED":
		job.outcome = ledger.Succeeded
	case "FAILED":
		job.outcome, job.reason = ledger.Failed, attrs["reason"]
	case "STOPPED":
		job.outcome = ledger.Cancelled
	case "RUNNING":
		job.outcome = ledger.Running
	}
	if r.jobs[key] == nil {
		r.jobs[key] = map[string]rayJob{}
	}
	r.jobs[key][job.name] = job
	var out []ledger.SegmentFact
	for _, uid := range slices.Sorted(maps.Keys(r.pods[key])) {
		out = append(out, job.segment(cluster, uid))
	}
	return out
}

func (j rayJob) segment(cluster, pod string) ledger.SegmentFact {
	return ledger.SegmentFact{
		Cluster: cluster, Namespace: j.namespace, Pod: pod, Run: j.run, From: j.from, To: j.to,
		Name: j.name, Kind: "RayJob", Outcome: j.outcome, Reason: j.reason, Labels: j.labels, AttrsAt: j.attrsAt,
	}
}
