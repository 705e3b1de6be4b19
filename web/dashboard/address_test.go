package dashboard

import (
	"errors"
	"strings"
	"testing"

	"gpuledger/metrics"
)

func TestOnlyPagesOfTheLedgerCanBeSaved(t *testing.T) {
	for _, ours := range []string{
		"/", "/?basis=billed", "/runs?q=%3Cb%3E&team=speech", "/runs/cluster/ns/Job/a%20b/1", "/chargeback?from=2026-11-01",
		"/costs-that-no-page-has", "/fleet", "/statement?against=1", "/runs?filter=" + strings.Repeat("%27", 300),
	} {
		err := CheckAddress(ours)
		if known := ours != "/costs-that-no-page-has"; (err == nil) != known {
			t.Errorf("%s: %v", ours, err)
		}
	}
	for _, other := range []string{
		"", "runs", "//evil.example/", "/\\evil.example", "https://evil.example/", "javascript:alert(1)", "/runs#x",
		"/api/v1/costs", "/static/app.js", "/login", "/views", "/views/1", "/find?q=a", "/theme", "/livez", "/people",
		"/runs/../api/v1/costs", "/runs/%2e%2e/%2e%2e/login", "/runs?from=2026-99-01", "/runs?page=0", "/?basis=none",
		"/runs?a;b", "/runs?q=%", "/runs?q=%00", "/runs?q=%ff", "/runs?q=a\nb", "/runs?q=" + strings.Repeat("a", 201),
		"/?x=" + strings.Repeat("a", longestAddress),
	} {
		err := CheckAddress(other)
		if option, ok := errors.AsType[*metrics.OptionError](err); !ok || option.Option != "url" {
			t.Errorf("%q: %v, want a refusal of url", other, err)
		}
	}
}
