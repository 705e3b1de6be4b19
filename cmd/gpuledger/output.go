package main

import (
	"encoding/json"
	"fmt"
	"io"
	"time"

	"gpuledger/ingest"
	"gpuledger/internal/visible"
)

// printSummary writes one JSON object or a text.
func (a *app) printSummary(output string, v any, text func() string) error {
	if output == "json" {
		enc := json.NewEncoder(visible.Raw(a.stdout))
		enc.SetEscapeHTML(false)
		return enc.Encode(v)
	}
	_, err := io.WriteString(a.stdout, text())
	return err
}

// progress reports on standard error how far a command is: on a terminal one line that is
// rewritten, else a log line every ten seconds.
type progress struct {
	app      *app
	terminal bool
	last     time.Time
	every    time.Duration
	shown    bool
}

func (a *app) newProgress() *progress {
	p := &progress{app: a, terminal: isTerminal(a.stderr), every: 10 * time.Second, last: time.Now()}
	if p.terminal {
		p.every = 100 * time.Millisecond
	}
	return p
}

func (p *progress) show(text func() string) {
	now := time.Now()
	if now.Sub(p.last) < p.every {
		return
	}
	p.last = now
	if p.terminal {
		p.shown = true
		fmt.Fprintf(visible.Raw(p.app.stderr), "\r\x1b[K%s", visible.Text(text()))
		return
	}
	p.app.log.Info("progress", "at", text())
}

// importing shows the progress of an import.
func (p *progress) importing(n ingest.Progress) {
	p.show(func() string { return importLine(n, time.Now()) })
}

func (p *progress) done() {
	if p.shown {
		fmt.Fprint(visible.Raw(p.app.stderr), "\r\x1b[K")
	}
}
