package metrics

import (
	"context"
	"fmt"
	"time"

	"gpuledger/allocation/policy"
	"gpuledger/internal/access"
	"gpuledger/internal/ledger"
)

// storedRule is a version of the policy as it was stored, with the time in which it counted.
type storedRule struct {
	name, document    string
	stored, withdrawn Value
}

// held reports whether the version was stored at an instant and not yet withdrawn.
func (r storedRule) held(at time.Time) bool {
	return !r.stored.Time.After(at) && (!r.withdrawn.Valid || r.withdrawn.Time.After(at))
}

// readStoredRules reads all versions of the policy, withdrawn ones included. It reads as an auditor: rules of figures
// are the same for all readers, also for those who may not read the dataset policies.
func readStoredRules(ctx context.Context, from Querier) ([]storedRule, error) {
	ctx = access.As(ctx, &access.Viewer{Name: "rules of figures", Role: access.RoleAuditor})
	a, err := ReadAnswer(ctx, from, Query{
		Dataset: &policies, Zone: "UTC", Granularity: Total, Basis: ledger.EffectiveCost,
		Order: []Order{{Column: "version"}},
	})
	if err != nil {
		return nil, err
	}
	var out []storedRule
	for _, row := range a.Rows {
		if document := row[a.At("document")]; document.Valid { // the standard has none, and a book has the standard
			out = append(out, storedRule{row[a.At("version")].Text, document.Text, row[a.At("created_at")],
				row[a.At("withdrawn_at")]})
		}
	}
	return out, nil
}

// bookOf are the rules that hold now or, with an instant, those that held then.
func bookOf(rules []storedRule, at *time.Time) (policy.Book, error) {
	var held []policy.Version
	for _, r := range rules {
		if at == nil && r.withdrawn.Valid || at != nil && !r.held(*at) {
			continue
		}
		v, err := policy.Parse([]byte(r.document))
		if err != nil {
			return policy.Book{}, fmt.Errorf("stored policy %s: %w", r.name, err)
		}
		held = append(held, v)
	}
	return policy.NewBook(held...)
}
