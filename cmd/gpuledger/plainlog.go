package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"strconv"
	"strings"
	"time"
)

// plainLog logs for people: the time of day, the level, a message, and what belongs to it.
type plainLog struct {
	w      io.Writer
	level  slog.Level
	prefix string // of keys: the groups that are open
	attrs  string // of all records
}

// Enabled implements slog.Handler.
func (l plainLog) Enabled(_ context.Context, level slog.Level) bool { return level >= l.level }

// Handle implements slog.Handler. A record is one write, so that records of several goroutines do not mix.
func (l plainLog) Handle(_ context.Context, r slog.Record) error {
	line := fmt.Sprintf("%s %-5s %s%s", r.Time.Format(time.TimeOnly), strings.ToLower(r.Level.String()), r.Message, l.attrs)
	r.Attrs(func(a slog.Attr) bool {
		line += l.text(l.prefix, a)
		return true
	})
	_, err := io.WriteString(l.w, line+"\n")
	return err
}

// WithAttrs implements slog.Handler.
func (l plainLog) WithAttrs(attrs []slog.Attr) slog.Handler {
	for _, a := range attrs {
		l.attrs += l.text(l.prefix, a)
	}
	return l
}

// WithGroup implements slog.Handler.
func (l plainLog) WithGroup(name string) slog.Handler {
	l.prefix += name + "."
	return l
}

// text is an attribute as " key=value", quoted if it has spaces.
func (l plainLog) text(prefix string, a slog.Attr) (text string) {
	value := a.Value.Resolve()
	if value.Kind() == slog.KindGroup {
		for _, member := range value.Group() {
			text += l.text(prefix+a.Key+".", member)
		}
		return text
	}
	shown := value.String()
	if shown == "" || strings.ContainsAny(shown, " \n\t\"") {
		shown = strconv.Quote(shown)
	}
	return " " + prefix + a.Key + "=" + shown
}
