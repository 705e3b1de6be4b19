package dashtest

import (
	"context"
	"fmt"

	"gpuledger/internal/ledger"
	"gpuledger/internal/minutes"
	"gpuledger/internal/period"
	what "gpuledger/metrics/fleet"
)

// DeviceID is a device of the invented fleet.
const DeviceID = "GPU-6f1c0000-0000-0000-0000-00000000a09e"

// machines invents the exporters' data in the last two hours before Last: a node that works, one with a card that
// idles, one that is free, one in MIG slices, one that fell silent.
func machines() (what.Facts, []what.Row) {
	f := what.Facts{Placed: map[string]period.Second{"aws-us-east-1": Last - 20}, Nodes: map[what.Listed]period.Second{}}
	var hour []what.Row
	device := func(node string, index int32, slice int32, profile, uuid string, ppm int64, until period.Second) {
		var activity, memory, free, power, heat ledger.Minutes
		last := (until - 1).Floor(period.Hour)
		for m := range int((until - last) / period.Minute) {
			minutes.Set(&activity, m, 20_000, min(ppm+int64(m%7)*9_000, 1_000_000))
			minutes.Set(&memory, m, 20_000, 61<<30)
			minutes.Set(&free, m, 20_000, 19<<30)
			minutes.Set(&power, m, 20_000, 412_250)
			minutes.Set(&heat, m, 20_000, 61_000)
		}
		r := what.Row{Cluster: "aws-us-east-1", Node: node, Device: uuid, Model: "NVIDIA A100-SXM4-80GB", Index: index,
			SliceID: slice, Profile: profile, Hour: last, LastAt: until - 40,
			Vectors: map[ledger.Signal]ledger.Minutes{
				ledger.SignalGrEngine: activity, ledger.SignalMemoryUsed: memory,
				ledger.SignalMemoryFree: free, ledger.SignalPower: power, ledger.SignalTemperature: heat,
			}}
		f.Rows = append(f.Rows, r)
		hour = append(hour, r)
		f.Nodes[what.Listed{Cluster: "aws-us-east-1", Node: node}] = Last
	}
	hold := func(node, uuid string, slice int32, name, run string) {
		f.Holds = append(f.Holds, what.Hold{Cluster: "aws-us-east-1", Node: node, Device: uuid, Slot: -1, SliceID: slice,
			Holder: what.Holder{
				Namespace: "speech", Name: name, RunID: run, RunName: "asr-large", From: what.FromRows, Seen: Last - 60,
			}})
	}
	for n, name := range []string{"train-001", "train-002", "spare-001", "lost-001"} {
		for i := range int32(8) {
			uuid := fmt.Sprintf("GPU-%04x0000-0000-0000-0000-00000000%04x", n+1, i)
			until := Last
			ppm := int64(870_000)
			switch {
			case name == "spare-001":
				ppm = 0
			case name == "lost-001":
				until = Last - 30*period.Minute
			case n == 1 && i == 3:
				ppm = 10_000
			}
			device(name, i, ledger.WholeDevice, "", uuid, ppm, until)
			if name != "spare-001" && name != "lost-001" {
				hold(name, uuid, ledger.WholeDevice, "asr-large-worker-"+fmt.Sprint(n*8+int(i)), RunID)
			}
		}
	}
	device("mig-016", 0, ledger.WholeDevice, "", DeviceID, 0, Last)
	delete(f.Rows[len(f.Rows)-1].Vectors, ledger.SignalGrEngine)
	for i, profile := range []string{"3g.40gb", "1g.10gb", "1g.10gb"} {
		device("mig-016", 0, int32(i+1), profile, DeviceID, int64(620_000-i*300_000), Last)
	}
	hold("mig-016", DeviceID, 1, "asr-serve-0", "")
	hold("mig-016", DeviceID, 2, "<b>notebook & co</b>", "")
	return f, hour
}

// Fleet implements dashboard.Reader.
func (r *Reader) Fleet(_ context.Context, q what.Question) (what.Snapshot, error) {
	if err := r.Err["fleet"]; err != nil {
		return what.Snapshot{}, err
	}
	if r.Empty {
		return what.Snapshot{}, nil
	}
	f, rows := machines()
	s := what.Build(q, &f)
	s.Fill(rows)
	for i := range s.Nodes {
		s.Nodes[i].InstanceType, s.Nodes[i].Zone, s.Nodes[i].PriceClass = "p4de.24xlarge", "us-east-1a", ledger.Spot
	}
	return s, nil
}

// FleetDevice implements dashboard.Reader.
func (r *Reader) FleetDevice(_ context.Context, now period.Second, uuid string) (what.DeviceDetail, bool, error) {
	if err := r.Err["fleet"]; err != nil || uuid != DeviceID || r.Empty {
		return what.DeviceDetail{}, false, err
	}
	f, rows := machines()
	s := what.Build(what.Question{Now: now, Text: uuid, PerPage: 1}, &f)
	d, ok := s.Detail(rows)
	d.Layouts = []what.Layout{
		{SliceID: 1, Profile: "3g.40gb", From: First, To: Last}, {SliceID: ledger.WholeDevice, From: First, To: Last},
	}
	d.Held = []what.HeldHour{{SliceID: 1, Namespace: "speech", Name: "asr-serve-0", Hour: Last - period.Hour, Minutes: 58}}
	return d, ok, nil
}
