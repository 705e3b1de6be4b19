package panel

import (
	"strings"

	"gpuledger/metrics"
	"gpuledger/web/views/format"
)

// Lead is the largest group of a panel in words; the zero Lead has no group.
type Lead struct {
	Name, Figure string
	Total, Share string // of figures that add up, in several groups
	All, Before  string // of figures that add up: of all groups now, and in the question that it is compared with
	Groups       int
}

// lead describes the largest group of the sheet.
func (d *drawing) lead() Lead {
	var first *group
	for _, g := range d.groups { // they may be in the order of change
		if g.total != nil && (first == nil || g.total.Cmp(*first.total) > 0) {
			first = g
		}
	}
	if first == nil {
		return Lead{}
	}
	l := Lead{Name: d.name(first), Figure: d.figure(d.column, first.total).Text + d.unitWord(), Groups: len(d.groups)}
	if adds(d.column) {
		l.All, l.Before = d.figure(d.column, &d.total).Text, d.figure(d.column, sumBefore(d.groups)).Text
	}
	if adds(d.column) && len(d.groups) > 1 && d.total.Sign() > 0 {
		l.Total, l.Share = d.figure(d.column, &d.total).Text+d.unitWord(), format.Share(*first.total, d.total)
		l.Figure = d.figure(d.column, first.total).Text
	}
	return l
}

// money reports whether the measure is money, or a price in it.
func (d *drawing) money() bool {
	return d.column.Kind == metrics.Money || strings.HasPrefix(d.column.Unit, "currency")
}

// unitWord follows a figure that is printed without its unit.
func (d *drawing) unitWord() string {
	unit := d.column.Unit
	if d.money() || unit == "" || unit == "seconds" {
		return ""
	}
	return " " + unit
}

// unitNote is the unit below the title: of money in one currency its code; if there are several, each has a heading.
func (d *drawing) unitNote() string {
	switch {
	case d.money() && d.several, d.column.Name == "":
		return ""
	case d.money():
		return d.currency + strings.TrimPrefix(d.column.Unit, "currency")
	case d.column.Unit == "seconds":
		return ""
	}
	return d.column.Unit
}
