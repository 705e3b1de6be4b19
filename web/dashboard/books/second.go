package books

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"gpuledger/internal/access"
	"gpuledger/internal/confirm"
	"gpuledger/internal/period"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/operate"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

// decisions are the form values for a waiting change, with the word for the result.
var decisions = map[operate.Decision]string{
	operate.Confirm: "done", operate.Decline: "declined", operate.TakeBack: "taken back",
}

// decideChange confirms a change, declines it or takes it back.
func (d *room) decideChange(r *http.Request, form url.Values) (w views.WaitingChanges, status int) {
	what := operate.Decision(form.Get("do"))
	said, known := decisions[what]
	if !known {
		return views.WaitingChanges{Refused: []string{"do must be confirm, decline or take back"}},
			http.StatusBadRequest
	}
	change, _, err := d.Desk.Decide(r.Context(), form.Get("token"), form.Get("change"), what,
		strings.TrimSpace(form.Get("reason")))
	if _, unknown := errors.AsType[*confirm.UnknownError](err); unknown {
		return views.WaitingChanges{Refused: []string{err.Error()}}, http.StatusNotFound
	}
	if err != nil {
		status, w.Refused = d.DeskRefusal(r, err)
		return w, status
	}
	kind, of := changeWords(change)
	w.Said = kind + " " + of + ": " + said + "."
	if what == operate.Confirm {
		w.Said += " The next allocation uses it."
	}
	return w, http.StatusOK
}

// outcome is the result of a form on a desk.
type outcome struct {
	status int
	views.Outcome
	waiting views.WaitingChanges
}

// change handles a form: it decides on a change that waits for a second person, or calls do. It returns false if
// the form could not be read; the response is then written.
func (d *room) change(
	w http.ResponseWriter, r *http.Request, do func(ctx context.Context, form url.Values) (said []string, err error),
) (o outcome, ok bool) {
	r.Body = http.MaxBytesReader(w, r.Body, longestForm)
	if err := r.ParseForm(); err != nil {
		http.Error(w, "the form could not be read", http.StatusBadRequest)
		return o, false
	}
	if r.PostForm.Has("change") {
		o.waiting, o.status = d.decideChange(r, r.PostForm)
		return o, true
	}
	var err error
	o.status = http.StatusOK
	if o.Said, err = do(r.Context(), r.PostForm); err == nil {
		return o, true
	}
	if said, is := waits(err); is {
		o.status, o.Said = http.StatusAccepted, []string{said}
	} else {
		o.status, o.Refused = d.DeskRefusal(r, err)
	}
	return o, true
}

// longestForm bounds a form in bytes: a policy, with room to spare.
const longestForm = 1 << 20

// waits returns the message for a change that is recorded but needs a second person.
func waits(err error) (said string, ok bool) {
	w, ok := errors.AsType[*confirm.WaitsError](err)
	if !ok {
		return "", false
	}
	kind, of := changeWords(&w.Request)
	return kind + " " + of + ": not done yet. The policy requires a second person to confirm it by " +
		w.Request.Expires.UTC().Format("2 Jan 2006 15:04") + " UTC.", true
}

// readWaiting fills in the waiting changes that take a right.
func (d *room) readWaiting(ctx context.Context, s page.Scope, right access.Right, w *views.WaitingChanges) {
	w.Action = s.Path + "#waiting"
	list, err := d.Desk.Waiting(ctx, right)
	if err != nil {
		e := d.PanelError(s, err, "The list of changes that need a second person")
		w.Error = &e
		return
	}
	var may bool
	may, w.Token = d.Desk.Offers(ctx, right)
	for i := range list {
		w.List = append(w.List, d.waitingChange(ctx, &list[i], may))
	}
}

func (d *room) waitingChange(ctx context.Context, r *confirm.Request, may bool) views.WaitingChange {
	c := views.WaitingChange{ID: r.ID.String(), By: r.By.Name, At: format.Stamp(period.FromTime(r.At)),
		Reason: r.Asked.Reason, Document: r.Asked.Document,
		Until:  views.Figure{Text: format.Stamp(period.FromTime(r.Expires)), Title: "change " + r.ID.String()},
		Stands: standsWords(r)}
	c.What, c.Of = changeWords(r)
	if r.By.Way == confirm.Command {
		c.By += " on the command line"
	}
	for _, x := range r.Asked.Differences {
		c.Differences = append(c.Differences, views.ChangedSetting(x))
	}
	c.Decides, c.TakesBack = may, may // an operator's token says who they are
	if v := access.From(ctx); v != nil {
		who := confirm.Who(ctx, v.Name)
		c.Decides = may && r.Confirm(who, d.Now()) == nil
		c.TakesBack = may && r.TakeBack(who, d.Now()) == nil
	}
	return c
}

// changeWords name what a change does, and to what.
func changeWords(r *confirm.Request) (kind, of string) {
	switch r.Kind {
	case confirm.Store:
		return "Store policy", r.Subject
	case confirm.Withdraw:
		return "Withdraw policy", r.Subject
	case confirm.Map:
		return "Store mapping", r.Subject
	}
	of = page.MonthName(r.Asked.Period)
	if r.Asked.Account == "" {
		return "Reopen", of + " of all accounts"
	}
	return "Reopen", of + " of " + r.Asked.Account
}

// standsWords lists the statements of a reopening with the beginning of their digests; nil
// for other changes.
func standsWords(r *confirm.Request) (list []string) {
	if r.Kind != confirm.Reopen {
		return nil
	}
	for _, s := range r.Asked.Stands {
		name, digest := s, ""
		if i := strings.LastIndexByte(s, ' '); i >= 0 {
			name, digest = s[:i], s[i+1:]
		}
		list = append(list, "statement "+name+", sha256 "+beginning(digest))
	}
	return list
}
