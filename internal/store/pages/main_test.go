package pages_test

import (
	"testing"

	"gpuledger/internal/store/storetest"
)

func TestMain(m *testing.M) { storetest.Main(m, nil) }
