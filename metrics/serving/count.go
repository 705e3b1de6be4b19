package serving

import (
	"cmp"
	"slices"

	"gpuledger/internal/minutes"
	"gpuledger/internal/period"
)

// layer is the kind of server that counts; the first layer present counts.
type layer uint8

const (
	engines layer = iota
	routers
	gateways
)

// layerMarks are the vectors that mark series of layers other than engines.
var layerMarks = map[string]layer{"layer/router": routers, "layer/gateway": gateways}

// Day counts requests and tokens of one UTC day.
type Day struct {
	day      period.Interval
	replicas []Replica
	byPod    map[pod][]int // replicas of a name, in order of their hold
	units    map[unit][]int
	seen     map[replicaHour]uint64   // minutes with a sample
	series   map[replicaHour][]series // counted series
	models   *Models
	names    map[string]Name     // by rule alone
	joined   map[joinedName]Name // names of counted series, by policy or rule
	Leftover Leftover
}

type pod struct{ cluster, namespace, name string }

// unit is one replica: one pod, or all of a group.
type unit struct {
	service
	replica string
}

type replicaHour struct {
	replica int
	hour    period.Second
}

// series is one process' counts for one tenant in an hour.
type series struct {
	server, model, version, tenant string
	unnamed                        bool // the server names no model; the owner's model is used
	layer                          layer
	traffic                        bool // it counts requests or tokens
	tally                          *tally
}

// Leftover is counters that belong to no known workload.
type Leftover struct {
	Processes int
	First     Process
}

// NewDay prepares to count. replicas are those that held GPU time on the day, models those that served names are joined
// with.
func NewDay(day period.Interval, replicas []Replica, models *Models) *Day {
	d := &Day{day: day, replicas: replicas, byPod: map[pod][]int{}, units: map[unit][]int{},
		seen: map[replicaHour]uint64{}, series: map[replicaHour][]series{},
		models: models, names: map[string]Name{}, joined: map[joinedName]Name{}}
	for i := range replicas {
		r := &replicas[i]
		name := pod{r.Cluster, r.Namespace, r.Name}
		d.byPod[name] = append(d.byPod[name], i)
		u := unit{r.service(), r.replica()}
		d.units[u] = append(d.units[u], i)
	}
	for _, list := range d.byPod {
		slices.SortFunc(list, func(a, b int) int {
			return cmp.Or(cmp.Compare(replicas[a].Hold.From, replicas[b].Hold.From),
				cmp.Compare(replicas[a].ID.String(), replicas[b].ID.String()))
		})
	}
	return d
}

// holder is the replica of a sample with this name: the last one that held at or before it, else the next; -1 if no
// replica has the name.
func (d *Day) holder(list []int, ms int64) int {
	found := -1
	for _, i := range list {
		if found < 0 || int64(d.replicas[i].Hold.From)*1000 <= ms {
			found = i
		}
	}
	return found
}

// Count adds a process' counters: its hours of the day in ascending order, after the newest hour of the day before, if
// any.
func (d *Day) Count(p Process, hours []Hour) {
	list := d.byPod[pod{p.Cluster, p.Namespace, p.Pod}]
	counters := map[string][]minutes.CounterHour{}
	counts := false
	for i := range hours {
		h := &hours[i]
		for name, m := range h.Counters {
			means, ok := meaningOf(name)
			if !ok || m.Known == 0 {
				continue
			}
			counts = counts || h.Hour >= d.day.From
			in := minutes.CounterHour{Hour: h.Hour, Values: &m}
			if starts, ok := h.Counters[means.start]; ok {
				in.Starts = &starts
			}
			counters[name] = append(counters[name], in)
		}
	}
	if !counts {
		return
	}
	if len(list) == 0 {
		if d.Leftover.Processes++; d.Leftover.Processes == 1 {
			d.Leftover.First = p
		}
		return
	}
	for i := range hours {
		if h := &hours[i]; h.Hour >= d.day.From {
			d.present(list, p, h)
		}
	}
	for name, of := range counters {
		means, _ := meaningOf(name)
		// The day before shows whether a counter began near its first sample.
		minutes.Increase(of, period.Interval{From: d.day.From - period.Day, To: d.day.To}, 0, func(s minutes.Step) {
			if s.To < int64(d.day.From)*1000 {
				return
			}
			at := replicaHour{d.holder(list, s.To), period.Second(s.To / 1000).Floor(period.Hour)}
			d.of(at, p, means.tenant).tally.count(means, s.By)
		})
	}
}

// present notes the minutes of an hour in which a process was seen, and its marks there.
func (d *Day) present(list []int, p Process, h *Hour) {
	at := engines
	for mark, l := range layerMarks {
		if _, marked := h.Counters[mark]; marked {
			at = l
		}
	}
	for name, m := range h.Counters {
		means, ok := meaningOf(name)
		if !ok {
			continue
		}
		shows := !means.bucket && slices.Contains(traffic[:], means.kind)
		if len(list) == 1 && m.Known != 0 {
			on := replicaHour{list[0], h.Hour}
			d.seen[on] |= m.Known
			s := d.of(on, p, means.tenant)
			s.layer, s.traffic = at, s.traffic || shows
			continue
		}
		for minute := range 60 {
			if m.Known>>minute&1 == 0 {
				continue
			}
			on := replicaHour{d.holder(list, (int64(h.Hour)+int64(minute)*60)*1000+int64(m.At[minute])), h.Hour}
			d.seen[on] |= 1 << minute
			s := d.of(on, p, means.tenant)
			s.layer, s.traffic = at, s.traffic || shows
		}
	}
}

// of finds or creates the series for a process' counts of an hour and tenant.
func (d *Day) of(at replicaHour, p Process, tenant string) *series {
	r := &d.replicas[at.replica]
	model, version := d.join(r, p.Model)
	list := d.series[at]
	for i := range list {
		if s := &list[i]; s.server == p.Server && s.model == model && s.version == version && s.tenant == tenant &&
			s.unnamed == (p.Model == "") {
			return s
		}
	}
	d.series[at] = append(list, series{
		server: p.Server, model: model, version: version, tenant: tenant, unnamed: p.Model == "", tally: &tally{},
	})
	return &d.series[at][len(list)]
}

// heldMinutes are a replica's minutes in an hour: bit m is set if minute m began inside its hold.
func heldMinutes(hold period.Interval, hour period.Second) uint64 {
	var held uint64
	for m := range 60 {
		if at := hour + period.Second(m)*period.Minute; at >= hold.From && at < hold.To {
			held |= 1 << m
		}
	}
	return held
}
