package pg_test

import (
	"testing"

	"gpuledger/test/storetest"
)

// Statements that tests of other packages cover, by area or name.
var elsewhere = map[string]string{
	"schema.settled": "internal/store",
	"calculation":    "internal/workers",
}

func TestMain(m *testing.M) { storetest.Main(m, elsewhere) }
