package fleetsim

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"golang.org/x/sync/errgroup"

	"gpuledger/internal/fleetsim/world"
)

// exposition is the output of one kind of exporter of a cluster, a file a day. Its days follow each other, because
// counters continue; expositions are independent of one another.
type exposition struct {
	w     *world.World
	name  string
	write func(t *textFile, day int64)

	files []string // by day; empty: no samples
	lines int64
}

// expositions are a cluster's expositions in the order of the manifest.
func expositions(w *world.World) []*exposition {
	energy := map[*world.Device]int64{}
	list := []*exposition{
		{w: w, name: "kube-state-metrics", write: func(t *textFile, day int64) { writeKSM(w, t, day) }},
		{w: w, name: "dcgm", write: func(t *textFile, day int64) { dcgmDay(w, t, day, energy) }},
		{w: w, name: "training", write: func(t *textFile, day int64) { checkpointDay(w, t, day) }},
		{w: w, name: "hosts", write: func(t *textFile, day int64) { hostDay(w, t, day) }},
	}
	if w.Site.Slurm {
		list = list[1:2]
	}
	if w.Site.Serving != "" {
		list = append(list, &exposition{w: w, name: "vllm", write: func(t *textFile, day int64) { vllmDay(w, t, day) }},
			&exposition{w: w, name: "servers", write: func(t *textFile, day int64) { serversDay(w, t, day) }})
	}
	return list
}

// writeTelemetry writes one folder of text per cluster, as many expositions at
// once as there are processors.
func (f *Fleet) writeTelemetry(ctx context.Context, dir string, m *Manifest) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	clusters := make([][]*exposition, len(f.Clusters))
	for i, c := range f.Clusters {
		clusters[i] = expositions(c.World)
		for _, x := range clusters[i] {
			group.Go(func() error { return x.days(ctx, dir) })
		}
	}
	if err := group.Wait(); err != nil {
		return err
	}
	for _, of := range clusters {
		for day := range of[0].files {
			for _, x := range of {
				if x.files[day] != "" {
					m.Telemetry = append(m.Telemetry, x.files[day])
				}
			}
		}
		for _, x := range of {
			m.TelemetryLines += x.lines
		}
	}
	return nil
}

func (x *exposition) days(ctx context.Context, dir string) error {
	folder := filepath.Join("telemetry", x.w.Config.Cluster)
	if err := os.MkdirAll(filepath.Join(dir, folder), 0o755); err != nil {
		return fmt.Errorf("make folder of telemetry: %w", err)
	}
	label := ""
	if x.w.Config.LabelClusters {
		label = x.w.Config.Cluster
	}
	for day := x.w.From; day < x.w.To; day += 86400 {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("simulation stopped at %s: %w", world.IsoSecond(day), err)
		}
		rel := filepath.Join(folder, x.name+"-"+world.IsoSecond(day)[:10]+".prom.zst")
		t, err := newTextFile(filepath.Join(dir, rel), label)
		if err != nil {
			return err
		}
		x.write(t, day)
		x.lines += t.lines
		if err := t.close(); err != nil {
			return err
		}
		if t.lines == 0 { // such a file would be refused
			if err := os.Remove(t.path); err != nil {
				return fmt.Errorf("remove an empty exposition: %w", err)
			}
			rel = ""
		}
		x.files = append(x.files, rel)
	}
	return nil
}
