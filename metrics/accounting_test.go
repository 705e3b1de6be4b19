package metrics

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"gpuledger/internal/access"
	"gpuledger/internal/money"
)

// booked answers the questions of a journal from rows by column name.
type booked struct {
	costs, periods, policies []map[string]string
	asked                    []Query
}

func (b *booked) ExchangeRates(context.Context, string) ([]RateSpan, error) { return nil, nil }

func (b *booked) Query(_ context.Context, q Query) (Rows, error) {
	b.asked = append(b.asked, q)
	var rows [][]Value
	for _, given := range map[string][]map[string]string{
		"costs": b.costs, "periods": b.periods, "policies": b.policies,
	}[q.Dataset.Name] {
		var row []Value
		for _, c := range q.Columns() {
			v := Value{Valid: given[c.Name] != "", Text: given[c.Name]}
			switch {
			case !v.Valid:
			case c.Kind == Time:
				at, err := time.Parse(time.RFC3339, v.Text)
				if err != nil {
					return nil, err
				}
				v = Value{Valid: true, Time: at}
			case c.Kind.Integer():
				v = Value{Valid: true, Int: int64(v.Text[0] - '0')}
			}
			row = append(row, v)
		}
		rows = append(rows, row)
	}
	return NewSliceRows(q.Columns(), rows), nil
}

func billedOf(account, month, center, cause, currency, amount, kind string) map[string]string {
	return map[string]string{"billing_account": account, "billing_period": month, "cost_center": center, "cause": cause,
		"currency": currency, "billed_cost": amount, "kind": kind}
}

// Scoped users learn that entries that balance are not the whole month; others get no note.
func TestAPartOfTheJournalSaysSo(t *testing.T) {
	for _, name := range []string{"journal", "focus_cost_and_usage", "costs"} {
		q, err := Parse(name, Options{})
		if err != nil {
			t.Fatal(err)
		}
		noted := q.NotesFor(&access.Viewer{Role: access.RoleAuditor, Scope: "x"})
		if (len(noted) == 1) != (name != "costs") {
			t.Errorf("%s: %q", name, noted)
		}
		for _, whole := range []*access.Viewer{nil, {Role: access.RoleAuditor}} {
			if noted := q.NotesFor(whole); len(noted) != 0 {
				t.Errorf("%s for %+v: %q", name, whole, noted)
			}
		}
	}
}

// lines are the lines of the journal as text, one per row.
func (b *booked) lines(t *testing.T, o Options) string {
	t.Helper()
	q, err := Parse("journal", o)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := journalRows(t.Context(), q, b)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	cols := q.Columns()
	for _, row := range q.Finish(rows) {
		var cells []string
		for i := range 8 {
			cells = append(cells, row[i].String(cols[i].Kind))
		}
		fmt.Fprintln(&out, strings.Join(cells, "|"))
	}
	return out.String()
}

func TestJournalChargesCostCentresAndOwesTheProvider(t *testing.T) {
	b := &booked{costs: []map[string]string{
		billedOf("111", "2026-10", "CC-2", "used", "USD", "10.25", "direct"),
		billedOf("111", "2026-10", "CC-2", "lost", "USD", "1", "direct"),
		billedOf("111", "2026-10", "CC-2", "free", "USD", "2", "direct"),
		billedOf("111", "2026-10", "", "used", "USD", "0.000000000001", "direct"),
		billedOf("111", "2026-10", "CC-1", "used", "EUR", "-3", "direct"),
		billedOf("111", "2026-10", "CC-1", "used", "USD", "0", "amortise"),
		billedOf("111", "2026-10", "CC-1", "used", "USD", "-4", "adjustment"),
		billedOf("222", "2026-10", "CC-1", "used", "USD", "7", "direct"),
		billedOf("", "", "CC-1", "used", "USD", "99", "direct"),   // no bill yet
		billedOf("111", "2026-10", "CC-9", "used", "USD", "", ""), // no delivery has the billed amount
	}}
	want := `111/2026-10|1|GPU compute|CC-1||3|EUR|
111/2026-10|2|Cloud invoices payable||3||EUR|
111/2026-10|3|GPU compute|CC-2|11.25||USD|
111/2026-10|4|Unused GPU capacity|CC-2|2||USD|
111/2026-10|5|GPU compute|unowned|0.000000000001||USD|
111/2026-10|6|Cloud invoices payable|||13.250000000001|USD|
111/2026-10/adjustments|1|GPU compute|CC-1||4|USD|
111/2026-10/adjustments|2|Cloud invoices payable||4||USD|
222/2026-10|1|GPU compute|CC-1|7||USD|
222/2026-10|2|Cloud invoices payable|||7|USD|
`
	if got := b.lines(t, Options{BillingPeriod: "2026-10"}); got != want {
		t.Errorf("the journal is\n%swant\n%s", got, want)
	}
	if b.asked[0].BillingPeriod != "2026-10" || b.asked[0].Sharing != BeforeSharing {
		t.Errorf("it asks %+v", b.asked[0])
	}
}

