package paper

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics/statement"
	"gpuledger/web/views/format"
)

// Sheet is a statement as it is read: titles, tables and notes with printed figures.
type Sheet struct {
	Title, Sub string
	Number     string
	Final      bool
	Amounts    []Amount
	Facts      []Fact
	Blocks     []Block
	Notes      []string
	Digest     string // SHA-256 of the statement's JSON

	made period.Second // the date in the file: the end of the billing month
}

// Amount is the total in one currency.
type Amount struct {
	Currency format.Currency
	Total    money.Amount
}

// Fact is one of the facts below the amounts.
type Fact struct{ Word, Text, Tone string }

// Block is a table with its title. Strip is drawn above the table; nil: none.
type Block struct {
	Title   string
	Strip   *Strip
	Columns []Column
	Rows    []Row
}

// Column is a column of a block. Define names its definition, as the heads of tables do; Weight is its part of the
// width.
type Column struct {
	Head, Define string
	Number       bool
	Extra        bool // left out on small screens
	Weight       int
}

// Row is a row of cells; totals are ruled.
type Row struct {
	Cells []Cell
	Total bool
}

// Cell is a text, with the colour of a cause, or a strip, or an amount of money.
type Cell struct {
	Text     string
	Cause    ledger.Cause
	Strip    *Strip
	Money    *money.Amount // Text prints it, in Currency
	Currency format.Currency
}

// Strip is cost by cause in one currency.
type Strip struct {
	Currency format.Currency
	Parts    map[ledger.Cause]money.Amount
}

// Lay lays out a statement.
func Lay(s *statement.Statement) (*Sheet, error) {
	month, err := s.BillingPeriod.Interval()
	if err != nil {
		return nil, err
	}
	var text strings.Builder
	if err := s.WriteJSON(&text); err != nil {
		return nil, err
	}
	sum := sha256.Sum256([]byte(text.String()))
	x := &Sheet{
		Title:  s.Value + ": GPU chargeback, " + format.Month(month.From),
		Sub:    "Bills of " + string(s.BillingPeriod) + " for " + keyWords(s) + " " + s.Value,
		Number: s.Owner + " " + string(s.BillingPeriod), Final: s.State == statement.Closed,
		Facts: facts(s), Digest: hex.EncodeToString(sum[:]), made: month.To,
		Notes: append(slices.Clone(s.Notes),
			"Each figure is rounded to cents by itself, so rows may differ from their total by a cent."),
	}
	if text := s.Partial(); text != "" {
		x.Sub += ". " + text
	}
	for _, c := range largestFirst(s) {
		x.Amounts = append(x.Amounts, Amount{format.Currency(c.Currency), c.Total})
		x.charge(s, c)
	}
	if b := budgets(s); len(b.Rows) > 0 {
		x.Blocks = append(x.Blocks, b)
	}
	x.Blocks = append(x.Blocks, accounts(s))
	return x, nil
}

// largestFirst are the charges by the size of their number; the file keeps the order of their codes.
func largestFirst(s *statement.Statement) []*statement.Charge {
	list := make([]*statement.Charge, len(s.Statements))
	for i := range s.Statements {
		list[i] = &s.Statements[i]
	}
	slices.SortStableFunc(list, func(a, b *statement.Charge) int {
		return b.Total.Rat().Cmp(a.Total.Rat())
	})
	return list
}

// keyWords is the key of the owner in words.
func keyWords(s *statement.Statement) string { return strings.ReplaceAll(s.Key, "_", " ") }

// facts say how final and how sure the statement is.
func facts(s *statement.Statement) []Fact {
	list := []Fact{{Word: "Not final,", Text: "bills may still change it", Tone: "warn"}}
	if s.State == statement.Closed {
		list[0] = Fact{Word: "Final,", Text: "closed " + s.ClosedAt().Format("2 Jan 2006"), Tone: "good"}
	}
	if s.Partial() != "" {
		list = append(list, Fact{Word: "Partial,", Text: "only what you may see", Tone: "warn"})
	}
	list = append(list, Fact{Word: "Effective cost,", Text: s.Sharing + " sharing"})
	for _, c := range largestFirst(s) {
		if c.Direct.Sign() > 0 {
			measured := format.Share(c.Certainty.Measured, c.Direct)
			list = append(list, Fact{Word: measured, Text: "of " + c.Currency + " measured"})
		}
	}
	return list
}

// share prints a part of a whole.
func share(part, whole money.Amount) string {
	if whole.Sign() == 0 {
		return format.NA
	}
	return format.Share(part, whole)
}

// label is a cause as printed.
func label(c ledger.Cause) string {
	if i := c.Order(); i < len(ledger.Causes) {
		return ledger.Causes[i].Label
	}
	return string(c)
}

// meaning is a cause in a sentence.
func meaning(c ledger.Cause) string {
	if i := c.Order(); i < len(ledger.Causes) {
		return ledger.Causes[i].Meaning
	}
	return ""
}
