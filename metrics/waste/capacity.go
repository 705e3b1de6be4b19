package waste

import (
	"math/big"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// judgeMachine finds machines that nobody used: billed and never a node, or
// held by nobody for a day.
func judgeMachine(key Key, traces []*Trace, end period.Second) []Finding {
	var never Finding
	var quiet []Quiet
	var where Where
	for _, t := range traces {
		m := t.Machine
		if m == nil {
			continue
		}
		where = m.Where
		if !m.Appeared {
			if never.From == 0 {
				never.From = m.First
			}
			never.To = m.Last
			never.Met += int64(m.Last - m.First)
			never.Share.add(m.All)
			continue
		}
		for _, q := range m.Quiet {
			if n := len(quiet); n > 0 && quiet[n-1].To == q.From {
				quiet[n-1].To = q.To
				quiet[n-1].Secs += q.Secs
				quiet[n-1].Free.add(q.Free)
				continue
			}
			quiet = append(quiet, q)
		}
	}
	var out []Finding
	add := func(f Finding, name string) {
		f.Kind, f.Where, f.Quality, f.Open = OrphanedNode, where, ledger.Measured, reaches(f.To, end)
		f.Evidence = EvidenceOf(OrphanedNode, Number{name, "seconds", int64(f.To - f.From)})
		out = append(out, f)
	}
	if never.From != 0 {
		add(never, neverAppeared)
	}
	for _, q := range quiet {
		if q.To-q.From >= OrphanSeconds && q.Secs > 0 {
			add(Finding{From: q.From, To: q.To, Met: int64(q.To - q.From), Share: q.Free}, "nobody_held")
		}
	}
	return out
}

// Pool is a day of the machines of a cluster and instance type.
type Pool struct {
	Day      period.Second
	Machines []*MachineDay
	Orphaned map[ledger.ID][]period.Interval // stretches that findings have already
}

// Judge finds a day on which much of a pool was free.
func (p *Pool) Judge(end period.Second) (Finding, bool) {
	var all, free Share
	var where Where
	last := p.Day
	for i, m := range p.Machines {
		if !m.Appeared {
			continue
		}
		if i == 0 || where == (Where{}) {
			where = m.Where
		}
		where = where.join(m.Where)
		last = max(last, m.Last)
		all.add(m.All)
		free.add(m.Free)
		for _, q := range m.Quiet {
			for _, o := range p.Orphaned[m.Where.NodeID] {
				if o.From <= q.From && q.To <= o.To {
					free = free.minus(q.Free)
				}
			}
		}
	}
	if all.GPUHours.Sign() <= 0 || free.GPUHours.Rat().Cmp(new(big.Rat).Mul(all.GPUHours.Rat(), big.NewRat(FreePPM, 1_000_000))) <= 0 {
		return Finding{}, false
	}
	share := new(big.Rat).Quo(free.GPUHours.Rat(), all.GPUHours.Rat())
	up := new(big.Int).Sub(share.Denom(), big.NewInt(1)) // rounded up: what is above the threshold stays above it
	ppm := up.Quo(up.Add(up, new(big.Int).Mul(share.Num(), big.NewInt(1_000_000))), share.Denom()).Int64()
	key := Key{OfPool, where.Cluster + "/" + where.InstanceType}
	return Finding{Kind: FreeCapacity, Subject: key.Subject, Key: key, From: p.Day, To: last, Met: int64(last - p.Day), Open: reaches(last, end), Share: free, Where: where,
		Quality: ledger.Measured, Evidence: EvidenceOf(FreeCapacity, Number{"free", "ppm", ppm})}, true
}
