package page

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime/debug"
	"sync"
	"time"

	"github.com/a-h/templ"

	"gpuledger/web/views"
)

// mostAtOnce is how many parts of a page are drawn at once.
const mostAtOnce = 5

// Limits are how long a page takes; 0: the defaults.
type Limits struct {
	Part time.Duration // one part; PanelTimeout
	// Page is how long an answer waits for its parts: 3 s. One that takes longer is left out of the page, which then
	// loads it apart.
	Page time.Duration
}

func (l Limits) part() time.Duration { return cmp.Or(l.Part, PanelTimeout) }
func (l Limits) page() time.Duration { return cmp.Or(l.Page, 3*time.Second) }

// Lane draws the parts of one answer while it is written: the panels of a page, or the only one that the address
// names. Each part has its own time limit and its own error.
type Lane struct {
	site  *Site
	only  string        // the part that the address names; empty: all
	bare  bool          // a script asks: the part comes without a page around it
	turns chan struct{} // one per part that is being drawn
	stop  context.CancelFunc
	done  sync.WaitGroup
	late  <-chan time.Time // the page waits no longer
	found templ.Component  // the part that the address names
	// Status of the answer; 0: 200.
	Status int
}

// Lane begins an answer. The context is that of its parts; Stream ends it.
func (d *Site) Lane(r *http.Request) (*Lane, context.Context) {
	ctx, stop := context.WithCancel(r.Context())
	l := &Lane{site: d, only: r.URL.Query().Get(partParam), turns: make(chan struct{}, mostAtOnce), stop: stop}
	l.bare = l.only != "" && r.Header.Get("HX-Request") != ""
	if l.only == "" {
		l.late = time.After(d.Limits.page())
	}
	return l, ctx
}

// partParam names one part of a page in an address.
const partParam = "panel"

// Part is a part of a page.
type Part struct {
	Name  string // in the address
	Title string // in messages
	Class string // its place in the page's grid
	Plain bool   // text rather than a panel
	// Frame is the frame of the page, if the part is all of its content: the page waits for it.
	Frame *views.Shell
	// Heading is the page's, if the part has it.
	Heading string
	// Lead comes first, whatever becomes of the part; may be nil.
	Lead templ.Component
	Draw func(ctx context.Context) (templ.Component, error)
}

// Start draws a part while the rest of the page goes on. The component waits for it.
func (l *Lane) Start(ctx context.Context, s Scope, p Part) templ.Component {
	if l.only != "" && l.only != p.Name {
		return templ.NopComponent
	}
	shown := views.LaterPart{
		Name: p.Name, Title: p.Title, Class: p.Class, Plain: p.Plain, Heading: p.Heading,
		Lead: p.Lead, Shell: p.Frame, Href: s.With(partParam, p.Name),
	}
	ready := make(chan templ.Component, 1)
	l.done.Go(func() {
		select {
		case l.turns <- struct{}{}:
			defer func() { <-l.turns }()
		case <-ctx.Done():
			return
		}
		ready <- l.draw(ctx, s, p, shown)
	})
	wait := &waiting{l, ready, views.Later(shown)}
	if p.Frame != nil {
		wait.otherwise = nil
	}
	if l.only != "" {
		l.found = wait
	}
	return wait
}

// Await stands for words that a part of the page finds. Without that part, or if it takes too long, it shows other words.
func (l *Lane) Await(part string, words <-chan templ.Component, otherwise templ.Component) templ.Component {
	if l.only != "" && l.only != part {
		return otherwise
	}
	return &waiting{l, words, otherwise}
}

// draw draws a part, or says in its place why it could not be drawn.
func (l *Lane) draw(ctx context.Context, s Scope, p Part, shown views.LaterPart) (c templ.Component) {
	limited, cancel := context.WithTimeout(ctx, l.site.Limits.part())
	defer cancel()
	failed := func(err error) templ.Component {
		e := l.site.PanelError(s, err, p.Title)
		if p.Frame == nil {
			e.Part = shown.Href
		}
		return views.FailedPart(shown, e)
	}
	defer func() { // a fault of one panel does not end the program, nor the page
		if v := recover(); v != nil {
			l.site.Log.ErrorContext(ctx, "panel panicked", "path", s.Path, "panel", p.Name, "panic", v,
				"stack", string(debug.Stack()))
			c = failed(fmt.Errorf("panel %s panicked: %v", p.Name, v))
		}
	}()
	c, err := p.Draw(limited)
	if err == nil {
		return c
	}
	if ctx.Err() == nil && limited.Err() != nil { // however the driver words it
		err = errors.Join(limited.Err(), err)
	}
	return failed(err)
}

// Wants reports whether the answer has a part: the whole page has all of them.
func (l *Lane) Wants(part string) bool { return !l.bare || l.only == part }

// Only reports whether the address names one part.
func (l *Lane) Only() bool { return l.only != "" }

// Reader is the read model of the parts.
func (l *Lane) Reader() Reader { return l.site.Reader }

// waiting is a part that is being drawn.
type waiting struct {
	lane      *Lane
	ready     <-chan templ.Component
	otherwise templ.Component // shown if it takes too long; nil: the page waits
}

// Render implements templ.Component. Before it waits, it sends what the page has so far.
func (p *waiting) Render(ctx context.Context, w io.Writer) error {
	select {
	case c := <-p.ready:
		return c.Render(ctx, w)
	default:
	}
	if f, ok := w.(interface{ Flush() error }); ok {
		if err := f.Flush(); err != nil {
			return err
		}
	}
	late := p.lane.late
	if p.otherwise == nil {
		late = nil
	}
	select {
	case c := <-p.ready:
		return c.Render(ctx, w)
	case <-late:
		p.lane.late = closed // for all further parts
		select {
		case c := <-p.ready:
			return c.Render(ctx, w)
		default:
			return p.otherwise.Render(ctx, w)
		}
	case <-ctx.Done():
		return ctx.Err()
	}
}

var closed = func() <-chan time.Time {
	c := make(chan time.Time)
	close(c)
	return c
}()

// Stream writes a page whose parts are still being drawn: first all that comes before the first of them. To a script
// that asks for one part it writes that part alone.
func (l *Lane) Stream(w http.ResponseWriter, r *http.Request, c templ.Component) {
	defer l.done.Wait()
	defer l.stop()
	if l.bare {
		if c = l.found; c == nil {
			l.site.Render(w, r, http.StatusNotFound, views.NoPart(l.only))
			return
		}
	}
	pageHead(w)
	w.WriteHeader(cmp.Or(l.Status, http.StatusOK))
	if err := c.Render(r.Context(), w); err != nil && r.Context().Err() == nil {
		// The client must not take half a page for a whole one.
		l.site.Log.ErrorContext(r.Context(), "page could not be rendered", "path", r.URL.Path, "error", err)
		panic(http.ErrAbortHandler)
	}
}

// Close ends an answer that another one replaces.
func (l *Lane) Close() {
	l.stop()
	l.done.Wait()
}
