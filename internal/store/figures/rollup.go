package figures

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/period"
	"gpuledger/internal/star"
	"gpuledger/internal/store/pg"
	"gpuledger/internal/store/report"
)

// smallTogether is how many postings days have that are rolled up at once: bills
// are read once for all of them. They are sorted in memory (analysis.settings).
const smallTogether = 150_000

// RollUpDays adds up UTC days of the ledger anew to all facts, and takes back
// their months, which RollUpMonths makes again: the first of days and those that
// follow it without a gap and are small together. It returns how many.
func (s *Figures) RollUpDays(ctx context.Context, step string, days []period.Second) (done int, rows int64, err error) {
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
	err = pg.Query(ctx, s.Pool, "rollup.sizes", func(r pgx.Rows) error {
		var day period.Second
		var n int64
		err := r.Scan(&day, &n)
		postings[day] = n
		return err
	}, pg.Tenant, run)
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
	return done, rows, err
}

func (s *Figures) rollUpDays(ctx context.Context, step string, span period.Interval) (rows int64, err error) {
	err = s.analysisDays(ctx, step, span, func(tx pgx.Tx) error {
		if err := markDays(ctx, tx, span); err != nil {
			return err
		}
		for _, f := range star.Facts {
			text, err := RowsIn(ctx, tx, f, span)
			if err != nil {
				return err
			}
			n, err := fill(ctx, tx, f, span, text)
			if err != nil {
				return err
			}
			rows += n
		}
		return nil
	})
	return rows, err
}

// markDays notes that days are there, and not their months.
func markDays(ctx context.Context, tx pgx.Tx, span period.Interval) error {
	b := &pgx.Batch{}
	for day := span.From; day < span.To; day += period.Day {
		for _, name := range []string{"rollup.unmark_month", "rollup.mark_day"} {
			b.Queue(pg.Statement(name), pg.Tenant, day)
		}
	}
	if err := tx.SendBatch(ctx, b).Close(); err != nil {
		return fmt.Errorf("mark days of %s: %w", span, err)
	}
	return nil
}

// fill replaces what the tables of a fact say of whole days by what its rows add up
// to, which are read once, and forgets their months. Tables that have less are made of
// those that have more.
func fill(ctx context.Context, tx pgx.Tx, f *star.Fact, span period.Interval, rows string, args ...any) (filled int64, err error) {
	send := func(text string, args ...any) (int64, error) {
		tag, err := tx.Exec(ctx, text, args...)
		if err != nil {
			return 0, fmt.Errorf("add up fact %s: %w", f.Name, err)
		}
		return tag.RowsAffected(), nil
	}
	stage := "next_" + f.Name
	if _, err := send(pg.Statement("rollup.settings")); err != nil {
		return 0, err
	}
	if _, err := send("create temp table "+stage+" on commit drop as\n"+rows, args...); err != nil {
		return 0, err
	}
	if _, err := send("analyze " + stage); err != nil {
		return 0, err
	}
	for _, t := range f.Tables() {
		if _, err := send(report.FilledIn(t.Forget(), span)); err != nil {
			return 0, err
		}
		if t.OfDays() {
			continue
		}
		from := stage
		if source, ok := t.Source(); ok {
			from = source.Within()
		}
		n, err := send(report.FilledIn(t.Fill(from), span))
		if err != nil {
			return 0, err
		}
		filled += n
	}
	return filled, nil
}

// StageRollUp is RollUpDays of a day that is not in the ledger: rows select the
// rows of costs. For benchmarks, whose years have no postings.
func (s *Figures) StageRollUp(ctx context.Context, day period.Second, rows string, args ...any) error {
	return s.InTx(ctx, "roll up "+day.String(), func(tx pgx.Tx) error {
		span := period.DayOf(day)
		if err := markDays(ctx, tx, span); err != nil {
			return err
		}
		// The server makes no table of a statement with parameters.
		_, err := fill(ctx, tx, &star.Cost, span, rows, append([]any{pgx.QueryExecModeSimpleProtocol}, args...)...)
		return err
	})
}

// RollUpMonths adds up the calendar months of which all days are there.
func (s *Figures) RollUpMonths(ctx context.Context) (int64, error) {
	var months []period.Second
	err := pg.Query(ctx, s.Pool, "rollup.new_months", func(rows pgx.Rows) error {
		var month period.Second
		err := rows.Scan(&month)
		months = append(months, month)
		return err
	}, pg.Tenant)
	if err != nil {
		return 0, err
	}
	var total int64
	for _, month := range months {
		err := s.InTx(ctx, "roll up "+string(period.MonthName(month)), func(tx pgx.Tx) error {
			for _, f := range star.Facts {
				rows, err := fillMonth(ctx, tx, f, month)
				if err != nil {
					return err
				}
				total += rows
			}
			_, err := pg.Exec(ctx, tx, "rollup.mark_month", pg.Tenant, month)
			return err
		})
		if err != nil {
			return total, err
		}
	}
	return total, nil
}

// fillMonth adds up days to a month.
func fillMonth(ctx context.Context, tx pgx.Tx, f *star.Fact, month period.Second) (rows int64, err error) {
	for _, t := range f.Tables() {
		if !t.OfDays() {
			continue
		}
		source, _ := t.Source() // its days, if nothing else
		for _, text := range []string{t.Forget(), t.Fill(source.Within())} {
			tag, err := tx.Exec(ctx, report.FilledIn(text, period.MonthOf(month)))
			if err != nil {
				return rows, fmt.Errorf("add up a month of %s: %w", t.Short(), err)
			}
			rows += tag.RowsAffected()
		}
	}
	return rows, nil
}
