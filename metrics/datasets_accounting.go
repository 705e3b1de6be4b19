package metrics

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"gpuledger/allocation/policy"
	"gpuledger/internal/access"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

var journal = Dataset{
	Name: "journal",
	Lead: []string{"entry", "line", "account", "cost_center", "debit", "credit", "currency", "statement"},
	Doc: "One line of a journal entry: the billed cost of a month, charged to cost centres and owed to the provider. In " +
		"each currency, the debits of an entry are its credits.",
	InPart: true,
	ScopeNote: "these entries hold only the cost in your scope: they balance, but they are not the whole month. Post " +
		"the entries that a user without a scope exports",
	Columns: sourced("costs, periods, policies", []Column{
		attr("entry", Text, "ACCOUNT/MONTH of the bill; with /adjustments, late corrections of months closed before."),
		attr("line", Count, "Number within the entry, from 1."),
		attr("account", Text, "Account, named by journal_accounts of the policy, else by default."),
		attr("cost_center", Text, "Cost centre of the owner, or `unowned`; NULL on the line of the debt to the provider."),
		moneyColumn("debit", "Amount on the left side, above 0; NULL on a line that credits.", Field("debit")),
		moneyColumn("credit", "Amount on the right side, above 0; NULL on a line that debits.", Field("credit")),
		currency(),
		attr("statement", Text, "ACCOUNT/MONTH/VERSION of the closed statement; NULL while the month is open, so the entry "+
			"may still change."),
		attr("billing_account", Text, "Payer account of the bill."),
		attr("billing_period", Text, "Billing month."),
	}...),
	RowKey:  []string{"entry", "line"},
	Order:   []Order{{Column: "billing_period"}, {Column: "entry"}, {Column: "line"}},
	Derived: journalRows,
}

// unowned stands for the cost centre of owners that have none.
const unowned = "unowned"

// journalRows are the entries of the months that the query names.
func journalRows(ctx context.Context, q Query, from Source) ([][]Value, error) {
	costs, err := ReadAnswer(ctx, from, q.journalCosts())
	if err != nil {
		return nil, err
	}
	closed, err := closedMonths(ctx, from, q.BillingPeriod)
	if err != nil {
		return nil, err
	}
	rules, err := readStoredRules(ctx, from)
	if err != nil {
		return nil, err
	}
	j := journalOf{closed: closed, rules: rules, entries: map[bookEntry]map[bookLine]money.Amount{}}
	for _, row := range costs.Rows {
		if err := j.add(costs, row); err != nil {
			return nil, err
		}
	}
	return j.rows(), nil
}

// journalCosts asks for the billed cost of everything that the lines of an entry distinguish.
func (q Query) journalCosts() Query {
	c := Query{Dataset: &costs, Zone: "UTC", Granularity: Total, BillingPeriod: q.BillingPeriod, Basis: ledger.BilledCost,
		Only: []string{"currency", string(ledger.BilledCost)}}
	for _, name := range []string{"billing_account", "billing_period", "cost_center", "cause", "kind"} {
		k, _ := LookupKey(name)
		c.GroupBy = append(c.GroupBy, k)
	}
	c.completeOrder()
	return c
}

// accountMonth is a month of a billing account.
type accountMonth struct{ account, month string }

// closing is the statement in force of a closed month.
type closing struct {
	version int64
	at      time.Time
}

// closedMonths are the closed months of all accounts. Every reader may know them, so they are read as an auditor.
func closedMonths(ctx context.Context, from Querier, month period.Month) (map[accountMonth]closing, error) {
	ctx = access.As(ctx, &access.Viewer{Name: "journal", Role: access.RoleAuditor})
	q := Query{Dataset: &periods, Zone: "UTC", Granularity: Total, Basis: ledger.EffectiveCost}
	if month != "" {
		q.Filter = Compare{Key: "billing_period", Op: Equal, Values: []string{string(month)}, Kind: Text}
	}
	q.completeOrder()
	a, err := ReadAnswer(ctx, from, q)
	if err != nil {
		return nil, err
	}
	out := map[accountMonth]closing{}
	for _, row := range a.Rows {
		if row[a.At("state")].Text == "closed" {
			out[accountMonth{row[a.At("billing_account")].Text, row[a.At("billing_period")].Text}] = closing{
				row[a.At("version")].Int, row[a.At("closed_at")].Time}
		}
	}
	return out, nil
}

