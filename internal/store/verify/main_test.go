package verify_test

import (
	"testing"

	"gpuledger/test/storetest"
)

// Statements that other packages' tests run, by area or name.
var elsewhere = map[string]string{
	"verify.chunks_of_statement": "internal/store/periods",
}

func TestMain(m *testing.M) { storetest.Main(m, elsewhere) }
