package serving

import (
	"slices"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/internal/sketch"
)

// dayKey is what rows of one day must share to be added up. Histograms of other
// bounds stay rows of their own, so that nothing is interpolated before it is
// asked.
type dayKey struct {
	workload                             ledger.ID
	service, replica                     string
	model, server, tenant, version       string
	currency, state                      string
	basis                                Basis
	tokens, requests, held, served, cost bool
	bounds                               [measures]string
}

// Days adds up the rows of a day: the same figures in fewer rows, in the order
// in which their keys come first.
func Days(day period.Second, rows []Row) []Row {
	at := map[dayKey]int{}
	var out []Row
	for i := range rows {
		r := &rows[i]
		k := dayKey{workload: r.Workload, service: r.Service, replica: r.Replica, model: r.Model, server: r.Server, tenant: r.Tenant, version: r.Version,
			currency: r.Currency, state: r.State, basis: r.Basis, tokens: r.CountsTokens, requests: r.CountsRequests, held: r.Held != nil, served: r.Served != nil, cost: r.Effective != nil}
		if r.Served != nil {
			for m, h := range []Histogram{r.Served.Latency, r.Served.TTFT, r.Served.Queue} {
				k.bounds[m] = signature(h.Bounds)
			}
		}
		j, ok := at[k]
		if !ok {
			at[k] = len(out)
			out = append(out, r.copied(day))
			continue
		}
		out[j].add(r)
	}
	return out
}

func signature(bounds []int64) string {
	b := make([]byte, 0, 8*len(bounds))
	for _, v := range bounds {
		for s := range 8 {
			b = append(b, byte(v>>(8*s)))
		}
	}
	return string(b)
}

// copied is the row of a day that begins with r.
func (r *Row) copied(day period.Second) Row {
	out := *r
	out.Hour, out.ByCause = day, map[ledger.Cause]money.Amount{}
	out.Effective, out.Billed, out.List, out.Contracted, out.Input, out.Output, out.Activity = nil, nil, nil, nil, nil, nil, nil
	if r.Held != nil {
		out.Held = &Quantities{}
	}
	if r.Served != nil {
		out.Served = &Counted{}
		for _, h := range out.Served.histograms(r.Served) {
			h.to.Bounds, h.to.Counts = h.from.Bounds, make([]int64, len(h.from.Counts))
		}
	}
	out.add(r)
	return out
}

// add adds a row of the same key.
func (r *Row) add(o *Row) {
	for _, p := range [][2]**money.Amount{{&r.Effective, &o.Effective}, {&r.Billed, &o.Billed}, {&r.List, &o.List}, {&r.Contracted, &o.Contracted},
		{&r.Input, &o.Input}, {&r.Output, &o.Output}} {
		if *p[1] != nil {
			*p[0] = plus(*p[0], **p[1])
		}
	}
	for cause, a := range o.ByCause {
		r.ByCause[cause] = r.ByCause[cause].Add(a)
	}
	r.Activity = sketch.MergePacked(r.Activity, o.Activity)
	if o.Held != nil {
		to, from := r.Held.amounts(), o.Held.amounts()
		for i := range to {
			*to[i] = to[i].Add(*from[i])
		}
	}
	if o.Served == nil {
		return
	}
	to, from := r.Served.counts(), o.Served.counts()
	for i := range to {
		if *from[i] != nil {
			sum := **from[i]
			if *to[i] != nil {
				sum += **to[i]
			}
			*to[i] = &sum
		}
	}
	for _, h := range r.Served.histograms(o.Served) {
		h.to.Counts = slices.Clone(h.to.Counts)
		for i, n := range h.from.Counts {
			h.to.Counts[i] += n
		}
	}
}

func (q *Quantities) amounts() []*money.Amount {
	return []*money.Amount{&q.GPUHours, &q.UsedGPUHours, &q.ActiveGPUHours, &q.ReplicaHours, &q.HeldMinutes, &q.SeenMinutes}
}

func (c *Counted) counts() []**int64 {
	return []**int64{&c.Requests, &c.Failed, &c.Inferences, &c.PromptTokens, &c.CachedTokens, &c.GeneratedTokens, &c.PrefillMillis, &c.DecodeMillis,
		&c.LatencyMillis, &c.LatencySamples, &c.TTFTMillis, &c.TTFTSamples, &c.QueueMillis, &c.QueueSamples}
}

type histogramPair struct{ to, from *Histogram }

func (c *Counted) histograms(o *Counted) []histogramPair {
	return []histogramPair{{&c.Latency, &o.Latency}, {&c.TTFT, &o.TTFT}, {&c.Queue, &o.Queue}}
}
