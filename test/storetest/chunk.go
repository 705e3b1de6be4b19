package storetest

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"testing"

	"gpuledger/allocation"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/posting"
	"gpuledger/internal/store"
	"gpuledger/internal/store/verify"
)

// ToyLedger is a world with a bill of three charges on node a, a loose one,
// and its chunks saved; everything is clean.
func ToyLedger(t testing.TB) (*store.Store, *posting.Derived, map[ledger.ID]string) {
	t.Helper()
	s := New(t)
	w, names := SmallWorld()
	PublishTelemetry(t, s, SampleTelemetry())
	SaveWorld(t, s, w)
	d, charges := Bill(100, ChargeOf(At(1, 3), "1.000000000001"), ChargeOf(At(1, 4), "-0.2"), ChargeOf(At(2, 3), "3"),
		ChargeOf(At(3, 3), "0.7"))
	MustPublish(t, s, d, charges, "published")
	parts := PartsOf(charges, w.Nodes[0].ID)
	parts[3].NodeID, parts[3].Kind, parts[3].OwnerID = ledger.ID{}, ledger.PartNonGPU, w.Owners[0].ID
	if err := s.ReplaceParts(t.Context(), d.ID, "fleet", SeqOf(parts)); err != nil {
		t.Fatal(err)
	}
	SaveDirty(t, s, w)
	return s, w, names
}

// SaveDirty computes every dirty chunk with the tests' own toy engine.
func SaveDirty(t testing.TB, s *store.Store, w *posting.Derived) {
	t.Helper()
	dirty, err := s.Dirty(t.Context(), period.Interval{})
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range dirty {
		for _, d := range n.Days {
			c := Compute(t, s, w, n.NodeID, d)
			err := s.SaveChunk(t.Context(), c, posting.ChunkMeta{
				Calculation: ledger.NewID("calculation", "1"), PolicyVersion: "v1", Mark: n.Mark,
			})
			// A commit that was cancelled midway may still have committed.
			if _, superseded := errors.AsType[*posting.SupersededError](err); err != nil && !superseded {
				t.Fatal(err)
			}
		}
	}
}

// Marked marks the day of a chunk and returns the metadata to save it.
func Marked(t testing.TB, s *store.Store, c *allocation.Chunk) posting.ChunkMeta {
	t.Helper()
	return posting.ChunkMeta{
		Mark: One[int64](t, s, fmt.Sprintf("insert into dirty (tenant_id, mark_id, node_id, day, reason) values (1, "+
			"next_mark(1), '%s', '%s', 'test') returning mark_id", c.NodeID, c.Day.From)),
	}
}

// Compute is the chunk of a node on a day.
func Compute(t testing.TB, s *store.Store, w *posting.Derived, id ledger.ID, d period.Interval) *allocation.Chunk {
	t.Helper()
	node := -1
	var n ledger.Node
	for i := range w.Nodes {
		if w.Nodes[i].ID == id {
			node, n = i, w.Nodes[i]
		}
	}
	in, err := s.Day(t.Context(), n, d, period.Hour)
	if err != nil {
		t.Fatal(err)
	}
	if node >= 0 {
		return chunkOfDay(w, node, d, in.Parts)
	}
	c := &allocation.Chunk{Day: d}
	for _, p := range in.Parts {
		c.Postings = append(c.Postings,
			ledger.Posting{ID: ledger.NewID("posting", p.ID.String()), PartID: p.ID, ChargeID: p.ChargeID, Part: p.Number,
				Hour:  p.Hour,
				Cause: ledger.NonGPU, Kind: cmp.Or(p.PostingKind, ledger.Direct), OwnerID: p.OwnerID,
				Method: p.Method, Quality: p.Quality, Policy: "v1", Currency: p.Currency, State: ledger.Open,
				Costs: p.Costs, Slot: -1, SliceID: ledger.WholeDevice})
	}
	return c
}

// DumpLedger is the ledger as text, to be compared.
func DumpLedger(t testing.TB, s *store.Store) string {
	t.Helper()
	var all strings.Builder
	for _, table := range []string{"usage", "postings", "parts", "spans"} {
		all.WriteString(table + "\n" +
			Dump(t, s, "select (to_jsonb(t) - 'generation')::text from "+table+" t where tenant_id = 1 order by 1") + "\n")
	}
	return all.String() + Dump(t, s,
		"select node_id || ' ' || day || ' ' || encode(digest, 'hex') from chunks where tenant_id = 1 order by 1")
}

// MustVerify checks that all invariants hold.
func MustVerify(t testing.TB, s *store.Store) {
	t.Helper()
	r, err := s.Verify(t.Context(), verify.Options{FailStale: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range r.Checks {
		if c.State != verify.CheckPassed {
			t.Errorf("%s: %s %s", c.Name, c.State, strings.Join(c.Rows, "; "))
		}
	}
}

// CloneOf copies the database of s.
func CloneOf(t testing.TB, s *store.Store) string {
	t.Helper()
	config := s.Pool.Config().ConnConfig
	name := fmt.Sprintf("%s_clone_%d", config.Database, cloneCount.Add(1))
	s.Pool.Reset() // no connections may exist during the copy
	admin := fmt.Sprintf("host=%s port=%d user=%s password='%s' dbname=postgres", config.Host, config.Port, config.User,
		config.Password)
	execAdmin(t, admin, "create database "+name+" template "+config.Database)
	t.Cleanup(func() { execAdmin(t, admin, "drop database "+name+" with (force)") })
	return strings.Replace(admin, "dbname=postgres", "dbname="+name, 1)
}
