package report_test

import (
	"testing"

	"gpuledger/internal/store/pg"
	"gpuledger/test/storetest"
)

func TestCheckpointInterval(t *testing.T) {
	s := storetest.New(t)
	for _, c := range []struct{ cost, between, young, daly int64 }{
		{60, 86400, 3219, 3180}, // √10368000 = 3219.937…; · (1 + 60/1555200) − 40 = 3180.06…
		{60, 3600, 657, 617},    // 657.267; · 1.000926 − 40 = 617.87…
		{60, 4050, 697, 657},
		{61, 4050, 702, 662},
		{300, 900, 734, 548}, // 9.1 minutes, which the paper (its figure 5) reports for δ = 5 min and M = 15 min
		{60, 120, 120, 83},   // 120 · (1 + 60/2160) − 40 = 83.33
		{600, 1000, 1095, 731},
		{199, 100, 199, 88}, // just below 2 M: 199.499 · (1 + 199/1800) − 132.667 = 88.88
		{200, 100, 200, 100},
		{1, 1 << 40, 1482910, 1482909},
		{60, 0, 0, 0}, // no advice
	} {
		var young, daly int64
		err := s.Pool.QueryRow(t.Context(),
			"select coalesce(k.young, 0), coalesce(k.daly, 0) from (select $1::bigint as checkpoint_seconds, $2::numeric as "+
				"between_seconds) b left join lateral (\n"+
				pg.Statement("report.checkpoint_interval")+"\n) k on true", c.cost, c.between).Scan(&young, &daly)
		if err != nil || young != c.young || daly != c.daly {
			t.Errorf("C = %d, M = %d: %d, %d, %v, want %+v", c.cost, c.between, young, daly, err, c)
		}
	}
}
