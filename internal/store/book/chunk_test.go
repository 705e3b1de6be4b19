package book_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/posting"
	"gpuledger/internal/store/verify"
	"gpuledger/test/storetest"
)

func TestChunksAreReplacedOnlyWhenTheyDiffer(t *testing.T) {
	s, w, names := storetest.ToyLedger(t)
	if got := storetest.DirtyDays(t, s, names); got != "" {
		t.Fatalf("saving left marks on %s", got)
	}
	if got := storetest.Dump(t, s, `select concat_ws('|', hour, slot, cause, effective_cost, billed_cost, list_cost,
		  contracted_cost, gpu_hours, capacity_gpu_hours, billing_period)
		from postings where tenant_id = 1 and hour = '2026-10-06 03:00+00' order by slot`); got !=
		"2026-10-06 03:00:00+00|0|used|0.500000000001|0.500000000001|0.606|1|1|2026-10\n2026-10-06 "+
			"03:00:00+00|1|free|0.5|0.5|0.606|0|1|2026-10" {
		t.Errorf("postings are\n%s", got)
	}
	before := storetest.DumpLedger(t, s)
	storetest.MustExec(t, s, "insert into dirty (tenant_id, mark_id, node_id, day, reason) select tenant_id, "+
		"next_mark(1), node_id, day, 'again' from chunks")
	storetest.SaveDirty(t, s, w)
	if diff := cmp.Diff(before, storetest.DumpLedger(t, s)); diff != "" {
		t.Error("computing again changes rows:\n", diff)
	}
	if n := storetest.One[int](t, s, "select max(generation) from chunks where tenant_id = 1"); n != 1 {
		t.Errorf("an equal chunk has generation %d", n)
	}
	// Another owner gives a new generation; the old one's totals stay.
	owner := ledger.Owner{ID: ledger.NewID("owner", "new"), Team: "new"}
	w.Owners = append([]ledger.Owner{owner}, w.Owners...)
	for i := range w.Workloads {
		w.Workloads[i].OwnerID = owner.ID
	}
	storetest.SaveWorld(t, s, w)
	storetest.SaveDirty(t, s, w)
	if got := storetest.Dump(t, s, `select concat_ws('|', k.day, k.generation, h.generation, jsonb_array_length(h.totals),
		  h.totals -> 0 ->> 'effective_cost')
		from chunks k join chunk_history h using (tenant_id, node_id, day) where tenant_id = 1 and k.posting_rows > 0
		order by k.day`); got !=
		"2026-10-06 00:00:00+00|2|1|2|0.4\n2026-10-07 00:00:00+00|2|1|2|1.5" {
		t.Errorf("history is\n%s", got)
	}
	if n := storetest.One[int](t, s, "select count(*) from postings where tenant_id = 1 and node_id is not null"); n != 6 {
		t.Errorf("%d postings, want 6", n)
	}
	storetest.MustVerify(t, s)
	// Also the loose chunk.
	storetest.MustExec(t, s, "update chunks set digest = 'x' where tenant_id = 1")
	storetest.MustExec(t, s, "insert into dirty (tenant_id, mark_id, node_id, day, reason) select tenant_id, "+
		"next_mark(1), node_id, day, 'again' from chunks")
	storetest.SaveDirty(t, s, w)
	storetest.MustVerify(t, s)
}

func TestMarksSetWhileComputingSurvive(t *testing.T) {
	s, w, names := storetest.ToyLedger(t)
	mark := "insert into dirty (tenant_id, mark_id, node_id, day, reason) values (1, next_mark(1), $1, $2, 'x')"
	storetest.MustExec(t, s, mark, w.Nodes[0].ID, storetest.Day(1).From)
	dirty, err := s.Dirty(t.Context(), period.Interval{From: storetest.At(0, 0), To: storetest.At(2, 0)})
	if err != nil || len(dirty) != 1 || len(dirty[0].Days) != 1 {
		t.Fatal(dirty, err)
	}
	storetest.MustExec(t, s, mark, w.Nodes[0].ID, storetest.Day(1).From)
	if err := s.SaveChunk(t.Context(), storetest.Compute(t, s, w, w.Nodes[0].ID, storetest.Day(1)),
		posting.ChunkMeta{Mark: dirty[0].Mark}); err != nil {
		t.Fatal(err)
	}
	if got := storetest.DirtyDays(t, s, names); got != "a@1" {
		t.Errorf("dirty is %q, want a@1", got)
	}
	if list, err := s.Dirty(t.Context(), period.Interval{From: storetest.At(2, 0)}); err != nil || len(list) != 0 {
		t.Errorf("outside the bounds: %v, %v", list, err)
	}
}

