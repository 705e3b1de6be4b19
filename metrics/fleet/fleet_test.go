package fleet

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/minutes"
	"gpuledger/internal/period"
)

// Time of the tests: minute 30 of an hour.
const (
	hour = period.Second(1_790_000_000 - 1_790_000_000%3600)
	now  = hour + 30*period.Minute
)

// row is the hour of a card whose last sample is ago seconds old; ppm < 0: without activity.
func row(ago period.Second, ppm int64) Row {
	return part("GPU-0", ledger.WholeDevice, "", ledger.SignalGrEngine, ago, ppm)
}

func part(device string, slice int32, profile string, signal ledger.Signal, ago period.Second, ppm int64) Row {
	at := now - ago
	r := Row{
		Cluster: "c", Node: "n", Device: device, Model: "H100", SliceID: slice, Profile: profile,
		Hour: at.Floor(period.Hour), LastAt: at, Vectors: map[ledger.Signal]ledger.Minutes{},
	}
	if ppm >= 0 {
		var v ledger.Minutes
		minutes.Set(&v, int(int64(at-r.Hour)/period.Minute), 0, ppm)
		r.Vectors[signal] = v
	}
	return r
}

func hold(name string, slice int32, ago period.Second, from Source) Hold {
	return Hold{
		Cluster: "c", Node: "n", Device: "GPU-0", Slot: -1, SliceID: slice,
		Holder: Holder{Namespace: "ns", Name: name, From: from, Seen: now - ago},
	}
}

