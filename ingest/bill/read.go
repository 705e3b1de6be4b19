package bill

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"

	"gpuledger/ingest/table"
	"gpuledger/internal/ledger"
)

// chargeBatch is how many charges are passed on at once.
const chargeBatch = 1024

// Emit takes charges of the delivery with this slot in Plan; it owns the slice.
type Emit func(slot int, charges []ledger.Charge) error

// Files is the number of files to read.
func (p *Plan) Files() int { return len(p.files) }

// Deliveries is the number of slots.
func (p *Plan) Deliveries() int { return len(p.deliveries) }

// Read maps the rows of file i of NewPlan to charges. Values that cannot be mapped are counted
// in the tally, and reading goes on; their deliveries are spoiled (Spoiled), and the caller
// must not publish them. Different files may be read at the same time.
func (p *Plan) Read(ctx context.Context, i int, emit Emit) (tally ledger.Tally, err error) {
	f := p.files[i]
	if f.skip || len(f.slots) == 0 { // no rows of it are loaded
		return tally, nil
	}
	t, b, err := openBound(p.format, f.sv.File, f.sv.found, f.sv.hints)
	if err != nil {
		return tally, err
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	rd := &reader{
		plan: p, f: f, file: i, b: b, emit: emit, tally: &tally, identity: newIdentity(b.Identity()),
		open: map[int]*batch{}, unknown: unknownTypes{}, outside: map[int]*aggregator{},
	}
	rd.numbered, _ = b.(Numbered)
	rd.identity.prepared = prepare(t, rd.identity.wants(b.Extra()))
	if err = t.Each(ctx, rd.row); err != nil {
		return tally, err
	}
	for _, slot := range sortedSlots(rd.open) {
		if err := rd.flush(slot); err != nil {
			return tally, err
		}
		if a := rd.outside[slot]; a != nil {
			if err := emitAll(slot, a.finish(), emit); err != nil {
				return tally, err
			}
		}
	}
	sum, _, err := t.Sum()
	if err == nil && (sum != f.sv.SHA256 || rd.rows != f.sv.Rows) {
		err = &ledger.FileError{Rejection: ledger.Rejection{File: f.sv.File.Name, Reason: "file changed",
			Detail: "the file changed while it was imported; import it again"}}
	}
	if err == nil {
		err = p.wasRead(f)
	}
	return tally, err
}

// wasRead frees data that is only needed until all parts of a delivery are read.
func (p *Plan) wasRead(f *planned) error {
	var errs []error
	for _, slot := range f.slots {
		d := p.deliveries[slot]
		d.mu.Lock()
		if d.left--; d.left == 0 {
			errs = append(errs, d.seen.close())
		}
		d.mu.Unlock()
	}
	return errors.Join(errs...)
}

// prepare announces the wanted values to a table, and reports whether the rows will be
// table.Prepared.
func prepare(t table.Table, wants []table.Want) bool {
	if p, ok := t.(table.Preparer); ok && p.Prepare(wants) {
		return true
	}
	positions := make([]int, len(wants))
	for i := range wants {
		positions[i] = wants[i].Pos
	}
	t.Select(positions)
	return false
}

func sortedSlots(m map[int]*batch) []int {
	out := make([]int, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	sort.Ints(out)
	return out
}

type reader struct {
	plan     *Plan
	f        *planned
	file     int
	b        Binding
	emit     Emit
	tally    *ledger.Tally
	identity *identity
	open     map[int]*batch
	outside  map[int]*aggregator // by slot, when lines are aggregated
	unknown  unknownTypes
	details  Details
	numbered Numbered // nil: rows have no numbers
	rows     int64

	lastKey  Unit
	lastSlot int
	any      bool
}

// batch holds charges of one slot that are not yet passed on.
type batch struct {
	charges []ledger.Charge
	content []content
	before  []int64 // how often the same row is already stored
}

func (rd *reader) row(r table.Row) error {
	rd.rows++
	key, bad := rd.b.Unit(r)
	if bad != nil { // the first pass took it
		return fmt.Errorf("%s: %w", rd.f.sv.File.Name, errNotPlanned)
	}
	slot, ok := rd.slot(key)
	if !ok {
		if rd.f.excluded[key] || rd.f.repeated[key] || rd.f.aside[key] != "" {
			return nil
		}
		return fmt.Errorf("%s: %w", rd.f.sv.File.Name, errNotPlanned)
	}
	row, wrong := rd.identity.of(r)
	line := lineOf(row, rd.numbered, r)
	if c := rd.f.chosen[key]; c != nil && c.taker != nil && !c.taker.take(line) {
		return nil
	}
	b := rd.open[slot]
	if b == nil {
		b = &batch{}
		rd.open[slot] = b
	}
	if b.charges == nil {
		b.charges = make([]ledger.Charge, 0, chargeBatch)
	}
	b.charges = b.charges[:len(b.charges)+1] // of zeros; a full batch was passed on
	c := &b.charges[len(b.charges)-1]
	c.SourceFile, c.Line = rd.f.sv.File.Name, r.Line()
	note, bad := rd.b.Charge(r, rd.plan.deliveries[slot].Scope, c)
	if bad == nil {
		bad = wrong
	}
	if bad != nil {
		rd.tally.Reject(bad.Rejection(rd.f.sv.File.Name, r.Line()))
		rd.f.sv.wrong[rd.lastKey]++
		rd.plan.spoilBy(slot, rd.file)
		*c = ledger.Charge{}
		b.charges = b.charges[:len(b.charges)-1]
		return nil
	}
	if _, standard := rd.b.(Standard); !standard {
		rd.details.Complete(c)
	}
	if note != "" {
		rd.tally.Note(note, 1)
	}
	if note = rd.unknown.note(c); note != "" {
		rd.tally.Note(note, 1)
	}
	b.content = append(b.content, contentOf(row))
	b.before = append(b.before, rd.plan.deliveries[slot].before[line])
	if len(b.charges) == chargeBatch {
		return rd.flush(slot)
	}
	return nil
}

func (rd *reader) slot(key Unit) (int, bool) {
	if rd.any && key == rd.lastKey {
		return rd.lastSlot, true
	}
	slot, ok := rd.f.slots[key]
	if ok {
		rd.lastKey = Unit{
			strings.Clone(key.Scope), strings.Clone(key.Partition),
			strings.Clone(key.Dataset), strings.Clone(key.Load), strings.Clone(key.Variant),
		}
		rd.lastSlot, rd.any = slot, true
	}
	return slot, ok
}

// flush sets the ids of a slot's charges and passes them on.
func (rd *reader) flush(slot int) error {
	b := rd.open[slot]
	if len(b.charges) == 0 {
		return nil
	}
	d := rd.plan.deliveries[slot]
	numbers := make([]int64, len(b.charges))
	d.mu.Lock()
	for i := range b.content {
		d.rows.add(&b.content[i])
	}
	d.seen.rows = d.Rows
	err := d.seen.next(b.content, numbers)
	d.mu.Unlock()
	if err != nil {
		return err
	}
	for i := range b.charges {
		b.charges[i].ID = b.content[i].chargeID(d.mask, b.before[i]+numbers[i])
	}
	charges := b.charges
	b.charges, b.content, b.before = nil, b.content[:0], b.before[:0]
	if rd.plan.o.Aggregate {
		a := rd.outside[slot]
		if a == nil {
			a = newAggregator(rd.plan.machines, d.Kind == ledger.Append)
			rd.outside[slot] = a
		}
		charges = a.take(charges)
		if err := emitAll(slot, a.ready(), rd.emit); err != nil || len(charges) == 0 {
			return err
		}
	}
	return rd.emit(slot, charges)
}

// emitAll passes charges on in batches.
func emitAll(slot int, charges []ledger.Charge, emit Emit) error {
	for batch := range slices.Chunk(charges, chargeBatch) {
		if err := emit(slot, batch); err != nil {
			return err
		}
	}
	return nil
}

// refusedDelivery is the reason for good rows that are not loaded.
const refusedDelivery = "in a refused delivery"

// Finish closes the deliveries, by slot, after all files were read. Two deliveries of one key
// with different rows and no order between them are refused by name and spoiled; those already
// spoiled are skipped.
func (p *Plan) Finish() (out []ledger.Delivery, refused []ledger.Rejection, err error) {
	out = make([]ledger.Delivery, len(p.deliveries))
	byKey := map[string][]int{} // of those that were read whole
	for slot, d := range p.deliveries {
		if p.spoiled[slot] {
			continue
		}
		d.Digest = d.rows.digest()
		d.ID = ledger.NewID("delivery", d.key, string(d.Digest[:]))
		if d.Aggregated { // the same rows, stored differently
			d.ID = ledger.NewID("delivery", d.key, string(d.Digest[:]), "aggregated")
		}
		totals, err := d.controlTotals()
		if err != nil {
			return nil, nil, err
		}
		d.Totals = totals
		if d.lines != nil {
			d.Appended = d.lines.Encode()
		}
		out[slot] = d.Delivery
		byKey[d.key] = append(byKey[d.key], slot)
	}
	for _, key := range sortedKeys(byKey) {
		for _, slots := range p.sameTime(byKey[key]) {
			ds := make([]*delivery, len(slots))
			for i, slot := range slots {
				ds[i] = p.deliveries[slot]
				p.Spoil(slot)
			}
			refused = append(refused, ledger.Rejection{File: p.Names(slots...), Reason: "no order", Detail: p.unorderedRuns(ds)})
		}
	}
	return out, refused, nil
}

// sameTime finds deliveries of one key that have the same time but different rows. slots are
// ordered by time.
func (p *Plan) sameTime(slots []int) (out [][]int) {
	for from := 0; from < len(slots); {
		to, differ := from+1, false
		first := p.deliveries[slots[from]]
		for to < len(slots) && at(p.deliveries[slots[to]]) == at(first) {
			differ = differ || p.deliveries[slots[to]].Digest != first.Digest
			to++
		}
		if differ {
			out = append(out, slots[from:to])
		}
		from = to
	}
	return out
}

func (d *delivery) controlTotals() ([]ledger.ControlTotal, error) {
	var out []ledger.ControlTotal
	for k, t := range d.total {
		for i, m := range ledger.Metrics {
			if !d.has[m] {
				continue
			}
			sum, err := t.sums[i].total()
			if err != nil {
				return nil, fmt.Errorf("control total of %s, account %s: %w", m, k.Account, err)
			}
			out = append(out, ledger.ControlTotal{Account: k.Account, BillingPeriod: k.Month, Currency: k.Currency,
				Metric: m, SourceTotal: sum, Charges: t.charges})
		}
	}
	slices.SortFunc(out, func(a, b ledger.ControlTotal) int {
		return cmp.Or(cmp.Compare(a.Account, b.Account), cmp.Compare(a.BillingPeriod, b.BillingPeriod),
			cmp.Compare(a.Currency, b.Currency), cmp.Compare(a.Metric, b.Metric))
	})
	return out, nil
}
