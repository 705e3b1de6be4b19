package azurecost

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"gpuledger/ingest/bill"
	"gpuledger/ingest/table"
	"gpuledger/internal/blob"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// Datasets. Exports have the first two; the other two are for files that do not show which of
// them they are.
const (
	datasetActual    = "ActualCost"
	datasetAmortized = "AmortizedCost"
	datasetUsage     = "Usage" // of exports before 2021: only use, as billed
	datasetPlain     = "Cost"  // without commitments: both datasets in one
)

// found is information about a file that its header does not show.
type found struct {
	dataset string
	order   dateOrder
	plain   bool // no commitment on any row: billed is effective
}

// Inspect finds a file's dataset, by its manifest, else its path, else its rows, and the order
// of its dates. It reads only as many rows as that takes.
func (format) Inspect(ctx context.Context, file blob.File, m *bill.Manifest, h bill.Hints) (any, error) {
	f := found{dataset: pathDataset(file.Path)}
	if m != nil {
		if known := datasetOf(m.Dataset); known != "" {
			f.dataset = known
		}
	}
	err := f.read(ctx, file, h)
	return f, err
}

// datasetOf is the dataset by the name that Azure gives it.
func datasetOf(name string) string {
	switch table.Squash(name) {
	case "actualcost":
		return datasetActual
	case "amortizedcost":
		return datasetAmortized
	case "usage":
		return datasetUsage
	}
	return ""
}

// pathDataset is the dataset in a path: the last folder or file name that contains one of the
// two words, separate from other letters.
func pathDataset(path string) string {
	parts := strings.FieldsFunc(strings.ToLower(path), func(c rune) bool { return c == '/' || c == '\\' })
	for _, part := range slices.Backward(parts) {
		name := table.Squash(part)
		actual := strings.Contains(name, "actual")
		amortized := strings.Contains(name, "amortized") || strings.Contains(name, "amortised")
		switch {
		case actual && !amortized:
			return datasetActual
		case amortized && !actual:
			return datasetAmortized
		}
	}
	return ""
}

var errSeen = errors.New("seen enough")

// read reads rows until everything is known.
func (f *found) read(ctx context.Context, file blob.File, h bill.Hints) (err error) {
	t, err := bill.OpenTable(Format, file, h)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	s, refused := newSchema(file.Name, t.Names())
	if refused != nil {
		return nil // BindAs refuses it
	}
	look := &inspection{
		f: f, told: orders[h.DateOrder], b: newBinding(s, found{}), file: file, between: folderDays(file.Path),
	}
	look.wantsRows = f.dataset == "" || f.dataset == datasetUsage
	var wanted []int
	for _, c := range []column{
		colDate, colPeriodStart, colPeriodEnd, colCost, colChargeType,
		colPricingModel, colReservation, colBenefit, colConsumedService,
	} {
		wanted = append(wanted, s.at[c]...)
	}
	t.Select(wanted)
	if err := t.Each(ctx, look.row); err != nil && !errors.Is(err, errSeen) {
		return err
	}
	return look.conclude()
}

// inspection gathers the evidence of a file's rows.
type inspection struct {
	f         *found
	b         *binding
	file      blob.File
	between   period.Interval // from the folder's name, empty without one
	wantsRows bool

	told       dateOrder
	line       int64 // of the first ambiguous date
	example    string
	months     map[slashed]bool // such dates
	datesClear bool
	bought     int64 // line of the first purchase of a commitment
	amortized  int64 // line of the first row that occurs only in AmortizedCost
	covered    bool
}

func (i *inspection) row(tr table.Row) error {
	r := i.b.row(tr)
	if i.f.order == unknownOrder && !i.datesClear {
		if err := i.dates(r); err != nil {
			return err
		}
	}
	if i.wantsRows {
		i.commitments(r)
		return nil
	}
	if i.f.order != unknownOrder || i.datesClear {
		return errSeen
	}
	return nil
}

// dates looks for a date that reveals the order of all.
func (i *inspection) dates(r row) error {
	if i.f.order = periodOrder(r.TextOf(colPeriodStart), r.TextOf(colPeriodEnd)); i.f.order != unknownOrder {
		return nil
	}
	any := false
	for _, c := range []column{colPeriodEnd, colPeriodStart, colDate} {
		text := r.TextOf(c)
		d, ok := splitDate(text)
		if !ok {
			continue
		}
		any = true
		switch own := d.order(); {
		case own != unknownOrder:
			i.f.order = own
			return nil
		case d.a != d.b:
			if i.months == nil {
				i.months, i.line, i.example = map[slashed]bool{}, r.Line(), text
			}
			if len(i.months) < 10_000 {
				i.months[d] = true
			}
		}
	}
	if !any && r.TextOf(colDate) != "" {
		i.datesClear = true // the file writes the year first
	}
	return nil
}

