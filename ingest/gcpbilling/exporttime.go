package gcpbilling

import (
	"encoding/binary"
	"strings"
	"time"

	"gpuledger/ingest/table"
)

// exportTime reads export_time at full precision, in nanoseconds since 1970: BigQuery writes
// microseconds, which distinguish rows.
func exportTime(text string) (int64, bool) {
	at, err := table.ParseInstant(text)
	if err != nil {
		return 0, false
	}
	nanos := int64(0)
	if _, fraction, ok := strings.Cut(text, "."); ok {
		unit := int64(time.Second)
		for _, c := range []byte(fraction) {
			if c < '0' || c > '9' || unit == 1 {
				break
			}
			unit /= 10
			nanos += int64(c-'0') * unit
		}
	}
	return int64(at)*int64(time.Second) + nanos, true
}

// canonicalExportTime is the time in a row's identity: two rows that differ only by a fraction
// of a second are two.
func canonicalExportTime(dst []byte, text string) []byte {
	at, ok := exportTime(text)
	if !ok {
		return append(dst, text...)
	}
	return binary.LittleEndian.AppendUint64(dst, uint64(at))
}
