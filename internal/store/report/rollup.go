package report

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/access"
	"gpuledger/internal/star"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics"
)

// RollupPlan says what a report is read from: a roll-up for what is as new as the
// ledger, the ledger itself for all else.
type RollupPlan struct {
	rollup *star.Rollup // of costs
	Pieces []piece
	teams  []string // whoever asks sees no row of others; nil: nothing is known of it
}

// rollupFor is rollupOf for whoever asks: who sees a part is answered from rows that
// are each in his scope or not. Of which teams those can be is said, too: that spares
// the policy most rows, which is asked of each that other conditions leave.
func rollupFor(ctx context.Context, tx pgx.Tx, q metrics.Query) (*RollupPlan, error) {
	best := rollupOf(q)
	if best == nil {
		return nil, nil
	}
	if !access.From(ctx).Bounded() {
		return &RollupPlan{rollup: best}, nil
	}
	of, err := shapeOf(ctx, tx)
	if err != nil {
		return nil, err
	}
	best = rollupAmong(q, func(r *star.Rollup) bool { return star.Cost.InScopes(r, of.wholeTeams, false) })
	if best == nil {
		return nil, nil
	}
	plan := &RollupPlan{rollup: best}
	if best.Has("team") {
		plan.teams = of.teams
	}
	return plan, nil
}

// shape is what the scope of whoever asks is of.
type shape struct {
	wholeTeams, anywhere bool
	teams                []string // of its owners; nil: rows of any team may be in it
}

func shapeOf(ctx context.Context, tx pgx.Tx) (of shape, err error) {
	if err := tx.QueryRow(ctx, pg.Statement("rollup.scope"), pg.Tenant).Scan(&of.wholeTeams, &of.anywhere, &of.teams); err != nil {
		return of, fmt.Errorf("rollup.scope: %w", err)
	}
	return of, nil
}

// rollupOf finds the first roll-up of costs that answers q, nil where none does.
// What was said earlier or closed is told by its own tables.
func rollupOf(q metrics.Query) *star.Rollup {
	return rollupAmong(q, func(*star.Rollup) bool { return true })
}

func rollupAmong(q metrics.Query, may func(*star.Rollup) bool) *star.Rollup {
	if !q.Dataset.Grouped || q.AsOf != 0 || !q.Statement.IsZero() {
		return nil
	}
	i := slices.IndexFunc(star.Cost.Rollups, func(r star.Rollup) bool {
		return may(&r) && len(unknownTo(&r, q)) == 0 && (q.Granularity != metrics.Hour || r.By(star.Hours))
	})
	if i < 0 {
		return nil
	}
	return &star.Cost.Rollups[i]
}

// unknownTo are the keys of q that rows of a roll-up do not have and do not lead
// to, as their owner and the tenant do.
func unknownTo(r *star.Rollup, q metrics.Query) (names []string) {
	for _, k := range costKeys(q) {
		if !r.Has(k.Name) && k.On != metrics.OnTenant && (k.On != metrics.OnOwner || !r.Has(ownerID)) {
			names = append(names, k.Name)
		}
	}
	return names
}

// ownerID is a key of facts: it leads to every owner dimension and label.
const ownerID = "owner_id"

// costKeys are the keys that a report of costs is grouped and filtered by.
func costKeys(q metrics.Query) []metrics.Key {
	var keys []metrics.Key
	add := func(k metrics.Key) {
		if !slices.Contains(keys, k) {
			keys = append(keys, k)
		}
	}
	for _, k := range q.GroupBy {
		add(k)
	}
	for _, name := range metrics.FilterKeys(q.Filter) {
		if k, ok := metrics.LookupKey(name); ok {
			add(k)
		}
	}
	return keys
}

// rolledUp is the base relation of costs from roll-ups, with the columns of
// the one from the ledger; its rows are few enough to be added up once.
func (c Compiler) rolledUp(keys []metrics.Key) string {
	rollup := c.Plan.rollup
	raw := []string{"cause", "currency", "state"}
	var cols []string
	var need [joinCount]bool
	kind := c.matches("kind")
	for _, k := range keys {
		expr := "p." + ident(k.Name)
		if rollup.Has(k.Name) {
			raw = append(raw, k.Name)
		} else {
			kc := c.keySQL(k)
			expr = kc.expr
			for _, j := range kc.joins {
				need[j] = true
				raw = append(raw, joinNeeds[j]...)
			}
		}
		kind = kind && k.Name != "kind"
		if k.Name != "cause" && k.Name != "state" {
			cols = append(cols, expr+" as "+ident(k.Name))
		}
	}
	cols = append(cols, "p.cause", c.currency(), "p.state")
	if kind {
		raw = append(raw, "kind")
		cols = append(cols, "p.kind")
	}
	slices.Sort(raw)
	raw = slices.Compact(raw)
	for _, name := range c.sums() {
		cols = append(cols, c.converted(name))
	}
	if bucket := c.bucket(); bucket != "" {
		cols = append(cols, bucket+" as period_start")
	}
	rows := c.rollupRows(raw)
	if c.Q.Currency != "" {
		rows = "select p.*, " + serviceDay + " as service_day\nfrom (\n" + rows + "\n) p"
	}
	return "select " + strings.Join(cols, ", ") + "\nfrom (\n" + rows + "\n) p" + c.joins(need) + c.exchange()
}

// rollupRows are the rows of the plan's roll-up with the keys that are asked for,
// each at the start of what it adds up.
func (c Compiler) rollupRows(keys []string) string {
	selected := "select r.at as hour, " + star.Listed("r.", append(slices.Clone(keys), c.sums()...))
	parts := c.addedRows(&star.Cost, c.Plan.rollup, selected)
	where := " where true"
	if c.Q.BillingPeriod != "" {
		where += c.Expand(" and r.billing_period = @billing_period")
	}
	if c.Plan.teams != nil {
		where += " and (r.team = any (" + c.list(c.Plan.teams) + ")" // coalesce would be asked after the policy: it is not leakproof
		if slices.Contains(c.Plan.teams, "") {
			where += " or r.team is null"
		}
		where += ")"
	}
	for i := range parts {
		parts[i] += where
	}
	return strings.Join(parts, "\nunion all\n")
}

// sums are the sums that the columns of the answer are made of.
func (c Compiler) sums() []string {
	used := func(name string) bool {
		return slices.ContainsFunc(c.Q.Columns(), func(col metrics.Column) bool {
			return col.Formula.Reads(name) || name == string(c.Q.Basis) && col.Formula.Reads(metrics.Basis)
		})
	}
	return slices.DeleteFunc(slices.Clone(factSums), func(name string) bool { return !used(name) })
}
