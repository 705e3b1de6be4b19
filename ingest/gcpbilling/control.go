package gcpbilling

import (
	"strings"

	"gpuledger/ingest/bill"
	"gpuledger/ingest/table"
	"gpuledger/internal/ledger"
)

// The control totals are computed here from the text of the columns, with a separate reader for
// credits and separate arithmetic, so that a fault in the row mapping shows as a difference.

// Control adds the row's text to the control totals.
func (b *binding) Control(raw table.Row, t *bill.Totals) *table.CellError {
	r := b.row(raw)
	month, _, bad := r.month()
	if bad != nil {
		return bad
	}
	t.Line(bill.TotalKey{Account: r.TextOf(colProject), Month: month, Currency: r.TextOf(colCurrency)})
	add := func(c column, text string, metrics ...ledger.Metric) *table.CellError {
		for _, m := range metrics {
			if err := t.Add(m, text); err != nil {
				return &table.CellError{
					Column: c.Name(), Reason: "not a number", Detail: "\"" + table.Clip(text) + "\": " + err.Error(),
				}
			}
		}
		return nil
	}
	cost, usual := r.TextOf(colCost), r.TextOf(colDefaultCost)
	if bad := add(colCost, cost, ledger.BilledCost, ledger.EffectiveCost); bad != nil {
		return bad
	}
	if usual == "" {
		usual = cost
	}
	if bad := add(colDefaultCost, usual, ledger.ContractedCost); bad != nil {
		return bad
	}
	if bad := add(colListCost, r.TextOf(colListCost), ledger.ListCost); bad != nil {
		return bad
	}
	credits := amountsIn(r.TextOf(colCredits))
	for _, text := range credits {
		if bad := add(colCredits, text, ledger.BilledCost, ledger.EffectiveCost); bad != nil {
			return bad
		}
	}
	if first := r.TextOf(colFirstCredit); len(credits) == 0 && strings.Trim(first, "-0.") != "" {
		return &table.CellError{Column: colCredits.Name(), Reason: "columns contradict each other",
			Detail: "credits is empty, but the column of the first credit's amount has " + table.Clip(first)}
	}
	return nil
}

// amountsIn finds the values of the members "amount" in the text of a list of
// records, as JSON or Python writes it.
func amountsIn(text string) []string {
	var out []string
	for i := 0; i < len(text); {
		if text[i] != '"' && text[i] != '\'' {
			i++
			continue
		}
		name, after := stringAt(text, i)
		i = after
		rest := strings.TrimLeft(text[i:], " \t\r\n")
		if name != "amount" || !strings.HasPrefix(rest, ":") {
			continue
		}
		i = len(text) - len(rest) + 1
		for i < len(text) && strings.IndexByte(" \t\r\n", text[i]) >= 0 {
			i++
		}
		if i < len(text) && (text[i] == '"' || text[i] == '\'') {
			name, i = stringAt(text, i)
			out = append(out, name)
			continue
		}
		end := i
		for end < len(text) && strings.IndexByte(" \t\r\n,}]", text[end]) < 0 {
			end++
		}
		if word := text[i:end]; word != "null" && word != "None" {
			out = append(out, word)
		}
		i = end
	}
	return out
}

// stringAt returns the quoted text at a position, and the position after it.
func stringAt(text string, at int) (inner string, after int) {
	for i := at + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case text[at]:
			return text[at+1 : i], i + 1
		}
	}
	return "", len(text)
}