// said is a snapshot in words: node: device state holders [slices].
func said(s *Snapshot) string {
	var b strings.Builder
	names := func(list []Holder) {
		for _, h := range list {
			fmt.Fprintf(&b, " %s(%s)", h.Name, h.From)
		}
	}
	for _, n := range s.Nodes {
		for _, d := range n.Devices {
			fmt.Fprintf(&b, "%s %s", d.UUID, d.State)
			names(d.Holders)
			for _, x := range d.Slices {
				fmt.Fprintf(&b, " [%d %s", x.ID, x.State)
				names(x.Holders)
				b.WriteString("]")
			}
			b.WriteString("\n")
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func TestStates(t *testing.T) {
	const whole = ledger.WholeDevice
	mig := func(ago period.Second, ppm ...int64) []Row {
		rows := []Row{row(ago, -1)}
		for i, v := range ppm {
			rows = append(rows, part("GPU-0", int32(i+1), "1g.10gb", ledger.SignalGrEngine, ago, v))
		}
		return rows
	}
	util := func(slice int32) Row { return part("GPU-0", slice, "", ledger.SignalGPUUtil, 0, 500_000) }
	slot := hold("job", whole, 0, FromPlacement)
	slot.Device, slot.Slot = "", 0
	otherSlot := slot
	otherSlot.Slot = 1
	for name, c := range map[string]struct {
		rows   []Row
		holds  []Hold
		placed period.Second // ago; -1: never
		want   string
	}{
		"active, held by nobody": {[]Row{row(0, 100_000)}, nil, 0, "GPU-0 active"},
		"just below":             {[]Row{row(0, 99_999)}, nil, 0, "GPU-0 free"},
		"idle": {
			[]Row{row(0, 99_999)}, []Hold{hold("a", whole, 0, FromRows)}, 0, "GPU-0 idle a(rows)",
		},
		"held, says nothing": {
			[]Row{row(0, -1)}, []Hold{hold("a", whole, 0, FromRows)}, 0, "GPU-0 unobserved a(rows)",
		},
		"free, says nothing":      {[]Row{row(0, -1)}, nil, 0, "GPU-0 free"},
		"nobody says who holds":   {[]Row{row(0, 0)}, nil, -1, "GPU-0 unobserved"},
		"placements are old":      {[]Row{row(0, 0)}, nil, HeldFor + 1, "GPU-0 unobserved"},
		"placements are just new": {[]Row{row(0, 0)}, nil, HeldFor, "GPU-0 free"},
		"just fresh": {
			[]Row{row(Fresh, 500_000), part("GPU-1", whole, "", ledger.SignalGrEngine, 0, 0)},
			nil, 0, "GPU-0 active\nGPU-1 free",
		},
		"silent": {
			[]Row{row(Fresh+1, 500_000), part("GPU-1", whole, "", ledger.SignalGrEngine, 0, 0)},
			nil, -1, "GPU-0 silent\nGPU-1 unobserved",
		},
		"silent, its machine is listed": {
			[]Row{row(Fresh+1, 500_000), part("GPU-1", whole, "", ledger.SignalGrEngine, 0, 0)},
			[]Hold{hold("a", whole, Fresh, FromRows)}, 0, "GPU-0 silent a(rows)\nGPU-1 free",
		},
		"utilisation of a card":              {[]Row{util(whole)}, nil, 0, "GPU-0 active"},
		"utilisation says nothing of slices": {[]Row{util(3)}, nil, 0, "GPU-0 free [3 free]"},
		"host is no device": {
			[]Row{row(0, 0), part("host", whole, "", ledger.SignalHostCPU, 0, 1)}, nil, 0, "GPU-0 free",
		},

		"hold just counts": {[]Row{row(0, 0)}, []Hold{hold("a", whole, HeldFor, FromRows)}, 0, "GPU-0 idle a(rows)"},
		"hold is over":     {[]Row{row(0, 0)}, []Hold{hold("a", whole, HeldFor+1, FromRows)}, 0, "GPU-0 free"},
		"best source of one": {
			[]Row{row(0, 0)}, []Hold{
				hold("a", whole, 0, FromLedger), hold("a", whole, 0, FromPlacement), hold("a", whole, 0, FromRows),
			}, 0, "GPU-0 idle a(placement)",
		},
		"two share": {
			[]Row{row(0, 0)}, []Hold{hold("b", whole, 0, FromRows), hold("a", whole, 0, FromRows)},
			0, "GPU-0 idle a(rows) b(rows)",
		},
		"by slot": {[]Row{row(0, 0)}, []Hold{slot, otherSlot}, 0, "GPU-0 idle job(placement)"},
		"slices": {
			mig(0, 900_000, 0, 0), []Hold{hold("a", 1, 0, FromRows), hold("b", 2, 0, FromRows)},
			0, "GPU-0 active [1 active a(rows)] [2 idle b(rows)] [3 free]",
		},
		"slices, none works": {mig(0, 0, 0), []Hold{hold("b", 2, 0, FromRows)}, 0, "GPU-0 idle [1 free] [2 idle b(rows)]"},
		"the card is held": {
			mig(0, 0, 0), []Hold{hold("a", whole, 0, FromPlacement)}, 0, "GPU-0 idle a(placement) [1 idle] [2 idle]",
		},
		"slice is no more": {mig(0, 0), []Hold{hold("a", 9, 0, FromRows)}, 0, "GPU-0 free [1 free]"},
		"silent slices": {
			append(mig(Fresh+1, 0), part("GPU-1", whole, "", ledger.SignalGrEngine, 0, 0)),
			nil, -1, "GPU-0 silent [1 silent]\nGPU-1 unobserved",
		},
		"older layout": {
			append(mig(Fresh+1, 0), part("GPU-0", 7, "7g.80gb", ledger.SignalGrEngine, 0, 0)), nil, 0, "GPU-0 free [7 free]",
		},
		"layout is whole again": {append(mig(2*period.Minute, 0), row(0, 0)), nil, 0, "GPU-0 free"},
	} {
		t.Run(name, func(t *testing.T) {
			// The hour before does not count as now.
			f := Facts{
				Rows: c.rows, Holds: c.holds, Placed: map[string]period.Second{}, Nodes: map[Listed]period.Second{{"c", "n"}: now},
			}
			if c.placed >= 0 {
				f.Placed["c"] = now - c.placed
			}
			s := Build(Question{Now: now, PerPage: 10}, &f)
			if got := said(&s); got != c.want {
				t.Errorf("%s\nwant %s", got, c.want)
			}
			total := 0
			for _, n := range s.ByState {
				total += n
			}
			if total != s.GPUs || s.Held > s.GPUs || len(s.Pools) != 1 || s.Pools[0].GPUs != s.GPUs {
				t.Errorf("counts do not add up: %+v", s.Counts)
			}
			// The order of facts does not matter.
			slices.Reverse(f.Rows)
			slices.Reverse(f.Holds)
			again := Build(Question{Now: now, PerPage: 10}, &f)
			if said(&again) != c.want {
				t.Errorf("in another order: %s", said(&again))
			}
		})
	}
}

// Devices that have left are not shown, as far as any source can tell.
func TestSilentDevicesLeave(t *testing.T) {
	for name, c := range map[string]struct {
		ago, placed, listed period.Second // ago; -1: never
		keep, want          bool
	}{
		"listed":                      {20 * period.Hour, 0, 0, false, true},
		"listed until lately":         {Fresh + 1, 0, HeldFor + 1, false, false},
		"never listed":                {Fresh + 1, 0, -1, false, false},
		"fresh, not listed":           {Fresh, 0, -1, false, true},
		"nobody lists, lately":        {Forget, -1, -1, false, true},
		"nobody lists, long ago":      {Forget + 1, -1, -1, false, false},
		"listing stopped, lately":     {Forget, HeldFor + 1, HeldFor + 1, false, true},
		"asked for however long gone": {20 * period.Hour, 0, -1, true, true},
	} {
		other := row(0, 0)
		other.Node, other.Device = "m", "GPU-1"
		f := Facts{
			Rows: []Row{row(c.ago, 0), other}, Placed: map[string]period.Second{},
			Nodes: map[Listed]period.Second{}, Keep: c.keep,
		}
		if c.placed >= 0 {
			f.Placed["c"] = now - c.placed
		}
		if c.listed >= 0 {
			f.Nodes[Listed{"c", "n"}] = now - c.listed
		}
		s := Build(Question{Now: now, PerPage: 10}, &f)
		if shown := strings.Contains(said(&s), "GPU-0 silent") || strings.Contains(said(&s), "GPU-0 free") ||
			strings.Contains(said(&s), "GPU-0 unobserved"); shown != c.want {
			t.Errorf("%s: shown %v: %s", name, shown, said(&s))
		}
	}
}

// Past data are shown as of their newest sample, not of the clock.
func TestPastData(t *testing.T) {
	for name, c := range map[string]struct {
		clock period.Second
		asOf  period.Second
		live  bool
	}{
		"live":               {now + 2*period.Minute, now + 2*period.Minute, true},
		"just live":          {now + LiveFor, now + LiveFor, true},
		"past":               {now + LiveFor + 1, now, false},
		"a year ago":         {now + 365*period.Day, now, false},
		"sender's clock":     {now - period.Minute, now, true},
		"without a clock":    {0, now, false},
		"clock of the epoch": {1, now, true},
	} {
		s := Build(Question{Now: c.clock, PerPage: 1}, &Facts{Rows: []Row{row(0, 700_000)}})
		if s.AsOf != c.asOf || s.Live != c.live || s.Newest != now {
			t.Errorf("%s: as of %d, live %v, newest %d", name, s.AsOf-now, s.Live, s.Newest-now)
		}
		want := "GPU-0 active"
		if c.asOf > now+Fresh {
			want = "GPU-0 silent"
		}
		if said(&s) != want {
			t.Errorf("%s: %s", name, said(&s))
		}
	}
	if s := Build(Question{Now: now}, &Facts{}); s.GPUs != 0 || s.Newest != 0 || s.Live || len(s.Nodes) != 0 ||
		s.Pages != 1 || s.Page != 1 {
		t.Errorf("an empty fleet: %+v", s)
	}
}

func TestFiltersAndPages(t *testing.T) {
	var f Facts
	for i := range 25 {
		r := row(0, int64(i%2)*900_000)
		r.Node, r.Device = fmt.Sprintf("n-%02d", i), fmt.Sprintf("GPU-%02d", i)
		if i >= 20 {
			r.Cluster, r.Model = "d", "A100"
		}
		f.Rows = append(f.Rows, r)
	}
	f.Holds = []Hold{
		{
			Cluster: "c", Node: "n-03", Device: "GPU-03", Slot: -1, SliceID: ledger.WholeDevice,
			Holder: Holder{Namespace: "Vision", Name: "train-0", Seen: now},
		},
	}
	for name, c := range map[string]struct {
		q              Question
		gpus, matching int
		first          string
		page, pages    int
	}{
		"all":           {Question{PerPage: 10}, 25, 25, "n-00", 1, 3},
		"second page":   {Question{PerPage: 10, Page: 2}, 25, 25, "n-10", 2, 3},
		"beyond":        {Question{PerPage: 10, Page: 99}, 25, 25, "n-20", 3, 3},
		"before":        {Question{PerPage: 10, Page: -1}, 25, 25, "n-00", 1, 3},
		"cluster":       {Question{PerPage: 10, Cluster: "d"}, 5, 5, "n-20", 1, 1},
		"model":         {Question{PerPage: 10, Model: "H100"}, 20, 20, "n-00", 1, 2},
		"state":         {Question{PerPage: 10, State: Active}, 25, 12, "n-01", 1, 2},
		"text: node":    {Question{PerPage: 10, Text: "N-1"}, 10, 10, "n-10", 1, 1},
		"text: holder":  {Question{PerPage: 10, Text: "vision/TRAIN"}, 1, 1, "n-03", 1, 1},
		"text: nothing": {Question{PerPage: 10, Text: "%"}, 0, 0, "", 1, 1},
	} {
		c.q.Now = now
		s := Build(c.q, &f)
		if s.GPUs != c.gpus || s.Nodes == nil && c.matching > 0 || s.Matching != c.matching || s.Page != c.page ||
			s.Pages != c.pages || len(s.Nodes) > 0 && s.Nodes[0].Name != c.first {
			t.Errorf("%s: %d GPUs, %d nodes match, page %d of %d: %s", name, s.GPUs, s.Matching, s.Page, s.Pages, said(&s))
		}
		if !slices.Equal(s.Clusters, []string{"c", "d"}) || !slices.Equal(s.Models, []string{"A100", "H100"}) {
			t.Errorf("%s: the filter offers %v, %v", name, s.Clusters, s.Models)
		}
	}
}

// A line ends with the minute of the page; unknown is -1.
func TestFill(t *testing.T) {
	before, this := row(31*period.Minute, 200_000), row(0, 300_000)
	var power ledger.Minutes
	minutes.Set(&power, 28, 0, 640_000)
	this.Vectors[ledger.SignalPower] = power
	s := Build(Question{Now: now, PerPage: 1}, &Facts{Rows: []Row{this}})
	s.Fill([]Row{before, this})
	d := s.Nodes[0].Devices[0]
	if d.Hour[Window-1] != 300_000 || d.Hour[Window-1-31] != 200_000 || d.Hour.Known() != 2 || d.Hour[0] != -1 {
		t.Errorf("line %v", d.Hour)
	}
	if d.Power != (Reading{Value: 640_000, Known: true}) || d.Temperature.Known {
		t.Errorf("power %+v, temperature %+v", d.Power, d.Temperature)
	}
	if high, ok := d.Hour.Highest(); !ok || high != 300_000 {
		t.Errorf("highest %d", high)
	}
	detail, ok := s.Detail([]Row{before, this})
	line := detail.Lines[ledger.SignalPower]
	if !ok || detail.Node.Name != "n" || line[Window-3] != 640_000 || line.Known() != 1 {
		t.Errorf("detail %v %v", ok, line)
	}
}
