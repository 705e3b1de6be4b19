package periods_test

import (
	"bytes"
	"errors"
	"fmt"
	program "os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gpuledger/allocation"
	"gpuledger/internal/closing"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/posting"
	"gpuledger/internal/store"
	"gpuledger/internal/store/book"
	"gpuledger/test/pgtest"
	"gpuledger/test/storetest"
	"gpuledger/test/tier"
)

// TestB03ClosedRowsAreRefusedToEverybody writes to a closed period as the owner of the database, past all programs.
func TestB03ClosedRowsAreRefusedToEverybody(t *testing.T) {
	s, _, _ := storetest.ToyLedger(t)
	storetest.MustClose(t, s)
	if f := storetest.Failed(t, s); f != "" {
		t.Fatal(f)
	}
	for _, sql := range []string{
		"update postings set owner_id = gen_random_uuid() where state = 'final'",
		"delete from postings where state = 'final'", "update postings set state = 'open'",
		"update posting_rows set effective_cost = 0", "delete from posting_rows",
		"delete from posting_rows_202610", "update posting_rows_202610 set owner_id = gen_random_uuid()",
		"update posting_terms set cause = 'free'", "update posting_terms set state = 'open'", "delete from posting_terms",
		"update parts set effective_cost = 0 where final", "update parts set final = false",
		"delete from parts", "delete from usage", "update usage_202610 set active_seconds = 1",
		"delete from frozen_hours", "update frozen_hours set billing_period = '2026-11'", "truncate frozen_hours",
		"update usage set weight_num = 7", "truncate posting_rows",
		"truncate posting_terms", "truncate parts", "truncate usage",
		"update statements set digest = ''", "update statements set closed_by = 'somebody else'",
		"delete from statements", "truncate statements cascade",
		"update statement_lines set effective_cost = 0", "delete from statement_lines", "delete from statement_chunks",
		"update audit_log set actor = 'nobody'", "delete from audit_log", "truncate audit_log",
	} {
		if _, err := s.Pool.Exec(t.Context(), sql); err == nil {
			t.Errorf("accepted: %s", sql)
		} else if !strings.Contains(err.Error(), "23001") && !strings.Contains(err.Error(), "23503") {
			t.Errorf("%s: %v", sql, err)
		}
	}
	if f := storetest.Failed(t, s); f != "" {
		t.Error("a refused write left something:\n" + f)
	}
}

// TestB10TamperingIsFound changes closed rows as only a superuser can, and runs verify.
func TestB10TamperingIsFound(t *testing.T) {
	s, _, _ := storetest.ToyLedger(t)
	storetest.MustClose(t, s)
	if _, err := storetest.CloserAt(s).Close(t.Context(), "2026-10", "999", "finance"); err == nil { // a third entry
		t.Fatal("closed twice")
	}
	if _, err := storetest.CloserAt(s).Reopen(t.Context(), "2026-09", "999", "why not", "finance"); err == nil {
		t.Fatal("reopened what is not closed")
	}
	for _, fault := range []struct{ sql, check, position string }{
		{"delete from audit_log where number = 2", "audit log", "number=3"},
		{"delete from audit_log where number = 3", "audit log", "number=2"},
		{"delete from audit_log where number = 1", "audit log", "number=2"},
		{"update audit_log set detail = '{}' where number = 2", "audit log", "number=2"},
		{"update audit_log set actor = 'nobody' where number = 1", "audit log", "number=1"},
		{
			"update posting_rows set effective_cost = effective_cost + 1 where slot = 0",
			"closed rows", "billing_period=2026-10",
		},
		{"delete from posting_rows where slot = 0", "closed rows", "billing_account=999"},
		{"update posting_terms set cause = 'lost' where cause = 'used'", "chunk digests", "terms_id="},
		{"update posting_terms set state = 'open' where cause = 'used'", "closed rows", "billing_account=999"},
		{"update usage set active_seconds = 1", "closed rows", "what=rows"},
		{"delete from frozen_hours", "closed rows", "what=rows"},
		{"update parts set owner_id = gen_random_uuid() where final", "closed rows", "billing_account=999"},
		{"update statement_lines set team = ''", "", ""},
		{"update statement_lines set effective_cost = 7 where line = 1", "statements", "version=1"},
		{"delete from statement_lines where line = 1", "statements", "version=1"},
		{"update statements set document = '\\x00'", "statements", "version=1"},
		{"update statements set digest = '\\x00'", "chain of statements", "number=1"},
		{"update statements set lines = 0", "chain of statements", "number=1"},
		{"update statement_chunks set digest = '\\x00'", "statements", "version=1"},
	} {
		if fault.check == "" {
			continue
		}
		t.Run(fault.sql, func(t *testing.T) {
			spoiled := storetest.Open(t, storetest.CloneOf(t, s))
			if _, err := spoiled.Pool.Exec(t.Context(),
				"set session_replication_role = replica; "+fault.sql+"; set session_replication_role = default"); err != nil {
				t.Fatal(err)
			}
			found := storetest.Failed(t, spoiled)
			line := ""
			for l := range strings.SplitSeq(found, "\n") {
				if strings.HasPrefix(l, fault.check+":") {
					line = l
				}
			}
			if !strings.Contains(line, fault.position) {
				t.Errorf("found %q, want %q with %q", found, fault.check, fault.position)
			}
		})
	}
}

