package report_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/internal/store"
	"gpuledger/metrics"
	"gpuledger/metrics/waste"
	"gpuledger/test/storetest"
)

// saveSomeFindings stores findings with zero, one or two currencies.
func saveSomeFindings(t *testing.T, s *store.Store) {
	t.Helper()
	at := storetest.Second("2026-11-02T00")
	var list []waste.Finding
	kinds := []waste.Kind{"hoarding", "held_not_used", "xid", "throttled"}
	for i := range 40 {
		f := waste.Finding{Kind: kinds[i%4], Subject: fmt.Sprintf("prod/ml/pod-%d", i/2), From: at +
			period.Second(i)*period.Hour, To: at + period.Second(i+1+i%5)*period.Hour,
			Met: int64(1+i%5) * 1800, Share: waste.Share{GPUHours: money.MustParse("0.25"), Cost: waste.Money{}},
			Evidence: waste.EvidenceOf(kinds[i%4], waste.Number{Name: "idle_seconds", Unit: "seconds", Value: int64(i) * 360})}
		for k, currency := range []string{"USD", "EUR"} {
			if i%3 > k || i%7 == 0 {
				f.Share.Cost[currency] = waste.Cost{Amount: money.MustParse(fmt.Sprintf("%d.5", i%6)), State: ledger.Open}
			}
		}
		f.Where.Cluster = "prod"
		list = append(list, f)
	}
	if err := s.SaveFindings(t.Context(), nil, list, at+30*period.Day); err != nil {
		t.Fatal(err)
	}
}

// The first rows are found before their texts are built; they equal those of the whole answer.
func TestFindingsThatAreShown(t *testing.T) {
	s := storetest.SmallLedger(t)
	saveSomeFindings(t, s)
	for _, order := range []string{
		"", "-idle_cost", "from", "-hours", "-hours_met", "subject", "evidence", "-cost_per_month",
	} {
		for _, filter := range []string{
			"", "overlaps = false", "currency = ''", "kind in (hoarding, xid) and not subject = 'prod/ml/pod-4'",
		} {
			o := metrics.Options{Order: order, Filter: filter}
			q, err := metrics.Parse("waste", o)
			if err != nil {
				t.Fatal(err)
			}
			whole := shownLines(t, s, q)
			for _, page := range [][2]int{{5, 0}, {7, 5}, {200, 0}} {
				q.Limit, q.Offset = page[0], page[1]
				from, to := min(q.Offset, len(whole)), min(q.Offset+q.Limit, len(whole))
				if got := shownLines(t, s, q); !slices.Equal(got, whole[from:to]) {
					t.Errorf("order %q, filter %q, %d rows after %d:\n%s\nwant\n%s", order, filter, q.Limit, q.Offset,
						strings.Join(got, "\n"), strings.Join(whole[from:to], "\n"))
				}
			}
		}
	}
}

// Hours and GPU-hours of a finding with two currencies count once.
func TestHoursOfFindingsCountOnce(t *testing.T) {
	s := storetest.SmallLedger(t)
	saveSomeFindings(t, s)
	if n := storetest.Count(t, s,
		"select count(*) from finding_costs group by finding_id having count(*) = 2 limit 1"); n != 2 {
		t.Fatal("no finding in two currencies")
	}
	var sum, hours, met money.Amount
	for _, r := range storetest.Table(t, s, "waste", metrics.Options{GroupBy: "currency"}) {
		sum, hours = sum.Add(money.MustParse(r["gpu_hours"])), hours.Add(money.MustParse(r["hours"]))
		met = met.Add(money.MustParse(r["hours_met"]))
	}
	if sum.String() != "10" || hours.String() != "120" || met.String() != "60" {
		t.Errorf("%s GPU-hours, %s hours, %s that met it; want 40 times 0.25, 8 times 1+2+3+4+5, half of them", sum, hours,
			met)
	}
}

func shownLines(t *testing.T, s *store.Store, q metrics.Query) (out []string) {
	t.Helper()
	rows, err := s.Query(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var line []string
		for k, v := range rows.Values() {
			line = append(line, v.String(rows.Columns()[k].Kind))
		}
		out = append(out, strings.Join(line, "|"))
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}
