package archtest

import (
	"os/exec"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestOneTierKnowsHowMuchIsAsked: make test-real finds the packages to run in full by their import of test/tier, so no
// test decides its size itself.
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

// TestFullTierHasAllThatAsk: every package that imports test/tier is run in full by make test-real.
func TestFullTierHasAllThatAsk(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), "../../.ci/packages", "tiers")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	full := strings.Fields(string(out))
	goSources(t, func(file string, src []byte) {
		if !strings.HasSuffix(file, "_test.go") || !strings.Contains(string(src), "\"gpuledger/test/tier\"\n") {
			return
		}
		if pkg := module + "/" + path.Dir(file); !slices.Contains(full, pkg) {
			t.Errorf("%s asks test/tier, and .ci/packages tiers does not list %s", file, pkg)
		}
	})
}
