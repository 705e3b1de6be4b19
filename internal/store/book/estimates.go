package book

import (
	"slices"

	"github.com/jackc/pgx/v5"

	"gpuledger/allocation"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
)

// estimates are the hours of a node whose provisional cost is kept for provisional_accuracy, or no longer is, because
// the chunks to write bill them, or no longer do.
type estimates struct {
	billed []period.Second // hours whose stored rows may be provisional
	undone []period.Second // hours with a kept estimate that no bill covers any more
}

// compare looks for such hours in a chunk that replaces a stored one. kept has a bit for each hour with a kept
// estimate, changed are the hours whose postings differ. The first bill counts: a later one leaves the estimate as is.
func (e *estimates) compare(c *allocation.Chunk, kept int32, changed []period.Second) {
	bills := billedHours(c)
	for h := c.Day.From; h < c.Day.To; h += period.Hour {
		had := kept&hourBit(c.Day.From, h) != 0
		switch is := bills&hourBit(c.Day.From, h) != 0; {
		case had && !is:
			e.undone = append(e.undone, h)
		case is && !had && slices.Contains(changed, h):
			e.billed = append(e.billed, h)
		}
	}
}

// billedHours has a bit for each hour whose capacity a bill prices or leaves out. An hour that only may be billed has
// none, nor one whose bill does not state the effective cost: their cost is unknown. Final rows are not in c.
func billedHours(c *allocation.Chunk) (bits int32) {
	for i := range c.Postings {
		p := &c.Postings[i]
		unknown := p.Method == allocation.MayBeBilled || !p.ChargeID.IsZero() && p.Effective == nil
		if p.CapacityGPUHours != nil && p.State != ledger.Provisional && !unknown {
			bits |= hourBit(c.Day.From, p.Hour)
		}
	}
	return bits
}

func hourBit(day, at period.Second) int32 { return 1 << hourOfDay(day, at) }

// keep queues the statements, which read the stored rows before they are deleted. Hours in closed periods are not
// undone: their final rows are not in chunks.
func (e *estimates) keep(b *pgx.Batch, node ledger.ID) {
	if len(e.undone) > 0 {
		b.Queue(pg.Statement("chunk.drop_estimates"), pg.Tenant, node, e.undone)
	}
	if len(e.billed) > 0 {
		b.Queue(pg.Statement("chunk.keep_estimates"), pg.Tenant, node, e.billed)
	}
}
