package allocation

import (
	"strconv"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// idText is the text of an id inside another id; the zero id gives the empty text.
func idText(id ledger.ID) string {
	if id.IsZero() {
		return ""
	}
	return string(id[:])
}

// appendID appends what ledger.NewID hashes for idText(id).
func appendID(to []byte, id ledger.ID) []byte {
	if id.IsZero() {
		return ledger.AppendIDPart(to, "")
	}
	to = append(to, 0, 0, 0, 0, 0, 0, 0, byte(len(id)))
	return append(to, id[:]...)
}

// appendNumber appends what ledger.NewID hashes for the decimal text of n.
func appendNumber(to []byte, n int64) []byte {
	at := len(to)
	to = append(to, 0, 0, 0, 0, 0, 0, 0, 0)
	to = strconv.AppendInt(to, n, 10)
	to[at+7] = byte(len(to) - at - 8)
	return to
}

// beginIDs sets d.id to the prefix of the usage ids of an hour.
func (d *day) beginIDs(hour period.Second) {
	d.id = appendNumber(ledger.AppendIDPart(ledger.AppendIDPart(d.id[:0], "usage"), d.nodeID), int64(hour))
	d.prefix.Set(d.id)
}
