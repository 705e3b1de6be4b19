package figures

import (
	"gpuledger/internal/analysis"
	"gpuledger/internal/ledger"
	"gpuledger/internal/minutes"
	"gpuledger/internal/sketch"
	"gpuledger/internal/store/facts"
	"gpuledger/internal/store/pg"
)

// signalRow is a device's signals on a day.
func signalRow(d *analysis.DeviceDay) row {
	r := row{
		"node_id": d.NodeID, "slot": d.Slot, "device": d.Device, "mig_profile": pg.Known(d.Profile), "owner_id": d.OwnerID,
		"workload_class": pg.Known(d.Class), "namespace": pg.Known(d.Namespace),
		"throttled_hours": d.ThrottledHours, "xids": append([]int32{}, d.XIDs...),
	}
	// in the order of analysis.DeviceDay
	for i, signal := range []string{"activity", "sm", "tensor", "dram", "memory", "power"} {
		if m := &d.Signals[i]; m.Minutes > 0 {
			r[signal+"_minutes"], r[signal+"_total"], r[signal+"_bins"] = m.Minutes, m.Total, m.Bins
		}
	}
	return r
}

func readSignals(packed []byte) map[ledger.Signal]analysis.SignalFigures {
	names := minutes.Names()
	out := map[ledger.Signal]analysis.SignalFigures{}
	facts.ReadFigures(packed, func(f *facts.Figures) {
		if f.Code <= len(names) {
			out[ledger.Signal(names[f.Code-1])] = analysis.SignalFigures{
				Minutes: int64(f.Minutes), Total: f.Total, Low: f.Low, High: f.High, P95: f.P95,
			}
		}
	})
	return out
}

// readSketches returns the sketches of an hour by signal.
func readSketches(packed []byte) (map[ledger.Signal]sketch.Sketch, error) {
	names := minutes.Names()
	out := map[ledger.Signal]sketch.Sketch{}
	for rest := packed; len(rest) > 0; {
		code := int(rest[0])
		v, after, err := sketch.Decode(rest[1:])
		if err != nil {
			return nil, err
		}
		if code > 0 && code <= len(names) {
			out[ledger.Signal(names[code-1])] = v
		}
		rest = after
	}
	return out, nil
}
