package fleetsim

import (
	"context"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
)

// Fleet is one invented fleet. It is immutable; its methods may be called in
// any order and give the same answer each time.
type Fleet struct {
	Clusters []*Cluster // the one on AWS first
}

// Cluster is one cluster with its bill.
type Cluster struct {
	World *World
	Bill  Bill
}

// Bill is what a provider charges for a cluster and for what is around it.
type Bill interface {
	// Charges are the lines that count in the end.
	Charges() []*Charge
	// write writes all deliveries under dir and notes their files.
	write(dir string, m *Manifest) error
}

// noBill is that of a fleet whose bill nobody handed in.
type noBill struct{}

// Charges implements Bill.
func (noBill) Charges() []*Charge            { return nil }
func (noBill) write(string, *Manifest) error { return nil }

// New invents the fleet. It refuses configurations that make no sense.
func New(cfg Config) (*Fleet, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	f := &Fleet{}
	add := func(on *Site, bills func(*World) Bill) {
		own := cfg
		if on != OnAWS {
			own.Cluster = on.cluster
			own.Seed = cfg.Seed + 1_000_003*int64(len(f.Clusters)) // nobody's pods are anybody else's
			if on != onMetal {
				own.History = 0
			}
		}
		w := build(own, on)
		if cfg.Unbilled {
			w.BillTo, bills = 0, func(*World) Bill { return noBill{} }
		}
		f.Clusters = append(f.Clusters, &Cluster{w, bills(w)})
	}
	add(OnAWS, func(w *World) Bill { return w.awsBill() })
	if cfg.GCP {
		add(onGCP, func(w *World) Bill { return w.gcpBill() })
	}
	if cfg.Azure {
		add(onAzure, func(w *World) Bill { return w.azureBill() })
	}
	if cfg.Owned {
		add(onMetal, func(w *World) Bill { return w.ownedBill() })
	}
	if cfg.Slurm {
		add(onSlurm, func(w *World) Bill { return w.ownedBill() })
	}
	line := int64(6)
	for _, c := range f.Clusters {
		if c.World.Site.Provider == Owned {
			c.World.bookLine = line
			line += int64(strings.Count(c.World.ownedEntry(), "\n"))
		}
	}
	return f, nil
}

// Manifest says what was written. Paths are relative to the folder.
type Manifest struct {
	// Cluster is the name that telemetry goes without; empty when its series
	// name their clusters.
	Cluster   string
	From, To  time.Time // telemetry
	BillTo    time.Time // of AWS; later hours are provisional
	AWSCUR    []string  // data files and manifests of the delivery that counts
	AWSFirst  []string  // those of the one it restates
	GCP       []string  // one file per export day
	Azure     []string  // data files and manifests of the pair that counts
	AzureOld  []string  // those of the pair it restates
	Telemetry []string
	Events    []string
	Slurm     []string // sacct, one file per month
	PriceBook string
	// Experiments is what experiments on AWS came to.
	Experiments string

	Nodes, GPUs, Pods int
	BillLines         int64
	TelemetryLines    int64
	Waste             []Waste
}

// WriteTo writes all files under dir, those of telemetry day by day. It stops between files when
// ctx is done; what was written so far stays.
func (f *Fleet) WriteTo(ctx context.Context, dir string) (*Manifest, error) {
	w := f.Clusters[0].World
	m := &Manifest{From: time.Unix(w.From, 0).UTC(), To: time.Unix(w.To, 0).UTC(), BillTo: time.Unix(w.BillTo, 0).UTC(), PriceBook: "price-book.yaml"}
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
		if err := c.World.writePreemptions(dir, m); err != nil {
			return nil, err
		}
		if c.World.Site.Slurm {
			if err := c.World.writeAccounting(dir, m); err != nil {
				return nil, err
			}
		}
	}
	return m, nil
}

// writeBooks writes what is billed, and what happened besides.
func (f *Fleet) writeBooks(dir string, m *Manifest) (err error) {
	for _, c := range f.Clusters {
		c.World.count(m)
		if err := c.Bill.write(dir, m); err != nil {
			return err
		}
	}
	w := f.Clusters[0].World
	if m.Events, err = w.writeEvents(dir); err != nil {
		return err
	}
	if w.Config.Unbilled {
		m.PriceBook = ""
	} else if err := f.writePriceBook(dir); err != nil {
		return err
	}
	return w.writeExperiments(dir, m)
}

// count adds what there is until the end of the data.
func (w *World) count(m *Manifest) {
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
