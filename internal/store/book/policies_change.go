package book

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"gpuledger/allocation/policy"
	"gpuledger/internal/confirm"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
)

// SavePolicy stores a document as a new version and marks every node-day that it may affect (rule 11.4), in one
// transaction. If the same document is stored under its name already, nothing changes and the second result is false.
// It returns a *PolicyError if the name belongs to another document or the day to another version, and a
// *confirm.WaitsError if the policy in force requires a second person.
func (s *Book) SavePolicy(ctx context.Context, document []byte, by string) (policy.Version, bool, error) {
	v, err := policy.Parse(document)
	if err != nil {
		return v, false, &PolicyError{strings.TrimPrefix(err.Error(), "policy: ")}
	}
	saved, at := false, pg.Now()
	err = s.changePolicy(ctx, "store policy "+v.Settings.Version, func(tx pgx.Tx) (*confirm.Request, error) {
		known, found, err := pg.Found(pg.One[policyText](ctx, tx, "policy.get", pg.Tenant, v.Settings.Version))
		switch {
		case err != nil:
			return nil, err
		case found && known.Withdrawn:
			return nil, &PolicyError{fmt.Sprintf("version %s was withdrawn: give the document another name", v.Settings.Version)}
		case found && known.Document != string(document):
			return nil, &PolicyError{
				fmt.Sprintf("version %s already names another document, and a version never changes: give this one another name",
					v.Settings.Version),
			}
		case found:
			return nil, nil
		}
		book, list, err := policiesOf(ctx, tx)
		if err != nil {
			return nil, err
		}
		if err := sameDay(v, list); err != nil {
			return nil, err
		}
		moves, err := stores(stored{v, string(document)}, book, list)
		if err != nil {
			return nil, err
		}
		if book.At(period.FromTime(at)).Guards(policy.Policies) {
			asked := confirm.Asked{
				Version: v.Settings.Version, Document: string(document),
				Differences: moves.differences, Stands: standing(list, v.OnlyRates),
			}
			return askPolicy(ctx, tx, confirm.Store, asked, by, at)
		}
		saved = true
		return nil, putPolicy(ctx, tx, stored{v, string(document)}, moves, made{actor: by, names: by}, at)
	})
	return v, saved, err
}

// WithdrawPolicy ends a version: results computed with it keep its name until they are recomputed with the version
// before it. Withdrawing twice changes nothing. It returns a *PolicyError for an unknown name, and a
// *confirm.WaitsError if the policy in force requires a second person.
func (s *Book) WithdrawPolicy(ctx context.Context, version, by string) error {
	at := pg.Now()
	return s.changePolicy(ctx, "withdraw policy "+version, func(tx pgx.Tx) (*confirm.Request, error) {
		text, err := written(ctx, tx, version)
		if err != nil || text.Withdrawn {
			return nil, err
		}
		v, err := policy.Parse([]byte(text.Document))
		if err != nil {
			return nil, err
		}
		book, list, err := policiesOf(ctx, tx)
		if err != nil {
			return nil, err
		}
		moves, err := withdraws(stored{v, text.Document}, list)
		if err != nil {
			return nil, err
		}
		if book.At(period.FromTime(at)).Guards(policy.Policies) {
			asked := confirm.Asked{Version: version, Differences: moves.differences, Stands: standing(list, v.OnlyRates)}
			return askPolicy(ctx, tx, confirm.Withdraw, asked, by, at)
		}
		return nil, withdrawPolicy(ctx, tx, stored{v, text.Document}, moves, made{actor: by, names: by}, at)
	})
}

// ConfirmPolicy stores or withdraws the version of a request, or stores its mapping, in the name of the user who
// confirms it. It returns a *confirm.RefusedError if that user may not confirm, or if the versions in force have changed
// since the request.
func (s *Book) ConfirmPolicy(ctx context.Context, id, by string) error {
	var r *confirm.Request
	at := pg.Now()
	err := s.changePolicy(ctx, "confirm change "+id, func(tx pgx.Tx) (_ *confirm.Request, err error) {
		if r, err = AskedChange(ctx, tx, id); err != nil {
			return nil, err
		}
		who := confirm.Who(ctx, by)
		if err := r.Confirm(who, at); err != nil {
			return nil, err
		}
		two := made{actor: r.By.Name, names: r.Names(who), confirmed: r, by: by, reason: r.Asked.Reason}
		if r.Kind == confirm.Map {
			return nil, confirmMapping(ctx, tx, two, at)
		}
		book, list, err := policiesOf(ctx, tx)
		if err != nil {
			return nil, err
		}
		document := r.Asked.Document
		if r.Kind == confirm.Withdraw {
			if document = documentOf(list, r.Asked.Version); document == "" {
				return nil, r.Still(nil)
			}
		}
		v, err := policy.Parse([]byte(document))
		if err != nil {
			return nil, &PolicyError{strings.TrimPrefix(err.Error(), "policy: ")}
		}
		if err := r.Still(standing(list, v.OnlyRates)); err != nil {
			return nil, err
		}
		if err := DecideChange(ctx, tx, r, confirm.Confirmed, by, "", at); err != nil {
			return nil, err
		}
		var moves move
		switch r.Kind {
		case confirm.Store:
			if moves, err = stores(stored{v, document}, book, list); err == nil {
				err = putPolicy(ctx, tx, stored{v, document}, moves, two, at)
			}
		case confirm.Withdraw:
			if moves, err = withdraws(stored{v, document}, list); err == nil {
				err = withdrawPolicy(ctx, tx, stored{v, document}, moves, two, at)
			}
		default:
			err = fmt.Errorf("change %s does not concern the policy: %s", id, r.Kind)
		}
		return nil, err
	})
	return s.refusedChange(ctx, r, by, at, err)
}

