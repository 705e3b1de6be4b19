package main

import (
	"io"
	"os"
	"strconv"

	"golang.org/x/term"

	"gpuledger/internal/export"
	"gpuledger/internal/visible"
)

// usualColumns is the width of a table where neither a terminal nor COLUMNS gives one.
const usualColumns = 80

// isTerminal reports whether w is a terminal.
func isTerminal(w io.Writer) bool {
	f, ok := visible.Raw(w).(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// sizeOf is the size of the terminal w; of anything else the width is that of COLUMNS, and lines is 0.
func sizeOf(w io.Writer) (columns, lines int) {
	if f, ok := visible.Raw(w).(*os.File); ok {
		if columns, lines, err := term.GetSize(int(f.Fd())); err == nil && columns > 0 {
			return columns, lines
		}
	}
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		return n, 0
	}
	return usualColumns, 0
}

// styled reports whether w is a terminal that shows bold and faint text, and the user wants it (no-color.org).
func styled(w io.Writer) bool {
	return isTerminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// screen is what tables are drawn for on standard output.
func (a *app) screen() export.Screen {
	columns, _ := sizeOf(a.stdout)
	return export.Screen{Columns: columns, Styled: styled(a.stdout)}
}

// note prints a sentence for the user on standard error.
func (a *app) note(text string) {
	_, _ = io.WriteString(a.stderr, a.noted(text)+"\n") // like all output on standard error
}

// noted is a sentence for the user, on a terminal in lines that fit it.
func (a *app) noted(text string) string {
	text = visible.Text("note: " + text)
	if !isTerminal(a.stderr) {
		return text
	}
	columns, _ := sizeOf(a.stderr)
	return visible.Wrap(text, "  ", columns)
}
