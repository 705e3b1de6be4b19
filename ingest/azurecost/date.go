package azurecost

import (
	"errors"
	"strings"
	"time"

	"gpuledger/ingest/bill"
	"gpuledger/ingest/table"
	"gpuledger/internal/period"
)

// dateOrder is the meaning of the first number of a date.
type dateOrder byte

// Orders.
const (
	unknownOrder dateOrder = iota
	monthFirst
	dayFirst
)

// orders are the orders that a user can set.
var orders = map[bill.DateOrder]dateOrder{bill.MonthFirst: monthFirst, bill.DayFirst: dayFirst}

var (
	errDate      = errors.New("a date such as 2026-11-30 or 11/30/2026 is expected")
	errMixed     = errors.New("the month and the day are in a different order than in earlier dates")
	errAmbiguous = errors.New("the file does not show whether the month or the day comes first; set --date-order")
)

// slashed is a date as two small numbers and a year: 9/2/2023, 02.09.23.
type slashed struct {
	a, b, year int
	dotted     bool // 2.9.2023: such dates always have the day first
}

// splitDate splits a date that is not written year first. It ignores a time of day after it.
func splitDate(s string) (slashed, bool) {
	if i := strings.IndexAny(s, " T"); i > 0 {
		s = s[:i]
	}
	sep := strings.IndexAny(s, "/.-")
	if sep < 1 || sep > 2 {
		return slashed{}, false
	}
	mark := s[sep : sep+1]
	second, year, found := strings.Cut(s[sep+1:], mark)
	d := slashed{dotted: mark == "."}
	var ok1, ok2, ok3 bool
	d.a, ok1 = smallNumber(s[:sep], 2)
	d.b, ok2 = smallNumber(second, 2)
	d.year, ok3 = smallNumber(year, 4)
	if !found || !ok1 || !ok2 || !ok3 || len(year)%2 != 0 {
		return slashed{}, false
	}
	if len(year) == 2 {
		d.year += 2000
	}
	return d, true
}

func smallNumber(s string, most int) (n int, ok bool) {
	if s == "" || len(s) > most {
		return 0, false
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = n*10 + int(s[i]-'0')
	}
	return n, true
}

// order is the order that the date itself reveals.
func (d slashed) order() dateOrder {
	switch {
	case d.dotted || d.a > 12:
		return dayFirst
	case d.b > 12:
		return monthFirst
	}
	return unknownOrder
}

// in reads the date in an order.
func (d slashed) in(o dateOrder) (period.Second, bool) {
	month, day := d.a, d.b
	if o == dayFirst {
		month, day = d.b, d.a
	}
	t := time.Date(d.year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	if month < 1 || month > 12 || t.Day() != day || d.year < 1990 {
		return 0, false
	}
	return period.FromTime(t), true
}

// parseDate reads a date of a bill, without the time of day. Dates without a zone are UTC.
func parseDate(s string, o dateOrder) (period.Second, error) {
	if d, ok := splitDate(s); ok {
		own := d.order()
		switch {
		case d.a == d.b && own == unknownOrder:
			own = monthFirst
		case own == unknownOrder && o == unknownOrder:
			return 0, errAmbiguous
		case own == unknownOrder:
			own = o
		case o != unknownOrder && own != o:
			return 0, errMixed
		}
		at, ok := d.in(own)
		if !ok {
			return 0, errDate
		}
		return at, nil
	}
	if at, err := table.ParseInstant(s); err == nil {
		return at.Floor(period.Day), nil
	}
	for _, layout := range []string{
		"20060102", "2006/01/02", "2006-01-02T15:04Z07:00", "2006-01-02T15:04", "2006-01-02 15:04", "2006/01/02 15:04:05",
	} {
		if t, err := time.Parse(layout, s); err == nil {
			return period.FromTime(t).Floor(period.Day), nil
		}
	}
	return 0, errDate
}
