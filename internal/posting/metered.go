package posting

import (
	"strings"

	"gpuledger/allocation"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// resourceOf is the resource by which bills name a workload of a managed service: its uid up to the number of its
// try, case-insensitive.
func resourceOf(uid string) string {
	uid, _, _ = strings.Cut(uid, "#")
	return strings.ToLower(uid)
}

// manage records a workload without a node. Workloads arrive ordered by cluster and uid, and keep that order.
func (s *scene) manage(w *ledger.Workload) {
	key := resourceOf(w.UID)
	s.managed[key] = append(s.managed[key], w)
}

// payer returns the function that finds the payer of a day's metered parts (rule 8.21): the job whose resource the
// charge names, and its attempt with the largest share of the part's hour.
func (s *scene) payer(resources map[ledger.ID]string) func(*ledger.Part) (allocation.Payer, bool) {
	if len(s.managed) == 0 {
		return nil
	}
	return func(p *ledger.Part) (allocation.Payer, bool) {
		jobs := s.managed[resourceOf(resources[p.ChargeID])]
		if resources[p.ChargeID] == "" || len(jobs) == 0 {
			return allocation.Payer{}, false
		}
		who := allocation.Payer{Workload: jobs[0].ID, Run: jobs[0].RunID}
		most, number := int64(0), 0
		for _, w := range jobs {
			for _, a := range s.attempts[w.ID] {
				n := a.Span.Intersect(period.HourOf(p.Hour)).Seconds()
				if n > most || n == most && n > 0 && a.Number < number {
					most, number = n, a.Number
					who = allocation.Payer{Workload: w.ID, Run: a.RunID, Attempt: a.ID}
				}
			}
		}
		return who, true
	}
}
