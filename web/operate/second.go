package operate

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"gpuledger/internal/access"
	"gpuledger/internal/confirm"
)

// Changes is a Ledger that keeps changes waiting for a second person. Its methods return a
// *confirm.RefusedError if a decision is refused, and a *confirm.UnknownError for an unknown
// id.
type Changes interface {
	WaitingChanges(ctx context.Context) ([]confirm.Request, error)
	Change(ctx context.Context, id string) (*confirm.Request, error)
	// ConfirmChange makes the change; it returns a *RefusedError if the ledger refuses it.
	ConfirmChange(ctx context.Context, id, by string) error
	DeclineChange(ctx context.Context, id, reason, by string) error
	TakeBackChange(ctx context.Context, id, by string) error
}

// Change is a request as JSON.
type Change struct {
	ID      string `json:"change_id"`
	Kind    string `json:"kind"`
	Subject string `json:"subject"`
	State   string `json:"state"`
	AskedBy string `json:"asked_by"`
	AskedAt string `json:"asked_at"`
	Expires string `json:"expires_at"`
	Digest  string `json:"digest"` // SHA-256 of the exact request, hexadecimal
}

// ChangeOf returns a request as JSON.
func ChangeOf(r *confirm.Request) Change {
	return Change{r.ID.String(), string(r.Kind), r.Subject, string(r.State), r.By.Name, r.At.UTC().Format(time.RFC3339),
		r.Expires.UTC().Format(time.RFC3339),
		fmt.Sprintf("%x", r.Digest)}
}

// Decision is a decision on a waiting change.
type Decision string

// Decisions.
const (
	Confirm  Decision = "confirm"
	Decline  Decision = "decline"
	TakeBack Decision = "take back"
)

// Decide lets a second person confirm or decline a change, and lets the person who
// asked take it back. Each needs the right that the request needed.
func (d Desk) Decide(
	ctx context.Context, token, id string, what Decision, reason string,
) (r *confirm.Request, by string, err error) {
	ledger, ok := d.Ledger.(Changes)
	if by, err = d.AdmitAny(ctx, token); err != nil {
		return nil, by, err
	}
	if !ok {
		return nil, by, &confirm.UnknownError{ID: id}
	}
	if r, err = ledger.Change(ctx, id); err != nil {
		return nil, by, err
	}
	if by, err = d.Admit(ctx, token, r.Kind.Right()); err != nil {
		return r, by, err
	}
	switch what {
	case Confirm:
		err = ledger.ConfirmChange(ctx, id, by)
	case Decline:
		err = ledger.DeclineChange(ctx, id, reason, by)
	case TakeBack:
		err = ledger.TakeBackChange(ctx, id, by)
	}
	if refused, ok := errors.AsType[*confirm.RefusedError](err); ok {
		if refused.Denied {
			return r, by, &DeniedError{http.StatusForbidden, refused.Reason}
		}
		return r, by, &RefusedError{[]string{refused.Reason}}
	}
	return r, by, err
}

// AdmitAny admits users who may decide on some kind of change, before the change is known.
func (d Desk) AdmitAny(ctx context.Context, token string) (name string, err error) {
	for _, kind := range []confirm.Kind{confirm.Reopen, confirm.Store} {
		if name, err = d.Admit(ctx, token, kind.Right()); err == nil {
			return name, nil
		}
	}
	return "", err
}

// Waiting lists the waiting changes that need the right.
func (d Desk) Waiting(ctx context.Context, right access.Right) (list []confirm.Request, err error) {
	ledger, ok := d.Ledger.(Changes)
	if !ok {
		return nil, nil
	}
	all, err := ledger.WaitingChanges(ctx)
	for _, r := range all {
		if r.Kind.Right() == right {
			list = append(list, r)
		}
	}
	return list, err
}
