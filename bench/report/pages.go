package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"gpuledger/internal/store"
	"gpuledger/metrics"
)

// pageQueries are the pages' queries on datasets other than costs: the first rows of their tables, in their default
// order, and their shorter tables.
var pageQueries = []metrics.PageQuery{
	{Name: "training", Dataset: "runs", Options: metrics.Options{Order: "-effective_cost", Limit: "40"}},
	{Name: "newest runs", Dataset: "runs", Options: metrics.Options{Order: "-started_at", Limit: "40"}},
	{Name: "a run", Dataset: "runs", Options: metrics.Options{Filter: "run_id = 'prod-0/team-4/PyTorchJob/run-19804'"}},
	{
		Name: "its attempts", Dataset: "attempts",
		Options: metrics.Options{Filter: "run_id = 'prod-0/team-4/PyTorchJob/run-19804'"},
	},
	{Name: "attempts", Dataset: "attempts", Options: metrics.Options{Order: "-effective_cost", Limit: "40"}},
	{Name: "pipelines", Dataset: "groups", Options: metrics.Options{Order: "-effective_cost", Limit: "40"}},
	{Name: "experiments", Dataset: "experiments", Options: metrics.Options{Order: "-effective_cost", Limit: "40"}},
	{Name: "models", Dataset: "models", Options: metrics.Options{Order: "-effective_cost", Limit: "40"}},
	{
		Name: "inference", Dataset: "inference",
		Options: metrics.Options{GroupBy: "service", Order: "-effective_cost", Limit: "40"},
	},
	{Name: "queue", Dataset: "queue", Options: metrics.Options{Order: "-wait_p95_seconds", Limit: "40"}},
	{Name: "queue by team", Dataset: "queue", Options: metrics.Options{GroupBy: "team", Limit: "40"}},
	{Name: "devices", Dataset: "devices", Options: metrics.Options{Order: "-effective_cost", Limit: "40"}},
	{Name: "models of GPU", Dataset: "devices", Options: metrics.Options{GroupBy: "gpu_model"}},
	{Name: "devices by unit", Dataset: "devices", Options: metrics.Options{GroupBy: "business_unit"}},
	{
		Name: "spot by zone", Dataset: "spot",
		Options: metrics.Options{Filter: "group_key = zone", Order: "-interruption_rate"},
	},
	{Name: "spot by hour", Dataset: "spot", Options: metrics.Options{Filter: "group_key = hour", Order: "group_value"}},
	{Name: "interruptions", Dataset: "interruptions", Options: metrics.Options{Order: "-at", Limit: "40"}},
	{Name: "commitments", Dataset: "commitments", Options: metrics.Options{Order: "-unused_cost", Limit: "40"}},
	{Name: "demand", Dataset: "commitment_demand", Options: metrics.Options{Limit: "40"}},
	{Name: "findings by kind", Dataset: "waste", Options: metrics.Options{GroupBy: "kind", Order: "-idle_cost"}},
	{
		Name: "findings", Dataset: "waste",
		Options: metrics.Options{Filter: "overlaps = false", Order: "-idle_cost", Limit: "40"},
	},
	{
		Name: "hours of a week", Dataset: "idle_hours",
		Options: metrics.Options{GroupBy: "hour_of_week", Order: "-free_gpu_hours", Limit: "40"},
	},
	{Name: "owner coverage", Dataset: "owner_coverage", Options: metrics.Options{Limit: "40"}},
}

// pages runs the queries with a text in their names one after another over the year and over its last month, and counts
// the rows read. No other query runs meanwhile.
func pages(ctx context.Context, s *store.Store, named string) error {
	fmt.Printf("%-16s %7s %9s %9s %9s %9s\n", "pages", "rows", "roll-ups", "others", "year", "month")
	for _, p := range pageQueries {
		if !strings.Contains(p.Name, named) {
			continue
		}
		var took [2]time.Duration
		var rows [2][]string
		var year metrics.Query
		for i, from := range []time.Time{yearFrom, yearTo.AddDate(0, -1, 0)} {
			q, err := p.Over(from.Format(time.DateOnly), yearTo.Format(time.DateOnly))
			if err != nil {
				return fmt.Errorf("%s: %w", p.Name, err)
			}
			if i == 0 {
				year = q
			}
			if rows[i], took[i], err = median(ctx, s, q); err != nil {
				return fmt.Errorf("%s: %w", p.Name, err)
			}
		}
		rolled, others, err := reads(ctx, s, year)
		if err != nil {
			return fmt.Errorf("%s: %w", p.Name, err)
		}
		note := ""
		if max(took[0], took[1]) > longest {
			note = "  beyond the bound"
		}
		fmt.Printf("%-16s %7d %9d %9d %9s %9s%s\n", p.Name, len(rows[0]), rolled, others, took[0].Round(time.Millisecond),
			took[1].Round(time.Millisecond), note)
	}
	return nil
}

// longest is how long a page may wait for any of its queries.
const longest = 300 * time.Millisecond

// median runs a query three times, or once if it is slow.
func median(ctx context.Context, s *store.Store, q metrics.Query) (rows []string, took time.Duration, err error) {
	var times []time.Duration
	for range 3 {
		began := time.Now()
		if rows, err = answer(ctx, s.Query, q); err != nil {
			return nil, 0, err
		}
		if times = append(times, time.Since(began)); times[0] > 10*longest {
			break
		}
	}
	slices.Sort(times)
	return rows, times[len(times)/2], nil
}
