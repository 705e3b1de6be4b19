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
	clusters []*cluster // the one on AWS first
}

// cluster is one cluster with its bill.
type cluster struct {
	w    *world
	bill bill
}

// bill is what a provider charges for a cluster and for what is around it.
type bill interface {
	// charges are the lines that count in the end.
	charges() []*charge
	// write writes all deliveries under dir and notes their files.
	write(dir string, m *Manifest) error
}

// noBill is that of a fleet whose bill nobody handed in.
type noBill struct{}

func (noBill) charges() []*charge            { return nil }
func (noBill) write(string, *Manifest) error { return nil }

// New invents the fleet. It refuses configurations that make no sense.
func New(cfg Config) (*Fleet, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	f := &Fleet{}
	add := func(on *site, bills func(*world) bill) {
		own := cfg
		if on != onAWS {
			own.Cluster = on.cluster
			own.Seed = cfg.Seed + 1_000_003*int64(len(f.clusters)) // nobody's pods are anybody else's
			if on != onMetal {
				own.History = 0
			}
		}
		w := build(own, on)
		if cfg.Unbilled {
			w.billTo, bills = 0, func(*world) bill { return noBill{} }
		}
		f.clusters = append(f.clusters, &cluster{w, bills(w)})
	}
	add(onAWS, func(w *world) bill { return w.awsBill() })
	if cfg.GCP {
		add(onGCP, func(w *world) bill { return w.gcpBill() })
	}
	if cfg.Azure {
		add(onAzure, func(w *world) bill { return w.azureBill() })
	}
	if cfg.Owned {
		add(onMetal, func(w *world) bill { return w.ownedBill() })
	}
	if cfg.Slurm {
		add(onSlurm, func(w *world) bill { return w.ownedBill() })
	}
	line := int64(6)
	for _, c := range f.clusters {
		if c.w.site.provider == owned {
			c.w.bookLine = line
			line += int64(strings.Count(c.w.ownedEntry(), "\n"))
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
	w := f.clusters[0].w
	m := &Manifest{From: time.Unix(w.from, 0).UTC(), To: time.Unix(w.to, 0).UTC(), BillTo: time.Unix(w.billTo, 0).UTC(), PriceBook: "price-book.yaml"}
	if !w.cfg.LabelClusters {
		m.Cluster = w.cfg.Cluster
	}
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return f.writeBooks(dir, m) })
	group.Go(func() error { return f.writeTelemetry(ctx, dir, m) })
	if err := group.Wait(); err != nil {
		return nil, err
	}
	for _, c := range f.clusters {
		if err := c.w.writePreemptions(dir, m); err != nil {
			return nil, err
		}
		if c.w.site.slurm {
			if err := c.w.writeAccounting(dir, m); err != nil {
				return nil, err
			}
		}
	}
	return m, nil
}

// writeBooks writes what is billed, and what happened besides.
func (f *Fleet) writeBooks(dir string, m *Manifest) (err error) {
	for _, c := range f.clusters {
		c.w.count(m)
		if err := c.bill.write(dir, m); err != nil {
			return err
		}
	}
	w := f.clusters[0].w
	if m.Events, err = w.writeEvents(dir); err != nil {
		return err
	}
	if w.cfg.Unbilled {
		m.PriceBook = ""
	} else if err := f.writePriceBook(dir); err != nil {
		return err
	}
	return w.writeExperiments(dir, m)
}

// count adds what there is until the end of the data.
func (w *world) count(m *Manifest) {
	for _, n := range w.nodes {
		if n.launch < w.to {
			m.Nodes++
			if n.end == 0 || n.end >= w.to {
				m.GPUs += len(n.devices)
			}
		}
	}
	for _, p := range w.pods {
		if p.created < w.to {
			m.Pods++
		}
	}
	for _, x := range w.waste {
		if x.From < w.to {
			m.Waste = append(m.Waste, x)
		}
	}
}
