package pages_test

import (
	"testing"

	"gpuledger/test/storetest"
)

func TestMain(m *testing.M) { storetest.Main(m, nil) }
