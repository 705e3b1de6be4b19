package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"gpuledger/internal/export"
	"gpuledger/internal/store"
	"gpuledger/internal/visible"
	"gpuledger/metrics"
)

type reportCmd struct {
	Dataset string `arg:"" optional:"" help:"One of ${datasets}. Without one, lists all datasets."`

	From            string `help:"${help_from}" placeholder:"TIME"`
	To              string `help:"${help_to}" placeholder:"TIME"`
	Against         string `help:"${help_against}" placeholder:"PERIOD"`
	TZ              string `name:"tz" help:"${help_tz}" placeholder:"ZONE"`
	BillingPeriod   string `help:"${help_billing_period}" placeholder:"YYYY-MM"`
	GroupBy         string `help:"${help_group_by}" placeholder:"KEYS"`
	Filter          string `help:"${help_filter}" placeholder:"EXPR"`
	Granularity     string `help:"${help_granularity}" placeholder:"STEP"`
	Basis           string `help:"${help_basis}" placeholder:"COST"`
	Sharing         string `help:"${help_sharing}" placeholder:"WHEN"`
	Currency        string `help:"${help_currency}" placeholder:"CODE"`
	CurrencyMissing string `help:"${help_currency_missing}" placeholder:"WHAT"`
	Order           string `help:"${help_order}" placeholder:"COLUMNS"`
	Limit           string `help:"${help_limit}" placeholder:"N"`
	AsOf            string `help:"${help_as_of}" placeholder:"TIME"`
	Statement       string `help:"${help_statement}" placeholder:"V"`
	Org             string `help:"${help_org}" placeholder:"VIEW"`
	FocusVersion    string `help:"${help_focus_version}" placeholder:"VERSION"`

	ExplainQuery bool `help:"Show what the answer is read from, which roll-ups were considered, why the others were rejected, and how many rows the server reads; --format json also has the SQL statement."`

	Columns  []string      `placeholder:"A,B" help:"Only these columns, in this order. By default, a table shows those that fit, the most telling first; all other formats show all."`
	Wide     bool          `help:"A table shows all columns and long texts whole, wider than the terminal."`
	Watch    bool          `help:"Answer again and again, on a terminal in the same place, until Ctrl-C."`
	Interval time.Duration `default:"5s" placeholder:"5s" help:"Time between the answers of --watch."`
	Format   string        `enum:",table,json,csv,parquet,arrow,xlsx" default:"" placeholder:"FORMAT" help:"table, json, csv, parquet, arrow or xlsx. By default, the format of the --out name, else a table."`
	ForExcel bool          `help:"With --format csv: put an apostrophe before texts that a spreadsheet would run as a formula."`
	Out      string        `type:"path" placeholder:"FILE" help:"Write to a file, in the format of its name. The file appears only when it is complete; a device, pipe or link is written as rows arrive."`

	data metrics.DataWindow `kong:"-"`
}

// reportMeta is the meta of an answer as JSON.
type reportMeta struct {
	Dataset string             `json:"dataset"`
	Rows    int                `json:"rows"`
	Window  metrics.DataWindow `json:"window"`
}

// options are the options as typed.
func (c *reportCmd) options() metrics.Options {
	return metrics.Options{
		From: c.From, To: c.To, Against: c.Against, TZ: c.TZ, BillingPeriod: c.BillingPeriod,
		GroupBy: c.GroupBy, Filter: c.Filter, Granularity: c.Granularity,
		Basis: c.Basis, Sharing: c.Sharing, Currency: c.Currency, CurrencyMissing: c.CurrencyMissing,
		Order: c.Order, Limit: c.Limit, AsOf: c.AsOf, Statement: c.Statement, Org: c.Org,
		FocusVersion: c.FocusVersion,
	}
}

