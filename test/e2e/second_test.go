package e2e

import (
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var changeID = regexp.MustCompile(`as change ([0-9a-f]{32})`)

// asked runs a command that needs a second person, and returns the id of the change that it records.
func asked(t *testing.T, args ...string) string {
	t.Helper()
	code, _, errs := gpuledger(t, args...)
	id := changeID.FindStringSubmatch(errs)
	if code != exitWaits || id == nil || !strings.Contains(errs, "another person can confirm it") {
		t.Fatalf("%v: status %d: %s", args, code, errs)
	}
	return id[1]
}

// written is a file with a policy document.
func written(t *testing.T, document string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "policy.yaml")
	if err := os.WriteFile(file, []byte(document), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestASecondPerson requests, on the command line, by token and on a page, changes that the policy lets no one make
// alone, and confirms them as users who may not, and as one who may.
func TestASecondPerson(t *testing.T) {
	db := freshDatabase(t)
	must(t, db, "policy", "apply", written(t, "version: careful\nsecond_person: [policy, reopen]\n"), "--by=root")
	d := openDoor(t, db, "serve")
	d.browser(t, "127.0.0.1").welcomed(t, d.out.String(), adminsPassword)
	people := map[string]*browser{}
	for _, name := range []string{"ada", "bob"} {
		people[name] = d.browser(t, "127.0.0.1")
		people[name].welcomed(t, must(t, db, "user", "add", name, "--role=analyst"), ottosPassword+name)
	}
	confirms := func(b *browser, id string, header ...string) (int, string) {
		status, _, text := b.send(t, "/api/v1/changes/"+id+"/confirm", url.Values{},
			append(header, "Content-Type", "application/json")...)
		return status, text
	}
	holds := func() string { return strings.Join(strings.Fields(must(t, db, "policy", "list")), " ") }

	// On the command line, under Ada's own name.
	id := asked(t, db, "policy", "withdraw", "careful", "--by=ada")
	if again := asked(t, db, "policy", "withdraw", "careful", "--by=ada"); again != id {
		t.Error("asked twice, there are two changes")
	}
	if status, text := confirms(people["ada"], id); status != http.StatusForbidden ||
		!strings.Contains(text, "ada asked for it") {
		t.Errorf("confirmed by who asked: %d %s", status, text)
	}
	for name, role := range map[string]string{"robot": "admin", "reader": "auditor"} {
		var made struct{ Token string }
		if err := json.Unmarshal([]byte(must(t, db, "token", "create", "--name="+name, "--role="+role, "--output=json")),
			&made); err != nil {
			t.Fatal(err)
		}
		if status, text := confirms(d.browser(t, "127.0.0.1"), id, "Authorization",
			"Bearer "+made.Token); status != http.StatusForbidden {
			t.Errorf("confirmed by a token of role %s: %d %s", role, status, text)
		}
	}
	if status, _ := confirms(people["bob"], id, "Sec-Fetch-Site", "cross-site"); status != http.StatusForbidden {
		t.Errorf("confirmed by another site: %d", status)
	}
	// Without scripts: the page has the form.
	if _, _, page := people["ada"].send(t, "/policies", nil); strings.Contains(page, "Confirm and do it") ||
		!strings.Contains(page, "Take it back") {
		t.Error("whoever asked is offered to confirm")
	}
	status, _, page := people["bob"].send(t, "/policies", nil)
	if status != http.StatusOK || !strings.Contains(page, "Confirm and do it") ||
		!strings.Contains(page, `value="`+id+`"`) || !strings.Contains(page, "[reopen, policy]") {
		t.Errorf("bob sees nothing to confirm: %d", status)
	}
	if status, _, _ := people["bob"].send(t, "/policies", url.Values{
		"do": {"decline"}, "change": {id}, "reason": {"keep it"},
	}); status != http.StatusOK {
		t.Errorf("declining answers %d", status)
	}

	// A mapping waits like a version of the policy, and Bob confirms it on the page.
	const renamed = "kind: mapping\nname: renamed\nvalues: [{key: team, from: [nlp], to: speech}]\n"
	id = asked(t, db, "policy", "apply", written(t, renamed), "--by=ada", "--reason=renamed in May")
	if got := must(t, db, "report", "mappings", "--format=csv"); strings.Contains(got, "renamed") {
		t.Errorf("stored already: %s", got)
	}
	if _, _, page := people["bob"].send(t, "/policies", nil); !strings.Contains(page, "Store mapping") ||
		!strings.Contains(page, "renamed in May") {
		t.Error("the page does not show the mapping that waits")
	}
	if status, _, _ := people["bob"].send(t, "/policies", url.Values{
		"do": {"confirm"}, "change": {id},
	}); status != http.StatusOK {
		t.Errorf("confirming on the page answers %d", status)
	}
	if got := must(t, db, "report", "mappings", "--format=csv", "--columns=name,changed_by,reason"); !strings.Contains(got,
		"renamed,\"ada, confirmed by bob\",renamed in May") {
		t.Errorf("confirmed: %s", got)
	}

	// A change that Bob confirms by REST is made.
	id = asked(t, db, "policy", "apply", written(t, "version: loose\nvalid_from: 2026-01-02\n"), "--by=ada")
	if got := holds(); strings.Contains(got, "loose") {
		t.Errorf("it holds already: %s", got)
	}
	if status, text := confirms(people["bob"], id); status != http.StatusOK ||
		!strings.Contains(text, `"state":"confirmed"`) {
		t.Errorf("confirming answers %d %s", status, text)
	}
	if got := holds(); !strings.Contains(got, "loose 2026-01-02") {
		t.Errorf("confirmed, and it does not hold: %s", got)
	}
	if status, _ := confirms(people["bob"], id); status != http.StatusConflict {
		t.Errorf("confirmed twice: %d", status)
	}
	// Now no confirmation is needed any more.
	must(t, db, "policy", "withdraw", "careful")

	audit := must(t, db, "report", "audit", "--format=csv", "--filter=action like '%policy%'")
	for _, want := range []string{"ada,withdraw policy asked,careful", "ada,withdraw policy refused,careful",
		"bob,withdraw policy declined,careful",
		"ada,store policy asked,loose", "bob,store policy confirmed,loose", "ada,store policy,loose"} {
		if !strings.Contains(audit, want) {
			t.Errorf("the audit log lacks %q:\n%s", want, audit)
		}
	}
	changes := must(t, db, "report", "changes", "--format=csv")
	if !strings.Contains(changes, "declined") || !strings.Contains(changes, "confirmed") {
		t.Error(changes)
	}
	if code, _, errs := gpuledger(t, db, "reopen", "2026-10", "--reason=x"); code != exitFailed ||
		!strings.Contains(errs, "2026-10 is not closed") {
		t.Errorf("an open month is asked for: status %d: %s", code, errs)
	}
	if code, out, errs := gpuledger(t, db, "verify"); code != exitOK && code != exitPending {
		t.Errorf("verify: status %d: %s %s", code, out, errs)
	}
}
