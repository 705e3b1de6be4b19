package bills_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"gpuledger/ingest"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/internal/store/bills"
	"gpuledger/internal/store/verify"
	"gpuledger/metrics"
	"gpuledger/test/storetest"
)

var exactly = cmp.Comparer(func(a, b money.Amount) bool { return a.Cmp(b) == 0 })

// byID returns charges by id.
func byID(list []ledger.Charge) map[ledger.ID]ledger.Charge {
	all := map[ledger.ID]ledger.Charge{}
	for _, c := range list {
		all[c.ID] = c
	}
	return all
}

// Every field of a charge is read back, with invalid texts cleaned.
func TestEveryFieldOfAChargeIsStored(t *testing.T) {
	s := storetest.New(t)
	aggregate := storetest.ChargeOf(storetest.At(0, 1), "12.5")
	aggregate.ResourceID, aggregate.InstanceID, aggregate.InstanceHours, aggregate.InstanceSeconds = "", "", false, nil
	aggregate.Aggregate = &ledger.Aggregate{
		Lines: 5, Ranges: []ledger.LineRange{{First: 2, Last: 4}, {First: 9, Last: 9}, {First: 11, Last: 11}},
		Digest: [32]byte{1, 2, 3},
	}
	split := storetest.ChargeOf(storetest.At(0, 2), "0")
	split.Kind, split.InstanceHours, split.InstanceSeconds = ledger.LineSplit, false, nil
	split.Split = &ledger.SplitCost{
		Parent: "i-a", Cluster: "c", Namespace: "ns", Pod: "p", PodUID: "uid", Resource: "vcpu",
		Used: storetest.Amount("0.25"), Unused: storetest.Amount("0.000000000000000001"),
	}
	prepaid := storetest.ChargeOf(storetest.At(0, 3), "1e20")
	prepaid.Kind, prepaid.CommitmentCredit, prepaid.BillsGPU, prepaid.Contracted = ledger.LinePrepaid,
		storetest.Amount("3.1400000000000001"), true, storetest.Amount("-0.0000000000005")
	odd := storetest.ChargeOf(storetest.At(0, 4), "9223372.036854775807")
	odd.ResourceID, odd.InstanceID, odd.Description, odd.Tags = "arn:aws:ec2:r:a:instance/i-b", "i-b", "bad \xff byte",
		map[string]string{"k\x00": "v\xff"}
	odd.List, odd.Zone, odd.CommitmentID, odd.Marketplace = storetest.Amount("-9223372.036854775808"), "", "arn:sp", true
	d, charges := storetest.Bill(0, aggregate, split, prepaid, odd, storetest.ChargeOf(storetest.At(0, 5), "0"))
	d.Rows = 9
	for i := range d.Totals {
		d.Totals[i].Charges += 4
	}
	storetest.MustPublish(t, s, d, charges, ingest.DeliveryPublished)
	got := byID(chargesOf(t, s, d.ID))
	charges[3].Description, charges[3].Tags = "bad \uFFFD byte", map[string]string{"k\uFFFD": "v\uFFFD"}
	for _, c := range charges {
		if diff := cmp.Diff(c, got[c.ID], exactly); diff != "" {
			t.Error("charge (-want +got):\n", diff)
		}
	}
	rows := storetest.Table(t, s, "charges", metrics.Options{Filter: "lines = 5"})
	if len(rows) != 1 || rows[0]["line_ranges"] != "2-4 9 11" || rows[0]["effective_cost"] != "12.5" {
		t.Errorf("the aggregate is shown as %v", rows)
	}
	for _, row := range storetest.Table(t, s, "reconciliation", metrics.Options{Filter: "metric = billed_cost"}) {
		storetest.Wants(t, row, map[string]string{"charges": "9", "unposted_charges": "8"}) // except the split
	}
	report, err := s.Verify(t.Context(), verify.Options{})
	if err != nil || report.Failed() {
		t.Fatal(report, err)
	}
	for _, spoil := range []struct{ sql, check string }{
		{"update charge_aggregates set lines = 4", "lines of deliveries"},
		{"update charge_aggregates set lines = 5, line_ranges = '{2,4,4,5}'", "aggregates"},
	} {
		storetest.MustExec(t, s, spoil.sql)
		if report, err = s.Verify(t.Context(), verify.Options{}); err != nil {
			t.Fatal(err)
		}
		failed := ""
		for _, c := range report.Checks {
			if c.State == verify.CheckFailed {
				failed += c.Name + ";"
			}
		}
		if !strings.Contains(failed, spoil.check) {
			t.Errorf("%s: failed checks are %q", spoil.sql, failed)
		}
	}
}

