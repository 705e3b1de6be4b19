package facts

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
)

// KeptMonth is what happened to the minutes of a month past its retention.
type KeptMonth struct {
	Month   period.Month
	Dropped bool
	Bytes   int64  // their size, with indexes
	Reason  string // why they are still kept
}

// DropSamples drops minute samples that are at least keep seconds old, by calendar month, oldest first. It keeps months
// that are not summarised or not allocated, and those with a bill that is not closed; a month without a bill needs no
// close. The first month that is kept also keeps all later ones, so that the remaining samples have no gaps.
//
// Only minute vectors are dropped. Summaries, evidence, placements and the ledger stay, and chunks of those days and of
// the day after are not computed again.
func (s *Facts) DropSamples(ctx context.Context, now, keep period.Second) ([]KeptMonth, error) {
	parts, err := pg.List[struct {
		From  period.Second
		Bytes int64
	}](ctx, s.Pool, "retention.months", now-keep)
	if err != nil {
		return nil, fmt.Errorf("months of samples: %w", err)
	}
	var out []KeptMonth
	blocked := ""
	for _, p := range parts {
		month := period.MonthOf(p.From)
		m := KeptMonth{Month: period.MonthName(p.From), Bytes: p.Bytes, Reason: blocked}
		if blocked == "" {
			if m.Reason, err = s.dropMonth(ctx, month, now); err != nil {
				return out, fmt.Errorf("drop samples of %s: %w", m.Month, err)
			}
			if m.Reason != "" {
				blocked = "an earlier month is kept"
			}
		}
		m.Dropped = m.Reason == ""
		out = append(out, m)
	}
	return out, nil
}

// dropMonth empties the partition of a month, or returns the reason to keep it. The partition itself stays, so that
// other processes that know of it keep working.
func (s *Facts) dropMonth(ctx context.Context, month period.Interval, now period.Second) (reason string, err error) {
	err = pgx.BeginFunc(ctx, s.Pool, func(tx pgx.Tx) error {
		for _, key := range []string{"telemetry", "summaries"} { // so that no import or summary comes in between
			if _, err := pg.Exec(ctx, tx, "import.lock", pg.Tenant, key); err != nil {
				return err
			}
		}
		if _, err := pg.Exec(ctx, tx, "retention.settings"); err != nil {
			return err
		}
		reason, err = pg.Value[string](ctx, tx, "retention.blockers", pg.Tenant, month.From, month.To)
		if err != nil || reason != "" {
			return err
		}
		if _, err := pg.Exec(ctx, tx, "retention.record", pg.Tenant, month.To, now); err != nil {
			return err
		}
		if _, err := pg.Exec(ctx, tx, "retention.unmark", pg.Tenant, month.To); err != nil {
			return err
		}
		table := pgx.Identifier{"sample_hours_" + month.From.Time().Format("200601")}.Sanitize()
		if _, err := tx.Exec(ctx, "truncate "+table); err != nil {
			return fmt.Errorf("empty %s: %w", table, err)
		}
		return nil
	})
	return reason, err
}

// SampleState returns the time before which minutes were dropped (0 if never), and the number of hours to
// summarise.
func (s *Facts) SampleState(ctx context.Context) (droppedBefore period.Second, stale int64, err error) {
	state, err := pg.One[struct {
		DroppedBefore period.Second
		Stale         int64
	}](ctx, s.Pool, "retention.state", pg.Tenant)
	if err != nil {
		return 0, 0, fmt.Errorf("state of samples: %w", err)
	}
	return state.DroppedBefore, state.Stale, nil
}
