package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"gpuledger/internal/blob"
	"gpuledger/internal/blob/azstore"
	"gpuledger/internal/blob/gcsstore"
	"gpuledger/internal/blob/s3store"
	"gpuledger/internal/config"
	"gpuledger/internal/export"
	"gpuledger/internal/outgoing"
	"gpuledger/internal/period"
	"gpuledger/internal/store"
	"gpuledger/metrics"
	"gpuledger/web/views/format"
)

type exportCmd struct {
	Files     exportFilesCmd     `cmd:"" default:"withargs" help:"Write a dataset now. The word files may be left out."`
	Schedules exportListCmd      `cmd:"" help:"List schedules with the result of their last run."`
	Schedule  exportScheduleCmds `cmd:"" help:"Manage schedules: add, list, run, remove."`
}

// exportOptions are the options that exports share with reports.
type exportOptions struct {
	GroupBy         string `help:"${help_group_by}" placeholder:"KEYS"`
	Filter          string `help:"${help_filter}" placeholder:"EXPR"`
	Granularity     string `help:"${help_granularity}" placeholder:"STEP"`
	Basis           string `help:"${help_basis}" placeholder:"COST"`
	Sharing         string `help:"${help_sharing}" placeholder:"WHEN"`
	Currency        string `help:"${help_currency}" placeholder:"CODE"`
	CurrencyMissing string `help:"${help_currency_missing}" placeholder:"WHAT"`
	TZ              string `name:"tz" help:"${help_tz}" placeholder:"ZONE"`
	FocusVersion    string `help:"${help_focus_version}" placeholder:"VERSION"`
	Format          string `enum:"csv,parquet,xlsx" default:"parquet" help:"${enum}."`
	ForExcel        bool   `help:"With --format csv: put an apostrophe before texts that a spreadsheet would run as a formula."`
}

func (o *exportOptions) options() metrics.Options {
	return metrics.Options{GroupBy: o.GroupBy, Filter: o.Filter, Granularity: o.Granularity, Basis: o.Basis,
		Sharing: o.Sharing, Currency: o.Currency, CurrencyMissing: o.CurrencyMissing, TZ: o.TZ,
		FocusVersion: o.FocusVersion}
}

type exportFilesCmd struct {
	Dataset       string `arg:"" help:"Dataset, as in report."`
	BillingPeriod string `required:"" placeholder:"YYYY-MM" help:"Month: of the bills; of datasets without bills, the calendar month in UTC."`
	To            string `required:"" placeholder:"URI" help:"Folder to write: a local path, file://, s3://bucket/folder, gs://bucket/folder or az://account/container/folder. It may hold an earlier run of the same export."`
	exportOptions
	Output string `enum:"text,json" default:"text" help:"Print the summary as ${enum}."`
}

// exported is the summary of an export.
type exported struct {
	Dataset       string       `json:"dataset"`
	BillingPeriod period.Month `json:"billing_period"`
	Manifest      string       `json:"manifest"`
	Files         int          `json:"files"`
	Written       int64        `json:"written"`
	Removed       int64        `json:"removed"`
	Rows          int64        `json:"rows"`
	Bytes         int64        `json:"bytes"`
	Snapshot      int          `json:"snapshot"`
}

// Run implements the command.
func (c *exportFilesCmd) Run(a *app) error {
	q := outgoing.Question{Dataset: c.Dataset, Month: period.Month(c.BillingPeriod), Options: c.options(),
		Format: export.Format(c.Format), ForExcel: c.ForExcel}
	if err := q.Check(); err != nil {
		return err
	}
	cfg, err := a.config()
	if err != nil {
		return err
	}
	to, err := exportTargets(cfg).Folder(c.To)
	if err != nil {
		return &metrics.OptionError{Option: "to", Value: blob.Redact(c.To), Reason: err.Error()}
	}
	return a.readStore(func(s *store.Store) error {
		unlock, free, err := s.Exports.Lock(a.ctx, to.Place())
		if err != nil {
			return err
		}
		if !free {
			return outgoing.ErrBusy
		}
		defer unlock()
		e := outgoing.Exporter{From: s, Build: version}
		out, err := e.Export(a.ctx, q, to, nil)
		if another, ok := errors.AsType[*outgoing.AnotherError](err); ok {
			return &metrics.OptionError{Option: "to", Reason: another.Error()}
		}
		if err != nil {
			return err
		}
		m := out.Manifest
		if m.Rows == 0 {
			d, err := metrics.LookupDataset(c.Dataset)
			if err != nil {
				return err
			}
			if err := a.noteEmpty(s, d, c.BillingPeriod); err != nil {
				return err
			}
		}
		sum := exported{m.Dataset, m.BillingPeriod, strings.TrimRight(to.Place(), "/") + "/" + outgoing.ManifestName,
			len(m.Files), out.Written, out.Removed, m.Rows, out.Bytes, m.Snapshot}
		return a.printSummary(c.Output, sum, func() string {
			return fmt.Sprintf("%s of %s: %d %s in %s, %d written, %d removed; %s\n", m.Dataset, m.BillingPeriod, m.Rows,
				format.Noun(m.Rows, "row", "rows"), format.Plural(len(m.Files), "file", "files"), out.Written,
				out.Removed, sum.Manifest)
		})
	})
}

// exportTargets are the stores that exports are written to; they connect on first use. Without a configuration they
// have their defaults.
func exportTargets(cfg *config.Config) blob.Stores {
	var s3 config.S3Target
	if cfg != nil {
		s3 = cfg.Exports.S3
	}
	return blob.Stores{
		s3store.Scheme: s3store.New(s3store.Options{RoleARN: s3.RoleARN, ExternalID: s3.ExternalID, Endpoint: s3.Endpoint,
			Region: s3.Region, PathStyle: s3.PathStyle}),
		gcsstore.Scheme: gcsstore.New(gcsstore.Options{Writes: true}),
		azstore.Scheme:  azstore.New(azstore.Options{}),
	}
}

// exportRunner runs the schedules of a store.
func (a *app) exportRunner(s *store.Store, cfg *config.Config) *outgoing.Runner {
	return &outgoing.Runner{Store: s.Exports, Exporter: outgoing.Exporter{From: s, Build: version},
		Folder: exportTargets(cfg).Folder, Log: a.log, Now: time.Now, Every: exportsEvery}
}

// exportsEvery is how often serve looks for schedules that are due.
const exportsEvery = 30 * time.Second
