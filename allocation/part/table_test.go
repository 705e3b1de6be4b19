package part

import (
	"math/big"
	"strconv"
	"strings"
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// Readers for the cases of finance_test.go.

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

func shown(a *money.Amount) string {
	if a == nil {
		return "-"
	}
	return a.String()
}

// cells splits a text table: columns are two blanks or more apart, but a column begins where its heading does.
func cells(t *testing.T, text string) (heads []string, rows []map[string]string) {
	t.Helper()
	var starts []int
	for n, l := range strings.Split(text, "\n") {
		l = strings.TrimLeft(l, "\t ")
		if n == 0 {
			for h := range strings.SplitSeq(l, "  ") {
				if h = strings.TrimSpace(h); h != "" {
					heads = append(heads, h)
				}
			}
			at := 0
			for _, h := range heads {
				at += strings.Index(l[at:], h)
				starts = append(starts, at)
				at += len(h)
			}
			continue
		}
		row := map[string]string{}
		for i, from := range starts {
			to := len(l)
			if i+1 < len(starts) {
				to = min(to, starts[i+1])
			}
			if from < len(l) {
				row[heads[i]] = strings.TrimSpace(l[from:to])
			}
		}
		rows = append(rows, row)
	}
	return heads, rows
}

func wanted(t *testing.T, text string) [][]string {
	t.Helper()
	var out [][]string
	_, rows := cells(t, text)
	for _, r := range rows {
		out = append(out, []string{r["line"], r["goes to"], r["machine"], r["hour"], r["billed"], r["effective"], r["pair"]})
	}
	return out
}

// billOf makes charges of the lines of a case.
func billOf(t *testing.T, text string) (bill []*ledger.Charge, names []string) {
	t.Helper()
	kinds := map[string]ledger.LineKind{
		"usage": ledger.LineUsage, "covered": ledger.LineCoveredUsage,
		"negation": ledger.LineNegation, "fee": ledger.LineCommitmentFee,
		"discount": ledger.LineDiscount, "tax": ledger.LineInvoice, "prepaid": ledger.LinePrepaid, "split": ledger.LineSplit,
	}
	_, rows := cells(t, text)
	for i, r := range rows {
		get := func(name string) string {
			if r[name] == "-" {
				return ""
			}
			return r[name]
		}
		carried := func(name string) *money.Amount {
			if get(name) == "" {
				return nil
			}
			return usd(get(name))
		}
		from, to, _ := strings.Cut(r["hours"], "-")
		first, errFrom := strconv.Atoi(from)
		last, errTo := strconv.Atoi(to)
		kind, known := kinds[r["kind"]]
		if errFrom != nil || errTo != nil || !known {
			t.Fatalf("line %q of the case", r)
		}
		ch := &ledger.Charge{
			ID: ledger.ID{byte(i + 1)}, Kind: kind, BillingAccount: "payer", Account: "ml",
			BillingPeriod: "2026-11", Currency: "USD", Period: hours(first, last),
			InstanceID: get("machine"), ResourceID: get("machine"), InstanceType: get("type"),
			CommitmentID: get("commitment"), Region: get("region"),
			ServiceCode: get("service"), UsageType: get("usage type"), CommitmentCredit: carried("credit"),
			Costs: ledger.Costs{Billed: carried("billed"), Effective: carried("effective")},
		}
		if a := get("account"); a != "" {
			ch.Account = a
		}
		managed := strings.HasPrefix(ch.InstanceType, "ml.")
		ch.InstanceHours = (ch.InstanceID != "" || ch.InstanceType != "") && !managed && kind != ledger.LineCommitmentFee &&
			kind != ledger.LinePrepaid
		if ch.InstanceID == "none" {
			ch.InstanceID, ch.ResourceID = "", ""
		}
		if s := get("seconds"); s != "" {
			n, err := strconv.ParseInt(s, 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			ch.InstanceSeconds = &n
		}
		bill, names = append(bill, ch), append(names, r["line"])
	}
	return bill, names
}

func cutWith(t *testing.T, f *Fleet, charges ...*ledger.Charge) map[ledger.ID][]ledger.Part {
	t.Helper()
	c := New(f, tagOwner)
	for _, ch := range charges {
		c.Observe(ch)
	}
	out := map[ledger.ID][]ledger.Part{}
	for _, ch := range charges {
		parts, err := c.Cut(ch)
		if err != nil {
			t.Fatal(err)
		}
		out[ch.ID] = parts
	}
	return out
}

// addsUp checks that parts are the charge, and that pairs move and add nothing.
func addsUp(t interface{ Errorf(string, ...any) }, ch *ledger.Charge, parts []ledger.Part) {
	if ch.Kind == ledger.LineSplit {
		if len(parts) > 0 {
			t.Errorf("a split row has %d parts", len(parts))
		}
		return
	}
	pairs := map[period.Second]*big.Rat{}
	for _, m := range ledger.Metrics {
		sum, carried := new(big.Rat), false
		for i := range parts {
			p := &parts[i]
			a := p.Get(m)
			if p.PostingKind == ledger.Amortise {
				if (a != nil) != (m == ledger.EffectiveCost) {
					t.Errorf("an amortise part carries effective cost only: %+v", p)
				}
				if a != nil {
					if pairs[p.Hour] == nil {
						pairs[p.Hour] = new(big.Rat)
					}
					pairs[p.Hour].Add(pairs[p.Hour], a.Rat())
				}
			} else if (a == nil) != (ch.Get(m) == nil) {
				t.Errorf("%s of %s: a measure is carried by all parts or by none", m, ch.Kind)
			}
			if a != nil {
				sum.Add(sum, a.Rat())
				carried = true
			}
		}
		if want := ch.Get(m); want != nil && (!carried || sum.Cmp(want.Rat()) != 0) {
			t.Errorf("%s of %s: parts add up to %s, the line is %s", m, ch.Kind, sum.FloatString(20), want)
		}
	}
	for h, sum := range pairs {
		if sum.Sign() != 0 {
			t.Errorf("pairs of %s move %s out of nothing", h, sum.FloatString(20))
		}
	}
}
