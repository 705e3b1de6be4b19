package timeline

import (
	"fmt"
	"slices"
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"

	"pgregory.net/rapid"
)

const start = period.Second(1_793_664_000)

var twoHours = NewGrid(period.Interval{From: start, To: start + 2*period.Hour})

// row is one sample in minute m of the first hour.
func row(
	device string, slice int32, profile string, signal ledger.Signal, m int, value int64, at uint16,
) ledger.SampleHour {
	v := ledger.Minutes{Known: 1 << m}
	v.Value[m], v.At[m] = value, at
	return ledger.SampleHour{
		Device: device, SliceID: slice, Profile: profile, Hour: start, Vectors: map[ledger.Signal]ledger.Minutes{signal: v},
	}
}

func pointers(rows []ledger.SampleHour) []*ledger.SampleHour {
	list := make([]*ledger.SampleHour, len(rows))
	for i := range rows {
		list[i] = &rows[i]
	}
	return list
}

func TestGrid(t *testing.T) {
	g := NewGrid(period.Interval{From: start + 100, To: start + 3700})
	if g.From != start || g.Hours != 2 || g.Minutes() != 120 {
		t.Fatalf("%+v", g)
	}
	for _, c := range []struct{ from, to, wantFrom, wantTo int }{
		{0, 60, 0, 1}, {59, 61, 0, 2}, {60, 60, 0, 0}, {-500, 30, 0, 1}, {7100, 99999, 118, 120}, {8000, 9000, 0, 0},
	} {
		from, to := g.Overlap(period.Interval{From: start + period.Second(c.from), To: start + period.Second(c.to)})
		if from != c.wantFrom || to != c.wantTo {
			t.Errorf("[%d,%d): minutes [%d,%d), want [%d,%d)", c.from, c.to, from, to, c.wantFrom, c.wantTo)
		}
	}
	bits := new(Memory).Bits(g)
	bits.AddHour(start+period.Hour, 1|1<<63) // only 60 bits are minutes
	bits.AddHour(start+9*period.Hour, 1)
	if !bits.Has(60) || bits.Has(0) || bits.Has(119) || (Bits{}).Has(3) {
		t.Error("bits")
	}
}

func TestNewestSampleOfAMinuteCounts(t *testing.T) {
	engine := func(value int64, at uint16) ledger.SampleHour {
		return row("G", ledger.WholeDevice, "", ledger.SignalGrEngine, 0, value, at)
	}
	for _, rows := range [][]ledger.SampleHour{
		{engine(300_000, 20), engine(700_000, 10)},
		{engine(700_000, 10), engine(300_000, 20), engine(200_000, 20)},
	} {
		a := NewSlot(nil, twoHours, Rows{Inside: pointers(rows)}, nil,
			twoHours.Window()).Activity(ledger.WholeDevice, 100_000)
		if got := a.Sum(period.Interval{From: start + 30, To: start + 90}); got != 30*300_000 {
			t.Errorf("sum %d", got)
		}
	}
}

func TestActivityIsClampedAndUnknownStaysUnknown(t *testing.T) {
	rows := []ledger.SampleHour{
		row("G", ledger.WholeDevice, "", ledger.SignalGrEngine, 0, 5_000_000, 0),
		row("G", ledger.WholeDevice, "", ledger.SignalGrEngine, 1, -7, 0),
		row("G", ledger.WholeDevice, "", ledger.SignalGPUUtil, 2, 900_000, 0), // the hour has an engine sample
	}
	slot := NewSlot(nil, twoHours, Rows{Inside: pointers(rows)}, nil, twoHours.Window())
	a := slot.Activity(ledger.WholeDevice, 100_000)
	if a.Class(0) != ledger.Active || a.Class(1) != ledger.Idle || a.Class(2) != ledger.ActivityUnknown {
		t.Error("classes")
	}
	if slot.Activity(ledger.WholeDevice, 0).Class(1) != ledger.Active {
		t.Error("at a threshold of 0 every known minute is active")
	}
	if a.Sum(twoHours.Window()) != 60*1_000_000 {
		t.Errorf("sum %d", a.Sum(twoHours.Window()))
	}
}

func TestLayouts(t *testing.T) {
	mem := ledger.SignalMemoryUsed // any row shows the layout
	rows := []ledger.SampleHour{
		row("G", ledger.WholeDevice, "", mem, 5, 1, 0),
		row("G", 2, "3g.20gb", mem, 10, 1, 0), row("G", 1, "3g.20gb", mem, 10, 1, 0),
		row("G", 1, "3g.20gb", mem, 30, 1, 0), row("G", 2, "3g.20gb", mem, 30, 1, 0),
		row("G", ledger.WholeDevice, "", mem, 30, 1, 0),
		row("G", 1, "3g.20gb", mem, 40, 1, 0),
		row("H", ledger.WholeDevice, "", mem, 50, 1, 0), row("G", 1, "3g.20gb", mem, 50, 1, 0),
	}
	devices := []ledger.Device{{UUID: "G", First: start}, {UUID: "H", First: start}}
	s := NewSlot(nil, twoHours, Rows{Inside: pointers(rows)}, devices, twoHours.Window())
	want := []struct {
		from      int
		device    string
		instances int
	}{{0, "G", 0}, {10, "G", 2}, {40, "G", 1}, {50, "H", 0}}
	if len(s.Layouts) != len(want) || s.Clashes != 1 || s.Layouts[len(s.Layouts)-1].To != twoHours.To() {
		t.Fatalf("%+v, %d clashes", s.Layouts, s.Clashes)
	}
	for i, w := range want {
		l := s.Layouts[i]
		if l.From != twoHours.At(w.from) || l.Device != w.device || len(l.Instances) != w.instances {
			t.Errorf("layout %d: %+v, want %+v", i, l, w)
		}
		if i > 0 && s.Layouts[i-1].To != l.From {
			t.Errorf("a gap before layout %d", i)
		}
	}
	if !s.Layouts[1].Has(2) || s.Layouts[1].Has(ledger.WholeDevice) || s.Layouts[2].Has(2) ||
		!s.Layouts[3].Has(ledger.WholeDevice) {
		t.Error("Has")
	}
}

