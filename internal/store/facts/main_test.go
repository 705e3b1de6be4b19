package facts_test

import (
	"testing"

	"gpuledger/test/storetest"
)

// Statements that tests of other packages cover, by area or name.
var elsewhere = map[string]string{
	"energy":                   "internal/store/bills",
	"telemetry.touch_capacity": "internal/posting",
}

func TestMain(m *testing.M) { storetest.Main(m, elsewhere) }
