package book_test

import (
	"errors"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"gpuledger/internal/access"
	"gpuledger/internal/confirm"
	"gpuledger/internal/store"
	"gpuledger/internal/store/book"
	"gpuledger/metrics"
	"gpuledger/test/storetest"
)

// waits returns the request of a *confirm.WaitsError.
func waits(t *testing.T, err error) confirm.Request {
	t.Helper()
	e, ok := errors.AsType[*confirm.WaitsError](err)
	if !ok {
		t.Fatalf("done without a second person: %v", err)
	}
	return e.Request
}

func holding(t *testing.T, s *store.Store) string {
	t.Helper()
	var out []string
	for _, r := range storetest.Table(t, s, "policies", metrics.Options{Filter: "status = holds"}) {
		out = append(out, r["version"]+" "+r["created_by"])
	}
	return strings.Join(out, ", ")
}

// One person alone cannot get rid of a version that requires a second person, in any way.
func TestAPolicyIsChangedByTwo(t *testing.T) {
	s := storetest.New(t)
	save := func(document, by string) error {
		_, _, err := s.SavePolicy(t.Context(), []byte(document), by)
		return err
	}
	const careful, loose = "version: careful\nsecond_person: [policy]\n", "version: loose\nvalid_from: 2026-01-01\n"
	if err := save(careful, "root"); err != nil {
		t.Fatal(err)
	}
	if err := save(careful, "ada"); err != nil {
		t.Errorf("the same document is a change: %v", err)
	}
	var refused *book.PolicyError
	if err := save("version: other\n", "ada"); !errors.As(err, &refused) || !strings.Contains(err.Error(), "same day") {
		t.Errorf("asked for what cannot be: %v", err)
	}
	store := waits(t, save(loose, "ada"))
	withdraw := waits(t, s.WithdrawPolicy(t.Context(), "careful", "ada"))
	rates := waits(t, save("version: ecb\ncurrency: {rates: [{from: USD, to: EUR, on: 2026-10-01, rate: 0.9, source: "+
		"ECB}]}\n", "ada"))
	if got := holding(t, s); got != "careful root" {
		t.Fatalf("%s hold", got)
	}
	for _, r := range []confirm.Request{store, withdraw, rates} {
		if err := s.ConfirmPolicy(t.Context(), r.ID.String(), "ada"); err == nil ||
			!strings.Contains(err.Error(), "another person") {
			t.Errorf("%s by who asked: %v", r.Kind, err)
		}
	}
	// Exchange rates are separate from the rules, so requests about the rules stay valid.
	if err := s.ConfirmPolicy(t.Context(), rates.ID.String(), "bob"); err != nil {
		t.Fatal(err)
	}
	if err := s.ConfirmPolicy(t.Context(), store.ID.String(), "bob"); err != nil {
		t.Fatal(err)
	}
	if got := holding(t, s); got != "loose ada, confirmed by bob, careful root, ecb ada, confirmed by bob" {
		t.Errorf("%s hold", got)
	}
	var outdated *confirm.RefusedError
	if err := s.ConfirmPolicy(t.Context(), withdraw.ID.String(), "bob"); !errors.As(err, &outdated) || !outdated.Outdated {
		t.Errorf("withdrawn though another version came: %v", err)
	}
	// From its day on, which is past, loose requires no second person.
	if err := s.WithdrawPolicy(t.Context(), "careful", "ada"); err != nil {
		t.Error(err)
	}
	var got []string
	for _, r := range storetest.Table(t, s, "audit", metrics.Options{}) {
		got = append([]string{r["actor"] + " " + r["action"] + " " + r["subject"]}, got...)
	}
	want := []string{
		"root store policy careful",
		"ada store policy asked loose", "ada withdraw policy asked careful", "ada store policy asked ecb",
		"ada store policy refused loose", "ada withdraw policy refused careful", "ada store policy refused ecb",
		"bob store policy confirmed ecb", "ada store policy ecb",
		"bob store policy confirmed loose", "ada store policy loose",
		"bob withdraw policy outdated careful", "ada withdraw policy careful",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("audited:\n%s", strings.Join(got, "\n"))
	}
}

