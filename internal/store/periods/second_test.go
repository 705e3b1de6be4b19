package periods_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"gpuledger/internal/access"
	"gpuledger/internal/closing"
	"gpuledger/internal/confirm"
	"gpuledger/internal/store"
	"gpuledger/metrics"
	"gpuledger/test/storetest"
)

// twoEyes stores a policy that requires a second person.
func twoEyes(t *testing.T, s *store.Store) {
	t.Helper()
	if _, _, err := s.SavePolicy(t.Context(), []byte("version: careful\nsecond_person: [reopen, policy]\n"),
		"root"); err != nil {
		t.Fatal(err)
	}
}

// asks reopens as a user, which must wait for confirmation, and returns the request.
func asks(t *testing.T, s *store.Store, reason, by string) confirm.Request {
	t.Helper()
	list, err := storetest.CloserAt(s).Reopen(t.Context(), "2026-10", "999", reason, by)
	waits, ok := errors.AsType[*confirm.WaitsError](err)
	if !ok || len(list) > 0 {
		t.Fatalf("reopened without a second person: %v, %v", list, err)
	}
	return waits.Request
}

// entries are the newest n entries of the audit log, oldest first.
func entries(t *testing.T, s *store.Store, n int) string {
	t.Helper()
	var out []string
	for _, r := range storetest.Table(t, s, "audit", metrics.Options{}) {
		out = append([]string{r["actor"] + " " + r["action"] + " " + r["subject"]}, out...)
	}
	return strings.Join(out[max(0, len(out)-n):], "; ")
}

func isClosed(t *testing.T, s *store.Store) bool {
	t.Helper()
	return storetest.Count(t, s, "select count(*) from period_states where name = '2026-10' and state = 'closed'") > 0
}

// Reopening a month needs two people.
func TestReopeningNeedsASecondPerson(t *testing.T) {
	s, _, _ := storetest.ToyLedger(t)
	storetest.MustClose(t, s)
	twoEyes(t, s)
	c := storetest.CloserAt(s)
	r := asks(t, s, "late bill", "ada")
	if again := asks(t, s, "late bill", "ada"); again.ID != r.ID {
		t.Error("asked twice, there are two requests")
	}
	for _, other := range [][2]string{{"another reason", "ada"}, {"late bill", "bob"}} {
		if _, err := c.Reopen(t.Context(), "2026-10", "999", other[0], other[1]); err == nil ||
			!strings.Contains(err.Error(), "decide on that change first") {
			t.Errorf("%v asked beside it: %v", other, err)
		}
	}
	var denied *confirm.RefusedError
	if _, err := c.Confirm(t.Context(), r.ID.String(), "ADA"); !errors.As(err, &denied) || !denied.Denied {
		t.Errorf("confirmed by who asked: %v", err)
	}
	for _, id := range []string{"", "x", strings.Repeat("0", 32)} {
		var unknown *confirm.UnknownError
		if _, err := c.Confirm(t.Context(), id, "bob"); !errors.As(err, &unknown) {
			t.Errorf("change %q: %v", id, err)
		}
	}
	if !isClosed(t, s) {
		t.Fatal("it is open")
	}
	if list, err := s.WaitingChanges(t.Context(), r.At); err != nil || len(list) != 1 ||
		list[0].Asked.Reason != "late bill" || list[0].By.Name != "ada" {
		t.Errorf("%+v wait, %v", list, err)
	}
	list, err := c.Confirm(t.Context(), r.ID.String(), "bob")
	if err != nil || len(list) != 1 || isClosed(t, s) {
		t.Fatalf("confirmed: %v, %v", list, err)
	}
	storetest.Wants(t, storetest.Table(t, s, "statements", metrics.Options{})[0], map[string]string{
		"state": "reopened", "reopened_by": "ada, confirmed by bob", "reopen_reason": "late bill",
	})
	want := "ada reopen asked 999/2026-10; ada reopen refused 999/2026-10; bob reopen refused 999/2026-10; ADA reopen " +
		"refused 999/2026-10; bob reopen confirmed 999/2026-10; ada reopen 999/2026-10"
	if got := entries(t, s, 6); got != want {
		t.Errorf("audited: %s\nwant %s", got, want)
	}
	if d := storetest.Table(t, s, "audit", metrics.Options{})[0]["detail"]; !strings.Contains(d, `"asked_by":"ada"`) ||
		!strings.Contains(d, `"confirmed_by":"bob"`) ||
		!strings.Contains(d, `"from":{"state":"closed","version":1}`) || !strings.Contains(d, `"to":{"state":"open"}`) {
		t.Errorf("the audit log says %s", d)
	}
	if d := storetest.Table(t, s, "audit",
		metrics.Options{Filter: "action = close"})[0]["detail"]; !strings.Contains(d,
		`"from":{"state":"open"}`) || !strings.Contains(d, `"to":{"state":"closed","version":1}`) {
		t.Errorf("the audit log says %s", d)
	}
	if _, err := c.Confirm(t.Context(), r.ID.String(), "bob"); err == nil ||
		!strings.Contains(err.Error(), "already confirmed, by bob") {
		t.Errorf("confirmed twice: %v", err)
	}
	if f := storetest.Failed(t, s); strings.Contains(f, "audit") {
		t.Error(f)
	}
	for _, sql := range []string{
		"update changes set asked = '{}'", "update changes set state = 'waiting'", "delete from changes", "truncate changes",
	} {
		if _, err := s.Pool.Exec(t.Context(), sql); err == nil {
			t.Errorf("accepted: %s", sql)
		}
	}
}