// linesAlike are n lines that differ only in number and cost.
func linesAlike(n int) []ledger.Charge {
	list := make([]ledger.Charge, n)
	for i := range list {
		c := storetest.ChargeOf(storetest.At(0, float64(i%700)), "1")
		c.ID, c.Line = ledger.NewID("charge", fmt.Sprint(i)), int64(i+1)
		units := money.FromUnits(int64(i) * 1000)
		c.Effective, c.Billed, c.List = &units, &units, nil
		c.ResourceID, c.InstanceID = fmt.Sprint("i-", i%977), fmt.Sprint("i-", i%977)
		c.UsageType = fmt.Sprint("kind-", i%31)
		c.Tags = map[string]string{"user_team": fmt.Sprint("team-", i%13)}
		list[i] = c
	}
	return list
}

// A large delivery gets a separate table, and readers see no difference.
func TestALargeDeliveryHasItsOwnTable(t *testing.T) {
	s := storetest.New(t)
	large := linesAlike(bills.OwnTable + 5000)
	first, charges := storetest.Bill(100, large...)
	stage, err := s.StageCharges(t.Context(), ledger.NewID("import", "large"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = stage.Discard(t.Context()) }()
	small, few := storetest.Bill(100, storetest.ChargeOf(storetest.At(0, 3), "1"),
		storetest.ChargeOf(storetest.At(0, 4), "2"))
	small.Export, small.Partition, small.ID = "other", "2026-10", ledger.NewID("delivery", "small")
	few[0].Account, few[1].Account = "777", "777"
	small.Totals = storetest.TotalsOf(few)
	for i := 0; i < len(charges); i += 3000 { // both grow at the same time
		if err := stage.Write(t.Context(), 0, charges[i:min(i+3000, len(charges))]); err != nil {
			t.Fatal(err)
		}
		if i == 3000 {
			if err := stage.Write(t.Context(), 1, few); err != nil {
				t.Fatal(err)
			}
		}
	}
	out, err := stage.Publish(t.Context(), []ledger.Delivery{first, small})
	if err != nil || out[0].State != ingest.DeliveryPublished || out[1].State != ingest.DeliveryPublished {
		t.Fatal(out, err)
	}
	if n := storetest.One[int](t, s,
		"select count(*) from pg_inherits where inhparent = 'charge_rows'::regclass"); n != 2 {
		t.Errorf("%d tables hold charges, want 2", n)
	}
	got := byID(chargesOf(t, s, first.ID))
	if len(got) != len(large) {
		t.Errorf("%d charges of %d", len(got), len(large))
	}
	for _, i := range []int{0, 1, bills.OwnTable - 1, bills.OwnTable, bills.OwnTable + 1, len(large) - 1} {
		if diff := cmp.Diff(large[i], got[large[i].ID], exactly); diff != "" {
			t.Error("charge (-want +got):\n", diff)
		}
	}
	if got := chargesOf(t, s, small.ID); len(got) != 2 {
		t.Errorf("%d charges of the small one", len(got))
	}
	storetest.MustPublish(t, s, first, large, ingest.DeliveryUnchanged)
	older, lines := storetest.Bill(50, large[:len(large)-1]...)
	storetest.MustPublish(t, s, older, lines, ingest.DeliveryOlder)
	second := append([]ledger.Charge{}, large...)
	second[7].ID, second[7].Billed = ledger.NewID("charge", "seven"), storetest.Amount("99")
	next, lines := storetest.Bill(200, second...)
	stage, err = s.StageCharges(t.Context(), ledger.NewID("import", "next"))
	if err != nil {
		t.Fatal(err)
	}
	if err := stage.Write(t.Context(), 0, lines); err != nil {
		t.Fatal(err)
	}
	if out, err = stage.Publish(t.Context(), []ledger.Delivery{next}); err != nil {
		t.Fatal(err)
	}
	want := &ingest.Restatement{Replaced: first.ID, Changed: 1,
		Deltas: []ingest.RestatementDelta{{Account: "111", ServiceName: "EC2", BillingPeriod: "2026-10", Currency: "USD",
			Changed: 1, Billed: money.MustParse("98.999999993")}}}
	if diff := cmp.Diff(want, out[0].Restatement, exactly); diff != "" {
		t.Error("restatement (-want +got):\n", diff)
	}
	// Book again, with the lines that are kept.
	again := first
	then := period.Second(300)
	again.DeliveredAt = &then
	storetest.MustPublish(t, s, again, large, ingest.DeliveryPublished)
	if n := storetest.One[int](t, s, "select count(*) from pg_class where relname ~ '^charge_rows_[0-9]+$'"); n != 3 {
		t.Errorf("%d tables of their own, want 3: first, older, next", n)
	}
	if report, err := s.Verify(t.Context(), verify.Options{}); err != nil || report.Failed() {
		t.Errorf("%+v %v", report, err)
	}
}

// A discarded stage, and one whose ids clash, leave no table behind.
func TestAGivenUpStageLeavesNoTable(t *testing.T) {
	s := storetest.New(t)
	large := linesAlike(bills.OwnTable + 10)
	stage, err := s.StageCharges(t.Context(), ledger.NewID("import", "large"))
	if err != nil {
		t.Fatal(err)
	}
	if err := stage.Write(t.Context(), 0, large); err != nil {
		t.Fatal(err)
	}
	if err := stage.Discard(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := stage.Write(t.Context(), 0, large[:1]); err == nil {
		t.Error("an ended stage takes charges")
	}
	for _, n := range []int{20, len(large)} {
		twice := append([]ledger.Charge{}, large[:n]...)
		twice[3].ID = twice[4].ID
		d, charges := storetest.Bill(100, twice...)
		if _, err := storetest.PublishBill(t, s, d, charges); err == nil ||
			!strings.Contains(err.Error(), "same charge id") {
			t.Errorf("two lines with one id: %v", err)
		}
	}
	if n := storetest.One[int](t, s,
		"select (select count(*) from pg_class where relname ~ '^charge_rows_[0-9]+') + (select count(*) from "+
			"charge_rows) + (select count(*) from charge_items)"); n != 0 {
		t.Errorf("%d tables and rows are left", n)
	}
}

// Refused deliveries leave the stage intact: the others are published without being staged again, and no rows or tables
// of the dropped ones remain.
func TestDroppedDeliveriesLeaveTheOthers(t *testing.T) {
	s := storetest.New(t)
	stored, lines := storetest.Bill(0, storetest.ChargeOf(storetest.At(0, 1), "1"))
	storetest.MustPublish(t, s, stored, lines, ingest.DeliveryPublished)
	var deliveries []ledger.Delivery
	stage, err := s.StageCharges(t.Context(), ledger.NewID("import", "three"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = stage.Discard(t.Context()) }()
	for slot, charges := range [][]ledger.Charge{
		{storetest.ChargeOf(storetest.At(0, 1), "2")}, linesAlike(bills.OwnTable + 10),
		{storetest.ChargeOf(storetest.At(0, 1), "3"), storetest.ChargeOf(storetest.At(0, 2), "4")},
	} {
		d, charges := storetest.Bill(0, charges...)
		if slot > 0 {
			d.Partition = []string{"", "2026-09", "2026-08"}[slot]
			d.ID = ledger.NewID("delivery", d.Partition)
		}
		if err := stage.Write(t.Context(), slot, charges); err != nil {
			t.Fatal(err)
		}
		deliveries = append(deliveries, d)
	}
	_, err = stage.Publish(t.Context(), deliveries)
	if bad, others := ingest.DeliveryErrors(err); len(bad) != 1 || bad[0].Slot != 0 || bad[0].Reason != "no order" ||
		others {
		t.Fatalf("a second delivery without an order: %v", err)
	}
	stage.Drop(0)
	stage.Drop(1)
	out, err := stage.Publish(t.Context(), deliveries)
	if err != nil || len(out) != 3 || out[0].State != "" || out[1].State != "" ||
		out[2].State != ingest.DeliveryPublished {
		t.Fatalf("%+v %v", out, err)
	}
	if got := len(chargesOf(t, s, deliveries[2].ID)); got != 2 {
		t.Errorf("%d charges of the one that was kept", got)
	}
	if n := storetest.One[int](t, s, "select count(*)::int from deliveries where tenant_id = 1"); n != 2 {
		t.Errorf("%d deliveries", n)
	}
	if n := storetest.One[int](t, s,
		"select count(*)::int from pg_class where relname ~ '^charge_rows_[0-9]+' and relkind = 'r'"); n != 0 {
		t.Errorf("%d tables of dropped deliveries", n)
	}
}

func TestRestatement(t *testing.T) {
	s := storetest.New(t)
	line := func(hour float64, cost string) ledger.Charge { return storetest.ChargeOf(storetest.At(0, hour), cost) }
	other := line(9, "5")
	other.Account, other.ServiceName, other.Billed = "222", "S3", nil
	a, ca := storetest.Bill(100, line(1, "1"), line(2, "2"), line(2, "2.5"), line(3, "3"), other)
	b, cb := storetest.Bill(200, line(1, "1"), line(2, "7"), line(4, "4"), line(5, "5"))
	storetest.MustPublish(t, s, a, ca, ingest.DeliveryPublished)
	out, err := storetest.PublishAll(t, s, b, cb)
	if err != nil {
		t.Fatal(err)
	}
	delta := func(account, service string, added, removed, changed int64, effective, billed,
		list string) ingest.RestatementDelta {
		return ingest.RestatementDelta{Account: account, ServiceName: service, BillingPeriod: "2026-10", Currency: "USD",
			Added: added, Removed: removed, Changed: changed,
			Effective: money.MustParse(effective), Billed: money.MustParse(billed), List: money.MustParse(list)}
	}
	want := &ingest.Restatement{Replaced: a.ID, Added: 2, Removed: 3, Changed: 1, Deltas: []ingest.RestatementDelta{
		delta("111", "EC2", 2, 2, 1, "8.5", "8.5", "0"), delta("222", "S3", 0, 1, 0, "-5", "0", "-1.212")}}
	byAccount := cmpopts.SortSlices(func(a, b ingest.RestatementDelta) bool { return a.Account < b.Account })
	if diff := cmp.Diff(want, out.Restatement, exactly, byAccount); diff != "" {
		t.Error("restatement (-want +got):\n", diff)
	}
	rows := storetest.Table(t, s, "restatements", metrics.Options{})
	if len(rows) != 2 {
		t.Fatalf("%v", rows)
	}
	storetest.Wants(t, rows[1], map[string]string{
		"account": "222", "service_name": "S3", "removed": "1", "effective_cost": "-5",
		"billed_cost": "0", "replaced": a.ID.String(), "state": "open",
	})
	// Only tags and lines changed: the delivery is a new one, the money is the same.
	moved := line(1, "1")
	moved.ID, moved.Tags = ledger.NewID("charge", "retagged"), nil
	c, cc := storetest.Bill(300, append(append([]ledger.Charge{}, cb[1:]...), moved)...)
	if out, err = storetest.PublishAll(t, s, c, cc); err != nil || out.Restatement == nil {
		t.Fatal(out, err)
	}
	if diff := cmp.Diff(&ingest.Restatement{Replaced: b.ID, Changed: 1,
		Deltas: []ingest.RestatementDelta{delta("111", "EC2", 0, 0, 1, "0", "0", "0")}},
		out.Restatement, exactly); diff != "" {
		t.Error("retagged (-want +got):\n", diff)
	}
	// The same two lines in either order are no change.
	back := b
	late := period.Second(400)
	back.DeliveredAt = &late
	if out, err = storetest.PublishAll(t, s, back, cb); err != nil || out.Restatement == nil ||
		out.Restatement.Changed != 1 || out.State != ingest.DeliveryPublished {
		t.Fatal(out, err)
	}
	if got := storetest.Table(t, s, "imports", metrics.Options{}); len(got) != 0 {
		t.Errorf("imports nobody started: %v", got)
	}
}

func TestPreferenceDecidesBetweenEqualRanks(t *testing.T) {
	a, ca := storetest.Bill(100, storetest.ChargeOf(storetest.At(0, 1), "1"))
	b, cb := storetest.Bill(100, storetest.ChargeOf(storetest.At(0, 1), "1.5"))
	b.Export, b.ID = "rival", ledger.NewID("delivery", "rival")
	s := storetest.New(t)
	storetest.MustPublish(t, s, a, ca, ingest.DeliveryPublished)
	_, err := storetest.PublishAll(t, s, b, cb)
	var one *ingest.DeliveryError
	if !errors.As(err, &one) || one.Reason != "equal rank" || !strings.Contains(err.Error(), "books:") ||
		!strings.Contains(err.Error(), "--prefer") {
		t.Fatalf("two books: %v", err)
	}
	books := func() string {
		return storetest.Dump(t, s, `select distinct d.export || ' ' || t.role || case when t.counts_seconds then ' counts'
			  else '' end from deliveries d join control_totals t using (tenant_id, delivery_id) where d.tenant_id = 1 order by 1`)
	}
	b.Preference = 1
	storetest.MustPublish(t, s, b, cb, ingest.DeliveryPublished)
	if got := books(); got != "arn:export evidence\nrival book counts" {
		t.Errorf("books are %q", got)
	}
	a.Preference = 2 // configuration changed: the same rows, imported again
	storetest.MustPublish(t, s, a, ca, ingest.DeliveryUnchanged)
	if got := books(); got != "arn:export book counts\nrival evidence" {
		t.Errorf("after changing the configuration books are %q", got)
	}
	rows := storetest.Table(t, s, "reconciliation", metrics.Options{Filter: "metric = billed_cost"})
	if len(rows) != 2 {
		t.Fatalf("%v", rows)
	}
	storetest.Wants(t, rows[0], map[string]string{
		"role": "book", "source_total": "1", "posted_total": "0", "difference": "1",
		"unposted_charges": "1", "evidence_gap": "", "state": "open",
	})
	storetest.Wants(t, rows[1], map[string]string{
		"role": "evidence", "source_total": "1.5", "posted_total": "", "difference": "",
		"unposted_charges": "", "evidence_gap": "0.5", "charges": "1",
	})
	for _, row := range storetest.Table(t, s, "charges", metrics.Options{}) {
		storetest.Wants(t, row, map[string]string{
			"role":  map[string]string{"1": "book", "1.5": "evidence"}[row["billed_cost"]],
			"lines": "1", "line_ranges": "", "instance": "i-a", "instance_seconds": "3600",
		})
	}
}

// Azure: one export is book for billed cost, another for the other three. Both have instance seconds, which count once.
func TestInstanceSecondsCountOnce(t *testing.T) {
	s := storetest.New(t)
	actual := storetest.ChargeOf(storetest.At(0, 1), "1")
	actual.Effective, actual.List = nil, nil
	a, ca := storetest.Bill(100, actual)
	a.Export, a.Dataset, a.ID = "actual", "ActualCost", ledger.NewID("delivery", "actual")
	storetest.MustPublish(t, s, a, ca, ingest.DeliveryPublished)
	seconds := func(d ledger.Delivery) (n int64) {
		for _, c := range chargesOf(t, s, d.ID) {
			if c.InstanceSeconds != nil {
				n += *c.InstanceSeconds
			}
		}
		return n
	}
	if got := seconds(a); got != 3600 {
		t.Errorf("alone, the actual cost counts %d s", got)
	}
	storetest.MustExec(t, s, "update deliveries set fleet_digest = 'cut'")
	amortised := storetest.ChargeOf(storetest.At(0, 1), "1")
	amortised.Billed = nil
	b, cb := storetest.Bill(100, amortised)
	b.Export, b.Dataset, b.ID = "amortised", "AmortizedCost", ledger.NewID("delivery", "amortised")
	storetest.MustPublish(t, s, b, cb, ingest.DeliveryPublished)
	if x, y := seconds(a), seconds(b); x != 0 || y != 3600 {
		t.Errorf("together they count %d s and %d s", x, y)
	}
	if got := storetest.Dump(t, s,
		"select export || fleet_digest from deliveries where tenant_id = 1 order by 1"); got != "actual\namortised" {
		t.Errorf("the actual cost need not be cut again: %q", got)
	}
	w, err := s.World(t.Context())
	if err != nil || len(w.Billed) != 1 {
		t.Fatal(w, err)
	}
	if m := w.Billed[0]; m.Seconds == nil || *m.Seconds != 3600 || m.Effective == nil || m.Effective.String() != "1" {
		t.Errorf("the machine is known by %+v", m)
	}
}

// A provider's split is shown next to a run, only from the book.
func TestProviderSplitOfARun(t *testing.T) {
	s := storetest.SmallLedger(t)
	storetest.MustExec(t, s, `insert into charge_splits (tenant_id, delivery, charge_id, scope, parent, cluster, namespace,
		  pod, pod_uid, resource, used, unused)
		select 1, delivery, gen_random_uuid(), 1, 'i-1', 'prod', 'ml', 'train-0', 'uid-1', resource, used, unused
		from (values (2, 'vcpu', 1.25, 0.5), (2, 'memory', 2, null), (1, 'vcpu', 100, 100)) v(delivery, resource, used,
		    unused)`)
	rows := storetest.Table(t, s, "runs", metrics.Options{})
	storetest.Wants(t, rows[0], map[string]string{
		"run_id": "prod/ml/train", "provider_split_cost": "3.75", "effective_cost": "16.385",
	})
	storetest.Wants(t, rows[1], map[string]string{"run_id": "prod/ml/queued", "provider_split_cost": ""})
	e, err := s.Explain(t.Context(), "run/prod/ml/train")
	if err != nil || len(e.ProviderSplit) != 2 {
		t.Fatal(e, err)
	}
	if v := e.ProviderSplit[1]; v.Resource != "vcpu" || *v.Used != "1.25" || *v.Unused != "0.5" || v.Rows != 1 {
		t.Errorf("vcpu is %+v", v)
	}
	storetest.AssertRecomputes(t, e)
	storetest.Wants(t, storetest.Table(t, s, "provider_splits", metrics.Options{})[0],
		map[string]string{"workload": "train", "run": "prod/ml/train", "team": "research", "pods": "1", "used_cost": "3.25",
			"unused_cost":         "0.5",
			"provider_split_cost": "3.75", "effective_cost": "16.385", "currency": "USD"})
	// a pod outside runs still belongs to its owner
	storetest.MustExec(t, s, "update workloads set run_id = null, class = 'service'")
	storetest.Wants(t, storetest.Table(t, s, "provider_splits",
		metrics.Options{Filter: "run = '' and workload_class = service", GroupBy: "team"})[0],
		map[string]string{"team": "research", "provider_split_cost": "3.75"})
	storetest.MustExec(t, s, "update workloads set run_id = 'prod/ml/train', class = 'run'")
	storetest.MustExec(t, s, "update control_totals set role = 'evidence'")
	if rows := storetest.Table(t, s, "provider_splits", metrics.Options{}); len(rows) != 0 {
		t.Errorf("evidence is split: %v", rows)
	}
	if rows := storetest.Table(t, s, "runs", metrics.Options{}); rows[0]["provider_split_cost"] != "" {
		t.Errorf("evidence counts: %v", rows[0])
	}
}
