package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"gpuledger/ingest"
	"gpuledger/internal/config"
	"gpuledger/internal/nearest"
	"gpuledger/internal/store"
	"gpuledger/metrics"
)

type importCmd struct {
	Source         string   `arg:"" optional:"" help:"One of ${sources}; auto detects the format of each file. Or the name of a configured source. Without arguments, all configured sources are imported."`
	URI            []string `arg:"" optional:"" name:"uri" help:"Files, directories, s3://bucket/prefix, gs://bucket/prefix, az://account/container/prefix, bq://project.dataset.table or https://host/file."`
	Cluster        string   `placeholder:"NAME" help:"Cluster of telemetry that does not name one."`
	DeliveredAt    string   `name:"delivered-at" placeholder:"TIME" help:"When the bill was delivered, or when output without times was printed, if the files do not state it."`
	BillCurrency   string   `name:"bill-currency" placeholder:"CODE" help:"Currency of the bill, such as EUR, if the file does not state it."`
	DateOrder      string   `name:"date-order" placeholder:"ORDER" help:"Order of ambiguous bill dates such as 03/04/2026, if the file does not settle it: dmy or mdy."`
	TimeZone       string   `name:"time-zone" placeholder:"ZONE" help:"Time zone of times without one, as Slurm writes them; UTC by default."`
	KeepEverything bool     `name:"keep-everything" help:"Keep bill lines outside the GPU fleet one by one."`
	From           string   `placeholder:"TIME" help:"Start of the window to read from a query API (source prometheus). By default, only new data is read."`
	To             string   `placeholder:"TIME" help:"End of that window, exclusive; now by default."`
	Match          []string `placeholder:"MATCHER" sep:"none" help:"Label matcher for samples of a query API, such as cluster=\"a\"; may be repeated."`
	Prefer         []string `placeholder:"EXPORT" help:"Export to prefer when several of equal rank cover the same month; may be repeated."`
	Output         string   `enum:"text,json" default:"text" help:"Summary as ${enum}."`
}

// Run implements the command. A refusal is an error; deliveries that were published stay.
func (c *importCmd) Run(a *app) error {
	roomForGarbage()
	cfg, err := a.config()
	if err != nil {
		return err
	}
	if len(c.URI) == 0 {
		return c.configured(a, cfg)
	}
	if !slices.Contains(ingest.Sources, c.Source) {
		return &metrics.OptionError{
			Option: "source", Value: c.Source, Reason: "unknown" + nearest.Suggest(c.Source, ingest.Sources) + "; known are " +
				strings.Join(ingest.Sources, ", "),
		}
	}
	if err := c.checkQuery(c.Source == ingest.SourcePrometheus); err != nil {
		return err
	}
	req, err := a.request(cfg, config.Source{
		Source: c.Source, URIs: c.URI, Cluster: c.Cluster, DeliveredAt: c.DeliveredAt,
		TimeZone: c.TimeZone, Match: c.Match, BillCurrency: c.BillCurrency, DateOrder: c.DateOrder,
	})
	if err != nil {
		return err
	}
	if req.Query.From, req.Query.To, err = c.bounds(); err != nil {
		return err
	}
	req.KeepEverything = req.KeepEverything || c.KeepEverything
	req.Prefer = append(slices.Clone(c.Prefer), req.Prefer...)
	return a.withStore(func(s *store.Store) error {
		sum, err := a.importInto(s, req)
		return c.print(a, sum, err)
	})
}

func (c *importCmd) print(a *app, sum *ingest.Summary, err error) error {
	if sum != nil {
		if printErr := a.printSummary(c.Output, sum, func() string {
			return importText(sum) + nextAfter(sum)
		}); printErr != nil {
			return printErr
		}
	}
	return err
}

// configured imports the named configured source, or all. A failing source does
// not stop the others.
func (c *importCmd) configured(a *app, cfg *config.Config) error {
	sources := cfg.Sources
	switch one, found := cfg.Find(c.Source); {
	case c.Source == "" && a.flags.Config == "":
		return &metrics.OptionError{
			Option: "source", Reason: "name a source and what to import, or a configuration with --config",
		}
	case c.Source == "" && len(sources) == 0:
		return errNothingConfigured
	case found:
		sources = []config.Source{one}
	case c.Source != "" && slices.Contains(ingest.Sources, c.Source):
		return &metrics.OptionError{Option: "uri", Reason: "name what to import: files, directories or URIs"}
	case c.Source != "":
		return &metrics.OptionError{Option: "source", Value: c.Source, Reason: "no source of this name is configured"}
	}
	for option, given := range map[string]bool{"cluster": c.Cluster != "", "delivered-at": c.DeliveredAt != "",
		"match": len(c.Match) > 0, "time-zone": c.TimeZone != "",
		"bill-currency": c.BillCurrency != "", "date-order": c.DateOrder != ""} {
		if given {
			return &metrics.OptionError{Option: option, Reason: "set it in the configuration of the source"}
		}
	}
	query := func(s config.Source) bool { return s.Source == ingest.SourcePrometheus }
	if err := c.checkQuery(slices.ContainsFunc(sources, query)); err != nil {
		return err
	}
	cfg.Books = append(slices.Clone(c.Prefer), cfg.Books...)
	return a.withStore(func(s *store.Store) error {
		var faults []error
		for _, src := range sources {
			if err := c.one(a, s, cfg, src); err != nil {
				faults = append(faults, fmt.Errorf("source %s: %w", src.Name, err))
			}
			if a.ctx.Err() != nil {
				break
			}
		}
		return errors.Join(faults...)
	})
}

func (c *importCmd) one(a *app, s *store.Store, cfg *config.Config, src config.Source) error {
	unlock, free, err := s.LockSource(a.ctx, src.Name)
	if err != nil {
		return err
	}
	if !free {
		return errors.New("another process is importing it")
	}
	defer unlock()
	keep := c.KeepEverything || cfg.Keeps(src)
	src.KeepEverything = &keep
	from, to, err := c.bounds()
	if err != nil {
		return err
	}
	p := a.newProgress()
	state, sum, err := a.importSource(a.ctx, s, cfg, src, ingest.SourceState{}, importHow{
		all: true, from: from, to: to, show: p.importing,
	})
	p.done()
	if err != nil {
		state.Message = err.Error()
	}
	if saveErr := s.SaveSourceState(context.WithoutCancel(a.ctx), state); saveErr != nil {
		return errors.Join(err, saveErr)
	}
	return c.print(a, sum, err)
}

// importInto runs an import with progress on standard error.
func (a *app) importInto(s *store.Store, req ingest.Request) (*ingest.Summary, error) {
	p := a.newProgress()
	defer p.done()
	im := &ingest.Importer{Store: s, Now: time.Now, Progress: p.importing}
	return im.Import(a.ctx, req)
}

func sortedKeys(m map[string]int64) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// importHeap is the heap size, in bytes, from which an import collects garbage more
// often.
const importHeap = 300 << 20

// roomForGarbage makes an import collect garbage less often; it would otherwise take a fifth
// of its time, because lines live only for a moment. GOGC and GOMEMLIMIT in the environment
// take precedence.
func roomForGarbage() {
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetGCPercent(400)
		debug.SetMemoryLimit(importHeap)
	}
}
