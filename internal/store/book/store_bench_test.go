package book_test

import (
	"fmt"
	"math/big"
	"testing"
	"time"

	"gpuledger/allocation"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/internal/posting"
	"gpuledger/test/storetest"
)

// BenchmarkSaveChunks saves chunks as large as a day of 200 GPUs: 40 nodes × 7 days, 1,070 usage rows and 1,430
// postings each.
func BenchmarkSaveChunks(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		s := storetest.New(b)
		owner := ledger.NewID("owner", "o")
		var chunks []*allocation.Chunk
		for node := range 40 {
			for d := range 7 {
				chunks = append(chunks, bigChunk(node, storetest.Day(d), owner))
			}
		}
		metas := make([]posting.ChunkMeta, len(chunks))
		for i, c := range chunks {
			metas[i] = storetest.Marked(b, s, c)
		}
		b.StartTimer()
		start := time.Now()
		rows := 0
		for i, c := range chunks {
			if err := s.SaveChunk(b.Context(), c, metas[i]); err != nil {
				b.Fatal(err)
			}
			rows += len(c.Usage) + len(c.Postings) + len(c.Spans)
		}
		b.ReportMetric(float64(rows)/time.Since(start).Seconds(), "rows/s")
		b.ReportMetric(float64(len(chunks)), "chunks")
	}
}

func bigChunk(node int, d period.Interval, owner ledger.ID) *allocation.Chunk {
	n := ledger.NodeID("c", fmt.Sprint("node-", node), "")
	c := &allocation.Chunk{NodeID: n, Day: d}
	amount := money.MustParse("0.512345678901")
	hours := money.MustParse("0.125")
	for h := range period.Second(24) {
		hour := d.From + h*period.Hour
		for i := range 45 {
			w := ledger.NewID("workload", fmt.Sprint(node, i))
			u := ledger.Usage{ID: ledger.NewID("usage", fmt.Sprint(node, hour, i)), Hour: hour, NodeID: n, Slot: int32(i % 8),
				Device: fmt.Sprintf("GPU-%08d-1234-5678-9abc-def012345678", node*8+i%8), SliceID: -1,
				WorkloadID: w, RunID: "prod/fm-training/Job/train-large/1791158400", AttemptID: w,
				Cause: ledger.Used, Activity: ledger.Active, OwnerID: owner, Quality: ledger.Measured,
				Method: "exclusive", Seconds: 640, ActiveSeconds: 600, Weight: big.NewRat(640, 1),
				Held: true, CapacityGPUHours: hours, ActiveGPUHours: hours, EnergyKWh: &hours}
			c.Usage = append(c.Usage, u)
			for k := range 1 + i%3/2 {
				c.Postings = append(c.Postings,
					ledger.Posting{ID: ledger.NewID("posting", fmt.Sprint(node, hour, i, k)),
						PartID: ledger.NewID("part", fmt.Sprint(node, hour, k)), ChargeID: w, UsageID: u.ID, Hour: hour,
						Cause: u.Cause, Activity: u.Activity, Kind: ledger.Direct, OwnerID: owner, Method: "gpu_whole",
						Quality: u.Quality, Policy: "default-1", Currency: "USD", State: ledger.Open,
						Costs:    ledger.Costs{Effective: &amount, Billed: &amount, List: &amount, Contracted: &amount},
						GPUHours: &hours, CapacityGPUHours: &hours, ActiveGPUHours: &hours, EnergyKWh: &hours,
						NodeID: n, Slot: u.Slot, Device: u.Device, SliceID: -1, WorkloadID: w, RunID: u.RunID, AttemptID: w})
			}
		}
	}
	for i := range 100 {
		c.Spans = append(c.Spans, ledger.Span{
			NodeID: n, Slot: int32(i % 8), SliceID: -1, Cause: ledger.Used, From: d.From, To: d.To,
		})
	}
	return c
}
