package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"gpuledger/ingest/annotations"
	"gpuledger/ingest/budgets"
	"gpuledger/internal/ledger"
	"gpuledger/metrics"
	"gpuledger/web/operate"
)

// inBody is the file name of rows that a request carries.
const inBody = "body"

// SaveBudgets implements operate.Ledger.
func (l deskLedger) SaveBudgets(ctx context.Context, document []byte, by string) (operate.Saved, error) {
	list, read, err := budgets.Parse(ctx, bytes.NewReader(document), inBody)
	if err := wrongField(&read, err); err != nil {
		return operate.Saved{}, err
	}
	stored, err := l.Store.SaveBudgets(ctx, by, time.Now(), list)
	return operate.Saved{Rows: read.Accepted, Stored: stored}, wrongField(&read, err)
}

// SaveAnnotations implements operate.Ledger.
func (l deskLedger) SaveAnnotations(ctx context.Context, document []byte, by string) (operate.Saved, error) {
	list, read, err := annotations.Parse(ctx, bytes.NewReader(document), inBody)
	if err := wrongField(&read, err); err != nil {
		return operate.Saved{}, err
	}
	stored, err := l.Store.SaveAnnotations(ctx, by, time.Now(), list)
	return operate.Saved{Rows: read.Accepted, Stored: stored}, err
}

// wrongField names the field at fault, of the first row that is refused.
func wrongField(read *ledger.Reading, err error) error {
	refused, whole := errors.AsType[*ledger.FileError](err)
	switch {
	case whole:
		return optionOf(refused.Rejection, read.Rows == 1)
	case err != nil:
		return err
	case len(read.First) > 0:
		return optionOf(read.First[0], read.Rows == 1)
	case read.Accepted == 0:
		return &metrics.OptionError{Option: inBody, Reason: "has no rows"}
	}
	return nil
}

// optionOf is a refusal of a row; alone in its body, it needs no line.
func optionOf(r ledger.Rejection, alone bool) error {
	reason := r.Reason + ": " + r.Detail
	if !alone {
		reason = fmt.Sprintf("line %d: %s", r.Line, reason)
	}
	return &metrics.OptionError{Option: cmp.Or(r.Column, inBody), Reason: reason}
}
