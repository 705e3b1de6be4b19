package page

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"gpuledger/internal/money"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

// Elsewhere names the spend in currencies that the page does not show.
func Elsewhere(shown string, currencies []string, spent map[string]money.Amount) string {
	var said []string
	for _, code := range currencies {
		if code != shown {
			said = append(said, format.Coded(code).Money(spent[code]))
		}
	}
	switch len(said) {
	case 0:
		return ""
	case 1:
		return "Another " + said[0] + " is shown separately: currencies are never added."
	}
	return "Another " + Listed(said) + " are shown separately: currencies are never added."
}

// NoCost says that there is none in a currency at a time, and why.
func NoCost(currency, when string) string {
	return "No cost in " + currency + " " + when + ": no bill is in " + currency +
		", or no exchange rate to it is stored."
}

// Largest lists the keys of sums, largest sum first.
func Largest(sums map[string]money.Amount) []string {
	return slices.SortedFunc(maps.Keys(sums), func(a, b string) int {
		return cmp.Or(sums[b].Cmp(sums[a]), cmp.Compare(a, b))
	})
}

// Printed is the format of a currency: with its code if the page shows several
// currencies.
func (p *Context) Printed(currency string) format.Currency {
	if p.Several {
		return format.Coded(currency)
	}
	return format.Currency(currency)
}

// Named drops the empty currency of rows without a price.
func Named(currencies []string) []string {
	return slices.DeleteFunc(slices.Clone(currencies), func(c string) bool { return c == "" })
}

// InCode appends the currency if the page shows several.
func InCode(text, currency string, several bool) string {
	switch {
	case !several:
		return text
	case currency == "":
		return text + " without a price"
	}
	return text + ", " + currency
}

// CurrencyMenu offers one currency or all.
func (p *Context) CurrencyMenu(currencies []string, all bool) views.Menu {
	m := views.Menu{
		Label: "Currency", Value: "all", WideOnly: true,
		Items: []views.MenuItem{{Text: "All", Note: "never added", Href: p.Scope.With("currency", ""), Current: all}},
	}
	for _, c := range Named(currencies) {
		current := !all && c == string(p.Currency)
		if current {
			m.Value = c
		}
		m.Items = append(m.Items, views.MenuItem{Text: c, Href: p.Scope.With("currency", c), Current: current})
	}
	return m
}

// Listed joins words for a sentence: "a, b and c".
func Listed(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}
