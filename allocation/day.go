package allocation

import (
	"cmp"
	"fmt"
	"slices"

	"gpuledger/allocation/timeline"
	"gpuledger/internal/catalog/mig"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

const hoursPerDay = period.Day / period.Hour

// day is the work on one day of a node.
type day struct {
	*NodeEngine
	in       *DayInput
	grid     timeline.Grid
	life     period.Interval // the whole stretch of the node's life that overlaps the day (rule 2.11)
	observed period.Interval // its part inside the day
	down     timeline.Bits   // not ready or cordoned
	source   timeline.Bits   // placements were delivered
	heard    timeline.Bits   // a source of a kind that reports the node heard from its cluster
	jobs     timeline.Bits   // accounting that names the node whenever it works covers the minute
	crashes  map[int]timeline.Bits
	layouts  map[string]mig.Weights

	*scratch
	room        chunkRoom // the rest of the chunk's
	spans       []ledger.Span
	diagnostics []Diagnostic
}

// Day allocates one UTC day: quantities per usage row, postings of the day's parts on those rows, and spans for time
// lines (docs/rules.md 3.2 to 3.6, 5, 7, 8). It may be called from several goroutines at once. It returns an error if
// the input is not one day of this node, or if a sum that must hold does not.
func (n *NodeEngine) Day(in DayInput) (*Chunk, error) {
	chunk := new(Chunk)
	if err := n.DayInto(chunk, in); err != nil {
		return nil, err
	}
	return chunk, nil
}

// DayInto is like Day but reuses chunk's buffers: everything that chunk held and its rows pointed to is overwritten, so
// chunk must no longer be in use. After an error its content is undefined.
func (n *NodeEngine) DayInto(chunk *Chunk, in DayInput) error {
	if in.Day != period.DayOf(in.Day.From) {
		return fmt.Errorf("node %s: %s is not a UTC day", n.node.Name, in.Day)
	}
	clear(chunk.Parts)
	clear(chunk.Spans)
	clear(chunk.Diagnostics)
	*chunk = Chunk{NodeID: n.node.ID, Day: in.Day, Usage: chunk.Usage, Parts: chunk.Parts[:0], Postings: chunk.Postings,
		Spans: chunk.Spans[:0], Diagnostics: chunk.Diagnostics[:0], room: chunk.room}
	life := n.node.LifeOn(in.Day)
	d := &day{NodeEngine: n, in: &in, life: life, observed: life.Intersect(in.Day),
		scratch: scratches.Get().(*scratch), spans: chunk.Spans, diagnostics: chunk.Diagnostics}
	defer d.free()
	bills, err := d.bills()
	if err != nil {
		return err
	}
	d.grid = d.window()
	d.readStates()
	slots := d.sampleRows()
	for slot := range slots {
		if err := d.walkSlot(slot, slots[slot]); err != nil {
			return fmt.Errorf("node %s, day %s, slot %d: %w", n.node.Name, in.Day.From, slot, err)
		}
	}
	d.addBilledOnly(bills)
	if err := d.addHost(bills); err != nil {
		return fmt.Errorf("node %s: %w", n.node.Name, err)
	}
	if err := d.post(chunk, bills); err != nil {
		return fmt.Errorf("node %s, day %s: %w", n.node.Name, in.Day.From, err)
	}
	chunk.Spans = d.sortedSpans()
	chunk.Diagnostics = d.sortedDiagnostics()
	return nil
}

// window is the day plus the margin on both sides that decides on its minutes.
func (d *day) window() timeline.Grid {
	margin := d.policy.Margin()
	return timeline.NewGrid(period.Interval{From: d.in.Day.From - margin, To: d.in.Day.To + margin})
}

func (d *day) report(code, format string, args ...any) {
	d.diagnostics = append(d.diagnostics, Diagnostic{code, fmt.Sprintf(format, args...)})
}

// readStates turns state hours into minute sets.
func (d *day) readStates() {
	d.down, d.source = d.memory.Bits(d.grid), d.memory.Bits(d.grid)
	for _, s := range d.in.NodeStates {
		if s.State == ledger.NotReady || s.State == ledger.Cordoned {
			d.down.AddHour(s.Hour, s.Minutes)
		}
	}
	d.readSources()
	if len(d.in.PodStates) > 0 {
		d.crashes = make(map[int]timeline.Bits)
	}
	for _, s := range d.in.PodStates {
		if w, ok := d.byUID[s.UID]; ok {
			if _, seen := d.crashes[w]; !seen {
				d.crashes[w] = d.memory.Bits(d.grid)
			}
			d.crashes[w].AddHour(s.Hour, s.Minutes)
		}
	}
}

// sampleRows sorts the sample rows by slot: the slot of the exporter's own index, else the slot where the device was
// seen at another time.
func (d *day) sampleRows() []timeline.Rows {
	slots := append(d.slots, make([]timeline.Rows, d.node.GPUs)...)
	d.slots = slots
	strangers := make(map[string]bool)
	place := func(rows []ledger.SampleHour, to func(*timeline.Rows) *[]*ledger.SampleHour) {
		for i := range rows {
			if rows[i].Device == ledger.HostDevice {
				continue
			}
			slot := int(rows[i].Index)
			if slot < 0 || slot >= len(slots) {
				slot = d.slotOf(rows[i].Device, rows[i].Hour)
			}
			if slot == none {
				strangers[rows[i].Device] = true
				continue
			}
			list := to(&slots[slot])
			*list = append(*list, &rows[i])
		}
	}
	d.roomOf(len(slots), len(d.in.Samples))
	place(d.in.Samples, func(r *timeline.Rows) *[]*ledger.SampleHour { return &r.Inside })
	place(d.in.Before, func(r *timeline.Rows) *[]*ledger.SampleHour { return &r.Before })
	place(d.in.After, func(r *timeline.Rows) *[]*ledger.SampleHour { return &r.After })
	for device := range strangers {
		d.report("device_without_slot", "device %s is not in a slot of the node: its samples are ignored", device)
	}
	return slots
}

// roomOf divides the buffer among the slots; a slot that outgrows its part allocates.
func (d *day) roomOf(slots, rows int) {
	if slots == 0 {
		return
	}
	each := rows/slots + 1
	d.samples = slices.Grow(d.samples, each*slots)[:each*slots]
	for slot := range slots {
		d.slots[slot].Inside = d.samples[slot*each : slot*each : slot*each+each]
	}
}

func (d *day) sortedSpans() []ledger.Span {
	for i := 1; i < len(d.spans); i++ {
		if compareSpans(&d.spans[i-1], &d.spans[i]) > 0 { // almost never when cards are held whole
			slices.SortFunc(d.spans, func(a, b ledger.Span) int { return compareSpans(&a, &b) })
			break
		}
	}
	return d.spans
}

func compareSpans(a, b *ledger.Span) int {
	switch {
	case a.Slot != b.Slot:
		return cmp.Compare(a.Slot, b.Slot)
	case a.SliceID != b.SliceID:
		return cmp.Compare(a.SliceID, b.SliceID)
	case a.From != b.From:
		return cmp.Compare(a.From, b.From)
	case a.To != b.To:
		return cmp.Compare(a.To, b.To)
	}
	return cmp.Or(slices.Compare(a.WorkloadID[:], b.WorkloadID[:]), slices.Compare(a.AttemptID[:], b.AttemptID[:]),
		cmp.Compare(a.Cause.Order(), b.Cause.Order()))
}

// sortedDiagnostics returns the diagnostics of this day and those of NewNode that overlap it, without duplicates.
func (d *day) sortedDiagnostics() []Diagnostic {
	all := d.diagnostics
	for _, p := range d.problems {
		if p.Overlaps(d.in.Day) {
			all = append(all, p.Diagnostic)
		}
	}
	slices.SortFunc(all, func(a, b Diagnostic) int {
		return cmp.Or(cmp.Compare(a.Code, b.Code), cmp.Compare(a.Detail, b.Detail))
	})
	return slices.Compact(all)
}
