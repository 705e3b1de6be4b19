package script

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gpuledger/allocation/fleet"
	"gpuledger/internal/catalog"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// Defaults for values that a case does not name.
const (
	theCluster  = "c"
	theAccount  = "account"
	theProvider = "aws"
	theRegion   = "us-east-1"
	dollars     = "USD"
)

// doGPU reads a machine: gpu NAME count 8 model A100-SXM4-40GB …
func (w *world) doGPU(s *statement) error {
	f, err := w.fields(s, 1, "count", "model", "type", "price", "from", "to", "cluster", "replicas", "seen", "account",
		"region", "zone", "vcpu", "memory", "source", "label*")
	if err != nil {
		return err
	}
	name := s.args[0].text
	if w.machines[name] != nil {
		return w.c.fault(s, s.args[0], "the machine %s exists already", name)
	}
	if err := f.need("count"); err != nil {
		return err
	}
	count, err := f.number("count", 0, 1, ledger.MaxGPUs)
	if err != nil {
		return err
	}
	m := &machine{key: "i-" + name, gpus: int(count), model: f.text("model", "A100-SXM4-40GB"), kind: f.text("type", ""),
		account: f.text("account", theAccount), region: f.text("region", theRegion), layouts: make([][]layout, count)}
	if m.life, err = f.span(period.DayOf(w.day)); err != nil {
		return err
	}
	if m.replicas, err = f.number("replicas", 1, 1, ledger.MaxReplicas); err != nil {
		return err
	}
	if t, known := catalog.LookupAt("aws", m.kind); known && t.Slots() != m.gpus {
		return f.fault("count", "a %s has %d GPUs in the catalogue", m.kind, t.Slots())
	}
	m.seen, err = w.seenSlots(f, m.gpus)
	if err != nil {
		return err
	}
	if m.NodeFact, err = w.nodeFact(f, m, name); err != nil {
		return err
	}
	w.machines[name] = m
	w.names = append(w.names, name)
	if m.slurm {
		w.pods = append(w.pods, jobsOf(m)...)
	}
	for _, slot := range m.seen {
		w.devices[fleet.Name{Cluster: m.Cluster, Node: name}] = append(w.devices[fleet.Name{Cluster: m.Cluster, Node: name}],
			ledger.Device{
				UUID: m.device(slot), Index: int32(slot), Model: "NVIDIA " + m.model,
				First: m.life.From.Floor(period.Hour), Last: (m.life.To - 1).Floor(period.Hour)})
	}
	return nil
}

// jobsOf are the first and the last job of a machine that only jobs name, a
// minute each with all its GPUs.
func jobsOf(m *machine) []ledger.WorkloadFact {
	var out []ledger.WorkloadFact
	for i, end := range []period.Second{m.life.From + period.Minute, m.life.To - period.Minute} {
		name, start := fmt.Sprintf("job %d on %s", i+1, m.Name), end-period.Minute
		out = append(out, ledger.WorkloadFact{Cluster: m.Cluster, System: ledger.SystemSlurm, Name: name, UID: name,
			Node:      m.Name,
			Requests:  map[string]int64{ledger.ResourceGPU: int64(m.gpus)},
			Scheduled: start, Started: start, Completed: end, Phase: "Succeeded",
			FirstSeen: start, LastSeen: end, AttrsAt: int64(start) * 1000})
	}
	return out
}

func (w *world) seenSlots(f *fields, gpus int) ([]int, error) {
	switch f.text("seen", "") {
	case "none":
		return nil, nil
	case "":
		all := make([]int, gpus)
		for i := range all {
			all[i] = i
		}
		return all, nil
	}
	return f.indices("seen", gpus)
}

func (m *machine) device(slot int) string { return fmt.Sprintf("GPU-%s-%d", m.Name, slot) }

// nodeFact is the cluster's fact about the machine.
func (w *world) nodeFact(f *fields, m *machine, name string) (ledger.NodeFact, error) {
	labels, err := f.pairs("label")
	if err != nil {
		return ledger.NodeFact{}, err
	}
	zone := f.text("zone", m.region+"a")
	labels["topology_kubernetes_io_region"], labels["topology_kubernetes_io_zone"] = m.region, zone
	if m.kind != "" {
		labels["node_kubernetes_io_instance_type"] = m.kind
	}
	if m.replicas > 1 {
		labels["nvidia_com_gpu_replicas"] = strconv.FormatInt(m.replicas, 10)
	}
	switch price := f.text("price", ""); ledger.PriceClass(price) {
	case "":
	case ledger.Spot, ledger.OnDemand, ledger.Reserved:
		labels["karpenter_sh_capacity_type"] = price
	default:
		return ledger.NodeFact{}, f.fault("price", "%q is unknown: write spot, on_demand or reserved", price)
	}
	n := ledger.NodeFact{Cluster: f.text("cluster", theCluster), Name: name, ProviderID: "aws:///" + zone + "/" + m.key,
		Labels:   labels,
		Capacity: map[string]int64{ledger.ResourceGPU: int64(m.gpus) * m.replicas}, Created: m.life.From,
		FirstSeen: m.life.From, LastSeen: m.life.To - period.Minute, AttrsAt: int64(m.life.From) * 1000}
	for key, unit := range map[string]int64{"vcpu": 1, "memory": 1 << 30} {
		count, err := f.number(key, 0, 0, 1<<20)
		if err != nil {
			return n, err
		}
		if count > 0 {
			n.Capacity[map[string]string{"vcpu": "cpu", "memory": "memory"}[key]] = count * unit
		}
	}
	source := f.text("source", "")
	if source != "" { // only its name shows which machine it is
		m.key = "node/" + n.Cluster + "/" + name
	}
	switch source {
	case "":
	case "none": // never in a source of placements: only exporters know it
		n.Created, n.FirstSeen, n.LastSeen = 0, 0, 0
	case "slurm": // named by jobs only
		n.Created, n.FirstSeen, n.LastSeen = 0, 0, 0
		m.slurm = true
	default:
		return n, f.fault("source",
			"write source none for a machine that no source of placements ever names, source slurm for one that only jobs name")
	}
	return n, nil
}

