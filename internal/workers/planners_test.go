package workers

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"gpuledger/internal/period"
	"gpuledger/internal/posting"
	"gpuledger/internal/store/verify"
)

func (o *office) exec(sql string) {
	o.t.Helper()
	conn, err := pgx.Connect(o.t.Context(), o.dsn)
	if err != nil {
		o.t.Fatal(err)
	}
	defer func() { _ = conn.Close(o.t.Context()) }()
	if _, err := conn.Exec(o.t.Context(), sql); err != nil {
		o.t.Fatal(sql, ": ", err)
	}
}

// TestTwoPlannersAtOnce marks node-days at random, some while planners run, and lets two planners run at once with
// additional workers, 20 times (K11): every node-day is computed for the last state, once.
func TestTwoPlannersAtOnce(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	if text := os.Getenv("GPULEDGER_TEST_SEED"); text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("GPULEDGER_TEST_SEED=%d repeats the marks", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	o := newOffice(t)
	o.allocate(nil)
	want, rows := o.ledger(), o.counts()
	o.start(2)
	planners := []posting.Allocator{{Store: o.open(), ShareFrom: 1, Crew: o.crew(1)}, {Store: o.open()}}
	for round := range 20 {
		mark := fmt.Sprintf(`with picked as (select node_id, day from chunks
			  where abs(hashtext(node_id::text || day)) %% 5 = %d)
			insert into dirty (tenant_id, mark_id, node_id, day, reason) select 1, next_mark(1), node_id, day, 'test' from picked`, random.IntN(5))
		// Spoils the stored rows, so that everything marked is written again.
		o.exec(mark + "; update chunks c set digest = '', hours = null where exists (select from dirty d where d.node_id " +
			"= c.node_id and d.day = c.day)")
		var group sync.WaitGroup
		for i := range planners {
			group.Go(func() {
				a := planners[i]
				if _, err := a.Run(t.Context(), period.Interval{}); err != nil {
					t.Errorf("round %d: %v", round, err)
				}
			})
		}
		o.exec(mark)
		group.Wait()
		o.allocate(nil) // marks that came too late for both
		if diff := cmp.Diff(want, o.ledger()); diff != "" {
			t.Fatalf("after round %d the ledger differs:\n%s", round, diff)
		}
		if diff := cmp.Diff(rows, o.counts()); diff != "" {
			t.Fatalf("after round %d there are other rows:\n%s", round, diff)
		}
	}
	r, err := o.store.Verify(t.Context(), verify.Options{FailStale: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range r.Checks {
		if c.State != verify.CheckPassed {
			t.Errorf("%s: %v", c.Name, c.Rows)
		}
	}
	if open := o.rows("select count(*) from calculations where finished_at is null"); open[0] != "(0)" {
		t.Errorf("%s calculations are open", open)
	}
}

// counts are the ledger's row counts: a row written twice shows.
func (o *office) counts() []string {
	o.t.Helper()
	return o.rows(`select 'usage', count(*), count(distinct usage_id) from usage union all
		select 'postings', count(*), count(distinct posting_id) from postings union all
		select 'spans', count(*), count(distinct (node_id, slot, slice_id, workload_id, from_at, cause, attempt_id))
		from spans union all
		select 'parts', count(*), count(distinct part_id) from parts order by 1`)
}
