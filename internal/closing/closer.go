package closing

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"gpuledger/internal/confirm"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// RefusedError has every reason for which an operation on the books was refused.
type RefusedError struct {
	What    string // "close 2026-10"
	Reasons []string
}

// Error implements error.
func (e *RefusedError) Error() string {
	return "cannot " + e.What + ": " + strings.Join(e.Reasons, "; ")
}

// State is everything that can keep one period of an account from being closed.
type State struct {
	BillingAccount string         `db:"-"`
	BillingPeriod  period.Month   `db:"-"`
	Closed         bool           // already closed
	Empty          bool           // it has no postings
	Earlier        []period.Month // earlier periods of the account that are open and have postings
	Waiting        int64          // node-days of the period that wait to be allocated
	Uncut          int64          // deliveries whose lines wait to be cut
	Imports        []string       // running imports
	Allocating     bool           `db:"-"` // an allocation is running
	Ends           period.Second  `db:"-"` // end of the period
	Provisional    int64          // node-hours that are charged from a rate although the bill covers them
	Failing        []string       `db:"-"` // checks of verify that fail
	Unproved       bool           `db:"-"` // verify did not run, but may be needed
	// Unowned and Total are Σ of absolute effective (else billed) cost, by currency; UnownedLimitPPM is the share of
	// it that may have no owner.
	Unowned, Total  map[string]money.Amount `db:"-"`
	UnownedLimitPPM int64                   `db:"-"`
}

// Reasons lists everything that blocks closing, in a fixed order.
func (s *State) Reasons(now period.Second) []string {
	var out []string
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	of := fmt.Sprintf("%s of billing account %s", s.BillingPeriod, s.BillingAccount)
	if s.Closed {
		return []string{of + " is closed already"}
	}
	if s.Empty {
		add("%s has no postings: import its bill and allocate", of)
	}
	if now < s.Ends {
		add("%s has not ended yet: it ends at %s", of, s.Ends)
	}
	for _, m := range s.Earlier {
		add("%s of billing account %s is open and has postings: close it first", m, s.BillingAccount)
	}
	if s.Allocating {
		add("an allocation is running: wait until it finishes")
	}
	for _, i := range s.Imports {
		add("an import is running: %s", i)
	}
	if s.Uncut > 0 {
		add("%d deliveries are not allocated: gpuledger allocate", s.Uncut)
	}
	if s.Waiting > 0 {
		add("%d node-days wait to be allocated: gpuledger allocate", s.Waiting)
	}
	if s.Provisional > 0 {
		add("%d node-hours are charged from a rate although the bill should cover them: gpuledger allocate, or import "+
			"the missing part of the bill", s.Provisional)
	}
	for _, f := range s.Failing {
		out = append(out, VerifyFails(f))
	}
	for _, currency := range sortedKeys(s.Total) {
		total, unowned := s.Total[currency], s.Unowned[currency]
		limit := total.MulRat(ppm(s.UnownedLimitPPM))
		if unowned.Cmp(limit) > 0 {
			add("%s of %s %s has no owner; the policy's limit is %s%%: label the unowned usage, or raise unowned_limit", unowned,
				total,
				currency, percent(s.UnownedLimitPPM))
		}
	}
	return out
}

// VerifyFails is the reason for a failing check of verify.
func VerifyFails(check string) string { return "verify fails: " + check }

// Books is one transaction on the books of a period: it sees a fixed state, and a failure rolls back all its changes.
type Books interface {
	// State reads everything that can keep the period of an account from being closed.
	State(ctx context.Context, account string, month period.Month) (*State, error)
	// Close makes the period's rows final and writes its statement.
	Close(ctx context.Context, account string, month period.Month, by string, at time.Time) (*Statement, error)
	// Statement returns the newest statement of a period; nil if it has none or was reopened.
	Statement(ctx context.Context, account string, month period.Month) (*Statement, error)
	// Later lists the closed later periods of the account.
	Later(ctx context.Context, account string, month period.Month) ([]period.Month, error)
	// Reopen opens the rows of a closed period again.
	Reopen(ctx context.Context, account string, month period.Month, by, reason string, at time.Time) error
	// Accounts lists the billing accounts with postings in a period, or with a statement for it.
	Accounts(ctx context.Context, month period.Month) ([]string, error)
	// Audit appends to the audit log.
	Audit(ctx context.Context, at time.Time, actor, action, subject, detail string) error
	Requests
}

// Store opens transactions on the books.
type Store interface {
	// Books runs f with the books locked, and commits if f returns nil.
	Books(ctx context.Context, f func(Books) error) error
	// Look runs f on the current books without locks or waiting, and without verify: State sets Unproved instead.
	Look(ctx context.Context, f func(Books) error) error
}

// Closer closes and reopens periods.
type Closer struct {
	Store Store
	Now   func() time.Time
}

