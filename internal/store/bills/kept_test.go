package bills

import (
	"gpuledger/ingest"
)

// KeptWords returns the bytes of items and of tags that a stage keeps, and whether it keeps all items.
func KeptWords(stage ingest.ChargeStage) (items, tags int, all bool) {
	w := stage.(*chargeStage).words
	return w.items.bytes, w.tags.bytes, len(w.items.ids) == int(w.items.count)
}

// StagePID is the process id of a stage's server process.
func StagePID(stage ingest.ChargeStage) uint32 { return stage.(*chargeStage).tx.Conn().PgConn().PID() }