// changePolicy runs f in a transaction, one at a time. If f returns a request, it is stored and returned as a
// *confirm.WaitsError.
func (s *Book) changePolicy(ctx context.Context, what string, f func(pgx.Tx) (*confirm.Request, error)) error {
	var waits *confirm.Request
	err := s.InTx(ctx, what, func(tx pgx.Tx) (err error) {
		if _, err := pg.Exec(ctx, tx, "change.lock", pg.Tenant); err != nil {
			return err
		}
		waits, err = f(tx)
		return err
	})
	if err == nil && waits != nil {
		return &confirm.WaitsError{Request: *waits}
	}
	return err
}

func askPolicy(
	ctx context.Context, tx pgx.Tx, kind confirm.Kind, asked confirm.Asked, by string, at time.Time,
) (*confirm.Request, error) {
	r, err := confirm.New(kind, asked.Version, asked, confirm.Who(ctx, by), at)
	if err != nil {
		return nil, err
	}
	r, err = AskChange(ctx, tx, r)
	return &r, err
}

// made has the authors of a change: one person or two.
type made struct {
	actor, names string           // who asked, and both
	confirmed    *confirm.Request // nil: no confirmation needed
	by           string           // who confirmed
	reason       string           // may be empty
}

// detail adds both authors, and the reason, to an audit log detail.
func (m made) detail(detail map[string]any) map[string]any {
	if m.reason != "" {
		detail["reason"] = m.reason
	}
	if m.confirmed != nil {
		detail["change"], detail["asked_by"], detail["confirmed_by"] = m.confirmed.ID.String(), m.confirmed.By.Name, m.by
	}
	return detail
}

// putPolicy stores a version and marks the days that it may affect.
func putPolicy(ctx context.Context, tx pgx.Tx, v stored, moves move, by made, at time.Time) error {
	if err := addPolicy(ctx, tx, v, moves, by, at); err != nil || v.OnlyRates {
		return err
	}
	return markPolicy(ctx, tx, v.ValidFrom)
}

// addPolicy stores a version without marks.
func addPolicy(ctx context.Context, tx pgx.Tx, v stored, moves move, by made, at time.Time) error {
	_, err := pg.Exec(ctx, tx, "policy.put", pg.Tenant, v.Settings.Version, sinceOrAlways(v.ValidFrom), v.document, v.Note,
		int64(v.Margin()), at, by.names, v.OnlyRates)
	var conflict *pgconn.PgError
	if errors.As(err, &conflict) && conflict.ConstraintName == "policy_versions_from" {
		return takenDay(v.Version)
	}
	if err != nil {
		return err
	}
	detail := moves.detail()
	detail["document_sha256"] = fmt.Sprintf("%x", v.sum())
	if err := auditDetail(ctx, tx, at, by.actor, string(confirm.Store), v.Settings.Version,
		by.detail(detail)); err != nil {
		return err
	}
	return putRates(ctx, tx, v.Version)
}

// withdrawPolicy ends a version.
func withdrawPolicy(ctx context.Context, tx pgx.Tx, v stored, moves move, by made, at time.Time) error {
	if _, err := pg.Exec(ctx, tx, "policy.withdraw", pg.Tenant, v.Settings.Version, at); err != nil {
		return err
	}
	if err := auditDetail(ctx, tx, at, by.actor, string(confirm.Withdraw), v.Settings.Version,
		by.detail(moves.detail())); err != nil || v.OnlyRates {
		return err
	}
	return markPolicy(ctx, tx, v.ValidFrom)
}

// sameDay refuses a version if another version of the rules takes effect on the same day. The table refuses it too, but
// a request must know before it is confirmed.
func sameDay(v policy.Version, list []stored) error {
	for _, other := range list {
		if !v.OnlyRates && !other.OnlyRates && other.ValidFrom == v.ValidFrom {
			return takenDay(v)
		}
	}
	return nil
}

func takenDay(v policy.Version) error {
	return &PolicyError{
		fmt.Sprintf("another version holds from the same day as %s: withdraw it first, or choose another day",
			v.Settings.Version),
	}
}
