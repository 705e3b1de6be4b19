package bills

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
)

// maxInstances is how many machine notes a slot collects before it writes them. A machine may have several notes.
const maxInstances = 50_000

// stagedInstance is the information about a machine in its compute lines, mainly those of its newest interval. It is
// what allocation learns about machines from the bill (docs/rules.md, 8.12).
type stagedInstance struct {
	starts, ends int64 // of all its lines

	newest    int64 // start of the newest interval, which ends last
	id        ledger.ID
	refs      chargeRefs
	usage     *money.Amount // of the line id
	effective *money.Amount // sum over the newest interval
	seconds   *int64
}

// note records what a compute line says about its machine and its account.
func (s *stagedSlot) note(c *ledger.Charge, refs chargeRefs) {
	if c.Kind == ledger.LineInvoice { // tax on a machine bills no time
		return
	}
	to := int64(c.Period.To)
	correction := c.Class == "Correction" // says nothing about hours not billed yet
	if (c.Kind == ledger.LineUsage || c.Kind == ledger.LineCoveredUsage) && !correction {
		if until, ok := s.covered[c.Account]; !ok || to > until {
			s.covered[strings.Clone(c.Account)] = to
		}
	}
	if correction && c.Period.Seconds() > period.Day {
		return // not the machine's newest interval either
	}
	for _, key := range c.InstanceKeys() {
		s.noteMachine(key, c, refs)
	}
}

// noteMachine records a line under one key of its machine.
func (s *stagedSlot) noteMachine(key string, c *ledger.Charge, refs chargeRefs) {
	from, to := int64(c.Period.From), int64(c.Period.To)
	m := s.instances[key]
	if m == nil {
		m = &stagedInstance{starts: from, ends: to, newest: from}
		s.instances[strings.Clone(key)] = m
	}
	m.starts = min(m.starts, from)
	switch {
	case to < m.ends, to == m.ends && from < m.newest:
		return
	case to > m.ends, from > m.newest:
		m.ends, m.newest, m.id, m.effective, m.seconds = to, from, ledger.ID{}, nil, nil
	}
	timed, better := c.InstanceSeconds != nil, bytes.Compare(c.ID[:], m.id[:]) < 0
	if had := m.seconds != nil; timed != had { // a discount does not show how the machine was bought
		better = timed
	}
	if m.id.IsZero() || better {
		m.id, m.refs, m.usage = c.ID, refs, clone(hours(c))
	}
	if c.Effective != nil {
		m.effective = clone(c.Effective, m.effective)
	}
	if c.InstanceSeconds != nil {
		sum := *c.InstanceSeconds
		if m.seconds != nil {
			sum += *m.seconds
		}
		m.seconds = &sum
	}
}

// hours is the quantity of a line if it may be machine hours; nil for GPUs or parts.
func hours(c *ledger.Charge) *money.Amount {
	if c.InstanceSeconds != nil { // then the quantity is hours
		return c.UsageAmount
	}
	if of, _ := ledger.ReadUnit(c.UsageUnit); of == ledger.CountsGPU || of == ledger.CountsPart {
		return nil
	}
	return c.UsageAmount
}

// clone copies an amount out of its batch and adds others to it.
func clone(a *money.Amount, more ...*money.Amount) *money.Amount {
	if a == nil {
		return nil
	}
	sum := *a
	for _, b := range more {
		if b != nil {
			sum = sum.Add(*b)
		}
	}
	return &sum
}

// flushInstances writes the notes and clears them.
func (s *stagedSlot) flushInstances(r *pg.Row, slot int) {
	for _, key := range slices.Sorted(maps.Keys(s.instances)) {
		m := s.instances[key]
		r.Begin(12)
		r.Int4(slot)
		r.Text(pg.CleanText(key))
		r.Int8(m.starts)
		r.Int8(m.ends)
		r.Int8(m.newest)
		r.ID(m.id)
		r.Int4(int(m.refs[outScopes]))
		r.Int4(int(m.refs[outItems]))
		r.Number(m.refs[outTags])
		r.Measure(m.usage)
		r.Measure(m.effective)
		r.Count(m.seconds)
	}
	clear(s.instances)
}
