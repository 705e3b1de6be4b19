package figures_test

import (
	"errors"
	"testing"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
	"gpuledger/test/storetest"
)

func TestDaysOfAnalysis(t *testing.T) {
	s := storetest.New(t)
	ctx := t.Context()
	unlock, err := s.LockAnalysis(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	const first, second = period.Second(1_793_491_200), period.Second(1_793_577_600)
	mark := func(day period.Second, what string) {
		if _, err := s.Pool.Exec(ctx, "insert into stale_days (tenant_id, day, what) values ($1, $2, $3)", pg.Tenant, day,
			what); err != nil {
			t.Fatal(err)
		}
	}
	days := func(step string, want ...period.Second) {
		t.Helper()
		got, err := s.AnalysisDays(ctx, step)
		if err != nil || len(got) != len(want) {
			t.Fatalf("days of %s: %v, %v; want %v", step, got, err, want)
		}
		for i := range got {
			if got[i] != want[i] {
				t.Fatalf("days of %s: %v; want %v", step, got, want)
			}
		}
	}
	mark(first, "ledger")
	mark(first, "ledger")
	mark(second, "counters")
	deal := func() {
		if err := s.DealDays(ctx, []string{"costs", "serving", "serving"},
			[]string{"ledger", "ledger", "counters"}); err != nil {
			t.Fatal(err)
		}
	}
	deal()
	days("costs", first)
	days("serving", first, second)

	failed := errors.New("failed")
	if err := s.AnalysisDay(ctx, "costs", first, func(pgx.Tx) error { return failed }); !errors.Is(err, failed) {
		t.Fatalf("error %v; want the step's own", err)
	}
	days("costs", first) // a failed day stays marked
	// A change while a day is being computed marks it again.
	if err := s.AnalysisDay(ctx, "costs", first, func(pgx.Tx) error { mark(first, "ledger"); return nil }); err != nil {
		t.Fatal(err)
	}
	days("costs")
	deal()
	days("costs", first)
	if err := s.ForgetAnalysisDay(ctx, "serving", second); err != nil {
		t.Fatal(err)
	}
	days("serving", first)
}

// A machine is interrupted after a warning: its day is analysed again, once.
func TestNewWarningsMarkTheirDays(t *testing.T) {
	s := storetest.New(t)
	warning := ledger.InstanceEvent{
		Provider: "aws", InstanceID: "i-1", Kind: ledger.EventInterruption, At: 1_793_491_200 + 5*period.Hour, Account: "111",
	}
	other := warning
	other.Kind = ledger.EventRebalance
	for _, step := range []struct {
		events []ledger.InstanceEvent
		marks  int
	}{
		{[]ledger.InstanceEvent{other}, 0},
		{[]ledger.InstanceEvent{warning, other}, 1},
		{[]ledger.InstanceEvent{warning}, 0}, // already known
	} {
		storetest.MustExec(t, s, "delete from stale_days")
		if _, err := s.PublishEvents(t.Context(), ledger.NewID("import", "x"), step.events); err != nil {
			t.Fatal(err)
		}
		if n := storetest.One[int](t, s,
			"select count(*) from stale_days where what = 'warnings' and day = to_timestamp(1793491200)"); n != step.marks {
			t.Errorf("%v: %d marks, want %d", step.events, n, step.marks)
		}
	}
}
