package analysis

import "testing"

// A step needs only earlier ones, so steps cannot wait for each other in a circle.
func TestStepsNeedOnlyEarlierOnes(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range steps {
		for _, name := range s.Needs {
			if !seen[name] {
				t.Errorf("%s needs %s, which is no step further up", s.Name, name)
			}
		}
		if seen[s.Name] {
			t.Errorf("two steps are called %s", s.Name)
		}
		seen[s.Name] = true
	}
}
