package allocation

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"gpuledger/allocation/policy"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// The tests describe what happened on one node on 3 November 2026 and read off who pays for it. Times are clock times
// of that day.

var margin = policy.Default().Margin()

const theDay = period.Second(1_793_664_000) // 2026-11-03T00:00:00Z

// at reads "10:20" or "10:20:30"; "24:00" is the end of the day and "-1:00"
// an hour before its start.
func at(clock string) period.Second {
	clock, before := strings.CutPrefix(clock, "-")
	var h, m, s int64
	if _, err := fmt.Sscanf(clock+":0", "%d:%d:%d", &h, &m, &s); err != nil {
		panic(err)
	}
	v := period.Second(h*3600 + m*60 + s)
	if before {
		return theDay - v
	}
	return theDay + v
}

func between(from, to string) period.Interval { return period.Interval{From: at(from), To: at(to)} }

// teller is the part of testing.T that a story needs.
type teller interface {
	Helper()
	Fatal(args ...any)
}

// story collects facts.
type story struct {
	t      teller
	node   NodeInput
	day    DayInput
	rows   map[string]*ledger.SampleHour
	policy policy.Policy
}

// under changes the policy of the day.
func (s *story) under(change func(*policy.Policy)) { change(&s.policy) }

// newStory is a node with the given number of A100s that was there all day and is billed by parts.
func newStory(t teller, gpus int) *story {
	s := &story{t: t, rows: make(map[string]*ledger.SampleHour), policy: policy.Default()}
	s.node.Node = ledger.Node{ID: ledger.NodeID("c", "n", "i-1"), Cluster: "c", Name: "n", InstanceID: "i-1", GPUs: gpus,
		Replicas: 1,
		Life:     between("0:00", "24:00"), InSource: true,
		Seen: ledger.SeenListed | ledger.SeenSampled, OwnerID: ledger.NewID("owner", "platform")}
	s.day = DayInput{Day: period.DayOf(theDay), CoveredUntil: at("24:00")}
	for h := theDay - margin; h < theDay+period.Day+margin; h += period.Hour {
		s.day.Sources = append(s.day.Sources, ledger.SourceHour{
			Cluster: "c", Source: ledger.SourceKubernetes, Hour: h, Minutes: 1<<60 - 1,
		})
		s.day.NodeStates = append(s.day.NodeStates, ledger.NodeStateHour{
			Cluster: "c", Name: "n", State: ledger.Listed, Hour: h, Minutes: 1<<60 - 1, Known: 1<<60 - 1,
		})
	}
	for i := range gpus {
		s.device(fmt.Sprintf("GPU-%d", i), i)
	}
	return s
}

func (s *story) device(uuid string, index int) *ledger.Device {
	s.node.Devices = append(s.node.Devices, ledger.Device{UUID: uuid, Index: int32(index), Model: "NVIDIA A100-SXM4-40GB",
		First: theDay, Last: at("23:00"), NodeID: s.node.Node.ID})
	return &s.node.Devices[len(s.node.Devices)-1]
}

// row returns the sample row of a slice and hour.
func (s *story) row(device string, index int, slice int32, profile string, hour period.Second) *ledger.SampleHour {
	key := fmt.Sprint(device, index, slice, profile, hour)
	if s.rows[key] == nil {
		s.rows[key] = &ledger.SampleHour{Cluster: "c", Node: "n", Device: device, Index: int32(index),
			Model:   "NVIDIA A100-SXM4-40GB",
			SliceID: slice, Profile: profile, Hour: hour, Vectors: make(map[ledger.Signal]ledger.Minutes)}
	}
	return s.rows[key]
}

// set writes one value per minute of i.
func (s *story) set(
	device string, index int, slice int32, profile string,
	signal ledger.Signal, i period.Interval, value func(minute int) int64,
) {
	for m, n := i.From.Floor(period.Minute), 0; m < i.To; m, n = m+period.Minute, n+1 {
		row := s.row(device, index, slice, profile, m.Floor(period.Hour))
		v := row.Vectors[signal]
		k := (m - row.Hour) / period.Minute
		v.Known |= 1 << k
		v.Value[k] = value(n)
		row.Vectors[signal] = v
	}
}

// busy gives a whole GPU an activity in percent.
func (s *story) busy(slot int, from, to string, percent int64) {
	s.set(fmt.Sprintf("GPU-%d", slot), slot, ledger.WholeDevice, "", ledger.SignalGrEngine, between(from, to),
		func(int) int64 { return percent * 10_000 })
}

// mig adds a MIG instance with an activity in percent.
func (s *story) mig(slot int, id int32, profile, from, to string, percent int64) {
	s.set(fmt.Sprintf("GPU-%d", slot), slot, id, profile, ledger.SignalGrEngine, between(from, to),
		func(int) int64 { return percent * 10_000 })
}

// lies sets the memory slice at which a MIG instance begins on its card.
func (s *story) lies(slot int, id int32, profile, from, to string, start int) {
	s.set(fmt.Sprintf("GPU-%d", slot), slot, id, profile, ledger.SignalMIGStart, between(from, to),
		func(int) int64 { return int64(start) })
}

