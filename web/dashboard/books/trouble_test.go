package books

import (
	"fmt"
	"strings"
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/web/dashboard/page"
)

// Refused and late bills are found (docs/figures.md, 24.1).
func TestRefusedAndLateBills(t *testing.T) {
	day := func(n int) period.Second { return 1793491200 + period.Second(n)*period.Day } // 1 November 2026
	took := func(n int, uri, state string, refused int64) Import {
		return Import{
			ID: fmt.Sprint(uri, n), Source: ledger.SourceOf("aws-cur"), URI: uri, State: state,
			Refused: refused, Finished: day(n), Message: "no order: delivery 2026-10 of arn:x has other rows",
		}
	}
	drop := func(scope, month string, days ...int) (out Drops) {
		for _, n := range days {
			out = append(out, deliveryRow{
				Source: "aws-cur", Scope: scope, Partition: month,
				Published: day(n) + 3600, Import: fmt.Sprint(scope, n), Role: "book",
			})
		}
		return out
	}
	evidence := drop("e", "2026-10", 1, 2, 3)
	for i := range evidence {
		evidence[i].Role = "evidence"
	}
	other := took(9, "s3://b", "refused", 0)
	other.Source = ledger.SourceOf("openmetrics")
	for name, c := range map[string]struct {
		imports  []Import // newest first
		drops    Drops
		now, end int // days
		want     string
	}{
		"nothing": {nil, nil, 20, 20, ""},
		"refused": {[]Import{took(9, "/b", "refused", 0)}, nil, 12, 12, "refused 2026-10 3 days ago"},
		"refused in part": {
			[]Import{took(9, "/b", "published", 2)}, nil, 12, 12, "refused 2026-10 3 days ago",
		},
		"refused again and again": {
			[]Import{
				took(9, "/b", "refused", 0), took(8, "/b", "refused", 0),
				took(2, "/b", "published", 0), took(1, "/b", "refused", 0),
			}, nil, 12, 12, "refused 2026-10 4 days ago",
		},
		"refused, and imported since": {
			[]Import{took(9, "/b", "unchanged", 0), took(8, "/b", "refused", 0)}, nil, 12, 12, "",
		},
		"another place was imported": {
			[]Import{took(9, "/c", "published", 0), took(8, "/b", "refused", 0)}, nil, 12, 12, "refused 2026-10 4 days ago",
		},
		"refused long ago":                {[]Import{took(9, "/b", "refused", 0)}, nil, 100, 100, ""},
		"no bill":                         {[]Import{other}, nil, 12, 12, ""},
		"on time":                         {nil, drop("a", "2026-11", 1, 2, 3, 4), 6, 6, ""},
		"late by its pace":                {nil, drop("a", "2026-11", 1, 2, 3, 4), 12, 12, "late a 2026-11 7 days ago"},
		"weekly, on time":                 {nil, drop("a", "2026-11", 1, 8, 15), 24, 24, ""},
		"weekly, late":                    {nil, drop("a", "2026-11", 1, 8, 15), 30, 30, "late a 2026-11 14 days ago"},
		"a month that has not ended":      {nil, drop("a", "2026-11", 1), 38, 38, ""},
		"a month that just ended":         {nil, drop("a", "2026-10", 1), 33, 33, ""},
		"a month that ended without bill": {nil, drop("a", "2026-10", 1), 36, 36, "late a 2026-11 6 days ago"},
		"of which nothing is stored":      {nil, drop("a", "2026-10", 1), 36, 10, ""},
		"an account that ended":           {nil, drop("a", "2026-10", 1, 2, 3), 150, 150, ""},
		"evidence":                        {nil, evidence, 40, 40, ""},
	} {
		var got []string
		for _, x := range Troubles(c.imports, c.drops, day(c.now), day(c.end)) {
			what := map[bool]string{true: "refused", false: "late"}[x.Import != ""]
			got = append(got, strings.Join(strings.Fields(what+" "+x.Account+" "+x.Month+" "+age(day(c.now)-x.Since)), " "))
		}
		if strings.Join(got, "; ") != c.want {
			t.Errorf("%s: %q instead of %q", name, got, c.want)
		}
	}
	list := Troubles([]Import{took(9, "/b", "refused", 0), took(8, "/b", "published", 0)},
		Drops{{Source: "aws-cur", Scope: "111122223333", Import: "/b8", Partition: "2026-11", Published: day(8)}},
		day(12), day(12))
	said := took(9, "/n", "refused", 0)
	if said.Message = "billed_cost of account 7 in 2026-10 comes from two exports"; Troubles([]Import{said}, nil, day(9),
		day(9))[0].Account != "7" {
		t.Error("a refusal has the wrong account")
	}
	alerts := TroubleAlerts(&page.Context{}, list, day(12))
	if len(alerts) != 1 || alerts[0].What != "AWS Cost and Usage Report, 111122223333, 2026-10: refused" ||
		alerts[0].Href != "/data//b9" || !strings.HasPrefix(alerts[0].Detail, "3 days ago: ") ||
		alerts[0].Due != "before October closes" || !strings.Contains(alerts[0].Detail, "no order") {
		t.Errorf("%+v", alerts)
	}
}
