package main

import (
	"log/slog"
	"strings"
	"testing"
)

func TestLogsForPeopleArePlainLines(t *testing.T) {
	var out strings.Builder
	log := slog.New(plainLog{w: &out, level: slog.LevelInfo}).With("source", "aws").WithGroup("file")
	log.Debug("not shown")
	log.Warn("a line was refused", "name", "my bill.csv", "line", 7, slog.Group("at", "column", "cost"))
	_, line, _ := strings.Cut(out.String(), " ") // after the time
	const want = "warn  a line was refused source=aws file.name=\"my bill.csv\" file.line=7 file.at.column=cost\n"
	if line != want {
		t.Errorf("%q, want %q", line, want)
	}
}
