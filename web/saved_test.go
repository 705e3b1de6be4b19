package web_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"gpuledger/internal/access"
	"gpuledger/internal/ledger"
	"gpuledger/web/dashboard"
	"gpuledger/web/operate"
)

// keptViews keeps saved views in memory, by their holder.
type keptViews struct {
	list   []access.SavedView
	holder map[ledger.ID]access.Holder
	start  map[access.Holder]ledger.ID
}

// shelf is a shelf with the views of a test.
func shelf() *operate.Shelf {
	k := &keptViews{holder: map[ledger.ID]access.Holder{}, start: map[access.Holder]ledger.ID{}}
	return &operate.Shelf{Store: k, Page: dashboard.CheckAddress, Now: func() time.Time { return noon }}
}

func (k *keptViews) Views(_ context.Context, h access.Holder) (list []access.SavedView, _ error) {
	for _, v := range k.list {
		if v.Own, v.Start = k.holder[v.ID] == h, k.start[h] == v.ID; v.Own || v.Shared {
			list = append(list, v)
		}
	}
	return list, nil
}

func (k *keptViews) View(ctx context.Context, h access.Holder, id ledger.ID) (access.SavedView, error) {
	seen, _ := k.Views(ctx, h)
	i := slices.IndexFunc(seen, func(v access.SavedView) bool { return v.ID == id })
	if i < 0 {
		return access.SavedView{}, &access.UnknownViewError{ID: id.String()}
	}
	return seen[i], nil
}

func (k *keptViews) StartView(ctx context.Context, h access.Holder) (string, error) {
	v, err := k.View(ctx, h, k.start[h])
	if err != nil {
		return "", nil
	}
	return v.URL, nil
}

func (k *keptViews) SaveView(
	_ context.Context, h access.Holder, v access.SavedView, at time.Time,
) (ledger.ID, error) {
	v.ID, v.Owner, v.CreatedAt = ledger.NewID(v.Name), h.Name, at
	k.list, k.holder[v.ID] = append(k.list, v), h
	return v.ID, nil
}

// own is the index of a holder's view.
func (k *keptViews) own(h access.Holder, id ledger.ID) (int, error) {
	i := slices.IndexFunc(k.list, func(v access.SavedView) bool { return v.ID == id && k.holder[id] == h })
	if i < 0 {
		return i, &access.UnknownViewError{ID: id.String()}
	}
	return i, nil
}

func (k *keptViews) ChangeView(
	_ context.Context, h access.Holder, id ledger.ID, c access.ViewChange, _ time.Time,
) error {
	i, err := k.own(h, id)
	if err != nil {
		return err
	}
	if c.Name != nil {
		k.list[i].Name = *c.Name
	}
	if c.Shared != nil {
		k.list[i].Shared = *c.Shared
	}
	return nil
}

func (k *keptViews) DropView(_ context.Context, h access.Holder, id ledger.ID, _ time.Time) error {
	i, err := k.own(h, id)
	if err == nil {
		k.list = slices.Delete(k.list, i, i+1)
	}
	return err
}

func (k *keptViews) StartWith(ctx context.Context, h access.Holder, id ledger.ID, start bool, _ time.Time) error {
	_, err := k.View(ctx, h, id)
	if delete(k.start, h); err == nil && start {
		k.start[h] = id
	}
	return err
}

