package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"gpuledger/internal/store"
	"gpuledger/metrics"
)

// prices states the price sources of all figures, and how to get real prices.
func (c *doctorCmd) prices(a *app, s *store.Store, say report) error {
	of, err := metrics.ReadStanding(a.ctx, s, metrics.Options{})
	text := of.Sentence()
	if err != nil || text == "" {
		return err
	}
	say(hintUnless(!of.Guessed()), "prices", "%s", text)
	names, err := unpriced(a.ctx, s, of)
	if err == nil && names != "" {
		say(hint, "prices", "%s", names)
	}
	return err
}

// shownMachines is how many machines a line names.
const shownMachines = 10

// unpriced names the machines with GPU-hours but no cost, and how to give them one;
// empty if every machine has a cost.
func unpriced(ctx context.Context, s *store.Store, of metrics.Standing) (string, error) {
	if of.Unbilled[metrics.PriceUnknown].Sign() <= 0 {
		return "", nil
	}
	clusters, err := unpricedClusters(ctx, s)
	if err != nil {
		return "", err
	}
	q, err := metrics.Parse("costs", metrics.Options{GroupBy: "cluster,node", Order: "cluster,node"})
	if err != nil {
		return "", err
	}
	q.Only = []string{"cluster", "node", "effective_cost", "capacity_gpu_hours"}
	rows, err := s.Query(ctx, q)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	at := map[string]int{}
	for i, col := range rows.Columns() {
		at[col.Name] = i
	}
	var names []string
	for rows.Next() {
		v := rows.Values()
		if hours := v[at["capacity_gpu_hours"]]; clusters[v[at["cluster"]].Text] && hours.Valid && hours.Text != "0" &&
			!v[at["effective_cost"]].Valid && v[at["node"]].Valid {
			names = append(names, fmt.Sprintf("%s (cluster %s)", v[at["node"]].Text, v[at["cluster"]].Text))
		}
	}
	if err := rows.Err(); err != nil || len(names) == 0 {
		return "", err
	}
	more := ""
	if n := len(names) - shownMachines; n > 0 {
		names, more = names[:shownMachines], fmt.Sprintf(" and %d more", n)
	}
	return fmt.Sprintf("without any price: %s%s. No bill names these machines, and their type is unknown: import "+
		"their bill, or a price book that names them (docs/connect/price-book.md)",
		strings.Join(names, ", "), more), nil
}

// unpricedClusters are the clusters with hours whose price is unknown. Hours that a bill may
// still cover have a price, but no total includes it.
func unpricedClusters(ctx context.Context, s *store.Store) (map[string]bool, error) {
	q, err := metrics.Parse("provisional_prices", metrics.Options{Filter: "price_source = '" + metrics.PriceUnknown + "'"})
	if err != nil {
		return nil, err
	}
	rows, err := s.Query(ctx, q)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	at := slices.IndexFunc(rows.Columns(), func(c metrics.Column) bool { return c.Name == "cluster" })
	found := map[string]bool{}
	for rows.Next() {
		found[rows.Values()[at].Text] = true
	}
	return found, rows.Err()
}
