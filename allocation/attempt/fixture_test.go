package attempt

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"gpuledger/allocation/policy"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// t0 is minute 0 of every story: 2026-11-02 00:00 UTC.
const t0 = period.Second(1793577600)

func at(minute int) period.Second { return t0 + period.Second(minute*60) }

// story is a small world in minutes since t0.
type story struct {
	in    Input
	nodes map[string]Node
}

func newStory() *story {
	s := &story{nodes: map[string]Node{}}
	s.in.Node = func(_, name string, _ period.Second) (Node, bool) {
		n, ok := s.nodes[name]
		return n, ok
	}
	s.in.Owner = func(p *ledger.WorkloadFact, _ map[string]string, _ ledger.ID) ledger.Owner {
		team := p.Labels["team"]
		if team == "" {
			team = "unowned"
		}
		return ledger.Owner{ID: ledger.NewID("owner", team), Team: team}
	}
	return s
}

// node adds a machine with 8 GPUs that lives from minute 0 for days.
func (s *story) node(name string, edit ...func(*Node)) *story {
	n := Node{
		ID:   ledger.NodeID("c", name, "i-"+name),
		Keys: []string{"i-" + name, "node/c/" + name}, GPUs: 8, PriceClass: ledger.OnDemand,
		Life: period.Interval{From: t0, To: at(20000)},
	}
	for _, e := range edit {
		e(&n)
	}
	s.nodes[name] = n
	return s
}

// pod adds a pod of owner "Kind/name" on node n1 from minute from to minute
// to, 8 GPUs. Its last sample is one minute before its end.
func (s *story) pod(uid, owner string, from, to int, edit ...func(*ledger.WorkloadFact)) *story {
	kind, name, _ := strings.Cut(owner, "/")
	p := ledger.WorkloadFact{
		Cluster: "c", Namespace: "ns", UID: uid, Name: "pod-" + uid, Node: "n1", OwnerKind: kind, OwnerName: name,
		Created: at(from), Scheduled: at(from), FirstSeen: at(from), LastSeen: at(to - 1), Phase: "Running",
		Requests: map[string]int64{"nvidia_com_gpu": 8},
	}
	for _, e := range edit {
		e(&p)
	}
	s.in.Pods = append(s.in.Pods, p)
	return s
}

func (s *story) observedUntil(minute int) *story {
	for m := 0; m <= minute; m += 60 {
		bits := ^uint64(0) >> 4
		if minute-m < 59 {
			bits = 1<<(minute-m+1) - 1
		}
		s.in.Sources = append(s.in.Sources, ledger.SourceHour{
			Cluster: "c", Source: ledger.SourceKubernetes, Hour: at(m), Minutes: bits,
		})
	}
	return s
}

func (s *story) object(o ledger.ObjectFact) *story {
	o.Cluster, o.Namespace = "c", "ns"
	s.in.Objects = append(s.in.Objects, o)
	return s
}

func (s *story) warning(node string, minute int) *story {
	s.in.Events = append(s.in.Events, ledger.InstanceEvent{
		InstanceID: "i-" + node, Kind: ledger.EventInterruption, At: at(minute),
	})
	return s
}

func (s *story) saved(pod string, minute int) *story {
	s.in.Checkpoints = append(s.in.Checkpoints, ledger.Checkpoint{
		Cluster: "c", Namespace: "ns", Pod: "pod-" + pod, At: at(minute),
	})
	return s
}

func (s *story) build() Result { return Build(s.in, policy.Default()) }

// Edits of pods.
func on(node string) func(*ledger.WorkloadFact) {
	return func(p *ledger.WorkloadFact) { p.Node = node }
}
func named(name string) func(*ledger.WorkloadFact) {
	return func(p *ledger.WorkloadFact) { p.Name = name }
}
func succeeded(p *ledger.WorkloadFact) { p.Phase, p.Completed = "Succeeded", p.LastSeen+60 }
func failed(reason string) func(*ledger.WorkloadFact) {
	return func(p *ledger.WorkloadFact) {
		p.Phase, p.TerminatedReason, p.Completed = "Failed", reason, p.LastSeen+60
	}
}
func deleted(p *ledger.WorkloadFact) { p.Deleted = p.LastSeen }
func label(k, v string) func(*ledger.WorkloadFact) {
	return func(p *ledger.WorkloadFact) {
		if p.Labels == nil {
			p.Labels = map[string]string{}
		}
		p.Labels[k] = v
	}
}
func worker(i int) func(*ledger.WorkloadFact) {
	return func(p *ledger.WorkloadFact) {
		label("training_kubeflow_org_replica_type", "worker")(p)
		label("training_kubeflow_org_replica_index", fmt.Sprint(i))(p)
	}
}

// minutes prints an instant as minutes since t0.
func minutes(t period.Second) string {
	if t == 0 {
		return "-"
	}
	since := int64(t - t0)
	if since%60 != 0 {
		return fmt.Sprintf("%d:%02d", since/60, since%60)
	}
	return fmt.Sprint(since / 60)
}

// attempts prints attempts one per line: task#number from–to outcome, then
// loss, gang completion and segments.
func attempts(r Result) string {
	uid := map[ledger.ID]string{}
	for _, w := range r.Workloads {
		uid[w.ID] = w.UID
	}
	var b strings.Builder
	for _, a := range r.Attempts {
		fmt.Fprintf(&b, "%s#%d %s–%s %s", a.Task, a.Number, minutes(a.Span.From), minutes(a.Span.To), a.Outcome)
		if a.Reason != "" {
			fmt.Fprintf(&b, "(%s)", a.Reason)
		}
		if a.LossBasis != "" {
			fmt.Fprintf(&b, " lost %s from %s", a.LossBasis, minutes(a.LossFrom))
		}
		fmt.Fprintf(&b, " complete %s:", minutes(a.GangComplete))
		byUID := slices.SortedFunc(slices.Values(a.Segments), func(x, y ledger.Segment) int {
			return cmp.Compare(uid[x.Workload], uid[y.Workload])
		})
		for _, g := range byUID {
			fmt.Fprintf(&b, " %s %s–%s", uid[g.Workload], minutes(g.From), minutes(g.To))
		}
		b.WriteString("\n")
	}
	return b.String()
}

func wantAttempts(t *testing.T, s *story, want ...string) {
	t.Helper()
	if got := attempts(s.build()); got != strings.Join(want, "\n")+"\n" {
		t.Errorf("got\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
}
