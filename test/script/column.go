package script

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// column is a column of an expected table.
type column struct {
	name string
	key  bool   // groups rows; else it is a sum
	over string // for a quotient: the divisor of the sum of name
}

// keyColumns and sumColumns are the possible columns of tables.
var (
	keyColumns = map[string][]string{
		"costs": {"hour", "day", "cluster", "node", "gpu", "slice", "profile", "team", "project", "business unit",
			"cost center", "model", "environment", "workload", "run", "attempt",
			"cause", "activity", "kind", "state", "quality", "method",
			"currency", "billing period", "charge", "adjusts", "policy"},
		"attempts": {
			"run", "attempt", "task", "from", "to", "outcome", "reason", "pricing", "nodes",
			"gpus", "complete", "checkpoint", "lost from", "basis", "lost seconds",
		},
		"runs":     {"run", "team", "kind", "status", "attempts", "preempted", "world", "started", "ended", "queue wait"},
		"findings": {"finding", "detail"},
	}
	costColumns = []string{"effective", "billed", "list", "contracted", "gpu hours", "used gpu hours", "active gpu hours",
		"capacity", "energy kwh", "used", "overhead", "held idle",
		"lost", "lost min", "unobserved", "host"}
)

func columnNames(what string) []string {
	if what == "findings" {
		return keyColumns[what]
	}
	return append(append(slices.Clone(keyColumns[what]), costColumns...), "A / B of two sums")
}

func columnOf(what, name string) (column, bool) {
	if slices.Contains(keyColumns[what], name) {
		return column{name: name, key: true}, true
	}
	if what == "findings" {
		return column{}, false
	}
	a, b, quotient := strings.Cut(name, " / ")
	if quotient {
		return column{name: a, over: b}, slices.Contains(costColumns, a) && slices.Contains(costColumns, b)
	}
	return column{name: name}, slices.Contains(costColumns, name)
}

// fact is one row before grouping.
type fact struct {
	keys  map[string]string
	order map[string]int // of keys that are not sorted by their text
	sums  map[string]*money.Amount
}

func (f *fact) key(name string) string { return cmp.Or(f.keys[name], "-") }

func (f *fact) matches(where map[string]string) bool {
	for name, value := range where {
		if f.key(name) != value {
			return false
		}
	}
	return true
}

// group is a row of a table.
type group struct {
	key   []string
	order []int
	sums  map[string]*sum
}

type sum struct{ *money.Amount }

func (g *group) add(f *fact) {
	for name, a := range f.sums {
		if a == nil {
			continue
		}
		if g.sums[name] == nil {
			g.sums[name] = &sum{}
		}
		g.sums[name].Amount = plus(g.sums[name].Amount, a)
	}
}

func (g *group) sum(name string) *money.Amount {
	if s := g.sums[name]; s != nil {
		return s.Amount
	}
	return nil
}

func (g *group) row(columns []column) []string {
	var out []string
	key := 0
	for _, c := range columns {
		switch {
		case c.key:
			out = append(out, g.key[key])
			key++
		case c.over != "":
			out = append(out, quotient(g.sum(c.name), g.sum(c.over)))
		default:
			out = append(out, text(g.sum(c.name)))
		}
	}
	return out
}

// quotient is a unit cost, rounded half up to two decimals.
func quotient(a, b *money.Amount) string {
	if a == nil || b == nil || b.IsZero() {
		return "-"
	}
	return new(big.Rat).Quo(a.Rat(), b.Rat()).FloatString(2)
}

