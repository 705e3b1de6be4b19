package book_test

import (
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"

	"gpuledger/allocation"
	"gpuledger/ingest"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/posting"
	"gpuledger/internal/store"
	"gpuledger/internal/store/book"
	"gpuledger/test/storetest"
)

func indexesOf(t *testing.T, s *store.Store, table string) string {
	t.Helper()
	return storetest.Dump(t, s, "select indexname from pg_indexes where tablename = '"+table+"' order by 1")
}

// A month that gets many chunks is indexed when the calculation ends, even by another calculation.
func TestANewMonthIsFilledBeforeItIsIndexed(t *testing.T) {
	s := storetest.New(t)
	work := []posting.DirtyNode{{NodeID: ledger.NewID("node", "a"), Days: []period.Interval{storetest.Day(0)}}} // October
	november := period.DayOf(period.MonthOf(storetest.Day0).To)
	for i := range book.BulkChunks {
		work = append(work, posting.DirtyNode{
			NodeID: ledger.NewID("node", string(rune(i))), Days: []period.Interval{november},
		})
	}
	if err := s.Prepare(t.Context(), work); err != nil {
		t.Fatal(err)
	}
	owner := ledger.NewID("owner", "o")
	for _, d := range []period.Interval{storetest.Day(0), november} {
		if err := s.SaveChunks(t.Context(), []*allocation.Chunk{bigChunk(0, d, owner)},
			storetest.Marked(t, s, bigChunk(0, d, owner))); err != nil {
			t.Fatal(err)
		}
	}
	if got := indexesOf(t, s, "posting_rows_202611"); got != "" {
		t.Errorf("the new month has %s", got)
	}
	want := strings.ReplaceAll(indexesOf(t, s, "posting_rows_202610"), "202610", "202611")
	if strings.Count(want, "\n") != 2 {
		t.Errorf("a month that grows slowly has indexes %s", want)
	}
	other := storetest.Open(t, s.Pool.Config().ConnString())
	if err := other.StartCalculation(t.Context(), posting.Calculation{ID: ledger.NewID("calculation", "2")},
		"v1"); err != nil {
		t.Fatal(err)
	}
	if got := indexesOf(t, s, "posting_rows_202611"); got != want {
		t.Errorf("after the end the month has %s, want %s", got, want)
	}
	if got := indexesOf(t, s, "spans_202611"); got != "spans_202611_node\nspans_202611_run" {
		t.Errorf("spans have %s", got)
	}
	// A chunk in it can be replaced.
	empty := &allocation.Chunk{NodeID: bigChunk(0, november, owner).NodeID, Day: november}
	if err := s.SaveChunk(t.Context(), empty, storetest.Marked(t, s, empty)); err != nil {
		t.Fatal(err)
	}
	if n := storetest.One[int](t, s, "select count(*) from postings where hour >= '2026-11-01'"); n != 0 {
		t.Errorf("%d postings of a chunk that is empty now", n)
	}
}

// A known partition that is gone (a crashed server undoes its last commits) is created again.
func TestAPartitionThatWasTakenBackIsMadeAgain(t *testing.T) {
	s := storetest.New(t)
	owner := ledger.NewID("owner", "o")
	save := func(d period.Interval) {
		t.Helper()
		if err := s.SaveChunk(t.Context(), bigChunk(0, d, owner), storetest.Marked(t, s, bigChunk(0, d, owner))); err != nil {
			t.Fatal(err)
		}
	}
	save(storetest.Day(0))
	storetest.MustExec(t, s, "drop table spans_202610")
	save(storetest.Day(1))
	if n := storetest.One[int](t, s, "select count(*) from spans"); n != 100 {
		t.Errorf("%d spans, want the 100 of the second day", n)
	}
}

// Sessions can write at once to a partition that another session created.
func TestPartitionsOfOthersCanBeWrittenAtOnce(t *testing.T) {
	dsn := storetest.New(t).Pool.Config().ConnString()
	var group errgroup.Group
	for i := range 6 {
		s := storetest.Open(t, dsn)
		group.Go(func() error {
			for month := range 24 {
				d := period.DayOf(storetest.Day0 + period.Second(month)*31*period.Day)
				c := &allocation.Chunk{NodeID: ledger.NewID("node", string(rune('a'+i))), Day: d,
					Spans: []ledger.Span{
						{NodeID: ledger.NewID("node", string(rune('a'+i))), Cause: ledger.Free, From: d.From, To: d.To},
					}}
				if err := s.ChunkMonths(t.Context(), c); err != nil {
					return err
				}
				meta := posting.ChunkMeta{}
				err := s.Pool.QueryRow(t.Context(),
					"insert into dirty (tenant_id, mark_id, node_id, day, reason) values (1, next_mark(1), $1, $2, 'test') "+
						"returning mark_id", c.NodeID, d.From).Scan(&meta.Mark)
				if err != nil {
					return err
				}
				if err := s.SaveChunks(t.Context(), []*allocation.Chunk{c}, meta); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
}

// The times of a row do not decide the number of partitions: a charge that lasts for years has its part in the month in
// which it starts, and months between two rows get no partition.
func TestMonthsWithoutPartsAreNotMade(t *testing.T) {
	s := storetest.New(t)
	support := storetest.ChargeOf(storetest.At(0, 0), "360")
	support.Kind, support.Category, support.InstanceSeconds = ledger.LineOther, ledger.CategoryPurchase, nil
	support.Period.To = support.Period.From + 3653*period.Day
	late := storetest.ChargeOf(storetest.At(900, 0), "1")
	block := storetest.ChargeOf(storetest.At(0, 1), "9")
	block.Kind, block.Period.To = ledger.LinePrepaid, block.Period.From+61*period.Day
	d, charges := storetest.Bill(100, support, late, block)
	storetest.MustPublish(t, s, d, charges, ingest.DeliveryPublished)
	if err := s.ReplaceParts(t.Context(), d.ID, "fleet",
		storetest.SeqOf(storetest.PartsOf(charges, ledger.ID{}))); err != nil {
		t.Fatal(err)
	}
	const made = "select string_agg(right(c.relname, 6), ' ' order by 1) from pg_inherits i join pg_class c on c.oid " +
		"= i.inhrelid where i.inhparent = 'parts'::regclass"
	if got := storetest.One[string](t, s, made); got != "202610 202611 202612 202903" {
		t.Errorf("partitions of %s", got)
	}
}
