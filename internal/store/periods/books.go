package periods

import (
	"context"
	"errors"
	"fmt"
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

// Books runs f in one transaction on the books. The first look at a period
// locks out publishing and allocation until the end, so that what is published
// is wholly in what is closed or wholly after it.
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

// Look runs f in a transaction that reads and locks nothing.
func (s *Periods) Look(ctx context.Context, f func(closing.Books) error) error {
	seen := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	return pgx.BeginTxFunc(ctx, s.Pool, seen, func(tx pgx.Tx) error {
		b := &books{store: s, tx: tx, locked: true, looking: true}
		if err := tx.QueryRow(ctx, pg.Statement("close.allocating"), pg.Tenant).Scan(&b.allocating); err != nil {
			return fmt.Errorf("close.allocating: %w", err)
		}
		return f(b)
	})
}

// books implements closing.Books.
type books struct {
	store      *Periods
	tx         pgx.Tx
	looking    bool // nothing is locked, and verify is not asked
	locked     bool
	allocating bool                      // an allocation was running when the books were locked
	failing    map[period.Month][]string // checks of verify, once per period
	moved      period.Interval           // around the hours whose rows became final, or open again
}

// move notes that rows of the hours, both included, became final or open again.
func (b *books) move(hours period.Interval) {
	hours.To++
	if b.moved.Empty() {
		b.moved = hours
	}
	b.moved = period.Interval{From: min(b.moved.From, hours.From), To: max(b.moved.To, hours.To)}
}

var _ closing.Books = (*books)(nil)

// lock waits for what is being published and tries for the allocation.
func (b *books) lock(ctx context.Context) error {
	if b.locked {
		return nil
	}
	b.locked = true
	if _, err := pg.Exec(ctx, b.tx, "import.lock", pg.Tenant, "deliveries"); err != nil {
		return err
	}
	var free bool
	if err := b.tx.QueryRow(ctx, pg.Statement("close.lock_running"), pg.Tenant).Scan(&free); err != nil {
		return fmt.Errorf("close.lock_running: %w", err)
	}
	b.allocating = !free
	if free {
		if _, err := pg.Exec(ctx, b.tx, "close.end_calculations", pg.Tenant, pg.Now()); err != nil {
			return err
		}
	}
	_, err := pg.Exec(ctx, b.tx, "close.settings")
	return err
}

// Accounts implements closing.Books.
func (b *books) Accounts(ctx context.Context, month period.Month) ([]string, error) {
	if err := b.lock(ctx); err != nil {
		return nil, err
	}
	return texts(ctx, b.tx, "close.accounts", pg.Tenant, string(month))
}

// Later implements closing.Books.
func (b *books) Later(ctx context.Context, account string, month period.Month) ([]period.Month, error) {
	if err := b.lock(ctx); err != nil {
		return nil, err
	}
	names, err := texts(ctx, b.tx, "close.later", pg.Tenant, account, string(month))
	return monthsOf(names), err
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
	st := &closing.State{BillingAccount: account, BillingPeriod: month, Allocating: b.allocating, Ends: hours.To, Unowned: map[string]money.Amount{}, Total: map[string]money.Amount{}}
	var earlier []string
	err = b.tx.QueryRow(ctx, pg.Statement("close.state"), pg.Tenant, account, string(month), hours.From, hours.To, pg.Now()).
		Scan(&st.Closed, &st.Empty, &earlier, &st.Waiting, &st.Uncut, &st.Imports, &st.Provisional)
	if err != nil {
		return nil, fmt.Errorf("close.state: %w", err)
	}
	st.Earlier = monthsOf(earlier)
	if st.Closed || st.Empty {
		return st, nil
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
	err = pg.Query(ctx, b.tx, "close.unowned", func(rows pgx.Rows) error {
		var currency string
		var total, unowned money.Amount
		err := rows.Scan(&currency, &total, &unowned)
		st.Total[currency], st.Unowned[currency] = total, unowned
		return err
	}, pg.Tenant, account, string(month), span.From, span.To)
	if err != nil {
		return nil, err
	}
	if b.allocating || st.Waiting > 0 || st.Uncut > 0 { // it would only say the same again
		return st, nil
	}
	if b.looking {
		st.Unproved = true
		return st, nil
	}
	st.Failing, err = b.verify(ctx, month)
	return st, err
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

// verify proves a period. The books are locked, so a transaction beside this
// one sees the same.
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

// extent is the first and the last hour in which a period has parts, both
// included.
func (b *books) extent(ctx context.Context, account string, month period.Month) (period.Interval, error) {
	var span period.Interval
	if err := b.tx.QueryRow(ctx, pg.Statement("close.extent"), pg.Tenant, account, string(month)).Scan(&span.From, &span.To); err != nil {
		return span, fmt.Errorf("close.extent: %w", err)
	}
	return span, nil
}

// Statement implements closing.Books.
func (b *books) Statement(ctx context.Context, account string, month period.Month) (*closing.Statement, error) {
	if err := b.lock(ctx); err != nil {
		return nil, err
	}
	s := &closing.Statement{Head: closing.Head{BillingAccount: account, BillingPeriod: month}}
	var digest, rows []byte
	var open string
	err := b.tx.QueryRow(ctx, pg.Statement("statement.newest"), pg.Tenant, account, string(month)).
		Scan(&s.Version, &s.Number, &s.Lines, &s.Bytes, &digest, &rows, &s.Policies, &open, &s.Previous, &s.Chain)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil //nolint:nilnil // documented
	}
	if err != nil {
		return nil, fmt.Errorf("statement.newest: %w", err)
	}
	copy(s.Digest[:], digest)
	copy(s.RowsDigest[:], rows)
	s.OpenPeriod = period.Month(open)
	return s, nil
}

// Audit implements closing.Books.
func (b *books) Audit(ctx context.Context, at time.Time, actor, action, subject, detail string) error {
	return book.Audit(ctx, b.tx, at, actor, action, subject, detail)
}

func monthsOf(names []string) []period.Month {
	var out []period.Month
	for _, n := range names {
		out = append(out, period.Month(n))
	}
	return out
}

// texts reads a statement of one column of text.
func texts(ctx context.Context, q pg.Querier, name string, args ...any) ([]string, error) {
	var out []string
	err := pg.Query(ctx, q, name, func(rows pgx.Rows) error {
		var t string
		err := rows.Scan(&t)
		out = append(out, t)
		return err
	}, args...)
	return out, err
}
