package attempt

import (
	"testing"

	"gpuledger/allocation/policy"
	"gpuledger/internal/ledger"
)

// A run that is cancelled after its last checkpoint loses the work since then if the policy counts that as lost; a
// suspended run does not.
func TestCancelledWorkIsLostWhereThePolicySaysSo(t *testing.T) {
	strict := policy.Default()
	strict.LoseCancelled = true
	for _, c := range []struct {
		name  string
		story *story
		pol   policy.Policy
		basis ledger.LossBasis
		from  int
	}{
		{"standard", newStory().node("n1").pod("a", "Job/j", 0, 30, deleted).saved("a", 10), policy.Default(), "", 0},
		{
			"since the checkpoint", newStory().node("n1").pod("a", "Job/j", 0, 30, deleted).saved("a", 10),
			strict, ledger.LossCheckpoint, 10,
		},
		{"all of it", newStory().node("n1").pod("a", "Job/j", 0, 30, deleted), strict, ledger.LossNone, 0},
		{
			"failed as ever", newStory().node("n1").pod("a", "Job/j", 0, 30, failed("Error")).saved("a", 10),
			strict, ledger.LossCheckpoint, 10,
		},
		{"succeeded as ever", newStory().node("n1").pod("a", "Job/j", 0, 30, succeeded).saved("a", 10), strict, "", 0},
		{
			"an inference job as ever",
			newStory().node("n1").pod("a", "Job/j", 0, 30, deleted, label("stage", "inference")), strict, "", 0,
		},
	} {
		got := Build(c.story.in, c.pol).Attempts
		if len(got) != 1 {
			t.Fatalf("%s: %d attempts", c.name, len(got))
		}
		a := got[0]
		if a.LossBasis != c.basis || c.basis != "" && a.LossFrom != at(c.from) || c.basis == "" && a.LossFrom != 0 {
			t.Errorf("%s: %q from %s", c.name, a.LossBasis, minutes(a.LossFrom))
		}
	}
}
