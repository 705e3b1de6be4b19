package store

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/metrics"
)

// smallTogether is how many postings days have that are rolled up at once: bills
// are read once for all of them. They are sorted in memory (analysis.settings).
const smallTogether = 150_000

// RollUpDays adds up UTC days of the ledger anew, by every grain, and takes
// back their months, which RollUpMonths makes again: the first of days and those
// that follow it without a gap and are small together. It returns how many.
func (s *Store) RollUpDays(ctx context.Context, step string, days []period.Second) (done int, rows int64, err error) {
	if len(days) == 0 {
		return 0, 0, nil
	}
	run := days[:1]
	for i, day := range days[1:] {
		if day != days[i]+period.Day {
			break
		}
		run = days[:i+2]
	}
	postings := map[period.Second]int64{}
	err = query(ctx, s.pool, "rollup.sizes", func(r pgx.Rows) error {
		var day period.Second
		var n int64
		err := r.Scan(&day, &n)
		postings[day] = n
		return err
	}, tenant, run)
	if err != nil {
		return 0, 0, err
	}
	span := period.DayOf(days[0])
	var sum int64
	for _, day := range run {
		if sum += postings[day]; done > 0 && sum > smallTogether {
			break
		}
		span.To = day + period.Day
		done++
	}
	rows, err = s.rollUpDays(ctx, step, span)
	if s.forgetMonths(err) { // see SaveChunks
		rows, err = s.rollUpDays(ctx, step, span)
	}
	return done, rows, err
}

func (s *Store) rollUpDays(ctx context.Context, step string, span period.Interval) (int64, error) {
	for _, table := range []string{"rollup_days", "rollup_hours"} {
		if err := s.ensureMonths(ctx, table, span.From, span.To-1); err != nil {
			return 0, err
		}
	}
	text, args := stageDays(span)
	var rows int64
	err := s.analysisDays(ctx, step, span, func(tx pgx.Tx) (err error) {
		if rows, err = rollUp(ctx, tx, span, text, args); err != nil {
			return err
		}
		if err = addUpRuns(ctx, tx, span); err != nil {
			return fmt.Errorf("add up runs: %w", err)
		}
		return addUpDays(ctx, tx, span)
	})
	return rows, err
}

// rollUp replaces days by what a statement stages of them.
func rollUp(ctx context.Context, tx pgx.Tx, span period.Interval, stage string, args []any) (rows int64, err error) {
	for day := span.From; day < span.To; day += period.Day {
		b := &pgx.Batch{}
		for _, name := range []string{"rollup.forget_days", "rollup.forget_hours", "rollup.forget_month"} {
			b.Queue(statement(name), tenant, grainNumbers(), day)
		}
		for _, name := range []string{"rollup.forget_runs", "rollup.unmark_month", "rollup.mark_day"} {
			b.Queue(statement(name), tenant, day)
		}
		if err := tx.SendBatch(ctx, b).Close(); err != nil {
			return 0, fmt.Errorf("forget the roll-up of %s: %w", day, err)
		}
	}
	if _, err := exec(ctx, tx, "rollup.create_stage"); err != nil {
		return 0, err
	}
	if _, err := tx.Exec(ctx, stage, args...); err != nil {
		return 0, fmt.Errorf("add up the day's ledger: %w", err)
	}
	for _, name := range []string{"rollup.look_roughly", "rollup.analyze_stage"} {
		if _, err := exec(ctx, tx, name); err != nil {
			return 0, err
		}
	}
	for _, g := range grains {
		for _, text := range g.fill() {
			tag, err := tx.Exec(ctx, text)
			if err != nil {
				return 0, fmt.Errorf("add up by grain %d: %w", g.number, err)
			}
			if strings.HasPrefix(text, "insert into rollup_days") || strings.HasPrefix(text, "insert into rollup_hours") {
				rows += tag.RowsAffected()
			}
		}
	}
	return rows, nil
}