// TestB04ClosingIsRefusedWithEveryReason makes one period unready in every way.
func TestB04ClosingIsRefusedWithEveryReason(t *testing.T) {
	s, w, _ := storetest.ToyLedger(t)
	c := storetest.CloserAt(s)
	refused := func(want ...string) {
		t.Helper()
		before := storetest.One[int64](t, s, "select coalesce(max(number), 0) from audit_log")
		list, err := c.Close(t.Context(), "2026-10", "999", "finance")
		var r *closing.RefusedError
		if !errors.As(err, &r) {
			t.Fatalf("closed %v, %v; want %q", list, err, want)
		}
		for _, text := range want {
			if !slices.ContainsFunc(r.Reasons, func(reason string) bool { return strings.Contains(reason, text) }) {
				t.Errorf("reasons %q lack %q", r.Reasons, text)
			}
		}
		if len(r.Reasons) != len(want) {
			t.Errorf("%d reasons %q, want %d", len(r.Reasons), r.Reasons, len(want))
		}
		if n := storetest.One[int](t, s,
			"select (select count(*) from statements) + (select count(*) from parts where final) + (select count(*) from "+
				"period_states)"); n != 0 {
			t.Errorf("%d rows of a close that was refused", n)
		}
		if got := storetest.One[string](t, s, "select action from audit_log where number = $1",
			before+1); got != "close refused" {
			t.Errorf("the refusal is recorded as %q", got)
		}
	}
	clean := func(sql string) { t.Helper(); storetest.MustExec(t, s, sql) }

	storetest.MustExec(t, s, "insert into dirty (tenant_id, mark_id, node_id, day, reason) values (1, next_mark(1), "+
		"$1, $2, 'samples')", w.Nodes[0].ID, storetest.Day(1).From)
	refused("1 node-days wait")
	storetest.MustExec(t, s, "update deliveries set fleet_digest = ''")
	refused("1 node-days wait", "1 deliveries are not allocated")
	storetest.MustExec(t, s, `insert into imports (tenant_id, import_id, source, uri, state, started_at)
		values (1, gen_random_uuid(), 'aws-cur', 's3://bills/', 'running', now())`)
	refused("1 node-days wait", "1 deliveries are not allocated", "an import is running: aws-cur of s3://bills/")
	unlock, err := s.Lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	refused("1 node-days wait", "1 deliveries are not allocated", "an import is running", "an allocation is running")
	unlock()
	clean("update imports set progress_at = now() - interval '1 hour', started_at = now() - interval '1 hour'") // it died
	clean("update deliveries set fleet_digest = 'fleet'")
	clean("delete from dirty")

	storetest.MustExec(t, s, "update postings set method = 'guess' where slot = 0")
	refused("verify fails: chunk digests")
	clean("update postings set method = 'resource id, exclusive' where slot = 0")
	if f := storetest.Failed(t, s); f != "" {
		clean("insert into dirty (tenant_id, mark_id, node_id, day, reason) select tenant_id, next_mark(1), node_id, " +
			"day, 'again' from chunks")
		clean("update chunks set digest = ''")
		storetest.SaveDirty(t, s, w)
	}

	early := storetest.CloserAt(s)
	early.Now = func() time.Time { return time.Date(2026, 10, 20, 0, 0, 0, 0, time.UTC) }
	if reasons, err := early.Check(t.Context(), "2026-10", "999"); err != nil || len(reasons) != 1 ||
		!strings.Contains(reasons[0], "has not ended") {
		t.Errorf("closed before its end: %q, %v", reasons, err)
	}
	for account, want := range map[string]string{
		"999": "2026-11 of billing account 999 has no postings", "888": "has no postings",
	} {
		if reasons, err := c.Check(t.Context(), "2026-11", account); err != nil ||
			!strings.Contains(strings.Join(reasons, "; "), want) {
			t.Errorf("account %s: %q, %v", account, reasons, err)
		}
	}
	if _, err := c.Close(t.Context(), "October", "", "finance"); err == nil {
		t.Error("closed October")
	}
	if reasons, err := c.Check(t.Context(), "2026-10", ""); err != nil || len(reasons) > 0 {
		t.Errorf("nothing is left against it, yet %q, %v", reasons, err)
	}
	storetest.MustClose(t, s)
}

