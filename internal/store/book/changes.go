package book

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/allocation/policy"
	"gpuledger/internal/confirm"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
)

// Guards reports whether the policy in force at an instant requires a second person for a change (rule 11.5).
func Guards(ctx context.Context, tx pgx.Tx, change policy.Guarded, at time.Time) (bool, error) {
	book, _, err := policiesOf(ctx, tx)
	return err == nil && book.At(period.FromTime(at)).Guards(change), err
}

// AskChange stores a request and writes it to the audit log. A repeated request of the same person returns the pending
// one; another request about the same subject is refused.
func AskChange(ctx context.Context, tx pgx.Tx, r confirm.Request) (confirm.Request, error) {
	if _, err := pg.Exec(ctx, tx, "change.lock", pg.Tenant); err != nil {
		return r, err
	}
	if _, err := pg.Exec(ctx, tx, "change.expire", pg.Tenant, r.At); err != nil {
		return r, err
	}
	waiting, err := changes(ctx, tx, "change.waiting", pg.Tenant, r.At)
	if err != nil {
		return r, err
	}
	for _, w := range waiting {
		switch {
		case w.Kind != r.Kind || w.Subject != r.Subject:
		case w.Digest == r.Digest && w.By.Name == r.By.Name && w.By.ID == r.By.ID:
			return w, nil
		default:
			return r, w.AsksAlready()
		}
	}
	if r.By.Way == confirm.Token {
		if r.By.Behind, err = tokenMakers(ctx, tx, r.By.ID); err != nil {
			return r, err
		}
	}
	if _, err := pg.Exec(ctx, tx, "change.put", pg.Tenant, r.ID, r.Kind, r.Subject, r.Text, r.Digest[:], r.By.Name,
		r.By.Way, r.By.ID,
		append([]string{}, r.By.Behind...), r.At, r.Expires); err != nil {
		return r, err
	}
	detail := map[string]any{
		"change": r.ID.String(), "digest": fmt.Sprintf("%x", r.Digest),
		"expires": r.Expires.Format(time.RFC3339), "stands": r.Asked.Stands,
	}
	if r.Asked.Reason != "" {
		detail["reason"] = r.Asked.Reason
	}
	return r, auditDetail(ctx, tx, r.At, r.By.Name, string(r.Kind)+" asked", r.Subject, detail)
}

// tokenMakers are the creator of a token, the creator of the token that created it, and so on.
func tokenMakers(ctx context.Context, tx pgx.Tx, token string) (names []string, err error) {
	id, err := ledger.ParseID(token)
	if err != nil {
		return nil, err
	}
	return pg.Values[string](ctx, tx, "change.token_makers", pg.Tenant, id)
}

// AskedChange reads a request and locks it against other decisions until the transaction ends. It returns a
// *confirm.UnknownError for an unknown id.
func AskedChange(ctx context.Context, tx pgx.Tx, id string) (*confirm.Request, error) {
	parsed, err := ledger.ParseID(id)
	if err != nil {
		return nil, &confirm.UnknownError{ID: id}
	}
	if _, err := pg.Exec(ctx, tx, "change.lock", pg.Tenant); err != nil {
		return nil, err
	}
	list, err := changes(ctx, tx, "change.get", pg.Tenant, parsed)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, &confirm.UnknownError{ID: id}
	}
	return &list[0], nil
}

// DecideChange stores the outcome of a pending request and writes it to the audit log.
func DecideChange(
	ctx context.Context, tx pgx.Tx, r *confirm.Request, state confirm.State, by, note string, at time.Time,
) error {
	n, err := pg.Exec(ctx, tx, "change.decide", pg.Tenant, r.ID, state, by, at, pg.CleanText(note))
	if err == nil && n != 1 {
		err = fmt.Errorf("change %s is no longer pending", r.ID)
	}
	if err != nil {
		return err
	}
	detail := map[string]any{"change": r.ID.String(), "asked_by": r.By.Name, "from": confirm.Waiting, "to": state}
	if note != "" {
		detail["reason"] = note
	}
	return auditDetail(ctx, tx, at, by, string(r.Kind)+" "+string(state), r.Subject, detail)
}

// AuditRefusedChange writes to the audit log that a user was not allowed to decide on a request, or to make one.
func AuditRefusedChange(
	ctx context.Context, tx pgx.Tx, kind confirm.Kind, subject, by, reason string, at time.Time,
) error {
	return auditDetail(ctx, tx, at, by, string(kind)+" refused", subject, map[string]any{"reasons": []string{reason}})
}

