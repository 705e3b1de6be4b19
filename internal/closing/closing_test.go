package closing

import (
	"bytes"
	"iter"
	"slices"
	"strings"
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

func linesOf(list ...*Line) iter.Seq2[*Line, error] {
	return func(yield func(*Line, error) bool) {
		for _, l := range list {
			if !yield(l, nil) {
				return
			}
		}
	}
}

func line(node, cost string) *Line {
	a := money.MustParse(cost)
	return &Line{
		Day: 1_793_491_200, Node: node, Owner: ledger.NewID("owner", "a"), Cause: ledger.Used,
		Kind: ledger.Direct, Quality: ledger.Measured, Currency: "USD", Costs: ledger.Costs{Billed: &a},
	}
}

func TestCanonicalBytes(t *testing.T) {
	head := Head{BillingAccount: "a,b", BillingPeriod: "2026-10", Version: 1, Policies: []string{"default-1"}}
	var b bytes.Buffer
	w, err := Write(&b, head, linesOf(line(`n"2`, "-3"), line("n1", "1.50")))
	if err != nil {
		t.Fatal(err)
	}
	rows := strings.Split(b.String(), "\n")
	if rows[0] != "gpuledger statement,1" || rows[1] != `billing_account,"a,b"` ||
		!strings.HasSuffix(rows[6], ",used,direct,measured,USD,,1.5,,,,,,") && !strings.Contains(b.String(), `"n""2"`) ||
		w.Lines != 2 || w.Bytes != int64(b.Len()) {
		t.Errorf("%+v\n%s", w, b.String())
	}
	if _, err := Write(&b, head, linesOf(line("n2", "1"), line("n1", "1"))); err == nil {
		t.Error("lines out of order were written")
	}
	if _, err := Write(&b, head, linesOf(line("n1", "1"), line("n1", "2"))); err == nil {
		t.Error("a line was written twice")
	}
}

func TestReasons(t *testing.T) {
	s := State{BillingAccount: "1", BillingPeriod: "2026-10", Ends: 100, Waiting: 2, Uncut: 1, Allocating: true,
		Imports: []string{"x"}, Provisional: 3, Failing: []string{"y"}, Earlier: []period.Month{"2026-09"},
		Total:   map[string]money.Amount{"USD": money.MustParse("100")},
		Unowned: map[string]money.Amount{"USD": money.MustParse("5.000001")}, UnownedLimitPPM: 50_000}
	if got := s.Reasons(99); len(got) != 9 || !strings.Contains(got[8].Text, "limit is 5%") {
		t.Errorf("%d reasons: %q", len(got), got)
	}
	s.Unowned["USD"] = money.MustParse("5")
	if got := s.Reasons(100); len(got) != 7 ||
		slices.ContainsFunc(got, func(r Reason) bool { return r.Step == OwnerKnown }) {
		t.Errorf("at the limit: %q", got)
	}
}