// saveLoose computes the dirty days without a node with the engine.
func saveLoose(t testing.TB, s *store.Store, w *posting.Derived) {
	t.Helper()
	dirty, err := s.Dirty(t.Context(), period.Interval{})
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range dirty {
		for _, d := range n.Days {
			var c *allocation.Chunk
			if n.NodeID.IsZero() {
				in, err := s.Day(t.Context(), ledger.Node{}, d, 0)
				if err != nil {
					t.Fatal(err)
				}
				if c, err = allocation.NodelessDay(in.Parts, in.Finals, d, "v1", nil); err != nil {
					t.Fatal(err)
				}
			} else {
				c = storetest.Compute(t, s, w, n.NodeID, d)
			}
			if err := s.SaveChunk(t.Context(), c, posting.ChunkMeta{
				Calculation: ledger.NewID("calculation", "1"), PolicyVersion: "v1", Mark: n.Mark,
			}); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestB05CloseRacesImport: a delivery is either wholly closed or wholly an adjustment.
func TestB05CloseRacesImport(t *testing.T) {
	rounds := 20 // both orders have to happen
	if tier.Full() {
		rounds = 100
	}
	s, w, _ := storetest.ToyLedger(t)
	before, after := 0, 0
	for round := range rounds {
		account := fmt.Sprintf("payer-%03d", round)
		lines := func(costs ...string) (ledger.Delivery, []ledger.Charge) {
			var list []ledger.Charge
			for i, cost := range costs {
				c := storetest.ChargeOf(storetest.At(4, float64(i)), cost)
				c.BillingAccount, c.ID, c.InstanceHours, c.InstanceSeconds, c.InstanceID, c.ResourceID = account,
					ledger.NewID("charge", account, fmt.Sprint(i), cost), false, nil, "", "bucket-"+account
				list = append(list, c)
			}
			d, list := storetest.Bill(ledgerTime(len(costs)+100), list...)
			d.Export, d.Scope = account, account
			d.ID = ledger.NewID("delivery", account, fmt.Sprint(len(costs)))
			for i := range d.Totals {
				d.Totals[i].Account = account
			}
			for i := range list {
				list[i].Account = account
			}
			return d, list
		}
		cut := func(d ledger.Delivery, list []ledger.Charge) {
			t.Helper()
			parts := storetest.PartsOf(list, ledger.ID{})
			for i := range parts {
				parts[i].Kind, parts[i].OwnerID, parts[i].UsageSeconds, parts[i].BillingAccount = ledger.PartNonGPU, w.Owners[0].ID,
					nil, account
			}
			if err := s.ReplaceParts(t.Context(), d.ID, "fleet", storetest.SeqOf(parts)); err != nil {
				t.Fatal(err)
			}
		}
		old, oldLines := lines("1", "2")
		storetest.MustPublish(t, s, old, oldLines, "published")
		cut(old, oldLines)
		saveLoose(t, s, w)

		fresh, freshLines := lines("1", "5", "7")
		var closeErr, publishErr error
		var list []*closing.Statement
		var group sync.WaitGroup
		stage, err := s.StageCharges(t.Context(), ledger.NewID("import", account))
		if err != nil {
			t.Fatal(err)
		}
		if err := stage.Write(t.Context(), 0, freshLines); err != nil {
			t.Fatal(err)
		}
		group.Go(func() {
			time.Sleep(time.Duration(round%20) * time.Millisecond) // so that either can be first
			list, closeErr = storetest.CloserAt(s).Close(t.Context(), "2026-10", account, "finance")
		})
		group.Go(func() { _, publishErr = stage.Publish(t.Context(), []ledger.Delivery{fresh}) })
		group.Wait()
		if err := errors.Join(publishErr, stage.Discard(t.Context())); err != nil {
			t.Fatal(err)
		}
		want := "13 13 0"
		var refused *closing.RefusedError
		switch {
		case closeErr == nil:
			after++
			want = "13 3 3" // 3 are closed; 2 of them are reversed and 12 are new
			if len(list) != 1 || list[0].Lines != 1 {
				t.Fatalf("closed %v", list)
			}
		case errors.As(closeErr, &refused) && strings.Contains(closeErr.Error(), "not allocated"):
			before++
		default:
			t.Fatal(closeErr)
		}
		cut(fresh, freshLines)
		got := storetest.Dump(t, s, `select concat_ws(' ', trim_scale(sum(billed_cost)),
			  trim_scale(sum(billed_cost) filter (where billing_period = '2026-10')),
			  count(*) filter (where billing_period = '2026-11'))
			from parts where tenant_id = 1 and billing_account = '`+account+`'`)
		if got != want {
			t.Fatalf("round %d: all, in the period, adjustments: %q, want %q", round, got, want)
		}
		saveLoose(t, s, w)
	}
	t.Logf("%d rounds: the import came before the close in %d, after it in %d; none was lost or doubled", rounds, before,
		after)
	if f := storetest.Failed(t, s); f != "" {
		t.Error(f)
	}
}

// TestB08AClosedMonthAfterADump: after dump, restore and another migration, the statement has the same bytes and verify
// passes.
func TestB08AClosedMonthAfterADump(t *testing.T) {
	pgDump, err := program.LookPath("pg_dump")
	if err != nil {
		tier.Absent(t, "no pg_dump: ", err)
	}
	s, _, _ := storetest.ToyLedger(t)
	list := storetest.MustClose(t, s)
	config := s.Pool.Config().ConnConfig
	run := func(name string, in *bytes.Buffer, database string, args ...string) *bytes.Buffer {
		t.Helper()
		var out, errs bytes.Buffer
		cmd := program.CommandContext(t.Context(), name,
			append([]string{"-h", config.Host, "-p", fmt.Sprint(config.Port), "-U", config.User, "-d", database}, args...)...)
		cmd.Env = append(cmd.Environ(), "PGPASSWORD="+config.Password)
		cmd.Stdout, cmd.Stderr = &out, &errs
		if in != nil {
			cmd.Stdin = in
		}
		if err := cmd.Run(); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, errs.String())
		}
		return &out
	}
	text := run(pgDump, nil, config.Database)
	other := storetest.Open(t, pgtest.Empty(t))
	run("psql", text, other.Pool.Config().ConnConfig.Database, "-q", "-v", "ON_ERROR_STOP=1", "--single-transaction")
	conn, err := other.Pool.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Migrate(t.Context(), conn.Conn()); err != nil {
		t.Fatal(err)
	}
	conn.Release()
	for _, st := range list {
		var b bytes.Buffer
		written, err := other.WriteStatement(t.Context(), &b, book.StatementKey{
			BillingAccount: st.BillingAccount, BillingPeriod: st.BillingPeriod, Version: st.Version,
		})
		if err != nil || written.Digest != st.Digest {
			t.Errorf("%s: digest %x, closed as %x: %v", st.Name(), written.Digest, st.Digest, err)
		}
	}
	if f := storetest.Failed(t, other); f != "" {
		t.Error(f)
	}
	if _, err := other.Pool.Exec(t.Context(), "delete from postings"); err == nil {
		t.Error("the restored database lets closed rows go")
	}
}

func ledgerTime(n int) period.Second { return period.Second(n) }
