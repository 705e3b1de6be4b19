package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"gpuledger/ingest"
	"gpuledger/internal/period"
	"gpuledger/internal/store"
	"gpuledger/metrics"
)

type importCmd struct {
	Source      string   `arg:"" help:"One of ${sources}. auto looks into each file."`
	URI         []string `arg:"" name:"uri" help:"Files and directories."`
	Cluster     string   `placeholder:"NAME" help:"Cluster of telemetry that does not name its own."`
	DeliveredAt string   `name:"delivered-at" placeholder:"TIME" help:"When a bill was delivered, where its files do not say."`
	Output      string   `enum:"text,json" default:"text" help:"Summary as ${enum}."`
}

// Run implements the command. A refusal is an error; what was published stays.
func (c *importCmd) Run(a *app) error {
	if !slices.Contains(ingest.Sources, c.Source) {
		return &metrics.OptionError{Option: "source", Value: c.Source, Reason: "unknown; known are " + strings.Join(ingest.Sources, ", ")}
	}
	req := ingest.Request{Source: c.Source, URIs: c.URI, Cluster: c.Cluster}
	if c.DeliveredAt != "" {
		at, err := metrics.ParseTime("delivered-at", c.DeliveredAt, "UTC")
		if err != nil {
			return err
		}
		req.DeliveredAt = &at
	}
	return a.withStore(func(s *store.Store) error {
		sum, err := a.importInto(s, req)
		if sum != nil {
			if printErr := a.printSummary(c.Output, sum, func() string { return importText(sum) }); printErr != nil {
				return printErr
			}
		}
		return err
	})
}

// importInto runs an import with progress on standard error.
func (a *app) importInto(s *store.Store, req ingest.Request) (*ingest.Summary, error) {
	p := a.newProgress()
	defer p.done()
	im := &ingest.Importer{Store: s, Now: time.Now, Progress: func(n ingest.Progress) {
		p.show(func() string {
			return fmt.Sprintf("%s: %s %d of %d files, %d rows", n.Source, n.Phase, n.FilesDone, n.Files, n.Rows)
		})
	}}
	return im.Import(a.ctx, req)
}

// importText is the summary for people.
func importText(sum *ingest.Summary) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s. %d files, %d rows read, %d accepted, %d rejected, %d ignored in %.1f s\n",
		sum.Source, sum.State, sum.Files, sum.RowsRead, sum.Accepted, sum.Rejected, sum.Ignored, sum.Seconds)
	for _, reason := range sortedKeys(sum.RejectedByReason) {
		fmt.Fprintf(&b, "  rejected %d: %s\n", sum.RejectedByReason[reason], reason)
	}
	for _, reason := range sortedKeys(sum.NotedByReason) {
		fmt.Fprintf(&b, "  noted %d: %s\n", sum.NotedByReason[reason], reason)
	}
	for _, d := range sum.Deliveries {
		fmt.Fprintf(&b, "  delivery %s, partition %s: %s, %d rows\n", d.DeliveryID, d.Partition, d.State, d.Rows)
	}
	for _, t := range sum.ControlTotals {
		fmt.Fprintf(&b, "  account %s, %s: %s %s %s over %d charges\n", t.Account, t.BillingPeriod, t.Metric, t.SourceTotal, t.Currency, t.Charges)
	}
	return b.String()
}

func sortedKeys(m map[string]int64) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// window reads the bounds of --from and --to, open where empty.
func window(from, to string) (period.Interval, error) {
	var w period.Interval
	var err error
	if from != "" {
		if w.From, err = metrics.ParseTime("from", from, "UTC"); err != nil {
			return w, err
		}
	}
	if to != "" {
		if w.To, err = metrics.ParseTime("to", to, "UTC"); err != nil {
			return w, err
		}
		if w.To <= w.From {
			return w, &metrics.OptionError{Option: "to", Value: to, Reason: "must be later than from"}
		}
	}
	return w, nil
}
