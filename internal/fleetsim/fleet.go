package fleetsim

import (
	"context"
	"time"

	"golang.org/x/sync/errgroup"

	"gpuledger/internal/fleetsim/bills"
	"gpuledger/internal/fleetsim/world"
)

// Fleet is one invented fleet. It is immutable; its methods may be called in
// any order and give the same answer each time.
type Fleet struct {
	Clusters []*Cluster // the one on AWS first
}

// Cluster is one cluster with its bill.
type Cluster struct {
	World *world.World
	Bill  bills.Bill
}

// New invents the fleet. It refuses inconsistent configurations.
func New(cfg world.Config) (*Fleet, error) {
	worlds, err := world.All(cfg)
	if err != nil {
		return nil, err
	}
	f := &Fleet{}
	for i, b := range bills.All(worlds) {
		f.Clusters = append(f.Clusters, &Cluster{worlds[i], b})
	}
	return f, nil
}

// Manifest lists the written files. Paths are relative to the folder.
type Manifest struct {
	// Cluster is the cluster of telemetry without a cluster label; empty if all series name their clusters.
	Cluster  string
	From, To time.Time // telemetry
	BillTo   time.Time // of AWS; later hours are provisional
	bills.Files
	Telemetry []string
	Events    []string
	Slurm     []string // sacct, one file per month
	PriceBook string
	// Experiments is the results of experiments on AWS.
	Experiments string

	// Of a fleet with Review: when the last month changes course, and the notebook that is ended then.
	ChangedAt time.Time
	Forgotten string

	Nodes, GPUs, Pods int
	TelemetryLines    int64
	Waste             []world.Waste
}

// WriteTo writes all files under dir, telemetry day by day. It stops between files when ctx is done; files already
// written stay.
func (f *Fleet) WriteTo(ctx context.Context, dir string) (*Manifest, error) {
	w := f.Clusters[0].World
	m := &Manifest{
		From: time.Unix(w.From, 0).UTC(), To: time.Unix(w.To, 0).UTC(),
		BillTo: time.Unix(w.BillTo, 0).UTC(), PriceBook: "price-book.yaml",
	}
	if w.Config.Review {
		m.ChangedAt, m.Forgotten = time.Unix(w.ChangeAt(), 0).UTC(), world.Forgotten
	}
	if !w.Config.LabelClusters {
		m.Cluster = w.Config.Cluster
	}
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return f.writeBooks(dir, m) })
	group.Go(func() error { return f.writeTelemetry(ctx, dir, m) })
	if err := group.Wait(); err != nil {
		return nil, err
	}
	for _, c := range f.Clusters {
		if err := writePreemptions(c.World, dir, m); err != nil {
			return nil, err
		}
		if c.World.Site.Slurm {
			if err := writeAccounting(c.World, dir, m); err != nil {
				return nil, err
			}
		}
	}
	return m, nil
}

// writeBooks writes the bills and the events.
func (f *Fleet) writeBooks(dir string, m *Manifest) (err error) {
	for _, c := range f.Clusters {
		count(c.World, m)
		if err := c.Bill.Write(dir, &m.Files); err != nil {
			return err
		}
	}
	w := f.Clusters[0].World
	if m.Events, err = writeEvents(w, dir); err != nil {
		return err
	}
	if w.Config.Unbilled {
		m.PriceBook = ""
	} else if err := bills.WritePriceBook(dir, f.worlds()); err != nil {
		return err
	}
	return writeExperiments(w, dir, m)
}

// count adds the numbers at the end of the data.
func count(w *world.World, m *Manifest) {
	for _, n := range w.Nodes {
		if n.Launch < w.To {
			m.Nodes++
			if n.End == 0 || n.End >= w.To {
				m.GPUs += len(n.Devices)
			}
		}
	}
	for _, p := range w.Pods {
		if p.Created < w.To {
			m.Pods++
		}
	}
	for _, x := range w.Waste {
		if x.From < w.To {
			m.Waste = append(m.Waste, x)
		}
	}
}

func (f *Fleet) worlds() []*world.World {
	var out []*world.World
	for _, c := range f.Clusters {
		out = append(out, c.World)
	}
	return out
}
