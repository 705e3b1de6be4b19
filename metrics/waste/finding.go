package waste

import (
	"cmp"
	"slices"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// Finding is one finding.
type Finding struct {
	Kind     Kind
	Subject  string
	Holder   ledger.ID // for kinds of holders: which one, if several had the same name
	Key      Key       // the key that it was judged with
	From, To period.Second
	Met      int64 // seconds in between that met the criterion; several things at once count once
	Open     bool
	Share    Share
	Where    Where
	Quality  ledger.Quality
	Evidence []Evidence
}

// ID stays the same while an open finding grows.
func (f *Finding) ID() ledger.ID {
	holder := ""
	if !f.Holder.IsZero() {
		holder = f.Holder.String()
	}
	return ledger.NewID("finding", string(f.Kind), f.Subject, holder, f.From.String())
}

// reaches reports whether something lasts to the end of the stored data: within its last two hours, since hours are
// summarised after they end.
func reaches(to, end period.Second) bool { return to > end-2*period.Hour }

// Judge makes the findings of a subject from all its traces, in order of days; end is the end of the stored data.
func Judge(key Key, traces []*Trace, end period.Second) []Finding {
	var out []Finding
	switch key.Scope {
	case OfHolder, OfService:
		out = judgeHolders(key, traces, end)
	case OfWorkload, OfDevice:
		out = judgeMarks(traces, end)
	case OfNode:
		out = append(judgeMachine(key, traces, end), judgeMarks(traces, end)...)
	}
	for i := range out {
		f := &out[i]
		f.Key = key
		if f.Subject == "" {
			f.Subject = key.Subject
		}
	}
	slices.SortFunc(out, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.Kind, b.Kind))
	})
	return out
}
