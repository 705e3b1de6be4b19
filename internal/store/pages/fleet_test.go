package pages_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/minutes"
	"gpuledger/internal/period"
	"gpuledger/metrics/fleet"
	"gpuledger/test/storetest"
)

// fleetTelemetry is one hour of a fleet until minute 30: node a has a busy and an idle card, node b a card in two
// slices, node c fell silent.
func fleetTelemetry() *ledger.Telemetry {
	hour := storetest.At(1, 3)
	sample := func(node, device string, index, slice int32, profile string, until int,
		signals map[ledger.Signal]int64) ledger.SampleHour {
		h := ledger.SampleHour{Cluster: "c", Node: node, Device: device, Index: index, Model: "NVIDIA A100-SXM4-40GB",
			SliceID: slice, Profile: profile, Hour: hour,
			Vectors: map[ledger.Signal]ledger.Minutes{}, RowCount: int64(until)}
		for signal, value := range signals {
			var m ledger.Minutes
			for i := range until {
				minutes.Set(&m, i, 5000, value)
			}
			h.Vectors[signal] = m
		}
		return h
	}
	const whole = ledger.WholeDevice
	t := &ledger.Telemetry{Samples: []ledger.SampleHour{
		sample("a", "GPU-0", 0, whole, "", 31, map[ledger.Signal]int64{
			ledger.SignalGrEngine: 870_000, ledger.SignalGPUUtil: 990_000, ledger.SignalPower: 412_000,
			ledger.SignalMemoryUsed: 30 << 30, ledger.SignalMemoryFree: 10 << 30,
		}),
		sample("a", "GPU-1", 1, whole, "", 31, map[ledger.Signal]int64{
			ledger.SignalGPUUtil: 10_000, ledger.SignalTemperature: 41_000,
		}),
		sample("b", "GPU-2", 0, whole, "", 31, map[ledger.Signal]int64{ledger.SignalPower: 90_000}),
		sample("b", "GPU-2", 0, 3, "1g.5gb", 31, map[ledger.Signal]int64{ledger.SignalGrEngine: 500_000}),
		sample("b", "GPU-2", 0, 4, "1g.5gb", 31, map[ledger.Signal]int64{ledger.SignalGrEngine: 0}),
		sample("b", "GPU-2", 0, 9, "2g.10gb", 10, map[ledger.Signal]int64{ledger.SignalGrEngine: 0}), // an older layout
		sample("c", "GPU-3", 0, whole, "", 20, map[ledger.Signal]int64{ledger.SignalGrEngine: 900_000}),
		sample("left", "GPU-4", 0, whole, "", 20, map[ledger.Signal]int64{ledger.SignalGrEngine: 900_000}),
	}}
	named := func(node, device string, slice int32, pod string, set uint64) {
		t.Evidence = append(t.Evidence, ledger.HoldEvidence{
			Cluster: "c", Node: node, Device: device, SliceID: slice, Namespace: "ns", Pod: pod, Hour: hour, Minutes: set,
		})
	}
	named("a", "GPU-0", whole, "train-0", 1<<31-1)
	named("a", "GPU-1", whole, "idle-0", 1<<31-1)
	named("a", "GPU-1", whole, "was-there", 1<<5)
	named("b", "GPU-2", 3, "slice-0", 1<<31-1)
	for _, name := range []string{"a", "b", "c", "left"} {
		f := ledger.NodeFact{Cluster: "c", Name: name, ProviderID: "aws:///us-east-1a/i-" + name, FirstSeen: hour,
			LastSeen: hour + 30*period.Minute, AttrsAt: 1,
			Labels: map[string]string{
				"node_kubernetes_io_instance_type": "p4d.24xlarge",
				"eks_amazonaws_com_capacityType":   "SPOT", "topology_kubernetes_io_zone": "us-east-1a",
			}}
		if name == "left" {
			f.LastSeen = hour + 20*period.Minute
		}
		t.Nodes = append(t.Nodes, f)
	}
	t.Sources = []ledger.SourceHour{{Cluster: "c", Source: ledger.SourceKubernetes, Hour: hour, Minutes: 1<<31 - 1}}
	t.Placements = []ledger.Placement{
		{
			Cluster: "c", Node: "b", Device: "#0", SliceID: 3, Workload: "u-claim",
			Evidence: ledger.EvidenceIndex, CoreShare: -1, MemoryShare: -1,
		},
	}
	t.Workloads = []ledger.WorkloadFact{{Cluster: "c", Namespace: "ns", Name: "placed-0", UID: "u-placed", Node: "b",
		Scheduled: hour, FirstSeen: hour, LastSeen: hour + 30*period.Minute},
		{
			Cluster: "c", Namespace: "acct", Name: "4711", UID: "u-claim", System: ledger.SystemSlurm,
			Node: "b", FirstSeen: hour, LastSeen: hour + 30*period.Minute,
		}}
	return t
}

