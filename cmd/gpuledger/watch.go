package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"time"

	"gpuledger/internal/export"
	"gpuledger/internal/store"
	"gpuledger/internal/visible"
	"gpuledger/metrics"
)

// shortestWatch is the least time between two answers of a watched report.
const shortestWatch = time.Second

// Escape sequences of a screen that is drawn again and again.
const (
	clearScreen = "\x1b[2J"
	topLeft     = "\x1b[H"
	clearLine   = "\x1b[K"
	clearRest   = "\x1b[J"
	hideCursor  = "\x1b[?25l"
	showCursor  = "\x1b[?25h"
)

// checkWatch refuses what cannot be watched.
func (c *reportCmd) checkWatch(format export.Format) error {
	switch {
	case !c.Watch:
		return nil
	case c.Out != "" || format != export.Table || c.ExplainQuery:
		return &metrics.OptionError{Option: "watch", Reason: "draws a table on standard output: remove --out, --format and " +
			"--explain-query"}
	case c.Interval < shortestWatch:
		return &metrics.OptionError{Option: "interval", Value: c.Interval.String(), Reason: "must be at least 1s"}
	}
	return nil
}

// watch answers again and again until the user interrupts it, which is no error. On a terminal each answer replaces
// the one before.
func (c *reportCmd) watch(a *app, s *store.Store, q metrics.Query) error {
	out := visible.Raw(a.stdout)
	onScreen := isTerminal(a.stdout)
	if onScreen {
		_, _ = io.WriteString(out, hideCursor+clearScreen) // a terminal that is gone ends the command
		defer func() { _, _ = io.WriteString(out, showCursor) }()
	}
	for {
		var text bytes.Buffer
		note := func(said string) { text.WriteString(a.noted(said) + "\n\n") }
		into := func(write func(io.Writer) error) error { return write(&text) }
		if _, err := c.answer(a, s, q, export.Table, note, into); err != nil {
			return c.ended(a, err)
		}
		columns, lines := sizeOf(a.stdout)
		heading := visible.Cut(fmt.Sprintf("gpuledger report %s at %s, again in %s. Ctrl-C ends it.", q.Dataset.Name,
			time.Now().Format(time.TimeOnly), c.Interval), columns)
		drawn := heading + "\n\n" + text.String() + "\n"
		if onScreen {
			drawn = redrawn(heading, text.String(), lines)
		}
		if _, err := io.WriteString(out, drawn); err != nil {
			return err
		}
		select {
		case <-a.ctx.Done():
			return nil
		case <-time.After(c.Interval):
		}
	}
}

// ended is nil if the user has interrupted the command.
func (c *reportCmd) ended(a *app, err error) error {
	if a.ctx.Err() != nil {
		return nil
	}
	return err
}

// redrawn overwrites a screen of some lines with a heading and as much of a text as fits.
func redrawn(heading, text string, lines int) string {
	rows := append([]string{heading, ""}, strings.Split(strings.TrimSuffix(text, "\n"), "\n")...)
	if most := lines - 1; lines > 0 && len(rows) > most {
		hidden := len(rows) - most + 1
		rows = append(rows[:max(0, most-1):max(0, most-1)], fmt.Sprintf("… %d more lines (--limit, --columns)", hidden))
	}
	return topLeft + strings.Join(rows, clearLine+"\n") + clearLine + "\n" + clearRest
}
