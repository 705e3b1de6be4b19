package book

import (
	"bytes"
	"encoding/binary"

	"gpuledger/internal/period"
)

// hourSums says what each hour of a chunk holds, table by table: the sum of
// the first words of its rows' hashes, zero where nothing is. Hours of equal
// sums hold the same rows, as surely as 64 bits say it; the digest of the
// chunk, of which verify asks, does not depend on that.
type hourSums [chunkTables][24]uint64

// sumsHead is how much of the digest comes before the sums: whoever stores
// another digest without them makes them unknown.
const sumsHead = 8

func (s *hourSums) stored(digest []byte) []byte {
	b := make([]byte, 0, sumsHead+8*chunkTables*24)
	b = append(b, digest[:sumsHead]...)
	for t := range s {
		for _, sum := range s[t] {
			b = binary.BigEndian.AppendUint64(b, sum)
		}
	}
	return b
}

// sumsOf reads what is stored beside a digest, nil when it is of another one.
func sumsOf(stored, digest []byte) *hourSums {
	if len(stored) != sumsHead+8*chunkTables*24 || len(digest) < sumsHead ||
		!bytes.Equal(stored[:sumsHead], digest[:sumsHead]) {
		return nil
	}
	var s hourSums
	stored = stored[sumsHead:]
	for t := range s {
		for h := range s[t] {
			s[t][h] = binary.BigEndian.Uint64(stored)
			stored = stored[8:]
		}
	}
	return &s
}

// chunkRow is where a row of the chunk that is being encoded begins, and its
// hour of the day.
type chunkRow struct {
	start int
	hour  int8
}

// hourOfDay is the hour that a row counts to; those that reach out of the day
// count to its first or last one, as in chunk.delete_node_spans.
func hourOfDay(day, at period.Second) int8 {
	return int8(min(max((at-day)/period.Hour, 0), 23))
}

// keepChanged takes the rows of hours that are stored already out of the
// streams, and lists the hours of which the stored rows go. old is nil when
// all do.
func (w *chunkWriter) keepChanged(day period.Second, old, sums *hourSums) {
	for t := range w.rows {
		var changed [24]bool
		all := true
		for h := range changed {
			changed[h] = old == nil || old[t][h] != sums[t][h]
			all = all && changed[h]
			if changed[h] {
				w.stale[t] = append(w.stale[t], day+period.Second(h)*period.Hour)
			}
		}
		if all || len(w.starts[t]) == 0 {
			continue
		}
		r := &w.rows[t]
		to := w.starts[t][0].start
		for i, row := range w.starts[t] {
			end := len(r.Buf)
			if i+1 < len(w.starts[t]) {
				end = w.starts[t][i+1].start
			}
			if changed[row.hour] {
				to += copy(r.Buf[to:], r.Buf[row.start:end])
			}
		}
		r.Buf = r.Buf[:to]
	}
}
