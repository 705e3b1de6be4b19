package allocation

import (
	"slices"
	"strconv"
	"strings"

	"gpuledger/allocation/cause"
	"gpuledger/allocation/split"
	"gpuledger/allocation/timeline"
	"gpuledger/internal/catalog/mig"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// walker goes through the day of one slot.
type walker struct {
	*day
	slot     int
	line     *timeline.Slot
	activity []sliceActivity
	held     []*heldDay
	days     []heldDay // buffer
	open     openSpans
	layout   *timeline.Layout

	cut     cuts
	here    []*heldDay // of held: those on the piece
	holders holders
}

type sliceActivity struct {
	slice    int32
	activity *timeline.Activity
}

// forget drops the slot's data and keeps the buffers.
func (w *walker) forget() {
	clear(w.activity)
	clear(w.held)
	clear(w.days)
	clear(w.here)
	clear(w.holders.list)
	w.open.forget()
	*w = walker{
		activity: w.activity[:0], held: w.held[:0], days: w.days[:0], here: w.here[:0],
		open: w.open, cut: w.cut, holders: holders{list: w.holders.list[:0]},
	}
}

// piece is a slice of a layout.
type piece struct {
	timeline.Instance
	share   split.Fraction
	derived bool // its weight is not from the table
}

func (d *day) walkSlot(slot int, rows timeline.Rows) error {
	w := &d.walker
	w.forget()
	w.day, w.slot = d, slot
	rows.Signal = d.signal()
	w.line = timeline.NewSlot(&d.memory, d.grid, rows, d.devices[slot], d.life)
	if w.line.Clashes > 0 {
		d.report("two_devices_one_slot", "slot %d: in %d minutes two devices claim the same index; the newer one counts",
			slot, w.line.Clashes)
	}
	if w.line.Crowded {
		d.report("too_many_slices", "slot %d: more slices in one day than fit; the rest are ignored", slot)
	}
	if d.observed.Empty() {
		return nil
	}
	for _, h := range d.holds[slot] {
		if h.Overlaps(d.observed) {
			w.held = append(w.held, w.prepare(h))
		}
	}
	for i := range w.line.Layouts {
		w.layout = &w.line.Layouts[i]
		if part := w.layout.Intersect(d.observed); !part.Empty() {
			if err := w.walkLayout(part); err != nil {
				return err
			}
		}
	}
	return nil
}

// walkLayout walks a stretch of constant layout.
func (w *walker) walkLayout(part period.Interval) error {
	w.reportOutside(part)
	if len(w.layout.Instances) == 0 {
		return w.walkPiece(part, piece{timeline.Instance{ID: ledger.WholeDevice}, split.One, false})
	}
	weights, err := w.weights(w.layout)
	if err != nil {
		return err
	}
	derived := slices.Contains(weights.Derived, true)
	for i, instance := range w.layout.Instances {
		p := piece{instance, split.NewFraction(weights.Slices[i], weights.Denominator), weights.Derived[i]}
		if err := w.walkPiece(part, p); err != nil {
			return err
		}
	}
	return w.walkRemainder(part, weights, derived)
}

// reportOutside reports holds on slices that the layout does not have; their time goes to the slices that it has.
func (w *walker) reportOutside(part period.Interval) {
	for _, h := range w.held {
		if outside := h.Intersect(part); !outside.Empty() && !w.layout.Has(h.slice) {
			w.report("hold_outside_layout",
				"%s holds slice %d of slot %d, which the layout of %s does not have: the hold is ignored during %s",
				title(&w.workloads[h.workload]), h.slice, w.slot, w.layout.Device, outside)
		}
	}
}

// weights returns the weights of a layout, with the placement of its instances if it is known (rule 3.6). A placement
// that the card does not allow is reported and counts as unknown (rule 3.7).
func (w *walker) weights(l *timeline.Layout) (mig.Weights, error) {
	profiles := make([]string, len(l.Instances))
	var text strings.Builder
	text.WriteString(l.Model)
	for i, instance := range l.Instances {
		profiles[i] = instance.Profile
		text.WriteString("\x00" + instance.Profile)
	}
	if l.Starts != nil && !mig.Allowed(l.Model, profiles, l.Starts) {
		w.report("mig_placement_impossible",
			"slot %d of node %s: device %s reports its instances %v at memory slices %v, which the %s does not allow: their "+
				"placement counts as unknown",
			w.slot, w.node.Name, l.Device, profiles, l.Starts, l.Model)
		l.Starts = nil
	}
	for _, start := range l.Starts {
		text.WriteString("@" + strconv.Itoa(start))
	}
	key := text.String()
	if known, ok := w.layouts[key]; ok {
		return known, nil
	}
	weights, err := mig.Weigh(l.Model, profiles, l.Starts, w.measure())
	if w.layouts == nil {
		w.layouts = make(map[string]mig.Weights)
	}
	w.layouts[key] = weights
	return weights, err
}

func (w *walker) activityOf(slice int32) *timeline.Activity {
	for i := range w.activity {
		if w.activity[i].slice == slice {
			return w.activity[i].activity
		}
	}
	a := w.line.Activity(slice, w.policy.IdleThresholdPPM)
	w.activity = append(w.activity, sliceActivity{slice, a})
	return a
}

// walkPiece cuts the time of a slice wherever something about it changes, and gives each stretch to its holders and the
// unclaimed rest to the node.
func (w *walker) walkPiece(part period.Interval, p piece) error {
	activity := w.activityOf(p.ID)
	w.here, w.cut.seconds = w.here[:0], w.cut.seconds[:0]
	for _, h := range w.held {
		if h.slice == p.ID && h.Overlaps(part) {
			w.here = append(w.here, h)
			w.cut.seconds = h.appendCuts(w.cut.seconds)
		}
	}
	w.minutes(part, func(hour int) uint64 {
		edges := activity.Edges(hour)
		for _, h := range w.here {
			edges |= h.edges(hour)
		}
		return edges
	})
	w.holders.until = part.From
	e := emission{key: rowKey{slot: int32(w.slot), slice: p.ID}, activity: activity, profile: p.Profile}
	return w.cut.eachStretch(part, func(i period.Interval) error {
		e.Interval, e.minute = i, w.grid.Index(i.From)
		e.class = activity.Class(e.minute)
		e.key.activity = int8(e.class.Order())
		return w.give(&e, &p)
	})
}

// holders are the holders of a slice for a while, with their shares.
type holders struct {
	until  period.Second // when a holder comes or goes
	list   []*heldDay
	shares []split.Fraction
	rest   split.Fraction // unclaimed
}

// holdersAt finds the holders of the piece at an instant; calls must be in order of time.
func (w *walker) holdersAt(at, end period.Second) error {
	s := &w.holders
	if at < s.until {
		return nil
	}
	s.list, s.until = s.list[:0], end
	for _, h := range w.here {
		switch {
		case h.Contains(at):
			s.list = append(s.list, h)
			s.until = min(s.until, h.To)
		case h.From > at:
			s.until = min(s.until, h.From)
		}
	}
	var err error
	s.shares, s.rest, err = w.sharesOf(s.list)
	return err
}

// give emits one stretch of one slice.
func (w *walker) give(e *emission, p *piece) error {
	if err := w.holdersAt(e.From, w.layout.To); err != nil {
		return err
	}
	quality := ledger.Measured
	if p.derived {
		quality = ledger.Estimated
	}
	holders := w.holders.list
	for i, h := range holders {
		e.key.workload = int32(h.workload)
		e.quality, e.method = w.standing(h, quality, len(holders), p.ID)
		if err := w.giveHolder(e, p.share, w.holders.shares[i], h); err != nil {
			return err
		}
	}
	if w.holders.rest.IsZero() {
		return nil
	}
	e.key.workload, e.key.attempt, e.quality, e.method = none, none, quality, methodNobody
	e.cause(cause.Unheld{Shared: len(holders) > 0, Activity: e.class, Down: w.down.Has(e.minute),
		Observed: w.sourceKnows(e.minute)}.Cause())
	return w.emit(e, p.share, w.holders.rest)
}

// giveHolder emits a holder's share of a stretch, divided among the attempts that it served.
func (w *walker) giveHolder(e *emission, layout, share split.Fraction, h *heldDay) error {
	parts := h.serves(e.From)
	quality, method := e.quality, e.method
	for _, part := range parts {
		segment := &h.segments[part.segment]
		facts := h.facts(segment, e.From, e.minute, e.class)
		e.key.attempt = int32(segment.attempt)
		e.cause(facts.Cause())
		e.quality, e.method = quality, method
		if len(parts) > 1 {
			e.quality, e.method = quality.Worse(ledger.Estimated), max(method, methodSegments)
		}
		if facts.Lost && segment.assumed {
			e.quality = ledger.Assumed
		}
		weight, err := share.Mul(part.share)
		if err != nil {
			return err
		}
		if err := w.emit(e, layout, weight); err != nil {
			return err
		}
	}
	return nil
}

// sourceKnows reports whether placements were observed in a minute (rule 7.8).
func (d *day) sourceKnows(minute int) bool { return d.source.Has(minute) }

// walkRemainder emits the capacity that a MIG layout leaves free: the part on which a profile can still be placed and
// the stranded part (rule 7.9).
func (w *walker) walkRemainder(part period.Interval, weights mig.Weights, derived bool) error {
	if weights.Free+weights.Stranded == 0 {
		return nil
	}
	quality := ledger.Measured
	if derived {
		quality = ledger.Estimated
	}
	if weights.Assumed {
		quality = ledger.Assumed
	}
	w.cut.seconds = w.cut.seconds[:0]
	w.minutes(part, func(int) uint64 { return 0 })
	return w.cut.eachStretch(part, func(i period.Interval) error {
		m := w.grid.Index(i.From)
		facts := cause.Unheld{Activity: ledger.ActivityUnknown, Down: w.down.Has(m), Observed: w.sourceKnows(m)}
		free := facts.Cause()
		facts.Stranded = true
		stranded := facts.Cause()
		amounts := map[ledger.Cause]uint64{free: weights.Free}
		amounts[stranded] += weights.Stranded
		for _, c := range []ledger.Cause{ledger.Free, ledger.Stranded, ledger.Unavailable, ledger.Unobserved} {
			if amounts[c] == 0 {
				continue
			}
			e := emission{Interval: i, quality: quality, method: methodRemainder, class: ledger.ActivityUnknown,
				key: rowKey{
					slot: int32(w.slot), slice: ledger.WholeDevice, workload: none,
					attempt: none, activity: int8(ledger.ActivityUnknown.Order()),
				}}
			e.cause(c)
			w.emitWeighted(&e, split.NewFraction(amounts[c], weights.Denominator))
		}
		return nil
	})
}