// pod adds a pod that requested and held GPUs; the exporter named it on slots.
func (s *story) pod(name, from, to string, requests int64, slots ...int) *HeldWorkload {
	w := HeldWorkload{Workload: ledger.Workload{ID: ledger.NewID("workload", "c", name), Cluster: "c", Namespace: "ns",
		Name: name, UID: name,
		Kind: "Pod", Class: ledger.ClassInteractive, NodeID: s.node.Node.ID,
		Hold: between(from, to), OwnerID: ledger.NewID("owner", name)},
		Requests: map[string]int64{"nvidia_com_gpu": requests}}
	s.node.Workloads = append(s.node.Workloads, w)
	for _, slot := range slots {
		s.named(name, slot, ledger.WholeDevice, from, to)
	}
	return &s.node.Workloads[len(s.node.Workloads)-1]
}

// named adds exporter rows of a slice that name a pod.
func (s *story) named(pod string, slot int, slice int32, from, to string) {
	i := between(from, to)
	for m := i.From.Floor(period.Minute); m < i.To; m += period.Minute {
		s.node.Evidence = append(s.node.Evidence,
			ledger.HoldEvidence{Cluster: "c", Node: "n", Device: fmt.Sprintf("GPU-%d", slot), SliceID: slice,
				Namespace: "ns", Pod: pod, Hour: m.Floor(period.Hour), Minutes: 1 << ((m - m.Floor(period.Hour)) / period.Minute)})
	}
}

// attempt makes pods serve an attempt of run "r".
func (s *story) attempt(number int, task, from, to string, pods ...string) *ledger.Attempt {
	a := ledger.Attempt{
		ID: ledger.NewID("attempt", "r", task, fmt.Sprint(number)), RunID: "r",
		Number: number, Task: task, Span: between(from, to), Outcome: ledger.Succeeded,
	}
	for _, p := range pods {
		a.Segments = append(a.Segments, ledger.Segment{
			Workload: ledger.NewID("workload", "c", p), From: at(from), To: at(to), Weight: 1_000_000,
		})
	}
	s.node.Attempts = append(s.node.Attempts, a)
	return &s.node.Attempts[len(s.node.Attempts)-1]
}

// bill adds a compute part with the given seconds and dollars to an hour.
func (s *story) bill(hour string, seconds int64, dollars string) *ledger.Part {
	amount := money.MustParse(dollars)
	number := len(s.day.Parts)
	id := ledger.NewID("charge", fmt.Sprint(number))
	s.day.Parts = append(s.day.Parts,
		ledger.Part{ID: ledger.NewID("part", id.String(), "0"), ChargeID: id, Kind: ledger.PartCompute,
			NodeID: s.node.Node.ID,
			Hour:   at(hour), Currency: "USD", UsageSeconds: &seconds, Method: "resource id", Quality: ledger.Measured,
			Costs: ledger.Costs{Effective: &amount, Billed: &amount}})
	return &s.day.Parts[number]
}

func (s *story) allocate() *Chunk {
	s.t.Helper()
	engine, err := NewNode(s.node, s.policy)
	if err != nil {
		s.t.Fatal(err)
	}
	chunk, err := engine.Day(s.dayInput())
	if err != nil {
		s.t.Fatal(err)
	}
	return chunk
}

// dayInput is the day with the sample rows written so far, in random order.
func (s *story) dayInput() DayInput {
	in := s.day
	in.Samples = nil
	for _, r := range s.rows {
		in.Samples = append(in.Samples, *r)
	}
	return in
}

// account reads one hour of a chunk: per cause and holder the device-hours and the effective cost, in cause order.
func account(c *Chunk, hour string, names ...string) string {
	type line struct {
		cause  ledger.Cause
		holder string
	}
	weight, cost := make(map[line]*big.Rat), make(map[line]money.Amount)
	holder := func(id ledger.ID) string {
		if id.IsZero() {
			return "-"
		}
		for _, n := range names {
			if ledger.NewID("workload", "c", n) == id {
				return n
			}
		}
		return "?"
	}
	for i := range c.Usage {
		u := &c.Usage[i]
		if u.Hour == at(hour) {
			l := line{u.Cause, holder(u.WorkloadID)}
			if weight[l] == nil {
				weight[l] = new(big.Rat)
			}
			weight[l].Add(weight[l], new(big.Rat).Quo(u.Weight, big.NewRat(3600, 1)))
		}
	}
	for i := range c.Postings {
		p := &c.Postings[i]
		if p.Hour == at(hour) && p.Effective != nil {
			l := line{p.Cause, holder(p.WorkloadID)}
			cost[l] = cost[l].Add(*p.Effective)
		}
	}
	var lines []string
	for _, info := range ledger.Causes {
		for _, h := range append([]string{"-", "?"}, names...) {
			if w := weight[line{info.Cause, h}]; w != nil {
				lines = append(lines, fmt.Sprintf("%s %s %s h $%s", info.Cause, h, w.RatString(), cost[line{info.Cause, h}]))
			}
		}
	}
	return strings.Join(lines, "\n")
}

func expect(t *testing.T, got, want string) {
	t.Helper()
	var lines []string
	for l := range strings.SplitSeq(want, "\n") {
		if l = strings.TrimSpace(l); l != "" {
			lines = append(lines, l)
		}
	}
	if want = strings.Join(lines, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func hasDiagnostic(c *Chunk, code string) bool {
	return slices.ContainsFunc(c.Diagnostics, func(d Diagnostic) bool { return d.Code == code })
}

// quality returns the qualities of the usage rows of a cause in the hour of
// 10:00, each once.
func quality(c *Chunk, cause ledger.Cause) string {
	seen := map[ledger.Quality]bool{}
	var list []string
	for i := range c.Usage {
		if u := &c.Usage[i]; u.Cause == cause && u.Hour == at("10:00") && !seen[u.Quality] {
			seen[u.Quality] = true
			list = append(list, string(u.Quality))
		}
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}
