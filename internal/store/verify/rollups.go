package verify

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/period"
	"gpuledger/internal/star"
	"gpuledger/internal/store/figures"
	"gpuledger/internal/store/pg"
	"gpuledger/internal/store/report"
	"gpuledger/metrics"
)

// ofRollUps checks that the roll-ups that reports read equal the ledger. Days that have changed and are not rolled up
// again are not read by reports, and not checked.
func ofRollUps(hours period.Interval) []invariant {
	list := []invariant{
		{"roll-ups of days", "each day of every cost roll-up equals the ledger, by cause, currency and state",
			CheckFailed,
			func(ctx context.Context, tx pgx.Tx) ([]string, error) {
				var names []string
				for _, r := range star.Cost.Rollups {
					names = append(names, r.Name)
				}
				text := strings.ReplaceAll(pg.Statement("verify.rollup_days"), ":rows", costDays())
				return offendersOf(ctx, tx, text, pg.Tenant, hours.From, hours.To, names)
			}},
		byStatement("days of runs",
			"the daily rows of each run equal the ledger, by cause, currency and state",
			"verify.run_days", pg.Tenant, hours.From, hours.To),
		{"roll-ups of months", "each month of every roll-up is the sum of its days", CheckFailed,
			func(ctx context.Context, tx pgx.Tx) ([]string, error) { return checkMonths(ctx, tx, hours) }},
	}
	var made []*star.Fact
	for _, f := range star.Facts {
		if f.Made != "" {
			made = append(made, f)
			continue
		}
		list = append(list, invariant{OfFact(f), "each day of each of its roll-ups is the sum of the fact's rows, by all " +
			"its keys", CheckFailed,
			func(ctx context.Context, tx pgx.Tx) ([]string, error) { return checkDays(ctx, tx, hours, f) }})
	}
	return append(list, invariant{OfFact(made[0]), "each day of what devices showed, and of how active they were for " +
		"their holders, is the sum of their samples", CheckFailed,
		func(ctx context.Context, tx pgx.Tx) ([]string, error) { return checkDays(ctx, tx, hours, made...) }})
}

// OfFact names the check of the days of a fact. Facts built from samples share one check, because samples are read
// once for all of them.
func OfFact(f *star.Fact) string {
	if f.Made != "" {
		return "roll-ups of samples"
	}
	return "roll-ups of fact " + f.Name
}

// costDays are the daily rows of all roll-ups of costs.
func costDays() string {
	var parts []string
	for _, t := range star.Cost.Tables() {
		if t.Step.Name == star.Days.Name {
			parts = append(parts, fmt.Sprintf("select '%s' as roll_up, * from (select at as day, cause, currency, state, "+
				"effective_cost, billed_cost, list_cost, contracted_cost, "+
				"gpu_hours, capacity_gpu_hours, active_gpu_hours, energy_kwh from %s where tenant_id = $1 and at >= $2 and at "+
				"< $3) r", t.Rollup.Name, t.Name()))
		}
	}
	return strings.Join(parts, "\nunion all\n")
}

// mostDaysAtOnce bounds the rows of a fact that the server holds at a time.
const mostDaysAtOnce = 31

// checkDays rolls up the clean days of the hours again and compares them, for facts.
func checkDays(ctx context.Context, tx pgx.Tx, hours period.Interval, facts ...*star.Fact) (found []string, err error) {
	days, err := settledDays(ctx, tx, hours)
	if err != nil {
		return nil, err
	}
	if _, err := pg.Exec(ctx, tx, "verify.hash"); err != nil {
		return nil, err
	}
	defer func() {
		if err == nil { // else the transaction has ended
			_, err = pg.Exec(ctx, tx, "verify.sort")
		}
	}()
	most := mostDaysAtOnce
	if facts[0].Made != "" { // in memory
		most = 1
	}
	for len(days) > 0 && len(found) <= shown {
		n := 1
		for n < min(len(days), most) && days[n].Day == days[n-1].Day+period.Day {
			n++
		}
		span := period.Interval{From: days[0].Day, To: days[n-1].Day + period.Day}
		days = days[n:]
		of := figures.NewRows(tx, span)
		for _, f := range facts {
			ledger, err := of.Of(ctx, f)
			if err != nil {
				return nil, err
			}
			rows, err := offendersOf(ctx, tx, wrongDays(f, span, ledger))
			if err != nil {
				return nil, err
			}
			found = append(found, rows...)
		}
	}
	return atMost(found), nil
}

// atMost shortens the list to the rows that are shown.
func atMost(found []string) []string {
	if len(found) > shown {
		return append(found[:shown], "and more")
	}
	return found
}

// settledDays are the clean days of the hours, except those with bills that wait to be cut.
func settledDays(ctx context.Context, tx pgx.Tx, hours period.Interval) ([]report.CleanDay, error) {
	days, err := report.WindowDays(ctx, tx, metrics.Query{Window: hours})
	if err != nil {
		return nil, err
	}
	waiting, err := pg.Values[period.Second](ctx, tx, "verify.waiting_days", pg.Tenant, hours.From, hours.To)
	return slices.DeleteFunc(days, func(d report.CleanDay) bool { return slices.Contains(waiting, d.Day) }), err
}

// wrongDays are rows of hours and days that the ledger, or the table that a roll-up is built from, has and the
// roll-up lacks, or the reverse.
func wrongDays(f *star.Fact, span period.Interval, ledger string) string {
	var parts []string
	for _, t := range f.Tables() {
		if t.OfDays() {
			continue
		}
		name, from := "ledger", "ledger"
		if source, ok := t.Source(); ok { // compared itself
			name, from = source.Short(), source.Within()
		}
		parts = append(parts, difference(t, name, t.Merged(from)))
	}
	return "with ledger as materialized (\n" + ledger + "\n)\n" +
		report.FilledIn(strings.Join(parts, "\nunion all\n"), span)
}

// difference are the rows that a table has and should not have, or lacks.
func difference(t star.Table, source, should string) string {
	columns := star.Listed("", append([]string{"tenant_id", "at"}, t.Columns()...))
	return fmt.Sprintf("select '%[1]s' as roll_up, case when sum(x.n) > 0 then '%[2]s' else 'roll-up' end as says, "+
		"row(%[3]s)::text as row\n"+
		"from (select %[3]s, 1 as n from (%[4]s) m union all select %[3]s, -1 from %[5]s r) x\ngroup by %[3]s\nhaving "+
		"sum(x.n) <> 0",
		t.Short(), source, columns, should, t.Within())
}

// checkMonths adds up the days of existing months again.
func checkMonths(ctx context.Context, tx pgx.Tx, hours period.Interval) ([]string, error) {
	months, err := pg.Values[period.Second](ctx, tx, "rollup.months", pg.Tenant, hours.From, hours.To)
	if err != nil {
		return nil, err
	}
	var found []string
	for _, month := range months {
		for _, f := range star.Facts {
			for _, t := range f.Tables() {
				if !t.OfDays() {
					continue
				}
				source, _ := t.Source() // its days by default
				rows, err := offendersOf(ctx, tx,
					report.FilledIn(difference(t, source.Short(), t.Merged(source.Within())), period.MonthOf(month)))
				if err != nil {
					return nil, fmt.Errorf("months of %s: %w", t.Rollup.Name, err)
				}
				found = append(found, rows...)
			}
		}
	}
	return atMost(found), nil
}
