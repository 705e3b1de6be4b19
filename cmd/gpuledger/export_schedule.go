package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	"gpuledger/internal/config"
	"gpuledger/internal/export"
	"gpuledger/internal/outgoing"
	"gpuledger/internal/store"
	"gpuledger/internal/visible"
	"gpuledger/metrics"
	"gpuledger/web/views/format"
)

type exportScheduleCmds struct {
	Add    exportAddCmd    `cmd:"" help:"Store a schedule, or change the one of this name. Its first run is at once."`
	List   exportListCmd   `cmd:"" help:"List schedules with the result of their last run."`
	Run    exportRunCmd    `cmd:"" help:"Run a schedule now, due or not."`
	Remove exportRemoveCmd `cmd:"" help:"Delete a schedule. Exported files stay."`
}

type exportAddCmd struct {
	Name    string `arg:"" help:"Name of the schedule."`
	Dataset string `arg:"" help:"Dataset, as in report."`
	To      string `required:"" placeholder:"URI" help:"Folder below which each month gets a folder: an absolute path, s3://bucket/folder, gs://bucket/folder or az://account/container/folder. Credentials come from the environment of the server."`
	Every   string `enum:"hourly,daily,weekly,monthly" default:"daily" help:"${enum}, in UTC. Weeks begin on Monday."`
	Months  int    `default:"3" help:"Newest billing months that each run exports."`
	Keep    int    `default:"0" placeholder:"N" help:"Newest billing months that stay at the target; older ones are deleted there. 0 keeps all."`
	exportOptions
	By string `placeholder:"NAME" help:"Name for the audit log; the operating system user by default."`
}

// Run implements the command.
func (c *exportAddCmd) Run(a *app) error {
	x := outgoing.Schedule{Name: c.Name, Dataset: c.Dataset, Options: c.options(), Format: export.Format(c.Format),
		ForExcel: c.ForExcel, Target: c.To, Every: outgoing.Cadence(c.Every), Months: c.Months, Keep: c.Keep}
	if err := x.Check(); err != nil {
		return err
	}
	cfg, err := a.config()
	if err != nil {
		return err
	}
	if _, err := exportTargets(cfg).Folder(c.To); err != nil {
		return &metrics.OptionError{Option: "to", Value: c.To, Reason: err.Error()}
	}
	return a.withStore(func(s *store.Store) error {
		changed, err := s.Exports.Save(a.ctx, actor(c.By), time.Now(), x)
		if err != nil {
			return err
		}
		outcome := "is stored; `gpuledger serve` runs it"
		if !changed {
			outcome = "is stored already; nothing changed"
		}
		visible.Fprintf(a.stdout, "export schedule %s %s\n", c.Name, outcome)
		return nil
	})
}

type exportRemoveCmd struct {
	Name string `arg:"" help:"Name of the schedule."`
	By   string `placeholder:"NAME" help:"Name for the audit log; the operating system user by default."`
}

// Run implements the command.
func (c *exportRemoveCmd) Run(a *app) error {
	return a.withStore(func(s *store.Store) error {
		if err := s.Exports.Drop(a.ctx, actor(c.By), time.Now(), c.Name); err != nil {
			return err
		}
		visible.Fprintf(a.stdout, "export schedule %s is deleted; its files stay\n", c.Name)
		return nil
	})
}

type exportRunCmd struct {
	Name string `arg:"" help:"Name of the schedule."`
}

// Run implements the command.
func (c *exportRunCmd) Run(a *app) error {
	cfg, err := a.config()
	if err != nil {
		return err
	}
	return a.withLedger(func(s *store.Store) error {
		if err := a.exportRunner(s, cfg).RunNow(a.ctx, c.Name); err != nil {
			return err
		}
		x, err := s.Exports.Schedule(a.ctx, c.Name)
		if err != nil {
			return err
		}
		visible.Fprintf(a.stdout, "%s: %s\n", c.Name, resultOf(x.Last))
		return nil
	})
}

type exportListCmd struct {
	Output string `enum:"text,json" default:"text" help:"List as ${enum}."`
}

// listedExport is a schedule as JSON.
type listedExport struct {
	Name      string        `json:"name"`
	Dataset   string        `json:"dataset"`
	Options   string        `json:"options"`
	Format    string        `json:"format"`
	Target    string        `json:"target"`
	Every     string        `json:"every"`
	Months    int           `json:"months"`
	Keep      int           `json:"keep"`
	Next      time.Time     `json:"next"`
	LastState string        `json:"last_state"`
	LastError string        `json:"last_error"`
	LastEnd   *time.Time    `json:"last_ended_at"`
	Last      *outgoing.Run `json:"-"`
}

// Run implements the command.
func (c *exportListCmd) Run(a *app) error {
	return a.readStore(func(s *store.Store) error {
		all, err := s.Exports.List(a.ctx)
		if err != nil {
			return err
		}
		list := []listedExport{}
		for i := range all {
			x := &all[i]
			one := listedExport{Name: x.Name, Dataset: x.Dataset, Options: outgoing.OptionsText(x.Options),
				Format: string(x.Format), Target: x.Target, Every: string(x.Every), Months: x.Months, Keep: x.Keep,
				Next: x.Next(time.Now()), Last: x.Last}
			if x.Last != nil {
				one.LastState, one.LastError, one.LastEnd = string(x.Last.State), x.Last.Error, x.Last.EndedAt
			}
			list = append(list, one)
		}
		return a.printSummary(c.Output, list, func() string {
			if len(list) == 0 {
				return "there are no export schedules: `gpuledger export schedule add --help`\n"
			}
			return columns([]string{"NAME", "DATASET", "FORMAT", "EVERY", "NEXT", "TO", "LAST RUN"}, len(list),
				func(i int) []string {
					x := list[i]
					return []string{x.Name, x.Dataset, x.Format, x.Every, x.Next.UTC().Format("2006-01-02 15:04"),
						x.Target, resultOf(x.Last)}
				})
		})
	})
}

// resultOf is the outcome of a run in words.
func resultOf(r *outgoing.Run) string {
	switch {
	case r == nil:
		return "none yet"
	case r.State == outgoing.Running:
		return "running since " + r.StartedAt.UTC().Format("2006-01-02 15:04")
	case r.State == outgoing.Failed:
		return fmt.Sprintf("failed (try %d): %s", r.Tries, r.Error)
	}
	return fmt.Sprintf("done: %d %s, %d %s written, %d as before, %d removed", r.Rows, format.Noun(r.Rows, "row", "rows"),
		r.Written, format.Noun(r.Written, "file", "files"), r.Kept, r.Removed)
}

// keepExports runs the schedules of exports until stop, which waits for a running one to end.
func (a *app) keepExports(s *store.Store, cfg *config.Config) (stop func()) {
	ctx, cancel := context.WithCancel(a.ctx)
	var wg sync.WaitGroup
	wg.Go(func() { a.exportRunner(s, cfg).Run(ctx) })
	return func() {
		cancel()
		wg.Wait()
	}
}
