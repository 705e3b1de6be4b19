package page

import (
	"strings"
	"testing"
	"time"

	"gpuledger/internal/fiscal"
	"gpuledger/internal/period"
	"gpuledger/metrics"
)

// The menu offers fiscal periods if there is a fiscal calendar, each once.
func TestTheMenuOffersFiscalPeriods(t *testing.T) {
	retail := fiscal.Calendar{Start: time.February, Weeks: [3]int{4, 5, 4}}
	for name, c := range map[string]struct {
		calendar fiscal.Calendar
		want     string
	}{
		"none": {fiscal.Calendar{}, ""},
		"retail": {retail, "This fiscal month 1 – 28 Nov, Last fiscal month 4 – 31 Oct, This fiscal quarter 1 Nov 2026 – " +
			"30 Jan 2027, Last fiscal quarter 2 Aug – 31 Oct, This fiscal year 1 Feb 2026 – 30 Jan 2027"},
		"june": {fiscal.Calendar{Start: time.June}, "This fiscal quarter 1 Sep – 30 Nov, Last fiscal quarter 1 Jun – 31 Aug, " +
			"This fiscal year 1 Jun 2026 – 31 May 2027"},
		"october": {fiscal.Calendar{Start: time.October}, "This fiscal year 1 Oct 2026 – 30 Sep 2027, " +
			"Last fiscal year 1 Oct 2025 – 30 Sep 2026"},
	} {
		p := &Context{Scope: scopeOf(t, "/?from=2026-11-01&to=2026-12-01"), Extent: metrics.Extent{
			Stored: period.Interval{From: instant("2026-06-15"), To: instant("2026-12-01")}, Data: instant("2026-11-20"),
			Fiscal: c.calendar,
		}}
		var fiscals []string
		for _, i := range p.presets() {
			if strings.Contains(i.Text, "fiscal") {
				fiscals = append(fiscals, i.Text+" "+i.Note)
			}
		}
		if got := strings.Join(fiscals, ", "); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// A fiscal month leads to its neighbours, and is compared with the one before it, which may have other weeks.
func TestFiscalPeriodsHaveNeighbours(t *testing.T) {
	p := &Context{Extent: metrics.Extent{
		Stored: period.Interval{From: instant("2026-06-15"), To: instant("2027-02-01")}, Data: instant("2026-12-20"),
		Fiscal: fiscal.Calendar{Start: time.February, Weeks: [3]int{4, 5, 4}},
	}}
	for address, want := range map[string]string{
		"/?from=2026-11-29&to=2027-01-03": "/?from=2026-11-01&to=2026-11-29 /?from=2027-01-03&to=2027-01-31 " +
			"The fiscal month before 1 – 28 Nov",
		"/?from=2026-08-30&to=2026-10-04": "/?from=2026-08-02&to=2026-08-30 /?from=2026-10-04&to=2026-11-01 " +
			"The fiscal month before 2 – 29 Aug",
		"/?from=2026-11-01&to=2026-11-29": "/?from=2026-10-04&to=2026-11-01 /?from=2026-11-29&to=2027-01-03 ",
		"/?from=2026-12-01&to=2027-01-01": "/?from=2026-11-01&to=2026-12-01 /?from=2027-01-01&to=2027-02-01 ",
		"/?from=2026-11-02&to=2026-11-04": "/?from=2026-10-31&to=2026-11-02 /?from=2026-11-04&to=2026-11-06 ",
	} {
		p.Scope = scopeOf(t, address)
		earlier, later := p.Neighbours()
		got := earlier + " " + later + " "
		for _, i := range p.againstMenu().Items {
			if strings.Contains(i.Text, "fiscal") {
				got += i.Text + " " + i.Note
			}
		}
		if got != want {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
	}
}
