package timeline

import (
	"fmt"
	"strings"
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// told is an hour of a MIG instance: "ABBA" has a letter per quarter, which begins at memory slice A = 0, B = 1 …; "-"
// shows the instance without a position, "." shows nothing.
func told(id int32, hour period.Second, quarters string) *ledger.SampleHour {
	var seen, start ledger.Minutes
	for q, letter := range quarters {
		for m := q * 15; m < q*15+15; m++ {
			if letter != '.' {
				seen.Known |= 1 << m
				seen.Value[m] = 1
			}
			if letter >= 'A' && m%5 == 2 { // not every minute has it
				start.Known |= 1 << m
				start.Value[m] = int64(letter - 'A')
			}
		}
	}
	r := &ledger.SampleHour{
		Device: "G", SliceID: id, Profile: "1g.5gb", Hour: hour,
		Vectors: map[ledger.Signal]ledger.Minutes{ledger.SignalSeen: seen},
	}
	if start.Known != 0 {
		r.Vectors[ledger.SignalMIGStart] = start
	}
	return r
}

func TestPlacesOfInstances(t *testing.T) {
	const h = period.Hour
	for name, c := range map[string]struct {
		inside, before, after []*ledger.SampleHour
		want                  string
	}{
		"nothing tells it":                 {inside: []*ledger.SampleHour{told(1, h, "----")}, want: "0-120 1 ?"},
		"one row tells it for the stretch": {inside: []*ledger.SampleHour{told(1, h, "--D-")}, want: "0-120 1 [3]"},
		"one of two is not known": {
			inside: []*ledger.SampleHour{told(1, h, "DDDD"), told(2, h, "----")}, want: "0-120 1,2 ?",
		},
		"each by a row of its own": {
			inside: []*ledger.SampleHour{told(1, h, "D---"), told(2, h, "---A")}, want: "0-120 1,2 [3 0]",
		},
		"made anew under the same id": {
			inside: []*ledger.SampleHour{told(1, h, "DDBB")}, want: "0-92 1 [3]; 92-120 1 [1]",
		},
		"one of two moves": {
			inside: []*ledger.SampleHour{told(1, h, "DDBB"), told(2, h, "-A--")}, want: "0-92 1,2 [3 0]; 92-120 1,2 [1 0]",
		},
		"another layout in between": {
			inside: []*ledger.SampleHour{told(1, h, "D--B"), told(2, h, ".--.")},
			want:   "0-75 1 [3]; 75-105 1,2 ?; 105-120 1 [1]",
		},
		"a stretch is not told by another": {
			inside: []*ledger.SampleHour{told(1, h, "D---"), told(2, h, ".CC.")}, want: "0-75 1 [3]; 75-105 1,2 ?; 105-120 1 ?",
		},
		"known from before": {
			inside: []*ledger.SampleHour{told(1, h, "----")},
			before: []*ledger.SampleHour{told(1, -5*h, "AAAD")}, want: "0-120 1 [3]",
		},
		"the layout before was another one": {
			inside: []*ledger.SampleHour{told(1, h, "----")},
			before: []*ledger.SampleHour{told(2, -5*h, "AAAD")}, want: "0-60 2 [3]; 60-120 1 ?",
		},
		"told since": {
			inside: []*ledger.SampleHour{told(1, h, "--E-")},
			before: []*ledger.SampleHour{told(1, -5*h, "AAAD")}, want: "0-120 1 [4]",
		},
		"only after it": {
			inside: []*ledger.SampleHour{told(1, h, "----")},
			after:  []*ledger.SampleHour{told(1, 9*h, "CAAA")}, want: "0-120 1 [2]",
		},
		"nothing inside": {before: []*ledger.SampleHour{told(1, -5*h, "DDDD")}, want: "0-120 1 [3]"},
	} {
		t.Run(name, func(t *testing.T) {
			g := NewGrid(period.Interval{From: 0, To: 2 * h})
			s := NewSlot(nil, g, Rows{Inside: c.inside, Before: c.before, After: c.after}, []ledger.Device{{UUID: "G"}},
				g.Window())
			var got []string
			for _, l := range s.Layouts {
				var ids []string
				for _, i := range l.Instances {
					ids = append(ids, fmt.Sprint(i.ID))
				}
				starts := "?"
				if l.Starts != nil {
					starts = fmt.Sprint(l.Starts)
				}
				got = append(got, fmt.Sprintf("%d-%d %s %s", l.From/60, l.To/60, strings.Join(ids, ","), starts))
			}
			if text := strings.Join(got, "; "); text != c.want {
				t.Errorf("\n got %s\nwant %s", text, c.want)
			}
		})
	}
}
