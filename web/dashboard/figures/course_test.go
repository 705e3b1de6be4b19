package figures

import (
	"testing"

	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views/format"
)

// Days without data keep their place on the axis, and a line has a gap where the table
// below has no row.
func TestTheAxisOfDaysHasEveryDay(t *testing.T) {
	dataset, err := metrics.LookupDataset("inference")
	if err != nil {
		t.Fatal(err)
	}
	first := period.Second(1_793_491_200) // 1 November 2026
	at := map[string]int{"period_start": 0, "service": 1, "currency": 2, "cost_per_1k_requests": 3, "effective_cost": 4}
	r := &Reading{dataset: dataset, columns: map[string]metrics.Column{}, courseKey: "service"}
	for _, c := range dataset.Columns {
		r.columns[c.Name] = c
	}
	for _, day := range []period.Second{0, 1, 8} {
		r.course = append(r.course, page.Record{At: at, Values: []metrics.Value{
			{Valid: true, Time: (first + day*period.Day).Time()}, {Valid: true, Text: "chat"}, {Valid: true, Text: "USD"},
			{Valid: true, Text: "2.5"}, {Valid: true, Text: "10"}}})
	}
	p := &page.Context{Scope: page.Scope{Path: "/inference", Basis: "effective"}, Currency: format.Currency("USD")}
	course := drawCourse(p, &Page{Dataset: "inference",
		Course: &Course{Title: "Cost per 1k requests", Column: "cost_per_1k_requests"}}, r)
	if course == nil {
		t.Fatal("no course")
	}
	var ticks []string
	for _, label := range course.Drawing.Ticks {
		ticks = append(ticks, label.Text+" at "+label.X)
	}
	if len(ticks) != 9 || ticks[0] != "1 Nov at 0.00%" || ticks[4] != "5 Nov at 50.00%" || ticks[8] != "9 Nov at 100.00%" {
		t.Errorf("ticks %q", ticks)
	}
	if n := len(course.Twin.Rows); n != 3 {
		t.Errorf("the table has %d days, want the 3 that are known", n)
	}
}
