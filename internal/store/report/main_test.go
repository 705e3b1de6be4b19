package report_test

import (
	"testing"

	"gpuledger/test/storetest"
)

// Statements that other packages' tests run, by area or name.
var elsewhere = map[string]string{
	"statement.known": "internal/posting",
	"rollup.scope":    "cmd/gpuledger",
}

func TestMain(m *testing.M) { storetest.Main(m, elsewhere) }
