package minutes

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

const firstHour period.Second = 1_790_000_000 - 1_790_000_000%3600

// counterOf makes hours of minute values; −1 is a gap.
func counterOf(values ...int64) []CounterHour {
	var out []CounterHour
	for i, v := range values {
		if i%60 == 0 {
			out = append(out, CounterHour{Hour: firstHour + period.Second(i/60)*period.Hour, Values: new(ledger.Minutes)})
		}
		if v >= 0 {
			Set(out[len(out)-1].Values, i%60, 0, v)
		}
	}
	return out
}

func minutesFrom(from, to int) period.Interval {
	return period.Interval{From: firstHour + period.Second(from)*60, To: firstHour + period.Second(to)*60}
}

func TestIncrease(t *testing.T) {
	started := func(hours []CounterHour, minute int, at period.Second) []CounterHour {
		hours[0].Starts = new(ledger.Minutes)
		for m := minute; m < 60; m++ {
			Set(hours[0].Starts, m, 0, int64(at)*1000)
		}
		return hours
	}
	for name, c := range map[string]struct {
		hours  []CounterHour
		window period.Interval
		limit  int64
		want   Growth
	}{
		"rises": {
			counterOf(10, 15, 15, 40), minutesFrom(0, 4), 0, Growth{Total: 30, Steps: 3, Known: 4},
		},
		"T07 a fall is a reset": {
			counterOf(10, 15, 3, 4), minutesFrom(0, 4), 0, Growth{Total: 9, Steps: 3, Resets: 1, Known: 4},
		},
		"T07 a fall to nothing": {
			counterOf(10, 0, 0), minutesFrom(0, 3), 0, Growth{Total: 0, Steps: 2, Resets: 1, Known: 3},
		},
		"the first sample is no step": {counterOf(1000), minutesFrom(0, 1), 0, Growth{Known: 1}},
		"a base before the window":    {counterOf(10, 15, 22), minutesFrom(2, 3), 0, Growth{Total: 7, Steps: 1, Known: 1}},
		"nothing after the window":    {counterOf(10, 15, 22), minutesFrom(0, 2), 0, Growth{Total: 5, Steps: 1, Known: 2}},
		"a gap is one step": {
			counterOf(10, -1, -1, 100), minutesFrom(0, 4), 0, Growth{Total: 90, Steps: 1, Known: 2},
		},
		"too fast is dropped": {
			counterOf(0, 6000, 6060), minutesFrom(0, 3), 10, Growth{Total: 60, Steps: 1, Impossible: 1, Known: 3},
		},
		"as fast as can be": {counterOf(0, 600), minutesFrom(0, 2), 10, Growth{Total: 600, Steps: 1, Known: 2}},
		"began inside the window": {
			started(counterOf(-1, 500, 600), 1, firstHour+30), minutesFrom(0, 3), 0, Growth{Total: 600, Steps: 2, Known: 2},
		},
		"began before the window": {
			started(counterOf(-1, 500, 600), 1, firstHour-30), minutesFrom(0, 3), 0, Growth{Total: 100, Steps: 1, Known: 2},
		},
		"began anew and passed its old": {
			started(counterOf(5, 50), 1, firstHour+30), minutesFrom(0, 2), 0, Growth{Total: 50, Steps: 1, Resets: 1, Known: 2},
		},
		"a start after the sample": {
			started(counterOf(5, 50), 0, firstHour+600), minutesFrom(0, 2), 0, Growth{Total: 45, Steps: 1, Known: 2},
		},
		"beyond 63 bits": {
			counterOf(0, math.MaxInt64, 0, 5), minutesFrom(0, 4), 0,
			Growth{Total: math.MaxInt64, Steps: 2, Resets: 1, Impossible: 1, Known: 4},
		},
	} {
		t.Run(name, func(t *testing.T) {
			if d := cmp.Diff(c.want, Increase(c.hours, c.window, c.limit, nil)); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestIncreaseOverTheTurnOfAnHour(t *testing.T) {
	values := make([]int64, 121)
	for i := range values {
		values[i] = int64(i * 7)
	}
	var last Step
	g := Increase(counterOf(values...), minutesFrom(0, 121), 0, func(s Step) { last = s })
	if g.Total != 840 || g.Steps != 120 || last.From != int64(firstHour+7140)*1000 ||
		last.To != int64(firstHour+7200)*1000 || last.By != 7 {
		t.Errorf("%+v, last %+v", g, last)
	}
}

// Windows that follow each other add up, no step is negative, and hours in the
// wrong order or twice count nothing twice.
func TestIncreaseAddsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Int64Range(-1, 50), 1, 150).Draw(t, "values")
		hours := counterOf(values...)
		n := len(values)
		cut := rapid.IntRange(0, n).Draw(t, "cut")
		limit := rapid.Int64Range(0, 1).Draw(t, "limit")
		visit := func(s Step) {
			if s.By < 0 || s.To <= s.From {
				t.Fatalf("%+v", s)
			}
		}
		whole := Increase(hours, minutesFrom(0, n), limit, visit)
		a, b := Increase(hours, minutesFrom(0, cut), limit, visit), Increase(hours, minutesFrom(cut, n), limit, visit)
		a = Growth{a.Total + b.Total, a.Steps + b.Steps, a.Resets + b.Resets, a.Impossible + b.Impossible, a.Known + b.Known}
		if a != whole {
			t.Fatalf("%+v in parts, %+v in one", a, whole)
		}
		twice := append(append([]CounterHour{}, hours...), hours...)
		if got := Increase(twice, minutesFrom(0, n), limit, visit); got.Total != whole.Total || got.Steps != whole.Steps {
			t.Fatalf("%+v twice, %+v once", got, whole)
		}
	})
}
