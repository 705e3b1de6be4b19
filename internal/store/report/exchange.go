package report

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics"
)

// serviceDay is the day whose exchange rate converts a fact.
const serviceDay = "(p.hour at time zone 'UTC')::date"

// currency is the currency of a row of costs. To convert, facts are added up by service day too, and each sum is
// multiplied by the rate in force; a sum without a rate keeps its currency.
func (c Compiler) currency() string {
	if c.Q.Currency == "" {
		return "p.currency"
	}
	return "case when x.rate is null then p.currency else x.to_currency end as currency, x.rate_id as exchange_rate"
}

// converted is a sum of the first step, in the currency of its row.
func (c Compiler) converted(name string) string {
	if c.Q.Currency == "" || !slices.Contains(moneySums, name) {
		return "p." + name
	}
	return "case when x.rate is null then p." + name + " else p." + name + " * x.rate end as " + name
}

// exchange joins the rates into the query's currency.
func (c Compiler) exchange() string {
	if c.Q.Currency == "" {
		return ""
	}
	return "\nleft join (\n" + c.Expand(pg.Statement("report.exchange_rates")) +
		"\n) x on x.from_currency = p.currency and p.service_day >= x.starts and p.service_day < x.ends"
}

// moneySums are the sums of factSums that have a currency.
var moneySums = []string{"effective_cost", "billed_cost", "list_cost", "contracted_cost"}

// checkRates refuses an answer in one currency if an amount has no rate.
func (s *Reports) checkRates(ctx context.Context, q metrics.Query) error {
	if q.Currency == "" || q.KeepUnconverted {
		return nil
	}
	rows, err := s.Query(ctx, q.CurrencyDays())
	if err != nil {
		return err
	}
	days, err := currencyDays(rows)
	if err != nil {
		return err
	}
	rates, err := s.ExchangeRates(ctx, q.Currency)
	if err != nil {
		return err
	}
	return metrics.CheckRates(q.Currency, days, rates)
}

// ExchangeRates implements metrics.Source: the stored rates to a currency.
func (s *Reports) ExchangeRates(ctx context.Context, to string) ([]metrics.RateSpan, error) {
	c := Asking(metrics.Query{Currency: to}, nil)
	text := c.Expand(pg.Statement("report.exchange_rates"))
	tx, err := s.BeginRead(ctx)
	if err != nil {
		return nil, fmt.Errorf("report.exchange_rates: %w", err)
	}
	defer pg.Rollback(ctx, tx) // it only reads
	found, err := tx.Query(ctx, "select r.from_currency, r.starts::timestamp at time zone 'UTC', "+
		"nullif(r.ends, 'infinity')::timestamp at time zone 'UTC', r.rate from ("+text+") r", c.Args...)
	if err != nil {
		return nil, fmt.Errorf("report.exchange_rates: %w", err)
	}
	rates, err := pgx.CollectRows(found, func(row pgx.CollectableRow) (r metrics.RateSpan, err error) {
		var ends *period.Second
		if err = row.Scan(&r.From, &r.Days.From, &ends, &r.Rate); ends != nil {
			r.Days.To = *ends
		}
		return r, err
	})
	if err != nil {
		return nil, fmt.Errorf("report.exchange_rates: %w", err)
	}
	return rates, nil
}

// currencyDays are the currencies and days of rows with an amount.
func currencyDays(rows metrics.Rows) (days []metrics.CurrencyDay, err error) {
	defer rows.Close()
	at := map[string]int{}
	for i, c := range rows.Columns() {
		at[c.Name] = i
	}
	for rows.Next() {
		v := rows.Values()
		if slices.ContainsFunc(moneySums, func(name string) bool { i, ok := at[name]; return ok && v[i].Valid }) {
			days = append(days, metrics.CurrencyDay{
				Currency: v[at["currency"]].Text, Day: period.FromTime(v[at["period_start"]].Time),
			})
		}
	}
	return days, rows.Err()
}
