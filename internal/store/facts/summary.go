package facts

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"gpuledger/internal/ledger"
	"gpuledger/internal/minutes"
	"gpuledger/internal/period"
	"gpuledger/internal/sketch"
	"gpuledger/internal/store/pg"
)

// SummaryGrace is how long after its end an hour is summarised, in seconds, because live samples of its last minutes
// are still arriving. Later samples make the hour's summary stale again.
const SummaryGrace = 5 * period.Minute

// sketched are the signals with percentiles over many devices: the signals that decide activity (rule 5.1), the chip's
// parts, memory and power.
var sketched = func() (is [128]bool) {
	for _, signal := range []ledger.Signal{
		ledger.SignalGrEngine, ledger.SignalSM, ledger.SignalTensor,
		ledger.SignalDRAM, ledger.SignalMemoryUsed, ledger.SignalPower,
	} {
		is[minutes.Code(string(signal))] = true
	}
	return is
}()

// place is the subject of a summary.
type place struct {
	cluster, device, profile, node, model string
	slice, index                          int32
}

// summary is an hour of a device or slice. Summaries are kept forever.
type summary struct {
	place    int32
	hour     period.Second
	source   int64
	figures  []byte
	sketches []byte
}

// Summarise updates the summaries of all hours that ended before now and returns the number of rows it wrote. A summary
// always covers the whole hour, and an hour stays marked until the transaction that summarised it commits, so killed
// and concurrent processes do no harm.
func (s *Facts) Summarise(ctx context.Context, now period.Second) (written int64, err error) {
	codes := make([]int16, len(minutes.Names()))
	for i := range codes {
		codes[i] = int16(i + 1)
	}
	if _, err := s.Pool.Exec(ctx, pg.Statement("summary.signals"), pg.Tenant, codes, minutes.Names()); err != nil {
		return 0, fmt.Errorf("summarise samples: %w", err)
	}
	until := (now - SummaryGrace).Floor(period.Hour)
	for {
		n, more, err := s.summariseSome(ctx, until)
		written += n
		if err != nil {
			return written, fmt.Errorf("summarise samples: %w", err)
		}
		if !more {
			break
		}
	}
	if written < manyRows {
		return written, nil
	}
	// before devices and layouts are derived from them
	return written, s.Refresh(ctx, []string{"sample_places", "sample_summaries"})
}

// summarised is how many rows one transaction summarises; hours are not split.
const summarised = 20_000

// summariseSome summarises changes in the oldest stale hours and deletes their marks, up to about summarised rows.
func (s *Facts) summariseSome(ctx context.Context, until period.Second) (written int64, more bool, err error) {
	var hours []period.Second
	var marks []pgtype.UUID
	stale, err := pg.List[struct {
		Hour  period.Second
		Marks []pgtype.UUID
	}](ctx, s.Pool, "summary.stale", pg.Tenant, until, summarised)
	for _, h := range stale {
		hours, marks = append(hours, h.Hour), append(marks, h.Marks...)
	}
	if err != nil || len(hours) == 0 {
		return 0, false, err
	}
	if err := s.EnsureMonths(ctx, "sample_summaries", pg.MonthsOf(hours...)); err != nil {
		return 0, false, err
	}
	err = pgx.BeginFunc(ctx, s.Pool, func(tx pgx.Tx) error {
		if _, err := pg.Exec(ctx, tx, "import.lock", pg.Tenant, "summaries"); err != nil {
			return err
		}
		fresh, again, err := changedSummaries(ctx, tx, hours)
		if err != nil {
			return err
		}
		written = int64(len(fresh) + len(again))
		if _, err := pg.CopySlice(ctx, tx, pg.Statement("summary.copy_fresh"), fresh, encodeSummary); err != nil {
			return err
		}
		if len(again) > 0 {
			if _, err := pg.Exec(ctx, tx, "summary.create_next"); err != nil {
				return err
			}
			if _, err := pg.CopySlice(ctx, tx, pg.Statement("summary.copy_next"), again, encodeSummary); err != nil {
				return err
			}
			if _, err := pg.Exec(ctx, tx, "summary.merge_next"); err != nil {
				return err
			}
		}
		if _, err := pg.Exec(ctx, tx, "summary.done", pg.Tenant, marks); err != nil || written == 0 {
			return err
		}
		_, err = pg.Exec(ctx, tx, "summary.mark_analysis", pg.Tenant, hours) // devices are derived from summaries
		return err
	})
	return written, true, err
}

