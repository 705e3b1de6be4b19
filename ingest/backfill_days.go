package ingest

import (
	"context"
	"fmt"
	"time"

	"gpuledger/ingest/promquery"
	"gpuledger/internal/period"
)

// elsewhere notes, when a first backfill or one of a range found nothing, on which days
// the server has samples. What the server does not tell is noted as well: the import
// itself has not failed.
func (r *run) elsewhere(ctx context.Context, reader *promquery.Reader, asked period.Interval, now period.Second) {
	day := func(ms int64) string { return time.UnixMilli(ms).UTC().Format(time.DateOnly) }
	text := fmt.Sprintf("%s has no sample that means something from %s to %s", reader.Address(), asked.From, asked.To)
	first, last, err := reader.Days(ctx, int64(now)*1000)
	switch {
	case ctx.Err() != nil:
		return
	case err != nil:
		text += ", and does not say on which days it has any: " + err.Error()
	case first == 0 && len(r.req.Query.Access.Match) > 0:
		text += ", nor in five years before: look at --match, and at the names in docs/reference/series.md"
	case first == 0:
		text += ", nor in five years before: look at the address, and at the names in docs/reference/series.md"
	default:
		text += fmt.Sprintf("; it has some of %s to %s: --from %s --to %s", day(first), day(last), day(first),
			day(last+24*time.Hour.Milliseconds()))
	}
	r.tally.Note(text, 1)
}
