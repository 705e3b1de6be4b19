package attempt

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// root is the owner at the top of a pod (rule 6.1).
type root struct {
	kind, name string
	labels     map[string]string
	job        *object // the batch Job below or at the root, nil when there is none
	group      string  // CronJob, when one made the Job
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
		return cmp.Or(cmp.Compare(a.Created, b.Created), cmp.Compare(a.AttrsAt, b.AttrsAt), cmp.Compare(a.OwnerName, b.OwnerName))
	})
	x := objects{}
	for _, f := range facts {
		key := objectKey{f.Cluster, f.Kind, f.Namespace, f.Name}
		group := x[key]
		switch n := len(group); {
		case n == 0, group[n-1].Created != 0 && group[n-1].Created != f.Created:
			x[key] = append(group, &object{f})
		default: // the same object, or one whose creation was not known before
			group[n-1] = mergeObjects(group[n-1], f)
		}
	}
	return x
}

// mergeObjects lays the newer fact over the older; what only one knows stays.
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
	m := maps.Clone(under)
	maps.Copy(m, over)
	return m
}

// find returns the object that had been created by an instant, else the
// earliest; nil when the name is not known.
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

// rootOf climbs from a pod to its root owner.
func (x objects) rootOf(p *ledger.WorkloadFact, at period.Second) root {
	switch p.OwnerKind {
	case "":
		return root{kind: "Pod", name: p.Name}
	case "ReplicaSet":
		if rs := x.find(p.Cluster, "ReplicaSet", p.Namespace, p.OwnerName, at); rs != nil && rs.OwnerKind != "" {
			return x.named(p, rs.OwnerKind, rs.OwnerName, at)
		}
		return x.named(p, "Deployment", withoutHash(p.OwnerName), at)
	case "Job":
		job := x.find(p.Cluster, "Job", p.Namespace, p.OwnerName, at)
		r := root{kind: "Job", name: p.OwnerName, job: job}
		if job == nil {
			return r
		}
		r.labels = job.Labels
		switch job.OwnerKind {
		case "":
		case "CronJob":
			r.group = strings.Join([]string{p.Cluster, p.Namespace, "CronJob", job.OwnerName}, "/")
		default:
			r = x.named(p, job.OwnerKind, job.OwnerName, at)
			r.job = job
			r.labels = overlay(job.Labels, r.labels)
		}
		return r
	}
	return x.named(p, p.OwnerKind, p.OwnerName, at)
}

func (x objects) named(p *ledger.WorkloadFact, kind, name string, at period.Second) root {
	r := root{kind: kind, name: name}
	if o := x.find(p.Cluster, kind, p.Namespace, name, at); o != nil {
		r.labels = o.Labels
	}
	return r
}

// withoutHash drops the pod-template hash from a ReplicaSet's name.
func withoutHash(name string) string {
	if i := strings.LastIndexByte(name, '-'); i > 0 {
		return name[:i]
	}
	return name
}