func TestVerifyFindsEachFault(t *testing.T) {
	s, w, _ := storetest.ToyLedger(t)
	storetest.MustVerify(t, s)
	if r, err := s.Verify(t.Context(), verify.Options{Period: "2026-10"}); err != nil || r.Failed() || r.Stale() {
		t.Fatal("by period: ", r, err)
	}
	if _, err := s.Verify(t.Context(), verify.Options{Period: "October"}); err == nil {
		t.Error("a period that is none is verified")
	}
	for _, fault := range []struct{ name, sql, check string }{
		{
			"a unit too much", "update postings set effective_cost = effective_cost + 0.000000000001 where posting_id = " +
				"(select min(posting_id::text)::uuid from postings)", "parts to postings",
		},
		{
			"zero for unknown", "update postings set contracted_cost = 0 where posting_id = (select " +
				"min(posting_id::text)::uuid from postings)", "parts to postings",
		},
		{
			"a lost posting", "delete from postings where posting_id = (select min(posting_id::text)::uuid from postings " +
				"where node_id is not null)", "parts to postings",
		},
		{"a lost loose posting", "delete from postings where node_id is null", "parts to postings"},
		{
			"a posting of no part", "update postings set part_id = gen_random_uuid() where posting_id = (select " +
				"min(posting_id::text)::uuid from postings)", "parts to postings",
		},
		{"a lost part", "delete from parts where part_id = (select min(part_id::text)::uuid from parts)", "charges to parts"},
		{
			"a part of another charge",
			"update parts set charge_id = gen_random_uuid() where part_id = (select min(part_id::text)::uuid from parts)",
			"charges to parts",
		},
		{
			"a changed charge", "update charge_rows set billed = billed + 1 where charge_id = (select " +
				"min(charge_id::text)::uuid from charge_rows)", "control totals",
		},
		{
			"half a pair", "update parts set posting_kind = 'amortise' where charge_id = (select min(charge_id::text)::uuid " +
				"from charge_rows)", "amortise pairs",
		},
		{"posted evidence", "update control_totals set role = 'evidence'", "evidence"},
		{
			"a lost charge", "delete from charge_rows where charge_id = (select min(charge_id::text)::uuid from charge_rows)",
			"control totals",
		},
		{
			"a total", "update control_totals set source_total = source_total + 1 where metric = 'billed_cost'",
			"control totals",
		},
		{
			"a device held twice", "update usage set held = true, workload_id = gen_random_uuid(), gpu_hours = 1, " +
				"weight_num = 7200, seconds = 7200 where slot = 0", "device seconds",
		},
		{"a slot too many", "update usage set slot = 9 where slot = 1", "device seconds"},
		{
			"held beyond the node's life", "update nodes set gone_at = '2026-10-06 03:30+00' where name = 'a'", "device seconds",
		},
		{
			"a card in two machines",
			"update usage set device = 'GPU-X', held = true; insert into usage select tenant_id, gen_random_uuid(), hour, " +
				"gen_random_uuid(), slot, device, slice_id, mig_profile, workload_id, run_id, attempt_id, cause, activity, " +
				"owner_id, quality, method, seconds, active_seconds, weight_num, weight_den, held, gpu_hours, " +
				"capacity_gpu_hours, active_gpu_hours, energy_kwh, generation from usage", "one place per device",
		},
		{
			"a workload shared out twice",
			"insert into segments select tenant_id, gen_random_uuid(), workload_id, from_at, to_at, 1 from segments",
			"shared workloads",
		},
		{
			"a call about nothing", "select ensure_month('llm_calls', '2026-10-06'); insert into llm_calls (tenant_id, " +
				"hour, call_id, dimension_id, failed, cache_hit) values (1, '2026-10-06', gen_random_uuid(), " +
				"gen_random_uuid(), false, false)", "gateway calls",
		},
		{"capacity", "update usage set capacity_gpu_hours = 2, gpu_hours = case when held then 2 else 0 end", "capacity"},
		{"gpu hours nobody holds", "update usage set gpu_hours = 1", "usage rows"},
		{
			"quantities twice", "update postings set gpu_hours = gpu_hours * 2, capacity_gpu_hours = capacity_gpu_hours * 2 " +
				"where slot = 0", "quantities ride once",
		},
		{"an unknown owner", "update postings set owner_id = gen_random_uuid() where slot = 0", "references"},
		{"another bill", "update postings set billing_account = 'nobody' where slot = 0", "parts to postings"},
		{"closed by nobody", "update postings set state = 'final' where slot = 0", "parts to postings"},
		{"terms that are gone", "delete from posting_terms where cause = 'non_gpu'", "references"},
		{"other terms", "update posting_terms set quality = 'estimated' where cause = 'used'", "chunk digests"},
		{"another cause", "update postings set cause = 'free' where cause = 'used'", "references"},
		{"usage gone", "delete from usage where slot = 0", "references"},
		{
			"a key twice", "insert into usage select tenant_id, gen_random_uuid(), hour, node_id, slot, device, slice_id, " +
				"mig_profile, workload_id, run_id, attempt_id, cause, activity, owner_id, quality, method, seconds, " +
				"active_seconds, weight_num, weight_den, held, gpu_hours, capacity_gpu_hours, active_gpu_hours, energy_kwh, " +
				"generation from usage where slot = 0", "one cause per key",
		},
		{
			"provisional under a bill",
			"update parts set kind = 'provisional'; update coverage set covered_until = 'infinity'", "provisional",
		},
		{"a method", "update postings set method = 'guess' where slot = 0", "chunk digests"},
		{"a span", "update spans set cause = 'free'", "chunk digests"},
		{"a lost chunk", "delete from chunks where posting_rows > 0", "chunk digests"},
		{"work to do", "update deliveries set fleet_digest = ''", "up to date"},
	} {
		t.Run(fault.name, func(t *testing.T) {
			spoiled := storetest.Open(t, storetest.CloneOf(t, s))
			if _, err := spoiled.Pool.Exec(t.Context(), fault.sql); err != nil {
				t.Fatal(err)
			}
			r, err := spoiled.Verify(t.Context(), verify.Options{FailStale: true})
			if err != nil {
				t.Fatal(err)
			}
			found := ""
			for _, c := range r.Checks {
				if c.State == verify.CheckFailed {
					found += c.Name + ", "
					if c.Name == fault.check && len(c.Rows) == 0 {
						t.Error("no row is named")
					}
				}
			}
			if !strings.Contains(found, fault.check) {
				t.Errorf("failed checks: %q, want %q among them", found, fault.check)
			}
		})
	}
	storetest.MustExec(t, s, "insert into dirty (tenant_id, mark_id, node_id, day, reason) values (1, next_mark(1), "+
		"$1, $2, 'x')", w.Nodes[0].ID, storetest.Day(1).From)
	r, err := s.Verify(t.Context(), verify.Options{})
	if err != nil || r.Failed() || !r.Stale() {
		t.Error("a dirty chunk is not stale: ", r, err)
	}
}

