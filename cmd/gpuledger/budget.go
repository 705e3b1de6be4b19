package main

import (
	"encoding/json"
	"fmt"

	"gpuledger/internal/export"
	"gpuledger/internal/store"
	"gpuledger/internal/visible"
	"gpuledger/metrics"
	"gpuledger/web/operate"
)

type budgetCmd struct {
	Set     budgetSetCmd     `cmd:"" help:"Store a budget, or the next version of one. import budgets reads whole plans."`
	List    budgetListCmd    `cmd:"" help:"List the budgets with their spend so far."`
	History budgetHistoryCmd `cmd:"" help:"List the versions of a budget, with who stored each and why."`
}

// budgetSetCmd has the fields of a budget by their names in a file.
type budgetSetCmd struct {
	Name     string `arg:"" json:"name" help:"Name, which identifies the budget in all its versions."`
	Key      string `required:"" json:"key" placeholder:"KEY" help:"Group key, such as team; all for the whole ledger."`
	Value    string `json:"value" placeholder:"VALUE" help:"Value of the key."`
	Period   string `required:"" json:"period" placeholder:"PERIOD" help:"month, quarter, year or life."`
	Start    string `json:"start" placeholder:"DAY" help:"First day of the period, such as 2026-11-01. A life needs none."`
	Amount   string `required:"" json:"amount" placeholder:"AMOUNT" help:"Limit, a plain decimal above 0."`
	Unit     string `required:"" json:"unit" placeholder:"UNIT" help:"money, gpu_hours or tokens."`
	Currency string `json:"currency" placeholder:"CODE" help:"Currency of a budget in money, such as USD."`
	Parent   string `json:"parent" placeholder:"NAME" help:"Budget that this one is a part of."`
	Reason   string `required:"" json:"reason" placeholder:"WHY" help:"Why, kept with the version."`
	By       string `json:"-" placeholder:"NAME" help:"Name for the audit log; the operating system user by default."`
}

// Run implements the command. A budget takes the way of one in a request.
func (c *budgetSetCmd) Run(a *app) error {
	if err := operate.Reasoned(c.Reason); err != nil {
		return err
	}
	row, err := json.Marshal(c)
	if err != nil {
		return err
	}
	return a.withStore(func(s *store.Store) error {
		saved, err := deskLedger{Store: s}.SaveBudgets(a.ctx, row, actor(c.By))
		if err != nil {
			return err
		}
		outcome := "is stored"
		if saved.Stored == 0 {
			outcome = "says so already; nothing changed"
		}
		visible.Fprintf(a.stdout, "budget %s %s\n", c.Name, outcome)
		return nil
	})
}

// listFlags are the form of a list.
type listFlags struct {
	Format string `enum:"table,json,csv" default:"table" help:"${enum}."`
}

type budgetListCmd struct{ listFlags }

// Run implements the command.
func (c *budgetListCmd) Run(a *app) error {
	report := reportCmd{Dataset: "budgets", Format: c.Format}
	if c.Format == string(export.Table) {
		report.Columns = []string{"name", "key", "value", "period", "period_start", "amount", "unit", "currency", "actual",
			"provisional", "projected", "ratio", "state", "parent"}
	}
	return report.Run(a)
}

type budgetHistoryCmd struct {
	Name string `arg:"" help:"Name of the budget."`
	listFlags
}

// Run implements the command.
func (c *budgetHistoryCmd) Run(a *app) error {
	report := reportCmd{Dataset: "budget_versions"}
	if c.Format == string(export.Table) {
		report.Columns = []string{"version", "amount", "unit", "currency", "period", "period_start", "parent", "changed_at",
			"changed_by", "reason"}
	}
	q, err := metrics.Parse(report.Dataset, metrics.Options{})
	if err != nil {
		return err
	}
	q.Filter = metrics.Compare{Key: "name", Op: metrics.Equal, Values: []string{c.Name}, Kind: metrics.Text}
	return a.readStore(func(s *store.Store) error {
		written, err := report.print(a, s, q, export.Format(c.Format))
		if err == nil && written == 0 {
			err = fmt.Errorf("there is no budget %q: `gpuledger budget list` shows all", c.Name)
		}
		return err
	})
}
