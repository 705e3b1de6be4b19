package kubernetes

import (
	"os"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// The Helm chart lets a server read every kind that a watch looks for, and nothing else.
func TestTheChartGrantsTheKinds(t *testing.T) {
	text, err := os.ReadFile("../../deploy/helm/gpuledger/values.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var values struct {
		Watch struct {
			Rules []struct{ Resources, Verbs []string }
		}
	}
	if err := yaml.Unmarshal(text, &values); err != nil {
		t.Fatal(err)
	}
	var granted []string
	for _, rule := range values.Watch.Rules {
		if !slices.Equal(rule.Verbs, []string{"get", "list", "watch"}) {
			t.Errorf("%v may be used with %v", rule.Resources, rule.Verbs)
		}
		granted = append(granted, rule.Resources...)
	}
	for _, kind := range append(Kinds(), "Pod", "Node") {
		resource := strings.ToLower(kind) + "s"
		if !slices.Contains(granted, resource) {
			t.Errorf("watch.rules lacks %s", resource)
		}
		granted = slices.DeleteFunc(granted, func(g string) bool { return g == resource })
	}
	if len(granted) > 0 {
		t.Errorf("watch.rules has %v, which no watch looks for", granted)
	}
}
