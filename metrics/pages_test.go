package metrics

import "testing"

// The promise lists twelve queries. Reports answer each of them, by pages of at most 1,000 rows.
func TestPageQueries(t *testing.T) {
	if len(PageQueries) != 12 {
		t.Errorf("%d page queries; twelve are promised", len(PageQueries))
	}
	names := map[string]bool{}
	for _, p := range PageQueries {
		q, err := p.Over("2025-12-01", "2026-12-01")
		if err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
		if names[p.Name] {
			t.Errorf("two are named %s", p.Name)
		}
		if names[p.Name] = true; q.Limit > 1000 {
			t.Errorf("%s gives up to %d rows", p.Name, q.Limit)
		}
	}
}
