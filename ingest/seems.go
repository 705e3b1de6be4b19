package ingest

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"gpuledger/ingest/table"
	"gpuledger/internal/blob"
)

// maxSkipped is how many skipped files an import names one by one.
const maxSkipped = 50

// skippedFile is a file below a folder that the import skips.
type skippedFile struct {
	blob.File
	source string // empty if unknown
}

// skippedNotes names skipped files, with their apparent formats.
func skippedNotes(files []skippedFile) map[string]int64 {
	notes := map[string]int64{}
	for i, f := range files {
		if i == maxSkipped {
			notes["file of another format that was skipped"] = int64(len(files) - maxSkipped)
			break
		}
		notes[fmt.Sprintf("file of another format that was skipped: %s, which seems to be %s", f.Name, f.seems())]++
	}
	return notes
}

// skippedText is the same for an error: the first few.
func skippedText(files []skippedFile) string {
	const few = 5
	var said []string
	for _, f := range files[:min(few, len(files))] {
		said = append(said, f.Name+" seems to be "+f.seems())
	}
	if more := len(files) - few; more > 0 {
		said = append(said, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(said, "; ")
}

// magic lists the first bytes of formats that are never input.
var magic = []struct{ head, what string }{
	{"%PDF", "a PDF document"}, {"PK\x03\x04", "a zip archive or an office document"},
	{"\x89PNG", "an image"}, {"\xff\xd8\xff", "an image"}, {"GIF8", "an image"},
	{"\xd0\xcf\x11\xe0", "an office document"}, {"ORC", "an ORC table"},
	{"SQLite format 3", "a SQLite database"}, {"\x7fELF", "a program"}, {"#!", "a script"},
	{"<!doctype", "a web page"}, {"<html", "a web page"}, {"<?xml", "XML"}, {"---\n", "YAML"}, {"# ", "a text"},
}

// seems describes the apparent format of a file.
func (f skippedFile) seems() string {
	if f.source != "" {
		return f.source
	}
	head, err := f.Head(headBytes)
	if err != nil {
		return "damaged: " + err.Error()
	}
	text := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n")
	if len(text) == 0 {
		return "empty"
	}
	for _, m := range magic {
		if len(text) >= len(m.head) && strings.EqualFold(string(text[:len(m.head)]), m.head) {
			return m.what
		}
	}
	switch {
	case bytes.HasPrefix(text, []byte("PAR1")):
		return f.columns("a Parquet table")
	case text[0] == '{' || text[0] == '[':
		return "JSON of another kind"
	case bytes.IndexByte(text, 0) >= 0:
		return "binary data"
	case bytes.ContainsAny(firstLine(text), ",;\t|"):
		return f.columns("a table")
	}
	return "a text"
}

func firstLine(text []byte) []byte {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	return line
}

// columns appends the first columns of a table to its description.
func (f skippedFile) columns(what string) string {
	const few = 4
	names, err := table.HeadNames(f.File, table.Options{})
	if err != nil || len(names) == 0 {
		return what
	}
	if slices.Contains(names, "lineItem/tenantId") && slices.Contains(names, "cost/myCost") {
		return "a cost report in Oracle's older format: import Oracle's FOCUS reports instead (docs/connect/focus.md)"
	}
	return what + " with columns " + table.Few(names, few)
}
