package kubernetes

import (
	"fmt"
	"testing"
)

// A Job's retries are decided by its limit, and by rules that exclude failures from it.
func TestRetriesOfJobs(t *testing.T) {
	for _, c := range []struct{ spec, limit, ignores string }{
		{"{backoffLimit: 0}", "0", ""},
		{
			"{backoffLimit: 6, podFailurePolicy: {rules: [{action: FailJob, onExitCodes: {operator: In, values: [42]}}]}}",
			"6", "",
		},
		{
			"{backoffLimit: 0, podFailurePolicy: {rules: [{action: FailJob}, {action: Ignore, onPodConditions: [{type: " +
				"DisruptionTarget}]}]}}", "0", "true",
		},
		{"{podFailurePolicy: {rules: no list}}", "", ""},
	} {
		text := fmt.Sprintf("apiVersion: batch/v1\nkind: Job\nmetadata: {name: train, namespace: ns, creationTimestamp: "+
			"2026-11-02T08:00:00Z}\nspec: %s\n", c.spec)
		x, _ := parse(t, text, Options{Cluster: "c"})
		if len(x.Objects) != 1 {
			t.Fatalf("%s: %d objects", c.spec, len(x.Objects))
		}
		if a := x.Objects[0].Attrs; a["backoffLimit"] != c.limit || a["ignoresFailures"] != c.ignores {
			t.Errorf("%s: %v", c.spec, a)
		}
	}
}
