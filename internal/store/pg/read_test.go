package pg_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
	"gpuledger/test/storetest"
)

// readers are statements only for this test.
var readers = map[string]string{
	"test.read": "select 1.50::numeric as cost_so_far, '2026-01-02Z'::timestamptz as \"from\", null::uuid as " +
		"owner_id, n as name from unnest($1::text[]) n",
	"test.read_lists": "select * from (values (array['a']::text[]), (null), (array['c'])) v (path)",
	"test.read_to":    "select n, upper(n) from unnest($1::text[]) n",
	"test.read_of":    "select n from unnest($1::text[]) n",
}

func TestListReadsColumnsByName(t *testing.T) {
	for name, text := range readers {
		pg.Statements[name] = text
		t.Cleanup(func() { delete(pg.Statements, name) })
	}
	db := storetest.New(t)
	ctx := t.Context()
	type without struct {
		From    period.Second
		OwnerID ledger.ID
		Name    string
	}
	type row struct {
		From    period.Second
		OwnerID ledger.ID
		Name    string
		Cost    money.Amount `db:"cost_so_far"`
	}
	list, err := pg.List[row](ctx, db.Pool, "test.read", []string{"a", "b"})
	if err != nil || len(list) != 2 {
		t.Fatal(list, err)
	}
	if got := list[1]; got.Name != "b" || got.Cost.String() != "1.5" || got.From.String() != "2026-01-02T00:00:00Z" ||
		!got.OwnerID.IsZero() {
		t.Errorf("read %+v", got)
	}
	if _, err := pg.List[without](ctx, db.Pool, "test.read", []string{"a"}); err == nil {
		t.Error("a column without a field is read")
	}
	if list, err := pg.List[row](ctx, db.Pool, "test.read", []string{}); err != nil || list != nil {
		t.Error("no rows are not nil:", list, err)
	}
	words, err := pg.Map[string, string](ctx, db.Pool, "test.read_to", []string{"a", "b"})
	if err != nil || len(words) != 2 || words["b"] != "B" {
		t.Error(words, err)
	}
	if v, err := pg.Value[string](ctx, db.Pool, "test.read_of", []string{"a", "b"}); err != nil || v != "a" {
		t.Error(v, err)
	}
	type folders struct{ Path []string }
	lists, err := pg.List[folders](ctx, db.ReadOnly(), "test.read_lists")
	if err != nil || len(lists) != 3 || lists[0].Path[0] != "a" || lists[1].Path != nil || lists[2].Path[0] != "c" {
		t.Error("rows share what they hold, or keep what a null replaces:", lists, err)
	}
	if _, err := pg.List[folders](ctx, db.ReadOnly(), "test.read_of", []string{"a"}); err == nil {
		t.Error("a text is a list")
	}
	if n := db.Pool.Stat().AcquiredConns(); n != 0 {
		t.Errorf("%d transactions of reads go on", n)
	}
	if _, err := pg.One[row](ctx, db.Pool, "test.read", []string{}); !errors.Is(err, pgx.ErrNoRows) {
		t.Error("no row is", err)
	}
	if v, ok, err := pg.Found(pg.Value[string](ctx, db.Pool, "test.read_of", []string{})); ok || err != nil || v != "" {
		t.Error(v, ok, err)
	}
}

func TestEachReadsRowsOneAtATime(t *testing.T) {
	pg.Statements["test.each"] = "select 0.50::numeric as cost, n as hour from unnest($1::timestamptz[]) n"
	t.Cleanup(func() { delete(pg.Statements, "test.each") })
	db := storetest.New(t)
	var read []string
	stop := errors.New("enough")
	hours := []period.Second{3600, 7200, 10800}
	err := pg.Each(t.Context(), db.ReadOnly(), "test.each", func(r struct {
		Cost *string
		Hour time.Time
	}) error {
		if read = append(read, *r.Cost+" "+r.Hour.Format(time.RFC3339)); len(read) == 2 {
			return stop
		}
		return nil
	}, hours)
	if !errors.Is(err, stop) || !slices.Equal(read, []string{"0.5 1970-01-01T01:00:00Z", "0.5 1970-01-01T02:00:00Z"}) {
		t.Error(read, err)
	}
	if list, err := pg.Values[period.Second](t.Context(), db.ReadOnly(), "test.each"); err == nil {
		t.Error("a statement without its argument is read:", list)
	}
	if n := db.Pool.Stat().AcquiredConns(); n != 0 {
		t.Error("connections still held:", n)
	}
}