// A version that takes effect later requires no second person before that, and the confirmed document is the requested
// one.
func TestASecondPersonFromItsDayOn(t *testing.T) {
	s := storetest.New(t)
	if _, _, err := s.SavePolicy(t.Context(), []byte("version: later\nvalid_from: 2099-01-01\nsecond_person: [policy]\n"),
		"root"); err != nil {
		t.Fatal(err)
	}
	if err := s.WithdrawPolicy(t.Context(), "later", "ada"); err != nil {
		t.Errorf("it asks for a second person before its day: %v", err)
	}
	if _, _, err := s.SavePolicy(t.Context(), []byte("version: now\nsecond_person: [policy]\n"), "root"); err != nil {
		t.Fatal(err)
	}
	_, _, err := s.SavePolicy(t.Context(), []byte("version: next\nvalid_from: 2026-01-01\nsecond_person: [policy]\n"),
		"ada")
	r := waits(t, err)
	withdraw := waits(t, s.WithdrawPolicy(t.Context(), "now", "ada"))
	// no other version was stored or withdrawn since
	if err := s.ConfirmPolicy(t.Context(), withdraw.ID.String(), "bob"); err != nil {
		t.Fatal(err)
	}
	if err := s.ConfirmPolicy(t.Context(), r.ID.String(), "bob"); err == nil {
		t.Error("stored beside what is not there any more")
	}
	// A request whose stored text was changed is not valid.
	_, _, err = s.SavePolicy(t.Context(), []byte("version: more\nsecond_person: [policy]\n"), "ada")
	if err != nil {
		t.Fatal(err)
	}
	r = waits(t, s.WithdrawPolicy(t.Context(), "more", "ada"))
	storetest.Run(t, s.Pool, `set session_replication_role = replica;
		update changes set asked = replace(asked, 'more', 'less') where state = 'waiting';
		set session_replication_role = default`)
	if err := s.ConfirmPolicy(t.Context(), r.ID.String(), "bob"); err == nil ||
		!strings.Contains(err.Error(), "does not match its digest") {
		t.Errorf("what was written over is confirmed: %v", err)
	}
}

// The creator of a token can take back its requests; other users cannot.
func TestRequestsOfTokens(t *testing.T) {
	s := storetest.New(t)
	if _, _, err := s.SavePolicy(t.Context(), []byte("version: careful\nsecond_person: [policy]\n"), "root"); err != nil {
		t.Fatal(err)
	}
	token := func(name, by string) *access.Viewer {
		id, _, err := s.Access.CreateToken(t.Context(),
			access.Grant{Name: name, Role: access.RoleAnalyst, By: by, At: time.Now()}, 0)
		if err != nil {
			t.Fatal(err)
		}
		return &access.Viewer{Kind: access.ByToken, ID: id.String(), Name: name}
	}
	ci, bot := token("ci", "ada"), token("bot", "bob")
	r := waits(t, s.WithdrawPolicy(access.As(t.Context(), ci), "careful", "ci"))
	if !reflect.DeepEqual(r.By, confirm.Person{Way: confirm.Token, ID: ci.ID, Name: "ci", Behind: []string{"ada"}}) {
		t.Errorf("asked by %+v", r.By)
	}
	if list, err := s.WaitingChanges(t.Context(), r.At); err != nil || len(list) != 1 {
		t.Errorf("%v wait, %v", list, err)
	}
	for v, may := range map[*access.Viewer]bool{
		bot: false, {Kind: access.BySession, ID: "u1", Name: "bob"}: false,
		{Kind: access.BySession, ID: "u2", Name: "ada"}: true,
	} {
		if err := s.TakeBackChange(access.As(t.Context(), v), r.ID.String(), v.Name, r.At); (err == nil) != may {
			t.Errorf("%s: %v", v.Name, err)
		}
	}
	// A token that a token created belongs to that token's creator.
	child := token("child", "ci")
	theirs := waits(t, s.WithdrawPolicy(access.As(t.Context(), child), "careful", "child"))
	if got := strings.Join(theirs.By.Behind, " "); got != "ada ci" {
		t.Errorf("behind it stands %q", got)
	}
	if err := s.ConfirmPolicy(access.As(t.Context(), &access.Viewer{Kind: access.BySession, ID: "u2", Name: "ada"}),
		theirs.ID.String(), "ada"); err == nil {
		t.Error("confirmed by who stands behind it")
	}
	if err := s.TakeBackChange(access.As(t.Context(), child), theirs.ID.String(), "child", theirs.At); err != nil {
		t.Error(err)
	}
	again := waits(t, s.WithdrawPolicy(access.As(t.Context(), ci), "careful", "ci"))
	if err := s.DeclineChange(access.As(t.Context(), &access.Viewer{Kind: access.BySession, ID: "u1", Name: "bob"}),
		again.ID.String(), "keep it", "bob", again.At); err != nil {
		t.Error(err)
	}
	if got, err := s.Change(t.Context(), again.ID.String()); err != nil || got.State != confirm.Declined ||
		got.Note != "keep it" || got.DecidedBy != "bob" {
		t.Errorf("%+v, %v", got, err)
	}
}

