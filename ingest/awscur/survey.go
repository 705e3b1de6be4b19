package awscur

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"strings"

	"gpuledger/internal/blob"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// Survey is what a first pass over a file finds: which deliveries it holds
// rows of, how they are ordered, and the control totals of its raw text.
type Survey struct {
	File   blob.File
	SHA256 [32]byte
	Bytes  int64
	Rows   int64
	Tally  ledger.Tally

	s     *schema
	units map[unitKey]*unit
}

// maxUnits bounds what one file can make us remember per delivery.
const maxUnits = 10_000

// unitKey tells apart rows that can belong to different deliveries.
type unitKey struct {
	payer string // as written; may be empty
	month period.Month
	load  string // load id of the loader, empty without one
}

type unit struct {
	rows   int64
	totals map[moneyKey]*moneyTotal
	// lines are hashes of (line id, interval), to see repeated deliveries;
	// only of files that could be one.
	lines []uint64
}

type moneyKey struct{ account, currency string }

type moneyTotal struct {
	charges int64
	sums    [4]textSum // in the order of ledger.Metrics
}

// surveyed are the columns that the first pass reads.
var surveyed = []column{
	colPayer, colPeriodStart, colAccount, colLineType, colCurrency, colUnblended, colNetUnblended, colListCost, colReservationARN,
	colReservationEffective, colReservationUnusedUpfront, colReservationUnusedRecurring,
	colNetReservationEffective, colNetReservationUnusedUpfront, colNetReservationUnusedRecurring,
	colPlanEffective, colPlanTotal, colPlanUsed, colNetPlanEffective, colLoadID,
}

var lineSeed = maphash.MakeSeed()

// SurveyFile makes the first pass. With lines it also remembers which line
// items the file holds (8 bytes each), which NewPlan needs of files that share
// a folder and have no manifest. Rows that belong to no billing period, or
// whose money is no number, are counted in the Tally and the pass goes on.
func SurveyFile(ctx context.Context, f blob.File, lines bool) (sv *Survey, err error) {
	wanted := surveyed
	if lines {
		wanted = append(append([]column(nil), surveyed...), colLineID, colInterval)
	}
	src, err := open(f, wanted)
	if err == nil && lines && !src.schema().hasLineIDs() {
		// Without ids a row is known by all of its columns.
		if err = src.close(); err == nil {
			src, err = open(f, nil)
		}
	}
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, src.close()) }()
	sv = &Survey{File: f, s: src.schema(), units: map[unitKey]*unit{}}
	p := surveyor{sv: sv, lines: lines}
	if err := src.each(ctx, func(rec record) error { p.row(row{record: rec, s: sv.s}); return nil }); err != nil {
		return nil, err
	}
	sv.Tally.Merge(src.rejected())
	sv.SHA256, sv.Bytes, err = src.sum()
	return sv, err
}

type surveyor struct {
	sv    *Survey
	lines bool
	words interner
	buf   []byte

	lastKey   unitKey // rows of one unit and account come in long runs
	lastUnit  *unit
	lastMoney moneyKey
	lastTotal *moneyTotal
}

func (p *surveyor) row(r row) {
	p.sv.Rows++
	month, bad := billingMonth(r)
	if bad != nil {
		p.sv.Tally.Reject(bad.rejection(p.sv.File.Name, r.line()))
		return
	}
	u := p.unit(unitKey{r.text(colPayer), month, r.text(colLoadID)})
	if u == nil {
		bad := cellError{colPayer.name(), "too many deliveries", fmt.Sprintf("a file holds at most %d payers, billing periods and loads; deliver them in several files", maxUnits)}
		p.sv.Tally.Reject(bad.rejection(p.sv.File.Name, r.line()))
		return
	}
	u.rows++
	if p.lines {
		p.buf = p.lineKey(r, p.buf[:0])
		u.lines = append(u.lines, maphash.Bytes(lineSeed, p.buf))
	}
	total := p.total(u, moneyKey{r.text(colAccount), r.text(colCurrency)})
	total.charges++
	lineType, reserved := r.text(colLineType), r.text(colReservationARN) != ""
	for i, m := range ledger.Metrics {
		if c, err := total.sums[i].addRow(r, metricFormula(m, lineType, reserved, p.sv.s.net)); err != nil {
			bad := cellError{c.name(), "not a number", "\"" + clip(r.text(c)) + "\": " + err.Error()}
			p.sv.Tally.Reject(bad.rejection(p.sv.File.Name, r.line()))
			return
		}
	}
}

// unit is where the rows of a key are counted, nil when the file holds more
// keys than any real one.
func (p *surveyor) unit(key unitKey) *unit {
	if p.lastUnit != nil && key == p.lastKey {
		return p.lastUnit
	}
	u := p.sv.units[key]
	if u == nil && len(p.sv.units) == maxUnits {
		return nil
	}
	if u == nil {
		key = unitKey{strings.Clone(key.payer), key.month, strings.Clone(key.load)}
		u = &unit{totals: map[moneyKey]*moneyTotal{}}
		p.sv.units[key] = u
	}
	key.payer, key.load = p.words.intern(key.payer), p.words.intern(key.load)
	p.lastKey, p.lastUnit, p.lastTotal = key, u, nil
	return u
}

func (p *surveyor) total(u *unit, key moneyKey) *moneyTotal {
	if p.lastTotal != nil && key == p.lastMoney {
		return p.lastTotal
	}
	t := u.totals[key]
	if t == nil {
		key = moneyKey{strings.Clone(key.account), strings.Clone(key.currency)}
		t = &moneyTotal{}
		u.totals[key] = t
	}
	p.lastMoney, p.lastTotal = moneyKey{p.words.intern(key.account), p.words.intern(key.currency)}, t
	return t
}

func (p *surveyor) lineKey(r row, dst []byte) []byte {
	if !p.sv.s.hasLineIDs() {
		return r.identity(dst, nil)
	}
	id, interval := r.text(colLineID), r.text(colInterval)
	if id == "" {
		return r.identity(dst, nil)
	}
	dst = append(dst, id...)
	dst = append(dst, 0)
	return append(dst, interval...)
}

// billingMonth is the billing period that the row says it belongs to.
func billingMonth(r row) (period.Month, *cellError) {
	at, ok, bad := r.instantOf(colPeriodStart)
	switch {
	case bad != nil:
		return "", bad
	case !ok:
		return "", &cellError{colPeriodStart.name(), "missing value", "every row needs its billing period"}
	}
	return months.name(at), nil
}