// TestACentIsFound (M15): a change of 0.01 is found in every table, and its row is named.
func TestACentIsFound(t *testing.T) {
	s, _, _ := storetest.ToyLedger(t)
	first := func(table, id, where string) string {
		return "(select " + id + " from " + table + " where " + where + " order by " + id + "::text limit 1)"
	}
	for _, c := range []struct{ table, id, column, where string }{
		{"postings", "posting_id", "effective_cost", "usage_id is not null"},
		{"postings", "posting_id", "billed_cost", "node_id is not null"},
		{"postings", "posting_id", "effective_cost", "usage_id is null"},
		{"postings", "posting_id", "billed_cost", "node_id is null"},
		{"parts", "part_id", "effective_cost", "charge_id is not null"},
		{"parts", "part_id", "billed_cost", "charge_id is not null"},
		{"usage", "usage_id", "capacity_gpu_hours", "held"},
		{"usage", "usage_id", "gpu_hours", "held"}, {"usage", "usage_id", "active_gpu_hours", "held"},
		{"charge_rows", "charge_id", "effective", "effective is not null"},
		{"charge_rows", "charge_id", "billed", "billed is not null"},
	} {
		t.Run(c.table+" "+c.column+" "+c.where, func(t *testing.T) {
			spoiled := storetest.Open(t, storetest.CloneOf(t, s))
			cent := "0.01"
			if c.table == "charge_rows" {
				cent = "10000000000"
			}
			var id ledger.ID
			err := spoiled.Pool.QueryRow(t.Context(),
				"update "+c.table+" set "+c.column+" = "+c.column+" + "+cent+" where "+c.id+" = "+
					first(c.table, c.id, c.where+" and "+c.column+" is not null")+" returning "+c.id).Scan(&id)
			if errors.Is(err, pgx.ErrNoRows) {
				t.Skip("skipped: this ledger has no such row")
			}
			if err != nil {
				t.Fatal(err)
			}
			r, err := spoiled.Verify(t.Context(), verify.Options{FailStale: true})
			if err != nil {
				t.Fatal(err)
			}
			var said []string
			for _, check := range r.Checks {
				if check.State == verify.CheckFailed {
					said = append(said, check.Rows...)
				}
			}
			if text := strings.Join(said, "\n"); !strings.Contains(text, c.id+"="+id.String()) {
				t.Errorf("row %s is not named:\n%s", id, text)
			}
		})
	}
}