// The form in the frame saves a page under a hostile name. The page of views changes it, and the link opens it for
// the users who may see it.
func TestViewsAreSavedSharedAndOpened(t *testing.T) {
	s := wholeServer(t, true)
	const at = "/chargeback?from=2026-11-02&to=2026-11-09&team=speech"
	body := get(t, s, at, as("team_lead")...).Body.String()
	has(t, "the frame", body, `action="/views"`,
		`name="url" value="/chargeback?from=2026-11-02&amp;to=2026-11-09&amp;team=speech"`)
	link := "/views/" + ledger.NewID(hostile).String()
	do := func(who, path string, form ...string) *httptest.ResponseRecorder {
		t.Helper()
		values := url.Values{}
		for i := 0; i+1 < len(form); i += 2 {
			values.Set(form[i], form[i+1])
		}
		return post(t, s, path, values, as(who)...)
	}
	opens := func(who, path, want string) {
		t.Helper()
		w := get(t, s, path, as(who)...)
		if got := w.Header().Get("Location"); got != want || want != "" && w.Code != http.StatusSeeOther {
			t.Errorf("%s opens %s: %d, %q, want %q", who, path, w.Code, got, want)
		}
	}
	answers := func(what string, w *httptest.ResponseRecorder, want int) {
		t.Helper()
		if w.Code != want {
			t.Errorf("%s: %d, want %d", what, w.Code, want)
		}
	}
	answers("save", do("team_lead", "/views", "name", hostile, "url", at), http.StatusSeeOther)
	opens("team_lead", link, at)
	answers("another opens a private view", get(t, s, link, as("viewer")...), http.StatusNotFound)
	for _, change := range []string{"rename", "share", "unshare", "start", "delete"} {
		answers("another does "+change, do("viewer", link, "do", change, "name", "x"), http.StatusNotFound)
	}

	body = get(t, s, "/views", as("team_lead")...).Body.String()
	has(t, "the list", plainly(body), hostile, "1 saved view.", "only you")
	if strings.Contains(body, hostile) {
		t.Error("the list has a name as markup")
	}
	answers("share", do("team_lead", link, "do", "share"), http.StatusSeeOther)
	opens("viewer", link, at)
	has(t, "the other's list", get(t, s, "/views", as("viewer")...).Body.String(), "Shared by others",
		"No saved views of your own. Others share 1 with you.")

	opens("viewer", "/", "")
	answers("start", do("viewer", link, "do", "start"), http.StatusSeeOther)
	opens("viewer", "/", at)
	opens("viewer", "/?basis=effective", "")
	opens("team_lead", "/", "")
	has(t, "the rail", get(t, s, "/views", as("viewer")...).Body.String(), `href="/?basis=effective"`)
	answers("start no longer", do("viewer", link, "do", "unstart"), http.StatusSeeOther)
	opens("viewer", "/", "")

	answers("rename", do("team_lead", link, "do", "rename", "name", "Our part"), http.StatusSeeOther)
	for what, form := range map[string][]string{
		"no name": {"do", "rename", "name", " "}, "no button": {}, "an unknown button": {"do", "publish"},
	} {
		answers(what, do("team_lead", link, form...), http.StatusBadRequest)
	}
	answers("another site's address", do("team_lead", "/views", "name", "x", "url", "//evil.example"),
		http.StatusBadRequest)
	answers("delete", do("team_lead", link, "do", "delete"), http.StatusSeeOther)
	answers("open what is deleted", get(t, s, link, as("team_lead")...), http.StatusNotFound)
}

// An admin who views the pages as a user sees the user's views, and no form.
func TestNothingIsSavedWhileSeeingAsAUser(t *testing.T) {
	s := wholeServer(t, true)
	if body := get(t, s, "/runs", as("as")...).Body.String(); strings.Contains(body, `action="/views"`) {
		t.Error("the frame offers to save a view")
	}
	w := post(t, s, "/views", url.Values{"name": {"x"}, "url": {"/runs"}}, as("as")...)
	if w.Code != http.StatusForbidden {
		t.Errorf("saving answers %d", w.Code)
	}
}

// A start page that is the overview is shown, not redirected to.
func TestTheOverviewMayBeTheStartPage(t *testing.T) {
	s := wholeServer(t, false)
	for _, at := range []string{"/", "/?"} {
		post(t, s, "/views", url.Values{"name": {at}, "url": {at}})
		post(t, s, "/views/"+ledger.NewID(at).String(), url.Values{"do": {"start"}})
		if w := get(t, s, "/"); w.Code != http.StatusOK {
			t.Errorf("with %q as start page, / answers %d to %q", at, w.Code, w.Header().Get("Location"))
		}
	}
}

func TestViewsByREST(t *testing.T) {
	s := wholeServer(t, true)
	ask := func(method, path, body string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(method, path, strings.NewReader(body))
		r.Header.Set("Authorization", "Bearer viewer")
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		return w
	}
	id := ledger.NewID("mine").String()
	for _, c := range []struct {
		method, path, body string
		code               int
		says               string
	}{
		{"GET", "/api/v1/views", "", 200, `{"data":[]}`},
		{"POST", "/api/v1/views", `{"name":"mine","url":"/runs?q=a","shared":true}`, 201,
			`{"id":"` + id + `","link":"/views/` + id},
		{"GET", "/api/v1/views?limit=5000", "", 200, `"name":"mine"`},
		{"GET", "/api/v1/views?limit=0", "", 400, `"parameter":"limit"`},
		{"GET", "/api/v1/views?limits=5", "", 400, `"nearest":"limit"`},
		{"GET", "/api/v1/views", "", 200, `"name":"mine","url":"/runs?q=a","shared":true,"owner":"viewer",` +
			`"start":false,"link":"/views/` + id + `","created_at":"2026-11-19T12:00:00Z"`},
		{"POST", "/api/v1/views", `{"name":"x","url":"/api/v1/costs"}`, 400, `"parameter":"url"`},
		{"POST", "/api/v1/views", `{"name":"","url":"/runs"}`, 400, `"parameter":"name"`},
		{"POST", "/api/v1/views", `{"title":"x"}`, 400, `"parameter":"body"`},
		{"DELETE", "/api/v1/views/" + id, "", 204, ""},
		{"DELETE", "/api/v1/views/" + id, "", 404, "there is no view"},
		{"DELETE", "/api/v1/views/none", "", 404, "there is no view"},
	} {
		if w := ask(c.method, c.path, c.body); w.Code != c.code || !strings.Contains(w.Body.String(), c.says) {
			t.Errorf("%s %s %s: %d %s", c.method, c.path, c.body, w.Code, w.Body)
		}
	}
}
