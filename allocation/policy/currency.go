package policy

import (
	"fmt"
	"regexp"

	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// ExchangeRate is the price of one unit of a currency in another, from the start of a UTC day until the next rate of
// the pair. It does not define the opposite direction, nor a third currency.
type ExchangeRate struct {
	From, To string // ISO 4217
	On       period.Second
	Rate     money.Amount // exact and above 0: units of To for one of From
	Source   string       // its publisher
}

// exchangeRate is a rate as written in a document.
type exchangeRate struct {
	From   string `yaml:"from"`
	To     string `yaml:"to"`
	On     string `yaml:"on"`
	Rate   string `yaml:"rate"`
	Source string `yaml:"source"`
}

type currency struct {
	Rates []exchangeRate `yaml:"rates"`
}

var (
	currencyCode = regexp.MustCompile(`^[A-Z]{3}$`)
	ratePattern  = regexp.MustCompile(`^[0-9]{1,9}(\.[0-9]{1,12})?$`)
)

func exchangeRates(list []exchangeRate) ([]ExchangeRate, error) {
	type pairDay struct {
		from, to string
		on       period.Second
	}
	seen := map[pairDay]bool{}
	var out []ExchangeRate
	for i, r := range list {
		fault := func(format string, args ...any) error {
			return fmt.Errorf("currency: rate %d: %s", i+1, fmt.Sprintf(format, args...))
		}
		for _, code := range []string{r.From, r.To} {
			if !currencyCode.MatchString(code) {
				return nil, fault("%q is not a currency: from and to are ISO 4217 codes such as EUR", code)
			}
		}
		if r.From == r.To {
			return nil, fault("from and to are both %s", r.From)
		}
		on, err := period.ParseDay(r.On)
		if err != nil {
			return nil, fault("on: %s", err)
		}
		if !ratePattern.MatchString(r.Rate) {
			return nil, fault("rate %q is not a plain decimal of at most 9 digits before the point and 12 after it", r.Rate)
		}
		rate, err := money.Parse(r.Rate)
		if err != nil {
			return nil, fault("rate: %s", err)
		}
		if rate.Sign() <= 0 {
			return nil, fault("rate is %s: it must be above 0", r.Rate)
		}
		if r.Source == "" || len(r.Source) > 200 {
			return nil, fault("source must name the publisher of the rate in at most 200 bytes")
		}
		key := pairDay{r.From, r.To, on}
		if seen[key] {
			return nil, fault("%s to %s on %s is given twice", r.From, r.To, r.On)
		}
		seen[key] = true
		out = append(out, ExchangeRate{r.From, r.To, on, rate, r.Source})
	}
	return out, nil
}

// onlyRates reports whether the document contains only exchange rates, and so is not a version of the rules.
func (d *document) onlyRates() bool {
	return len(d.Currency.Rates) > 0 && d.Settings.Kind == 0 && len(d.Overrides) == 0 && len(d.Owners) == 0 &&
		len(d.Allowed) == 0 && len(d.Values) == 0 &&
		len(d.Redistribute) == 0 && d.Commitments == "" && d.UnownedLimit == "" && len(d.SecondPerson) == 0 &&
		len(d.BudgetSteps) == 0 && d.Fiscal == (fiscalCalendar{}) && len(d.UnitTargets) == 0 &&
		len(d.Accounts) == 0
}
