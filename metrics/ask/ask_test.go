package ask_test

import (
	"errors"
	"strings"
	"testing"

	"gpuledger/metrics"
	"gpuledger/metrics/ask"
)

func november(o metrics.Options) metrics.Options {
	o.From, o.To = "2026-11-01", "2026-12-01"
	return o
}

func TestOneQuestionInThreeLanguages(t *testing.T) {
	q := ask.Question{Dataset: "costs", Figures: []string{"effective_cost"}, Options: november(metrics.Options{
		GroupBy: "team,user", Filter: "team = 'it''s' and not cause in (free, lost)", Basis: "effective", Sharing: "before",
	})}
	sql, err := q.SQL()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, got, want string }{
		{"REST", q.REST(), "/api/v1/costs?filter=team+%3D+%27it%27%27s%27+and+not+cause+in+%28free%2C+lost%29&from=2026-11-01" +
			"&group-by=team%2Cuser&to=2026-12-01"},
		{"command", q.Command(), "gpuledger report costs --from 2026-11-01 --to 2026-12-01 --group-by team,user " +
			`--filter 'team = '\''it'\'''\''s'\'' and not cause in (free, lost)'`},
		{"SQL", sql, `select team,
  "user",
  currency,
  sum(effective_cost) as effective_cost
from bi_v1.costs_daily
where period_start >= '2026-11-01T00:00:00Z'
  and period_start < '2026-12-01T00:00:00Z'
  and (team = 'it''s' and not coalesce((cause in ('free', 'lost')), false))
group by 1, 2, 3;`},
	} {
		if c.got != c.want {
			t.Errorf("%s is\n%s\nwant\n%s", c.name, c.got, c.want)
		}
	}
}

func TestSQLPicksItsView(t *testing.T) {
	for _, c := range []struct {
		dataset string
		options metrics.Options
		want    string // part of the statement
	}{
		{"costs", metrics.Options{Granularity: "hour"}, "date_trunc('hour', period_start, 'UTC') as period_start,\n  currency"},
		{"costs", metrics.Options{From: "2026-11-01T05:00"}, "bi_v1.costs_hourly"},
		{"costs", metrics.Options{Sharing: "after"}, "bi_v1.costs_after_daily"},
		{"inference", november(metrics.Options{GroupBy: "model"}), "sum(generation_tokens) as generation_tokens"},
		{"runs", november(metrics.Options{GroupBy: "team"}), "(started_at is null or started_at < '2026-12-01T00:00:00Z')"},
		{"budgets", metrics.Options{Filter: "source = label and ratio >= 0.8"}, "group by 1, 2, 3, 4, 5\n) b\nwhere ratio >= '0.8';"},
		{"budget_days", metrics.Options{Filter: "name = a and day <= '2026-11-20'"}, "timestamptz '2026-11-20T00:00:00Z')"},
		{"costs", metrics.Options{}, "round((sum(effective_cost) / nullif(sum(active_gpu_hours), 0))::numeric, 12)"},
	} {
		sql, err := ask.Question{Dataset: c.dataset, Options: c.options}.SQL()
		if err != nil || !strings.Contains(sql, c.want) {
			t.Errorf("%s %+v: %v\n%s\nlacks %s", c.dataset, c.options, err, sql, c.want)
		}
	}
}

func TestSQLRefusesWhatViewsDoNotHave(t *testing.T) {
	for _, c := range []struct {
		dataset string
		options metrics.Options
	}{
		{"budgets", metrics.Options{Filter: "state != ok"}},
		{"budget_days", metrics.Options{Filter: "name = a"}},
		{"budget_days", metrics.Options{Filter: "day >= '2026-11-20'"}},
		{"budget_days", metrics.Options{Filter: "not day <= '2026-11-20'"}},
		{"waste", november(metrics.Options{})},
		{"costs", metrics.Options{GroupBy: "tag:App"}},
		{"costs", metrics.Options{Currency: "EUR"}},
		{"costs", metrics.Options{TZ: "Europe/Berlin"}},
		{"costs", metrics.Options{Filter: "gpu_hours > 1"}},
	} {
		if sql, err := (ask.Question{Dataset: c.dataset, Options: c.options}).SQL(); err == nil {
			t.Errorf("%s %+v is answered by\n%s", c.dataset, c.options, sql)
		} else if _, ok := errors.AsType[*ask.NoSQLError](err); !ok {
			t.Errorf("%s %+v: %v", c.dataset, c.options, err)
		}
	}
}

func TestVarianceIsAskedAsTheCostsOfBothPeriods(t *testing.T) {
	q := ask.Question{Dataset: "variance", Options: november(metrics.Options{GroupBy: "team", Against: "previous"})}
	sql, err := q.SQL()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"-- without_hours) have rules that are not SQL: take REST or the command.\n" +
			"select team,\n  currency,\n  coalesce(sum(effective_cost) filter (where period_start >= '2026-10-01T00:00:00Z' and " +
			"period_start < '2026-11-01T00:00:00Z'), 0) as cost_before",
		"from bi_v1.costs_daily\nwhere currency is not null", "group by 1, 2;",
	} {
		if !strings.Contains(sql, want) {
			t.Errorf("it lacks %s:\n%s", want, sql)
		}
	}
}
