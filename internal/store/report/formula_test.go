package report

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/metrics"
	"gpuledger/test/pgtest"
)

// SQL and Go agree on a report's rows too, for any rows and costs.
func TestWorstQualityOfAReport(t *testing.T) {
	conn, err := pgx.Connect(t.Context(), pgtest.Empty(t))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(t.Context())) }()
	c := &Compiler{}
	text := "select coalesce(" + c.formula(metrics.Formula{Op: metrics.OpWorstQuality, Field: "quality"}, metrics.Text) +
		", '') from unnest($1::text[], $2::text[]::numeric[]) f (quality, effective_abs)"
	r := rand.New(rand.NewPCG(3, 9))
	for range 300 {
		var qualities, costs []string
		sums := map[ledger.Quality]money.Amount{}
		for range r.IntN(4) {
			q := []ledger.Quality{ledger.Measured, ledger.Estimated, ledger.Assumed}[r.IntN(3)]
			cost := []string{"0", "0.99", "1", "1.01", "2", "97", "98", "99", "99.000000000001"}[r.IntN(9)]
			qualities, costs = append(qualities, string(q)), append(costs, cost)
			sums[q] = sums[q].Add(money.MustParse(cost))
		}
		var got ledger.Quality
		err := conn.QueryRow(t.Context(), text, qualities, costs).Scan(&got)
		if want := metrics.WorstQuality(sums); err != nil || got != want {
			t.Fatalf("%v %v: %q, want %q: %v", qualities, costs, got, want, err)
		}
	}
}
