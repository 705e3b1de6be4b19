package statement_test

import (
	"strings"
	"testing"

	"gpuledger/internal/access"
	"gpuledger/metrics/statement"
)

// A scope that may hide a part of the owner's cost is named in the statement; one that shows all of it is not.
func TestStatementNamesWhatItCovers(t *testing.T) {
	q, err := statement.Parse("team=a", "2026-10", "")
	if err != nil {
		t.Fatal(err)
	}
	scoped := access.As(t.Context(), &access.Viewer{Role: access.RoleTeamLead, Scope: "s"})
	for _, c := range []struct {
		scope []string
		want  string
	}{
		{[]string{"team = a"}, ""},
		{[]string{"cluster = c1", "team in (a, b)"}, ""},
		{[]string{"cluster = c1"}, "cluster c1"},
		{[]string{"cluster in (c1, c2)", "project = x"}, "cluster c1 or c2; project x"},
		{[]string{"team = a and cluster = c1"}, "team = a and cluster = c1"},
		{[]string{"team = a and not project = x"}, "team = a and not project = x"},
	} {
		l := ledger{"2026-10": october, "periods": closed, "scope": c.scope}
		s, err := statement.Build(scoped, l, q)
		if err != nil {
			t.Fatal(err)
		}
		var csv, json strings.Builder
		if err := s.WriteCSV(&csv, true); err != nil {
			t.Fatal(err)
		}
		if err := s.WriteJSON(&json); err != nil {
			t.Fatal(err)
		}
		said := "This statement covers only what you may see: " + c.want + ". The whole statement of team a may be larger."
		switch text := s.Partial(); {
		case c.want == "" && (text != "" || strings.Contains(csv.String()+json.String(), "covers")):
			t.Errorf("%q is called a part: %s", c.scope, text)
		case c.want != "" && (text != said || !strings.Contains(json.String(), said) ||
			!strings.Contains(csv.String(), "covers_only") || !strings.Contains(csv.String(), c.want)):
			t.Errorf("%q: %s\n%s\n%s", c.scope, text, csv.String(), json.String())
		}
	}
	whole, err := statement.Build(t.Context(), ledger{"2026-10": october, "scope": {"cluster = c1"}}, q)
	if err != nil || whole.Partial() != "" {
		t.Errorf("without a scope: %s %v", whole.Partial(), err)
	}
}
