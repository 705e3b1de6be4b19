package book_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gpuledger/allocation/policy"
	"gpuledger/allocation/share"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/test/storetest"
)

const sharesText = `select concat_ws('|', to_char(hour, 'DD'), kind, cause, o.team, state, trim_scale(effective_cost),
	  trim_scale(billed_cost), trim_scale(list_cost), coalesce(contracted_cost::text, '-'), commitment)
	from shares s join owners o using (tenant_id, owner_id) where s.tenant_id = 1 order by hour, kind, cause, o.team`

func TestSharesAreReplacedOnlyWhereTheyDiffer(t *testing.T) {
	s, _, _ := storetest.ToyLedger(t)
	b := storetest.Sharing(t, storetest.ToOps)
	if n := storetest.PassOn(t, s, b); n != 6 {
		t.Errorf("%d rows written, want 6", n)
	}
	want := storetest.Dump(t, s, sharesText)
	if diff := cmp.Diff(strings.Join([]string{
		"06|shared_in|free|ops|open|0.4|0.4|1.212|-", "06|shared_out|free|ml|open|-0.4|-0.4|-1.212|-",
		"07|shared_in|free|ops|open|1.5|1.5|0.606|-", "07|shared_out|free|ml|open|-1.5|-1.5|-0.606|-",
		"08|shared_in|non_gpu|ops|open|0.7|0.7|1.212|-", "08|shared_out|non_gpu|ml|open|-0.7|-0.7|-1.212|-",
	}, "\n"), want); diff != "" {
		t.Error(diff)
	}
	if n := storetest.PassOn(t, s, b); n != 0 {
		t.Errorf("the same again writes %d rows", n)
	}
	storetest.MustVerify(t, s)
	months, err := s.SharedMonths(t.Context())
	if err != nil || months[storetest.October.From] != "print" {
		t.Error(months, err)
	}
	// A final row stays, whatever is shared later.
	storetest.MustExec(t, s, "update shares set state = 'final' where hour < '2026-10-07'")
	storetest.MustExec(t, s, "update postings set state = 'final' where hour < '2026-10-07'")
	if n := storetest.PassOn(t, s, storetest.Sharing(t, func(v *policy.Version) {})); n != 0 {
		t.Errorf("%d rows of a policy that shares nothing", n)
	}
	if got := storetest.Dump(t, s, sharesText); got != strings.ReplaceAll(strings.Join(strings.Split(want, "\n")[:2],
		"\n"), "|open|", "|final|") {
		t.Errorf("left are\n%s", got)
	}
	if n := storetest.PassOn(t, s, b); n != 4 {
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
	if m, err := s.SharingMonth(t.Context(), storetest.October); err != nil || len(m.Pools) != 0 || len(m.Consumers) != 0 {
		t.Errorf("forgotten days hold %v, %v", m, err)
	}
}

func TestDiscountsOfCommitments(t *testing.T) {
	s, _, _ := storetest.ToyLedger(t)
	storetest.MustExec(t, s, "update charge_items set kind = 'covered_usage', commitment_id = 'sp-1'")
	storetest.MustExec(t, s, "update parts set billing_account = '999'")
	storetest.MustExec(t, s, "update postings set contracted_cost = list_cost + 1 where workload_id is not null")
	storetest.MustExec(t, s, "update parts set kind = 'commitment_fee' where node_id is null")
	storetest.PassOn(t, s, storetest.Sharing(t, func(v *policy.Version) { v.Commitments = policy.ToBuyer }))
	if got := storetest.Dump(t, s, sharesText); got != "" { // the buyer also holds all of it
		t.Error(got)
	}
	storetest.MustExec(t, s, "update parts set owner_id = $1 where kind = 'commitment_fee'", ledger.NewID("owner", "ops"))
	storetest.PassOn(t, s, storetest.Sharing(t, func(v *policy.Version) { v.Commitments = policy.ToBuyer }))
	if got := storetest.Dump(t, s,
		sharesText); got != "06|shared_in|used|ops|open|-2.811999999999|-|sp-1\n06|shared_out|used|ml|open|2.811999999999|-|sp-1\n"+
		"07|shared_in|used|ops|open|-0.106|-|sp-1\n07|shared_out|used|ml|open|0.106|-|sp-1" {
		t.Error(got)
	}
	m, err := s.SharingMonth(t.Context(), storetest.October)
	if err != nil {
		t.Fatal(err)
	}
	want := map[share.Covered][]share.Weight{
		{Commitment: "sp-1", BillingAccount: "999", Currency: "USD"}: {
			{Owner: ledger.NewID("owner", "ml"), Amount: money.MustParse("4.818")},
		},
	}
	if diff := cmp.Diff(want, m.Machines,
		cmp.Comparer(func(x, y money.Amount) bool { return x.Cmp(y) == 0 })); diff != "" {
		t.Error(diff)
	}
}

func TestAPairIsExplainedFromWhatIsStored(t *testing.T) {
	s, _, _ := storetest.ToyLedger(t)
	storetest.PassOn(t, s, storetest.Sharing(t, storetest.ToOps))
	p, err := s.SharedPair(t.Context(),
		storetest.One[ledger.ID](t, s,
			"select share_id from shares where kind = 'shared_in' and cause = 'free' order by hour limit 1"))
	if err != nil || p == nil {
		t.Fatal(p, err)
	}
	sum := money.Amount{}
	for _, v := range p.Postings {
		sum = sum.Add(*v.Effective)
	}
	got := fmt.Sprintf("%s %s rule %d of %s by %s, %d rows, %d postings of %s, %s", p.Cause, p.Total.Effective,
		p.Rule.Place, p.Rule.Version, p.Rule.Method,
		len(p.Rows), len(p.Postings), sum, p.Teams[p.From])
	if got != "free 0.4 rule 1 of shared-1 by owner, 2 rows, 2 postings of 0.4, ml" {
		t.Error(got)
	}
	if p, err := s.SharedPair(t.Context(), ledger.NewID("share", "none")); err != nil || p != nil {
		t.Error(p, err)
	}
}
