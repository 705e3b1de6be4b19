package pricebook

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// Names of a book's deliveries.
const (
	Source   = "price-book"
	Dataset  = "owned"
	Provider = "owned"
)

// batchSize is how many charges are passed on at once.
const batchSize = 1024

// Energy returns the known energy of a node's GPUs by clock hour; hours without measurements
// are absent.
type Energy func(cluster, node string, within period.Interval) (map[period.Second]ledger.MeasuredEnergy, error)

// Slot is a billing month of a book: one delivery.
type Slot struct {
	Book  *Book
	Month period.Month
	span  period.Interval

	key    string
	rows   int64
	sum    big.Int // of the rows' hashes
	joules map[string]map[period.Second]ledger.MeasuredEnergy
	// Unmeasured counts the node-hours whose energy should be measured but was not, or not
	// throughout; fallback_kw replaces it. Known after Write.
	Unmeasured int64
}

// Slots lists the billing months that the book settles, in order.
func (b *Book) Slots() []*Slot {
	var out []*Slot
	for at := b.Months.From; at < b.Months.To; {
		span := period.MonthOf(at)
		s := &Slot{Book: b, Month: period.MonthName(at), span: span}
		s.key = ledger.NewID("delivery key", Source, b.Name, b.Name, Dataset, string(s.Month)).String()
		out = append(out, s)
		at = span.To
	}
	return out
}

// Write passes on the charges of the month, by entry, machine and hour. emit owns the slices.
func (s *Slot) Write(energy Energy, emit func([]ledger.Charge) error) error {
	s.rows, s.Unmeasured, s.joules = 0, 0, map[string]map[period.Second]ledger.MeasuredEnergy{}
	s.sum.SetInt64(0)
	batch := make([]ledger.Charge, 0, batchSize)
	flush := func() error {
		if len(batch) == 0 {
			return nil
		}
		full := batch
		batch = make([]ledger.Charge, 0, batchSize)
		return emit(full)
	}
	for _, e := range s.Book.Owned {
		if !e.Service.Overlaps(s.span) {
			continue
		}
		w := monthWriter{slot: s, entry: e, energy: energy}
		for i := range e.Machines {
			hours, err := w.machine(i)
			if err != nil {
				return err
			}
			for k := range hours {
				batch = append(batch, s.charge(e, i, &hours[k]))
				if len(batch) == batchSize {
					if err := flush(); err != nil {
						return err
					}
				}
			}
		}
	}
	return flush()
}

// monthWriter computes the hours of an entry's machines in one month; machines with the same
// cost share them.
type monthWriter struct {
	slot   *Slot
	entry  *Owned
	energy Energy
	last   []pricedHour
	lastOf [3]money.Amount
}

// pricedHour is an hour with its line's values.
type pricedHour struct {
	span  period.Interval
	cost  money.Amount
	text  string
	usage money.Amount // hours
}

func (w *monthWriter) machine(i int) ([]pricedHour, error) {
	e, s := w.entry, w.slot
	var shares [3]money.Amount
	for k, c := range []*Cost{e.Colocation, e.Support, e.Staff} {
		if c != nil {
			shares[k] = c.of(i)
		}
	}
	measured := e.Power != nil && e.Power.Measured
	same := func() bool {
		for k := range shares {
			if shares[k].Cmp(w.lastOf[k]) != 0 {
				return false
			}
		}
		return true
	}
	if w.last != nil && !measured && same() {
		return w.last, nil
	}
	var joules map[period.Second]ledger.MeasuredEnergy
	if measured {
		var err error
		if joules, err = w.energy(e.Cluster, e.Machines[i].Name, e.Service.Intersect(s.span)); err != nil {
			return nil, fmt.Errorf("energy of node %s: %w", e.Machines[i].Name, err)
		}
		s.joules[e.Machines[i].InstanceID+" "+strconv.Itoa(e.line)] = joules
	}
	hours := e.hours(s.span)
	e.fixed(hours, s.span, i)
	s.Unmeasured += e.powered(hours, joules)
	out := make([]pricedHour, len(hours))
	for k := range hours {
		h := &hours[k]
		out[k] = pricedHour{h.span, h.total(), h.text(), one}
		if n := h.span.Seconds(); n != period.Hour {
			out[k].usage = one.MulRat(big.NewRat(n, period.Hour))
		}
	}
	w.last, w.lastOf = out, shares
	return out, nil
}

