package posting_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gpuledger/ingest"
	"gpuledger/internal/fleetsim"
	"gpuledger/test/tier"
)

// TestAMonthOfTheDemoIsClosed does the work of a finance team: idle and shared cost are passed on, the month is
// closed on all bills, then a restated bill, a refund and late telemetry arrive.
func TestAMonthOfTheDemoIsClosed(t *testing.T) {
	t.Parallel()
	tier.OnlyInFull(t, "B01 to B09 ask the same, one by one")
	cfg := fleetsim.Preset(fleetsim.Small).Everywhere()
	cfg.Start = cfg.Start.AddDate(0, 0, -2)
	w := simulate(t, cfg)
	w.loadFolder()
	const document = `version: passes-on
redistribute:
  - {causes: [free, stranded, unavailable], method: held}
  - {causes: [shared, commitment_unused, commitment_fee, non_gpu], method: even}
commitments: spread
`
	if _, _, err := w.store.SavePolicy(t.Context(), []byte(document), "finance"); err != nil {
		t.Fatal(err)
	}
	w.allocate()
	list := w.closeAll()
	closed := w.closedText()
	w.allocate()
	w.mustVerify("closed")

	later := filepath.Join(t.TempDir(), "later")
	if _, err := w.fleet.WriteLater(later); err != nil {
		t.Fatal(err)
	}
	w.take(ingest.Request{Source: ingest.SourceAuto}, []string{mustRel(t, w.dir, later)})
	w.allocate()
	w.mustVerify("restated")
	w.sameBytes(list)
	if again := w.closedText(); !slices.Equal(closed, again) {
		t.Error("what was closed has changed")
	}
	if late := w.rows("select sum(late_rows) > 0 from frozen_hours"); late[0] != "(t)" {
		t.Error("late telemetry was not counted")
	}
	rows := w.rows(`select kind, count(*) filter (where adjusts is not null) > 0, bool_and(billing_period > '2026-10'),
		bool_and(hour < '2026-11-01'), sum(effective_cost) < 0
		from postings where kind = 'adjustment' group by kind`)
	if strings.Join(rows, "") != "(adjustment,t,t,t,t)" {
		t.Errorf("adjustments: %v", rows)
	}
	// Every reversal names the part that it reverses, and every replacement the part that it replaces.
	if loose := w.rows(`select p.posting_id from postings p join parts b on b.hour = p.hour and b.part_id = p.part_id
		where p.kind = 'adjustment' and (b.reverses is not null or b.replaces is not null) and p.adjusts is null`); len(loose) != 0 {
		t.Errorf("%d adjustments of earlier lines name no original", len(loose))
	}
}

func mustRel(t *testing.T, base, target string) string {
	t.Helper()
	rel, err := filepath.Rel(base, target)
	if err != nil {
		t.Fatal(err)
	}
	return rel
}
