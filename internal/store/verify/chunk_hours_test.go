package verify_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"gpuledger/allocation"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/store/verify"
	"gpuledger/test/storetest"
)

// Tables of a chunk, as the variations of its hours number them.
const (
	rowsOfUsage = iota
	rowsOfPostings
	rowsOfParts
	rowsOfSpans
	tablesOfChunk
)

// variation is a chunk whose hours hold rows in the form given by told[table][hour]; 0 leaves them out.
func variation(like *allocation.Chunk, told *[tablesOfChunk][24]int) *allocation.Chunk {
	c := &allocation.Chunk{NodeID: like.NodeID, Day: like.Day}
	for h := range 24 {
		hour := like.Day.From + period.Second(h)*period.Hour
		name := func(table int) string { return fmt.Sprint(table, h, told[table][h]) }
		for n := range min(told[rowsOfUsage][h], 2) {
			u := like.Usage[0]
			u.Hour, u.Method, u.ID = hour, name(rowsOfUsage), ledger.NewID("usage", name(rowsOfUsage), fmt.Sprint(n))
			c.Usage = append(c.Usage, u)
		}
		for n := range min(told[rowsOfPostings][h], 3) {
			p := like.Postings[0]
			p.Hour, p.Method, p.ID = hour, name(rowsOfPostings), ledger.NewID("posting", name(rowsOfPostings), fmt.Sprint(n))
			c.Postings = append(c.Postings, p)
		}
		if told[rowsOfParts][h] > 0 {
			c.Parts = append(c.Parts,
				ledger.Part{ID: ledger.NewID("part", name(rowsOfParts)), NodeID: like.NodeID, Hour: hour,
					Kind:     ledger.PartProvisional,
					Currency: "USD", OwnerID: like.Usage[0].OwnerID, Method: name(rowsOfParts), Quality: like.Usage[0].Quality})
		}
		if told[rowsOfSpans][h] > 0 {
			s := like.Spans[0]
			s.From, s.To = hour+period.Second(told[rowsOfSpans][h]), like.Day.To
			c.Spans = append(c.Spans, s)
		}
	}
	return c
}

func TestUnchangedHoursAreNotWrittenAgain(t *testing.T) {
	s, w, _ := storetest.ToyLedger(t)
	like := storetest.Compute(t, s, w, w.Nodes[0].ID, storetest.Day(1))
	r := rand.New(rand.NewPCG(1, 2))
	var told [tablesOfChunk][24]int
	for round := range 12 {
		before := told
		for range 1 + r.IntN(8) {
			told[r.IntN(tablesOfChunk)][r.IntN(24)] = r.IntN(4)
		}
		if round == 7 { // another process digested the chunk, so its hours have no digests
			storetest.MustExec(t, s, "update chunks set digest = 'nobody knows it' where tenant_id = 1")
		}
		kept := storetest.Dump(t, s,
			"select hour || ' ' || generation from postings where tenant_id = 1 and node_id is not null and hour < "+
				"'2026-10-07' order by 1")
		c := variation(like, &told)
		if err := s.SaveChunk(t.Context(), c, storetest.Marked(t, s, c)); err != nil {
			t.Fatal(err)
		}
		err := pgx.BeginFunc(t.Context(), s.Pool, func(tx pgx.Tx) error {
			bad, err := verify.CheckDigests(t.Context(), tx, period.Interval{
				From: storetest.Day(1).From, To: storetest.Day(1).To,
			})
			for _, line := range bad {
				if strings.Contains(line, like.NodeID.String()) {
					t.Errorf("round %d: %s", round, line)
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if round == 0 || round == 7 {
			continue
		}
		for h := range 24 {
			line := fmt.Sprintf("2026-10-06 %02d:00:00+00 ", h)
			if now := storetest.Dump(t, s,
				"select generation::text from postings where tenant_id = 1 and node_id is not null and hour = '2026-10-06 "+fmt.Sprintf("%02d", h)+":00+00' limit 1"); before[rowsOfPostings][h] == told[rowsOfPostings][h] && now != "" && !strings.Contains(kept, line+now) {
				t.Errorf("round %d: hour %d was written again", round, h)
			}
		}
	}
}
