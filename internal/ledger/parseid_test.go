package ledger_test

import (
	"strings"
	"testing"

	"gpuledger/internal/ledger"
)

// FuzzParseID: texts that are not ids are refused, however long they are, and ids are written back as they were.
func FuzzParseID(f *testing.F) {
	for _, s := range []string{
		"", strings.Repeat("a", 31), strings.Repeat("a", 32), strings.Repeat("a", 33),
		strings.Repeat("0", 34), strings.Repeat("f", 4096), strings.Repeat("-", 40),
		"0123456789abcdef0123456789abcdeg", "01234567-89ab-cdef-0123-456789abcdef", "\x00",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		id, err := ledger.ParseID(s)
		digits := strings.ToLower(strings.ReplaceAll(s, "-", ""))
		valid := len(digits) == 32 && strings.Trim(digits, "0123456789abcdef") == ""
		if (err == nil) != valid {
			t.Fatalf("%q: %v", s, err)
		}
		if again, err := ledger.ParseID(id.String()); err != nil || again != id {
			t.Errorf("%q became %s: %v", s, id, err)
		}
	})
}
