package bills_test

import (
	"testing"

	"gpuledger/test/storetest"
)

// Statements that tests of other packages cover, by area or name.
var elsewhere = map[string]string{
	"charge.billers":         "internal/posting",
	"dirty.mark_closed":      "internal/store/periods",
	"import.elsewhere":       "internal/store/facts",
	"import.node_devices":    "internal/store/facts",
	"import.node_identities": "internal/store/facts",
}

func TestMain(m *testing.M) { storetest.Main(m, elsewhere) }
