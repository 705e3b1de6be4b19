package main

import (
	"context"
	"fmt"
	"strings"

	"gpuledger/internal/store"
	"gpuledger/metrics"
)

// prices says at which prices all figures stand, and how to get real ones.
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

// unpriced names the machines that have GPU-hours and no cost at all, and says how they
// get one; empty where there are none.
func unpriced(ctx context.Context, s *store.Store, of metrics.Standing) (string, error) {
	if of.Unbilled[metrics.PriceUnknown].Sign() <= 0 {
		return "", nil
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
		if hours := v[at["capacity_gpu_hours"]]; hours.Valid && hours.Text != "0" && !v[at["effective_cost"]].Valid && v[at["node"]].Valid {
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
	return fmt.Sprintf("without any price: %s%s. No bill names them, and their type is unknown: import their bill, or a price book that names them (docs/price-book.md)",
		strings.Join(names, ", "), more), nil
}
