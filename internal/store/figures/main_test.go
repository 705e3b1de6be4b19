package figures_test

import (
	"testing"

	"gpuledger/test/storetest"
)

// Statements that other packages' tests run, by area or name.
var elsewhere = map[string]string{
	"advice.teams":       "internal/posting",
	"layouts":            "internal/posting",
	"serving.new_months": "internal/store/report",
	"signals":            "internal/posting",
	"waste":              "internal/posting",
}

func TestMain(m *testing.M) { storetest.Main(m, elsewhere) }
