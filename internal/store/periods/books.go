package periods

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/closing"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/internal/store/bills"
	"gpuledger/internal/store/book"
	"gpuledger/internal/store/pg"
	"gpuledger/internal/store/verify"
)

// Books runs f in one transaction on the books. The first access to a period locks out publishing and allocation until
// the end, so that a delivery is either wholly in the closed state or wholly after it.
func (s *Periods) Books(ctx context.Context, f func(closing.Books) error) error {
	return pgx.BeginFunc(ctx, s.Pool, func(tx pgx.Tx) error {
		b := &books{store: s, tx: tx, failing: map[period.Month][]string{}}
		if err := f(b); err != nil || b.moved.Empty() {
			return err
		}
		if err := book.RefreshFinal(ctx, tx, b.moved); err != nil {
			return err
		}
		return bills.CoverClosed(ctx, tx)
	})
}

// Look runs f in a read-only transaction that locks nothing.
func (s *Periods) Look(ctx context.Context, f func(closing.Books) error) error {
	seen := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	return pgx.BeginTxFunc(ctx, s.Pool, seen, func(tx pgx.Tx) (err error) {
		b := &books{store: s, tx: tx, locked: true, looking: true}
		if b.allocating, err = pg.Value[bool](ctx, tx, "close.allocating", pg.Tenant); err != nil {
			return err
		}
		return f(b)
	})
}

// books implements closing.Books.
type books struct {
	store      *Periods
	tx         pgx.Tx
	looking    bool // read-only: no locks, no verify
	locked     bool
	allocating bool                      // an allocation was running when the books were locked
	failing    map[period.Month][]string // failed checks of verify, once per period
	moved      period.Interval           // around the hours whose rows became final or open again
}

// move records that rows of the hours, both included, became final or open again.
func (b *books) move(hours period.Interval) {
	hours.To++
	if b.moved.Empty() {
		b.moved = hours
	}
	b.moved = period.Interval{From: min(b.moved.From, hours.From), To: max(b.moved.To, hours.To)}
}

var _ closing.Books = (*books)(nil)

// lock waits for running publications and tries to take the allocation lock.
func (b *books) lock(ctx context.Context) error {
	if b.locked {
		return nil
	}
	b.locked = true
	if _, err := pg.Exec(ctx, b.tx, "import.lock", pg.Tenant, "deliveries"); err != nil {
		return err
	}
	free, err := pg.Value[bool](ctx, b.tx, "close.lock_running", pg.Tenant)
	if err != nil {
		return err
	}
	b.allocating = !free
	if free {
		if _, err := pg.Exec(ctx, b.tx, "close.end_calculations", pg.Tenant, pg.Now()); err != nil {
			return err
		}
	}
	_, err = pg.Exec(ctx, b.tx, "close.settings")
	return err
}

// Accounts implements closing.Books.
func (b *books) Accounts(ctx context.Context, month period.Month) ([]string, error) {
	if err := b.lock(ctx); err != nil {
		return nil, err
	}
	return pg.Values[string](ctx, b.tx, "close.accounts", pg.Tenant, string(month))
}

// Later implements closing.Books.
func (b *books) Later(ctx context.Context, account string, month period.Month) ([]period.Month, error) {
	if err := b.lock(ctx); err != nil {
		return nil, err
	}
	return pg.Values[period.Month](ctx, b.tx, "close.later", pg.Tenant, account, string(month))
}

// State implements closing.Books.
func (b *books) State(ctx context.Context, account string, month period.Month) (*closing.State, error) {
	if err := b.lock(ctx); err != nil {
		return nil, err
	}
	hours, err := month.Interval()
	if err != nil {
		return nil, err
	}
	st, err := pg.One[closing.State](ctx, b.tx, "close.state", pg.Tenant, account, string(month), hours.From, hours.To,
		pg.Now())
	if err != nil {
		return nil, err
	}
	st.BillingAccount, st.BillingPeriod, st.Allocating, st.Ends = account, month, b.allocating, hours.To
	st.Unowned, st.Total = map[string]money.Amount{}, map[string]money.Amount{}
	if st.Closed || st.Empty {
		return &st, nil
	}
	policies, err := b.store.Policies(ctx)
	if err != nil {
		return nil, err
	}
	st.UnownedLimitPPM = policies.At(hours.To - period.Day).UnownedLimitPPM
	span, err := b.extent(ctx, account, month)
	if err != nil {
		return nil, err
	}
	err = pg.Each(ctx, b.tx, "close.unowned", func(r struct {
		Currency       string
		Total, Unowned money.Amount
	}) error {
		st.Total[r.Currency], st.Unowned[r.Currency] = r.Total, r.Unowned
		return nil
	}, pg.Tenant, account, string(month), span.From, span.To)
	if err != nil {
		return nil, err
	}
	if b.allocating || st.Waiting > 0 || st.Uncut > 0 { // verify would only repeat this
		return &st, nil
	}
	if b.looking {
		st.Unproved = true
		return &st, nil
	}
	st.Failing, err = b.verify(ctx, month)
	return &st, err
}

// Failing returns the checks of verify that a period fails, each with its first row.
func (s *Periods) Failing(ctx context.Context, month period.Month) ([]string, error) {
	report, err := s.Verify(ctx, verify.Options{Period: string(month)})
	if err != nil {
		return nil, err
	}
	failing := []string{}
	for _, c := range report.Checks {
		if c.State == verify.CheckFailed {
			text := c.Name
			if len(c.Rows) > 0 {
				text += " (" + c.Rows[0] + ")"
			}
			failing = append(failing, text)
		}
	}
	return failing, nil
}

// verify runs the checks for a period. The books are locked, so its separate transaction sees the same state.
func (b *books) verify(ctx context.Context, month period.Month) ([]string, error) {
	if failing, known := b.failing[month]; known {
		return failing, nil
	}
	failing, err := b.store.Failing(ctx, month)
	if err != nil {
		return nil, err
	}
	b.failing[month] = failing
	return failing, nil
}

// extent is the first and the last hour in which a period has parts, both included.
func (b *books) extent(ctx context.Context, account string, month period.Month) (period.Interval, error) {
	return pg.One[period.Interval](ctx, b.tx, "close.extent", pg.Tenant, account, string(month))
}

// Statement implements closing.Books.
func (b *books) Statement(ctx context.Context, account string, month period.Month) (*closing.Statement, error) {
	if err := b.lock(ctx); err != nil {
		return nil, err
	}
	s, found, err := pg.Found(pg.One[closing.Statement](ctx, b.tx, "statement.newest", pg.Tenant, account, string(month)))
	if !found {
		return nil, err
	}
	return &s, nil
}

// Audit implements closing.Books.
func (b *books) Audit(ctx context.Context, at time.Time, actor, action, subject, detail string) error {
	return book.Audit(ctx, b.tx, at, actor, action, subject, detail)
}
