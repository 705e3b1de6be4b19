package waste

import (
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// machine makes the unheld part of the machine's day.
func (n *nodeDay) machine() {
	if len(n.Rows) == 0 {
		return
	}
	m := &MachineDay{Where: n.place(), Team: n.Node.Team, Appeared: n.Node.Appeared}
	m.Where.OwnerID = n.Node.OwnerID
	for i := range n.Rows {
		r := &n.Rows[i]
		m.All.add(Share{r.Capacity, r.Cost})
		if r.Cause == ledger.Free {
			m.Free.add(Share{r.Capacity, r.Cost})
		}
		if r.Cause == ledger.Unobserved && r.Holder.IsZero() {
			m.Unseen.add(Share{r.Capacity, r.Cost})
		}
	}
	var busy []period.Interval
	unseen := period.Second(0) // the first unobserved second
	for i := range n.Spans {
		s := &n.Spans[i]
		if m.First == 0 || s.From < m.First {
			m.First = s.From
		}
		m.Last = max(m.Last, s.To)
		if s.Cause == ledger.Unobserved && s.Holder.IsZero() {
			if unseen == 0 || s.From < unseen {
				unseen = s.From
			}
		} else {
			if m.SeenFrom == 0 || s.From < m.SeenFrom {
				m.SeenFrom = s.From
			}
			m.SeenTo = max(m.SeenTo, s.To)
		}
		if !s.Holder.IsZero() || s.Cause == ledger.Used {
			busy = append(busy, period.Interval{From: s.From, To: s.To})
		}
	}
	if m.First == 0 { // billed hours without any observation
		m.First, m.Last = n.Rows[0].Hour, n.Rows[len(n.Rows)-1].Hour+period.Hour
	}
	if m.SeenFrom != 0 && (unseen == 0 || unseen >= m.SeenFrom) {
		m.SeenFrom = n.Day
	}
	from := m.First
	for _, b := range append(union(busy, 0), period.Interval{From: m.Last, To: m.Last}) {
		if b.From > from {
			m.Quiet = append(m.Quiet, Quiet{From: from, To: b.From})
		}
		from = max(from, b.To)
	}
	n.quiet(m)
	n.day.trace(OfNode, n.Node.subject()).Machine = m
}

// quiet adds the free time to the quiet stretches. A free span lies in one stretch or in none, since a holder of any
// slot ends the quiet stretch.
func (n *nodeDay) quiet(m *MachineDay) {
	free := make([][]period.Interval, len(m.Quiet))
	var edges []period.Second
	for _, q := range m.Quiet {
		edges = append(edges, q.From, q.To)
	}
	for i := range n.Spans {
		s := &n.Spans[i]
		if s.Cause != ledger.Free {
			continue
		}
		byHour(s.From, s.To, func(from, to period.Second) {
			row := n.cut.row(s, from)
			if row == nil {
				return
			}
			at(from, to, edges, func(from, to period.Second) {
				part := row.take(int64(to - from))
				for k := range m.Quiet {
					if q := &m.Quiet[k]; q.From <= from && to <= q.To {
						q.Free.add(part)
						q.Secs += int64(to - from)
						free[k] = append(free[k], period.Interval{From: from, To: to})
					}
				}
			})
		})
	}
	for k := range m.Quiet {
		q := &m.Quiet[k]
		for i, v := range union(free[k], 0) {
			if i == 0 {
				q.FreeFrom = v.From
			}
			q.FreeTo = v.To
			q.Seen += v.Seconds()
		}
	}
}
