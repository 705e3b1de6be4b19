package figures

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"gpuledger/allocation/fleet"
	"gpuledger/internal/analysis"
	"gpuledger/internal/ledger"
	"gpuledger/internal/minutes"
	"gpuledger/internal/period"
	"gpuledger/internal/sketch"
	"gpuledger/internal/star"
	"gpuledger/internal/store/facts"
	"gpuledger/internal/store/pg"
)

// madeRows make rows of facts that no statement has (star.Fact.Made): objects of
// the days of a span, with their hour, keys and measures.
var madeRows = map[string]func(ctx context.Context, tx pgx.Tx, span period.Interval) ([]map[string]any, error){
	star.DeviceSignal.Name: signalRows,
}

// signalRows are what devices showed.
func signalRows(ctx context.Context, tx pgx.Tx, span period.Interval) ([]map[string]any, error) {
	list := []map[string]any{}
	for day := span.From; day < span.To; day += period.Day {
		into := analysis.NewDeviceSignals()
		if err := gatherSignals(ctx, tx, day, into); err != nil {
			return nil, err
		}
		for _, d := range into.Rows() {
			list = append(list, signalRow(day, &d))
		}
	}
	return list, nil
}

func signalRow(day period.Second, d *analysis.DeviceDay) map[string]any {
	row := map[string]any{
		"hour": day.String(), "node_id": d.NodeID.String(), "slot": d.Slot, "device": d.Device,
		"mig_profile": pg.Known(d.Profile), "owner_id": d.OwnerID.String(),
		"workload_class": pg.Known(d.Class), "namespace": pg.Known(d.Namespace),
		"throttled_hours": d.ThrottledHours, "xids": append([]int32{}, d.XIDs...),
	}
	for i, signal := range []string{"activity", "sm", "tensor", "dram", "memory", "power"} { // as analysis.DeviceDay has them
		if m := &d.Signals[i]; m.Minutes > 0 {
			row[signal+"_minutes"], row[signal+"_total"], row[signal+"_bins"] = m.Minutes, m.Total, m.Bins
		}
	}
	return row
}

// sliceHour is an hour of a slice of a device; onDevice that of any.
type sliceHour struct {
	device string
	slice  int32
	hour   period.Second
}

const onDevice int32 = -2

// gatherSignals adds the summaries of a day to those who their hours count for.
func gatherSignals(ctx context.Context, tx pgx.Tx, day period.Second, into *analysis.DeviceSignals) error {
	holdings := map[sliceHour]analysis.Holding{}
	err := pg.Query(ctx, tx, "devices.holdings", func(rows pgx.Rows) error {
		var h analysis.Holding
		var k sliceHour
		if err := rows.Scan(&k.device, &k.slice, &k.hour, &h.NodeID, &h.Slot, &h.Profile, &h.OwnerID, &h.Class, &h.Namespace); err != nil {
			return err
		}
		h.Device = k.device
		for _, key := range []sliceHour{k, {k.device, onDevice, k.hour}} {
			if _, ok := holdings[key]; !ok {
				holdings[key] = h
			}
		}
		return nil
	}, pg.Tenant, day)
	if err != nil {
		return err
	}
	type machine struct{ provider, instanceType string }
	machines := map[ledger.ID]machine{}
	err = pg.Query(ctx, tx, "devices.machines", func(rows pgx.Rows) error {
		var id ledger.ID
		var provider string
		var m machine
		err := rows.Scan(&id, &provider, &m.instanceType)
		m.provider = fleet.Provider(provider)
		machines[id] = m
		return err
	}, pg.Tenant)
	if err != nil {
		return err
	}
	return pg.Query(ctx, tx, "devices.summaries", func(rows pgx.Rows) error {
		h := analysis.SignalHour{}
		var packed, sketches pg.PgxBytes
		if err := rows.Scan(&h.Device, &h.SliceID, &h.Profile, &h.Model, &h.Hour, &packed, &sketches); err != nil {
			return err
		}
		to, ok := holdings[sliceHour{h.Device, h.SliceID, h.Hour}]
		if !ok { // the card itself where it is cut, or a slice that the layout of the hour does not have
			if to, ok = holdings[sliceHour{h.Device, onDevice, h.Hour}]; !ok {
				return nil // a device that is no slot of any machine
			}
			to.Profile = ""
		}
		h.Provider, h.InstanceType = machines[to.NodeID].provider, machines[to.NodeID].instanceType
		var err error
		h.Figures = readSignals(packed)
		if h.Sketches, err = readSketches(sketches); err != nil {
			return fmt.Errorf("device %s at %s: %w", h.Device, h.Hour, err)
		}
		into.Add(to, &h)
		return nil
	}, pg.Tenant, day)
}

// readSignals is readFigures by signal.
func readSignals(packed []byte) map[ledger.Signal]analysis.SignalFigures {
	names := minutes.Names()
	out := map[ledger.Signal]analysis.SignalFigures{}
	facts.ReadFigures(packed, func(f *facts.Figures) {
		if f.Code <= len(names) {
			out[ledger.Signal(names[f.Code-1])] = analysis.SignalFigures{Minutes: int64(f.Minutes), Total: f.Total, Low: f.Low, High: f.High, P95: f.P95}
		}
	})
	return out
}

// readSketches are the sketches of an hour by signal.
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