// charge is the line of a machine's hour.
func (s *Slot) charge(e *Owned, i int, h *pricedHour) ledger.Charge {
	m := &e.Machines[i]
	cost, seconds, usage := h.cost, h.span.Seconds(), h.usage
	c := ledger.Charge{
		Line: int64(e.line), SourceFile: s.Book.File,
		Provider: Provider, BillingAccount: s.Book.Name, Account: e.Account, BillingPeriod: s.Month, Period: h.span,
		Kind: ledger.LineUsage, Category: ledger.CategoryUsage, LineItemType: "OwnedHour",
		ServiceName: "Owned hardware", ServiceCode: "owned",
		UsageType: e.Name, Operation: string(e.Method), Description: h.text,
		ResourceID: m.InstanceID, InstanceID: m.InstanceID, Region: e.Region, Zone: e.Zone, InstanceType: e.InstanceType,
		PriceClass: ledger.Owned, InstanceHours: true, InstanceSeconds: &seconds, BillsGPU: e.GPUs > 0,
		UsageAmount: &usage, UsageUnit: "Hours", Currency: e.Currency,
		Costs: ledger.Costs{Billed: &cost, Effective: &cost, Contracted: &cost}, Tags: e.Tags,
	}
	content := e.content(&c)
	s.rows++
	s.sum.Add(&s.sum, new(big.Int).SetBytes(content[:]))
	c.ID = ledger.NewID("charge", s.key, string(content[:]), "0")
	return c
}

// content is the content of a line, independent of its file and line number.
func (e *Owned) content(c *ledger.Charge) [32]byte {
	texts := []string{
		c.Account, c.InstanceID, c.Period.String(), c.Region, c.Zone, c.InstanceType, c.UsageType, c.Operation, c.Currency,
		c.Effective.String(), c.Description, e.GPUModel, strconv.FormatInt(e.GPUs, 10),
	}
	for _, k := range slices.Sorted(maps.Keys(c.Tags)) {
		texts = append(texts, k, c.Tags[k])
	}
	var b []byte
	for _, t := range texts {
		b = binary.AppendUvarint(b, uint64(len(t)))
		b = append(b, t...)
	}
	return sha256.Sum256(b)
}

// columns of a delivery, by their names in reports.
var columns = []string{"billed_cost", "contracted_cost", "effective_cost", "instance_seconds"}

// Finish closes the delivery after Write. Its digest does not depend on the order of entries
// and nodes, and its totals are computed from the texts of the book by separate arithmetic.
// bytes is the size of the file.
func (s *Slot) Finish(deliveredAt *period.Second, bytes int64) (ledger.Delivery, error) {
	d := ledger.Delivery{
		Source: Source, Export: s.Book.Name, Scope: s.Book.Name, Dataset: Dataset,
		Partition: string(s.Month), Kind: ledger.Snapshot, Rank: 3,
		DeliveredAt: deliveredAt, Rows: s.rows, Columns: columns,
		Files:    []ledger.DeliveryFile{{Name: s.Book.File, SHA256: s.Book.SHA256, Bytes: bytes, Rows: s.rows}},
		Document: s.Book.Text,
	}
	if d.DeliveredAt == nil {
		d.DeliveredAt = s.Book.IssuedAt
	}
	h := sha256.New()
	h.Write(fmt.Appendf(nil, "gpuledger owned 1\n%d\n%s\n", s.rows,
		new(big.Int).Mod(&s.sum, new(big.Int).Lsh(big.NewInt(1), 256))))
	h.Sum(d.Digest[:0])
	d.ID = ledger.NewID("delivery", s.key, string(d.Digest[:]))
	totals, err := s.control()
	if err != nil {
		return d, err
	}
	d.Totals = totals
	return d, nil
}

func compareTotals(a, b ledger.ControlTotal) int {
	return cmp.Or(cmp.Compare(a.Account, b.Account), cmp.Compare(a.Currency, b.Currency), cmp.Compare(a.Metric, b.Metric))
}
