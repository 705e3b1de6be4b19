package statement

import (
	"context"

	"gpuledger/internal/access"
	"gpuledger/internal/period"
	"gpuledger/metrics"
)

// table is an answer whose cells are found by name.
type table struct{ *metrics.Answer }

func (t table) value(row []metrics.Value, column string) metrics.Value { return row[t.At(column)] }

func (t table) text(row []metrics.Value, column string) string { return t.value(row, column).Text }

// ask reads a whole answer. only are the figures that are read.
func ask(ctx context.Context, from metrics.Querier, dataset string, o metrics.Options, only ...string) (table, error) {
	q, err := metrics.Parse(dataset, o)
	if err != nil {
		return table{}, err
	}
	q.Only = only
	a, err := metrics.ReadAnswer(ctx, from, q)
	return table{a}, err
}

// costKeys are what the costs of a statement are read by, in addition to the owner.
const costKeys = ",kind,project,cause,quality,state,provider,billing_account,gpu_model,pricing"

// costs reads the bills of a month, by service month.
func (q Question) costs(ctx context.Context, from metrics.Querier, month period.Month) (table, error) {
	keys := q.Key.Name + costKeys
	if q.Key.Name == "project" { // named in costKeys
		keys = costKeys[1:]
	}
	if q.Key.Name != "team" {
		keys += ",team"
	}
	return ask(ctx, from, "costs", metrics.Options{
		BillingPeriod: string(month), GroupBy: keys, Filter: q.filter(), Sharing: q.sharing(), Granularity: "month",
	}, "period_start", "currency", "effective_cost", "gpu_hours", "capacity_gpu_hours", "active_gpu_hours")
}

// closings reads how the month stands with each billing account. It reads as an auditor of the whole ledger: an
// owner's statement says whether the accounts that billed the owner are closed, also to those who may not read the
// dataset periods.
func (q Question) closings(ctx context.Context, from metrics.Querier) (map[string]Account, error) {
	ctx = access.As(ctx, &access.Viewer{Name: "statement", Role: access.RoleAuditor})
	t, err := ask(ctx, from, "periods", metrics.Options{
		Filter: "billing_period = " + quote(string(q.Month)),
	}, "effective_cost")
	if err != nil {
		return nil, err
	}
	out := map[string]Account{}
	for _, row := range t.Rows {
		a := Account{State: Open}
		if t.text(row, "state") == "closed" {
			at := t.value(row, "closed_at").Time.UTC()
			a.State, a.Version, a.ClosedAt = Closed, t.value(row, "version").Int, &at
		}
		out[t.text(row, "billing_account")] = a
	}
	return out, nil
}
