package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/posting"
	"gpuledger/test/tier"
)

// crewConfig is a configuration with everything shared.
func crewConfig(t testing.TB) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "gpuledger.yaml")
	if err := os.WriteFile(path, []byte("allocation: {workers: 1, share_from: 1}\nallocate_every: 24h\nsources: []\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	return "--config=" + path
}

// crew starts processes that serve and help the allocating process.
func crew(t testing.TB, db, config string, conn *pgx.Conn, n int) (list []*process) {
	t.Helper()
	for range n {
		list = append(list, start(t, db, config, "serve", "--addr=127.0.0.1:0"))
	}
	until(t, fmt.Sprint(n, " workers to be there"), func() bool {
		return scan[int](t, conn, "select count(*) from allocation_workers where seen_at > now() - interval '5 s'") == n
	})
	return list
}

func tell(t testing.TB, p *process, s syscall.Signal) {
	t.Helper()
	if err := p.cmd.Process.Signal(s); err != nil {
		t.Error(err)
	}
}

// TestWorkersAreKilledAndStopped allocates with eight processes, some of which are killed and some are stopped and
// continue later; and with a planner that is stopped while another takes over.
func TestWorkersAreKilledAndStopped(t *testing.T) {
	tier.OnlyInFull(t, "waits for signs of life that do not come")
	random, dir, config := seeded(t), smallFleet(t), crewConfig(t)
	calm, db := emptyDatabase(t), emptyDatabase(t)
	must(t, calm, "import", "auto", dir)
	var whole, sum posting.AllocationSummary
	if err := json.Unmarshal([]byte(must(t, calm, "allocate", "--output=json")), &whole); err != nil {
		t.Fatal(err)
	}
	want := ledgerOf(t, calm)

	must(t, db, "import", "auto", dir)
	conn := connect(t, db)
	workers := crew(t, db, config, conn, 8)
	// A process that is about to save a node of these waits with its batch.
	p := stopPoint{
		"a worker saves a chunk", "allocate", "chunks", "insert",
		fmt.Sprintf("hashtext(new.node_id::text) %% 3 = %d", random.IntN(2)), false,
	}
	release := hold(t, conn, p)
	planner := start(t, db, config, "allocate", "--output=json")
	until(t, "batches to be taken", func() bool {
		return scan[int](t, conn,
			"select count(distinct worker) from allocation_batches where result is null and worker is not null") >= 3
	})
	stopped := workers[:3]
	for i, w := range workers[:6] {
		if i < len(stopped) {
			tell(t, w, syscall.SIGSTOP)
		} else if !w.kill(t) {
			t.Error("not killed")
		}
	}
	release()
	began := time.Now()
	planner.wait(t)
	if took := time.Since(began); took > 30*time.Second {
		t.Errorf("what was lost was taken over after %s", took)
	} else {
		t.Logf("taken over and done after %s", took)
	}
	if err := json.Unmarshal([]byte(planner.out.String()), &sum); err != nil {
		t.Fatal(err)
	}
	if sum.Chunks != whole.Chunks || sum.UsageRows != whole.UsageRows || sum.Postings != whole.Postings {
		t.Errorf("all workers together computed %d, %d, %d; want %d, %d, %d", sum.Chunks, sum.UsageRows, sum.Postings,
			whole.Chunks, whole.UsageRows, whole.Postings)
	}
	nothingHalf(t, db, conn, "while three stand still")
	sameLedger(t, want, ledgerOf(t, db))
	generations := scan[int64](t, conn, "select sum(generation) from chunks")
	for _, w := range stopped {
		tell(t, w, syscall.SIGCONT)
	}
	until(t, "those that stood still to be back", func() bool {
		return scan[int](t, conn, "select count(*) from allocation_workers where seen_at > now() - interval '4 s'") >= 5
	})
	sameLedger(t, want, ledgerOf(t, db))
	nothingHalf(t, db, conn, "after they went on")
	if n := scan[int64](t, conn, "select sum(generation) from chunks"); n != generations {
		t.Errorf("those that went on wrote %d generations", n-generations)
	}
	if left := scan[int](t, conn,
		"select (select count(*) from dirty) + (select count(*) from allocation_batches)"); left > 0 {
		t.Errorf("%d marks and batches are left", left)
	}

	// A planner that is stopped in the middle of a step.
	execute(t, conn, "insert into dirty (tenant_id, mark_id, node_id, day, reason) select tenant_id, next_mark(1), "+
		"node_id, day, 'again' from chunks; update chunks set digest = ''")
	release = hold(t, conn, p)
	first := start(t, db, config, "allocate")
	untilWaiting(t, conn, p, first)
	tell(t, first, syscall.SIGSTOP)
	second := start(t, db, config, "allocate")
	until(t, "the other planner to take over", func() bool {
		return scan[int](t, conn, "select count(*) from calculations where message = 'another calculation took over'") > 0
	})
	release()
	second.wait(t)
	tell(t, first, syscall.SIGCONT)
	<-first.ended
	if code := first.code(); code == exitOK {
		t.Error("the planner that stood still says that all went well")
	}
	sameLedger(t, want, ledgerOf(t, db))
	nothingHalf(t, db, conn, "after another planner took over")
	if scan[int](t, conn, "select count(*) from dirty") > 0 {
		t.Error("marks are left")
	}
}
