package metrics

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"gpuledger/internal/money"
)

// Kinds of conflicts in which a machine may be counted twice (docs/rules.md 2.10).
const (
	MachineClusters = "machine_clusters"
	MachineBill     = "machine_bill"
)

// Doubles are machines that may be in the ledger twice.
type Doubles struct {
	Pairs [][2]string             // both names, in the order of the dataset
	Cost  map[string]money.Amount // cost that may be double, by currency
}

// ReadDoubles reads the machines that may be in the ledger twice.
func ReadDoubles(ctx context.Context, reader interface {
	Query(context.Context, Query) (Rows, error)
}) (Doubles, error) {
	out := Doubles{Cost: map[string]money.Amount{}}
	q, err := Parse("conflicts", Options{})
	if err != nil {
		return out, err
	}
	rows, err := reader.Query(ctx, q)
	if err != nil {
		return out, fmt.Errorf("read conflicts: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		row := map[string]string{}
		for i, c := range rows.Columns() {
			row[c.Name] = rows.Values()[i].Text
		}
		if row["what"] != MachineClusters && row["what"] != MachineBill {
			continue
		}
		if pair := [2]string{row["kept"], row["other"]}; !slices.Contains(out.Pairs, pair) {
			out.Pairs = append(out.Pairs, pair)
		}
		if row["may_be_double"] == "" {
			continue
		}
		cost, err := money.Parse(row["may_be_double"])
		if err != nil {
			return out, fmt.Errorf("read conflicts: %w", err)
		}
		out.Cost[row["currency"]] = out.Cost[row["currency"]].Add(cost)
	}
	return out, rows.Err()
}

// Sentence names the number of machines that may be counted twice and the cost that would be double; empty without any.
func (d Doubles) Sentence() string {
	if len(d.Pairs) == 0 {
		return ""
	}
	machines := "1 machine"
	if len(d.Pairs) > 1 {
		machines = fmt.Sprintf("%d machines", len(d.Pairs))
	}
	var costs []string
	for _, currency := range slices.Sorted(maps.Keys(d.Cost)) {
		costs = append(costs, d.Cost[currency].Rat().FloatString(2)+" "+currency)
	}
	cost := "no cost is double"
	if len(costs) > 0 {
		cost = strings.Join(costs, " and ") + " may be double"
	}
	return fmt.Sprintf("%s may be in the ledger twice, and %s (report conflicts).", machines, cost)
}
