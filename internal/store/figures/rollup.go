package figures

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"gpuledger/internal/period"
	"gpuledger/internal/star"
	"gpuledger/internal/store/pg"
	"gpuledger/internal/store/report"
)

// smallTogether bounds the postings of days that are rolled up together, so that bills are read once for all of them.
// It is what fits into a sort in memory (analysis.settings).
const smallTogether = 150_000

// RollUpDays rolls up UTC days of the ledger for all facts: the first of days, and those that follow without a gap
// while all are small together. It returns how many days it did, and how many rows it wrote. If days are few, their
// months are updated too; else the months are dropped, and RollUpMonths builds them again.
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
	postings, err := pg.Map[period.Second, int64](ctx, s.Pool, "rollup.sizes", pg.Tenant, run)
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
	rows, err = s.rollUpDays(ctx, step, span, len(days) <= fewDays)
	return done, rows, err
}

// fewDays is up to how many days are compared row by row. A late hour changes one or two days; a new policy changes
// most rows of all days, and their months are built once, after the last day.
const fewDays = 3

func (s *Figures) rollUpDays(ctx context.Context, step string, span period.Interval, few bool) (rows int64, err error) {
	err = s.analysisDays(ctx, step, span, func(tx pgx.Tx) error {
		again, months, err := there(ctx, tx, span)
		if err != nil {
			return err
		}
		if again = again && few; !again {
			if err := markDays(ctx, tx, span); err != nil {
				return err
			}
		}
		of := NewRows(tx, span)
		for _, f := range star.Facts {
			text, err := of.Of(ctx, f)
			if err != nil {
				return err
			}
			var n int64
			if again {
				n, err = refill(ctx, tx, f, span, months, text)
			} else {
				n, err = fill(ctx, tx, f, span, text)
			}
			if err != nil {
				return err
			}
			rows += n
		}
		return nil
	})
	return rows, err
}

// there reports whether all days of a span have been rolled up before, and which of its months have.
func there(ctx context.Context, tx pgx.Tx, span period.Interval) (all bool, months []period.Second, err error) {
	has, err := pg.One[struct {
		Days   int64
		Months []period.Second
	}](ctx, tx, "rollup.there", pg.Tenant, span.From, span.To)
	return has.Days*int64(period.Day) == int64(span.To-span.From), has.Months, err
}

// markDays marks days as rolled up, and their months as not.
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

// fill replaces the rows of whole days in the tables of a fact, reading the fact's rows once, and drops their months.
// Tables with fewer keys are built from those with more. It returns how many rows it wrote.
func fill(
	ctx context.Context, tx pgx.Tx, f *star.Fact, span period.Interval, rows string, args ...any,
) (filled int64, err error) {
	stage, err := stageRows(ctx, tx, f, rows, args...)
	if err != nil {
		return 0, err
	}
	for _, t := range f.Tables() {
		if _, err := added(ctx, tx, f, 0, report.FilledIn(t.Forget(), span)); err != nil {
			return 0, err
		}
		if t.OfDays() {
			continue
		}
		from := stage
		if source, ok := t.Source(); ok {
			from = source.Within()
		}
		if filled, err = added(ctx, tx, f, filled, report.FilledIn(t.Fill(from), span)); err != nil {
			return 0, err
		}
	}
	return filled, nil
}

// refill is fill for days that have rows already: it writes only rows that differ, and adds up the affected rows of
// existing months again.
func refill(
	ctx context.Context, tx pgx.Tx, f *star.Fact, span period.Interval, months []period.Second, rows string,
) (changed int64, err error) {
	stage, err := stageRows(ctx, tx, f, rows)
	if err != nil {
		return 0, err
	}
	run := func(text string, of period.Interval) error {
		changed, err = added(ctx, tx, f, changed, report.FilledIn(text, of))
		return err
	}
	for _, t := range f.Tables() {
		if t.OfDays() && len(months) == 0 {
			continue // built when all its days are
		}
		if err := run(t.KeepChanges(), span); err != nil {
			return 0, err
		}
		source, ok := t.Source()
		switch {
		case t.OfDays():
			for _, month := range months {
				if err := run(t.Follow(source), period.MonthOf(month)); err != nil {
					return 0, err
				}
			}
		case ok:
			err = run(t.Refill(source.Within()), span)
		default:
			err = run(t.Refill(stage), span)
		}
		if err != nil {
			return 0, err
		}
	}
	return changed, nil
}

// stageRows stores the rows of a fact in a temporary table of the transaction, and returns its name.
func stageRows(ctx context.Context, tx pgx.Tx, f *star.Fact, rows string, args ...any) (stage string, err error) {
	stage = "next_" + f.Name
	for _, one := range []struct {
		text string
		args []any
	}{
		{pg.Statement("rollup.settings"), nil},
		{"create temp table " + stage + " on commit drop as\n" + rows, args},
		{"analyze " + stage, nil},
	} {
		if _, err := added(ctx, tx, f, 0, one.text, one.args...); err != nil {
			return "", err
		}
	}
	return stage, nil
}

// added runs a statement of a fact, and adds the number of rows that it wrote to to.
func added(ctx context.Context, tx pgx.Tx, f *star.Fact, to int64, text string, args ...any) (int64, error) {
	tag, err := tx.Exec(ctx, text, args...)
	if err != nil {
		return 0, fmt.Errorf("add up fact %s: %w", f.Name, err)
	}
	return to + tag.RowsAffected(), nil
}

// StageRollUp is RollUpDays for one fact and a day that is not in the ledger; rows selects its rows. For benchmarks,
// whose years have no postings.
func (s *Figures) StageRollUp(ctx context.Context, f *star.Fact, day period.Second, rows string, args ...any) error {
	return s.InTx(ctx, "roll up "+day.String(), func(tx pgx.Tx) error {
		span := period.DayOf(day)
		if err := markDays(ctx, tx, span); err != nil {
			return err
		}
		// The server cannot create a table from a statement with parameters.
		_, err := fill(ctx, tx, f, span, rows, append([]any{pgx.QueryExecModeSimpleProtocol}, args...)...)
		return err
	})
}

// monthsAtOnce is how many months are rolled up in parallel, once everything else is done.
const monthsAtOnce = 2

// RollUpMonths rolls up the calendar months whose days are all rolled up.
func (s *Figures) RollUpMonths(ctx context.Context) (int64, error) {
	months, err := pg.Values[period.Second](ctx, s.Pool, "rollup.new_months", pg.Tenant)
	if err != nil {
		return 0, err
	}
	var total atomic.Int64
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(monthsAtOnce)
	for _, month := range months {
		group.Go(func() error {
			rows, err := s.rollUpMonth(ctx, month)
			total.Add(rows)
			return err
		})
	}
	err = group.Wait()
	return total.Load(), err
}

func (s *Figures) rollUpMonth(ctx context.Context, month period.Second) (total int64, err error) {
	err = s.InTx(ctx, "roll up "+string(period.MonthName(month)), func(tx pgx.Tx) error {
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
	return total, err
}

// fillMonth adds up the days of a month.
func fillMonth(ctx context.Context, tx pgx.Tx, f *star.Fact, month period.Second) (rows int64, err error) {
	for _, t := range f.Tables() {
		if !t.OfDays() {
			continue
		}
		source, _ := t.Source() // its days by default
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
