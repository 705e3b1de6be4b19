package book_test

import (
	"errors"
	"strings"
	"testing"

	"gpuledger/internal/confirm"
	"gpuledger/internal/store"
	"gpuledger/internal/store/book"
	"gpuledger/metrics"
	"gpuledger/test/storetest"
)

const renamed = "name: renamed\nvalid_from: 2026-10-01\nvalues: [{key: team, from: [nlp], to: speech}]\n"

// marked counts the days that a change of the rules has marked.
const marked = "select count(*)::text from dirty where reason = 'policy'"

// mappings lists the stored versions with their authors.
func mappings(t *testing.T, s *store.Store) string {
	t.Helper()
	var out []string
	for _, r := range storetest.Table(t, s, "mappings", metrics.Options{}) {
		out = append(out, strings.Join([]string{r["name"], r["version"], r["status"], r["changed_by"], r["reason"]}, " "))
	}
	return strings.Join(out, ", ")
}

// A mapping is stored in versions of its name and day, marks its days, and is refused with every fault.
func TestAMappingIsStoredInVersions(t *testing.T) {
	s := storetest.SmallLedger(t)
	save := func(document, by string) (book.SavedMapping, error) {
		return s.SaveMapping(t.Context(), []byte(document), "why", by)
	}
	first, err := save(renamed, "ada")
	if err != nil || !first.Stored || first.Number != 1 || first.Day() != "2026-10-01" {
		t.Fatalf("%+v %v", first, err)
	}
	marks := func() string { return storetest.Dump(t, s, marked) }
	before := marks()
	if before == "0" {
		t.Error("no day is marked")
	}
	styled := "kind: mapping\n# style\nname: renamed\nvalid_from: '2026-10-01'\n" +
		"values:\n- {key: team, from: [nlp], to: speech}\n"
	if again, err := save(styled, "bob"); err != nil || again.Stored || again.Number != 1 || marks() != before {
		t.Errorf("the same content: %+v %v", again, err)
	}
	if next, err := save(strings.Replace(renamed, "to: speech", "to: audio", 1), "bob"); err != nil || !next.Stored ||
		next.Number != 2 {
		t.Errorf("%+v %v", next, err)
	}
	if got := mappings(t, s); got != "renamed 1 replaced ada why, renamed 2 holds bob why" {
		t.Error(got)
	}
	for document, want := range map[string]string{
		"nam: x\nvalus: []\n": `line 1: "nam" is not a field`,
		"name: x\nvalues:\n- {key: team, from: [asr], to: z}\n- {key: team, from: [nlp], to: z}\n": "line 4: team nlp is " +
			"mapped by mapping",
		"": "is empty", "kind: policy\nname: x\n": "write mapping", "name: [": "line 1",
	} {
		_, err := save(document, "ada")
		if wrong, ok := errors.AsType[*book.MappingError](err); !ok || !strings.Contains(err.Error(), want) ||
			len(wrong.Reasons()) == 0 {
			t.Errorf("%q: %v", document, err)
		}
	}
}

// A version of the policy that maps a value that a stored mapping maps is refused, as in a folder of files.
func TestAPolicyDoesNotContradictAMapping(t *testing.T) {
	s := storetest.SmallLedger(t)
	if _, err := s.SaveMapping(t.Context(), []byte(renamed), "", "ada"); err != nil {
		t.Fatal(err)
	}
	_, _, err := s.SavePolicy(t.Context(), []byte("version: twice\nvalues: [{key: team, from: [nlp], to: audio}]\n"), "ada")
	if _, refused := errors.AsType[*book.PolicyError](err); !refused || !strings.Contains(err.Error(),
		"line 2: team nlp is mapped by mapping renamed, too") {
		t.Errorf("%v", err)
	}
	for _, fine := range []string{"version: other\nvalues: [{key: team, from: [asr], to: audio}]\n",
		"version: project\nvalid_from: 2026-11-01\nvalues: [{key: project, from: [nlp], to: audio}]\n"} {
		if _, _, err := s.SavePolicy(t.Context(), []byte(fine), "ada"); err != nil {
			t.Errorf("%s: %v", fine, err)
		}
	}
}

// A policy that guards the rules guards mappings, too: two people store one, exactly as requested.
func TestAMappingIsChangedByTwo(t *testing.T) {
	s := storetest.SmallLedger(t)
	if _, _, err := s.SavePolicy(t.Context(), []byte("version: careful\nsecond_person: [policy]\n"), "root"); err != nil {
		t.Fatal(err)
	}
	ask := func(document string) confirm.Request {
		t.Helper()
		_, err := s.SaveMapping(t.Context(), []byte(document), "renamed in May", "ada")
		return waits(t, err)
	}
	first := ask(renamed)
	if again := ask(renamed); again.ID != first.ID {
		t.Error("asked twice, there are two changes")
	}
	if first.Subject != "renamed" || first.Kind != confirm.Map || len(first.Asked.Differences) != 1 ||
		first.Asked.Differences[0].Name != "values" || first.Asked.Document != renamed {
		t.Errorf("%+v", first)
	}
	other := ask(strings.Replace(renamed, "renamed", "other", 1)) // contradicts the first once that is stored
	if got := mappings(t, s); got != "" {
		t.Errorf("stored by one: %s", got)
	}
	if err := s.ConfirmPolicy(t.Context(), first.ID.String(), "ada"); err == nil ||
		!strings.Contains(err.Error(), "another person") {
		t.Errorf("confirmed by who asked: %v", err)
	}
	if err := s.ConfirmPolicy(t.Context(), first.ID.String(), "bob"); err != nil {
		t.Fatal(err)
	}
	if got := mappings(t, s); got != "renamed 1 holds ada, confirmed by bob renamed in May" {
		t.Error(got)
	}
	if storetest.Dump(t, s, marked) == "0" {
		t.Error("no day is marked")
	}
	if _, ok := errors.AsType[*book.MappingError](s.ConfirmPolicy(t.Context(), other.ID.String(), "bob")); !ok {
		t.Error("a mapping that contradicts another is confirmed")
	}
	stale := ask(strings.Replace(renamed, "to: speech", "to: audio", 1))
	loose := waits(t, func() error {
		_, _, err := s.SavePolicy(t.Context(), []byte("version: loose\nvalid_from: 2026-01-01\n"), "ada")
		return err
	}())
	if err := s.ConfirmPolicy(t.Context(), loose.ID.String(), "bob"); err != nil {
		t.Fatal(err)
	}
	if refused, ok := errors.AsType[*confirm.RefusedError](s.ConfirmPolicy(t.Context(), stale.ID.String(), "bob")); !ok ||
		!refused.Outdated {
		t.Error("confirmed although the policy has changed")
	}
	var got []string
	entries := storetest.Table(t, s, "audit", metrics.Options{Filter: "action like '%mapping%'", Order: "number"})
	for _, r := range entries {
		got = append(got, r["actor"]+" "+r["action"]+" "+r["subject"])
	}
	if want := "ada store mapping asked renamed; ada store mapping asked other; ada store mapping refused renamed; " +
		"bob store mapping confirmed renamed; ada store mapping renamed; ada store mapping asked renamed; " +
		"bob store mapping outdated renamed"; strings.Join(got, "; ") != want {
		t.Errorf("audited: %s", strings.Join(got, "; "))
	}
}
