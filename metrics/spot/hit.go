package spot

import (
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// Attempt is an attempt of a run with at least one interrupted attempt.
type Attempt struct {
	ID      ledger.ID
	Run     string
	Task    string
	Number  int
	EndedAt period.Second
	UsedAt  period.Second // when it first used its GPUs; 0: never
}

// Ended is an attempt that ended with a machine that was taken away.
type Ended struct{ Node, Attempt ledger.ID }

// Hit is an interruption and an attempt that it ended.
type Hit struct {
	Ended
	Recovery *int64 // seconds; nil: no later attempt has used its GPUs yet
}

// Hits measures the recovery of each interrupted attempt: the time until a later attempt of its run and task first used
// what it held (docs/figures.md, 20.3). attempts must include all attempts of the runs in ended.
func Hits(ended []Ended, attempts []Attempt) []Hit {
	type task struct{ run, name string }
	byTask, byID := map[task][]*Attempt{}, map[ledger.ID]*Attempt{}
	for i := range attempts {
		a := &attempts[i]
		byID[a.ID] = a
		byTask[task{a.Run, a.Task}] = append(byTask[task{a.Run, a.Task}], a)
	}
	list := make([]Hit, len(ended))
	for i, e := range ended {
		list[i].Ended = e
		a := byID[e.Attempt]
		if a == nil {
			continue
		}
		var again period.Second
		for _, z := range byTask[task{a.Run, a.Task}] {
			if z.Number > a.Number && z.UsedAt != 0 && (again == 0 || z.UsedAt < again) {
				again = z.UsedAt
			}
		}
		if again != 0 {
			seconds := int64(again - a.EndedAt)
			list[i].Recovery = &seconds
		}
	}
	return list
}
