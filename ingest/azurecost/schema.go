package azurecost

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"gpuledger/ingest/bill"
	"gpuledger/ingest/table"
	"gpuledger/internal/ledger"
)

// schema locates the columns of one file.
type schema struct {
	names []string // canonical, in file order; empty: not a column of the bill
	// at lists, per known column, the file positions of its spellings, the
	// newest name first.
	at [columnCount][]int
	// customer is set under a Microsoft Customer Agreement, whose invoices belong to a billing
	// profile.
	customer bool
}

// customerColumns occur only under a Microsoft Customer Agreement.
var customerColumns = wordSet("exchangeratepricingtobilling pricingcurrency costinpricingcurrency " +
	"serviceperiodstartdate")

// newSchema resolves a header. It refuses one that lacks required columns.
func newSchema(file string, header []string) (*schema, *ledger.Rejection) {
	s := &schema{names: make([]string, len(header))}
	for i, h := range header {
		name := canonicalName(h)
		if name == "" || strings.HasPrefix(h, "_") { // a loader's, not part of the bill
			continue
		}
		s.names[i] = name
		s.customer = s.customer || customerColumns[name]
		if c, ok := columnByName[name]; ok {
			s.at[c] = append(s.at[c], i)
		}
	}
	var missing []string
	for _, any := range required {
		if !slices.ContainsFunc(any, s.has) {
			var names []string
			for _, c := range any {
				names = append(names, c.names())
			}
			missing = append(missing, strings.Join(names, " or "))
		}
	}
	if len(missing) > 0 {
		return nil, &ledger.Rejection{File: file, Column: strings.Join(missing, ", "), Reason: bill.MissingColumn,
			Detail: fmt.Sprintf("none of the %d columns is %s; export cost details (ActualCost or AmortizedCost) with all "+
				"columns (or give the currency with --bill-currency)", len(header), strings.Join(missing, "; nor "))}
	}
	for c := range s.at {
		sort.SliceStable(s.at[c], func(i, j int) bool {
			return s.rank(column(c), s.at[c][i]) < s.rank(column(c), s.at[c][j])
		})
	}
	return s, nil
}

func (s *schema) rank(c column, pos int) int {
	return slices.IndexFunc(spellings[c], func(n string) bool { return table.Squash(n) == s.names[pos] })
}

func (s *schema) has(c column) bool { return len(s.at[c]) > 0 }

// identityName is a column's name in the identity of rows: cost is Cost in one file format,
// CostInBillingCurrency in another. A second spelling in the same file keeps its own name.
func (s *schema) identityName(pos int) string {
	if c, ok := columnByName[s.names[pos]]; ok && s.at[c][0] == pos {
		return table.Squash(c.Name())
	}
	return s.names[pos]
}

// scope is the column that names the owner of a row's bill.
func (s *schema) scope() column {
	for _, c := range s.scopeOrder() {
		if s.has(c) {
			return c
		}
	}
	return colSubscription
}

func (s *schema) scopeOrder() []column {
	if s.customer {
		return []column{colProfile, colBillingAccount, colSubscription}
	}
	return []column{colBillingAccount, colProfile, colSubscription}
}
