package posting

import (
	"strings"

	"gpuledger/allocation"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// resourceOf is the resource that bills name a workload of a managed service
// by: its uid up to the number of its try, whatever the case.
func resourceOf(uid string) string {
	uid, _, _ = strings.Cut(uid, "#")
	return strings.ToLower(uid)
}

// manage notes a workload that is on no node. Workloads come by cluster and
// uid, which is their order.
func (s *scene) manage(w *ledger.Workload) {
	key := resourceOf(w.UID)
	s.managed[key] = append(s.managed[key], w)
}

// payer says whose the metered parts of a day are (rule 8.21): those of the
// job whose resource the charge names, and of its attempt that has most of the
// part's hour.
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
