package storetest

import (
	"testing"
)

// Wants compares named cells.
func Wants(t *testing.T, row map[string]string, want map[string]string) {
	t.Helper()
	for name, w := range want {
		if got, ok := row[name]; !ok || got != w {
			t.Errorf("%s = %q, want %q", name, got, w)
		}
	}
}
