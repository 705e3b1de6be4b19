package statement

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestFileNamesOfOwners(t *testing.T) {
	for _, plain := range []string{"speech", "foundation-models", "a.b_c-9"} {
		if got := fileName(plain); got != plain {
			t.Errorf("%q became %q", plain, got)
		}
	}
	seen := map[string]string{}
	for _, owner := range []string{"Speech", "SPEECH", "speech", "../etc", "..", ".", "a/b", "a_b", "a\\b", "a\x00b",
		"研究", "研发", "-rf", strings.Repeat("x", 500), strings.Repeat("x", 501)} {
		name := fileName(owner)
		if filepath.Base(name) != name || strings.HasPrefix(name, ".") || name != strings.ToLower(name) || len(name) > 140 {
			t.Errorf("%q became %q", owner, name)
		}
		if other, twice := seen[name]; twice {
			t.Errorf("%q and %q are both %q", owner, other, name)
		}
		seen[name] = owner
	}
}
