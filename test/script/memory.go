package script

import (
	"context"
	"iter"
	"slices"

	"gpuledger/allocation"
	"gpuledger/allocation/fleet"
	"gpuledger/allocation/policy"
	"gpuledger/allocation/share"
	"gpuledger/internal/catalog"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/posting"
)

// memory is the database of a case: the allocator reads the facts of a world from it and stores its results in it.
// Every allocation of a case has a separate memory, which at first has only the rows of closed periods.
type memory struct {
	*world
	*result
	stored map[ledger.ID][]ledger.Part // by node
}

var _ posting.AllocationStore = (*memory)(nil)

// Lock never waits.
func (m *memory) Lock(context.Context) (func(), error) { return func() {}, nil }

// NewestMark is zero: nothing changes while a case is allocated.
func (m *memory) NewestMark(context.Context) (int64, error) { return 0, nil }

// StartCalculation keeps no journal.
func (m *memory) StartCalculation(context.Context, posting.Calculation, string) error { return nil }

// KeepCalculation does nothing: no other process could take over.
func (m *memory) KeepCalculation(context.Context, ledger.ID) error { return nil }

// FinishCalculation keeps no journal.
func (m *memory) FinishCalculation(context.Context, ledger.ID, int, string) error { return nil }

// Policies are the case's. Public prices are left out: they change with the catalogue, and would change the tables of
// the cases.
func (m *memory) Policies(context.Context) (policy.Book, error) {
	versions := slices.Clone(m.book)
	if !slices.ContainsFunc(versions, func(v policy.Version) bool { return v.ValidFrom == 0 }) {
		versions = append(versions, policy.Standard())
	}
	for i := range versions {
		versions[i].Settings.Unpriced = policy.LeaveUnknown
	}
	return policy.NewBook(versions...)
}

// PublicPrices are not used (Policies).
func (m *memory) PublicPrices(context.Context) (*catalog.PriceList, error) {
	return catalog.Embedded(), nil
}

// UsePublicPrices recomputes nothing: every allocation starts from scratch.
func (m *memory) UsePublicPrices(context.Context, [32]byte) error { return nil }

// Rates are the rates in the case.
func (m *memory) Rates(context.Context) ([]ledger.Rate, error) { return m.rates, nil }

// KeepRates stores nothing: rates are never looked up.
func (m *memory) KeepRates(context.Context, []ledger.Rate) error { return nil }

// SaveOwners keeps owners.
func (m *memory) SaveOwners(_ context.Context, list []ledger.Owner) error {
	for _, o := range list {
		m.owners[o.ID] = o
	}
	return nil
}

// theBill is the only delivery: the lines of the current bill, for all accounts.
var theBill = ledger.NewID("delivery", "case")

// BookDeliveries is the bill, which is not cut yet.
func (m *memory) BookDeliveries(context.Context) ([]posting.BookDelivery, error) {
	return []posting.BookDelivery{{ID: theBill}}, nil
}

// ScanCharges streams the lines of the bill.
func (m *memory) ScanCharges(context.Context, ledger.ID) iter.Seq2[*ledger.Charge, error] {
	return func(yield func(*ledger.Charge, error) bool) {
		for _, c := range m.current() {
			if !yield(c, nil) {
				return
			}
		}
	}
}

// ReplaceParts stores the parts of the bill together with the final ones.
func (m *memory) ReplaceParts(_ context.Context, _ ledger.ID, _ string, parts iter.Seq2[*ledger.Part, error]) error {
	var cut []ledger.Part
	for p, err := range parts {
		if err != nil {
			return err
		}
		cut = append(cut, *p)
	}
	for _, p := range m.restate(m.result, cut) {
		m.parts[p.ID] = p
		m.stored[p.NodeID] = append(m.stored[p.NodeID], p)
	}
	return nil
}

// Coverage is the end of the hours in each account's bill.
func (m *memory) Coverage(context.Context) (map[string]period.Second, error) {
	return m.coverage(), nil
}

// Billers are the providers of those bills.
func (m *memory) Billers(context.Context) (map[string][]string, error) {
	out := map[string][]string{}
	for account := range m.billed {
		out[account] = []string{theProvider}
	}
	for _, c := range m.current() {
		if c.InstanceSeconds != nil && !slices.Contains(out[c.Account], c.Provider) {
			out[c.Account] = append(out[c.Account], c.Provider)
		}
	}
	return out, nil
}

// Work is every day of every machine, and the days of parts without one.
func (m *memory) Work(context.Context, posting.Calculation, period.Interval) ([]posting.DirtyNode, error) {
	work := []posting.DirtyNode{{Days: daysOf(period.Interval{}, m.stored[ledger.ID{}])}}
	for _, id := range sortedIDs(m.nodes) {
		if n := m.nodes[id]; n.GPUs > 0 {
			work = append(work, posting.DirtyNode{NodeID: id, Days: daysOf(n.Life, m.stored[id])})
		}
	}
	return work, nil
}

// Prepare does nothing.
func (m *memory) Prepare(context.Context, []posting.DirtyNode) error { return nil }

