package report

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/jackc/pgx/v5"

	"gpuledger/metrics"
)

// Reads runs a report under EXPLAIN ANALYZE and returns how many rows of each table the server read, including rows
// that it filtered out.
func (s *Reports) Reads(ctx context.Context, q metrics.Query) (reads map[string]int64, err error) {
	err = s.Read(ctx, "reads of "+q.Dataset.Name, func(tx pgx.Tx) error {
		plan, err := planned(ctx, tx, q)
		if err != nil {
			return err
		}
		reads, err = readRows(ctx, tx, q, plan)
		return err
	})
	return reads, err
}

func readRows(ctx context.Context, tx pgx.Tx, q metrics.Query, plan *RollupPlan) (map[string]int64, error) {
	text, args := compile(ctx, q, plan)
	var out []byte
	if err := tx.QueryRow(ctx, "explain (analyze, timing off, format json) "+text, args...).Scan(&out); err != nil {
		return nil, err
	}
	var top []struct{ Plan planNode }
	if err := json.Unmarshal(out, &top); err != nil {
		return nil, fmt.Errorf("plan of the server: %w", err)
	}
	reads := map[string]int64{}
	for _, t := range top {
		t.Plan.count(reads)
	}
	return reads, nil
}

// planNode is what EXPLAIN says of a node; rows are per loop.
type planNode struct {
	Relation string      `json:"Relation Name"`
	Rows     json.Number `json:"Actual Rows"`
	Loops    json.Number `json:"Actual Loops"`
	Filtered json.Number `json:"Rows Removed by Filter"`
	Rechecks json.Number `json:"Rows Removed by Index Recheck"`
	Plans    []planNode
}

func (n planNode) count(reads map[string]int64) {
	whole := func(v json.Number) int64 {
		f, err := v.Float64() // the server gives the average per loop
		if err != nil {
			return 0 // this node has no such number
		}
		return int64(f + 0.5)
	}
	if n.Relation != "" {
		reads[n.Relation] += (whole(n.Rows) + whole(n.Filtered) + whole(n.Rechecks)) * whole(n.Loops)
	}
	for _, p := range n.Plans {
		p.count(reads)
	}
}
