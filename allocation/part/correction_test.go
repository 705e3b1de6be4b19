package part

import (
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// Seconds net out like money, and no shape of a correction adds time to a machine
// that other lines bill.
func TestCorrectionsAddNoHours(t *testing.T) {
	node := &ledger.Node{ID: ledger.NewID("node", "n"), GPUs: 8}
	hour := period.Interval{From: 3600, To: 7200}
	month := period.Interval{From: 0, To: 30 * period.Day}
	for name, c := range map[string]struct {
		lines []ledger.Charge
		want  []int64
	}{
		"reversal and re-bill": {
			[]ledger.Charge{timed("", hour, 3600), timed(correction, hour, -3600), timed(correction, hour, 3600)},
			[]int64{3600, -3600, 3600},
		},
		"reversal without a class": {
			[]ledger.Charge{timed("", hour, 3600), timed("", hour, -3600), timed("", hour, 3600)}, []int64{3600, -3600, 3600},
		},
		"a part taken back": {
			[]ledger.Charge{timed("", hour, 3600), timed(correction, hour, -900)}, []int64{3600, -900},
		},
		"billed again without reversal": {
			[]ledger.Charge{timed("", hour, 3600), timed(correction, hour, 3600)}, []int64{3600, 0},
		},
		"over a whole month": {
			[]ledger.Charge{timed("", hour, 3600), timed(correction, month, 3600)}, []int64{3600, 0},
		},
		"billed again twice": {
			[]ledger.Charge{
				timed("", hour, 3600), timed(correction, hour, -3600), timed(correction, hour, 3600), timed(correction, hour, 3600),
			}, []int64{3600, -3600, 3600, 0},
		},
		"the second is of a part": {
			[]ledger.Charge{
				timed("", hour, 3600), timed(correction, hour, -3600), timed(correction, hour, 2400), timed(correction, hour, 2400),
			}, []int64{3600, -3600, 2400, 1200},
		},
		"of a line of another month": {
			[]ledger.Charge{timed(correction, hour, -3600), timed(correction, hour, 3600), timed(correction, hour, 3600)},
			[]int64{-3600, 3600, 0},
		},
		"no other line": {[]ledger.Charge{timed(correction, hour, 1800)}, []int64{1800}},
		"no other line, twice": {
			[]ledger.Charge{timed(correction, hour, 3600), timed(correction, hour, 3600)}, []int64{3600, 0},
		},
		"in GPU-hours": {
			[]ledger.Charge{
				gpuTime("", hour, "8"), gpuTime(correction, hour, "-8"),
				gpuTime(correction, hour, "8"), gpuTime(correction, hour, "8"),
			}, []int64{3600, -3600, 3600, 0},
		},
		"in GPU-hours, no reversal": {
			[]ledger.Charge{gpuTime("", hour, "8"), gpuTime(correction, hour, "8")}, []int64{3600, 0},
		},
	} {
		cutter := New(&Fleet{}, nil)
		for i := range c.lines {
			c.lines[i].ID = ledger.ID{byte(i)}
			cutter.observeTime(&c.lines[i], target{node: node})
		}
		cutter.corrected.finish()
		for i := range c.lines {
			seconds, said := timeOf(&c.lines[i], target{node: node})
			if got := cutter.corrected.ownTime(&c.lines[i], target{node: node}, seconds); !said || got != c.want[i] {
				t.Errorf("%s: line %d bills %d seconds, want %d", name, i+1, got, c.want[i])
			}
		}
	}
}

func timed(class string, during period.Interval, seconds int64) ledger.Charge {
	return ledger.Charge{
		Kind: ledger.LineUsage, Class: class, Period: during, InstanceHours: true,
		InstanceSeconds: &seconds, Costs: ledger.Costs{Billed: &money.Amount{}},
	}
}

func gpuTime(class string, during period.Interval, hours string) ledger.Charge {
	c := timed(class, during, 0)
	amount := money.MustParse(hours)
	c.InstanceSeconds, c.UsageAmount, c.UsageUnit = nil, &amount, "GPU-Hours"
	return c
}