func TestFleet(t *testing.T) {
	s := storetest.New(t)
	if snap, err := s.Fleet(t.Context(), fleet.Question{PerPage: 10}); err != nil || snap.GPUs != 0 || snap.Newest != 0 {
		t.Fatalf("an empty ledger: %+v, %v", snap, err)
	}
	storetest.PublishTelemetry(t, s, fleetTelemetry())
	now := storetest.At(1, 3) + 30*period.Minute + 20
	q := fleet.Question{Now: now, PerPage: 10}
	snap, err := s.Fleet(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	if !snap.Live || snap.AsOf != now || snap.GPUs != 4 || snap.Counts.Nodes != 3 || snap.Held != 3 {
		t.Errorf("live %v as of %s, %d GPUs on %d nodes, %d held", snap.Live, snap.AsOf, snap.GPUs, snap.Counts.Nodes,
			snap.Held)
	}
	for state, want := range map[fleet.State]int{fleet.Active: 2, fleet.Idle: 1, fleet.Silent: 1} {
		if snap.ByState[state] != want {
			t.Errorf("%s: %d, want %d", state, snap.ByState[state], want)
		}
	}
	a, b := snap.Nodes[0], snap.Nodes[1]
	if a.InstanceType != "p4d.24xlarge" || a.PriceClass != ledger.Spot || a.Zone != "us-east-1a" {
		t.Errorf("node a: %+v", a)
	}
	works, idles := a.Devices[0], a.Devices[1]
	if works.Signal != ledger.SignalGrEngine || works.Activity.Value != 870_000 || works.Power.Value != 412_000 ||
		works.MemoryFree.Value != 10<<30 || works.Hour.Known() != 31 ||
		len(works.Holders) != 1 || works.Holders[0].Name != "train-0" {
		t.Errorf("the card that works: %+v", works)
	}
	if idles.Signal != ledger.SignalGPUUtil || idles.State != fleet.Idle || len(idles.Holders) != 1 ||
		idles.Holders[0].Name != "idle-0" {
		t.Errorf("the card that idles: %+v", idles)
	}
	cut := b.Devices[0]
	if len(cut.Slices) != 2 || len(cut.Slices[0].Holders) != 2 || cut.Slices[0].Holders[0].Name != "4711" ||
		cut.Slices[0].State != fleet.Active || cut.Slices[1].State != fleet.Free || cut.State != fleet.Active ||
		cut.Power.Value != 90_000 {
		t.Errorf("the card in slices: %+v", cut)
	}

	// If rows name no holder, the one that allocation placed counts; allocation names runs, too.
	storetest.Run(t, s.Pool, `insert into nodes (tenant_id, node_id, cluster, name, appeared_at, price_class,
		  instance_type) values (1, $1, 'c', 'b', $2, 'reserved', 'own')`, storetest.ID("instance", "i-b"), storetest.At(1, 3))
	storetest.Run(t, s.Pool, `insert into runs (tenant_id, run_id, cluster, namespace, name, root_kind, kind, status,
		  attempts, preemptions, world) values (1, 'c/ns/placed', 'c', 'ns', 'placed', 'Job', 'training', 'running', 1, 0, 1)`)
	storetest.Run(t, s.Pool, `insert into workloads (tenant_id, workload_id, cluster, namespace, name, uid, kind,
		  owner_name, class, node_id, outcome, run_id)
		values (1, $1, 'c', 'ns', 'placed-0', 'u-placed', 'Job', 'placed', 'run', $2, 'running', 'c/ns/placed')`, storetest.ID("workload", "placed"), storetest.ID("instance", "i-b"))
	storetest.Run(t, s.Pool, "select ensure_month('spans', $1)", storetest.At(1, 3).Time())
	storetest.Run(t, s.Pool, `insert into spans (tenant_id, node_id, day, slot, slice_id, workload_id, run_id, cause,
		  from_at, to_at) values (1, $1, $2, 0, 4, $3, 'c/ns/placed', 'held_idle', $4, $5)`,
		storetest.ID("instance", "i-b"), storetest.At(1, 0).Time(), storetest.ID("workload", "placed"),
		storetest.At(1, 3).Time(), (storetest.At(1, 3) + 10*period.Minute).Time())
	snap, err = s.Fleet(t.Context(), fleet.Question{Now: now, PerPage: 10, Text: "placed"})
	if err != nil || len(snap.Nodes) != 1 {
		t.Fatalf("holders that allocation placed: %+v, %v", snap.Nodes, err)
	}
	if sl := snap.Nodes[0].Devices[0].Slices[1]; sl.State != fleet.Idle || len(sl.Holders) != 1 ||
		sl.Holders[0].RunID != "c/ns/placed" || snap.Nodes[0].InstanceType != "own" {
		t.Errorf("the slice that allocation placed: %+v on %+v", sl, snap.Nodes[0])
	}

	// Long after the newest sample, the page is as of that sample and shows its age.
	snap, err = s.Fleet(t.Context(), fleet.Question{Now: now + 40*period.Day, PerPage: 10})
	if err != nil || snap.Live || snap.AsOf != storetest.At(1, 3)+30*period.Minute+5 || snap.ByState[fleet.Active] != 2 {
		t.Errorf("40 days later: live %v, as of %s, %v, %v", snap.Live, snap.AsOf, snap.ByState, err)
	}
	for name, q := range map[string]struct {
		q    fleet.Question
		want int
	}{"state": {fleet.Question{State: fleet.Idle}, 2}, "cluster": {fleet.Question{Cluster: "d"}, 0},
		"model": {fleet.Question{Model: "NVIDIA A100-SXM4-40GB"}, 3}, "page": {fleet.Question{Page: 99, PerPage: 2}, 1}} {
		q.q.Now, q.q.PerPage = now, max(q.q.PerPage, 1)
		if q.want > 1 {
			q.q.PerPage = 10
		}
		if snap, err := s.Fleet(t.Context(), q.q); err != nil || len(snap.Nodes) != q.want {
			t.Errorf("by %s: %d nodes, want %d; %v", name, len(snap.Nodes), q.want, err)
		}
	}
}

// TestFleetForScopedUsers: scoped users see the state of all machines, but holder names only in their scope.
func TestFleetForScopedUsers(t *testing.T) {
	s := storetest.New(t)
	storetest.PublishTelemetry(t, s, fleetTelemetry())
	hour := storetest.At(1, 3)
	now := hour + 30*period.Minute + 20
	mine, theirs := storetest.ID("owner", "speech"), storetest.ID("owner", "vision")
	storetest.Run(t, s.Pool, "insert into owners (tenant_id, owner_id, team) values (1, $1, 'speech'), (1, $2, 'vision')",
		mine, theirs)
	storetest.Run(t, s.Pool, "insert into nodes (tenant_id, node_id, cluster, name, appeared_at, price_class, "+
		"instance_type) values (1, $1, 'c', 'b', $2, 'reserved', 'own')", storetest.ID("instance", "i-b"), hour)
	for name, w := range map[string]struct {
		owner ledger.ID
		uid   string
	}{"train-0": {mine, "u-train"}, "idle-0": {theirs, "u-idle"}, "slice-0": {theirs, "u-slice"},
		"placed-0": {mine, "u-placed"}, "4711": {mine, "u-claim"}, "other-0": {theirs, "u-other"}} {
		namespace := "ns"
		if name == "4711" {
			namespace = "acct"
		}
		storetest.Run(t, s.Pool, `insert into workloads (tenant_id, workload_id, cluster, namespace, name, uid, kind,
			  owner_name, class, outcome, owner_id)
			values (1, $1, 'c', $2, $3, $4, 'Job', 'x', 'run', 'running', $5)`, storetest.ID("workload", name), namespace, name, w.uid, w.owner)
	}
	storetest.Run(t, s.Pool, "select ensure_month('spans', $1)", hour.Time())
	for _, name := range []string{"placed-0", "other-0"} {
		storetest.Run(t, s.Pool, `insert into spans (tenant_id, node_id, day, slot, slice_id, workload_id, cause, from_at,
			  to_at) values (1, $1, $2, 0, 4, $3, 'held_idle', $4, $5)`,
			storetest.ID("instance", "i-b"), storetest.At(1, 0).Time(),
			storetest.ID("workload", name), hour.Time(), (hour + period.Hour).Time())
	}
	whole, err := s.Fleet(t.Context(), fleet.Question{Now: now, PerPage: 10})
	if err != nil {
		t.Fatal(err)
	}
	for scope, want := range map[string]string{
		"team = 'speech'": "train-0 | others | others 4711 | others placed-0 |",
		"team = 'vision'": "others | idle-0 | others slice-0 | others other-0 |",
		"team = 'nobody'": "",
	} {
		ctx := storetest.InPart(t, s, scope)
		snap, err := s.Fleet(ctx, fleet.Question{Now: now, PerPage: 10})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for i := range snap.Nodes {
			for j := range snap.Nodes[i].Devices {
				d := &snap.Nodes[i].Devices[j]
				lists := [][]fleet.Holder{d.Holders}
				for k := range d.Slices {
					lists = append(lists, d.Slices[k].Holders)
				}
				for _, list := range lists {
					for _, h := range list {
						got = append(got, h.Name)
					}
					if len(list) > 0 {
						got = append(got, "|")
					}
				}
			}
		}
		if text := strings.Join(got, " "); text != want || !snap.InPart {
			t.Errorf("%s sees holders %q, want %q", scope, text, want)
		}
		if want != "" && (snap.GPUs != whole.GPUs || snap.Held != whole.Held ||
			snap.ByState[fleet.Active] != whole.ByState[fleet.Active] || snap.ByState[fleet.Free] != whole.ByState[fleet.Free]) {
			t.Errorf("%s sees %+v, in all there is %+v", scope, snap.Counts, whole.Counts)
		}
		if snap, err = s.Fleet(ctx, fleet.Question{Now: now, PerPage: 10, Text: "idle-0"}); err != nil ||
			len(snap.Nodes) > 0 != (scope == "team = 'vision'") {
			t.Errorf("%s finds %d nodes by the name of a holder: %v", scope, len(snap.Nodes), err)
		}
	}
}

func TestFleetDevice(t *testing.T) {
	s := storetest.New(t)
	storetest.PublishTelemetry(t, s, fleetTelemetry())
	now := storetest.At(1, 3) + 31*period.Minute
	d, ok, err := s.FleetDevice(t.Context(), now, "GPU-2")
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	if len(d.Slices) != 2 || d.Node.Name != "b" || d.Node.PriceClass != ledger.Spot || len(d.Held) != 1 ||
		d.Held[0].Minutes != 31 || len(d.Layouts) != 4 {
		t.Errorf("device: %+v", d)
	}
	if line, ok := d.Lines[ledger.SignalPower]; !ok || line.Known() != 31 {
		t.Errorf("power: %v", line)
	}
	// A silent device is shown as of its last sample.
	d, ok, err = s.FleetDevice(t.Context(), now, "GPU-3")
	if err != nil || !ok || d.State != fleet.Silent || d.Hour.Known() != 20 || d.Hour[fleet.Window-1] != 900_000 {
		t.Errorf("silent device: %+v, %v, %v", d, ok, err)
	}
	if _, ok, err = s.FleetDevice(t.Context(), now, strings.Repeat("x", 100)); ok || err != nil {
		t.Errorf("an unknown device: %v, %v", ok, err)
	}
}

// TestFleetDeviceForScopedUsers: on a device with several holders, scoped users see those in their scope and "others"; a
// device that no holder in their scope had is not found.
func TestFleetDeviceForScopedUsers(t *testing.T) {
	s := storetest.New(t)
	storetest.PublishTelemetry(t, s, fleetTelemetry())
	hour := storetest.At(1, 3)
	now := hour + 31*period.Minute
	mine, theirs := storetest.ID("owner", "speech"), storetest.ID("owner", "vision")
	storetest.Run(t, s.Pool, "insert into owners (tenant_id, owner_id, team) values (1, $1, 'speech'), (1, $2, 'vision')",
		mine, theirs)
	for _, name := range []string{"a", "b", "c"} {
		storetest.Run(t, s.Pool, `insert into nodes (tenant_id, node_id, cluster, name, appeared_at, price_class)
			values (1, $1, 'c', $2, $3, 'spot')`, storetest.ID("instance", "i-"+name), name, hour)
	}
	owners := map[string]ledger.ID{"train-0": mine, "idle-0": theirs, "was-there": mine, "slice-0": theirs}
	for name, owner := range owners {
		storetest.Run(t, s.Pool, `insert into workloads
			(tenant_id, workload_id, cluster, namespace, name, uid, kind, owner_name, class, outcome, owner_id)
			values (1, $1, 'c', 'ns', $2, $2, 'Job', 'x', 'run', 'running', $3)`, storetest.ID("workload", name), name, owner)
	}
	// GPU-3 was held by speech a month ago, according to a rolled-up month; GPU-2 on a day.
	had := func(step, node, device string, at period.Second) {
		storetest.Run(t, s.Pool, "insert into star.device_holder_"+step+
			" (tenant_id, at, node_id, slot, device, owner_id, cause, state) values (1, $1, $2, 0, $3, $4, 'used', 'open')",
			at.Time(), storetest.ID("instance", "i-"+node), device, mine)
	}
	had("months", "c", "GPU-3", storetest.At(1, 0)-31*period.Day)
	had("days", "b", "GPU-2", storetest.At(1, 0))
	for _, c := range []struct{ scope, device, want string }{
		{"team = 'speech'", "GPU-0", "train-0 31"},
		{"team = 'speech'", "GPU-1", "others 31, was-there 1"}, // it was a holder in the last day
		{"team = 'speech'", "GPU-2", "others 31"},
		{"team = 'speech'", "GPU-3", ""},
		{"team = 'speech'", "GPU-4", "not there"},
		{"team = 'vision'", "GPU-1", "idle-0 31, others 1"},
		{"team = 'vision'", "GPU-0", "not there"},
		{"team = 'vision'", "GPU-3", "not there"},
		{"team = 'speech' and cluster = 'd'", "GPU-0", "not there"},
		{"team = 'nobody'", "GPU-0", "not there"},
	} {
		d, ok, err := s.FleetDevice(storetest.InPart(t, s, c.scope), now, c.device)
		if err != nil {
			t.Fatal(c, err)
		}
		var got []string
		for _, h := range d.Held {
			got = append(got, h.Name+" "+strconv.Itoa(h.Minutes))
		}
		slices.Sort(got)
		if !ok {
			got = []string{"not there"}
		}
		if text := strings.Join(got, ", "); text != c.want || ok && (len(d.Lines) > 0 || !d.InPart) {
			t.Errorf("%s sees of %s %q, want %q; lines %v", c.scope, c.device, text, c.want, d.Lines)
		}
	}
	// A day of a rolled-up month is read from that month only.
	storetest.Run(t, s.Pool,
		"insert into rolled_months (tenant_id, month) values (1, date_trunc('month', $1::timestamptz, 'UTC'))", hour.Time())
	if _, ok, err := s.FleetDevice(storetest.InPart(t, s, "team = 'speech'"), now, "GPU-2"); ok || err != nil {
		t.Errorf("GPU-2 is shown by a day whose month does not have it: %v", err)
	}
}