// changedSummaries summarises rows whose summary is missing (fresh) or has an outdated source (again).
func changedSummaries(ctx context.Context, tx pgx.Tx, hours []period.Second) (fresh, again []summary, err error) {
	var room summariser
	var packed pg.PgxBytes
	missing := map[place][]int{} // indexes into fresh
	err = pg.Query(ctx, tx, "summary.changed", func(rows pgx.Rows) error {
		var v summary
		var p place
		var known bool
		if err := rows.Scan(&v.hour, &v.place, &p.cluster, &p.device, &p.slice, &p.profile, &p.node, &p.index, &p.model,
			&v.source, &known, &packed); err != nil {
			return err
		}
		if err := room.summarise(packed, &v); err != nil {
			return fmt.Errorf("device %s at %s: %w", p.device, v.hour, err)
		}
		if known {
			again = append(again, v)
			return nil
		}
		if v.place == 0 {
			missing[p] = append(missing[p], len(fresh))
		}
		fresh = append(fresh, v)
		return nil
	}, pg.Tenant, hours)
	if err != nil {
		return nil, nil, err
	}
	if len(missing) > 0 {
		if err := addPlaces(ctx, tx, missing, fresh); err != nil {
			return nil, nil, err
		}
	}
	slices.SortFunc(fresh, func(a, b summary) int {
		return cmp.Or(cmp.Compare(a.hour, b.hour), cmp.Compare(a.place, b.place))
	})
	return fresh, again, forgetMoved(ctx, tx, hours, fresh)
}

// addPlaces numbers new places and sets the numbers in their summaries.
func addPlaces(ctx context.Context, tx pgx.Tx, missing map[place][]int, of []summary) error {
	list := slices.Collect(maps.Keys(missing))
	columns := []any{pg.Tenant, column(list, func(p place) string { return p.cluster }),
		column(list, func(p place) string { return p.device }),
		column(list, func(p place) int32 { return p.slice }), column(list, func(p place) string { return p.profile }),
		column(list, func(p place) string { return p.node }),
		column(list, func(p place) int32 { return p.index }), column(list, func(p place) string { return p.model })}
	if _, err := pg.Exec(ctx, tx, "summary.add_places", columns...); err != nil {
		return err
	}
	// Without statistics, the planner would search the place of every hour by tenant alone.
	if _, err := pg.Exec(ctx, tx, "summary.analyze_places"); err != nil {
		return err
	}
	ids, err := pg.Map[int64, int32](ctx, tx, "summary.places", columns...)
	for at, id := range ids {
		for _, i := range missing[list[at]] {
			of[i].place = id
		}
	}
	return err
}

// column is a column of places.
func column[T any](list []place, of func(place) T) []T {
	out := make([]T, len(list))
	for i, p := range list {
		out[i] = of(p)
	}
	return out
}

// forgetMoved deletes older summaries of a fresh summary's device and hour under another place.
func forgetMoved(ctx context.Context, tx pgx.Tx, hours []period.Second, fresh []summary) error {
	if len(fresh) == 0 {
		return nil
	}
	others, err := pg.Map[int32, []int32](ctx, tx, "summary.other_places", pg.Tenant)
	if err != nil || len(others) == 0 {
		return err
	}
	var ids []int32
	var at []period.Second
	for i := range fresh {
		for _, id := range others[fresh[i].place] {
			if id != fresh[i].place {
				ids, at = append(ids, id), append(at, fresh[i].hour)
			}
		}
	}
	if len(ids) == 0 {
		return nil
	}
	_, err = pg.Exec(ctx, tx, "summary.forget", pg.Tenant, ids, at, slices.Min(hours), slices.Max(hours))
	return err
}

// summariser reuses its buffers for one hour at a time.
type summariser struct {
	sorted [60]int64
	// util is the sketch of utilisation, kept until it is known that no better signal for activity exists.
	util []byte
}

// summarise computes the figures and sketches of packed vectors.
func (z *summariser) summarise(packed []byte, into *summary) error {
	w := newFigureWriter(make([]byte, 0, 256))
	z.util = z.util[:0]
	engine := false
	err := minutes.Each(packed, func(name string, v *ledger.Minutes) {
		code := minutes.Code(name)
		if code == 0 { // only signals with codes have figures
			return
		}
		sorted, sum := z.sorted[:0], int64(0)
		for m := range 60 {
			if v.Known>>m&1 == 1 {
				sorted = append(sorted, v.Value[m])
				sum += v.Value[m] // at most 60 values; counters may overflow the sum, which has no meaning for them
			}
		}
		slices.Sort(sorted)
		n := len(sorted)
		w.Add(&Figures{
			Code: code, Minutes: n, Total: sum, Low: sorted[0], High: sorted[n-1],
			P50: sketch.Rank(sorted, 50), P95: sketch.Rank(sorted, 95),
		})
		switch {
		case sketched[code]:
			into.sketches = sketch.AppendSorted(append(into.sketches, byte(code)), sorted)
			engine = engine || name == string(ledger.SignalGrEngine)
		case name == string(ledger.SignalGPUUtil):
			z.util = sketch.AppendSorted(append(z.util, byte(code)), sorted)
		}
	})
	if !engine {
		into.sketches = append(into.sketches, z.util...)
	}
	into.figures = w.Done()
	return err
}

func encodeSummary(r *pg.Row, v *summary) error {
	r.Begin(6)
	r.Int4(pg.Tenant)
	r.Int4(int(v.place))
	r.At(v.hour)
	r.Int8(v.source)
	r.Bytes(v.figures)
	r.Bytes(v.sketches)
	return nil
}