// periodOrder is the order in which a billing period is plausible: it lasts about a month from
// its first to its last day.
func periodOrder(start, end string) dateOrder {
	from, ok1 := splitDate(start)
	to, ok2 := splitDate(end)
	if !ok1 || !ok2 {
		return unknownOrder
	}
	month := func(o dateOrder) bool {
		first, ok1 := from.in(o)
		last, ok2 := to.in(o)
		return ok1 && ok2 && last-first >= 20*period.Day && last-first <= 40*period.Day
	}
	switch m, d := month(monthFirst), month(dayFirst); {
	case m && !d:
		return monthFirst
	case d && !m:
		return dayFirst
	}
	return unknownOrder
}

// commitments looks for rows that occur in only one of the datasets.
func (i *inspection) commitments(r row) {
	facts := r.facts()
	switch {
	case facts.charge == typeUnusedReservation || facts.charge == typeUnusedPlan:
		i.amortized = first(i.amortized, r.Line())
	case facts.commitmentFee():
		i.bought = first(i.bought, r.Line())
	case facts.covered():
		i.covered = true
		if cost, bad := r.AmountOf(colCost); bad == nil && cost != nil && !cost.IsZero() {
			i.amortized = first(i.amortized, r.Line())
		}
	}
}

func first(known, line int64) int64 {
	if known != 0 {
		return known
	}
	return line
}

// conclude decides from the rows' evidence.
func (i *inspection) conclude() error {
	if i.wantsRows {
		switch {
		case i.bought != 0 && i.amortized != 0:
			return &ledger.FileError{Rejection: ledger.Rejection{File: i.file.Name, Line: max(i.bought, i.amortized),
				Column: colChargeType.Name(), Reason: "two datasets",
				Detail: fmt.Sprintf("line %d buys a commitment, which occurs only in ActualCost, and line %d is amortised, which "+
					"occurs only in AmortizedCost; deliver the two datasets as separate files", i.bought, i.amortized)}}
		case i.f.dataset == datasetUsage:
			i.f.plain = i.bought == 0 && i.amortized == 0 && !i.covered
		case i.amortized != 0:
			i.f.dataset = datasetAmortized
		case i.bought != 0 || i.covered:
			i.f.dataset = datasetActual
		default:
			i.f.dataset, i.f.plain = datasetPlain, true
		}
	}
	if i.f.order == unknownOrder && len(i.months) > 0 {
		if i.f.order = i.told; i.f.order == unknownOrder {
			i.f.order = i.guess()
		}
		if i.f.order == unknownOrder {
			return &ledger.FileError{Rejection: ledger.Rejection{File: i.file.Name, Line: i.line, Column: colDate.Name(),
				Reason: "ambiguous date",
				Detail: fmt.Sprintf("%q may have the month or the day first, and the file does not show which; set "+
					"--date-order %s or %s, or export again with the billing period or with dates such as 2026-11-30",
					table.Clip(i.example), bill.MonthFirst, bill.DayFirst)}}
		}
	}
	return nil
}

// guess finds the only plausible order of the dates: all within the days of the run folder's
// name, else all within one month.
func (i *inspection) guess() dateOrder {
	fits := func(o dateOrder, ok func(period.Second) bool) bool {
		for d := range i.months {
			if at, valid := d.in(o); !valid || !ok(at) {
				return false
			}
		}
		return true
	}
	decide := func(month, day bool) dateOrder {
		switch {
		case month && !day:
			return monthFirst
		case day && !month:
			return dayFirst
		}
		return unknownOrder
	}
	if !i.between.Empty() {
		return decide(fits(monthFirst, i.between.Contains), fits(dayFirst, i.between.Contains))
	}
	oneMonth := func(o dateOrder) bool {
		var m period.Month
		return fits(o, func(at period.Second) bool {
			same := m == "" || m == period.MonthName(at)
			m = period.MonthName(at)
			return same
		})
	}
	return decide(oneMonth(monthFirst), oneMonth(dayFirst))
}

// dayFolder is <first day>-<last day>, an export's folder for the days of a run.
var dayFolder = regexp.MustCompile(`^(\d{8})-(\d{8})$`)

func folderDays(path string) period.Interval {
	for part := range strings.SplitSeq(path, "/") {
		if m := dayFolder.FindStringSubmatch(part); m != nil {
			from, err1 := parseDate(m[1], unknownOrder)
			to, err2 := parseDate(m[2], unknownOrder)
			if err1 == nil && err2 == nil {
				return period.Interval{From: from, To: to + period.Day}
			}
		}
	}
	return period.Interval{}
}
