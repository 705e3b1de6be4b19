package main

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"gpuledger/internal/analysis"
	"gpuledger/internal/config"
	"gpuledger/internal/period"
	"gpuledger/internal/posting"
	"gpuledger/internal/store"
	"gpuledger/internal/store/pg"
	"gpuledger/internal/workers"
)

type allocateCmd struct {
	From    string `placeholder:"TIME" help:"Only node-days that overlap the window; everything that waits by default."`
	To      string `placeholder:"TIME" help:"End of the window, exclusive."`
	Workers int    `placeholder:"N" help:"Nodes computed at once; without it what the configuration says, else 2."`
	Output  string `enum:"text,json" default:"text" help:"Summary as ${enum}."`
}

// Run implements the command.
func (c *allocateCmd) Run(a *app) error {
	within, err := window(c.From, c.To)
	if err != nil {
		return err
	}
	cfg, err := a.config()
	if err != nil {
		return err
	}
	if c.Workers < 0 || c.Workers > config.MaxWorkers {
		return fmt.Errorf("--workers: 0 to %d are possible", config.MaxWorkers)
	}
	slots := cmp.Or(c.Workers, cfg.Allocation.Workers, ownSlots)
	return a.withDatabase(pg.Options{MaxConns: connsOf(slots)}, func(s *store.Store, _ string) error {
		a.crew, a.shareFrom = a.newCrew(s, slots), cfg.Allocation.ShareFrom
		sum, err := a.allocate(s, within)
		if err != nil {
			return err
		}
		return a.printSummary(c.Output, sum, func() string { return allocateText(sum) })
	})
}

// ownSlots are the nodes that a process computes at once unless it is told.
const ownSlots = 2

// connsOf is enough for so many workers, the lock of the planner, its signs of
// life and what it reads meanwhile.
func connsOf(slots int) int32 { return int32(slots) + 6 }

// newCrew makes the workers of this process.
func (a *app) newCrew(s *store.Store, slots int) *workers.Crew {
	return workers.New(workers.Options{Store: s, Slots: slots, Log: a.log})
}

// allocator allocates alone, or with other processes where the command has made
// a crew.
func (a *app) allocator(s *store.Store) *posting.Allocator {
	j := &posting.Allocator{Store: s, Log: a.log}
	if a.crew != nil {
		j.Crew, j.Workers, j.ShareFrom = a.crew, a.crew.Slots, a.shareFrom
	}
	return j
}

// allocate runs an allocation with progress on standard error.
func (a *app) allocate(s *store.Store, within period.Interval) (*posting.AllocationSummary, error) {
	sum, err := a.post(s, within)
	if err != nil {
		return sum, err
	}
	return sum, a.analyse(s)
}

// post brings the ledger up to date, but not what is made of it.
func (a *app) post(s *store.Store, within period.Interval) (*posting.AllocationSummary, error) {
	p := a.newProgress()
	defer p.done()
	j := a.allocator(s)
	j.Progress = func(done, total int) {
		p.show(func() string { return fmt.Sprintf("allocate: %d of %d node-days", done, total) })
	}
	sum, err := j.Run(a.ctx, within)
	if err != nil {
		return nil, err
	}
	group, ctx := errgroup.WithContext(a.ctx)
	group.Go(func() error {
		_, err := s.Summarise(ctx, period.FromTime(time.Now()))
		return err
	})
	group.Go(func() error { return s.RefreshStatistics(ctx) })
	return sum, group.Wait()
}

// analyse makes what pages ask for of the days that changed.
func (a *app) analyse(s *store.Store) error {
	p := a.newProgress()
	defer p.done()
	_, err := (&analysis.Analyst{Store: s, Log: a.log, Progress: func(step string, done, total int) {
		p.show(func() string { return fmt.Sprintf("analyse: %s, %d of %d days", step, done, total) })
	}}).Run(a.ctx)
	return err
}

// allocateText is the summary for people.
func allocateText(sum *posting.AllocationSummary) string {
	var b strings.Builder
	fmt.Fprintf(&b, "allocate: %d node-days, %d usage rows, %d postings in %.1f s\n", sum.Chunks, sum.UsageRows, sum.Postings, sum.Seconds)
	fmt.Fprintf(&b, "  %d nodes, %d of them with %d GPUs; %d runs, %d attempts, %d workloads; %d deliveries, %d cut again\n",
		sum.Nodes, sum.FleetNodes, sum.GPUs, sum.Runs, sum.Attempts, sum.Workloads, sum.Deliveries, sum.Recut)
	for _, code := range sortedKeys(sum.Diagnostics) {
		fmt.Fprintf(&b, "  %s: %d", code, sum.Diagnostics[code])
		if examples := sum.Examples[code]; len(examples) > 0 {
			fmt.Fprintf(&b, ", such as %s", examples[0])
		}
		b.WriteByte('\n')
	}
	return b.String()
}
