package store

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/metrics/advice"
)

// eachRow answers a report and calls f with every row, by column: what advice
// takes from figures is what people see.
func (s *Store) eachRow(ctx context.Context, dataset string, o metrics.Options, window period.Interval, f func(map[string]metrics.Value) error) error {
	q, err := metrics.Parse(dataset, o)
	if err != nil {
		return err
	}
	q.Window = window
	rows, err := s.Query(ctx, q)
	if err != nil {
		return err
	}
	defer rows.Close()
	row := map[string]metrics.Value{}
	for rows.Next() {
		for i, v := range rows.Values() {
			row[rows.Columns()[i].Name] = v
		}
		if err := f(row); err != nil {
			return err
		}
	}
	return rows.Err()
}

// CardPools lists MIG cards by cluster and model, with the fewest that would
// have held what was held.
func (s *Store) CardPools(ctx context.Context, window period.Interval) ([]advice.Cards, error) {
	type pool struct{ cluster, model string }
	cut, newest := map[pool]map[string]int{}, map[pool]time.Time{}
	err := s.eachRow(ctx, "better_layouts", metrics.Options{}, window, func(row map[string]metrics.Value) error {
		p := pool{row["cluster"].Text, row["gpu_model"].Text}
		if day := row["day"].Time; cut[p] == nil || day.After(newest[p]) {
			cut[p], newest[p] = map[string]int{}, day
		}
		if proposed := row["proposed_profiles"]; proposed.Valid {
			cut[p][proposed.Text]++
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var list []advice.Cards
	err = s.eachRow(ctx, "packing", metrics.Options{}, window, func(row map[string]metrics.Value) error {
		p := pool{row["cluster"].Text, row["gpu_model"].Text}
		c := advice.Cards{Cluster: p.cluster, GPUModel: p.model, Window: window, Used: row["cards"].Int, Fewest: row["fewest_cards"].Int, Exact: row["exact"].Text == "yes",
			Currency: row["currency"].Text, State: ledger.State(row["state"].Text)}
		if !row["fewest_cards"].Valid || !row["saving"].Valid || !row["effective_cost"].Valid {
			return nil
		}
		var err error
		if c.Cost, err = money.Parse(row["effective_cost"].Text); err != nil {
			return err
		}
		if c.Saving, err = money.Parse(row["saving"].Text); err != nil {
			return err
		}
		var layouts []string
		for _, l := range slices.Sorted(maps.Keys(cut[p])) {
			layouts = append(layouts, fmt.Sprintf("%d × %s", cut[p][l], l))
		}
		c.Layouts = strings.Join(layouts, ", ")
		list = append(list, c)
		return nil
	})
	return list, err
}
