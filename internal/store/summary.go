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

// summary is an hour of a device or slice, as it is kept for ever.
type summary struct {
	cluster, device, profile, node, model string
	slice, index                          int32
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
		type stale struct {
			hour  period.Second
			marks []int64
		}
		var list []stale
		err := query(ctx, s.pool, "summary.stale", func(rows pgx.Rows) error {
			var h stale
			err := rows.Scan(&h.hour, &h.marks)
			list = append(list, h)
			return err
		}, tenant, until)
		if err != nil {
			return written, fmt.Errorf("summarise samples: %w", err)
		}
		if len(list) == 0 {
			return written, nil
		}
		for _, h := range list {
			n, err := s.summariseHour(ctx, h.hour, h.marks)
			written += n
			if err != nil {
				return written, fmt.Errorf("summarise samples of %s: %w", h.hour, err)
			}
		}
	}
}

// summariseHour summarises what changed in an hour and forgets its marks.
func (s *Store) summariseHour(ctx context.Context, hour period.Second, marks []int64) (written int64, err error) {
	if err := s.ensureMonths(ctx, "sample_summaries", hour, hour); err != nil {
		return 0, err
	}
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := exec(ctx, tx, "import.lock", tenant, "summaries"); err != nil {
			return err
		}
		var list []summary
		var room summariser
		var packed pgxBytes
		err := query(ctx, tx, "summary.changed", func(rows pgx.Rows) error {
			var v summary
			if err := rows.Scan(&v.cluster, &v.device, &v.slice, &v.profile, &v.node, &v.index, &v.model, &v.source, &packed); err != nil {
				return err
			}
			if err := room.summarise(packed, &v); err != nil {
				return fmt.Errorf("device %s: %w", v.device, err)
			}
			list = append(list, v)
			return nil
		}, tenant, hour)
		if err != nil {
			return err
		}
		if written = int64(len(list)); written > 0 {
			if _, err := exec(ctx, tx, "summary.create_next"); err != nil {
				return err
			}
			encode := func(r *row, v *summary) error { return encodeSummary(r, hour, v) }
			if _, err := copySlice(ctx, tx, statement("summary.copy_next"), list, encode); err != nil {
				return err
			}
			if _, err := exec(ctx, tx, "summary.merge_next"); err != nil {
				return err
			}
		}
		_, err = exec(ctx, tx, "summary.done", tenant, marks)
		return err
	})
	return written, err
}

// summariser has room for one hour at a time.
type summariser struct{ sorted []int64 }

// summarise computes the figures and sketches of packed vectors.
func (z *summariser) summarise(packed []byte, into *summary) error {
	vectors, err := minutes.Decode[ledger.Signal](packed)
	if err != nil {
		return err
	}
	names := make([]ledger.Signal, 0, len(vectors))
	for name := range vectors {
		if minutes.Code(string(name)) > 0 { // signals are; what is not has no figures
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b ledger.Signal) int { return minutes.Code(string(a)) - minutes.Code(string(b)) })
	for _, name := range names {
		v := vectors[name]
		z.sorted = z.sorted[:0]
		var sum int64
		for m := range 60 {
			if value, ok := minutes.At(&v, m); ok {
				z.sorted = append(z.sorted, value)
				sum += value // at most 60 values; counters may wrap, and their sum means nothing
			}
		}
		if len(z.sorted) == 0 {
			continue
		}
		slices.Sort(z.sorted)
		n := len(z.sorted)
		into.figures = append(into.figures, int64(minutes.Code(string(name))), int64(n), sum, z.sorted[0], z.sorted[n-1],
			sketch.Rank(z.sorted, 50), sketch.Rank(z.sorted, 95))
		if slices.Contains(sketched, name) {
			s := sketch.Of(z.sorted)
			into.sketches = append(into.sketches, byte(minutes.Code(string(name))))
			into.sketches = s.Append(into.sketches)
		}
	}
	return nil
}

func encodeSummary(r *row, hour period.Second, v *summary) error {
	r.begin(12)
	r.int4(tenant)
	r.text(v.cluster)
	r.text(v.device)
	r.int4(int(v.slice))
	r.text(v.profile)
	r.at(hour)
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
