package ingest

import (
	"context"
	"fmt"
	"time"

	"gpuledger/ingest/promquery"
	"gpuledger/internal/period"
)

// elsewhere notes the days on which the server has samples, if a first backfill or one of a
// range found none. A server that does not list them is noted too: the import itself has not
// failed.
func (r *run) elsewhere(ctx context.Context, reader *promquery.Reader, asked period.Interval, now period.Second) {
	day := func(ms int64) string { return time.UnixMilli(ms).UTC().Format(time.DateOnly) }
	text := fmt.Sprintf("%s has no usable samples from %s to %s", reader.Address(), asked.From, asked.To)
	first, last, err := reader.Days(ctx, int64(now)*1000)
	switch {
	case ctx.Err() != nil:
		return
	case err != nil:
		text += ", and did not list the days on which it has some: " + err.Error()
	case first == 0 && len(r.req.Query.Access.Match) > 0:
		text += ", nor in the five years before; check --match and the metric names in docs/reference/series.md"
	case first == 0:
		text += ", nor in the five years before; check the address and the metric names in docs/reference/series.md"
	default:
		text += fmt.Sprintf("; it has some from %s to %s: use --from %s --to %s", day(first), day(last), day(first),
			day(last+24*time.Hour.Milliseconds()))
	}
	r.tally.Note(text, 1)
}
