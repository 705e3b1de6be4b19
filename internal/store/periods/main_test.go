package periods_test

import (
	"testing"

	"gpuledger/test/storetest"
)

// Statements that tests of other packages cover, by area or name.
var elsewhere = map[string]string{
	"reopen": "internal/store/explain",
}

func TestMain(m *testing.M) { storetest.Main(m, elsewhere) }
