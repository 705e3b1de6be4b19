package access_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"gpuledger/internal/access"
	"gpuledger/internal/ledger"
	"gpuledger/internal/store"
	"gpuledger/test/storetest"
)

var (
	ada  = access.HolderOf(&access.Viewer{Kind: access.BySession, ID: "1", Name: "ada"})
	bob  = access.HolderOf(&access.Viewer{Kind: access.ByToken, ID: "1", Name: "bob"})
	desk = access.HolderOf(nil)
)

func saveView(t *testing.T, s *store.Store, h access.Holder, name string, shared bool) ledger.ID {
	t.Helper()
	v := access.SavedView{Name: name, URL: "/runs?q=" + name, Shared: shared}
	id, err := s.Access.SaveView(t.Context(), h, v, noon)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// viewsOf prints the views that a holder sees: "own name", "owner: name", with "*" for the start page.
func viewsOf(t *testing.T, s *store.Store, h access.Holder) string {
	t.Helper()
	list, err := s.Access.Views(t.Context(), h)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, v := range list {
		text := v.Owner + ": " + v.Name
		if v.Own {
			text = "own " + v.Name
		}
		if v.Start {
			text += "*"
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}

func mustMiss(t *testing.T, what string, err error) {
	t.Helper()
	if _, is := errors.AsType[*access.UnknownViewError](err); !is {
		t.Errorf("%s: %v, want that there is no such view", what, err)
	}
}

func TestViewsAreSeenByTheirHolderUnlessShared(t *testing.T) {
	s := storetest.New(t)
	hidden, shown := saveView(t, s, ada, "mine", false), saveView(t, s, ada, "ours", true)
	saveView(t, s, desk, "local", true)
	storetest.Run(t, s.Pool, `update saved_views set created_at = created_at + interval '1 day' where name = 'local'`)
	for h, want := range map[access.Holder]string{
		ada: "own mine, own ours, local operator: local", bob: "local operator: local, ada: ours",
		desk: "own local, ada: ours",
	} {
		if got := viewsOf(t, s, h); got != want {
			t.Errorf("%s sees %q, want %q", h.Name, got, want)
		}
	}
	if v, err := s.Access.View(t.Context(), bob, shown); err != nil || v.URL != "/runs?q=ours" || v.Own {
		t.Errorf("a shared view opens as %+v, %v", v, err)
	}
	_, err := s.Access.View(t.Context(), bob, hidden)
	mustMiss(t, "a private view of another", err)

	ctx, name, yes := t.Context(), "stolen", true
	for _, id := range []ledger.ID{hidden, shown, ledger.NewID("none")} {
		mustMiss(t, "rename", s.Access.ChangeView(ctx, bob, id, access.ViewChange{Name: &name, Shared: &yes}, noon))
		mustMiss(t, "delete", s.Access.DropView(ctx, bob, id, noon))
	}
	mustMiss(t, "start with", s.Access.StartWith(ctx, bob, hidden, true, noon))
	if got := viewsOf(t, s, ada); got != "own mine, own ours, local operator: local" {
		t.Errorf("after refused changes there are %q", got)
	}
}

func TestViewsAreChangedAndEachChangeIsLogged(t *testing.T) {
	s := storetest.New(t)
	ctx, id := t.Context(), saveView(t, s, ada, "a", false)
	name, yes := "b", true
	for range 2 { // the second changes nothing, and is not logged
		if err := s.Access.ChangeView(ctx, ada, id, access.ViewChange{Name: &name, Shared: &yes}, noon); err != nil {
			t.Fatal(err)
		}
	}
	if got := viewsOf(t, s, bob); got != "ada: b" {
		t.Errorf("bob sees %q", got)
	}
	if err := s.Access.DropView(ctx, ada, id, noon); err != nil {
		t.Fatal(err)
	}
	mustMiss(t, "delete again", s.Access.DropView(ctx, ada, id, noon))
	want := strings.ReplaceAll("ada view saved ID; ada view changed ID; ada view deleted ID", "ID", id.String())
	if got := logged(t, s); got != want {
		t.Errorf("the audit log says %q, want %q", got, want)
	}
}

// A start page is a choice of each reader. It ends when its view is deleted or no longer shared.
func TestAStartPageEndsWithItsView(t *testing.T) {
	s := storetest.New(t)
	ctx, first, second := t.Context(), saveView(t, s, ada, "1", true), saveView(t, s, ada, "2", true)
	start := func(h access.Holder) string {
		t.Helper()
		url, err := s.Access.StartView(ctx, h)
		if err != nil {
			t.Fatal(err)
		}
		return url
	}
	with := func(h access.Holder, id ledger.ID, on bool) {
		t.Helper()
		if err := s.Access.StartWith(ctx, h, id, on, noon); err != nil {
			t.Fatal(err)
		}
	}
	with(bob, first, true)
	with(bob, second, true)
	with(ada, first, true)
	if got := start(ada) + " " + start(bob) + " " + start(desk); got != "/runs?q=1 /runs?q=2 " {
		t.Errorf("start pages %q", got)
	}
	if got := viewsOf(t, s, ada); got != "own 1*, own 2" {
		t.Errorf("ada sees %q", got)
	}
	no := false
	if err := s.Access.ChangeView(ctx, ada, second, access.ViewChange{Shared: &no}, noon); err != nil {
		t.Fatal(err)
	}
	if got := start(bob); got != "" {
		t.Errorf("a view that is no longer shared starts %q", got)
	}
	with(ada, first, false)
	if got := start(ada); got != "" {
		t.Errorf("a start page that was removed starts %q", got)
	}
	with(ada, second, true)
	if err := s.Access.DropView(ctx, ada, second, noon); err != nil || start(ada) != "" {
		t.Errorf("a deleted view starts %q, %v", start(ada), err)
	}
}

func TestAHolderHasABoundedNumberOfViews(t *testing.T) {
	s := storetest.New(t)
	most := 0
	for ; most <= 200; most++ {
		v := access.SavedView{Name: fmt.Sprint(most), URL: "/"}
		if _, err := s.Access.SaveView(t.Context(), ada, v, noon); err != nil {
			mustRefuse(t, "one too many", err)
			break
		}
	}
	if most != 100 {
		t.Errorf("a holder has %d views", most)
	}
	saveView(t, s, bob, "another's", false)
}

// Tokens are rotated under one name, and an admin who views the pages as a user has that user's holder.
func TestEachViewerHasOneHolder(t *testing.T) {
	user := &access.Viewer{Kind: access.BySession, ID: "7", Name: "pia"}
	same := map[string]*access.Viewer{
		"by a proxy": {Kind: access.ByProxy, ID: "7", Name: "pia"},
		"seen as":    {Kind: access.BySession, ID: "7", Name: "pia", By: "ada"},
	}
	for what, v := range same {
		if access.HolderOf(v) != access.HolderOf(user) {
			t.Errorf("%s: %+v", what, access.HolderOf(v))
		}
	}
	token := access.HolderOf(&access.Viewer{Kind: access.ByToken, ID: "8", Name: "ci"})
	if rotated := access.HolderOf(&access.Viewer{Kind: access.ByToken, ID: "9", Name: "ci"}); rotated != token {
		t.Errorf("a rotated token: %+v, want %+v", rotated, token)
	}
	if token == access.HolderOf(user) || token == desk || desk == access.HolderOf(user) {
		t.Error("different holders are one")
	}
}
