package closing

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"gpuledger/allocation/policy"
	"gpuledger/internal/confirm"
	"gpuledger/internal/period"
)

// Requests stores changes that wait for a second person.
type Requests interface {
	// Guards reports whether the policy in force at an instant requires a second person for a change.
	Guards(ctx context.Context, change policy.Guarded, at time.Time) (bool, error)
	// Ask stores a request; if an equal one waits already, it returns that.
	Ask(ctx context.Context, r confirm.Request) (confirm.Request, error)
	// Asked reads a request and locks it, so that it cannot be decided twice.
	Asked(ctx context.Context, id string) (*confirm.Request, error)
	// Decide stores the decision, EndRefused that a person was refused.
	Decide(ctx context.Context, r *confirm.Request, state confirm.State, by, note string, at time.Time) error
	EndRefused(ctx context.Context, r *confirm.Request, refused *confirm.RefusedError, by string, at time.Time) error
}

// Reopen opens the closed period of an account again, or of all accounts if it is empty. It returns a *RefusedError
// with every reason against it, and a *confirm.WaitsError if the policy in force requires a second person.
func (c *Closer) Reopen(ctx context.Context, month period.Month, account, reason, by string) ([]*Statement, error) {
	var out []*Statement
	var waits *confirm.Request
	at := c.Now().UTC()
	reason = strings.TrimSpace(reason)
	err := c.Store.Books(ctx, func(b Books) error {
		list, reasons, err := c.reopenable(ctx, b, month, account)
		if err != nil {
			return err
		}
		if reason == "" {
			reasons = append(reasons, "no reason is given: state it with --reason")
		}
		if len(reasons) > 0 {
			return &RefusedError{"reopen " + subject(month, account), reasons}
		}
		guarded, err := b.Guards(ctx, policy.Reopening, at)
		if err != nil {
			return err
		}
		if guarded {
			waits, err = askReopen(ctx, b, list, confirm.Asked{Period: string(month), Account: account, Reason: reason}, by, at)
			return err
		}
		out = list
		return c.reopen(ctx, b, list, reopening{reason: reason, actor: by, names: by}, at)
	})
	if err == nil && waits != nil {
		return nil, &confirm.WaitsError{Request: *waits}
	}
	return out, c.refused(ctx, err, at, by, "reopen refused", subject(month, account))
}

func askReopen(
	ctx context.Context, b Books, list []*Statement, asked confirm.Asked, by string, at time.Time,
) (*confirm.Request, error) {
	asked.Stands = stands(list)
	r, err := confirm.New(confirm.Reopen, subject(period.Month(asked.Period), asked.Account), asked, confirm.Who(ctx, by),
		at)
	if err != nil {
		return nil, err
	}
	r, err = b.Ask(ctx, r)
	return &r, err
}

// stands names the current versions of statements, as requests do.
func stands(list []*Statement) []string {
	out := []string{}
	for _, s := range list {
		out = append(out, fmt.Sprintf("%s version %d %x", subject(s.BillingPeriod, s.BillingAccount), s.Version, s.Digest))
	}
	return out
}

// Confirm reopens the periods of a request, for the person who confirms it. It returns a *confirm.RefusedError if
// they may not confirm it, or if the statements have changed since the request, and a *RefusedError with every reason
// against it.
func (c *Closer) Confirm(ctx context.Context, id, by string) ([]*Statement, error) {
	var out []*Statement
	var r *confirm.Request
	at := c.Now().UTC()
	err := c.Store.Books(ctx, func(b Books) (err error) {
		if r, err = b.Asked(ctx, id); err != nil {
			return err
		}
		if r.Kind != confirm.Reopen {
			return fmt.Errorf("change %s reopens nothing: %s", id, r.Kind)
		}
		who := confirm.Who(ctx, by)
		if err := r.Confirm(who, at); err != nil {
			return err
		}
		list, reasons, err := c.reopenable(ctx, b, period.Month(r.Asked.Period), r.Asked.Account)
		if err != nil {
			return err
		}
		if err := r.Still(stands(list)); err != nil {
			return err
		}
		if len(reasons) > 0 {
			return &RefusedError{"reopen " + r.Subject, reasons}
		}
		if err := b.Decide(ctx, r, confirm.Confirmed, by, "", at); err != nil {
			return err
		}
		out = list
		return c.reopen(ctx, b, list, reopening{r.Asked.Reason, r.By.Name, r.Names(who), r, by}, at)
	})
	if r == nil {
		return nil, err
	}
	if refused, ok := errors.AsType[*confirm.RefusedError](err); ok {
		return nil, errors.Join(err, c.Store.Books(ctx, func(b Books) error { return b.EndRefused(ctx, r, refused, by, at) }))
	}
	return out, c.refused(ctx, err, at, by, "reopen refused", r.Subject)
}

// reopening is the reason of a reopening and the people involved: one or two.
type reopening struct {
	reason, actor, names string
	confirmed            *confirm.Request // nil: no confirmation was required
	by                   string           // the person who confirmed
}

// reopen opens the periods of statements again.
func (c *Closer) reopen(ctx context.Context, b Books, list []*Statement, how reopening, at time.Time) error {
	for _, s := range list {
		if err := b.Reopen(ctx, s.BillingAccount, s.BillingPeriod, how.names, how.reason, at); err != nil {
			return err
		}
		detail := map[string]any{"version": s.Version, "digest": fmt.Sprintf("%x", s.Digest), "reason": how.reason,
			"from": map[string]any{"state": "closed", "version": s.Version}, "to": map[string]any{"state": "open"}}
		if how.confirmed != nil {
			detail["change"], detail["asked_by"],
				detail["confirmed_by"] = how.confirmed.ID.String(), how.confirmed.By.Name, how.by
		}
		if err := b.Audit(ctx, at, how.actor, "reopen", subject(s.BillingPeriod, s.BillingAccount),
			text(detail)); err != nil {
			return err
		}
	}
	return nil
}

// reopenable lists the statements to reopen, and every reason against it.
func (c *Closer) reopenable(
	ctx context.Context, b Books, month period.Month, account string,
) (list []*Statement, reasons []string, err error) {
	candidates := []string{account}
	if account == "" {
		if candidates, err = b.Accounts(ctx, month); err != nil {
			return nil, nil, err
		}
	}
	for _, a := range candidates {
		s, err := b.Statement(ctx, a, month)
		if err != nil {
			return nil, nil, err
		}
		if s == nil {
			if account != "" {
				reasons = append(reasons, fmt.Sprintf("%s of billing account %s is not closed", month, a))
			}
			continue
		}
		list = append(list, s)
		later, err := b.Later(ctx, a, month)
		if err != nil {
			return nil, nil, err
		}
		for _, m := range later {
			reasons = append(reasons,
				fmt.Sprintf("%s of billing account %s is closed and may hold its adjustments: reopen that first", m, a))
		}
	}
	if len(list)+len(reasons) == 0 {
		reasons = append(reasons, fmt.Sprintf("%s is not closed", month))
	}
	return list, reasons, nil
}
