package archtest

import (
	"regexp"
	"strings"
	"testing"
)

// TestOneTierKnowsHowMuchIsAsked: make test-real finds what to ask in full by who imports
// internal/tier, so no test decides by itself how much it asks.
func TestOneTierKnowsHowMuchIsAsked(t *testing.T) {
	decides := regexp.MustCompile(`testing\.Short\(\)|"GPULEDGER_TEST_FULL"|Getenv\("CI"\)`)
	goSources(t, func(path string, src []byte) {
		if strings.HasPrefix(path, "internal/tier/") || strings.HasPrefix(path, "internal/archtest/") {
			return
		}
		if at := decides.Find(src); at != nil {
			t.Errorf("%s asks for %s: internal/tier has Full, Draws, OnlyInFull and Absent", path, at)
		}
	})
}
