package book

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"gpuledger/allocation/policy"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
)

// Policies reads every version of the policy that holds (rule 11.1).
func (s *Book) Policies(ctx context.Context) (policy.Book, error) {
	var versions []policy.Version
	err := pg.Query(ctx, s.Pool, "policy.documents", func(rows pgx.Rows) error {
		var name, document string
		if err := rows.Scan(&name, &document); err != nil {
			return err
		}
		v, err := policy.Parse([]byte(document))
		if err != nil {
			return fmt.Errorf("stored policy %s: %w", name, err)
		}
		versions = append(versions, v)
		return nil
	}, pg.Tenant)
	if err != nil {
		return policy.Book{}, err
	}
	return policy.NewBook(versions...)
}

// PolicyError says why a version of the policy cannot be stored or withdrawn.
type PolicyError struct{ Reason string }

// Error implements error.
func (e *PolicyError) Error() string { return "policy: " + e.Reason }

// SavePolicy stores a document as a new version and marks every node-day that
// it may move (rule 11.4), in one transaction. The same document under its own
// name is no change: the second result is false. It returns a *PolicyError when
// the name is taken by another document, or the day by another version.
func (s *Book) SavePolicy(ctx context.Context, document []byte, by string) (policy.Version, bool, error) {
	v, err := policy.Parse(document)
	if err != nil {
		return v, false, &PolicyError{strings.TrimPrefix(err.Error(), "policy: ")}
	}
	saved := false
	err = s.InTx(ctx, "store policy "+v.Settings.Version, func(tx pgx.Tx) error {
		var stored string
		var withdrawn bool
		err := tx.QueryRow(ctx, pg.Statement("policy.get"), pg.Tenant, v.Settings.Version).Scan(&stored, &withdrawn)
		switch {
		case err == nil && withdrawn:
			return &PolicyError{fmt.Sprintf("version %s was withdrawn: give the document another name", v.Settings.Version)}
		case err == nil && stored != string(document):
			return &PolicyError{fmt.Sprintf("version %s is another document already: a version never changes, give this one another name", v.Settings.Version)}
		case err == nil:
			return nil
		case !errors.Is(err, pgx.ErrNoRows):
			return fmt.Errorf("policy.get: %w", err)
		}
		_, err = pg.Exec(ctx, tx, "policy.put", pg.Tenant, v.Settings.Version, sinceOrAlways(v.ValidFrom), string(document), v.Note, int64(v.Margin()), pg.Now(), by, v.OnlyRates)
		var conflict *pgconn.PgError
		if errors.As(err, &conflict) && conflict.ConstraintName == "policy_versions_from" {
			return &PolicyError{fmt.Sprintf("another version holds from the same day as %s: withdraw it first, or choose another day", v.Settings.Version)}
		}
		if err != nil {
			return err
		}
		saved = true
		detail := fmt.Sprintf(`{"document_sha256": "%x"}`, sha256.Sum256(document))
		if err := Audit(ctx, tx, pg.Now(), by, "store policy", v.Settings.Version, detail); err != nil {
			return err
		}
		if err := putRates(ctx, tx, v); err != nil || v.OnlyRates {
			return err
		}
		return markPolicy(ctx, tx, v.ValidFrom)
	})
	return v, saved, err
}

// PolicyDocument returns a version as it was written, withdrawn ones too. It
// returns a *PolicyError for a name that nobody stored.
func (s *Book) PolicyDocument(ctx context.Context, version string) (string, error) {
	var document string
	var withdrawn bool
	err := s.Pool.QueryRow(ctx, pg.Statement("policy.get"), pg.Tenant, version).Scan(&document, &withdrawn)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", &PolicyError{fmt.Sprintf("there is no version %q: gpuledger policy list shows them", version)}
	}
	return document, err
}

// WithdrawPolicy ends a version: what was computed with it keeps its name, and
// is computed anew with the version before it. Withdrawing twice is no change.
// It returns a *PolicyError for a name that nobody stored.
func (s *Book) WithdrawPolicy(ctx context.Context, version, by string) error {
	return s.InTx(ctx, "withdraw policy "+version, func(tx pgx.Tx) error {
		var document string
		var withdrawn bool
		err := tx.QueryRow(ctx, pg.Statement("policy.get"), pg.Tenant, version).Scan(&document, &withdrawn)
		if errors.Is(err, pgx.ErrNoRows) {
			return &PolicyError{fmt.Sprintf("there is no version %q: gpuledger policy list shows them", version)}
		}
		if err != nil || withdrawn {
			return err
		}
		v, err := policy.Parse([]byte(document))
		if err != nil {
			return err
		}
		if _, err := pg.Exec(ctx, tx, "policy.withdraw", pg.Tenant, version, pg.Now()); err != nil {
			return err
		}
		if err := Audit(ctx, tx, pg.Now(), by, "withdraw policy", version, "{}"); err != nil || v.OnlyRates {
			return err
		}
		return markPolicy(ctx, tx, v.ValidFrom)
	})
}

// putRates stores the exchange rates of a version. They hold while it is not
// withdrawn, and never move a posting.
func putRates(ctx context.Context, tx pgx.Tx, v policy.Version) error {
	for _, r := range v.ExchangeRates {
		if _, err := pg.Exec(ctx, tx, "policy.put_rate", pg.Tenant, v.Settings.Version, r.From, r.To, r.On.String(), r.Rate.String(), r.Source); err != nil {
			return err
		}
	}
	return nil
}

// markPolicy marks what a change of the policy from a day on may move. It comes
// last in its transaction, like all marks.
func markPolicy(ctx context.Context, tx pgx.Tx, from period.Second) error {
	return pg.Mark(ctx, tx, "policy.mark", sinceOrAlways(from))
}

// sinceOrAlways is an instant as SQL takes it; 0 is the beginning of time.
func sinceOrAlways(s period.Second) string {
	if s == 0 {
		return "-infinity"
	}
	return s.String()
}
