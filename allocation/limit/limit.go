package limit

import (
	"cmp"
	"maps"
	"slices"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// World is what carries labels, and the owners that it names.
type World struct {
	Nodes     []ledger.Node
	Owners    []ledger.Owner
	Workloads []ledger.Workload
	Runs      []ledger.Run
}

// atOnce is how long two workloads have to be there together to disagree. The pods of a rollout overlap for less.
const atOnce = period.Second(period.Hour)

// said is one workload that carries a text.
type said struct {
	label    ledger.LimitLabel
	text     string
	amount   money.Amount
	id       string // of its root owner, run or machine
	cluster  string
	name     string
	from, to period.Second
}

// subject is what a budget is for.
type subject struct{ key, value string }

// Texts are the texts of labels that limit cost: the versions of budgets by key, value and version, then texts that
// limit nothing.
func Texts(w World) []ledger.LimitText {
	owners := make(map[ledger.ID]*ledger.Owner, len(w.Owners))
	for i := range w.Owners {
		owners[w.Owners[i].ID] = &w.Owners[i]
	}
	budgets, idle := map[subject][]said{}, map[fault][]said{}
	for s, owner := range w.said {
		of, known := subjectOf(owners[owner])
		amount, ok := ledger.ParseLimit(s.text)
		s.amount = amount
		switch {
		case !ok:
			at := fault{s.label, ledger.LimitNoAmount, s.cluster, s.text}
			idle[at] = append(idle[at], s)
		case s.label == ledger.LabelRunLimit: // the run has it
		case !known:
			at := fault{s.label, ledger.LimitNoOwner, s.cluster, s.text}
			idle[at] = append(idle[at], s)
		default:
			budgets[of] = append(budgets[of], s)
		}
	}
	var out []ledger.LimitText
	for _, of := range slices.SortedFunc(maps.Keys(budgets), func(a, b subject) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.value, b.value))
	}) {
		out = append(out, versions(of, budgets[of])...)
	}
	for _, at := range slices.SortedFunc(maps.Keys(idle), compareFaults) {
		out = append(out, at.row(idle[at]))
	}
	return out
}

// subjectOf is the experiment of an owner, else its project.
func subjectOf(o *ledger.Owner) (subject, bool) {
	switch {
	case o == nil:
		return subject{}, false
	case o.Experiment != "":
		return subject{"experiment", o.Experiment}, true
	}
	return subject{"project", o.Project}, o.Project != ""
}

// said yields all that carries a label, each with its owner.
func (w *World) said(yield func(said, ledger.ID) bool) {
	for i := range w.Workloads {
		p := &w.Workloads[i]
		if p.BudgetText == "" {
			continue
		}
		s := said{
			label: ledger.LabelBudget, text: p.BudgetText, cluster: p.Cluster, name: named(p.Namespace, p.OwnerName),
			id:   cmp.Or(p.RunID, p.Cluster+"/"+p.Namespace+"/"+p.Kind+"/"+p.OwnerName),
			from: p.Appeared, to: max(p.Appeared, p.Hold.To),
		}
		if !yield(s, p.OwnerID) {
			return
		}
	}
	for i := range w.Runs {
		r := &w.Runs[i]
		s := said{
			cluster: r.Cluster, name: named(r.Namespace, r.Name), id: r.ID, from: cmp.Or(r.CreatedAt, r.StartedAt),
			to: max(r.CreatedAt, r.StartedAt, r.EndedAt),
		}
		for label, text := range map[ledger.LimitLabel]string{
			ledger.LabelBudget: r.BudgetText, ledger.LabelRunLimit: r.LimitText,
		} {
			if s.label, s.text = label, text; text != "" && !yield(s, r.OwnerID) {
				return
			}
		}
	}
	for i := range w.Nodes {
		n := &w.Nodes[i]
		keys := ledger.LabelBudget.Keys()
		text := cmp.Or(ledger.Label(n.Labels, keys...), ledger.Label(n.Tags, keys...))
		if text == "" {
			continue
		}
		s := said{
			label: ledger.LabelBudget, text: text, cluster: n.Cluster, name: n.Name, id: "machine " + n.ID.String(),
			from: n.Life.From, to: n.Life.To,
		}
		if !yield(s, n.OwnerID) {
			return
		}
	}
}

// named is a name in its namespace.
func named(namespace, name string) string {
	if namespace == "" {
		return name
	}
	return namespace + "/" + name
}

// versions are the amounts of one budget in the order in which workloads that name them appeared. Of several that
// appear in one second the largest is the last.
func versions(of subject, all []said) (out []ledger.LimitText) {
	slices.SortFunc(all, func(a, b said) int {
		return cmp.Or(cmp.Compare(a.from, b.from), a.amount.Cmp(b.amount), cmp.Compare(a.id, b.id),
			cmp.Compare(a.text, b.text))
	})
	id := ledger.NewID("budget of label", of.key, of.value)
	for rest := all; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].amount.Cmp(rest[0].amount) == 0 {
			n++
		}
		t := row(rest[:n])
		t.BudgetID, t.Key, t.Value, t.Version = id, of.key, of.value, len(out)+1
		t.Standing, t.Amount = ledger.LimitEarlier, &rest[0].amount
		out, rest = append(out, t), rest[n:]
	}
	newest := &out[len(out)-1]
	newest.Standing = ledger.LimitNewest
	disagree(newest, all)
	return out
}

// disagree sets the amounts of other workloads that were there together with those of the newest version.
func disagree(newest *ledger.LimitText, all []said) {
	for _, s := range all {
		together := min(s.to, newest.To) - max(s.from, newest.From)
		if s.amount.Cmp(*newest.Amount) != 0 && together > atOnce && !slices.ContainsFunc(newest.Others,
			func(a money.Amount) bool { return a.Cmp(s.amount) == 0 }) {
			newest.Others = append(newest.Others, s.amount)
		}
	}
	slices.SortFunc(newest.Others, money.Amount.Cmp)
}

// row is what workloads that carry one text have in common. They are in the order in which they appeared.
func row(all []said) ledger.LimitText {
	first := all[0]
	t := ledger.LimitText{
		Label: first.label, Text: first.text, Cluster: first.cluster, Workload: first.name, From: first.from, To: first.to,
	}
	ids := map[string]bool{}
	for _, s := range all {
		ids[s.id] = true
		t.To = max(t.To, s.to)
	}
	t.Workloads = len(ids)
	return t
}
