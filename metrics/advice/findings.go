package advice

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// Finding is the part of a waste finding that advice needs.
type Finding struct {
	Kind     string
	Subject  Subject
	OwnerID  ledger.ID
	GPUModel string
	From, To period.Second
	There    Presence // when its workload, run or machine existed
	Open     bool     // it is still going on
	Cost     money.Amount
	Currency string // empty: no price
	State    ledger.State
	Quality  ledger.Quality
}

// answers maps a kind of finding to its recommendation. Other kinds are covered by other advice (size, layout) or need
// a person.
var answers = map[string]struct{ kind, proposal string }{
	"hoarding":                {StopIdle, "End it: it holds GPUs and has never used them"},
	"preprovisioned":          {StopIdle, "Start it when its work is ready: it holds GPUs long before that"},
	"crashed_job":             {StopIdle, "End it: its work is over and it still holds GPUs"},
	"forgotten_notebook":      {StopIdle, "Stop it when idle: it sits unused for hours"},
	"crash_loop":              {StopIdle, "Fix or stop it: it only restarts"},
	"orphaned_node":           {StopIdle, "Give the machine back: it is unused"},
	"overprovisioned_service": {FewerReplicas, "Run fewer replicas"},
	"no_checkpoint":           {AddCheckpoints, "Write checkpoints"},
	"checkpoint_interval":     {AddCheckpoints, "Write checkpoints more often"},
	"not_restartable":         {AllowRetries, "Allow retries and write checkpoints, or keep it on demand"},
	"untainted_gpu_node":      {TaintNodes, "Taint the node for pods with GPU requests"},
	"mixed_on_shared_card":    {SeparateWork, "Move its jobs or its services to another card, or give each a MIG slice"},
	"no_product_selector":     {SelectModel, "Select the GPU model that it needs, by node selector or affinity"},
}

// AnswerTo is the kind of recommendation that a kind of finding leads to; empty: none.
func AnswerTo(finding string) string { return answers[finding].kind }

// Found reports whether a kind of recommendation follows from findings.
func Found(kind string) bool {
	for _, a := range answers {
		if a.kind == kind {
			return true
		}
	}
	return false
}

// FromFindings adds up the findings of one subject and turns them into recommendations, if they are open or came more
// than once in the window. A risk that has not cost anything yet saves nothing: its recommendation has money 0.
func FromFindings(findings []Finding, window period.Interval) []Recommendation {
	type about struct{ kind, subject, model, currency string }
	type sum struct {
		Recommendation
		there  Presence
		kinds  map[string]int
		open   bool
		number int
	}
	var order []about
	sums := map[about]*sum{}
	for _, f := range findings {
		answer, ok := answers[f.Kind]
		if !ok {
			continue
		}
		key := about{answer.kind, f.Subject.String(), f.GPUModel, f.Currency}
		s := sums[key]
		if s == nil {
			s = &sum{there: Presence{}, kinds: map[string]int{},
				Recommendation: Recommendation{Kind: answer.kind, Subject: f.Subject, OwnerID: f.OwnerID, GPUModel: f.GPUModel,
					Window:   window,
					Proposal: answer.proposal, Currency: f.Currency, State: f.State, Confidence: High}}
			sums[key], order = s, append(order, key)
		}
		s.Cost = s.Cost.Add(f.Cost)
		s.there.Merge(f.There)
		s.kinds[f.Kind]++
		s.number++
		s.open = s.open || f.Open
		s.State = max(s.State, f.State) // the least settled: final < open < provisional
		if f.Quality != ledger.Measured {
			s.Confidence = s.Confidence.atMost(Medium)
		}
	}
	var list []Recommendation
	for _, key := range order {
		s := sums[key]
		if !s.open && s.number < 2 {
			continue
		}
		if s.Kind == StopIdle || s.Kind == FewerReplicas {
			s.Saving = s.Cost
		}
		s.Life = s.there.In(window)
		s.Confidence = s.Confidence.atMost(confidence(s.Life.Days))
		var names []string
		for _, k := range slices.Sorted(maps.Keys(s.kinds)) {
			names = append(names, fmt.Sprintf("%d × %s", s.kinds[k], k))
		}
		s.Proposal += "."
		s.Facts = []Fact{{"findings", strings.Join(names, ", "), "", ""}}
		list = append(list, s.Recommendation)
	}
	return list
}
