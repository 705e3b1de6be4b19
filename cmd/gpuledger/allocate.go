package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"gpuledger/internal/config"
	"gpuledger/internal/posting"
	"gpuledger/internal/store"
	"gpuledger/internal/store/pg"
	"gpuledger/internal/upkeep"
	"gpuledger/internal/visible"
	"gpuledger/internal/workers"
	"gpuledger/metrics"
)

type allocateCmd struct {
	From    string `placeholder:"TIME" help:"Start of a window: only node-days that overlap it. By default, the whole backlog."`
	To      string `placeholder:"TIME" help:"End of the window, exclusive."`
	Workers int    `placeholder:"N" help:"Nodes computed at once. Default: the configured number, else 2."`
	Output  string `enum:"text,json" default:"text" help:"Summary as ${enum}."`
}

// Run implements the command.
func (c *allocateCmd) Run(a *app) error {
	within, err := metrics.ParseWindow(c.From, c.To, "UTC")
	if err != nil {
		return err
	}
	cfg, err := a.config()
	if err != nil {
		return err
	}
	if c.Workers < 0 || c.Workers > config.MaxWorkers {
		return fmt.Errorf("--workers: give a number from 0 to %d", config.MaxWorkers)
	}
	slots := cmp.Or(c.Workers, cfg.Allocation.Workers, ownSlots)
	return a.withDatabase(continues, pg.Options{MaxConns: connsOf(slots)}, func(s *store.Store, _ string) error {
		a.crew, a.shareFrom = a.newCrew(s, slots), cfg.Allocation.ShareFrom
		u, done := a.watched(s)
		sum, err := u.Run(a.ctx, within)
		done()
		if err != nil {
			return err
		}
		text := allocateText(sum)
		nowhere, err := nameUndescribed(a.ctx, s, sum)
		if err != nil {
			return err
		}
		of, err := metrics.ReadStanding(a.ctx, s, metrics.Options{})
		if err != nil {
			return err
		}
		noPrice, err := unpriced(a.ctx, s, of)
		if err != nil {
			return err
		}
		if noPrice != "" {
			nowhere += "  " + noPrice + "\n"
		}
		return a.printSummary(c.Output, sum, func() string { return text + nowhere })
	})
}

// ownSlots is the default number of nodes that a process computes at once.
const ownSlots = 2

// connsOf is the number of connections for so many workers, plus the planner's lock,
// its heartbeats and its own reads.
func connsOf(slots int) int32 { return int32(slots) + 6 }

func (a *app) newCrew(s *store.Store, slots int) *workers.Crew {
	return workers.New(workers.Options{Store: s, Slots: slots, Log: a.log})
}

// upkeep allocates alone, or shares the work with other processes if the command has
// created a crew.
func (a *app) upkeep(s *store.Store) *upkeep.Upkeep {
	u := &upkeep.Upkeep{Store: s, Now: time.Now, Log: a.log}
	if a.crew != nil {
		u.Crew, u.Workers, u.ShareFrom = a.crew, a.crew.Slots, a.shareFrom
	}
	return u
}

// watched is upkeep with progress on standard error; the caller calls done at the end.
func (a *app) watched(s *store.Store) (u *upkeep.Upkeep, done func()) {
	p := a.newProgress()
	u = a.upkeep(s)
	u.Progress = func(what string, done, total int) {
		p.show(func() string {
			unit := "days"
			if what == "allocate" {
				unit = "node-days"
			}
			return fmt.Sprintf("%s: %d of %d %s", what, done, total, unit)
		})
	}
	return u, p.done
}

// undescribed is the diagnostic code for work on machines that no source describes.
const undescribed = "undescribed_machine"

// nameUndescribed adds to a summary the work without a cost because no source describes its
// machine, and returns it as text.
func nameUndescribed(ctx context.Context, s *store.Store, sum *posting.AllocationSummary) (text string, err error) {
	list, err := s.Undescribed(ctx)
	if err != nil || len(list) == 0 {
		return "", err
	}
	if sum.Examples == nil {
		sum.Examples = map[string][]string{}
	}
	var b strings.Builder
	for i, u := range list {
		if sum.Diagnostics[undescribed]++; i < shownUndescribed {
			sum.Examples[undescribed] = append(sum.Examples[undescribed], u.String())
			visible.Fprintf(&b, "  left out: %s\n", u)
		}
	}
	if more := len(list) - shownUndescribed; more > 0 {
		visible.Fprintf(&b, "  left out: work on %s: gpuledger doctor\n", counted(more, "more machine", "more machines"))
	}
	return b.String(), nil
}

// shownUndescribed is how many machines a summary names.
const shownUndescribed = 5

// allocateText is the summary as text.
func allocateText(sum *posting.AllocationSummary) string {
	var b strings.Builder
	visible.Fprintf(&b, "allocate: %s, %s, %s in %.1f s\n", counted(sum.Chunks, "node-day", "node-days"),
		counted(sum.UsageRows, "usage row", "usage rows"), counted(sum.Postings, "posting", "postings"), sum.Seconds)
	visible.Fprintf(&b, "  %s, %d of them with %s; %s, %s, %s; %s, %d cut again\n", counted(sum.Nodes, "node", "nodes"),
		sum.FleetNodes, counted(sum.GPUs, "GPU", "GPUs"), counted(sum.Runs, "run", "runs"),
		counted(sum.Attempts, "attempt", "attempts"), counted(sum.Workloads, "workload", "workloads"),
		counted(sum.Deliveries, "delivery", "deliveries"), sum.Recut)
	for _, code := range sortedKeys(sum.Diagnostics) {
		visible.Fprintf(&b, "  %s: %d", code, sum.Diagnostics[code])
		if examples := sum.Examples[code]; len(examples) > 0 {
			visible.Fprintf(&b, ", such as %s", examples[0])
		}
		b.WriteByte('\n')
	}
	return b.String()
}
