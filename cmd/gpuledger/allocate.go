package main

import (
	"fmt"
	"strings"
	"time"

	"gpuledger/internal/jobs"
	"gpuledger/internal/period"
	"gpuledger/internal/store"
)

type allocateCmd struct {
	From   string `placeholder:"TIME" help:"Only node-days that overlap the window; everything that waits by default."`
	To     string `placeholder:"TIME" help:"End of the window, exclusive."`
	Output string `enum:"text,json" default:"text" help:"Summary as ${enum}."`
}

// Run implements the command.
func (c *allocateCmd) Run(a *app) error {
	within, err := window(c.From, c.To)
	if err != nil {
		return err
	}
	return a.withStore(func(s *store.Store) error {
		sum, err := a.allocate(s, within)
		if err != nil {
			return err
		}
		return a.printSummary(c.Output, sum, func() string { return allocateText(sum) })
	})
}

// allocate runs an allocation with progress on standard error.
func (a *app) allocate(s *store.Store, within period.Interval) (*jobs.AllocationSummary, error) {
	p := a.newProgress()
	defer p.done()
	j := &jobs.Allocator{Store: s, Log: a.log, Progress: func(done, total int) {
		p.show(func() string { return fmt.Sprintf("allocate: %d of %d node-days", done, total) })
	}}
	sum, err := j.Run(a.ctx, within)
	if err != nil {
		return nil, err
	}
	if _, err := s.Summarise(a.ctx, period.FromTime(time.Now())); err != nil {
		return sum, err
	}
	return sum, s.RefreshStatistics(a.ctx, sum.Chunks)
}

// allocateText is the summary for people.
func allocateText(sum *jobs.AllocationSummary) string {
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
