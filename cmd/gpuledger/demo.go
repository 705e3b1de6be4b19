package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	"golang.org/x/sync/errgroup"

	"gpuledger/ingest"
	"gpuledger/internal/config"
	"gpuledger/internal/fleetsim"
	"gpuledger/internal/localpg"
	"gpuledger/internal/period"
	"gpuledger/internal/store"
	"gpuledger/internal/store/verify"
)

type demoCmd struct {
	Size      string `enum:"small,medium,large" default:"small" help:"How much to simulate: ${enum}. medium and large have a history and a closed month."`
	Addr      string `default:"127.0.0.1:8080" help:"Address to serve on."`
	NoServe   bool   `name:"no-serve" help:"Exit when the ledger is ready."`
	Live      bool   `help:"Keep the fleet running: serve its exporters, so that a Prometheus can scrape them and write to this server."`
	Exporters string `default:"127.0.0.1:9401" help:"Address to serve the exporters of a live fleet on."`
}

// Run implements the command: everything goes through the real parsers.
func (c *demoCmd) Run(a *app) error {
	defer a.endWithin(longestEnd)()
	if os.Getenv("GOMEMLIMIT") == "" && os.Getenv("GOGC") == "" {
		debug.SetMemoryLimit(demoMemory)
		debug.SetGCPercent(200)
	}
	if err := (doorFlags{Auth: authOff}).check(c.Addr); err != nil {
		return fmt.Errorf("a demo is served to this machine only: %w", err)
	}
	root := a.flags.DataDir
	if root == "" {
		var err error
		if root, err = localpg.DefaultDataDir(); err != nil {
			return err
		}
	}
	if c.Live {
		return c.live(a, root)
	}
	dir := filepath.Join(root, "demo", c.Size)
	return a.withStore(func(s *store.Store) error {
		start := time.Now()
		later := dir + "-later"
		m, err := c.simulate(a, dir, later)
		if err != nil {
			return err
		}
		if err := c.post(a, s, m, dir); err != nil {
			return err
		}
		fmt.Fprintf(a.stdout, "the ledger is written after %.1f s; the data is simulated, its files are in %s\n",
			time.Since(start).Seconds(), dir)
		fmt.Fprintf(a.stdout, "to import after gpuledger close %s: a restated bill and late telemetry of that month, "+
			"in %s\n", m.From.Format("2006-01"), later)
		c.sights(a)
		analyse := func(a *app) error {
			err := c.analyse(a, s, m)
			if err == nil {
				fmt.Fprintf(a.stdout, "ready after %.1f s\n", time.Since(start).Seconds())
			}
			return err
		}
		if c.NoServe {
			return analyse(a)
		}
		return c.serveEarly(a, s, analyse)
	})
}

// serveEarly serves the ledger while analyse runs. If that fails, so does the demo.
func (c *demoCmd) serveEarly(a *app, s *store.Store, analyse func(*app) error) error {
	group, ctx := errgroup.WithContext(a.ctx)
	open := *a
	open.ctx, open.computing = ctx, &computing{}
	open.computing.begin()
	group.Go(func() error {
		if err := analyse(&open); err != nil && a.ctx.Err() == nil { // else the user ends the demo
			return err
		}
		return nil
	})
	group.Go(func() error { return open.serveDemo(s, c.Addr) })
	return group.Wait()
}

// demoMemory is the heap size from which garbage collection takes priority over
// speed. Demos run on laptops, next to a PostgreSQL.
const demoMemory = 340 << 20

// demoFleet has a first month that can be closed: a history or, in the small fleet, where a
// history would take too long, days that cross the end of a month. The medium fleet
// has some 200 GPUs in all clusters together.
func demoFleet(size string) fleetsim.Config {
	cfg := fleetsim.Preset(fleetsim.Size(size)).Story()
	switch cfg.Size {
	case fleetsim.Small:
		cfg.History, cfg.Start = 0, cfg.Start.AddDate(0, 0, -cfg.Days/2-1)
	case fleetsim.Medium:
		cfg.GPUs = 80
	case fleetsim.Large:
		cfg.Days = 29 // until the end of the month
	}
	return cfg
}

// demoTokenEnv holds the token of the demo's operator; if it is empty, the demo
// generates one.
const demoTokenEnv = "GPULEDGER_DEMO_TOKEN" //nolint:gosec // a name, no credential

// demoConfig allocates new data within a minute, and has an operator with all
// rights.
func demoConfig() (*config.Config, error) {
	if os.Getenv(demoTokenEnv) == "" {
		if err := os.Setenv(demoTokenEnv, rand.Text()+rand.Text()); err != nil {
			return nil, fmt.Errorf("make a token for the demo's operator: %w", err)
		}
	}
	return &config.Config{AllocateEvery: config.Duration(time.Minute),
		Operators: []config.Operator{{Name: "demo", TokenEnv: demoTokenEnv, May: config.OperatorRights}}}, nil
}

