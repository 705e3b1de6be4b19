package book

import (
	"context"
	"crypto/sha256"
	"fmt"

	"github.com/jackc/pgx/v5"

	"gpuledger/allocation/policy"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
)

// Policies reads every policy version in force (rule 11.1).
func (s *Book) Policies(ctx context.Context) (policy.Book, error) {
	return PoliciesOf(ctx, s.Pool)
}

// PoliciesOf is Policies within a transaction.
func PoliciesOf(ctx context.Context, q pg.Querier) (policy.Book, error) {
	book, _, err := policiesOf(ctx, q)
	return book, err
}

// stored is a policy version with its document.
type stored struct {
	policy.Version
	document string
}

// sum identifies the document.
func (v stored) sum() [sha256.Size]byte { return sha256.Sum256([]byte(v.document)) }

// policiesOf reads the versions in force, as a book and with their documents.
func policiesOf(ctx context.Context, q pg.Querier) (policy.Book, []stored, error) {
	var versions []policy.Version
	var list []stored
	err := pg.Each(ctx, q, "policy.documents", func(r struct{ Version, Document string }) error {
		v, err := policy.Parse([]byte(r.Document))
		if err != nil {
			return fmt.Errorf("stored policy %s: %w", r.Version, err)
		}
		versions, list = append(versions, v), append(list, stored{v, r.Document})
		return nil
	}, pg.Tenant)
	if err != nil {
		return policy.Book{}, nil, err
	}
	book, err := policy.NewBook(versions...)
	if err != nil {
		return book, list, err
	}
	mappings, err := mappingsOf(ctx, q)
	if err != nil {
		return book, list, err
	}
	plain := make([]policy.Mapping, len(mappings))
	for i := range mappings {
		plain[i] = mappings[i].Mapping
	}
	return book.WithMappings(plain...), list, nil
}

// PolicyError says why a policy version cannot be stored or withdrawn.
type PolicyError struct{ Reason string }

// Error implements error.
func (e *PolicyError) Error() string { return "policy: " + e.Reason }

// PolicyDocument returns a version as it was written, even if it was withdrawn. It returns a *PolicyError for an
// unknown name.
func (s *Book) PolicyDocument(ctx context.Context, version string) (string, error) {
	v, err := written(ctx, s.Pool, version)
	return v.Document, err
}

// policyText is a version as it was written.
type policyText struct {
	Document  string
	Withdrawn bool
}

// written reads a version, or returns a *PolicyError for an unknown name.
func written(ctx context.Context, q pg.Querier, version string) (policyText, error) {
	v, found, err := pg.Found(pg.One[policyText](ctx, q, "policy.get", pg.Tenant, version))
	if err == nil && !found {
		err = &PolicyError{fmt.Sprintf("there is no policy version %q: `gpuledger policy list` shows all", version)}
	}
	return v, err
}

// putRates stores the exchange rates of a version. They are in force until it is withdrawn and never affect a posting.
func putRates(ctx context.Context, tx pgx.Tx, v policy.Version) error {
	for _, r := range v.ExchangeRates {
		if _, err := pg.Exec(ctx, tx, "policy.put_rate", pg.Tenant, v.Settings.Version, r.From, r.To, r.On.String(),
			r.Rate.String(), r.Source); err != nil {
			return err
		}
	}
	return nil
}

// markPolicy marks the days that a policy change from a day on may affect. Like all marks, it must be last in its
// transaction.
func markPolicy(ctx context.Context, tx pgx.Tx, from period.Second) error {
	return pg.Mark(ctx, tx, "policy.mark", sinceOrAlways(from))
}

// sinceOrAlways is an instant as SQL text; 0 is -infinity.
func sinceOrAlways(s period.Second) string {
	if s == 0 {
		return "-infinity"
	}
	return s.String()
}