// bookEntry identifies an entry.
type bookEntry struct {
	accountMonth
	adjusts bool
}

func (e bookEntry) name() string {
	name := cmp.Or(e.account, "unknown") + "/" + e.month
	if e.adjusts {
		name += "/adjustments"
	}
	return name
}

// bookLine is what an amount of an entry is added up by. A line without a cost centre is the debt to the provider.
type bookLine struct{ currency, center, account string }

// journalOf collects entries.
type journalOf struct {
	closed  map[accountMonth]closing
	rules   []storedRule
	books   map[time.Time]policy.Book // by the time of a close; zero: now
	entries map[bookEntry]map[bookLine]money.Amount
}

// add adds a row of costs to its cost centre, and to the debt to the provider. Cost that nothing billed has no month, and
// cost that no delivery states as billed has no amount: neither can be in the books.
func (j *journalOf) add(costs *Answer, row []Value) error {
	at := func(name string) Value { return row[costs.At(name)] }
	month, billed := at("billing_period"), at(string(ledger.BilledCost))
	if !month.Valid || !billed.Valid || !at("currency").Valid {
		return nil
	}
	e := bookEntry{accountMonth{at("billing_account").Text, month.Text}, at("kind").Text == string(ledger.Adjustment)}
	names, err := j.accounts(e.accountMonth)
	if err != nil {
		return err
	}
	lines := j.entries[e]
	if lines == nil {
		lines = map[bookLine]money.Amount{}
		j.entries[e] = lines
	}
	amount := money.MustParse(billed.Text)
	cost := bookLine{at("currency").Text, cmp.Or(at("cost_center").Text, unowned), names.Of(at("cause").Text)}
	lines[cost] = lines[cost].Add(amount)
	owed := bookLine{cost.currency, "", names.Of(policy.Payable)}
	lines[owed] = lines[owed].Sub(amount)
	return nil
}

// accounts are the names of accounts for a month: of the policy that holds at its end; of a closed month, as stored
// when it was closed, so that its entry never changes.
func (j *journalOf) accounts(m accountMonth) (policy.JournalAccounts, error) {
	c, closed := j.closed[m]
	book, known := j.books[c.at]
	if !known {
		var at *time.Time
		if closed {
			at = &c.at
		}
		var err error
		if book, err = bookOf(j.rules, at); err != nil {
			return nil, err
		}
		if j.books == nil {
			j.books = map[time.Time]policy.Book{}
		}
		j.books[c.at] = book
	}
	within, err := period.Month(m.month).Interval()
	if err != nil {
		return nil, fmt.Errorf("billing period %s: %w", m.month, err)
	}
	return book.At(within.To - 1).JournalAccounts, nil
}

// rows are the lines of all entries: by currency, first those of cost centres by name, then the debt to the provider.
// Amounts of 0 have no line.
func (j *journalOf) rows() (out [][]Value) {
	text := func(s string) Value { return Value{Valid: s != "", Text: s} }
	for e, lines := range j.entries {
		statement := Null
		if c, closed := j.closed[e.accountMonth]; closed {
			statement = text(fmt.Sprintf("%s/%s/%d", e.account, e.month, c.version))
		}
		var keys []bookLine
		for l, amount := range lines {
			if amount.Sign() != 0 {
				keys = append(keys, l)
			}
		}
		slices.SortFunc(keys, orderLines)
		for i, l := range keys {
			debit, credit := text(lines[l].String()), Null
			if lines[l].Sign() < 0 {
				debit, credit = Null, text(lines[l].Neg().String())
			}
			out = append(out, []Value{text(e.name()), {Valid: true, Int: int64(i + 1)}, text(l.account), text(l.center), debit,
				credit, text(l.currency), statement, text(e.account), text(e.month)})
		}
	}
	return out
}

func orderLines(a, b bookLine) int {
	rank := func(l bookLine) int {
		switch l.center {
		case "":
			return 2
		case unowned:
			return 1
		}
		return 0
	}
	return cmp.Or(strings.Compare(a.currency, b.currency), cmp.Compare(rank(a), rank(b)),
		strings.Compare(a.center, b.center), strings.Compare(a.account, b.account))
}
