package main

import (
	"context"
	"errors"
	"strings"
	"time"

	"gpuledger/internal/confirm"
	"gpuledger/web/operate"
)

// waits prints a waiting request if the output is JSON. The error describes it in text and has
// its own exit status.
func (a *app) waits(output string, err error) error {
	if w, ok := errors.AsType[*confirm.WaitsError](err); ok && output == "json" {
		return errors.Join(a.printSummary(output, operate.ChangeOf(&w.Request), nil), err)
	}
	return err
}

var _ operate.Changes = deskLedger{}

// WaitingChanges implements operate.Changes.
func (l deskLedger) WaitingChanges(ctx context.Context) ([]confirm.Request, error) {
	return l.Store.WaitingChanges(ctx, time.Now())
}

// Change implements operate.Changes.
func (l deskLedger) Change(ctx context.Context, id string) (*confirm.Request, error) {
	return l.Store.Change(ctx, id)
}

// ConfirmChange implements operate.Changes.
func (l deskLedger) ConfirmChange(ctx context.Context, id, by string) error {
	r, err := l.Store.Change(ctx, id)
	if err != nil {
		return err
	}
	if r.Kind == confirm.Reopen {
		_, err = closerOf(l.Store).Confirm(ctx, id, by)
		return refusedByBooks(err)
	}
	return refused(l.ConfirmPolicy(ctx, id, by))
}

// DeclineChange implements operate.Changes.
func (l deskLedger) DeclineChange(ctx context.Context, id, reason, by string) error {
	return l.Store.DeclineChange(ctx, id, strings.TrimSpace(reason), by, time.Now())
}

// TakeBackChange implements operate.Changes.
func (l deskLedger) TakeBackChange(ctx context.Context, id, by string) error {
	return l.Store.TakeBackChange(ctx, id, by, time.Now())
}
