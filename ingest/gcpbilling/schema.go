package gcpbilling

import (
	"fmt"
	"slices"
	"strings"

	"gpuledger/ingest/bill"
	"gpuledger/ingest/table"
	"gpuledger/internal/ledger"
)

// schema locates the fields of one file.
type schema struct {
	// at lists, per known field, the file positions of its spellings.
	at [columnCount][]int
	// billing lists the columns of a row's identity, by name.
	billing []bill.IdentityColumn
	// variant is the table of the export: detailed with resources or prices, else standard; empty
	// if no row was used, as in a file of taxes.
	variant string
}

// newSchema resolves a header. It refuses a header without a required field, or with only the
// first credit of each row.
func newSchema(file string, header []string) (*schema, *ledger.Rejection) {
	s := &schema{}
	has := map[string]bool{} // documented names
	for _, h := range header {
		has[documented(h)] = true
	}
	for i, h := range header {
		squashed := table.Squash(h)
		if squashed == "" {
			continue
		}
		if c, ok := columnByName[squashed]; ok {
			s.at[c] = append(s.at[c], i)
		}
		name := documented(h)
		if strings.HasPrefix(name, "resource.") || strings.HasPrefix(name, "price.") {
			s.variant = detailed
		} else if strings.HasPrefix(name, "usage.") && s.variant == "" {
			s.variant = standard
		}
		if loaderColumn(squashed) || exploded(squashed, has) || wholeRecord(name, has) {
			continue
		}
		id := bill.IdentityColumn{Pos: i, Name: name, Form: formByName[name]}
		if _, list := repeated[squashed]; list {
			id.Canon = canonicalRecords()
		}
		switch name {
		case colInvoiceMonth.Name():
			id.Canon = canonicalMonth
		case colExportTime.Name():
			id.Canon = canonicalExportTime
		}
		s.billing = append(s.billing, id)
	}
	var missing []string
	for _, c := range required {
		if !s.has(c) {
			missing = append(missing, c.Name())
		}
	}
	if len(missing) > 0 {
		return nil, &ledger.Rejection{File: file, Column: strings.Join(missing, ", "), Reason: bill.MissingColumn,
			Detail: fmt.Sprintf("none of the %d columns is %s; add it to the query or extract of the export (or give the "+
				"currency with --bill-currency)", len(header), strings.Join(missing, " or "))}
	}
	if s.has(colFirstCredit) && !s.has(colCredits) {
		return nil, &ledger.Rejection{File: file, Column: header[s.at[colFirstCredit][0]], Reason: "credits are not whole",
			Detail: "the file has a column for the amount of one credit and none for all credits of a row, so a row with " +
				"two credits would be wrong or counted twice; export the field credits whole, as nested records or " +
				"TO_JSON_STRING(credits)"}
	}
	return s, nil
}

// wholeRecord reports whether a column is a record as text whose members are also columns of
// the file.
func wholeRecord(name string, has map[string]bool) bool {
	return slices.ContainsFunc(records[name], func(m string) bool { return has[name+"."+m] })
}

func (s *schema) has(c column) bool { return len(s.at[c]) > 0 }

// looksLikeExport reports whether the column names are those of a billing export, complete or
// not, or of a loader's child table.
func looksLikeExport(columns []string) bool {
	own, account, child := map[string]bool{}, false, false
	member := 0
	for _, h := range columns {
		lower := strings.ToLower(strings.TrimSpace(strings.TrimPrefix(h, "\ufeff")))
		switch squashed := table.Squash(h); {
		case lower == "billing_account_id":
			account = true
		case ofChild(lower):
			child = true
		case strings.HasPrefix(squashed, "_"):
		case elementMembers[squashed]:
			member++
		default:
			name, known := nameOf[squashed]
			if record, _, dotted := strings.Cut(name, "."); known && (dotted || records[record] != nil || telling[name]) {
				own[name] = true
			} else if records[lower] != nil {
				own[lower] = true
			}
		}
	}
	return account && len(own) >= 3 || child && member >= 2
}

// telling are the fields outside records that no other bill spells in this way.
var telling = map[string]bool{
	"usage_start_time": true, "usage_end_time": true, "export_time": true,
	"cost_type": true, "credits": true, "system_labels": true,
	"currency_conversion_rate": true, "cost_at_list": true,
}
