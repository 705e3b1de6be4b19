package slurm

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"gpuledger/ingest/records"
	"gpuledger/internal/ledger"
)

var (
	pairsStart  = regexp.MustCompile(`^(?:[A-Za-z]+=[^,|]*,)?"?JobID(?:Raw)?=\d`)
	blocksStart = regexp.MustCompile(`^JobId=\d+ `)
)

// Bounds for repairing rows whose free text contains line ends or separators.
const (
	maxJoined = 256
	maxExtra  = 64
)

// parseText reads lines: with a header, of a tool with known columns, of Key=Value fields, or
// of scontrol.
func (c *collector) parseText(ctx context.Context, src *lineSource) error {
	defer func() { c.read.Note("invalid UTF-8 replaced", src.dirty) }()
	var l *layout
	header := ""
	for n := 0; ; n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		text, ok, err := src.next()
		if err != nil || !ok {
			return err
		}
		if strings.TrimSpace(text) == "" || text == header {
			continue
		}
		if l == nil {
			switch {
			case blocksStart.MatchString(text):
				return c.parseBlocks(ctx, src, text)
			case pairsStart.MatchString(text):
				return c.parsePairs(ctx, src, text)
			}
			if l = headerLayout(text); l != nil {
				header = text
				continue
			}
			if l = knownLayout(text); l == nil {
				return c.noHeader(src, text)
			}
		}
		if err := c.row(src, l, text); err != nil {
			return err
		}
	}
}

// noHeader refuses a file according to its first line.
func (c *collector) noHeader(src *lineSource, text string) error {
	next, _, err := src.peek()
	if err != nil {
		return err
	}
	reason, detail := "no header line",
		"the first line does not name columns of sacct: omit --noheader, and request at least JobID, JobIDRaw, State, "+
			"Submit, Start, End, ElapsedRaw, AllocTRES and NodeList"
	if words := strings.Fields(text); len(words) > 1 && !strings.Contains(text, "|") &&
		columnNames[foldName(words[0])] == colID ||
		strings.HasPrefix(strings.TrimSpace(next), "----") {
		reason, detail = "columns of fixed width",
			"sacct cuts values to the width of their columns: export with --parsable2 (-P), squeue with --format and a delimiter"
	}
	return &ledger.FileError{Rejection: ledger.Rejection{File: c.file, Line: src.line, Reason: reason, Detail: detail}}
}

// row reads a row, and further lines if its free text contains line ends.
func (c *collector) row(src *lineSource, l *layout, text string) error {
	line := src.line
	parts := l.split(text)
	for joined := 0; joined < maxJoined && (len(parts) < len(l.columns) || l.csv && openQuote(text)); joined++ {
		next, ok, err := src.peek()
		if err != nil {
			return err
		}
		if !ok || l.whole(next) || len(text)+len(next) > maxLine {
			break
		}
		text += "\n" + next
		if _, _, err := src.next(); err != nil {
			return err
		}
		parts = l.split(text)
	}
	c.read.Rows++
	if src.line > line || len(parts) > len(l.columns) {
		mended, ok := l.align(parts)
		if ok {
			c.read.Note("row repaired: its free text contained separators or line ends", 1)
			parts = mended
		}
	}
	if len(parts) != len(l.columns) {
		c.read.Reject(ledger.Rejection{File: c.file, Line: line, Reason: "wrong number of fields",
			Detail: fmt.Sprintf("%d fields, %d are expected; export with an unlikely --delimiter, such as '|#'", len(parts),
				len(l.columns))})
		return nil
	}
	var f fields
	for i, at := range l.columns {
		if at != colOther && unset(f[at]) == "" {
			f[at] = parts[i]
		}
	}
	return c.take(&f, l.has, line)
}

// whole reports whether a line is a separate row.
func (l *layout) whole(text string) bool {
	parts := l.split(text)
	if len(parts) != len(l.columns) {
		return false
	}
	for i, c := range l.columns {
		if (c == colID || c == colState) && !c.fits(parts[i]) {
			return false
		}
	}
	return true
}

// align finds which free texts contain separators, so that all other fields fit their columns.
func (l *layout) align(parts []string) ([]string, bool) {
	extra := len(parts) - len(l.columns)
	if extra < 0 || extra > maxExtra {
		return nil, false
	}
	// fits[i][k] means that the columns from i on can hold the parts from i+k on.
	fits := make([][]bool, len(l.columns)+1)
	for i := range fits {
		fits[i] = make([]bool, extra+1)
	}
	fits[len(l.columns)][extra] = true
	width := func(i, k int) int { // number of parts in column i, 0 = impossible
		if !l.columns[i].free() {
			if l.columns[i].fits(parts[i+k]) && fits[i+1][k] {
				return 1
			}
			return 0
		}
		for w := 1; w <= extra-k+1; w++ {
			if fits[i+1][k+w-1] {
				return w
			}
		}
		return 0
	}
	for i := range slices.Backward(l.columns) {
		for k := range extra + 1 {
			fits[i][k] = width(i, k) > 0
		}
	}
	if !fits[0][0] {
		return nil, false
	}
	out := make([]string, len(l.columns))
	for i, k := 0, 0; i < len(l.columns); i++ {
		w := width(i, k)
		out[i] = strings.Join(parts[i+k:i+k+w], l.delimiter)
		k += w - 1
	}
	return out, true
}

// parsePairs reads rows of Key=Value fields in CSV, as node agents collect them.
func (c *collector) parsePairs(ctx context.Context, src *lineSource, text string) error {
	names := map[string]column{}
	for n := 0; ; n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		line := src.line
		for openQuote(text) && src.line-line < maxJoined {
			next, ok, err := src.next()
			if err != nil {
				return err
			}
			if !ok {
				break
			}
			text += "\n" + next
		}
		if strings.TrimSpace(text) != "" {
			var f fields
			var has [columnCount]bool
			for _, pair := range splitQuoted(text, ',') {
				key, value, found := strings.Cut(pair, "=")
				if !found {
					continue
				}
				at, seen := names[key]
				if !seen {
					at = columnNames[foldName(key)]
					names[key] = at
				}
				if has[at] = true; unset(f[at]) == "" {
					f[at] = value
				}
			}
			c.read.Rows++
			// A pair without a value is left out, but the job's given resources are known anyway.
			has[colAllocTRES] = true
			if err := c.take(&f, func(at column) bool { return has[at] }, line); err != nil {
				return err
			}
		}
		var ok bool
		var err error
		if text, ok, err = src.next(); err != nil || !ok {
			return err
		}
	}
}

// take keeps a row as a record.
func (c *collector) take(f *fields, has func(column) bool, line int64) error {
	r, bad := fieldsRecord(f, has, c.opt.Zone)
	if bad != nil {
		c.read.Reject(bad.rejection(c.file, line))
		return nil
	}
	r.line = line
	c.read.Note(records.ReadAsUTC, records.Zoneless(c.opt.Zone, f[colSubmit], f[colStart], f[colEnd]))
	if r.id.step != "" {
		if end, err := parseTime(f[colEnd], c.opt.Zone); err == nil {
			r.end = end.first()
		}
	}
	return c.add(r)
}
