package web_test

import (
	"net/http"
	"strings"
	"testing"

	"gpuledger/test/dashtest"
)

// Every alert of the overview says who acts and by when, or that no date is known.
func TestAlertsHaveAnOwnerAndADueDate(t *testing.T) {
	page := get(t, server(t, dashtest.New()), "/?attention=all")
	if page.Code != http.StatusOK {
		t.Fatal(page.Code)
	}
	n := 0
	for _, list := range strings.Split(page.Body.String(), `<ul class="alerts">`)[1:] {
		list, _, closed := strings.Cut(list, "</ul>")
		if !closed || !strings.Contains(list, `class="dot`) {
			continue
		}
		for _, alert := range strings.Split(list, "<li>")[1:] {
			n++
			if strings.Contains(alert, `<span class="age"></span>`) ||
				!strings.Contains(alert, "Owner: ") && !strings.Contains(alert, "No owner. Role ") {
				t.Errorf("without an owner or a due date: %s", alert)
			}
		}
	}
	if n < 3 {
		t.Errorf("%d alerts: the sample ledger has more", n)
	}
}
