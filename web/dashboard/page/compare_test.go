package page

import (
	"net/http/httptest"
	"strings"
	"testing"

	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/web/views/format"
)

func scopeOf(t *testing.T, address string) Scope {
	t.Helper()
	s, err := ReadScope(httptest.NewRequest("GET", address, nil))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The period before is that of reports, and an address compares with what it names.
func TestWhatAPeriodIsComparedWith(t *testing.T) {
	stored := period.Interval{From: instant("2026-09-01"), To: instant("2026-12-01")}
	for address, want := range map[string]string{
		"/":                               "2026-06-01/2026-09-01", // as long as all stored time
		"/?from=2026-11-01&to=2026-12-01": "2026-10-01/2026-11-01",
		"/?from=2026-11-08&to=2026-11-10": "2026-11-06/2026-11-08",
		"/?from=2026-11-08&to=2026-11-10&against=same_days":             "2026-10-08/2026-10-10",
		"/?from=2026-11-08&to=2026-11-10&against=2026-09-01/2026-09-03": "2026-09-01/2026-09-03",
		"/?against=2026-09-01/2026-09-03":                               "2026-09-01/2026-09-03",
		"/?from=2026-11-01&to=2026-12-01&against=none":                  "",
		"/?billing_period=2026-11":                                      "2026-10-01/2026-11-01",
	} {
		got := ""
		if w := scopeOf(t, address).Over(stored).Before(); !w.Empty() {
			got = Address(w.From) + "/" + Address(w.To)
		}
		if got != want {
			t.Errorf("%s is compared with %s, want %s", address, got, want)
		}
	}
	for _, text := range []string{"yesterday", "2026-11-01/", "2026-11-02/2026-11-01", "2"} {
		if _, err := ReadScope(httptest.NewRequest("GET", "/?against="+text, nil)); err == nil {
			t.Errorf("against=%s was read", text)
		}
	}
}

// Comparisons beyond the stored time are not offered.
func TestTheMenuComparesWithinTheLedger(t *testing.T) {
	p := &Context{Extent: metrics.Extent{
		Stored: period.Interval{From: instant("2026-09-15"), To: instant("2026-12-01")}, Data: instant("2026-11-20"),
	}}
	const nothing = "nothing: The ledger has nothing before this period to compare with. , Compare 1 – 19 Nov with 1 – 19 Oct "
	for address, want := range map[string]string{
		"/": nothing,
		"/?from=2026-11-01&to=2026-12-01": "1 – 31 Oct: Period before 1 – 31 Oct, " +
			"Same days, a month earlier 1 – 31 Oct, Nothing ",
		"/?from=2026-10-01&to=2026-11-01": nothing,
		"/?from=2026-10-01&to=2026-10-03": "29 – 30 Sep: Period before 29 – 30 Sep, Nothing ",
		"/?from=2026-11-01&to=2026-12-01&against=none": "nothing: Period before 1 – 31 Oct, " +
			"Same days, a month earlier 1 – 31 Oct, Nothing ",
	} {
		p.Scope = scopeOf(t, address)
		m := p.againstMenu()
		var items []string
		for _, i := range m.Items {
			items = append(items, i.Text+" "+i.Note)
		}
		if got := m.Value + ": " + strings.Join(items, ", "); got != want {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
	}
}

// A billing month chooses costs by invoice; datasets without one show the calendar month.
func TestABillingMonthIsAPeriod(t *testing.T) {
	s := scopeOf(t, "/?billing_period=2026-10")
	for dataset, want := range map[string]string{
		"costs": "..2026-10", "charges": "..2026-10", "runs": "2026-10-01.2026-11-01.", "reconciliation": "..2026-10",
	} {
		d, err := metrics.LookupDataset(dataset)
		if err != nil {
			t.Fatal(err)
		}
		from, to, billing := s.Period(d)
		if got := from + "." + to + "." + billing; got != want {
			t.Errorf("%s is read for %s, want %s", dataset, got, want)
		}
	}
	if o := s.Costs(metrics.Options{}); o.From+o.To != "" || o.BillingPeriod != "2026-10" {
		t.Errorf("costs of %s to %s, billed in %s", o.From, o.To, o.BillingPeriod)
	}
	p := &Context{Scope: s, Extent: metrics.Extent{
		Stored: period.Interval{From: instant("2026-09-01"), To: instant("2026-12-01")}, Data: instant("2026-11-20"),
	}}
	earlier, later := p.Neighbours()
	if earlier != "/?billing_period=2026-09" || later != "/?billing_period=2026-11" {
		t.Errorf("neighbours: %s, %s", earlier, later)
	}
	if got := p.periodMenu(Choices{}).Value; got != "billed in October 2026" {
		t.Errorf("the menu says %s", got)
	}
}

// A statement is compared with another one, which no other page is.
func TestAStatementNamesAnother(t *testing.T) {
	s, err := ReadStatement(httptest.NewRequest("GET", "/statement?billing_period=2026-10&against=2", nil))
	if err != nil || s.Against != "2" {
		t.Fatalf("%q, %v", s.Against, err)
	}
	if got := s.Carried("/"); got != "/?billing_period=2026-10" {
		t.Errorf("other pages: %s", got)
	}
}

// Complete days end at the last midnight that data reach; the period before is as long.
func TestOnlyCompleteDays(t *testing.T) {
	e := metrics.Extent{
		Stored: period.Interval{From: instant("2026-09-01"), To: instant("2026-12-01")},
		Data:   instant("2026-11-08T14:05:00Z"),
	}
	costs, _ := metrics.LookupDataset("costs")
	runs, _ := metrics.LookupDataset("runs")
	const november = "1 – 7 Nov; 2026-11-01.2026-11-08., 2026-11-01.2026-11-08.; 2026-10-01/2026-10-08"
	for address, want := range map[string]string{
		"/?complete=1": "1 Sep – 7 Nov; .2026-11-08., .2026-11-08.; 2026-06-25/2026-09-01",
		"/?from=2026-11-01&to=2026-12-01&complete=1": november,
		"/?complete=1&billing_period=2026-11": strings.Replace(november, "2026-11-01.2026-11-08.,",
			".2026-11-08.2026-11,", 1),
		"/?from=2026-10-01&to=2026-11-01&complete=1": "1 – 31 Oct; 2026-10-01.2026-11-01., 2026-10-01.2026-11-01.; " +
			"2026-09-01/2026-10-01",
		"/?from=2026-11-08&to=2026-11-09&complete=1": "8 Nov; 2026-11-08.2026-11-09., 2026-11-08.2026-11-09.; " +
			"2026-11-07/2026-11-08",
		"/?from=2026-11-01&to=2026-11-10&against=same_days": "1 – 9 Nov; 2026-11-01.2026-11-10., " +
			"2026-11-01.2026-11-10.; 2026-10-01/2026-10-10",
	} {
		s := scopeOf(t, address).Shown(e)
		got := format.ShortDays(s.Span)
		for i, d := range []*metrics.Dataset{costs, runs} {
			from, to, billing := s.Period(d)
			got += []string{"; ", ", "}[i] + strings.Join([]string{from, to, billing}, ".")
		}
		got += "; " + Address(s.Before().From) + "/" + Address(s.Before().To)
		if got != want {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
		if back := s.With(); back != address {
			t.Errorf("%s has the address %s", address, back)
		}
	}
	if _, err := ReadScope(httptest.NewRequest("GET", "/?complete=yes", nil)); err == nil {
		t.Error("complete=yes was read")
	}
}
