package fleetsim

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// Fleet is one invented fleet. It is immutable; its methods may be called in
// any order and give the same answer each time.
type Fleet struct {
	w     *world
	lines []*billLine
}

// New invents the fleet. It refuses configurations that make no sense.
func New(cfg Config) (*Fleet, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	w := build(cfg)
	return &Fleet{w: w, lines: w.bill()}, nil
}

// Manifest says what was written. Paths are relative to the folder.
type Manifest struct {
	Cluster   string
	From, To  time.Time // telemetry
	BillTo    time.Time // later hours are provisional
	AWSCUR    []string
	Telemetry []string
	Events    []string
	PriceBook string

	Nodes, GPUs, Pods int
	BillLines         int64
	TelemetryLines    int64
	Waste             []Waste
}

// WriteTo writes all files under dir, day by day. It stops between files when
// ctx is done; what was written so far stays.
func (f *Fleet) WriteTo(ctx context.Context, dir string) (*Manifest, error) {
	w := f.w
	m := &Manifest{Cluster: w.cfg.Cluster, From: time.Unix(w.from, 0).UTC(), To: time.Unix(w.to, 0).UTC(), BillTo: time.Unix(w.billTo, 0).UTC(),
		PriceBook: "price-book.yaml", Nodes: len(w.nodes), Pods: len(w.pods), BillLines: int64(len(f.lines)), Waste: w.waste}
	for _, n := range w.nodes {
		if n.end == 0 {
			m.GPUs += len(n.devices)
		}
	}
	telemetry := filepath.Join("telemetry", w.cfg.Cluster)
	if err := os.MkdirAll(filepath.Join(dir, telemetry), 0o755); err != nil {
		return nil, fmt.Errorf("make folder of telemetry: %w", err)
	}
	var err error
	if m.AWSCUR, err = w.writeCUR(dir, f.lines); err != nil {
		return nil, err
	}
	if m.Events, err = w.writeEvents(dir); err != nil {
		return nil, err
	}
	if err := w.writePriceBook(dir); err != nil {
		return nil, err
	}
	energy := map[*device]int64{}
	families := []struct {
		name  string
		write func(*textFile, int64)
	}{
		{"kube-state-metrics", w.writeKSM},
		{"dcgm", func(t *textFile, day int64) { w.dcgmDay(t, day, energy) }},
		{"vllm", w.vllmDay},
		{"training", w.checkpointDay},
	}
	for day := w.from; day < w.to; day += 86400 {
		for _, fam := range families {
			if err := ctx.Err(); err != nil {
				return nil, fmt.Errorf("simulation stopped at %s: %w", isoSecond(day), err)
			}
			rel := filepath.Join(telemetry, fam.name+"-"+isoSecond(day)[:10]+".prom.zst")
			t, err := newTextFile(filepath.Join(dir, rel))
			if err != nil {
				return nil, err
			}
			fam.write(t, day)
			m.TelemetryLines += t.lines
			if err := t.close(); err != nil {
				return nil, err
			}
			m.Telemetry = append(m.Telemetry, rel)
		}
	}
	return m, nil
}
