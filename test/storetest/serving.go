package storetest

import (
	"testing"

	"gpuledger/internal/store"
)

// Count reads one number.
func Count(t *testing.T, s *store.Store, sql string) (n int64) {
	t.Helper()
	if err := s.Pool.QueryRow(t.Context(), sql).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}