// NodeEvidence is the exporters' evidence of the holders of a machine's cards.
func (m *memory) NodeEvidence(_ context.Context, n ledger.Node) ([]ledger.HoldEvidence, error) {
	return slices.DeleteFunc(slices.Clone(m.evidence), func(e ledger.HoldEvidence) bool {
		return e.Cluster != n.Cluster || e.Node != n.Name
	}), nil
}

// NodeSlices are the MIG instances in the samples of a machine.
func (m *memory) NodeSlices(_ context.Context, n ledger.Node) ([]allocation.SliceSeen, error) {
	return seenSlices(m.samples(&n)), nil
}

// Days returns the facts of days of a machine, or of parts without one.
func (m *memory) Days(
	_ context.Context, n ledger.Node, days []period.Interval, margin period.Second,
) ([]allocation.DayInput, error) {
	rows := m.samples(&n)
	out := make([]allocation.DayInput, len(days))
	for i, day := range days {
		in := allocation.DayInput{Day: day, Parts: on(m.stored[n.ID], day), Finals: m.final.postings}
		if n.ID.IsZero() {
			in.Resources = map[ledger.ID]string{}
			for id, c := range m.result.charges {
				in.Resources[id] = c.ResourceID
			}
		} else {
			in.Frozen = m.final.usageOf(n.ID, day)
			m.happenedOn(&in, &n, rows, period.Interval{From: day.From - margin, To: day.To + margin})
		}
		out[i] = in
	}
	return out, nil
}

// happenedOn adds the states of a machine and its cluster within a window.
func (m *memory) happenedOn(in *allocation.DayInput, n *ledger.Node, rows []ledger.SampleHour, window period.Interval) {
	in.Samples, in.Before, in.After = around(rows, window)
	for _, s := range m.sources() {
		if s.Cluster == n.Cluster && window.Contains(s.Hour) {
			in.Sources = append(in.Sources, s)
		}
	}
	states := m.nodeStates
	if said := m.machines[n.Name]; said != nil {
		for hour, bits := range m.listed(said) {
			states = append(states, ledger.NodeStateHour{Cluster: n.Cluster, Name: n.Name, State: ledger.Listed, Hour: hour,
				Minutes: bits, Known: bits})
		}
	}
	for _, s := range states {
		if s.Cluster == n.Cluster && s.Name == n.Name && window.Contains(s.Hour) {
			in.NodeStates = append(in.NodeStates, s)
		}
	}
	for _, s := range m.podStates {
		if s.Cluster == n.Cluster && window.Contains(s.Hour) {
			in.PodStates = append(in.PodStates, s)
		}
	}
}

// SaveChunks keeps chunks with their buffers: the allocator gets empty ones back.
func (m *memory) SaveChunks(_ context.Context, chunks []*allocation.Chunk, _ posting.ChunkMeta) error {
	for _, c := range chunks {
		m.usage, m.postings = append(m.usage, c.Usage...), append(m.postings, c.Postings...)
		for _, p := range c.Parts {
			m.parts[p.ID] = p
		}
		*c = allocation.Chunk{}
	}
	return nil
}

// ProvisionalHours are none: SaveDoubles does without them.
func (m *memory) ProvisionalHours(context.Context, []ledger.ID) (map[ledger.ID]period.Interval, error) {
	return nil, nil
}

// SaveDoubles stores nothing: no case tests machines that may be in the ledger twice.
func (m *memory) SaveDoubles(context.Context, []fleet.Double) error { return nil }

// SharingDays are the days with postings, all of them not yet read by sharing.
func (m *memory) SharingDays(context.Context) ([]posting.SharingDay, error) {
	seen := map[period.Second]bool{}
	var days []posting.SharingDay
	for i := range m.postings {
		if day := m.postings[i].Hour.Floor(period.Day); !seen[day] {
			seen[day] = true
			days = append(days, posting.SharingDay{Day: day, Stored: "stored"})
		}
	}
	slices.SortFunc(days, func(a, b posting.SharingDay) int { return int(a.Day - b.Day) })
	return days, nil
}

// ReadSharing reads nothing beforehand: SharingMonth adds up the postings.
func (m *memory) ReadSharing(context.Context, []posting.SharingDay, bool) error { return nil }

// SharedMonths are none.
func (m *memory) SharedMonths(context.Context) (map[period.Second]string, error) { return nil, nil }

// SharingMonth adds up sharing's input for a month.
func (m *memory) SharingMonth(_ context.Context, month period.Interval) (*share.Month, error) {
	return m.month(m.result, month), nil
}

// Buyers are the owners of commitments.
func (m *memory) Buyers(_ context.Context, month period.Interval) (map[string]ledger.ID, error) {
	return buyers(m.result, month), nil
}

// SaveShares keeps the pairs of a month.
func (m *memory) SaveShares(
	_ context.Context, _ period.Interval, _ string, pairs iter.Seq2[*share.Shared, error],
) (int64, error) {
	for s, err := range pairs {
		if err != nil {
			return 0, err
		}
		m.shared = append(m.shared, s)
	}
	return 0, nil
}
