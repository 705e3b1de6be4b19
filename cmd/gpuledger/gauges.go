package main

import (
	"slices"
	"strings"

	"gpuledger/internal/period"
	"gpuledger/metrics"
)

// span is the time that a gauge covers, relative to the end of
// the data and not to the clock: an unchanged ledger gives the same figures tomorrow. Fees that are posted
// ahead do not move that end.
type span string

const (
	lastDay     span = "On the last whole UTC day with data"
	monthToDate span = "In the month of the last whole UTC day with data, through that day"
	stored      span = "" // rows as they are: the dataset has no window
)

// gauge is a figure of the ledger for Prometheus: a column of a dataset,
// grouped by some of its keys.
type gauge struct {
	name    string
	dataset string
	column  string
	keys    []string // labels
	filter  string   // {end} is the end of the last whole day with data
	span    span
	// rows: the dataset's rows are read as they are, without grouping.
	rows bool
	// always: it is read in every round, since it can move while the ledger does not.
	always bool
}

// running are budgets whose period has not ended: others cannot be kept any more.
const running = "period_end > {end} or period_end is null"

// budgetKeys identify a budget and its unit.
var budgetKeys = []string{"name", "key", "value", "unit", "currency"}

// gauges are the figures for alerts and boards of Prometheus; the API has all others.
var gauges = []gauge{
	{name: "cost_last_day", dataset: "costs", column: "effective_cost",
		keys: []string{"team", "cause", "currency"}, span: lastDay},
	{name: "cost_month_to_date", dataset: "costs", column: "effective_cost",
		keys: []string{"team", "cause", "currency"}, span: monthToDate},
	{name: "cost_by_cause_last_day", dataset: "costs", column: "effective_cost",
		keys: []string{"cause", "currency"}, span: lastDay},
	{name: "cost_by_cause_month_to_date", dataset: "costs", column: "effective_cost",
		keys: []string{"cause", "currency"}, span: monthToDate},
	{name: "gpu_hours_last_day", dataset: "costs", column: "gpu_hours",
		keys: []string{"team", "cause", "currency"}, span: lastDay},
	{name: "active_gpu_hours_last_day", dataset: "costs", column: "active_gpu_hours",
		keys: []string{"gpu_model", "currency"}, span: lastDay},
	{name: "capacity_gpu_hours_last_day", dataset: "costs", column: "capacity_gpu_hours",
		keys: []string{"gpu_model", "currency"}, span: lastDay},
	{name: "cost_per_active_gpu_hour", dataset: "costs", column: "cost_per_active_gpu_hour",
		keys: []string{"gpu_model", "currency"}, span: lastDay},
	{name: "target_value", dataset: "targets", column: "value",
		keys: []string{"target", "subject", "unit", "currency"}, span: lastDay, rows: true},
	{name: "spot_interruption_rate", dataset: "spot", column: "interruption_rate",
		keys: []string{"cluster"}, span: monthToDate},
	{name: "spot_net_savings", dataset: "spot", column: "net_savings",
		keys: []string{"cluster", "currency"}, span: monthToDate},
	{name: "cost_per_1k_tokens", dataset: "inference", column: "cost_per_1k_tokens",
		keys: []string{"model", "currency"}, span: lastDay},
	{name: "waste_cost", dataset: "waste", column: "effective_cost",
		keys: []string{"kind", "currency"}, span: monthToDate},
	{name: "budget_ratio", dataset: "budgets", column: "ratio",
		keys: budgetKeys, filter: running, rows: true},
	{name: "budget_amount", dataset: "budgets", column: "amount",
		keys: budgetKeys, filter: running, rows: true},
	{name: "budget_projected", dataset: "budgets", column: "projected",
		keys: budgetKeys, filter: running, rows: true},
	{name: "source_newest_timestamp_seconds", dataset: "freshness", column: "newest_at",
		keys: []string{"kind", "source", "scope"}, rows: true, always: true},
}

// grouped is the group_by of the query; empty for rows as they are. Costs have currency as a column anyway.
func (g gauge) grouped() string {
	if g.rows {
		return ""
	}
	keys := slices.Clone(g.keys)
	if g.dataset == "costs" {
		keys = slices.DeleteFunc(keys, func(k string) bool { return k == "currency" })
	}
	return strings.Join(keys, ",")
}

// question is the query of the gauge on a ledger whose data end at a time.
func (g gauge) question(end period.Second) (metrics.Query, error) {
	day := period.Interval{From: end.Floor(period.Day) - period.Day, To: end.Floor(period.Day)}
	o := metrics.Options{
		GroupBy: g.grouped(), Filter: strings.ReplaceAll(g.filter, "{end}", day.To.String()),
	}
	switch g.span {
	case monthToDate:
		o.From, o.To = period.MonthOf(day.From).From.String(), day.To.String()
	case lastDay:
		o.From, o.To = day.From.String(), day.To.String()
	}
	return metrics.Parse(g.dataset, o)
}

// help is the column's definition, with the span and a link.
func (g gauge) help() string {
	d, _ := metrics.Define(g.dataset + "." + g.column)
	text := d.Doc
	if g.span != stored {
		text += " " + string(g.span)
	}
	return strings.TrimSuffix(text, ".") + "; see /docs/metrics#" + d.Anchor
}
