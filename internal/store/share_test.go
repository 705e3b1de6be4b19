package store

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gpuledger/allocation/policy"
	"gpuledger/allocation/share"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

func sharing(t testing.TB, change func(*policy.Version)) policy.Book {
	t.Helper()
	v := policy.Standard()
	v.Settings.Version = "shared-1"
	change(&v)
	b, err := policy.NewBook(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// toOps passes everything that nobody held on to a team of its own.
func toOps(v *policy.Version) {
	v.Redistribute = []policy.Redistribution{{Method: policy.PassOwner, Team: "ops"}}
}

var october = period.MonthOf(at(0, 0))

// passOn does what an allocation does after its chunks, over all days.
func passOn(t testing.TB, s *Store, b policy.Book) int64 {
	t.Helper()
	days, err := s.SharingDays(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := s.ReadSharing(t.Context(), days, true); err != nil {
		t.Fatal(err)
	}
	m, err := s.SharingMonth(t.Context(), october)
	if err != nil {
		t.Fatal(err)
	}
	if m.Buyers, err = s.Buyers(t.Context(), october); err != nil {
		t.Fatal(err)
	}
	ops := ledger.Owner{ID: ledger.NewID("owner", "ops"), Team: "ops"}
	if err := s.SaveOwners(t.Context(), []ledger.Owner{ops}); err != nil {
		t.Fatal(err)
	}
	m.Named = func(string) ledger.ID { return ops.ID }
	n, err := s.SaveShares(t.Context(), october, "print", share.Pass(b, m))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

const sharesText = `select concat_ws('|', to_char(hour, 'DD'), kind, cause, o.team, state, trim_scale(effective_cost), trim_scale(billed_cost), trim_scale(list_cost), coalesce(contracted_cost::text, '-'), commitment)
	from shares s join owners o using (tenant_id, owner_id) where s.tenant_id = 1 order by hour, kind, cause, o.team`

func TestSharesAreReplacedOnlyWhereTheyDiffer(t *testing.T) {
	s, _, _ := toyLedger(t)
	b := sharing(t, toOps)
	if n := passOn(t, s, b); n != 6 {
		t.Errorf("%d rows written, want 6", n)
	}
	want := dump(t, s, sharesText)
	if diff := cmp.Diff(strings.Join([]string{
		"06|shared_in|free|ops|open|0.4|0.4|1.212|-", "06|shared_out|free|ml|open|-0.4|-0.4|-1.212|-",
		"07|shared_in|free|ops|open|1.5|1.5|0.606|-", "07|shared_out|free|ml|open|-1.5|-1.5|-0.606|-",
		"08|shared_in|non_gpu|ops|open|0.7|0.7|1.212|-", "08|shared_out|non_gpu|ml|open|-0.7|-0.7|-1.212|-",
	}, "\n"), want); diff != "" {
		t.Error(diff)
	}
	if n := passOn(t, s, b); n != 0 {
		t.Errorf("the same again writes %d rows", n)
	}
	mustVerify(t, s)
	months, err := s.SharedMonths(t.Context())
	if err != nil || months[october.From] != "print" {
		t.Error(months, err)
	}
	// A final row stays whatever is shared later.
	mustExec(t, s, "update shares set state = 'final' where hour < '2026-10-07'")
	mustExec(t, s, "update postings set state = 'final' where hour < '2026-10-07'")
	if n := passOn(t, s, sharing(t, func(v *policy.Version) {})); n != 0 {
		t.Errorf("%d rows of a policy that shares nothing", n)
	}
	if got := dump(t, s, sharesText); got != strings.ReplaceAll(strings.Join(strings.Split(want, "\n")[:2], "\n"), "|open|", "|final|") {
		t.Errorf("left are\n%s", got)
	}
	if n := passOn(t, s, b); n != 4 {
		t.Errorf("%d rows written beside the final ones, want 4", n)
	}
	days, err := s.SharingDays(t.Context())
	if err != nil || len(days) != 3 || days[0].Stored != days[0].Read {
		t.Fatal(days, err)
	}
	for i := range days {
		days[i].Stored = ""
	}
	if err := s.ReadSharing(t.Context(), days, false); err != nil {
		t.Fatal(err)
	}
	if m, err := s.SharingMonth(t.Context(), october); err != nil || len(m.Pools) != 0 || len(m.Consumers) != 0 {
		t.Errorf("forgotten days hold %v, %v", m, err)
	}
}

func TestDiscountsOfCommitments(t *testing.T) {
	s, _, _ := toyLedger(t)
	mustExec(t, s, "update charge_items set kind = 'covered_usage', commitment_id = 'sp-1'")
	mustExec(t, s, "update parts set billing_account = '999'")
	mustExec(t, s, "update postings set contracted_cost = list_cost + 1 where workload_id is not null")
	mustExec(t, s, "update parts set kind = 'commitment_fee' where node_id is null")
	passOn(t, s, sharing(t, func(v *policy.Version) { v.Commitments = policy.ToBuyer }))
	if got := dump(t, s, sharesText); got != "" { // who bought it holds it, too
		t.Error(got)
	}
	mustExec(t, s, "update parts set owner_id = $1 where kind = 'commitment_fee'", ledger.NewID("owner", "ops"))
	passOn(t, s, sharing(t, func(v *policy.Version) { v.Commitments = policy.ToBuyer }))
	if got := dump(t, s, sharesText); got != "06|shared_in|used|ops|open|-2.811999999999|-|sp-1\n06|shared_out|used|ml|open|2.811999999999|-|sp-1\n"+
		"07|shared_in|used|ops|open|-0.106|-|sp-1\n07|shared_out|used|ml|open|0.106|-|sp-1" {
		t.Error(got)
	}
	m, err := s.SharingMonth(t.Context(), october)
	if err != nil {
		t.Fatal(err)
	}
	want := map[share.Covered][]share.Weight{{Commitment: "sp-1", BillingAccount: "999", Currency: "USD"}: {{Owner: ledger.NewID("owner", "ml"), Amount: money.MustParse("4.818")}}}
	if diff := cmp.Diff(want, m.Machines, cmp.Comparer(func(x, y money.Amount) bool { return x.Cmp(y) == 0 })); diff != "" {
		t.Error(diff)
	}
}

func TestAPairIsExplainedFromWhatIsStored(t *testing.T) {
	s, _, _ := toyLedger(t)
	passOn(t, s, sharing(t, toOps))
	p, err := s.SharedPair(t.Context(), one[ledger.ID](t, s, "select share_id from shares where kind = 'shared_in' and cause = 'free' order by hour limit 1"))
	if err != nil || p == nil {
		t.Fatal(p, err)
	}
	sum := money.Amount{}
	for _, v := range p.Postings {
		sum = sum.Add(*v.Effective)
	}
	got := fmt.Sprintf("%s %s rule %d of %s by %s, %d rows, %d postings of %s, %s", p.Cause, p.Total.Effective, p.Rule.Place, p.Rule.Version, p.Rule.Method,
		len(p.Rows), len(p.Postings), sum, p.Teams[p.From])
	if got != "free 0.4 rule 1 of shared-1 by owner, 2 rows, 2 postings of 0.4, ml" {
		t.Error(got)
	}
	if p, err := s.SharedPair(t.Context(), ledger.NewID("share", "none")); err != nil || p != nil {
		t.Error(p, err)
	}
}

func TestVerifyFindsFaultsOfSharing(t *testing.T) {
	s, _, _ := toyLedger(t)
	passOn(t, s, sharing(t, toOps))
	mustVerify(t, s)
	for _, fault := range []struct{ name, sql, check string }{
		{"a unit too much", "update shares set effective_cost = effective_cost + 0.000000000001 where kind = 'shared_in'", "pairs of sharing"},
		{"a lost side", "delete from shares where kind = 'shared_out'", "pairs of sharing"},
		{"zero for unknown", "update shares set contracted_cost = 0 where kind = 'shared_in'", "pairs of sharing"},
		{"another share", "update shares set effective_cost = effective_cost * 2", "weights of sharing"},
		{"a weight", "update shares set weight = weight / 2", "weights of sharing"},
		{"an unknown owner", "update shares set owner_id = gen_random_uuid() where kind = 'shared_in'", "owners of sharing"},
		{"a pool that is not there", "update shares set pool_billed_cost = 1, billed_cost = case kind when 'shared_in' then 1 else -1 end", "pools of sharing"},
		{"a pool of another bill", "update shares set billing_account = 'other'", "pools of sharing"},
	} {
		t.Run(fault.name, func(t *testing.T) {
			tx, err := s.pool.Begin(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = tx.Rollback(t.Context()) }()
			if _, err := tx.Exec(t.Context(), fault.sql); err != nil {
				t.Fatal(err)
			}
			for _, c := range ofSharing(period.Interval{To: endOfTime}) {
				if c.name != fault.check {
					continue
				}
				if rows, err := c.find(t.Context(), tx); err != nil || len(rows) == 0 {
					t.Errorf("%s passes (%v)", c.name, err)
				}
			}
		})
	}
}
