package web_test

import (
	"strings"
	"testing"

	"gpuledger/test/dashtest"
	"gpuledger/web"
)

// Every page names the figures that are still being computed, until all are there.
func TestPagesSayWhatIsStillBeingComputed(t *testing.T) {
	pending := "waste & advice are missing"
	h, err := web.New(web.Deps{Reader: dashtest.New(), Pending: func() string { return pending }})
	if err != nil {
		t.Fatal(err)
	}
	const shown = `role="status">waste &amp; advice are missing</p>`
	for _, path := range []string{"/", "/runs", "/periods"} {
		if page := get(t, h, path).Body.String(); !strings.Contains(page, shown) {
			t.Errorf("%s does not say that figures are missing", path)
		}
	}
	if pending = ""; strings.Contains(get(t, h, "/").Body.String(), `class="pending"`) {
		t.Error("a page has an empty line about missing figures")
	}
}
