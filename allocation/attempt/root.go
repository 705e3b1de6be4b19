package attempt

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// root is the owner at the top of a workload (rule 6.1).
type root struct {
	kind, name string
	labels     map[string]string
	created    period.Second // of the root object, 0 if unknown
	job        *object       // the batch Job below or at the root, nil if there is none
	group      string        // the creator of the root, if that is not a run
}

// object is a Kubernetes object as of one creation.
type object struct {
	ledger.ObjectFact
}

type objectKey struct{ cluster, kind, namespace, name string }

// objects finds owners by name and time.
type objects map[objectKey][]*object

func newObjects(facts []ledger.ObjectFact) objects {
	facts = slices.Clone(facts)
	slices.SortFunc(facts, func(a, b ledger.ObjectFact) int {
		return cmp.Or(cmp.Compare(a.Created, b.Created), cmp.Compare(a.AttrsAt, b.AttrsAt),
			cmp.Compare(a.OwnerName, b.OwnerName))
	})
	x := objects{}
	for _, f := range facts {
		key := objectKey{f.Cluster, f.Kind, f.Namespace, f.Name}
		group := x[key]
		switch n := len(group); {
		case n == 0, group[n-1].Created != 0 && group[n-1].Created != f.Created:
			x[key] = append(group, &object{f})
		default: // the same object, or one whose creation was unknown before
			group[n-1] = mergeObjects(group[n-1], f)
		}
	}
	return x
}

// mergeObjects lays the newer fact over the older; fields that only one has stay.
func mergeObjects(old *object, f ledger.ObjectFact) *object {
	m := f
	m.OwnerKind, m.OwnerName = cmp.Or(f.OwnerKind, old.OwnerKind), cmp.Or(f.OwnerName, old.OwnerName)
	m.Labels, m.Attrs = overlay(old.Labels, f.Labels), overlay(old.Attrs, f.Attrs)
	return &object{m}
}

func overlay(under, over map[string]string) map[string]string {
	if len(under) == 0 {
		return over
	}
	if len(over) == 0 {
		return under
	}
	m := maps.Clone(under)
	maps.Copy(m, over)
	return m
}

// find returns the object that had been created by an instant, else the earliest; nil if the name is unknown.
func (x objects) find(cluster, kind, namespace, name string, at period.Second) *object {
	group := x[objectKey{cluster, kind, namespace, name}]
	if len(group) == 0 {
		return nil
	}
	found := group[0]
	for _, o := range group[1:] {
		if o.Created <= at {
			found = o
		}
	}
	return found
}

// longestClimb is the most levels of owners; more means a cycle.
const longestClimb = 8

// owned are kinds whose owner is looked up, too.
var owned = map[string]bool{
	"ReplicaSet": true, "Deployment": true, "ReplicationController": true,
	"StatefulSet": true, "Job": true, kindJobSet: true, kindRayCluster: true,
}

// groups are kinds that start runs and are not runs themselves.
var groups = map[string]bool{"CronJob": true, kindWorkflow: true, "CronWorkflow": true, "PipelineRun": true}

// systemKinds are the root kinds of workloads that other systems than Kubernetes started.
var systemKinds = map[ledger.System]string{
	ledger.SystemSlurm: ledger.KindSlurmJob, ledger.SystemSageMaker: ledger.KindSageMakerJob,
	ledger.SystemAttempts: ledger.KindAttempts, ledger.SystemProcess: ledger.KindProcess,
}

// rootOf finds the root owner by owner references and, if these end at a lower kind, by labels.
func (x objects) rootOf(p *ledger.WorkloadFact, l labels, f folder, at period.Second) root {
	if p.System != ledger.SystemKubernetes {
		r := root{kind: cmp.Or(p.OwnerKind, systemKinds[p.System], string(p.System)), name: cmp.Or(p.OwnerName, p.Name)}
		x.look(&r, p, at)
		return r
	}
	r := x.climb(p, at)
	kind, name := framework(r.kind, l)
	if kind == "" && r.kind == kindRayCluster {
		kind, name = framework(r.kind, f.fold(r.labels))
	}
	if kind != "" {
		r.kind, r.name, r.created = kind, name, 0
		x.look(&r, p, at)
	}
	return r
}

// climb follows owner references.
func (x objects) climb(p *ledger.WorkloadFact, at period.Second) root {
	if p.OwnerKind == "" {
		return root{kind: "Pod", name: p.Name}
	}
	r := root{kind: p.OwnerKind, name: p.OwnerName}
	for range longestClimb {
		o := x.look(&r, p, at)
		switch {
		case r.kind == "ReplicaSet" && (o == nil || o.OwnerKind == ""):
			r = root{kind: "Deployment", name: withoutHash(r.name)}
			continue
		case r.kind == "ReplicaSet":
			r.labels = nil // labels of the pod template: the pods have them
		case o == nil || o.OwnerKind == "" || !owned[r.kind]:
			return r
		case r.kind == "Job" && groups[o.OwnerKind]:
			r.group = strings.Join([]string{p.Cluster, p.Namespace, o.OwnerKind, o.OwnerName}, "/")
			return r
		}
		r.kind, r.name, r.created = o.OwnerKind, o.OwnerName, 0
	}
	return r
}

// look sets the attributes of the root's object, over those of the objects below it, and returns it.
func (x objects) look(r *root, p *ledger.WorkloadFact, at period.Second) *object {
	o := x.find(p.Cluster, r.kind, p.Namespace, r.name, at)
	if o == nil {
		return nil
	}
	r.labels, r.created = overlay(r.labels, o.Labels), o.Created
	if r.kind == "Job" {
		r.job = o
	}
	return o
}

// withoutHash drops the pod-template hash from a ReplicaSet's name.
func withoutHash(name string) string {
	if i := strings.LastIndexByte(name, '-'); i > 0 {
		return name[:i]
	}
	return name
}
