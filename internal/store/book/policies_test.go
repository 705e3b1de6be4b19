package book_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/store/book"
	"gpuledger/metrics"
	"gpuledger/test/storetest"
)

func TestPoliciesAreKeptAsWritten(t *testing.T) {
	s := storetest.New(t)
	save := func(document string) (bool, error) {
		_, saved, err := s.SavePolicy(t.Context(), []byte(document), "ada")
		return saved, err
	}
	refused := func(document, want string) {
		t.Helper()
		var e *book.PolicyError
		if _, err := save(document); !errors.As(err, &e) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", document, err, want)
		}
	}
	const november = "version: november\nvalid_from: 2026-11-01\nsettings: {idle: lt30pct-6h-mean}\n"
	for i, want := range []bool{true, false} { // the second time it exists already
		if saved, err := save(november); err != nil || saved != want {
			t.Fatalf("time %d: saved %v, %v", i, saved, err)
		}
	}
	refused("version: november\nvalid_from: 2026-11-02\n", "already names another document")
	refused("version: other\nvalid_from: 2026-11-01\n", "same day")
	refused("version: other\nsettings: {mig: gut}\n", `"gut" is unknown`)

	book, err := s.Policies(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	day, _ := period.ParseDay("2026-11-01")
	if before, then := book.At(day-1).Settings.Version, book.At(day).Settings.Version; before != "default-1" ||
		then != "november" {
		t.Errorf("%s, then %s", before, then)
	}

	if err := s.WithdrawPolicy(t.Context(), "november", "bob"); err != nil {
		t.Fatal(err)
	}
	if err := s.WithdrawPolicy(t.Context(), "december", "bob"); err == nil ||
		!strings.Contains(err.Error(), `no policy version "december"`) {
		t.Errorf("withdrawing what is not there: %v", err)
	}
	refused(november, "was withdrawn")
	if _, err := save("version: other\nvalid_from: 2026-11-01\n"); err != nil {
		t.Error(err)
	}
	var entries []string
	for _, r := range storetest.Table(t, s, "audit", metrics.Options{}) {
		entries = append(entries, r["actor"]+" "+r["action"]+" "+r["subject"])
	}
	slices.Sort(entries)
	if got, want := strings.Join(entries, ", "),
		"ada store policy november, ada store policy other, bob withdraw policy november"; got != want {
		t.Errorf("audited: %s, want %s", got, want)
	}
	var got []string
	for _, r := range storetest.Table(t, s, "policies", metrics.Options{}) {
		got = append(got, r["version"]+" "+r["status"]+" "+r["created_by"])
	}
	want := "other holds ada;default-1 holds ;november withdrawn ada"
	if strings.Join(got, ";") != want {
		t.Errorf("%s, want %s", strings.Join(got, ";"), want)
	}
}

// A version marks the node-days from its day on, and no others.
func TestAPolicyMarksWhatItMoves(t *testing.T) {
	s := storetest.New(t)
	storetest.Run(t, s.Pool, `insert into chunks (tenant_id, node_id, day, generation, calculation_id, digest, usage_rows,
		  posting_rows, part_rows, span_rows)
		select 1, gen_random_uuid(), d, 1, gen_random_uuid(), '\x00', 0, 0, 0, 0
		from generate_series('2026-10-30'::timestamptz, '2026-11-02', '1 day') d`)
	marks := func() int64 {
		var n int64
		if err := s.Pool.QueryRow(t.Context(), `select count(*) from dirty where reason = 'policy'`).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	if _, _, err := s.SavePolicy(t.Context(), []byte("version: november\nvalid_from: 2026-11-01\n"), "ada"); err != nil {
		t.Fatal(err)
	}
	if n := marks(); n != 2 {
		t.Errorf("%d node-days are marked, want 2", n)
	}
	if _, _, err := s.SavePolicy(t.Context(), []byte("version: always\n"), "ada"); err != nil {
		t.Fatal(err)
	}
	if n := marks(); n != 6 {
		t.Errorf("%d marks after a version that always holds, want 6", n)
	}
}

// A trial compares with computed days, and with money by team and cause that is not final.
func TestTrialsCompareComputedDaysAndOpenMoney(t *testing.T) {
	s := storetest.SmallLedger(t)
	day, _ := period.ParseDay("2026-11-02")
	days, err := s.StoredDays(t.Context(), period.Interval{From: day, To: day + period.Day})
	if err != nil || len(days) != 1 || len(days[0].Days) != 1 {
		t.Fatalf("%v, %v", days, err)
	}
	if none, err := s.StoredDays(t.Context(), period.Interval{To: day}); err != nil || len(none) != 0 {
		t.Errorf("before: %v, %v", none, err)
	}
	totals := func() string {
		rows, err := s.Totals(t.Context(), period.Interval{From: day + 10*period.Hour, To: day + 11*period.Hour})
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, r := range rows {
			out = append(out, r.Team+" "+string(r.Cause)+" "+r.Effective.Now.String())
		}
		slices.Sort(out)
		return strings.Join(out, ", ")
	}
	if got, want := totals(),
		"research lost 8.1925, research used 8.1925, unowned free 16.385, unowned shared 1.23"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	storetest.Run(t, s.Pool, `update postings set state = 'final' where cause = 'shared'`)
	if got := totals(); strings.Contains(got, "shared") {
		t.Errorf("final money takes part: %s", got)
	}
	labels, err := s.LabelsOf(t.Context(), []ledger.ID{storetest.ID("owner", "research"), storetest.ID("owner", "nobody")})
	if err != nil || len(labels) != 1 || labels[storetest.ID("owner", "research")]["team"] != "research" {
		t.Errorf("%v, %v", labels, err)
	}
}
