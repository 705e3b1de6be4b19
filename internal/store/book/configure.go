package book

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/allocation/policy"
	"gpuledger/internal/folder"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
)

// LockConfiguration lets one change of policies, mappings and budgets at a time read and write them.
func LockConfiguration(ctx context.Context, tx pgx.Tx) error {
	if _, err := pg.Exec(ctx, tx, "change.lock", pg.Tenant); err != nil {
		return err
	}
	_, err := pg.Exec(ctx, tx, "import.lock", pg.Tenant, "budgets")
	return err
}

// ReadConfiguration reads the policies, mappings and budgets that are stored.
func ReadConfiguration(ctx context.Context, q pg.Querier, s *folder.State) error {
	err := pg.Each(ctx, q, "policy.every", func(r struct {
		Version, Document string
		Withdrawn         bool
	}) error {
		v, err := policy.Parse([]byte(r.Document))
		if err != nil {
			return fmt.Errorf("stored policy %s: %w", r.Version, err)
		}
		s.Policies = append(s.Policies, folder.StoredPolicy{Version: v, Document: r.Document, Withdrawn: r.Withdrawn})
		return nil
	}, pg.Tenant)
	if err != nil {
		return err
	}
	if s.Mappings, err = mappingsOf(ctx, q); err != nil {
		return err
	}
	budgets, err := pg.List[storedBudget](ctx, q, "budget.current", pg.Tenant)
	for i := range budgets {
		s.Budgets = append(s.Budgets, budgets[i].budget())
	}
	return err
}

// Configured is who changes the configuration, and why.
type Configured struct {
	By, Reason string
	At         time.Time
}

// SaveConfiguration stores the policies, mappings and budgets of a plan, each with an entry in the audit log. mark marks
// the days that they move; it must be called last in the transaction.
func SaveConfiguration(
	ctx context.Context, tx pgx.Tx, plan *folder.Plan, c Configured,
) (mark func() error, err error) {
	by := made{actor: c.By, names: c.By, reason: c.Reason}
	var since *period.Second
	earlier := func(day period.Second) {
		if since == nil || day < *since {
			since = &day
		}
	}
	for i := range plan.Policies {
		p := &plan.Policies[i]
		rules, err := PoliciesOf(ctx, tx)
		if err != nil {
			return nil, err
		}
		v := stored{p.Version, p.Document}
		moves := move{to: p.Settings.Version, since: p.ValidFrom}
		if change := plan.Of(folder.KindPolicy, p.Settings.Version, p.Day()); change != nil {
			moves.differences = change.Fields
		}
		if !p.OnlyRates {
			moves.from = rules.At(p.ValidFrom).Settings.Version
			earlier(p.ValidFrom)
		}
		if err := addPolicy(ctx, tx, v, moves, by, c.At); err != nil {
			return nil, err
		}
	}
	for i := range plan.Mappings {
		m := &plan.Mappings[i]
		if err := addMapping(ctx, tx, plan, m, by, c.At); err != nil {
			return nil, err
		}
		earlier(m.ValidFrom)
	}
	if err := saveConfiguredBudgets(ctx, tx, plan.Budgets, c); err != nil {
		return nil, err
	}
	return func() error {
		if since == nil {
			return nil
		}
		return markPolicy(ctx, tx, *since)
	}, nil
}

// saveConfiguredBudgets stores budgets with the reason of the change, unless they have their own.
func saveConfiguredBudgets(ctx context.Context, tx pgx.Tx, list []ledger.Budget, c Configured) error {
	if len(list) == 0 {
		return nil
	}
	budgets := make([]ledger.Budget, len(list))
	for i, b := range list {
		if budgets[i] = b; b.Reason == "" {
			budgets[i].Reason = c.Reason
		}
	}
	names, err := putBudgets(ctx, tx, ledger.ID{}, c.By, budgets)
	if err != nil || len(names) == 0 {
		return err
	}
	return auditDetail(ctx, tx, c.At, c.By, "budgets stored", fmt.Sprintf("%d budgets", len(names)),
		map[string]any{"names": names, "reason": c.Reason})
}

// AuditBooks writes to the audit log which price books with machines were stored, and what differs.
func AuditBooks(ctx context.Context, tx pgx.Tx, plan *folder.Plan, c Configured) error {
	for i := range plan.Owned {
		name := plan.Owned[i].Name
		detail := map[string]any{"reason": c.Reason}
		if change := plan.Of(folder.KindPriceBook, name, ""); change != nil {
			detail["fields"] = change.Fields
		}
		if err := auditDetail(ctx, tx, c.At, c.By, "price book stored", name, detail); err != nil {
			return err
		}
	}
	return nil
}

// AuditRates writes to the audit log that prices were stored.
func AuditRates(ctx context.Context, tx pgx.Tx, added int64, c Configured) error {
	return auditDetail(ctx, tx, c.At, c.By, "prices stored", fmt.Sprintf("%d prices", added),
		map[string]any{"reason": c.Reason})
}
