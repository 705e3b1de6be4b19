package access

import (
	"crypto/rand"
	"encoding/json"

	"gpuledger/internal/ledger"
)

// randomID returns a random UUID.
func randomID() (id ledger.ID) {
	_, _ = rand.Read(id[:])   // never fails (crypto/rand)
	id[6] = id[6]&0x0f | 0x40 // UUID version 4
	id[8] = id[8]&0x3f | 0x80
	return id
}

// jsonText encodes a detail for the audit log.
func jsonText(detail any) (string, error) {
	if detail == nil {
		return "{}", nil
	}
	text, err := json.Marshal(detail)
	return string(text), err
}
