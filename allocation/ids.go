package allocation

import (
	"strconv"

	"gpuledger/internal/ledger"
)

// idText is the text of an id inside another id; none is empty.
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