// doMIG reads the layout of a card: mig NODE gpu 0 layout 3g.20gb,3g.20gb …
func (w *world) doMIG(s *statement) error {
	f, err := w.fields(s, 1, "gpu", "gpus", "layout", "ids", "starts", "from", "to")
	if err != nil {
		return err
	}
	m := w.machines[s.args[0].text]
	if m == nil {
		return w.c.fault(s, s.args[0], "no gpu statement names the machine %q", s.args[0].text)
	}
	if err := f.need("layout"); err != nil {
		return err
	}
	slots, err := f.slots(m)
	if err != nil {
		return err
	}
	span, err := f.span(m.life)
	if err != nil {
		return err
	}
	list, err := f.layout()
	if err != nil {
		return err
	}
	for _, slot := range slots {
		m.layouts[slot] = append(m.layouts[slot], layout{span, list})
		for _, sl := range list {
			w.set(m, slot, sl.id, sl.profile, ledger.SignalSeen, span, 1)
			if sl.start != nil {
				w.set(m, slot, sl.id, sl.profile, ledger.SignalMIGStart, span, int64(*sl.start))
			}
		}
		if len(list) == 0 {
			w.set(m, slot, ledger.WholeDevice, "", ledger.SignalSeen, span, 1)
			continue
		}
		devices := w.devices[fleet.Name{Cluster: m.Cluster, Node: m.Name}]
		for i := range devices {
			devices[i].InMIG = devices[i].InMIG || devices[i].Index == int32(slot)
		}
	}
	return nil
}

// slots reads gpu or gpus of a statement about a machine.
func (f *fields) slots(m *machine) ([]int, error) {
	key := "gpus"
	if f.has("gpu") {
		key = "gpu"
	}
	if !f.has(key) {
		return nil, f.c.fault(f.s, f.s.word, "%s needs gpu or gpus", f.s.text)
	}
	slots, err := f.indices(key, m.gpus)
	if err == nil && key == "gpu" && len(slots) != 1 {
		err = f.fault(key, "write gpus for several slots")
	}
	return slots, err
}

// layout reads "7x1g.5gb" or "3g.20gb,2g.10gb"; whole has no slices.
func (f *fields) layout() ([]timeSlice, error) {
	if f.text("layout", "") == "whole" {
		return nil, nil
	}
	var list []timeSlice
	for part := range strings.SplitSeq(f.text("layout", ""), ",") {
		count := 1
		if number, profile, many := strings.Cut(part, "x"); many {
			n, err := strconv.Atoi(number)
			if err != nil || n < 1 || n > 7 {
				return nil, f.fault("layout", "%q: write 7x1g.5gb for seven slices", part)
			}
			count, part = n, profile
		}
		if part == "" || len(list)+count > 7 {
			return nil, f.fault("layout", "a card has one to seven slices, such as 3g.20gb,2g.10gb,1g.5gb")
		}
		for range count {
			list = append(list, timeSlice{id: int32(len(list)), profile: part})
		}
	}
	for _, key := range []string{"ids", "starts"} {
		if !f.has(key) {
			continue
		}
		numbers := strings.Split(f.text(key, ""), ",")
		if len(numbers) != len(list) {
			return nil, f.fault(key, "%d numbers for %d slices", len(numbers), len(list))
		}
		for i, text := range numbers {
			n, err := strconv.ParseInt(text, 10, 32)
			if err != nil || n < 0 || n > 13 {
				return nil, f.fault(key, "%q is not a number from 0 to 13", text)
			}
			if key == "ids" {
				list[i].id = int32(n)
			} else {
				start := int(n)
				list[i].start = &start
			}
		}
	}
	return list, nil
}

// profileAt is the profile of a slice at an instant.
func (m *machine) profileAt(slot int, id int32, t period.Second) (string, bool) {
	for _, l := range slices.Backward(m.layouts[slot]) {
		if l.Contains(t) {
			for _, sl := range l.slices {
				if sl.id == id {
					return sl.profile, true
				}
			}
			return "", false
		}
	}
	return "", false
}
