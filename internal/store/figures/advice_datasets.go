package figures

import (
	"context"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/metrics/advice"
)

// eachRow answers a report and calls f with every row, by column. Advice reads reports so that its numbers match
// those that users see.
func (s *Figures) eachRow(
	ctx context.Context, dataset string, o metrics.Options, window period.Interval, f func(map[string]metrics.Value) error,
) error {
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

// CardPools lists, by cluster and model, MIG cards that a better layout would release, with their daily cost.
func (s *Figures) CardPools(ctx context.Context, window period.Interval) ([]advice.Cards, error) {
	type pool struct{ cluster, model string }
	type shown struct {
		cut             map[string]int
		cards, released int64
	}
	pools := map[pool]*shown{}
	err := s.eachRow(ctx, "better_layouts", metrics.Options{}, window, func(row map[string]metrics.Value) error {
		p := pool{row["cluster"].Text, row["gpu_model"].Text}
		if pools[p] == nil {
			pools[p] = &shown{cut: map[string]int{}}
		}
		pools[p].cards++
		if proposed := row["proposed_profiles"]; proposed.Valid {
			pools[p].cut[proposed.Text]++
		} else {
			pools[p].released++
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var list []advice.Cards
	err = s.eachRow(ctx, "packing", metrics.Options{Granularity: "day", Order: "cluster,gpu_model,currency,period_start"},
		window, func(row map[string]metrics.Value) error {
			p := pool{row["cluster"].Text, row["gpu_model"].Text}
			cost, err := amountOf(row["effective_cost"])
			if err != nil || cost == nil || pools[p] == nil {
				return err
			}
			of := pools[p]
			currency := row["currency"].Text
			if n := len(list); n == 0 || list[n-1].Cluster != p.cluster || list[n-1].GPUModel != p.model ||
				list[n-1].Currency != currency {
				list = append(list, advice.Cards{
					Cluster: p.cluster, GPUModel: p.model, Window: window, Used: of.cards,
					Fewest: of.cards - of.released, Exact: true, Cut: of.cut, Currency: currency,
				})
			}
			c := &list[len(list)-1]
			c.Exact = c.Exact && row["exact"].Text == "yes"
			c.State = max(c.State, ledger.State(row["state"].Text))
			c.Days = append(c.Days, advice.CardDay{
				Day: period.FromTime(row["period_start"].Time), Cards: row["card_days"].Int, Cost: *cost,
			})
			return nil
		})
	return list, err
}
