package page

import (
	"strings"
	"testing"

	"gpuledger/internal/period"
	"gpuledger/metrics"
)

func TestScopeKeepsItsParameters(t *testing.T) {
	s := Scope{
		Path: "/charges", Basis: "effective", Team: "a b", Provider: "aws",
		Currency: "EUR", Order: "line", BillingPeriod: "2026-11", Pick: Picked{Service: "S&3"},
	}
	if got, want := s.With("page", "2"),
		"/charges?billing_period=2026-11&team=a+b&provider=aws&currency=EUR&service_name=S%263&order=line&page=2"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := s.Carried("/runs"), "/runs?billing_period=2026-11&team=a+b&provider=aws&currency=EUR"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestNeighbours(t *testing.T) {
	extent := period.Interval{From: instant("2026-10-20"), To: instant("2026-11-20")}
	for _, test := range []struct{ from, to, earlier, later string }{
		{"", "", "", ""},
		{"2026-11-10", "2026-11-12", "/?from=2026-11-08&to=2026-11-10", "/?from=2026-11-12&to=2026-11-14"},
		{"2026-11-01", "2026-12-01", "/?from=2026-10-01&to=2026-11-01", ""},
		{"2026-10-20", "2026-10-27", "", "/?from=2026-10-27&to=2026-11-03"},
		{"2026-10-01", "2027-01-01", "", ""},
	} {
		s := Scope{Path: "/", From: test.from, To: test.to, Basis: "effective"}
		if test.from != "" {
			s.Window = period.Interval{From: instant(test.from), To: instant(test.to)}
		}
		earlier, later := (&Context{Scope: s, Extent: metrics.Extent{Stored: extent}}).Neighbours()
		if earlier != test.earlier || later != test.later {
			t.Errorf("%s to %s: %q and %q", test.from, test.to, earlier, later)
		}
	}
}

// The label names all stored time, the end of data is shown separately, and "last days" are
// the last days with data.
func TestTheBarNamesStoredTimeAndData(t *testing.T) {
	e := metrics.Extent{
		Stored: period.Interval{From: instant("2026-10-01"), To: instant("2026-12-01")},
		Data:   instant("2026-11-08T14:05:00Z"),
	}
	b := (&Context{Extent: e}).Bar(Choices{})
	if got := b.Menus[0].Value; got != "1 Oct – 30 Nov 2026" || b.AsOf != "Data to 8 Nov 2026 14:05 UTC" {
		t.Errorf("%q, %q", got, b.AsOf)
	}
	var notes []string
	for _, i := range b.Menus[0].Items {
		notes = append(notes, i.Text+": "+i.Note)
	}
	want := "All recorded time: 1 Oct – 30 Nov, Last day: 8 Nov, Last 7 days: 2 – 8 Nov, This month: 1 – 30 Nov, " +
		"Last month: 1 – 31 Oct, This quarter: 1 Oct – 31 Dec, Calendar months: , November 2026: 1 – 30 Nov, " +
		"October 2026: 1 – 31 Oct, Billing months: costs of the invoices of a month: , Billed in November 2026: , " +
		"Billed in October 2026: , Days that lack data: , Complete days only: to 7 Nov"
	if got := strings.Join(notes, ", "); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// A period without data says so, and whether fees are posted to it.
func TestAPeriodWithoutData(t *testing.T) {
	e := metrics.Extent{
		Stored: period.Interval{From: instant("2026-10-01"), To: instant("2026-12-01")}, Data: instant("2026-11-09"),
	}
	for _, test := range []struct{ from, to, want string }{
		{"2026-11-01", "2026-12-01", ""},
		{"2026-11-08", "2026-11-10", ""},
		{"2026-09-01", "2026-10-02", ""},
		{
			"2026-11-09", "2026-12-01",
			"Telemetry and billed usage end on 9 Nov 2026 00:00 UTC; only fees are posted after that.",
		},
		{"2026-12-01", "2027-01-01", "There is no data for 1 – 31 Dec 2026. The ledger covers 1 Oct – 30 Nov 2026."},
	} {
		s := Scope{}.During(period.Interval{From: instant(test.from), To: instant(test.to)})
		if got := (&Context{Scope: s, Extent: e}).WithoutData(); got != test.want {
			t.Errorf("%s to %s: %q, want %q", test.from, test.to, got, test.want)
		}
	}
	if got := (&Context{Extent: e}).WithoutData(); got != "" {
		t.Errorf("by default: %q", got)
	}
}

func TestRunPath(t *testing.T) {
	for id, want := range map[string]string{
		"prod/ml/PyTorchJob/train/1":  "/runs/prod/ml/PyTorchJob/train/1",
		"a b/ü?#%":                    "/runs/a%20b/%C3%BC%3F%23%25",
		"../../secret":                "/runs/?run=..%2F..%2Fsecret",
		"double//slash":               "/runs/?run=double%2F%2Fslash",
		"javascript:alert(1)":         "/runs/javascript:alert%281%29",
		"x\"onmouseover=\"alert(1)\"": "/runs/x%22onmouseover=%22alert%281%29%22",
	} {
		if got := RunPath("/runs/", id); got != want {
			t.Errorf("runPath(%q) = %q, want %q", id, got, want)
		}
	}
}

func TestScopeAddresses(t *testing.T) {
	s := Scope{Path: "/runs", From: "2026-11-01", Basis: "billed", Team: "a&b", Status: "failed", AsTable: true}
	if got := s.With("team", ""); got != "/runs?from=2026-11-01&basis=billed&status=failed&as=table" {
		t.Errorf("with: %s", got)
	}
	if got := s.Carried("/"); got != "/?from=2026-11-01&basis=billed&team=a%26b" {
		t.Errorf("carried: %s", got)
	}
	if got := s.With("page", "2", "basis", ""); got != "/runs?from=2026-11-01&team=a%26b&status=failed&as=table&page=2" {
		t.Errorf("page: %s", got)
	}
	if got := Quote("it's"); got != "'it''s'" {
		t.Errorf("quote: %s", got)
	}
}

// TestWhyIsAnAddressOfExplain checks that explain accepts it with and without conditions.
func TestWhyIsAnAddressOfExplain(t *testing.T) {
	s := Scope{Basis: "effective", From: "2026-11-01", To: "2026-11-08"}
	for want, filter := range map[string][]string{
		"/explain/costs?from=2026-11-01&to=2026-11-08":                       nil,
		"/explain/costs?filter=cause+%3D+lost&from=2026-11-01&to=2026-11-08": {"cause = lost"},
	} {
		if got := s.Why(filter...); got != want {
			t.Errorf("%q is explained at %s, want %s", filter, got, want)
		}
	}
	if got := (Scope{Basis: "effective"}).Why(); got != "/explain/costs" {
		t.Errorf("without a filter it is explained at %s", got)
	}
}

func TestWindowIsClosedByTheExtent(t *testing.T) {
	extent := period.Interval{From: 1793530800, To: 1793790000}
	got := Scope{}.Over(extent).Span
	if got != extent {
		t.Errorf("span %v of extent %v", got, extent)
	}
	if got := (Scope{Basis: "effective"}).Over(extent).Closed().For("runs", metrics.Options{}); got.From != "2026-11-01T11:00:00Z" ||
		got.To != "2026-11-04T11:00:00Z" {
		t.Errorf("asked from %s to %s", got.From, got.To)
	}
	if got := (Scope{}).Over(period.Interval{}).Span; !got.Empty() {
		t.Errorf("span %v of an empty ledger", got)
	}
}

func TestLongWindowsAreCutToTheData(t *testing.T) {
	extent := period.Interval{From: 1793530800, To: 1793790000}
	ages := period.Interval{From: 365 * period.Day, To: 253402214400} // 1971 to 9999
	for name, test := range map[string]struct{ window, extent, want period.Interval }{
		"both ends":    {ages, extent, extent},
		"to only":      {period.Interval{To: ages.To}, extent, extent},
		"from only":    {period.Interval{From: ages.From}, extent, extent},
		"no data":      {ages, period.Interval{}, period.Interval{}},
		"after it all": {period.Interval{From: extent.To + period.Day, To: ages.To}, extent, period.Interval{}},
		"a month": {
			period.Interval{From: extent.From, To: extent.From + 30*period.Day}, extent,
			period.Interval{From: extent.From, To: extent.From + 30*period.Day},
		},
	} {
		if got := (Scope{Window: test.window}).Over(test.extent).Span; got != test.want {
			t.Errorf("%s: drawn is %v, want %v", name, got, test.want)
		}
	}
}

func instant(s string) period.Second {
	t, err := metrics.Parse("costs", metrics.Options{From: s})
	if err != nil {
		panic(err)
	}
	return t.Window.From
}
