package timeline

import (
	"cmp"
	"slices"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// unknown marks a minute without a sample in a vector of ppm.
const unknown = -1

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

// series is what one slice of one device showed per minute.
type series struct {
	key    seriesKey
	model  string
	seen   Bits // any sample at all
	engine []reading
	util   []reading
}

// reading is the newest value of a minute; value is unknown without one.
type reading struct {
	value int32
	at    uint16
}

// merge keeps the newest reading, at equal times the larger (rule 1.2).
func (r *reading) merge(o reading) {
	if r.value == unknown || o.at > r.at || o.at == r.at && o.value > r.value {
		*r = o
	}
}

// counter is the newest value of a counter in a minute.
type counter struct {
	value int64
	at    uint16
	known bool
}

func (c *counter) merge(o counter) {
	if !c.known || o.at > c.at || o.at == c.at && o.value > c.value {
		*c = o
	}
}

// collect merges the rows of one slot into series, ordered by device rank,
// slice id and profile, and the energy counters by device.
func collect(g Grid, rows []ledger.SampleHour, rank func(device string) int) (list []*series, energy map[string][]counter) {
	byKey := make(map[seriesKey]*series)
	energy = make(map[string][]counter)
	for i := range rows {
		row := &rows[i]
		h, ok := g.hour(row.Hour)
		if !ok {
			continue
		}
		key := seriesKey{row.Device, Instance{row.SliceID, row.Profile}}
		s := byKey[key]
		if s == nil {
			s = &series{key: key, model: row.Model, seen: NewBits(g)}
			byKey[key] = s
			list = append(list, s)
		}
		s.model = max(s.model, row.Model) // rows of one device agree; max is order-free when they do not
		for signal, v := range row.Vectors {
			s.seen.AddHour(row.Hour, v.Known)
			switch signal {
			case ledger.SignalGrEngine:
				s.engine = addActivity(s.engine, g, h, &v)
			case ledger.SignalGPUUtil:
				s.util = addActivity(s.util, g, h, &v)
			case ledger.SignalEnergy:
				energy[row.Device] = addEnergy(energy[row.Device], g, h, &v)
			}
		}
	}
	slices.SortFunc(list, func(a, b *series) int {
		return cmp.Or(cmp.Compare(rank(a.key.device), rank(b.key.device)), cmp.Compare(a.key.device, b.key.device),
			cmp.Compare(a.key.ID, b.key.ID), cmp.Compare(a.key.Profile, b.key.Profile))
	})
	return list, energy
}

func addActivity(to []reading, g Grid, hour int, v *ledger.Minutes) []reading {
	if to == nil {
		to = make([]reading, g.Minutes())
		for m := range to {
			to[m].value = unknown
		}
	}
	for m := range minutesPerHour {
		if v.Known>>m&1 == 1 {
			ppm := int32(min(max(v.Value[m], 0), fullActivity))
			to[hour*minutesPerHour+m].merge(reading{ppm, v.At[m]})
		}
	}
	return to
}

func addEnergy(to []counter, g Grid, hour int, v *ledger.Minutes) []counter {
	if to == nil {
		to = make([]counter, g.Minutes())
	}
	for m := range minutesPerHour {
		if v.Known>>m&1 == 1 {
			to[hour*minutesPerHour+m].merge(counter{v.Value[m], v.At[m], true})
		}
	}
	return to
}

// activityInto writes the activity of minutes [from, to) into ppm: the engine
// signal, else, for a whole device in an hour without any engine sample, the
// utilisation (rule 5.1). ppm starts unknown; where one id carries two profiles
// in one minute, the larger value counts.
func (s *series) activityInto(ppm []int32, from, to int) {
	for m := from; m < to; {
		hourEnd := min(to, (m/minutesPerHour+1)*minutesPerHour)
		source := s.engine
		if s.key.ID == ledger.WholeDevice && !anyKnown(s.engine, m/minutesPerHour) {
			source = s.util
		}
		if source != nil {
			for k := m; k < hourEnd; k++ {
				ppm[k] = max(ppm[k], source[k].value)
			}
		}
		m = hourEnd
	}
}

func anyKnown(v []reading, hour int) bool {
	if v == nil {
		return false
	}
	for _, r := range v[hour*minutesPerHour : (hour+1)*minutesPerHour] {
		if r.value != unknown {
			return true
		}
	}
	return false
}

// lastHour keeps the rows of the newest hour, firstHour those of the oldest.
func lastHour(rows []ledger.SampleHour) ([]ledger.SampleHour, period.Second) {
	return edgeHour(rows, func(a, b period.Second) bool { return a > b })
}

func firstHour(rows []ledger.SampleHour) ([]ledger.SampleHour, period.Second) {
	return edgeHour(rows, func(a, b period.Second) bool { return a < b })
}

func edgeHour(rows []ledger.SampleHour, better func(a, b period.Second) bool) (edge []ledger.SampleHour, hour period.Second) {
	for i := range rows {
		if len(edge) == 0 || better(rows[i].Hour, hour) {
			edge, hour = edge[:0:0], rows[i].Hour
		}
		if rows[i].Hour == hour {
			edge = append(edge, rows[i])
		}
	}
	return edge, hour
}
