package main

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"time"

	"gpuledger/internal/localpg"
	"gpuledger/internal/period"
	"gpuledger/internal/store"
)

//go:embed sql/replicas.sql
var replicasSQL string

//go:embed sql/serving.sql
var servingSQL string

// fillServing makes what 300 services of four replicas served on the days of
// the year, where it is not there yet.
func fillServing(ctx context.Context, server *localpg.Server, s *store.Store) error {
	next, err := oneTime(ctx, server, "select coalesce(max(at) + interval '24 hours', $1) from serving_services where span = 'day'", yearFrom)
	if err != nil || !next.Before(yearTo) {
		return err
	}
	if err := run(ctx, server, "year", replicasSQL); err != nil {
		return err
	}
	began := time.Now()
	for day := next; day.Before(yearTo); day = day.AddDate(0, 0, 1) {
		if err := s.StageServing(ctx, period.FromTime(day), servingSQL, day); err != nil {
			return err
		}
	}
	if _, err := s.SaveServingMonths(ctx); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "what was served was made in %s\n", time.Since(began).Round(time.Second))
	return run(ctx, server, "year", "vacuum analyze")
}
