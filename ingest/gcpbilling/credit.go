package gcpbilling

import (
	"strings"

	"gpuledger/ingest/table"
	"gpuledger/internal/money"
)

// credit is an element of the repeated field credits.
type credit struct {
	kind   creditKind
	id     string // of the commitment; empty if it names none
	amount money.Amount
}

// creditKind is the purpose of a credit, as far as the ledger needs it.
type creditKind byte

const (
	otherCredit     creditKind = iota
	resourceCredit             // committed use of resources
	spendCredit                // committed spend
	feeOffset                  // deducts the used part from a commitment's fee
	promotionCredit            // lowers the invoice, independent of usage
)

// readCredits reads the elements of a row.
func readCredits(list []table.Record) ([]credit, *table.CellError) {
	out := make([]credit, 0, len(list))
	for _, r := range list {
		text := r.Get("amount")
		if text == "" {
			continue
		}
		a, err := money.Parse(text)
		if err != nil {
			return nil, &table.CellError{Column: "credits.amount", Reason: "not a number", Detail: err.Error()}
		}
		c := credit{kind: kindOfCredit(r.Get("type"), r.Get("name")), amount: a}
		if c.kind == resourceCredit || c.kind == spendCredit {
			c.id = commitmentID(r)
		}
		out = append(out, c)
	}
	return out, nil
}

// kindOfCredit uses the type; older exports have only the name.
func kindOfCredit(kind, name string) creditKind {
	kind = strings.ToUpper(kind)
	switch {
	case strings.HasPrefix(kind, "COMMITTED_US") && strings.Contains(kind, "DOLLAR"):
		return spendCredit
	case strings.HasPrefix(kind, "COMMITTED_US"): // …AGE_DISCOUNT, and …E_DISCOUNT
		return resourceCredit
	case kind == "FEE_UTILIZATION_OFFSET":
		return feeOffset
	case kind == "PROMOTION":
		return promotionCredit
	case kind != "":
		return otherCredit
	}
	name = strings.ToLower(name)
	switch {
	case !strings.HasPrefix(name, "committed us"):
		return otherCredit
	case strings.Contains(name, "dollar") || strings.Contains(name, "spend"):
		return spendCredit
	}
	return resourceCredit
}

// commitmentID is the id of a credit that names a commitment. Google also writes the credit's
// name there, and ids of SKUs (0123-4567-89AB); fee rows have neither.
func commitmentID(r table.Record) string {
	id := r.Get("id")
	if id == r.Get("name") || id == r.Get("full_name") || strings.ContainsAny(id, " :") || skuID(id) {
		return ""
	}
	return id
}

func skuID(id string) bool {
	return len(id) == 14 && id[4] == '-' && id[9] == '-' && strings.Trim(id, "0123456789ABCDEF-") == ""
}
