package posting_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gpuledger/allocation/policy"
	"gpuledger/allocation/share"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/internal/posting"
	"gpuledger/internal/store/verify"
	"gpuledger/metrics"
	"gpuledger/test/tier"
)

func sharingBook(t *testing.T, change func(*policy.Version)) policy.Book {
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

// passOn passes idle capacity on to its consumers, and shared cost to a team.
func passOn(v *policy.Version) {
	v.Redistribute = []policy.Redistribution{
		{Causes: []string{"free", "stranded", "commitment_unused"}, Method: policy.PassHeld},
		{Causes: []string{"shared", "unavailable"}, Method: policy.PassOwner, Team: "platform"},
		{Causes: []string{"unobserved"}, Method: policy.PassEven},
	}
}

// ruled is the store under a policy that is not stored.
type ruled struct {
	posting.AllocationStore
	book policy.Book
}

func (r ruled) Policies(context.Context) (policy.Book, error) { return r.book, nil }

// dyingShares is a store that fails to save pairs.
type dyingShares struct{ ruled }

func (dyingShares) SaveShares(
	context.Context, period.Interval, string, iter.Seq2[*share.Shared, error],
) (int64, error) {
	return 0, errors.New("killed")
}

func (w *world) allocateUnder(b policy.Book) *posting.AllocationSummary {
	w.t.Helper()
	a := posting.Allocator{Store: ruled{w.store, b}}
	sum, err := a.Run(w.t.Context(), period.Interval{})
	if err != nil {
		w.t.Fatal(err)
	}
	w.statistics()
	return sum
}

const shareColumns = `share_id, hour, pool_id, kind, cluster, cause, owner_id, from_owner, billing_account, billing_period, currency, state, commitment,
	effective_cost, billed_cost, list_cost, contracted_cost, policy_version, method, rule, weight, weight_of, team_weight, team_weight_of, pool_effective_cost`

func (w *world) shares() []string {
	w.t.Helper()
	return sorted(w.rows("select " + shareColumns + " from shares"))
}

// mustAddUp checks that pairs move money and create none.
func (w *world) mustAddUp() {
	w.t.Helper()
	sums := make([]string, 0, 4)
	for _, m := range []string{"effective_cost", "billed_cost", "list_cost", "contracted_cost"} {
		sums = append(sums, fmt.Sprintf("sum(%s) <> 0", m))
	}
	if bad := w.rows("select pool_id, sum(effective_cost), sum(billed_cost) from shares group by pool_id having " +
		strings.Join(sums, " or ")); len(bad) > 0 {
		w.t.Errorf("%d pools do not add up to zero, first %s", len(bad), bad[0])
	}
	if bad := w.rows("select s.* from shares s left join owners o using (tenant_id, owner_id) where o.owner_id is null"); len(bad) > 0 {
		w.t.Errorf("%d rows of nobody, first %s", len(bad), bad[0])
	}
}

// TestSharing shares one fleet under one policy after another.
func TestSharing(t *testing.T) {
	t.Parallel()
	tier.OnlyInFull(t, "a fleet more takes minutes")
	w := everywhere(t)
	for _, part := range []struct {
		name string
		test func(*testing.T, *world)
	}{{"what nobody held is passed on", passesOn},
		{"discounts move", discountsMove}, {"every grouping adds up", groupingsAddUp}} {
		t.Run(part.name, func(t *testing.T) {
			own := *w
			own.t = t
			part.test(t, &own)
		})
	}
}

func passesOn(t *testing.T, w *world) {
	if rows := w.shares(); len(rows) != 0 {
		t.Fatalf("the standard passes nothing on, yet %s", rows[0])
	}
	b := sharingBook(t, passOn)
	if sum := w.allocateUnder(b); sum.Shares == 0 {
		t.Fatal("nothing was passed on")
	}
	w.mustAddUp()
	// Owners lose everything that the rules pass on, except their share by their own usage.
	left := w.rows(`with has as (
			select p.cause, p.owner_id, p.currency, coalesce(n.cluster, '') as cluster, sum(p.effective_cost) as cost
			from postings p left join nodes n using (tenant_id, node_id)
			where p.cause in ('free', 'stranded', 'commitment_unused', 'shared', 'unavailable') and p.workload_id is null
			group by 1, 2, 3, 4
		), moved as (select cause, owner_id, currency, cluster, sum(effective_cost) as cost from shares
		where kind = 'shared_out' group by 1, 2, 3, 4)
		select h.*, m.cost from has h left join moved m using (cause, owner_id, currency, cluster)
		join owners o using (owner_id)
		where h.cost <> 0 and (m.cost is null or h.cost + m.cost <> 0)
			and not exists (select from usage u where u.owner_id = h.owner_id and u.held)`)
	if len(left) != 0 {
		t.Errorf("not passed on: %s", strings.Join(left, "\n"))
	}
	teams := w.rows(`select distinct o.team from shares s join owners o using (tenant_id, owner_id)
		where s.cause = 'shared' and s.kind = 'shared_in'`)
	if diff := cmp.Diff([]string{"(platform)"}, teams); diff != "" {
		t.Error(diff)
	}
	before := w.shares()
	if sum := w.allocateUnder(b); sum.Shares != 0 {
		t.Errorf("nothing changed, yet %d rows were written", sum.Shares)
	}
	// The same from an empty ledger, after a crash between reading days and saving pairs.
	fresh := w.separate()
	fresh.loadFolder()
	dying := posting.Allocator{Store: dyingShares{ruled{fresh.store, b}}}
	if _, err := dying.Run(t.Context(), period.Interval{}); err == nil {
		t.Error("an allocation that cannot save its pairs succeeds")
	}
	if sum := fresh.allocateUnder(b); sum.Chunks != 0 || sum.Shares == 0 {
		t.Errorf("after dying %+v", sum)
	}
	if diff := cmp.Diff(before, fresh.shares()); diff != "" {
		t.Errorf("sharing afterwards is not sharing at once (- afterwards, + at once):\n%s", diff)
	}
	// Without the rules the pairs are removed.
	w.allocate()
	if rows := w.shares(); len(rows) != 0 {
		t.Errorf("%d rows are left of a policy that no longer holds", len(rows))
	}
}

// TestSharingIncrementallyIsSharingAtOnce: files arrive one by one, with an
// allocation after each.
func TestSharingIncrementallyIsSharingAtOnce(t *testing.T) {
	t.Parallel()
	tier.OnlyInFull(t, "a fleet more takes minutes")
	b := sharingBook(t, func(v *policy.Version) { passOn(v); v.Commitments = policy.ToBuyer })
	full := simulate(t, everyBill(8))
	full.loadBills(func() {})
	full.load("openmetrics", full.files.Telemetry...)
	full.load("spot-events", full.files.Events...)
	full.allocateUnder(b)
	full.mustAddUp()

	step := full.separate()
	for i, file := range slices.Backward(step.files.Telemetry) {
		step.load("openmetrics", file)
		if i == 0 {
			step.allocateUnder(b)
		}
	}
	step.loadBills(func() { step.allocateUnder(b) })
	step.load("spot-events", step.files.Events...)
	step.allocateUnder(b)
	if diff := cmp.Diff(full.shares(), step.shares()); diff != "" {
		t.Errorf("shared after every file (- at once, + step by step):\n%s", diff)
	}
	if len(full.rows("select 1 from shares where commitment is not null limit 1")) == 0 {
		t.Error("no discount moved")
	}
}

// discountsMove: under buyer the holders of covered machines pay the contracted price; under spread each gets a share
// of the discount.
func discountsMove(t *testing.T, w *world) {
	w.allocateUnder(sharingBook(t, func(v *policy.Version) { v.Commitments = policy.ToBuyer }))
	w.mustAddUp()
	wrong := w.rows(`with covered as (
			select p.owner_id, p.cause, p.currency, sum(p.effective_cost) as effective,
			  sum(coalesce(p.contracted_cost, p.list_cost)) as contracted
			from postings p join parts b using (tenant_id, hour, part_id) join charges c on c.charge_id = b.charge_id
			  and c.delivery_id = b.delivery_id
			where c.kind = 'covered_usage' and b.posting_kind = 'direct' and p.workload_id is not null
			  and p.effective_cost is not null and coalesce(p.contracted_cost, p.list_cost) is not null
			group by 1, 2, 3
		), amortised as (
			select p.owner_id, p.cause, p.currency, sum(p.effective_cost) as effective from postings p
			join parts b using (tenant_id, hour, part_id)
			where b.posting_kind = 'amortise' and b.method = 'commitment credit' and p.workload_id is not null group by 1, 2, 3
		), moved as (select owner_id, cause, currency, sum(effective_cost) as moved from shares
		where kind = 'shared_out' and commitment is not null group by 1, 2, 3)
		select c.*, a.effective, m.moved from covered c left join amortised a using (owner_id, cause, currency)
		left join moved m using (owner_id, cause, currency)
		where c.effective + coalesce(a.effective, 0) + coalesce(m.moved, 0) <> c.contracted`)
	if len(wrong) > 0 {
		t.Errorf("%d holders do not pay the contracted price, first %s", len(wrong), wrong[0])
	}
	if n := w.rows("select count(*) from shares where kind = 'shared_out' and effective_cost > 0"); n[0] == "(0)" {
		t.Error("no discount moved")
	}
	w.allocateUnder(sharingBook(t, func(v *policy.Version) {
		v.Settings.Version, v.Commitments = "spread-1", policy.ToAll
	}))
	w.mustAddUp()
	if n := w.rows("select count(*) from shares where method = 'spread' and kind = 'shared_in'"); n[0] == "(0)" {
		t.Error("no discount was spread")
	}
}

// figures adds up the rows of a report by currency, column by column.
func (w *world) figures(dataset string, o metrics.Options) map[string]money.Amount {
	w.t.Helper()
	q, err := metrics.Parse(dataset, o)
	if err != nil {
		w.t.Fatal(err)
	}
	rows, err := w.store.Query(w.t.Context(), q)
	if err != nil {
		w.t.Fatal(err)
	}
	defer rows.Close()
	sums := map[string]money.Amount{}
	cols := rows.Columns()
	at := slices.IndexFunc(cols, func(c metrics.Column) bool { return c.Name == "currency" })
	for rows.Next() {
		values := rows.Values()
		for i, c := range cols {
			if values[i].Valid && (c.Kind == metrics.Money || c.Kind == metrics.Quantity) {
				name := values[at].Text + " " + c.Name
				sums[name] = sums[name].Add(money.MustParse(values[i].Text))
			}
		}
	}
	if err := rows.Err(); err != nil {
		w.t.Fatal(err)
	}
	return sums
}

// groupingsAddUp: the total of every grouping equals that before sharing, per currency and metric, and for
// quantities.
func groupingsAddUp(t *testing.T, w *world) {
	b := sharingBook(t, func(v *policy.Version) { passOn(v); v.Commitments = policy.ToAll })
	w.allocateUnder(b)
	same := cmp.Comparer(func(x, y money.Amount) bool { return x.Cmp(y) == 0 })
	total := w.figures("costs", metrics.Options{})
	groupings := []string{""}
	for _, k := range metrics.Keys {
		groupings = append(groupings, k.Name)
	}
	asks := []metrics.Options{
		{GroupBy: "team,cause,cluster,kind", Granularity: "day"},
		{GroupBy: "team", Granularity: "month", TZ: "America/New_York"}, {GroupBy: "tag:team"}, {GroupBy: "label:team"},
	}
	for _, by := range groupings {
		asks = append(asks, metrics.Options{GroupBy: by})
	}
	for _, o := range asks {
		o.Sharing = "after"
		if diff := cmp.Diff(total, w.figures("costs", o), same); diff != "" {
			t.Errorf("%+v (- before, + after):\n%s", o, diff)
		}
	}
	// By cluster, cause, bill and state no amount moves.
	for _, key := range []string{"cause", "cluster", "billing_account", "billing_period", "state"} {
		for _, filter := range []string{key + " != ''", key + " = ''"} {
			before := w.figures("costs", metrics.Options{GroupBy: key, Filter: filter})
			if diff := cmp.Diff(before, w.figures("costs", metrics.Options{GroupBy: key, Filter: filter, Sharing: "after"}),
				same); diff != "" {
				t.Errorf("where %s (- before, + after):\n%s", filter, diff)
			}
		}
	}
	for _, team := range []string{"unowned", "platform"} {
		o := metrics.Options{Filter: "team = " + team}
		before := w.figures("costs", o)
		o.Sharing = "after"
		if cmp.Equal(before, w.figures("costs", o), same) {
			t.Errorf("nothing moved for %s", team)
		}
	}
	// The statement per team: own, passed on, received, after.
	cols := []string{"own_effective_cost", "shared_out_effective_cost", "shared_in_effective_cost"}
	sums, kinds := w.figures("chargeback", metrics.Options{}),
		w.figures("costs", metrics.Options{GroupBy: "kind", Sharing: "after", Filter: "kind = shared_in"})
	zero := money.Amount{}
	for _, currency := range []string{"USD"} {
		var parts []money.Amount
		for _, c := range cols {
			parts = append(parts, sums[currency+" "+c])
		}
		if whole := sums[currency+" effective_cost"]; money.Sum(parts...).Cmp(whole) != 0 ||
			whole.Cmp(total[currency+" effective_cost"]) != 0 {
			t.Errorf("%s: %s are %s, before sharing it was %s", currency, parts, whole, total[currency+" effective_cost"])
		}
		if parts[1].Add(parts[2]).Cmp(zero) != 0 || parts[2].IsZero() ||
			parts[2].Cmp(kinds[currency+" effective_cost"]) != 0 {
			t.Errorf("%s: %s passed on, %s received", currency, parts[1], parts[2])
		}
	}
	report, err := w.store.Verify(t.Context(), verify.Options{FailStale: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range report.Checks {
		if c.State != verify.CheckPassed {
			t.Errorf("%s: %s", c.Name, strings.Join(c.Rows, "; "))
		}
	}
	// Posting by posting.
	before, after := w.figures("postings", metrics.Options{}), w.figures("postings", metrics.Options{Sharing: "after"})
	if diff := cmp.Diff(before, after, same); diff != "" {
		t.Errorf("postings (- before, + after):\n%s", diff)
	}
}

// TestTrialPredictsSharing: the amounts in a trial of sharing rules equal what teams pay once the rules are in
// force, up to rounding.
func TestTrialPredictsSharing(t *testing.T) {
	t.Parallel()
	tier.OnlyInFull(t, "a fleet more takes minutes")
	w := simulate(t, twoDays(5))
	w.loadAll()
	w.allocate()
	const document = "version: shared\nredistribute:\n- {causes: [free, stranded, unobserved], method: held}\n- " +
		"{causes: [shared, unavailable, non_gpu], method: owner, team: platform}\n"
	v, err := policy.Parse([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	trial, err := posting.Trial(t.Context(), w.store, v, period.Interval{})
	if err != nil {
		t.Fatal(err)
	}
	if rows := w.shares(); len(rows) != 0 {
		t.Fatal("a trial wrote pairs")
	}
	if _, _, err := w.store.SavePolicy(t.Context(), []byte(document), "test"); err != nil {
		t.Fatal(err)
	}
	w.allocate()
	now, err := w.store.Totals(t.Context(), period.Interval{})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]money.Amount{}
	for _, r := range now {
		got[name(r)] = orZero(r.Effective.Now)
	}
	moved := false
	unit := money.MustParse("0.000000001")
	for _, r := range trial.Rows {
		off := orZero(r.Effective.Then).Sub(got[name(r)])
		if off.Cmp(unit) > 0 || off.Neg().Cmp(unit) > 0 {
			t.Errorf("%s: the trial said %s, it is %s", name(r), orZero(r.Effective.Then), got[name(r)])
		}
		moved = moved || r.Team == "platform" && r.Moved()
	}
	if !moved {
		t.Error("nothing moved to the team that is named")
	}
}