// Run implements the command.
func (c *reportCmd) Run(a *app) error {
	if c.Dataset == "" {
		return a.paged(func(w io.Writer) error {
			_, err := io.WriteString(w, c.datasets(a))
			return err
		})
	}
	q, err := metrics.Parse(c.Dataset, c.options())
	if err != nil {
		return err
	}
	format, err := formatOf(c.Format, c.Out)
	if err != nil {
		return err
	}
	if err := checkColumns(q, c.Columns); err != nil {
		return err
	}
	if c.ForExcel && format != export.CSV {
		return &metrics.OptionError{Option: "for-excel", Reason: "is only for csv; a workbook (xlsx) is safe as it is"}
	}
	if c.Out == "" && format.Binary() && isTerminal(a.stdout) {
		return fmt.Errorf("%s is not for a terminal: pass --out FILE or redirect", format)
	}
	if err := c.checkWatch(format); err != nil {
		return err
	}
	if c.ExplainQuery {
		return c.explain(a, q, format)
	}
	return a.readStore(func(s *store.Store) error {
		if err := c.window(a, s, q, format); err != nil {
			return err
		}
		if c.Watch {
			return c.watch(a, s, q)
		}
		written, err := c.print(a, s, q, format)
		if err != nil || written > 0 {
			return err
		}
		return a.noteEmpty(s, q.Dataset, c.BillingPeriod)
	})
}

// noteEmpty says why an answer has no rows: nothing is imported, or the data does not reach the billing period.
func (a *app) noteEmpty(s *store.Store, d *metrics.Dataset, billingPeriod string) error {
	nothing, err := s.Nothing(a.ctx)
	switch {
	case err != nil:
		return err
	case nothing:
		a.note(errNothing.Error())
		return nil
	case billingPeriod == "":
		return nil
	}
	data, err := s.Window(a.ctx, d)
	if err == nil && data.Any {
		a.note(fmt.Sprintf("billing period %s has no rows; %s has data %s", billingPeriod, d.Name, data))
	}
	return err
}

// window notes how far the data goes, for a period that reaches beyond it. REST refuses one that is wholly outside;
// a command answers no rows, since scripts go through months whether they have data or not.
func (c *reportCmd) window(a *app, s *store.Store, q metrics.Query, format export.Format) (err error) {
	if q.Window.From == 0 && q.Window.To == 0 && format != export.JSON {
		return nil
	}
	if c.data, err = s.Window(a.ctx, q.Dataset); err != nil {
		return err
	}
	outside := q.Within(c.data)
	switch {
	case outside != nil:
		a.note(outside.Error())
	case q.Beyond(c.data):
		a.note(q.Dataset.Name + " has data " + c.data.String())
	}
	return nil
}

// print writes the answer and returns its number of rows.
func (c *reportCmd) print(a *app, s *store.Store, q metrics.Query, format export.Format) (written int, err error) {
	to := func(write func(io.Writer) error) error { return write(visible.Raw(a.stdout)) } // formats escape themselves
	switch {
	case c.Out != "":
		to = func(write func(io.Writer) error) error { return writeFile(c.Out, write) }
	case !format.Binary():
		to = a.paged
	}
	return c.answer(a, s, q, format, a.note, to)
}

// answer asks the store, passes on its notes, and writes the rows to the writer that to opens.
func (c *reportCmd) answer(
	a *app, s *store.Store, q metrics.Query, format export.Format,
	note func(text string), to func(write func(io.Writer) error) error,
) (written int, err error) {
	ctx, cancel := context.WithCancel(a.ctx)
	defer cancel()
	rows, err := s.Query(ctx, q)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	for _, text := range metrics.NotesOf(rows) {
		note(text)
	}
	err = to(func(w io.Writer) (err error) {
		written, err = export.Write(w, format, picked(rows, c.Columns),
			export.Options{Dataset: q.Dataset.Name, Screen: c.screen(a, q), ForExcel: c.ForExcel,
				Meta: func(written int, _ bool) any { return reportMeta{q.Dataset.Name, written, c.data} }})
		if err != nil {
			cancel() // the reader has gone: the rest need not come
		}
		return err
	})
	return written, err
}

// screen is what a table of the answer is drawn for.
func (c *reportCmd) screen(a *app, q metrics.Query) export.Screen {
	screen := a.screen()
	screen.Wide, screen.Picked, screen.First = c.Wide, len(c.Columns) > 0, q.Leading()
	screen.Styled = screen.Styled && c.Out == ""
	return screen
}

// explain prints what the answer is read from.
func (c *reportCmd) explain(a *app, q metrics.Query, format export.Format) error {
	if format != export.Table && format != export.JSON || c.Out != "" {
		return fmt.Errorf("--explain-query prints text or, with --format json, JSON to standard output: remove --out and " +
			"other formats")
	}
	return a.readStore(func(s *store.Store) error {
		r, err := s.Reading(a.ctx, q)
		if err != nil {
			return err
		}
		return a.printSummary(string(format), r, r.Text)
	})
}
