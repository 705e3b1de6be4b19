package store

import "slices"

// serviceDay is the day whose exchange rate a fact is converted with.
const serviceDay = "(p.hour at time zone 'UTC')::date"

// currency is the currency of a row of costs. Where a conversion is asked for,
// facts are added up by service day too, and each sum is multiplied by the
// rate that holds; without one it stays in its own currency.
func (c *compiler) currency() string {
	if c.q.Currency == "" {
		return "p.currency"
	}
	return "case when x.rate is null then p.currency else x.to_currency end as currency, x.rate_id as exchange_rate"
}

// converted is a sum of the first step in the currency of its row.
func (c *compiler) converted(name string) string {
	if c.q.Currency == "" || !slices.Contains(moneySums, name) {
		return "p." + name
	}
	return "case when x.rate is null then p." + name + " else p." + name + " * x.rate end as " + name
}

// exchange joins the rates of the currency that is asked for.
func (c *compiler) exchange() string {
	if c.q.Currency == "" {
		return ""
	}
	return "\nleft join (\n" + c.expand(statement("report.exchange_rates")) + "\n) x on x.from_currency = p.currency and p.service_day >= x.starts and p.service_day < x.ends"
}

// moneySums are the sums of factSums that have a currency.
var moneySums = []string{"effective_cost", "billed_cost", "list_cost", "contracted_cost"}
