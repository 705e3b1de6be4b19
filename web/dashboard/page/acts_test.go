package page

import (
	"testing"

	"gpuledger/internal/access"
)

func TestWhoActsAndBeforeWhat(t *testing.T) {
	for _, c := range []struct{ key, value, want string }{
		{"team", "speech", "Owner: team speech"},
		{"cost_center", "42", "Owner: cost center 42"},
		{"team", Unowned, "No owner. Role analyst acts."},
		{"team", "", "No owner. Role analyst acts."},
		{"cluster", "prod", "No owner. Role analyst acts."}, // cluster is not a key of owners
		{"all", "", "No owner. Role analyst acts."},
	} {
		if got := OwnerOf(c.key, c.value, access.RoleAnalyst); got != c.want {
			t.Errorf("%s %s: %q, want %q", c.key, c.value, got, c.want)
		}
	}
	if got := BeforeClose("2026-10"); got != "before October closes" {
		t.Error(got)
	}
	if got := BeforeClose(""); got != NoDate {
		t.Errorf("no month: %q", got)
	}
}
