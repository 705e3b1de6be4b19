package pg_test

import (
	"os"
	"path/filepath"
	"testing"

	"gpuledger/allocation/fleet"
	"gpuledger/internal/ledger"
	"gpuledger/internal/store"
	"gpuledger/internal/store/pg"
	"gpuledger/test/pgtest"
)

// Every fragment is known and used, and its columns are filled in.
func TestFragmentsAreKnownAndUsed(t *testing.T) {
	rooms, err := filepath.Glob("../*/sql")
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	for _, room := range rooms {
		named, err := pg.Named(os.DirFS(filepath.Dir(room)))
		if err != nil {
			t.Fatal(err)
		}
		for name, text := range named {
			for _, m := range pg.FragmentCall.FindAllStringSubmatch(text, -1) {
				if pg.Fragments[m[1]] == nil {
					t.Errorf("%s: %s is no fragment", name, m[0])
				}
				used[m[1]] = true
			}
			if left := pg.FragmentCall.FindString(pg.Statement(name)); left != "" {
				t.Errorf("%s: %s is not filled in", name, left)
			}
		}
	}
	for name := range pg.Fragments {
		if !used[name] {
			t.Errorf("no statement uses @%s(…)", name)
		}
	}
}

// expressed evaluates an expression over v for a value.
func expressed(t *testing.T, s *store.Store, expr, value string) string {
	t.Helper()
	var got *string
	if err := s.Pool.QueryRow(t.Context(), "select "+expr+" from (select $1::text as v) x", value).Scan(&got); err != nil {
		t.Fatal(expr, err)
	}
	if got == nil {
		return "NULL"
	}
	return *got
}

func TestFamilyOfInstanceTypes(t *testing.T) {
	s := emptyDB(t)
	for typ, want := range map[string]string{
		"p5.48xlarge": "p5", "ml.p4d.24xlarge": "ml.p4d", "Standard_ND96isr_H100_v5": "Standard_NDisr_H100_v5",
		"Standard_NC24-12ads_A100_v4": "Standard_NCads_A100_v4",
		"a3-highgpu-8g":               "a3-highgpu", "n1-standard-16": "n1-standard", "dgx": "dgx", "": "",
	} {
		if got := expressed(t, s, pg.FamilySQL("x.v"), typ); got != want {
			t.Errorf("%s: family %s, want %s", typ, got, want)
		}
	}
}

// SQL and Go read the same provider from a provider id, known or not.
func TestProviderOfProviderIDs(t *testing.T) {
	s := emptyDB(t)
	for _, id := range []string{
		"aws:///us-east-1a/i-0abc", "gce://p/us-central1-a/n", "azure:///subscriptions/S/x",
		"openstack:///0b1c", "k3s://n", "gcp://n", "ocid1.instance.oc1.phx.a", "://n", "",
	} {
		want := fleet.Provider(id)
		if want == "" {
			want = "NULL"
		}
		if got := expressed(t, s, pg.ProviderSQL("x.v"), id); got != want {
			t.Errorf("%q: SQL says %s, Go %s", id, got, want)
		}
	}
}

// SQL and Go agree on the worst quality of any rows.
func TestWorstQualityOfAGroup(t *testing.T) {
	s := emptyDB(t)
	for _, rows := range [][]ledger.Quality{
		{ledger.Measured}, {ledger.Estimated}, {ledger.Assumed},
		{ledger.Measured, ledger.Estimated}, {ledger.Assumed, ledger.Measured},
		{ledger.Estimated, ledger.Assumed, ledger.Measured},
	} {
		var want ledger.Quality
		var text []string
		for _, q := range rows {
			want = want.Worse(q)
			text = append(text, string(q))
		}
		var got ledger.Quality
		err := s.Pool.QueryRow(t.Context(), "select "+pg.WorstQualitySQL("x.q")+" from unnest($1::text[]) x (q)",
			text).Scan(&got)
		if err != nil || got != want {
			t.Errorf("%v: %q, want %q: %v", rows, got, want, err)
		}
	}
}

// emptyDB opens a database without tables.
func emptyDB(t *testing.T) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), pgtest.Empty(t), pg.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}
