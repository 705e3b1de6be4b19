package confirm

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"gpuledger/internal/access"
)

var noon = time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)

func asked(t *testing.T, by Person) *Request {
	t.Helper()
	r, err := New(Reopen, "999/2026-10",
		Asked{Period: "2026-10", Account: "999", Reason: "late bill", Stands: []string{"999 1 ab"}}, by, noon)
	if err != nil {
		t.Fatal(err)
	}
	return &r
}

func TestWhoMayConfirm(t *testing.T) {
	ada := Person{Way: Session, ID: "u1", Name: "ada"}
	token := Person{Way: Token, ID: "t1", Name: "ci", Behind: []string{"ada"}}
	command := Person{Way: Command, Name: "carla", Behind: []string{"ada"}}
	bob := Person{Way: Session, ID: "u2", Name: "bob"}
	for _, c := range []struct {
		name    string
		asks    Person
		by      Person
		at      time.Duration
		refused string
	}{
		{"another person", ada, bob, 0, ""},
		{"another operator", Person{Way: Operator, Name: "ada"}, Person{Way: Operator, Name: "bob"}, 0, ""},
		{"the last second", ada, bob, Life - time.Second, ""},
		{"himself", ada, ada, 0, "ada asked for it"},
		{"himself under a new name", ada, Person{Way: Session, ID: "u1", Name: "countess"}, 0, "ada asked for it"},
		{"himself as an operator", ada, Person{Way: Operator, Name: "Ada"}, 0, "ada asked for it"},
		{"who made the token", token, ada, 0, "ci asked for it"},
		{"somebody else than who made the token", token, bob, 0, ""},
		{"whom the machine knows by the command", command, ada, 0, "carla asked for it"},
		{"whom the command names", command, Person{Way: Session, ID: "u3", Name: "carla"}, 0, "carla asked for it"},
		{"somebody else than was at the command", command, bob, 0, ""},
		{
			"a token", ada, Person{Way: Token, ID: "t2", Name: "bot", Behind: []string{"bob"}},
			0, "a token does not stand for a person",
		},
		{
			"the command line", ada, Person{Way: Command, Name: "bob", Behind: []string{"bob"}},
			0, "the command line does not identify a person",
		},
		{"too late", ada, bob, Life, "expired at 2026-12-04T12:00:00Z: ask again"},
	} {
		r := asked(t, c.asks)
		err := r.Confirm(c.by, noon.Add(c.at))
		if (err == nil) != (c.refused == "") || err != nil && !strings.Contains(err.Error(), c.refused) {
			t.Errorf("%s: %v, want %q", c.name, err, c.refused)
		}
		if declined := r.Decline(c.by, "no", noon.Add(c.at)); (declined == nil) != (err == nil) {
			t.Errorf("%s: declining: %v", c.name, declined)
		}
	}
	if err := asked(t, ada).Decline(bob, "", noon); err == nil || !strings.Contains(err.Error(), "say why") {
		t.Errorf("declined without a reason: %v", err)
	}
	for _, state := range []State{Confirmed, Declined, TakenBack, Outdated, Expired} {
		r := asked(t, ada)
		r.State, r.DecidedBy = state, "eve"
		for what, err := range map[string]error{"confirmed": r.Confirm(bob, noon), "taken back": r.TakeBack(ada, noon)} {
			if _, refused := errors.AsType[*RefusedError](err); !refused {
				t.Errorf("what is %s can be %s: %v", state, what, err)
			}
		}
	}
}

func TestOnlyTheRequesterTakesBack(t *testing.T) {
	ada := Person{Way: Session, ID: "u1", Name: "ada"}
	ci := Person{Way: Token, ID: "t1", Name: "ci", Behind: []string{"ada"}}
	for i, by := range []Person{ada, ci, {Way: Session, ID: "u2", Name: "bob"}, {Way: Command, Name: "root"}} {
		if err := asked(t, ci).TakeBack(by, noon); (err == nil) != (i < 2) {
			t.Errorf("%+v: %v", by, err)
		}
	}
}

func TestOutdatedRequestsAreRefused(t *testing.T) {
	r := asked(t, Person{Way: Operator, Name: "ada"})
	if err := r.Still([]string{"999 1 ab"}); err != nil {
		t.Error(err)
	}
	for _, now := range [][]string{nil, {}, {"999 2 ab"}, {"999 1 ab", "998 1 cd"}} {
		if e, ok := errors.AsType[*RefusedError](r.Still(now)); !ok || !e.Outdated {
			t.Errorf("%q stands, and it is confirmed", now)
		}
	}
	again := *r
	again.Asked = Asked{}
	if err := again.Read(); err != nil || again.Asked.Reason != "late bill" {
		t.Errorf("%+v, %v", again.Asked, err)
	}
	again.Text = strings.Replace(again.Text, "late", "good", 1)
	if err := again.Read(); err == nil {
		t.Error("a request that was changed is read")
	}
}

func TestWho(t *testing.T) {
	for _, c := range []struct {
		viewer *access.Viewer
		want   Person
	}{
		{&access.Viewer{Kind: access.BySession, ID: "u1"}, Person{Way: Session, ID: "u1", Name: "ada"}},
		{&access.Viewer{Kind: access.ByProxy, ID: "u1"}, Person{Way: Session, ID: "u1", Name: "ada"}},
		{&access.Viewer{Kind: access.ByToken, ID: "t1"}, Person{Way: Token, ID: "t1", Name: "ada"}},
		{&access.Viewer{ID: "x"}, Person{Way: Token, ID: "x", Name: "ada"}}, // an unknown kind does not count as a person
	} {
		if got := Who(access.As(t.Context(), c.viewer), "ada"); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%+v, want %+v", got, c.want)
		}
	}
	if got, want := Who(OnCommandLine(t.Context(), "root"), "ada"), (Person{
		Way: Command, Name: "ada", Behind: []string{"root"},
	}); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got, want := Who(t.Context(), "ada"), (Person{Way: Operator, Name: "ada"}); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}
