package store

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
)

// DeviceDay works out one day of devices and their signals anew.
func (s *Store) DeviceDay(ctx context.Context, step string, day period.Second, into *analysis.DeviceSignals) (written int64, err error) {
	for _, table := range []string{"device_days", "device_signals"} {
		if err := s.ensureMonths(ctx, table, day, day); err != nil {
			return 0, err
		}
	}
	err = s.analysisDay(ctx, step, day, func(tx pgx.Tx) error {
		for _, name := range []string{"devices.forget", "devices.forget_signals"} {
			if _, err := exec(ctx, tx, name, tenant, day); err != nil {
				return err
			}
		}
		if written, err = exec(ctx, tx, "devices.put", tenant, day); err != nil {
			return err
		}
		if err := gatherSignals(ctx, tx, day, into); err != nil {
			return err
		}
		rows := into.Rows()
		written += int64(len(rows))
		return copySignals(ctx, tx, day, rows)
	})
	return written, err
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
	err := query(ctx, tx, "devices.holdings", func(rows pgx.Rows) error {
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
	}, tenant, day)
	if err != nil {
		return err
	}
	type machine struct{ provider, instanceType string }
	machines := map[ledger.ID]machine{}
	err = query(ctx, tx, "devices.machines", func(rows pgx.Rows) error {
		var id ledger.ID
		var provider string
		var m machine
		err := rows.Scan(&id, &provider, &m.instanceType)
		m.provider = fleet.Provider(provider)
		machines[id] = m
		return err
	}, tenant)
	if err != nil {
		return err
	}
	return query(ctx, tx, "devices.summaries", func(rows pgx.Rows) error {
		h := analysis.SignalHour{}
		var packed, sketches pgxBytes
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
	}, tenant, day)
}

// readSignals is readFigures by signal.
func readSignals(packed []byte) map[ledger.Signal]analysis.SignalFigures {
	names := minutes.Names()
	out := map[ledger.Signal]analysis.SignalFigures{}
	readFigures(packed, func(f *figures) {
		if f.code <= len(names) {
			out[ledger.Signal(names[f.code-1])] = analysis.SignalFigures{Minutes: int64(f.minutes), Total: f.total, Low: f.low, High: f.high, P95: f.p95}
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

// copySignals writes what the hours of a day showed.
func copySignals(ctx context.Context, tx pgx.Tx, day period.Second, list []analysis.DeviceDay) error {
	columns := []string{"tenant_id", "day", "node_id", "slot", "device", "mig_profile", "owner_id", "class", "namespace", "hours", "throttled_hours", "xids"}
	for _, signal := range []string{"activity", "sm", "tensor", "dram", "memory", "power"} { // as analysis.DeviceDay has them
		columns = append(columns, signal+"_minutes", signal+"_total", signal+"_bins")
	}
	_, err := tx.CopyFrom(ctx, pgx.Identifier{"device_signals"}, columns, pgx.CopyFromSlice(len(list), func(i int) ([]any, error) {
		d := &list[i]
		xids := d.XIDs
		if xids == nil {
			xids = []int32{}
		}
		row := []any{tenant, day, d.NodeID, d.Slot, d.Device, known(d.Profile), d.OwnerID, known(d.Class), known(d.Namespace), d.Hours, d.ThrottledHours, xids}
		for _, m := range d.Signals {
			if m.Minutes == 0 {
				row = append(row, nil, nil, nil)
				continue
			}
			row = append(row, m.Minutes, m.Total, m.Bins)
		}
		return row, nil
	}))
	if err != nil {
		return fmt.Errorf("write signals of devices: %w", err)
	}
	return nil
}
