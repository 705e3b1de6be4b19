package analysis

import (
	"context"
	"fmt"
	"slices"

	"gpuledger/allocation"
	"gpuledger/allocation/policy"
	"gpuledger/internal/catalog/mig"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics/packing"
)

// layouts is the step that proposes better layouts of MIG cards from the daily facts: their layouts, the cost of
// their slices, and how few cards would have been enough (docs/figures.md 17.4 to 17.7).
var layouts = Step{
	Name:  "layouts",
	Reads: []Mark{Ledger},
	Needs: []string{rollUpCosts.Name},
	After: showLayouts,
}

// LayoutStore stores the better layouts.
type LayoutStore interface {
	// ShowLayouts replaces the better layouts with those that show returns for the days of each group.
	ShowLayouts(ctx context.Context, show func(Group, []PackedDay) []ShownCard) (int64, error)
}

// SlicedNode is a machine that ever had MIG instances, on a day.
type SlicedNode struct {
	Input  allocation.NodeInput // Node, Devices and Slices
	Day    allocation.DayInput  // samples of the day and around it
	Policy policy.Policy
	// Kept are the layouts that were stored while the samples of the day still existed; if set, Day has no samples.
	Kept  []CardLayout
	Spans []ledger.Span
	Rows  []SlotRow
}

// CardLayout is a stretch of a day with one layout of a card.
type CardLayout struct {
	NodeID        ledger.ID
	Slot, Number  int32
	Device, Model string
	period.Interval
	SliceIDs         []int32 // none: a card without instances
	Profiles         []string
	Weights          []int64 // over Denominator, like Free and Stranded
	Denominator      int64
	Free, Stranded   int64
	Held             []int64 // seconds per slice; for a card without instances, its own
	Assumed          bool    // the placement is unknown
	Compute, Memory  int32   // slices of the card
	Rest             mig.Rest
	FragmentationPPM int64
	InMIG            bool
}

// Holder identifies the holder that a row is about, and the cause.
type Holder struct {
	OwnerID          ledger.ID
	Class, Namespace string
	Cause, State     string
	Currency         string // empty: no cost
}

// Amounts of a row; nil: unknown.
const (
	effective = iota
	billed
	list
	contracted
	gpuHours
	capacityHours
	activeHours
	energyKWh
	AmountCount
)

// SlotRow is one hour of a slot in the ledger, per slice and holder.
type SlotRow struct {
	Hour              period.Second
	Slot, SliceID     int32
	Workload, Attempt ledger.ID
	Holder
	Amounts [AmountCount]*money.Amount
}

// SliceDay is the usage and cost of a slice, or of the rest of a card.
type SliceDay struct {
	NodeID                ledger.ID
	Slot, Number, SliceID int32
	Holder
	Amounts [AmountCount]*money.Amount
}

// LayoutDay collects one day.
type LayoutDay struct {
	day    period.Interval
	groups map[Group]*group
}

// NewLayoutDay begins a day.
func NewLayoutDay(day period.Interval) *LayoutDay {
	return &LayoutDay{day: day, groups: map[Group]*group{}}
}

// Node computes a machine's layouts and the cost of their slices.
func (w *LayoutDay) Node(n *SlicedNode) ([]CardLayout, []SliceDay, error) {
	all := n.Kept
	if all == nil {
		var err error
		if all, err = layoutsOf(n); err != nil {
			return nil, nil, err
		}
	}
	bySlot := map[int32][]CardLayout{}
	for i := range all {
		all[i].hold(n.Spans)
		bySlot[all[i].Slot] = append(bySlot[all[i].Slot], all[i])
	}
	rows, err := cutRows(n, bySlot)
	if err != nil {
		return nil, nil, fmt.Errorf("machine %s: %w", n.Input.Node.Name, err)
	}
	all = slices.DeleteFunc(all, func(l CardLayout) bool { return !l.InMIG })
	w.take(n, all)
	return all, rows, nil
}

// layoutsOf are the layouts of all slots that ever had a MIG card.
func layoutsOf(n *SlicedNode) ([]CardLayout, error) {
	sliced := map[string]bool{}
	slots := map[int32]bool{}
	for _, d := range n.Input.Devices {
		if d.InMIG {
			sliced[d.UUID], slots[d.Index] = true, true
		}
	}
	engine, err := allocation.NewNode(n.Input, n.Policy)
	if err != nil {
		return nil, err
	}
	seen, err := engine.Layouts(n.Day)
	if err != nil {
		return nil, err
	}
	var out []CardLayout
	for i := range seen {
		s := &seen[i]
		if !slots[int32(s.Slot)] {
			continue
		}
		l := CardLayout{NodeID: n.Input.Node.ID, Slot: int32(s.Slot), Device: s.Device, Model: s.Model, Interval: s.Interval,
			InMIG:       sliced[s.Device],
			Denominator: max(int64(s.Weights.Denominator), 1), Free: int64(s.Weights.Free),
			Stranded: int64(s.Weights.Stranded), Assumed: s.Weights.Assumed}
		if k := len(out); k > 0 && out[k-1].Slot == l.Slot {
			l.Number = out[k-1].Number + 1
		}
		for k, instance := range s.Instances {
			l.SliceIDs, l.Profiles, l.Weights = append(l.SliceIDs, instance.ID), append(l.Profiles, instance.Profile),
				append(l.Weights, int64(s.Weights.Slices[k]))
		}
		card := mig.CardOf(s.Model)
		l.Compute, l.Memory = int32(card.Compute), int32(card.Memory)
		if l.Rest = (mig.Rest{Compute: card.Compute, Memory: card.Memory, Largest: card.Compute}); len(l.SliceIDs) > 0 {
			l.Rest = mig.RestOf(s.Model, l.Profiles, s.Starts)
		}
		l.FragmentationPPM = packing.Index(l.Rest)
		out = append(out, l)
	}
	return out, nil
}

// hold adds up the time in which each slice was held.
func (l *CardLayout) hold(spans []ledger.Span) {
	ids := l.SliceIDs
	if len(ids) == 0 {
		ids = []int32{ledger.WholeDevice}
	}
	l.Held = make([]int64, len(ids))
	for i, id := range ids {
		for _, during := range heldDuring(spans, l.Slot, id, l.Interval) {
			l.Held[i] += during.Seconds()
		}
	}
}

// heldDuring are the stretches of an interval in which a slice was held, joined, in order.
func heldDuring(spans []ledger.Span, slot, slice int32, within period.Interval) []period.Interval {
	var out []period.Interval
	for i := range spans {
		s := &spans[i]
		if s.Slot != slot || s.SliceID != slice || s.WorkloadID.IsZero() {
			continue
		}
		if part := (period.Interval{From: s.From, To: s.To}).Intersect(within); !part.Empty() {
			out = append(out, part)
		}
	}
	return joined(out)
}

// joined joins intervals that touch.
func joined(list []period.Interval) []period.Interval {
	slices.SortFunc(list, func(a, b period.Interval) int { return int(a.From - b.From) })
	var out []period.Interval
	for _, i := range list {
		if n := len(out); n > 0 && i.From <= out[n-1].To {
			out[n-1].To = max(out[n-1].To, i.To)
			continue
		}
		out = append(out, i)
	}
	return out
}