// Change returns a request, or a *confirm.UnknownError for an unknown id.
func (s *Book) Change(ctx context.Context, id string) (r *confirm.Request, err error) {
	err = s.InTx(ctx, "read a change", func(tx pgx.Tx) error {
		r, err = AskedChange(ctx, tx, id)
		return err
	})
	return r, err
}

// WaitingChanges lists the requests pending at an instant, oldest first.
func (s *Book) WaitingChanges(ctx context.Context, at time.Time) (list []confirm.Request, err error) {
	err = s.Read(ctx, "list changes", func(tx pgx.Tx) error {
		list, err = changes(ctx, tx, "change.waiting", pg.Tenant, at)
		return err
	})
	return list, err
}

// DeclineChange declines a request with a reason.
func (s *Book) DeclineChange(ctx context.Context, id, reason, by string, at time.Time) error {
	return s.decide(ctx, id, by, at, func(r *confirm.Request, who confirm.Person) (confirm.State, string, error) {
		return confirm.Declined, reason, r.Decline(who, reason, at)
	})
}

// TakeBackChange ends the caller's own request.
func (s *Book) TakeBackChange(ctx context.Context, id, by string, at time.Time) error {
	return s.decide(ctx, id, by, at, func(r *confirm.Request, who confirm.Person) (confirm.State, string, error) {
		return confirm.TakenBack, "", r.TakeBack(who, at)
	})
}

// decide stores the outcome of decision.
func (s *Book) decide(
	ctx context.Context, id, by string, at time.Time,
	decision func(*confirm.Request, confirm.Person) (confirm.State, string, error),
) error {
	var r *confirm.Request
	err := s.InTx(ctx, "decide on a change", func(tx pgx.Tx) (err error) {
		if r, err = AskedChange(ctx, tx, id); err != nil {
			return err
		}
		who := confirm.Who(ctx, by)
		if who.Way == confirm.Token {
			if who.Behind, err = tokenMakers(ctx, tx, who.ID); err != nil {
				return err
			}
		}
		state, note, err := decision(r, who)
		if err != nil {
			return err
		}
		return DecideChange(ctx, tx, r, state, by, note, at)
	})
	return s.refusedChange(ctx, r, by, at, err)
}

// refusedChange writes a refusal to the audit log and ends an outdated request.
func (s *Book) refusedChange(ctx context.Context, r *confirm.Request, by string, at time.Time, err error) error {
	refused, ok := errors.AsType[*confirm.RefusedError](err)
	if !ok || r == nil {
		return err
	}
	kept := s.InTx(ctx, "keep a refusal", func(tx pgx.Tx) error { return EndRefusedChange(ctx, tx, r, refused, by, at) })
	return errors.Join(err, kept)
}

// EndRefusedChange writes a refusal to the audit log and ends the request if it is outdated.
func EndRefusedChange(
	ctx context.Context, tx pgx.Tx, r *confirm.Request, refused *confirm.RefusedError, by string, at time.Time,
) error {
	if refused.Outdated {
		return DecideChange(ctx, tx, r, confirm.Outdated, by, refused.Reason, at)
	}
	return AuditRefusedChange(ctx, tx, r.Kind, r.Subject, by, refused.Reason, at)
}

// changes reads requests.
func changes(ctx context.Context, q pg.Querier, name string, args ...any) ([]confirm.Request, error) {
	var list []confirm.Request
	err := pg.Each(ctx, q, name, func(row struct {
		confirm.Request
		AskedBy, AskedID string
		AskedAs          confirm.Way
		Behind           []string
	}) error {
		r := row.Request
		r.By = confirm.Person{Way: row.AskedAs, ID: row.AskedID, Name: row.AskedBy, Behind: row.Behind}
		if err := r.Read(); err != nil {
			return err
		}
		list = append(list, r)
		return nil
	}, args...)
	return list, err
}

// auditDetail is Audit with a detail that it encodes as JSON with sorted keys.
func auditDetail(
	ctx context.Context, tx pgx.Tx, at time.Time, by, action, subject string, detail map[string]any,
) error {
	text, err := json.Marshal(detail)
	if err != nil {
		return err
	}
	return Audit(ctx, tx, at, by, action, subject, string(text))
}

// standing lists the versions in force, either of rules or of exchange rates alone, with their digests. It is the state
// that a request about the policy refers to.
func standing(list []stored, onlyRates bool) []string {
	var out []string
	for _, v := range list {
		if v.OnlyRates == onlyRates {
			out = append(out, fmt.Sprintf("%s %x", v.Settings.Version, v.sum()))
		}
	}
	slices.Sort(out)
	return out
}
