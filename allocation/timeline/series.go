package timeline

import (
	"cmp"
	"math/bits"
	"slices"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// fullActivity is 1 in ppm.
const fullActivity = 1_000_000

// Instance is one GPU instance of a MIG layout, or the whole device when ID is
// ledger.WholeDevice.
type Instance struct {
	ID      int32
	Profile string
}

type seriesKey struct {
	device string
	Instance
}

// series is the readings of one slice of one device per minute.
type series struct {
	key    seriesKey
	model  string
	seen   Bits // any sample at all; for a whole device, only if its layout is certain
	engine readings
	util   readings
	start  readings // first memory slice, not ppm
}

// readings are the newest values of minutes, 0 to a million, 0 if unknown.
type readings struct {
	known Bits // zero: none at all
	value []int32
	at    []uint16
}

// none reports that an hour has no reading.
func (r *readings) none(hour int) bool { return len(r.known.words) == 0 || r.known.words[hour] == 0 }

// merge adds an hour's minutes: of two values for a minute the newer counts, at equal times the larger (rule 1.2).
func (r *readings) merge(mem *Memory, g Grid, hour int, v *ledger.Minutes) {
	if len(r.known.words) == 0 {
		r.known, r.value, r.at = mem.Bits(g), mem.values.take(g.Minutes()), mem.times.take(g.Minutes())
	}
	value := (*[minutesPerHour]int32)(r.value[hour*minutesPerHour:])
	at := (*[minutesPerHour]uint16)(r.at[hour*minutesPerHour:])
	known := v.Known & allMinutes
	before := r.known.words[hour]
	r.known.words[hour] |= known
	if known == allMinutes && before == 0 {
		for m := range value {
			value[m] = ppm(v.Value[m])
		}
		*at = v.At
		return
	}
	for left := known; left != 0; left &= left - 1 {
		m := bits.TrailingZeros64(left)
		now := ppm(v.Value[m])
		if before>>m&1 == 0 || v.At[m] > at[m] || v.At[m] == at[m] && now > value[m] {
			value[m], at[m] = now, v.At[m]
		}
	}
}

func ppm(v int64) int32 { return int32(min(max(v, 0), fullActivity)) }

// counters are the newest values of the energy counter of one device.
type counters struct {
	device string
	known  Bits
	value  []int64
	at     []uint16
}

func (c *counters) merge(mem *Memory, g Grid, hour int, v *ledger.Minutes) {
	if len(c.known.words) == 0 {
		c.known, c.value, c.at = mem.Bits(g), mem.counts.take(g.Minutes()), mem.times.take(g.Minutes())
	}
	value, at := c.value[hour*minutesPerHour:], c.at[hour*minutesPerHour:]
	before := c.known.words[hour]
	c.known.words[hour] |= v.Known & allMinutes
	for left := v.Known & allMinutes; left != 0; left &= left - 1 {
		m := bits.TrailingZeros64(left)
		if before>>m&1 == 0 || v.At[m] > at[m] || v.At[m] == at[m] && v.Value[m] > value[m] {
			value[m], at[m] = v.Value[m], v.At[m]
		}
	}
}

// collected are the rows of one slot as series, ordered by device rank, slice
// id and profile, with the energy counters by device.
type collected struct {
	mem    *Memory
	grid   Grid
	list   []*series
	energy []counters
	byKey  map[seriesKey]*series // if there are many
	last   int                   // the series of the last row
}

// collect merges the rows of one slot; named is the signal that activity is taken from, empty for the best available.
func collect(
	mem *Memory, g Grid, rows []*ledger.SampleHour, rank func(device string) int, named ledger.Signal,
) *collected {
	c := &collected{mem: mem, grid: g}
	engine, utilisation := named, ledger.Signal("")
	if named == "" {
		engine, utilisation = ledger.SignalGrEngine, ledger.SignalGPUUtil
	}
	for _, row := range rows {
		h, ok := g.hour(row.Hour)
		if !ok {
			continue
		}
		s := c.series(seriesKey{row.Device, Instance{row.SliceID, row.Profile}})
		s.model = max(s.model, row.Model) // rows of one device agree; max is order-free when they do not
		for signal, v := range row.Vectors {
			s.seen.words[h] |= v.Known & allMinutes
			switch signal {
			case engine:
				s.engine.merge(mem, g, h, &v)
			case utilisation:
				s.util.merge(mem, g, h, &v)
			case ledger.SignalMIGStart:
				s.start.merge(mem, g, h, &v)
			case ledger.SignalEnergy:
				c.counters(row.Device).merge(mem, g, h, &v)
			}
		}
	}
	c.silence(rows)
	if len(c.list) > 1 {
		slices.SortFunc(c.list, func(a, b *series) int {
			return cmp.Or(cmp.Compare(rank(a.key.device), rank(b.key.device)), cmp.Compare(a.key.device, b.key.device),
				cmp.Compare(a.key.ID, b.key.ID), cmp.Compare(a.key.Profile, b.key.Profile))
		})
	}
	return c
}

// silence removes the minutes in which a row reports MIG mode from the seen minutes of whole devices: they do not show
// the layout (rule 3.3).
func (c *collected) silence(rows []*ledger.SampleHour) {
	for _, row := range rows {
		h, ok := c.grid.hour(row.Hour)
		if !ok || row.SliceID != ledger.WholeDevice {
			continue
		}
		mode, told := row.Vectors[ledger.SignalMIGMode]
		if !told {
			continue
		}
		s := c.series(seriesKey{row.Device, Instance{row.SliceID, row.Profile}})
		for left := mode.Known & allMinutes; left != 0; left &= left - 1 {
			if m := bits.TrailingZeros64(left); mode.Value[m] != 0 {
				s.seen.words[h] &^= 1 << m
			}
		}
	}
}

// manySeries is the number of series from which on they are looked up by key.
const manySeries = 16

// series returns the series of a key. Rows come hour by hour, so the next one is often next to the last.
func (c *collected) series(key seriesKey) *series {
	for range min(len(c.list), manySeries) {
		if c.last++; c.last >= len(c.list) {
			c.last = 0
		}
		if c.list[c.last].key == key {
			return c.list[c.last]
		}
	}
	if s := c.byKey[key]; s != nil {
		return s
	}
	s := &c.mem.series.take(1)[0]
	s.key, s.seen = key, c.mem.Bits(c.grid)
	c.last = len(c.list)
	c.list = append(c.list, s)
	if len(c.list) >= manySeries {
		if c.byKey == nil {
			c.byKey = make(map[seriesKey]*series)
			for _, s := range c.list {
				c.byKey[s.key] = s
			}
		}
		c.byKey[key] = s
	}
	return s
}

func (c *collected) counters(device string) *counters {
	for i := range c.energy {
		if c.energy[i].device == device {
			return &c.energy[i]
		}
	}
	c.energy = append(c.energy, counters{device: device})
	return &c.energy[len(c.energy)-1]
}

// lastHour keeps the rows of the newest hour; firstHour keeps those of the oldest.
func lastHour(rows []*ledger.SampleHour) ([]*ledger.SampleHour, period.Second) {
	return edgeHour(rows, func(a, b period.Second) bool { return a > b })
}

func firstHour(rows []*ledger.SampleHour) ([]*ledger.SampleHour, period.Second) {
	return edgeHour(rows, func(a, b period.Second) bool { return a < b })
}

func edgeHour(
	rows []*ledger.SampleHour, better func(a, b period.Second) bool,
) (edge []*ledger.SampleHour, hour period.Second) {
	for _, row := range rows {
		if len(edge) == 0 || better(row.Hour, hour) {
			edge, hour = edge[:0:0], row.Hour
		}
		if row.Hour == hour {
			edge = append(edge, row)
		}
	}
	return edge, hour
}
