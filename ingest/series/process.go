package series

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// processSink stores the agent's rows of processes on a device: the process's owner is evidence
// of who holds the device. Processes of a batch job are hold evidence, those of a pod a
// placement, all others separate workloads.
type processSink struct {
	*deviceSink // hold evidence of a batch job, and the slice's existence
	at          ledger.Placement
	process     *ledger.WorkloadFact
}

func bindProcess(c *Collector, name string, ls Labels) sink {
	own := *agentDialect
	if ls.own("pod_uid") == "" {
		own.holder = func(ls Labels) (string, string) { return HPCJob, strings.TrimSpace(ls.own("hpc_job")) }
	}
	found := bindDevice(deviceMetric{signal: ledger.SignalSeen, mul: 1, dialect: &own})(c, name, ls)
	at, ok := found.(*deviceSink)
	if !ok {
		return found
	}
	s := &processSink{deviceSink: at}
	s.at = ledger.Placement{
		Cluster: at.to.cluster, Node: at.to.node, Device: at.to.device, SliceID: at.to.slice,
		Workload: ls.own("pod_uid"), Evidence: ledger.EvidenceProcess, CoreShare: -1, MemoryShare: -1,
	}
	if s.at.Workload != "" || at.holding != nil {
		return s
	}
	pid, err := strconv.ParseUint(ls.Get("pid"), 10, 32)
	if err != nil || pid == 0 {
		return refuse{faultProcess}
	}
	f := &ledger.WorkloadFact{
		Cluster: at.to.cluster, System: ledger.SystemProcess,
		Namespace: ls.Get("user"), Name: baseName(ls.Get("process")), Node: at.to.node,
		OwnerKind: ledger.KindProcess,
	}
	if f.Name == "" {
		f.Name = strconv.FormatUint(pid, 10)
	}
	f.OwnerName = f.Name
	f.UID = "process/" + f.Node + "/" + strconv.FormatUint(pid, 10) + "/"
	if d, n := ParseDecimal([]byte(ls.Get("started"))); n > 0 {
		if f.Started, _ = c.instant(d); f.Started != 0 {
			f.UID += strconv.FormatInt(int64(f.Started), 10)
			s.at.From = f.Started
		}
	}
	if f.Started == 0 {
		f.UID += f.Name
	}
	s.process, s.at.Workload = f, f.UID
	return s
}

// baseName drops a program's folder, which is private.
func baseName(path string) string {
	return path[strings.LastIndexAny(path, `/\`)+1:]
}

func (s *processSink) sample(c *Collector, ms int64, d Decimal) *Fault {
	if f := s.deviceSink.sample(c, ms, Decimal{mant: 1, kind: d.kind}); f != nil {
		return f
	}
	if s.holding != nil {
		return nil
	}
	// The whole minute of the sample counts (rule 1.3).
	to := period.Second(ms/60_000+1) * period.Minute
	if have, ok := c.placements[s.at]; !ok || to > have {
		c.placements[s.at] = to
		if !ok {
			c.pending++
		}
	}
	if s.process == nil {
		return nil
	}
	k := podKey{s.process.Cluster, s.process.UID}
	seen := c.processes[k]
	if seen == nil {
		seen = &processSeen{fact: s.process}
		c.processes[k] = seen
		c.pending++
	}
	seen.add(ms)
	return nil
}

// processSeen is a process, and when it was seen on a device.
type processSeen struct {
	stretch
	fact *ledger.WorkloadFact
}

// takeProcesses moves placements, and processes as workloads, into out.
func (c *Collector) takeProcesses(out *ledger.Telemetry) {
	for _, p := range slices.SortedFunc(maps.Keys(c.placements), comparePlacements) {
		to := c.placements[p]
		p.To = to
		out.Placements = append(out.Placements, p)
	}
	type owner struct{ cluster, namespace, name string }
	owners := map[owner]bool{}
	for _, k := range slices.SortedFunc(maps.Keys(c.processes), func(a, b podKey) int {
		return cmp.Or(cmp.Compare(a.cluster, b.cluster), cmp.Compare(a.uid, b.uid))
	}) {
		p := c.processes[k]
		f := *p.fact
		f.FirstSeen, f.LastSeen = period.FromMillis(p.first), period.FromMillis(p.last)
		out.Workloads = append(out.Workloads, f)
		if o := (owner{f.Cluster, f.Namespace, f.OwnerName}); !owners[o] {
			owners[o] = true
			out.Objects = append(out.Objects, ledger.ObjectFact{
				Cluster: o.cluster, Namespace: o.namespace, Kind: ledger.KindProcess, Name: o.name,
			})
		}
	}
}

func comparePlacements(a, b ledger.Placement) int {
	return cmp.Or(cmp.Compare(a.Cluster, b.Cluster), cmp.Compare(a.Node, b.Node), cmp.Compare(a.Device, b.Device),
		cmp.Compare(a.SliceID, b.SliceID), cmp.Compare(a.Workload, b.Workload), cmp.Compare(a.From, b.From))
}
