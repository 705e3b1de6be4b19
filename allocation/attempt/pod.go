package attempt

import (
	"cmp"
	"slices"
	"strings"

	"gpuledger/allocation/policy"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// pod is a workload fact of any system, with everything that follows from this fact alone.
type pod struct {
	*ledger.WorkloadFact
	id         ledger.ID
	labels     labels
	rootLabels labels
	nsLabels   labels // of its namespace
	root       root
	class      ledger.WorkloadClass
	node       Node
	placed     bool // on a machine, or a job of a managed service that has begun
	hold       period.Interval
	outcome    ledger.Outcome
	reason     string
	places     int    // devices and slices in its placements
	member     string // place in its gang (rule 6.5)
	task       string // if its run is not a gang
	number     int    // of its attempt; 0 unknown
	explicit   bool   // the number comes from a label of the run itself
	runID      string // explicit run id label
	owner      ledger.Owner
	said       ledger.LabelSet
	run        string
	restarts   []ledger.WorkloadEvent // that cut its hold, by time
	saved      []period.Second        // its checkpoints, by time
	load       load                   // how many segments share it
}

// held reports whether the pod ever held anything.
func (p *pod) held() bool { return p.placed && !p.hold.Empty() }

// begins is the first time of the pod: the start of its hold, else its creation.
func (p *pod) begins() period.Second {
	if p.held() {
		return p.hold.From
	}
	return cmp.Or(p.Created, p.FirstSeen)
}

// wantsGPU reports whether the pod requests any GPU resource.
func (p *pod) wantsGPU() bool { return p.slots() > 0 }

// matters reports whether the pod can involve a GPU. Systems that do not report GPUs count in full.
func (p *pod) matters() bool {
	silent := len(p.Requests) == 0 && p.System != ledger.SystemKubernetes && p.System != ledger.SystemSlurm
	return silent || p.wantsGPU() || p.node.GPUs > 0
}

// slots is how many GPU resources the pod requested or was given.
func (p *pod) slots() int64 {
	var n int64
	for resource, count := range p.Requests {
		if _, card := ledger.AcceleratorOf(resource); card || strings.HasPrefix(resource, ledger.ResourceMIGPrefix) {
			n += count
		}
	}
	return max(n, int64(p.places))
}

// resolver derives everything that follows from one workload.
type resolver struct {
	in     Input
	pol    policy.Policy
	tree   objects
	world  surroundings
	events happenings
	folder folder
	places map[[2]string]int    // by cluster and uid
	spaces map[[2]string]labels // of namespaces, by cluster and name
}

// resolvePods derives everything that follows from each pod alone, in the order (cluster, uid).
func resolvePods(in Input, pol policy.Policy) []*pod {
	r := resolver{
		in: in, pol: pol, tree: newObjects(in.Objects), world: newSurroundings(in, pol),
		folder: folder{}, places: placesOf(in.Placements), spaces: map[[2]string]labels{},
	}
	r.events = newHappenings(in.Happened, r.tree)
	facts := slices.Clone(in.Pods)
	slices.SortFunc(facts, func(a, b ledger.WorkloadFact) int {
		return cmp.Or(cmp.Compare(a.Cluster, b.Cluster), cmp.Compare(a.UID, b.UID))
	})
	begun := begunLives(facts)
	pods := make([]*pod, 0, len(facts))
	for i := range facts {
		if f := &facts[i]; f.Node == "" && f.System != ledger.SystemKubernetes && begun[lifeOf(f)] {
			continue // it waited until it had nodes: its workloads on them replace it
		}
		pods = append(pods, r.pod(&facts[i]))
	}
	rankNodes(pods)
	return pods
}

func (r *resolver) pod(f *ledger.WorkloadFact) *pod {
	p := &pod{
		WorkloadFact: f, id: ledger.NewID("workload", f.Cluster, f.UID),
		labels: r.folder.fold(f.Labels), places: r.places[[2]string{f.Cluster, f.UID}],
	}
	at := cmp.Or(p.Scheduled, p.Started, p.Created, p.FirstSeen)
	if p.placed = p.Node != ""; p.placed {
		p.node, _ = r.in.Node(p.Cluster, p.Node, at) // a name of no known machine holds on the zero node
	} else if p.System != ledger.SystemKubernetes && cmp.Or(p.Scheduled, p.Started) != 0 {
		p.placed = true // it has times for its attempts but holds nothing
	}
	p.hold = hold(p.WorkloadFact, p.node, p.placed, r.pol)
	p.root = r.tree.rootOf(p.WorkloadFact, p.labels, r.folder, cmp.Or(p.Created, at))
	p.rootLabels = r.folder.fold(p.root.labels)
	p.class = classOf(p.root.kind, p.labels, p.rootLabels)
	happened := r.events.of(p)
	p.outcome, p.reason = r.world.outcome(p, happened)
	p.restarts = restartsOf(happened, p.hold)
	p.runID = cmp.Or(p.labels.get("gpuledgeriorunid"), p.rootLabels.get("gpuledgeriorunid"))
	p.number, p.explicit = p.attemptNumber()
	p.task = p.taskKey()
	p.owner = r.in.Owner(p.WorkloadFact, p.root.labels, p.node.ID)
	p.said = ledger.LabelSet{p.Labels, p.root.labels}
	if r.in.Namespace != nil {
		p.said[2] = r.in.Namespace(p.Cluster, p.Namespace)
		p.nsLabels = r.namespace(p)
	}
	return p
}

// namespace folds the labels of a pod's namespace, once.
func (r *resolver) namespace(p *pod) labels {
	key := [2]string{p.Cluster, p.Namespace}
	l, known := r.spaces[key]
	if !known {
		l = r.folder.fold(p.said[2])
		r.spaces[key] = l
	}
	return l
}

// limits is a label that limits cost: of the pod, else of its root owner, else of its namespace.
func (p *pod) limits(label ledger.LimitLabel) string {
	for _, l := range []labels{p.labels, p.rootLabels, p.nsLabels} {
		if text := l.get(label.Keys()...); text != "" {
			return text
		}
	}
	return ""
}

// placesOf counts the devices and slices that each workload was given.
func placesOf(all []ledger.Placement) map[[2]string]int {
	type place struct {
		cluster, workload, device string
		slice                     int32
	}
	seen := map[place]bool{}
	count := map[[2]string]int{}
	for i := range all {
		p := &all[i]
		if k := (place{p.Cluster, p.Workload, p.Device, p.SliceID}); !seen[k] {
			seen[k] = true
			count[[2]string{p.Cluster, p.Workload}]++
		}
	}
	return count
}

func (p *pod) workload() ledger.Workload {
	w := ledger.Workload{
		ID: p.id, Cluster: p.Cluster, Namespace: p.Namespace, Name: p.Name, UID: p.UID,
		Kind: p.root.kind, OwnerName: p.root.name, Class: p.class,
		NodeID: p.node.ID, Hold: p.hold, Outcome: p.outcome,
		Reason: p.reason, RunID: p.run, OwnerID: p.owner.ID, Labels: p.said,
		BudgetText: p.limits(ledger.LabelBudget), Appeared: cmp.Or(p.Created, p.FirstSeen, p.hold.From),
	}
	if p.class == ledger.ClassService {
		w.Service = p.root.name
	}
	return w
}

// hold applies rules 4.1 and 4.9. If no series has the scheduled time, it is the first own sample, since the pod was on
// its node by then.
func hold(p *ledger.WorkloadFact, node Node, placed bool, pol policy.Policy) period.Interval {
	if !placed {
		return period.Interval{}
	}
	h := Hold(p, pol)
	if !node.Life.Empty() {
		h.To = max(h.From, min(h.To, node.Life.To))
	}
	return h
}

// Hold is the time in which a workload's own facts say that it held something, whatever its node's facts are.
func Hold(p *ledger.WorkloadFact, pol policy.Policy) period.Interval {
	from := cmp.Or(p.Scheduled, p.Started, p.FirstSeen, p.Created)
	to := cmp.Or(p.Completed, p.TerminalAt)
	if to == 0 {
		to = max(p.LastSeen, from) + period.Second(pol.ScrapeStep)
	}
	return period.Interval{From: from, To: max(from, to)}
}
