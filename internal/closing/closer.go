package closing

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"gpuledger/internal/confirm"
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
		reasons = texts(found.reasons)
		return err
	})
	return reasons, err
}

// Look is Check without verify, so it answers at once. Unproved reports that verify still has to run.
func (c *Closer) Look(
	ctx context.Context, month period.Month, account string,
) (reasons []Reason, unproved bool, err error) {
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
	reasons  []Reason // reasons against closing them
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
			found.reasons = []Reason{{Posted, fmt.Sprintf("%s has no postings: import its bills and allocate", month)}}
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
			if !seen[r.Text] {
				seen[r.Text] = true
				found.reasons = append(found.reasons, r)
			}
		}
	}
	if closed > 0 && len(found.accounts) == 0 {
		found.reasons = append(found.reasons,
			Reason{Open, fmt.Sprintf("%s is closed already for all its billing accounts", month)})
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
			return &RefusedError{"close " + subject(month, account), texts(found.reasons)}
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
