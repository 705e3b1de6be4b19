package web_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"gpuledger/internal/access"
	"gpuledger/test/dashtest"
	"gpuledger/web"
	"gpuledger/web/operate"
)

// advised writes decisions into the rows that pages read.
type advised struct {
	operate.Ledger
	reader *dashtest.Reader
	log    []string
}

func (a *advised) DecideRecommendation(_ context.Context, id, status, note, by string) error {
	for _, row := range a.reader.Tables["recommendations"] {
		if row["recommendation_id"] == id {
			row["status"], row["note"], row["decided_by"], row["decided_at"] = status, note, by, dashtest.Last
			a.log = append(a.log, strings.Join([]string{by, status, id, note}, " "))
			return nil
		}
	}
	return &operate.RefusedError{Reasons: []string{"there is none with id " + id}}
}

func adviceDesk(t *testing.T, rights ...access.Right) (http.Handler, *advised) {
	t.Helper()
	a := &advised{reader: dashtest.New()}
	h, err := web.New(web.Deps{
		Reader: a.reader, Desk: operate.Desk{
			Operators: operate.Operators{
				operate.NewOperator("ada", "s3cret", rights...), operate.NewOperator("eve", "other", access.Close),
			}, Ledger: a,
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return h, a
}

const decidePath = "/recommendations?team=vision&decide="

func TestDecisionsAreOfferedToThoseWhoMay(t *testing.T) {
	for name, h := range map[string]http.Handler{
		"nobody": server(t, dashtest.New()),
		"others": func() http.Handler { h, _ := adviceDesk(t, access.Policy); return h }(),
	} {
		for _, path := range []string{"/recommendations", "/recommendations?decide=" + dashtest.Advice[0]} {
			if body := get(t, h, path).Body.String(); strings.Contains(body, "<form class=\"desk\"") ||
				strings.Contains(body, `class="act"`) {
				t.Errorf("%s may not decide, and %s offers it", name, path)
			}
		}
		w := post(t, h, decidePath+dashtest.Advice[0], url.Values{
			"id": {dashtest.Advice[0]}, "status": {"done"}, "token": {"s3cret"},
		})
		if w.Code != http.StatusForbidden {
			t.Errorf("%s: %d", name, w.Code)
		}
	}
	h, _ := adviceDesk(t, access.Advise)
	body := get(t, h, "/recommendations").Body.String()
	has(t, "the page", body, `class="act"`, "/recommendations?decide="+dashtest.Advice[0]+"#rec-"+dashtest.Advice[0],
		"bob, 19 Nov: not &lt;now&gt;")
	if strings.Contains(body, "<form class=\"desk\"") ||
		strings.Contains(get(t, h, "/recommendations?group=kind").Body.String(), `class="act"`) {
		t.Error("a form that nobody asked for, or decisions on groups")
	}
}

func TestDecidingWithoutScripts(t *testing.T) {
	h, a := adviceDesk(t, access.Advise)
	id := dashtest.Advice[0]
	has(t, "the form", get(t, h, decidePath+id).Body.String(), `<form class="desk" method="post"`, "Accept it",
		"Dismiss it", "Mark it as done", `name="id" value="`+id, `type="password"`)
	if body := get(t, h, "/recommendations?decide="+dashtest.Advice[1]).Body.String(); strings.Contains(body,
		"Dismiss it") || !strings.Contains(body, "Open it again") || strings.Contains(body, `value="not &lt;now&gt;"`) {
		t.Error("what is dismissed can be opened again, not dismissed, and with a note of its own")
	}
	form := url.Values{"id": {id}, "status": {"accepted"}, "note": {" from <Monday> "}, "token": {"s3cret"}}
	w := post(t, h, decidePath+id, form)
	if at := w.Header().Get("Location"); w.Code != http.StatusSeeOther || at != "/recommendations?team=vision#rec-"+id {
		t.Errorf("%d to %s", w.Code, at)
	}
	if len(a.log) != 1 || a.log[0] != "ada accepted "+id+" from <Monday>" {
		t.Errorf("recorded %q", a.log)
	}
	has(t, "the page after", get(t, h, "/recommendations?team=vision").Body.String(), "ada, 19 Nov: from &lt;Monday&gt;",
		"accepted")
	for token, code := range map[string]int{
		"": http.StatusUnauthorized, "wrong": http.StatusUnauthorized, "other": http.StatusForbidden,
	} {
		form.Set("token", token)
		w := post(t, h, decidePath+id, form)
		if w.Code != code {
			t.Errorf("token %q: %d", token, w.Code)
		}
		has(t, "what is refused", w.Body.String(), `role="alert"`, `value="from &lt;Monday&gt;"`)
		if strings.Contains(w.Body.String(), `value="`+token+`"`) && token != "" {
			t.Error("a token comes back")
		}
	}
	form.Set("token", "s3cret")
	if w := post(t, h, decidePath+id, form, "Sec-Fetch-Site", "cross-site"); w.Code != http.StatusForbidden {
		t.Errorf("another site's form: %d", w.Code)
	}
	form.Set("id", "nobody's")
	if w := post(t, h, "/recommendations", form); w.Code != http.StatusConflict {
		t.Errorf("an unknown recommendation: %d", w.Code)
	}
	if len(a.log) != 1 {
		t.Errorf("what was refused is recorded: %q", a.log)
	}
}

func TestDecidingReplacesTheRow(t *testing.T) {
	h, _ := adviceDesk(t, access.Advise)
	id := dashtest.Advice[0]
	part := func(what string, code int, body string, want ...string) {
		t.Helper()
		if code != http.StatusOK || !strings.HasPrefix(body, `<tbody id="rec-`+id) || strings.Contains(body, "<html") ||
			strings.Contains(body, dashtest.Advice[1]) {
			t.Errorf("%s is no row: %d %.200s", what, code, body)
		}
		has(t, what, body, want...)
	}
	w := get(t, h, decidePath+id, "HX-Request", "true")
	part("the form", w.Code, w.Body.String(), `hx-post="/recommendations?team=vision&amp;decide=`+id, "autofocus")
	w = get(t, h, "/recommendations?team=vision&row="+id, "HX-Request", "true")
	part("the row", w.Code, w.Body.String(), "Stop it when idle.", `class="act"`)
	if strings.Contains(w.Body.String(), "<form") {
		t.Error("closing leaves the form")
	}
	form := url.Values{"id": {id}, "status": {"done"}, "token": {"s3cret"}}
	w = post(t, h, decidePath+id, form, "HX-Request", "true")
	part("the decision", w.Code, w.Body.String(), "ada, 19 Nov",
		`<p id="live" hx-swap-oob="innerHTML">Marked as done.</p>`,
		`<div id="intro" class="intro" hx-swap-oob="true">`, `<div id="facts" class="kv" hx-swap-oob="true">`)
	form.Set("token", "wrong")
	if w = post(t, h, decidePath+id, form, "HX-Request", "true"); w.Code != http.StatusUnauthorized {
		t.Errorf("a wrong token: %d", w.Code)
	}
	part("what is refused", http.StatusOK, w.Body.String(), `role="alert"`)
	w = post(t, h, "/recommendations?within=team:nobody&decide="+id,
		url.Values{"id": {id}, "status": {"open"}, "token": {"s3cret"}}, "HX-Request", "true")
	part("what left the page", w.Code, w.Body.String(), "Open again. It is no longer in this list.")
}

func TestAPageOfFiguresSaysWhyItIsEmpty(t *testing.T) {
	nothing := &dashtest.Reader{Empty: true}
	has(t, "an empty ledger", get(t, server(t, nothing), "/recommendations").Body.String(),
		"Nothing is in the ledger yet.", "Recommendations appear when", "What to import first")
	h := server(t, dashtest.New())
	has(t, "a filter", get(t, h, "/recommendations?team=nobody&cluster=nowhere").Body.String(),
		"Nothing matches team nobody and cluster nowhere.", `<a href="/recommendations">Clear the filter</a>`)
	has(t, "a page too far", get(t, h, "/recommendations?page=9").Body.String(), "Page 9 does not exist.",
		`<a href="/recommendations">Go to the first page</a>`)
}
