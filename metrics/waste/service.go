package waste

import (
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// judgeService finds days on which a service kept more replicas than its busiest hour needed, and returns these days:
// idle time of its holders on them belongs to no other finding.
func judgeService(traces []*Trace, end period.Second) (out []Finding, days map[period.Second]bool) {
	days = map[period.Second]bool{}
	for _, t := range traces {
		f, ok := surplusDay(t)
		if !ok {
			continue
		}
		days[t.Day] = true
		if n := len(out); n > 0 && days[t.Day-period.Day] {
			last := &out[n-1]
			last.To = f.To
			last.Met += f.Met
			last.Share.add(f.Share)
			last.Where = last.Where.join(f.Where)
			if surplus(&f) < surplus(last) { // the day with the smallest surplus: numbers of several days cannot be combined
				last.Evidence = f.Evidence
			}
			continue
		}
		out = append(out, f)
	}
	for i := range out {
		out[i].Open = reaches(out[i].To, end)
	}
	return out, days
}

// surplus is the surplus replicas, from the evidence.
func surplus(f *Finding) int64 { return f.Evidence[1].Value - f.Evidence[2].Value }

// surplusDay is the surplus of a service on a day.
func surplusDay(t *Trace) (Finding, bool) {
	type hour struct {
		replicas int64
		activity int64
		known    bool
		share    Share
	}
	var hours [24]hour
	for i := range hours {
		hours[i].known = true
	}
	var where Where
	for i := range t.Holders {
		h := &t.Holders[i]
		if i == 0 {
			where = h.Where
		}
		where = where.join(h.Where)
		for _, r := range h.Hours {
			at := &hours[(r.Hour-t.Day)/period.Hour]
			at.share.add(r.Share)
			if r.Whole {
				at.replicas++
				at.known = at.known && r.Activity >= 0
				at.activity += max(0, r.Activity)
			}
		}
	}
	counted, fewest, peak := int64(0), int64(-1), int64(0)
	for _, h := range hours {
		if !h.known || h.replicas == 0 {
			continue
		}
		counted++
		peak = max(peak, h.activity)
		if fewest < 0 || h.replicas < fewest {
			fewest = h.replicas
		}
	}
	needed := max(1, (peak+ServiceTargetPPM-1)/ServiceTargetPPM)
	if counted < ServiceHours || fewest < ServiceReplicas || needed >= fewest {
		return Finding{}, false
	}
	f := Finding{Kind: OverprovisionedService, Where: where, Quality: ledger.Measured}
	for i, h := range hours {
		if !h.known || h.replicas == 0 {
			continue
		}
		from := t.Day + period.Second(i)*period.Hour
		if f.From == 0 {
			f.From = from
		}
		f.To = from + period.Hour
		f.Met += period.Hour
		f.Share.add(h.share.scaled(fewest-needed, h.replicas))
	}
	f.Evidence = EvidenceOf(f.Kind, Number{"hours_known", "hours", counted}, Number{"fewest_replicas", "replicas", fewest},
		Number{"needed_replicas", "replicas", needed})
	return f, true
}
