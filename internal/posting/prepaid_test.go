package posting_test

import (
	"testing"

	"gpuledger/internal/fleetsim"
	"gpuledger/internal/period"
	"gpuledger/test/tier"
	"gpuledger/test/truth"
)

// TestBlocksAgreeWithTheTruth: a capacity block is prepaid. An hour of its machine costs its share of that fee, both
// before a bill has a line for the hour and after (rules 8.12 and 8.15 b). Both ledgers equal the truth.
func TestBlocksAgreeWithTheTruth(t *testing.T) {
	t.Parallel()
	tier.OnlyInFull(t, "a fleet more takes minutes")
	cfg := fleetsim.Preset(fleetsim.Small)
	cfg.Commitments, cfg.EDPPercent = true, 12
	w := simulate(t, cfg)
	cfg.BillLagHours = 2
	later := simulate(t, cfg)
	at := func(day int64) *period.Second { return new(period.Second(cfg.Start.Unix() + day*86400)) }
	w.load("openmetrics", w.files.Telemetry...)
	w.load("spot-events", w.files.Events...)
	w.load("price-book", w.files.PriceBook)
	w.loadDelivered(at(3), w.files.AWSCUR...)
	w.allocate()
	report(t, differences(w.postings(), truePostings(truth.Of(w.fleet))))
	before, unbilled := w.blockHours()

	later.dsn, later.store = w.dsn, w.store // its bill arrives, too
	later.loadDelivered(at(4), later.files.AWSCUR...)
	later.allocate()
	report(t, differences(later.postings(), truePostings(truth.Of(later.fleet))))
	after, left := later.blockHours()
	equal(t, "cost of the block's machine by hour", before, after)
	if unbilled < 10 || left >= unbilled {
		t.Errorf("%d hours without a bill, later %d: the test says nothing", unbilled, left)
	}
}

// blockHours is the cost of the block's machine by hour, and in how many hours it is provisional.
func (w *world) blockHours() (cost []string, provisional int) {
	w.t.Helper()
	of := ` from postings p join parts b using (tenant_id, hour, part_id) join nodes n on n.tenant_id = p.tenant_id and n.node_id = p.node_id
		where n.instance_type = 'p4de.24xlarge' and b.kind in ('compute', 'provisional')`
	cost = w.rows("select p.hour, sum(p.effective_cost), sum(p.billed_cost)" + of + " group by p.hour")
	return cost, len(w.rows("select distinct p.hour" + of + " and b.kind = 'provisional'"))
}