// The audit log has the old and new values that a version changes.
func TestThePolicyAuditHasOldAndNewValues(t *testing.T) {
	s := storetest.New(t)
	says := func(want string) {
		t.Helper()
		if got := storetest.Table(t, s, "audit", metrics.Options{})[0]["detail"]; !strings.Contains(got, want) {
			t.Errorf("%s, want %s", got, want)
		}
	}
	save := func(document string) {
		t.Helper()
		if _, _, err := s.SavePolicy(t.Context(), []byte(document), "ada"); err != nil {
			t.Fatal(err)
		}
	}
	save("version: a\nsettings: {idle: lt5pct-2h-mean}\n")
	says(`"from":{"idle":"lt10pct-15min","version":"default-1"},"to":{"idle":"lt5pct-2h-mean","version":"a"}}`)
	save("version: b\nvalid_from: 2026-11-01\nunowned_limit: 5%\n")
	says(`"from":{"idle":"lt5pct-2h-mean","unowned_limit":"100%","version":"a"},"to":{"idle":"lt10pct-15min","unowned_limit":"5%","version":"b"},"valid_from":"2026-11-01"}`)
	if err := s.WithdrawPolicy(t.Context(), "b", "ada"); err != nil {
		t.Fatal(err)
	}
	says(`"from":{"idle":"lt10pct-15min","unowned_limit":"5%","version":"b"},"to":{"idle":"lt5pct-2h-mean","unowned_limit":"100%","version":"a"},"valid_from":"2026-11-01"}`)
	save("version: r1\ncurrency: {rates: [{from: USD, to: EUR, on: 2026-10-01, rate: 0.9, source: ECB}]}\n")
	says(`"from":{"USD/EUR 2026-10-01":"none"},"to":{"USD/EUR 2026-10-01":"0.9","version":"r1"}}`)
	save("version: r2\ncurrency: {rates: [{from: USD, to: EUR, on: 2026-10-01, rate: 0.95, source: ECB}]}\n")
	says(`"from":{"USD/EUR 2026-10-01":"0.9"},"to":{"USD/EUR 2026-10-01":"0.95","version":"r2"}}`)
	if err := s.WithdrawPolicy(t.Context(), "r2", "ada"); err != nil {
		t.Fatal(err)
	}
	says(`"from":{"USD/EUR 2026-10-01":"0.95","version":"r2"},"to":{"USD/EUR 2026-10-01":"0.9"}}`)
}

// Of two concurrent confirmations, one takes effect.
func TestAChangeIsConfirmedOnce(t *testing.T) {
	s := storetest.New(t)
	if _, _, err := s.SavePolicy(t.Context(), []byte("version: careful\nsecond_person: [policy]\n"), "root"); err != nil {
		t.Fatal(err)
	}
	r := waits(t, s.WithdrawPolicy(t.Context(), "careful", "ada"))
	var all sync.WaitGroup
	errs := make([]error, 4)
	for i := range errs {
		all.Go(func() { errs[i] = s.ConfirmPolicy(t.Context(), r.ID.String(), "bob") })
	}
	all.Wait()
	done := 0
	for _, err := range errs {
		if err == nil {
			done++
		} else if _, refused := errors.AsType[*confirm.RefusedError](err); !refused {
			t.Error(err)
		}
	}
	if n := storetest.Count(t, s, "select count(*) from audit_log where action = 'withdraw policy'"); done != 1 || n != 1 {
		t.Errorf("confirmed by %d, done %d times", done, n)
	}
}