// StageRollUp is RollUpDays of a day that is not in the ledger: stage fills the
// temporary table next_rollup. For benchmarks, whose years have no postings.
func (s *Store) StageRollUp(ctx context.Context, day period.Second, stage string, args ...any) error {
	for _, table := range []string{"rollup_days", "rollup_hours"} {
		if err := s.ensureMonths(ctx, table, day, day); err != nil {
			return err
		}
	}
	return s.inTx(ctx, "roll up "+day.String(), func(tx pgx.Tx) error {
		_, err := rollUp(ctx, tx, period.DayOf(day), stage, args)
		return err
	})
}

func grainNumbers() []int {
	numbers := make([]int, len(grains))
	for i, g := range grains {
		numbers[i] = g.number
	}
	return numbers
}

// stageDays is the statement that adds up the facts of days by hour and the
// keys of all grains. It is made by the compiler of reports, so that a
// key means the same there and here.
func stageDays(span period.Interval) (string, []any) {
	costs, _ := metrics.LookupDataset("costs")
	q := metrics.Query{Dataset: costs, Window: span, Granularity: metrics.Hour, Basis: ledger.EffectiveCost}
	for _, name := range stagedColumns {
		k, ok := metrics.LookupKey(name)
		if !ok {
			k = metrics.Key{Name: name}
		}
		if name != "currency" {
			q.GroupBy = append(q.GroupBy, k)
		}
	}
	c := &compiler{q: q}
	text := c.costsBase()
	return fmt.Sprintf("insert into next_rollup (hour, %s, %s)\nselect f.period_start, %s, %s from (\n%s\n) f", listed("", stagedColumns), listed("", factSums),
		listed("f.", stagedColumns), listed("f.", factSums), text), c.args
}

// fill is what adds up the staged day by a grain.
func (g grain) fill() []string {
	columns := listed("", g.columns())
	sums := make([]string, len(factSums))
	for i, name := range factSums {
		sums[i] = fmt.Sprintf("sum(%[1]s) as %[1]s", name)
	}
	all, added := strings.Join(factSums, ", "), strings.Join(sums, ", ")
	texts := []string{
		"truncate next_grain",
		fmt.Sprintf("insert into next_grain (group_id, hour, %[1]s, %[2]s)\n"+
			"select md5('%[3]d' || row(%[1]s)::text)::uuid, hour, %[1]s, %[4]s from next_rollup group by hour, %[1]s", columns, all, g.number, added),
		fmt.Sprintf("insert into rollup_groups (tenant_id, group_id, grain, %[1]s)\n"+
			"select distinct on (group_id) %[3]d, group_id, %[2]d, %[1]s from next_grain order by group_id on conflict do nothing", columns, g.number, tenant),
		fmt.Sprintf("insert into rollup_days (tenant_id, grain, day, group_id, %[1]s)\n"+
			"select %[4]d, %[2]d, date_trunc('day', hour, 'UTC'), group_id, %[3]s from next_grain group by 3, 4 order by 4", all, g.number, added, tenant),
	}
	if g.hours {
		texts = append(texts, fmt.Sprintf("insert into rollup_hours (tenant_id, grain, hour, group_id, %[1]s)\n"+
			"select %[3]d, %[2]d, hour, group_id, %[1]s from next_grain order by hour, group_id", all, g.number, tenant))
	}
	return texts
}

// RollUpMonths adds up the calendar months of which all days are there.
func (s *Store) RollUpMonths(ctx context.Context) (int64, error) {
	var months []period.Second
	err := query(ctx, s.pool, "rollup.new_months", func(rows pgx.Rows) error {
		var month period.Second
		err := rows.Scan(&month)
		months = append(months, month)
		return err
	}, tenant)
	if err != nil {
		return 0, err
	}
	var total int64
	for _, month := range months {
		err := s.inTx(ctx, "roll up "+string(period.MonthName(month)), func(tx pgx.Tx) error {
			rows, err := exec(ctx, tx, "rollup.put_month", tenant, grainNumbers(), month)
			if err != nil {
				return err
			}
			total += rows
			if err := addUpMonth(ctx, tx, month); err != nil {
				return err
			}
			_, err = exec(ctx, tx, "rollup.mark_month", tenant, month)
			return err
		})
		if err != nil {
			return total, err
		}
	}
	return total, nil
}
