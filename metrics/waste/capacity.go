package waste

import (
	"bytes"
	"maps"
	"math/big"
	"slices"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// judgeMachine finds machines without any GPU held for a day. It finds nothing for a machine that was never observed:
// its use is unknown.
func judgeMachine(key Key, traces []*Trace, end period.Second) []Finding {
	var quiet []Quiet
	var where Where
	for _, t := range traces {
		m := t.Machine
		if m == nil || !m.Appeared {
			continue
		}
		where = m.Where
		for _, q := range m.Quiet {
			if n := len(quiet); n > 0 && quiet[n-1].To == q.From {
				quiet[n-1].join(q)
				continue
			}
			quiet = append(quiet, q)
		}
	}
	var out []Finding
	for _, q := range quiet {
		if q.Seen >= OrphanSeconds {
			out = append(out, Finding{Kind: OrphanedNode, From: q.FreeFrom, To: q.FreeTo, Met: q.Seen, Share: q.Free,
				Where: where, Quality: ledger.Measured,
				Open: reaches(q.FreeTo, end), Evidence: EvidenceOf(OrphanedNode, Number{"nobody_held", "seconds", q.Seen})})
		}
	}
	return out
}

// join adds the following stretch.
func (q *Quiet) join(next Quiet) {
	q.To = next.To
	q.Secs += next.Secs
	q.Seen += next.Seen
	q.Free.add(next.Free)
	if next.Seen > 0 {
		q.FreeTo = next.FreeTo
		if q.FreeFrom == 0 {
			q.FreeFrom = next.FreeFrom
		}
	}
}

// Pool is a day of the machines of a cluster and instance type whose free time is charged to one team.
type Pool struct {
	Day      period.Second
	Machines []*MachineDay
	Orphaned map[ledger.ID][]period.Interval // stretches that already belong to findings
}

// Judge finds a day on which a large part of a pool was free.
func (p *Pool) Judge(end period.Second) (Finding, bool) {
	var all, free Share
	var where Where
	owners := map[ledger.ID]money.Amount{} // free GPU-hours
	first, last := period.Second(0), p.Day
	for i, m := range p.Machines {
		if !m.Appeared {
			continue
		}
		if i == 0 || where == (Where{}) {
			where = m.Where
		}
		where = where.join(m.Where)
		if m.SeenFrom != 0 && (first == 0 || m.SeenFrom < first) {
			first = m.SeenFrom
		}
		last = max(last, m.SeenTo)
		all.add(m.All)
		all = all.minus(m.Unseen)
		free.add(m.Free)
		owners[m.Where.OwnerID] = owners[m.Where.OwnerID].Add(m.Free.GPUHours)
		for _, q := range m.Quiet {
			for _, o := range p.Orphaned[m.Where.NodeID] {
				if q.Seen > 0 && o.From <= q.FreeFrom && q.FreeTo <= o.To {
					free = free.minus(q.Free)
				}
			}
		}
	}
	if all.GPUHours.Sign() <= 0 ||
		free.GPUHours.Rat().Cmp(new(big.Rat).Mul(all.GPUHours.Rat(), big.NewRat(FreePPM, 1_000_000))) <= 0 {
		return Finding{}, false
	}
	share := new(big.Rat).Quo(free.GPUHours.Rat(), all.GPUHours.Rat())
	up := new(big.Int).Sub(share.Denom(), big.NewInt(1)) // rounded up, so that a share above the threshold stays above it
	ppm := up.Quo(up.Add(up, new(big.Int).Mul(share.Num(), big.NewInt(1_000_000))), share.Denom()).Int64()
	key := Key{OfPool, where.Cluster + "/" + where.InstanceType}
	if team := p.Machines[0].Team; team != "" {
		key.Subject += "/" + team
	}
	where.OwnerID = largest(owners)
	return Finding{Kind: FreeCapacity, Subject: key.Subject, Key: key, From: max(first, p.Day), To: last,
		Met: int64(last - max(first, p.Day)), Open: reaches(last, end), Share: free, Where: where,
		Quality: ledger.Measured, Evidence: EvidenceOf(FreeCapacity, Number{"free", "ppm", ppm})}, true
}

// largest is the owner with the most free hours; of equals, the one with the smallest id. Owners of a pool belong to
// one team.
func largest(owners map[ledger.ID]money.Amount) (most ledger.ID) {
	for i, id := range slices.SortedFunc(maps.Keys(owners),
		func(a, b ledger.ID) int { return bytes.Compare(a[:], b[:]) }) {
		if i == 0 || owners[id].Cmp(owners[most]) > 0 {
			most = id
		}
	}
	return most
}