// The entry of a closed month names its statement and keeps the names of accounts that held when it was closed.
func TestJournalOfAClosedMonthKeepsItsAccounts(t *testing.T) {
	document := func(version, name string) string {
		return "version: " + version + "\njournal_accounts: {used: " + name + "}\n"
	}
	b := &booked{
		costs: []map[string]string{
			billedOf("111", "2026-10", "CC-1", "used", "USD", "5", "direct"),
			billedOf("222", "2026-10", "CC-1", "used", "USD", "5", "direct"),
		},
		periods: []map[string]string{
			{"billing_account": "111", "billing_period": "2026-10", "state": "closed", "version": "2",
				"closed_at": "2026-11-05T00:00:00Z", "currency": "USD"},
			{"billing_account": "222", "billing_period": "2026-10", "state": "open", "version": "1",
				"closed_at": "2026-11-05T00:00:00Z", "currency": "USD"},
		},
		policies: []map[string]string{
			{"version": "old", "document": document("old", "At the close"), "created_at": "2026-11-01T00:00:00Z",
				"withdrawn_at": "2026-11-06T00:00:00Z"},
			{"version": "new", "document": document("new", "Later"), "created_at": "2026-11-06T00:00:00Z"},
		},
	}
	want := `111/2026-10|1|At the close|CC-1|5||USD|111/2026-10/2
111/2026-10|2|Cloud invoices payable|||5|USD|111/2026-10/2
222/2026-10|1|Later|CC-1|5||USD|
222/2026-10|2|Cloud invoices payable|||5|USD|
`
	if got := b.lines(t, Options{BillingPeriod: "2026-10"}); got != want {
		t.Errorf("the journal is\n%swant\n%s", got, want)
	}
	if got := b.lines(t, Options{Filter: "cost_center is null and statement is not null"}); got !=
		"111/2026-10|2|Cloud invoices payable|||5|USD|111/2026-10/2\n" {
		t.Errorf("filtered: %s", got)
	}
}

// Whatever is billed, every entry balances in each currency, to the last digit.
func TestJournalBalances(t *testing.T) {
	b := &booked{}
	for i, amount := range []string{"0.1", "-0.3", "12345678901234567890.000000000001", "1e-12", "7", "-7", "0"} {
		for _, currency := range []string{"USD", "EUR"} {
			b.costs = append(b.costs, billedOf("a", "2026-10", fmt.Sprintf("CC-%d", i%3), "used", currency,
				money.MustParse(amount).String(), "direct"))
		}
	}
	q, err := Parse("journal", Options{})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := journalRows(t.Context(), q, b)
	if err != nil || len(rows) == 0 {
		t.Fatal(err, len(rows))
	}
	rest := map[string]money.Amount{}
	for _, row := range rows {
		debit, credit := row[4], row[5]
		if debit.Valid == credit.Valid {
			t.Errorf("a line has one side: %+v", row)
		}
		key := row[0].Text + row[6].Text
		rest[key] = rest[key].Add(amountOf(debit)).Sub(amountOf(credit))
	}
	for key, left := range rest {
		if left.Sign() != 0 {
			t.Errorf("%s: debits − credits = %s", key, left)
		}
	}
}