func TestLayoutWithoutRows(t *testing.T) {
	devices := []ledger.Device{
		{UUID: "old", Model: "A", First: start - 9*period.Hour},
		{UUID: "new", Model: "B", First: start}, {UUID: "later", First: start + 9*period.Hour},
	}
	s := NewSlot(nil, twoHours, Rows{}, devices, twoHours.Window())
	if len(s.Layouts) != 1 || s.Layouts[0].Device != "new" || s.Layouts[0].Model != "B" ||
		s.Layouts[0].Interval != twoHours.Window() {
		t.Errorf("%+v", s.Layouts)
	}
	if s = NewSlot(nil, twoHours, Rows{}, nil, twoHours.Window()); s.Layouts[0].Device != "" ||
		!s.Layouts[0].Has(ledger.WholeDevice) {
		t.Errorf("%+v", s.Layouts)
	}
}

func TestMoreSlicesThanCanBeDistinguished(t *testing.T) {
	var rows []ledger.SampleHour
	for id := range int32(maxSeries + 5) {
		rows = append(rows, row("G", id, "1g.5gb", ledger.SignalGrEngine, 0, 1, 0))
	}
	s := NewSlot(nil, twoHours, Rows{Inside: pointers(rows), Before: pointers(rows), After: pointers(rows)}, nil,
		twoHours.Window())
	if !s.Crowded || len(s.Layouts[0].Instances) != maxSeries {
		t.Errorf("crowded %v, %d instances", s.Crowded, len(s.Layouts[0].Instances))
	}
}

// Whatever the counters, the parts of a stretch add up to it, and the whole is the sum of the differences that count.
func TestEnergyIsAdditive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var rows []ledger.SampleHour
		value, previous, want := int64(0), -99, int64(0)
		for m := range 60 {
			if rapid.IntRange(0, 2).Draw(t, "seen") == 0 {
				continue
			}
			rise := rapid.Int64Range(0, 50_000_000).Draw(t, "millijoules")
			if m-previous <= maxEnergyGap {
				want += rise
			}
			value += rise
			previous = m
			rows = append(rows, row("G", ledger.WholeDevice, "", ledger.SignalEnergy, m, value, 0))
		}
		observed := period.Interval{From: start, To: start + period.Second(rapid.Int64Range(3600, 7200).Draw(t, "gone"))}
		e := NewSlot(nil, twoHours, Rows{Inside: pointers(rows)}, nil, observed).Energy
		whole, known := e.Sum(observed)
		if known && whole != want*e.PerMillijoule || !known && want != 0 {
			t.Fatalf("%d units of 1/%d mJ, want %d mJ", whole, e.PerMillijoule, want)
		}
		cut := observed.From + period.Second(rapid.Int64Range(0, observed.Seconds()).Draw(t, "cut"))
		a, _ := e.Sum(period.Interval{From: observed.From, To: cut})
		b, _ := e.Sum(period.Interval{From: cut, To: observed.To})
		if a+b != whole {
			t.Fatalf("%d + %d is not %d", a, b, whole)
		}
	})
}

// A row with MIG on but without an instance neither makes a whole card nor ends a known layout; a row with MIG off
// does.
func TestRowsOfMIGModeSayNothingOfTheLayout(t *testing.T) {
	const whole = ledger.WholeDevice
	mode := func(m int, on int64) ledger.SampleHour {
		r := row("G", whole, "", ledger.SignalMIGMode, m, on, 0)
		v := ledger.Minutes{Known: 1 << m}
		r.Vectors[ledger.SignalEnergy] = v
		return r
	}
	cut := func(m int) ledger.SampleHour { return row("G", 3, "3g.20gb", ledger.SignalGrEngine, m, 500_000, 0) }
	instance := Instance{3, "3g.20gb"}
	for name, c := range map[string]struct {
		rows []ledger.SampleHour
		want []string // "minute instances"
	}{
		"after a layout": {[]ledger.SampleHour{cut(5), mode(20, 1)}, []string{"0 1"}},
		"before one":     {[]ledger.SampleHour{mode(5, 1), cut(20)}, []string{"0 1"}},
		"between two": {
			[]ledger.SampleHour{cut(5), mode(20, 1), row("G", whole, "", ledger.SignalGPUUtil, 30, 0, 0)},
			[]string{"0 1", "30 0"},
		},
		"MIG is off":         {[]ledger.SampleHour{cut(5), mode(20, 0)}, []string{"0 1", "20 0"}},
		"nothing but that":   {[]ledger.SampleHour{mode(5, 1)}, []string{"0 0"}},
		"in the same minute": {[]ledger.SampleHour{mode(5, 1), cut(5)}, []string{"0 1"}},
	} {
		s := NewSlot(nil, twoHours, Rows{Inside: pointers(c.rows)}, []ledger.Device{{UUID: "G", First: start, Last: start}},
			twoHours.Window())
		var got []string
		for _, l := range s.Layouts {
			got = append(got, fmt.Sprintf("%d %d", (l.From-start)/period.Minute, len(l.Instances)))
			if l.Device != "G" || len(l.Instances) == 1 && l.Instances[0] != instance {
				t.Errorf("%s: %+v", name, l)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
