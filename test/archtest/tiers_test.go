package archtest

import (
	"regexp"
	"strings"
	"testing"
)

// TestOneTierKnowsHowMuchIsAsked: make test-real finds what to ask in full by who imports
// test/tier, so no test decides by itself how much it asks.
func TestOneTierKnowsHowMuchIsAsked(t *testing.T) {
	decides := regexp.MustCompile(`testing\.Short\(\)|"GPULEDGER_TEST_FULL"|Getenv\("CI"\)`)
	goSources(t, func(path string, src []byte) {
		if strings.HasPrefix(path, "test/tier/") || strings.HasPrefix(path, "test/archtest/") {
			return
		}
		if at := decides.Find(src); at != nil {
			t.Errorf("%s asks for %s: test/tier has Full, Draws, OnlyInFull and Absent", path, at)
		}
	})
}
