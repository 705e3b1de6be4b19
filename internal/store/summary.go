package store

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/ledger"
	"gpuledger/internal/minutes"
	"gpuledger/internal/period"
	"gpuledger/internal/sketch"
)

// SummaryGrace is how long after its end an hour is summarised, in seconds:
// live samples of its last minutes are still on their way. Samples that come
// later are summarised with the hour anew.
const SummaryGrace = 5 * period.Minute

// sketched are the signals whose percentiles are asked over many devices.
var sketched = []ledger.Signal{
	ledger.SignalGrEngine, ledger.SignalGPUUtil, ledger.SignalSM, ledger.SignalTensor, ledger.SignalDRAM, ledger.SignalMemoryUsed, ledger.SignalPower,
}

// figuresPer is how many numbers the figures of a signal are.
const figuresPer = 7

// summary is an hour of a device or slice, as it is kept for ever.
type summary struct {
	cluster, device, profile, node, model string
	slice, index                          int32
	hour                                  period.Second
	source                                ledger.ID
	figures                               []int64
	sketches                              []byte
}

// Summarise brings the summaries of all hours up to date that ended before
// now, and returns how many rows it wrote. A summary always follows from the
// whole hour, so a process that was killed, or two at once, do no harm: an
// hour stays marked until the transaction that summarised it.
func (s *Store) Summarise(ctx context.Context, now period.Second) (written int64, err error) {
	codes := make([]int16, len(minutes.Names()))
	for i := range codes {
		codes[i] = int16(i + 1)
	}
	if _, err := s.pool.Exec(ctx, statement("summary.signals"), tenant, codes, minutes.Names()); err != nil {
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
			return written, nil
		}
	}
}

// summarised is how many rows one transaction summarises, as far as whole
// hours allow.
const summarised = 20_000

// summariseSome summarises what changed in the oldest stale hours and forgets
// their marks, as many hours as make a fair transaction.
func (s *Store) summariseSome(ctx context.Context, until period.Second) (written int64, more bool, err error) {
	var hours []period.Second
	var marks []int64
	err = query(ctx, s.pool, "summary.stale", func(rows pgx.Rows) error {
		var hour period.Second
		var of []int64
		err := rows.Scan(&hour, &of)
		hours, marks = append(hours, hour), append(marks, of...)
		return err
	}, tenant, until, summarised)
	if err != nil || len(hours) == 0 {
		return 0, false, err
	}
	if err := s.ensureMonths(ctx, "sample_summaries", hours[0], hours[len(hours)-1]); err != nil {
		return 0, false, err
	}
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := exec(ctx, tx, "import.lock", tenant, "summaries"); err != nil {
			return err
		}
		fresh, again, err := changedSummaries(ctx, tx, hours)
		if err != nil {
			return err
		}
		written = int64(len(fresh) + len(again))
		if _, err := copySlice(ctx, tx, statement("summary.copy_fresh"), fresh, encodeSummary); err != nil {
			return err
		}
		if len(again) > 0 {
			if _, err := exec(ctx, tx, "summary.create_next"); err != nil {
				return err
			}
			if _, err := copySlice(ctx, tx, statement("summary.copy_next"), again, encodeSummary); err != nil {
				return err
			}
			if _, err := exec(ctx, tx, "summary.merge_next"); err != nil {
				return err
			}
		}
		_, err = exec(ctx, tx, "summary.done", tenant, marks)
		return err
	})
	return written, true, err
}

// changedSummaries summarises the rows whose summary is missing (fresh) or of
// other samples (again).
func changedSummaries(ctx context.Context, tx pgx.Tx, hours []period.Second) (fresh, again []summary, err error) {
	var room summariser
	var packed pgxBytes
	err = query(ctx, tx, "summary.changed", func(rows pgx.Rows) error {
		var v summary
		var known bool
		if err := rows.Scan(&v.hour, &v.cluster, &v.device, &v.slice, &v.profile, &v.node, &v.index, &v.model, &v.source, &known, &packed); err != nil {
			return err
		}
		if err := room.summarise(packed, &v); err != nil {
			return fmt.Errorf("device %s at %s: %w", v.device, v.hour, err)
		}
		if known {
			again = append(again, v)
		} else {
			fresh = append(fresh, v)
		}
		return nil
	}, tenant, hours)
	return fresh, again, err
}

// summariser has room for one hour at a time.
type summariser struct{ sorted [60]int64 }

// summarise computes the figures and sketches of packed vectors.
func (z *summariser) summarise(packed []byte, into *summary) error {
	into.figures = make([]int64, 0, figuresPer*16)
	return minutes.Each(packed, func(name string, v *ledger.Minutes) {
		code := minutes.Code(name)
		if code == 0 { // signals have codes; what has none has no figures
			return
		}
		sorted, sum := z.sorted[:0], int64(0)
		for m := range 60 {
			if v.Known>>m&1 == 1 {
				sorted = append(sorted, v.Value[m])
				sum += v.Value[m] // at most 60 values; counters may wrap, and their sum means nothing
			}
		}
		slices.Sort(sorted)
		n := len(sorted)
		into.figures = append(into.figures, int64(code), int64(n), sum, sorted[0], sorted[n-1], sketch.Rank(sorted, 50), sketch.Rank(sorted, 95))
		if slices.Contains(sketched, ledger.Signal(name)) {
			into.sketches = sketch.AppendSorted(append(into.sketches, byte(code)), sorted)
		}
	})
}

func encodeSummary(r *row, v *summary) error {
	r.begin(12)
	r.int4(tenant)
	r.text(v.cluster)
	r.text(v.device)
	r.int4(int(v.slice))
	r.text(v.profile)
	r.at(v.hour)
	r.text(v.node)
	r.int4(int(v.index))
	r.text(v.model)
	r.id(v.source)
	end := r.array(len(v.figures), oidInt8, false)
	for _, n := range v.figures {
		r.int8(n)
	}
	end()
	r.bytes(v.sketches)
	return nil
}
