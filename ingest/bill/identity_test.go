package bill

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gpuledger/ingest/table"
	"gpuledger/internal/blob"
)

// A row has one identity, whether its table or this package hashed it, and whichever columns
// are empty.
func TestIdentityIsTheSameOnAllPaths(t *testing.T) {
	text := "id,cost,at,tags,note,canon,empty\n"
	for i := range 3000 {
		text += strings.Join([]string{"line" + strings.Repeat("x", i%7), []string{"1.50", "1.5", "15e-1", "NULL", ""}[i%5],
			"2026-10-01T00:00:00Z", `"{""a"":""b""}"`, []string{"n", "null", "é"}[i%3], " Up ", ""}, ",") + "\n"
	}
	path := filepath.Join(t.TempDir(), "a.csv")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	tab, err := table.Open(blob.File{Name: "a.csv", Path: path}, table.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer tab.Close()
	upper := func(dst []byte, text string) []byte {
		return append(dst, strings.ToUpper(strings.TrimSpace(text))...)
	}
	id := newIdentity([]IdentityColumn{
		{Pos: 0, Name: "id"}, {Pos: 1, Name: "cost", Form: Number}, {Pos: 2, Name: "at", Form: Time},
		{Pos: 3, Name: "tags", Form: Pairs}, {Pos: 4, Name: "note"},
		{Pos: 5, Name: "canon", Canon: upper}, {Pos: 6, Name: "empty"},
	})
	id.prepared = prepare(tab, id.wants(nil))
	if !id.prepared {
		t.Fatal("the table prepares nothing")
	}
	same := map[table.Hash]int{}
	err = tab.Each(t.Context(), func(r table.Row) error {
		fast, bad := id.of(r)
		slow, slowBad := id.each(r)
		if fast != slow || bad != nil || slowBad != nil {
			t.Fatalf("line %d: %v %v, %v %v", r.Line(), fast, bad, slow, slowBad)
		}
		same[fast]++
		return nil
	})
	if err != nil || len(same) != 7*2*3 { // lengths of id × a number or none × notes
		t.Errorf("%d different rows, %v", len(same), err)
	}
}

func TestIdentityDistinguishesColumns(t *testing.T) {
	hashes := map[table.Hash]string{}
	for _, name := range []string{"a", "b", "ab"} {
		c := newIdentity([]IdentityColumn{{Name: name}}).columns[0]
		for what, h := range map[string]table.Hash{
			"text": c.text("12345678"), "pairs": c.bytes(table.AppendPairs(nil, []table.Pair{{Key: "k", Value: "v"}})),
		} {
			if old := hashes[h]; old != "" {
				t.Errorf("%s %s is %s", name, what, old)
			}
			hashes[h] = name + " " + what
		}
	}
}
