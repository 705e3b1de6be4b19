package access_test

import (
	"testing"

	"gpuledger/test/storetest"
)

// Statements that tests of other packages cover, by area or name.
var elsewhere = map[string]string{
	"access.make_reader":      "each migration, with the role's name filled in",
	"access.configured_views": "internal/store: folders of configuration",
	"access.move_view":        "internal/store: folders of configuration",
}

func TestMain(m *testing.M) { storetest.Main(m, elsewhere) }