// sights prints the pages worth a look.
func (c *demoCmd) sights(a *app) {
	for _, s := range []struct{ page, shows string }{
		{"/", "where each dollar went, and whether it adds up to the invoices"},
		{"/variance", "why a month costs more than the one before, and who moved it"},
		{"/budgets", "which budget breaks, and when"},
		{"/chargeback", "what each team pays; its statement as PDF"},
		{"/training", "runs with the attempts that died, and what they lost"},
		{"/models", "what a model's life cost: training, tuning, serving"},
		{"/spot", "what spot saved, before and after its losses"},
		{"/slices", "MIG slices, and the capacity that no slice can use"},
		{"/recommendations", "what to change; the operator decides"},
		{"/requests", "what pods ask for, and what they use"},
		{"/reconciliation", "bills against the ledger; closed months have statements"},
	} {
		fmt.Fprintf(a.stdout, "  %-17s %s\n", s.page, s.shows)
	}
	if demoFleet(c.Size).History == 0 {
		fmt.Fprintf(a.stdout, "two days are too few for monthly savings, commitments, trends and a closed month: use "+
			"--size medium\n")
	}
}

// simulate writes the files of a fleet, and the files that arrive after its first month
// was closed. The fleet is large: it can be collected once simulate returns.
func (c *demoCmd) simulate(a *app, dir, later string) (*fleetsim.Manifest, error) {
	fleet, err := fleetsim.New(demoFleet(c.Size))
	if err != nil {
		return nil, fmt.Errorf("simulate: %w", err)
	}
	m, err := c.write(a, fleet, dir)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(fleet.WriteBudgets(dir), fleet.WriteAnnotations(dir)); err != nil {
		return nil, fmt.Errorf("simulate: %w", err)
	}
	if err := os.RemoveAll(later); err != nil {
		return nil, fmt.Errorf("clear the folder of the last demo: %w", err)
	}
	if _, err := fleet.WriteLater(later); err != nil {
		return nil, fmt.Errorf("simulate: %w", err)
	}
	return m, nil
}

// write writes the files of a fleet into an empty folder.
func (c *demoCmd) write(a *app, fleet *fleetsim.Fleet, dir string) (*fleetsim.Manifest, error) {
	start := time.Now()
	if err := os.RemoveAll(dir); err != nil {
		return nil, fmt.Errorf("clear the folder of the last demo: %w", err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("make a folder for the demo: %w", err)
	}
	m, err := fleet.WriteTo(a.ctx, dir)
	if err != nil {
		return nil, fmt.Errorf("simulate: %w", err)
	}
	fmt.Fprintf(a.stdout,
		"simulate: %s on %s, %s, %s to %s; %s, %s in %.1f s\n",
		counted(m.GPUs, "GPU", "GPUs"), counted(m.Nodes, "node", "nodes"), counted(m.Pods, "pod", "pods"),
		m.From.Format(time.DateOnly), m.To.Format(time.DateOnly), counted(m.BillLines, "bill line", "bill lines"),
		counted(m.TelemetryLines, "telemetry line", "telemetry lines"), time.Since(start).Seconds())
	return m, nil
}

// post imports the files of a fleet and writes the ledger, closes its first month, and adds the people who are shown it.
func (c *demoCmd) post(a *app, s *store.Store, m *fleetsim.Manifest, dir string) error {
	until := period.FromTime(m.To)
	sum, err := a.importInto(s, ingest.Request{
		Source: ingest.SourceAuto, URIs: []string{dir}, Cluster: m.Cluster, SimulatedUntil: &until,
	})
	switch {
	case sum != nil && err != nil:
		fmt.Fprint(a.stdout, importText(sum))
	case sum != nil:
		fmt.Fprint(a.stdout, importBrief(sum))
	}
	if err != nil {
		return err
	}
	if err := a.agree(s); err != nil {
		return err
	}
	u, done := a.watched(s)
	allocated, err := u.Post(a.ctx, period.Interval{})
	done()
	if err != nil {
		return err
	}
	fmt.Fprint(a.stdout, allocateText(allocated))
	if !c.Live && demoFleet(c.Size).History > 0 { // close first: the analysis has to come after
		if err := a.closeFirst(s, m); err != nil {
			return err
		}
	}
	return a.addCast(s)
}

// analyse computes the figures that follow from the ledger, records a decision on a recommendation, and verifies.
func (c *demoCmd) analyse(a *app, s *store.Store, m *fleetsim.Manifest) error {
	u, done := a.watched(s)
	if a.computing != nil {
		u.Finished = a.computing.finish
	}
	err := u.Analyse(a.ctx)
	done()
	if err != nil {
		return err
	}
	if err := a.decide(s, m); err != nil {
		return err
	}
	start := time.Now()
	report, err := s.Verify(a.ctx, verify.Options{FailStale: true})
	if err != nil {
		return err
	}
	if err := verdict(report); err != nil {
		fmt.Fprint(a.stdout, verifyText(report))
		return err
	}
	if a.computing != nil {
		a.computing.finish(verifying)
	}
	fmt.Fprintf(a.stdout, "verify: %s (%.1f s)\n", counted(len(report.Checks), "invariant holds", "invariants hold"),
		time.Since(start).Seconds())
	return nil
}
