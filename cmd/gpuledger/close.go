package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"gpuledger/internal/closing"
	"gpuledger/internal/confirm"
	"gpuledger/internal/period"
	"gpuledger/internal/store"
	"gpuledger/internal/visible"
	"gpuledger/metrics"
	"gpuledger/web/operate"
	"gpuledger/web/views/format"
)

type closeCmd struct {
	Period  string `arg:"" help:"Billing period: 2026-10."`
	Account string `placeholder:"ID" help:"Only this billing account. By default, all open ones."`
	Check   bool   `help:"Only list the reasons that block closing."`
	By      string `placeholder:"NAME" help:"Name for the audit log; the operating system user by default."`
	Output  string `enum:"text,json" default:"text" help:"Report as ${enum}."`
}

// Run implements the command.
func (c *closeCmd) Run(a *app) error {
	month, err := billingPeriod(c.Period)
	if err != nil {
		return err
	}
	return a.withLedger(func(s *store.Store) error {
		if c.Check {
			reasons, err := closerOf(s).Check(a.ctx, month, c.Account)
			if err == nil && len(reasons) > 0 {
				err = &closing.RefusedError{What: "close " + c.Period, Reasons: reasons}
			}
			if err != nil {
				return a.listReasons(err)
			}
			return a.printSummary(c.Output, unblocked{Reasons: []string{}}, c.unblocked)
		}
		list, err := closerOf(s).Close(a.ctx, month, c.Account, actor(c.By))
		if err != nil {
			return a.listReasons(err)
		}
		u, done := a.watched(s) // so that roll-ups show the rows as final
		err = u.Analyse(a.ctx)
		done()
		if err != nil {
			return err
		}
		return a.printSummary(c.Output, statementsOf(list), func() string { return statementsText("closed", list) })
	})
}

// unblocked is the answer of a check that found no reason.
type unblocked struct {
	Reasons []string `json:"reasons"`
}

func (c *closeCmd) unblocked() string {
	what := c.Period
	if c.Account != "" {
		what += " of billing account " + c.Account
	}
	return visible.Text("nothing blocks closing "+what) + "\n"
}

type reopenCmd struct {
	Period  string `arg:"" help:"Billing period: 2026-10."`
	Account string `placeholder:"ID" help:"Only this billing account. By default, all closed ones."`
	Reason  string `required:"" help:"Why; it is recorded with the statement and in the audit log."`
	By      string `placeholder:"NAME" help:"Name for the audit log; the operating system user by default."`
	Output  string `enum:"text,json" default:"text" help:"Report as ${enum}."`
}

// Run implements the command.
func (c *reopenCmd) Run(a *app) error {
	month, err := billingPeriod(c.Period)
	if err != nil {
		return err
	}
	return a.withLedger(func(s *store.Store) error {
		list, err := closerOf(s).Reopen(a.commanded(), month, c.Account, c.Reason, actor(c.By))
		if err != nil {
			return a.waits(c.Output, a.listReasons(err))
		}
		return a.printSummary(c.Output, statementsOf(list), func() string {
			return statementsText("reopened", list) + "run `gpuledger allocate` to move adjustments back into the period\n"
		})
	})
}

// billingPeriod reads a period as commands name it.
func billingPeriod(text string) (period.Month, error) {
	if strings.HasPrefix(text, "calendar:") {
		return "", &metrics.OptionError{
			Option: "period", Value: text,
			Reason: "cannot be closed: bills are closed by billing period, such as 2026-11; a fiscal period is closed with " +
				"those in it",
		}
	}
	month := period.Month(text)
	if _, err := month.Interval(); err != nil {
		return "", &metrics.OptionError{Option: "period", Value: text, Reason: "is not of the form YYYY-MM"}
	}
	return month, nil
}

func closerOf(s *store.Store) *closing.Closer {
	return &closing.Closer{Store: s, Now: time.Now}
}

// listReasons prints the reasons of a refusal, one per line.
func (a *app) listReasons(err error) error {
	var refused *closing.RefusedError
	if !errors.As(err, &refused) {
		return err
	}
	for _, r := range refused.Reasons {
		visible.Fprintf(a.stderr, "  %s\n", r)
	}
	return fmt.Errorf("cannot %s: %s, listed above", refused.What,
		format.Plural(len(refused.Reasons), "reason", "reasons"))
}

func statementsOf(list []*closing.Statement) []operate.Statement {
	out := []operate.Statement{}
	for _, s := range list {
		out = append(out, operate.Statement{
			BillingAccount: s.BillingAccount, BillingPeriod: string(s.BillingPeriod),
			Version: s.Version, Digest: fmt.Sprintf("%x", s.Digest),
		})
	}
	return out
}

func statementsText(what string, list []*closing.Statement) string {
	var b strings.Builder
	for _, s := range list {
		visible.Fprintf(&b, "%s %s of billing account %s: statement version %d, %d %s, SHA-256 %x\n", what,
			s.BillingPeriod, s.BillingAccount, s.Version, s.Lines, format.Noun(s.Lines, "line", "lines"), s.Digest)
	}
	return b.String()
}

// closePeriod is ClosePeriod of operate.Ledger over a store.
func closePeriod(ctx context.Context, s *store.Store, text, account, by string) ([]operate.Statement, error) {
	month, err := billingPeriod(text)
	if err != nil {
		return nil, err
	}
	list, err := closerOf(s).Close(ctx, month, account, by)
	return statementsOf(list), refusedByBooks(err)
}

// reopenPeriod is ReopenPeriod of operate.Ledger over a store.
func reopenPeriod(ctx context.Context, s *store.Store, text, account, reason, by string) ([]operate.Statement, error) {
	month, err := billingPeriod(text)
	if err != nil {
		return nil, err
	}
	list, err := closerOf(s).Reopen(ctx, month, account, reason, by)
	return statementsOf(list), refusedByBooks(err)
}

func refusedByBooks(err error) error {
	if r, ok := errors.AsType[*confirm.RefusedError](err); ok && !r.Denied {
		return &operate.RefusedError{Reasons: []string{r.Reason}}
	}
	if r, ok := errors.AsType[*closing.RefusedError](err); ok {
		return &operate.RefusedError{Reasons: r.Reasons}
	}
	return err
}