// A request is about the statement in force, and only while that is in force.
func TestARequestToReopenIsAboutWhatHeld(t *testing.T) {
	s, _, _ := storetest.ToyLedger(t)
	storetest.MustClose(t, s)
	twoEyes(t, s)
	c := storetest.CloserAt(s)
	r := asks(t, s, "late bill", "ada")
	other, err := c.Reopen(t.Context(), "2026-10", "", "of all accounts", "carla") // another subject
	waits, ok := errors.AsType[*confirm.WaitsError](err)
	if !ok || other != nil {
		t.Fatal(err)
	}
	if _, err := c.Confirm(t.Context(), waits.Request.ID.String(), "bob"); err != nil {
		t.Fatal(err)
	}
	var refused *confirm.RefusedError
	if _, err := c.Confirm(t.Context(), r.ID.String(), "bob"); !errors.As(err, &refused) || !refused.Outdated {
		t.Fatalf("confirmed about what does not hold: %v", err)
	}
	if got, err := s.Change(t.Context(), r.ID.String()); err != nil || got.State != confirm.Outdated ||
		!strings.Contains(got.Note, "reopened or closed") {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := c.Reopen(t.Context(), "2026-10", "999", "once more", "ada"); err == nil {
		t.Error("an open month is reopened")
	} else if _, ok := errors.AsType[*closing.RefusedError](err); !ok {
		t.Errorf("asked about an open month: %v", err)
	}
}

// The requester takes a request back, others decline it, and neither changes anything else.
func TestRequestsAreDeclinedAndTakenBack(t *testing.T) {
	s, _, _ := storetest.ToyLedger(t)
	storetest.MustClose(t, s)
	twoEyes(t, s)
	r := asks(t, s, "late bill", "ada")
	at := r.At
	for what, err := range map[string]error{
		"declined by who asked":       s.DeclineChange(t.Context(), r.ID.String(), "no", "ada", at),
		"declined without a reason":   s.DeclineChange(t.Context(), r.ID.String(), "", "bob", at),
		"taken back by another":       s.TakeBackChange(t.Context(), r.ID.String(), "bob", at),
		"declined too late":           s.DeclineChange(t.Context(), r.ID.String(), "no", "bob", r.Expires),
		"unknown, and so not decided": s.TakeBackChange(t.Context(), "nothing", "ada", at),
	} {
		if err == nil {
			t.Error(what)
		}
	}
	if err := s.DeclineChange(t.Context(), r.ID.String(), "the bill is right", "bob", at); err != nil {
		t.Fatal(err)
	}
	second := asks(t, s, "late bill", "ada")
	if err := s.TakeBackChange(t.Context(), second.ID.String(), "ada", at); err != nil {
		t.Fatal(err)
	}
	if _, err := storetest.CloserAt(s).Confirm(t.Context(), second.ID.String(), "bob"); err == nil || !isClosed(t, s) {
		t.Errorf("what was taken back is confirmed: %v", err)
	}
	// A request without a decision for a week makes room for another.
	third := asks(t, s, "late bill", "ada")
	storetest.Run(t, s.Pool, "set session_replication_role = replica; update changes set expires_at = asked_at where "+
		"state = 'waiting'; set session_replication_role = default")
	if fourth := asks(t, s, "late bill, again", "ada"); fourth.ID == third.ID {
		t.Error("an expired request is found again")
	}
	var got []string
	for _, row := range storetest.Table(t, s, "changes", metrics.Options{}) {
		got = append(got, row["kind"]+" "+row["subject"]+" "+row["state"]+" "+row["decided_by"]+" "+row["note"])
	}
	slices.Sort(got)
	if want := "reopen 999/2026-10 declined bob the bill is right, reopen 999/2026-10 expired  , reopen 999/2026-10 " +
		"taken back ada , reopen 999/2026-10 waiting  "; strings.Join(got, ", ") != want {
		t.Errorf("%s\nwant %s", strings.Join(got, ", "), want)
	}
}

// A token is not a person, and its creator does not count as a second one.
func TestTokensDoNotConfirm(t *testing.T) {
	s, _, _ := storetest.ToyLedger(t)
	storetest.MustClose(t, s)
	twoEyes(t, s)
	c := storetest.CloserAt(s)
	id, _, err := s.Access.CreateToken(t.Context(),
		access.Grant{Name: "ci", Role: access.RoleAnalyst, By: "ada", At: c.Now()}, 0)
	if err != nil {
		t.Fatal(err)
	}
	token := access.As(t.Context(), &access.Viewer{
		Kind: access.ByToken, ID: id.String(), Name: "ci", Role: access.RoleAnalyst,
	})
	_, err = c.Reopen(token, "2026-10", "999", "late bill", "ci")
	waits, ok := errors.AsType[*confirm.WaitsError](err)
	if !ok || strings.Join(waits.Request.By.Behind, " ") != "ada" {
		t.Fatalf("%+v", err)
	}
	change := waits.Request.ID.String()
	session := func(name string) (err error) {
		_, err = c.Confirm(access.As(t.Context(), &access.Viewer{Kind: access.BySession, ID: name, Name: name}), change, name)
		return err
	}
	if err := session("ada"); err == nil || !strings.Contains(err.Error(), "ci asked for it") {
		t.Errorf("who made the token confirms: %v", err)
	}
	other, _, err := s.Access.CreateToken(t.Context(),
		access.Grant{Name: "bot", Role: access.RoleAdmin, By: "bob", At: c.Now()}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Confirm(access.As(t.Context(), &access.Viewer{Kind: access.ByToken, ID: other.String(), Name: "bot"}),
		change, "bot"); err == nil || !strings.Contains(err.Error(), "does not stand for a person") {
		t.Errorf("a token confirms: %v", err)
	}
	if err := s.TakeBackChange(access.As(t.Context(),
		&access.Viewer{Kind: access.ByToken, ID: other.String(), Name: "bot"}), change, "bot", c.Now()); err == nil {
		t.Error("another token takes it back")
	}
	if err := session("bob"); err != nil {
		t.Error(err)
	}
}
