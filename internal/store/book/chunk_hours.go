package book

import (
	"bytes"
	"encoding/binary"

	"gpuledger/internal/period"
)

// hourSums has a sum for each hour and table of a chunk: the sum of the first words of its rows' hashes, or zero
// without rows. Equal sums mean equal rows with the certainty of 64 bits. The chunk's digest, which verify checks, does
// not depend on that.
type hourSums [chunkTables][24]uint64

// sumsHead is how many bytes of the digest precede the sums. Writing another digest without new sums thus invalidates
// them.
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

// sumsOf decodes the sums stored with a digest; nil if they belong to another digest.
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

// chunkRow is the start of a row of the chunk being encoded, and its hour of the day.
type chunkRow struct {
	start int
	hour  int8
}

// hourOfDay is the hour to which a row belongs. Rows outside the day belong to its first or last hour, as in
// chunk.delete_node_spans.
func hourOfDay(day, at period.Second) int8 {
	return int8(min(max((at-day)/period.Hour, 0), 23))
}

// keepChanged removes rows of unchanged hours from the streams and lists the hours whose stored rows must be deleted.
// old is nil if all hours changed.
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