// postingFact is a posting as a fact.
func (w *world) postingFact(p *ledger.Posting) fact {
	r := w.last
	o := r.owners[p.OwnerID]
	f := fact{keys: map[string]string{
		"hour": clock(p.Hour, w.day), "day": p.Hour.Time().Format("2006-01-02"),
		"cluster": w.cluster(r, p), "team": o.Team, "project": o.Project,
		"business unit": o.BusinessUnit, "cost center": o.CostCenter, "model": o.Model,
		"environment": o.Environment, "run": p.RunID, "cause": string(p.Cause),
		"activity": string(p.Activity), "kind": string(p.Kind), "state": string(p.State),
		"quality": string(p.Quality), "method": p.Method, "currency": p.Currency,
		"billing period": w.billingPeriod(r, p), "profile": p.Profile, "charge": w.names2[p.ChargeID], "policy": p.Policy,
	}, order: map[string]int{"cause": p.Cause.Order(), "hour": int(p.Hour - firstDay), "activity": p.Activity.Order()}}
	if n := r.nodes[p.NodeID]; n != nil {
		f.keys["node"] = n.Name
	}
	if p.Slot >= 0 {
		f.keys["gpu"] = strconv.Itoa(int(p.Slot))
	}
	if p.SliceID != ledger.WholeDevice {
		f.keys["slice"] = strconv.Itoa(int(p.SliceID))
	}
	if v := r.workloads[p.WorkloadID]; v != nil {
		f.keys["workload"] = v.Name
	}
	if a := r.attempt(p.AttemptID); a != nil {
		f.keys["attempt"] = strconv.Itoa(a.Number)
	}
	if !p.Adjusts.IsZero() {
		f.keys["adjusts"] = "yes"
	}
	f.sums = map[string]*money.Amount{"effective": p.Effective, "billed": p.Billed, "list": p.List,
		"contracted": p.Contracted, "gpu hours": p.GPUHours,
		"active gpu hours": p.ActiveGPUHours, "capacity": p.CapacityGPUHours, "energy kwh": p.EnergyKWh}
	if p.GPUHours != nil {
		f.sums["used gpu hours"] = &money.Amount{}
		if p.Cause == ledger.Used {
			f.sums["used gpu hours"] = p.GPUHours
		}
	}
	if name := strings.ReplaceAll(string(p.Cause), "_", " "); slices.Contains(costColumns, name) {
		f.sums[name] = p.Effective
	}
	if p.Cause == ledger.Lost && p.Effective != nil { // unknown without a checkpoint: at least 0
		f.sums["lost min"] = &money.Amount{}
		if a := r.attempt(p.AttemptID); a != nil && a.LossBasis != ledger.LossNone {
			f.sums["lost min"] = p.Effective
		}
	}
	return f
}

func (r *result) attempt(id ledger.ID) *ledger.Attempt {
	for i := range r.attempts {
		if !id.IsZero() && r.attempts[i].ID == id {
			return &r.attempts[i]
		}
	}
	return nil
}

// attemptFacts are the attempts with the sums of their postings.
func (w *world) attemptFacts() []fact {
	r := w.last
	var out []fact
	for i := range r.attempts {
		a := &r.attempts[i]
		f := fact{keys: map[string]string{
			"run": a.RunID, "attempt": strconv.Itoa(a.Number), "task": a.Task,
			"from": clock(a.Span.From, w.day), "to": clock(a.Span.To, w.day), "outcome": string(a.Outcome),
			"reason": a.Reason, "pricing": string(a.Pricing), "nodes": strconv.Itoa(a.Nodes),
			"gpus": strconv.Itoa(a.GPUs), "complete": clock(a.GangComplete, w.day),
			"checkpoint": clock(a.LastCheckpoint, w.day), "lost from": clock(a.LossFrom, w.day), "basis": string(a.LossBasis),
		}, order: map[string]int{}}
		if a.LossFrom != 0 {
			f.keys["lost seconds"] = strconv.FormatInt(period.Interval{From: a.LossFrom, To: a.Span.To}.Seconds(), 10)
		}
		f.sums = w.sumsOf(func(p *ledger.Posting) bool { return p.AttemptID == a.ID })
		out = append(out, f)
	}
	return out
}

// runFacts are the runs with the sums of their postings.
func (w *world) runFacts() []fact {
	r := w.last
	var out []fact
	for i := range r.runs {
		run := &r.runs[i]
		f := fact{keys: map[string]string{
			"run": run.ID, "team": r.owners[run.OwnerID].Team, "kind": run.Kind, "status": run.Status,
			"attempts": strconv.Itoa(run.Attempts), "preempted": strconv.Itoa(run.Preempted),
			"world": strconv.Itoa(run.World), "started": clock(run.StartedAt, w.day), "ended": clock(run.EndedAt, w.day),
		}, order: map[string]int{}}
		if run.QueueWait >= 0 {
			f.keys["queue wait"] = fmt.Sprintf("%ds", run.QueueWait)
		}
		f.sums = w.sumsOf(func(p *ledger.Posting) bool { return p.RunID == run.ID })
		out = append(out, f)
	}
	return out
}

func (w *world) sumsOf(mine func(*ledger.Posting) bool) map[string]*money.Amount {
	g := group{sums: map[string]*sum{}}
	for i := range w.last.postings {
		if p := &w.last.postings[i]; mine(p) {
			f := w.postingFact(p)
			g.add(&f)
		}
	}
	out := map[string]*money.Amount{}
	for name, s := range g.sums {
		out[name] = s.Amount
	}
	return out
}

func (w *world) findingFacts() []fact {
	var out []fact
	for code, details := range w.last.findings {
		for _, detail := range details {
			keys := map[string]string{"finding": code, "detail": strings.ReplaceAll(detail, "|", "/")}
			out = append(out, fact{keys: keys, order: map[string]int{}})
		}
	}
	return out
}