// Check returns every reason that blocks closing the period of an account, or of all accounts if it is empty. It
// writes nothing.
func (c *Closer) Check(ctx context.Context, month period.Month, account string) ([]string, error) {
	var reasons []string
	err := c.Store.Books(ctx, func(b Books) (err error) {
		found, err := c.check(ctx, b, month, account)
		reasons = found.reasons
		return err
	})
	return reasons, err
}

// Look is Check without verify, so it answers at once. Unproved reports that verify still has to run.
func (c *Closer) Look(
	ctx context.Context, month period.Month, account string,
) (reasons []string, unproved bool, err error) {
	err = c.Store.Look(ctx, func(b Books) error {
		found, err := c.check(ctx, b, month, account)
		reasons, unproved = found.reasons, found.unproved
		return err
	})
	return reasons, unproved, err
}

// checked is the result of a check of a period's accounts.
type checked struct {
	accounts []string // open ones
	reasons  []string // reasons against closing them
	unproved bool
}

func (c *Closer) check(ctx context.Context, b Books, month period.Month, account string) (found checked, err error) {
	if _, err := month.Interval(); err != nil {
		return found, fmt.Errorf("billing period %q: %w", month, err)
	}
	accounts := []string{account}
	if account == "" {
		if accounts, err = b.Accounts(ctx, month); err != nil {
			return found, err
		}
		if len(accounts) == 0 {
			found.reasons = []string{fmt.Sprintf("%s has no postings: import its bills and allocate", month)}
			return found, nil
		}
	}
	closed := 0
	seen := map[string]bool{}
	for _, a := range accounts {
		s, err := b.State(ctx, a, month)
		if err != nil {
			return found, err
		}
		found.unproved = found.unproved || s.Unproved
		if s.Closed && account == "" { // only the open accounts are meant
			closed++
			continue
		}
		found.accounts = append(found.accounts, a)
		for _, r := range s.Reasons(period.FromTime(c.Now())) {
			if !seen[r] {
				seen[r] = true
				found.reasons = append(found.reasons, r)
			}
		}
	}
	if closed > 0 && len(found.accounts) == 0 {
		found.reasons = append(found.reasons, fmt.Sprintf("%s is closed already for all its billing accounts", month))
	}
	return found, nil
}

// Close closes the period of an account, or of all open accounts if it is empty, in one transaction. It returns a
// *RefusedError with every reason against it; the refusal becomes an entry of the audit log.
func (c *Closer) Close(ctx context.Context, month period.Month, account, by string) ([]*Statement, error) {
	var out []*Statement
	at := c.Now().UTC()
	err := c.Store.Books(ctx, func(b Books) error {
		found, err := c.check(ctx, b, month, account)
		if err != nil {
			return err
		}
		if len(found.reasons) > 0 {
			return &RefusedError{"close " + subject(month, account), found.reasons}
		}
		for _, a := range found.accounts {
			s, err := b.Close(ctx, a, month, by, at)
			if err != nil {
				return err
			}
			out = append(out, s)
			before := map[string]any{"state": "open"}
			if s.Version > 1 { // closed before, and reopened
				before["version"] = s.Version - 1
			}
			detail := map[string]any{"version": s.Version, "digest": fmt.Sprintf("%x", s.Digest),
				"chain": fmt.Sprintf("%x", s.Chain), "lines": s.Lines,
				"from": before, "to": map[string]any{"state": "closed", "version": s.Version}}
			if err := b.Audit(ctx, at, by, "close", subject(month, a), text(detail)); err != nil {
				return err
			}
		}
		return nil
	})
	return out, c.refused(ctx, err, at, by, "close refused", subject(month, account))
}

// refused records a refusal in a separate transaction.
func (c *Closer) refused(ctx context.Context, err error, at time.Time, by, action, subject string) error {
	var reasons []string
	if r, ok := errors.AsType[*RefusedError](err); ok {
		reasons = r.Reasons
	} else if r, ok := errors.AsType[*confirm.RefusedError](err); ok {
		reasons = []string{r.Reason}
	} else {
		return err
	}
	auditErr := c.Store.Books(ctx, func(b Books) error {
		return b.Audit(ctx, at, by, action, subject, text(map[string]any{"reasons": reasons}))
	})
	if auditErr != nil {
		return errors.Join(err, fmt.Errorf("cannot write the refusal to the audit log: %w", auditErr))
	}
	return err
}

func subject(month period.Month, account string) string {
	if account == "" {
		return string(month)
	}
	return account + "/" + string(month)
}

// text is data as JSON, with sorted keys.
func text(v map[string]any) string {
	b, err := json.Marshal(v)
	if err != nil { // cannot happen for maps of plain values
		return fmt.Sprintf("%q", fmt.Sprint(v))
	}
	return string(b)
}
