package script

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// MaxFile is the most bytes that a case may have.
const MaxFile = 1 << 20

// Case is one case: its purpose, the events, the expected tables.
type Case struct {
	File  string
	Title string // one line
	Rules string // numbers of docs/rules.md, as written
	Why   string // one or two sentences

	statements []statement
	lines      []string
}

// statement is one statement, or one expected table.
type statement struct {
	word
	line int
	args []word
	body []string // of policy: the document, line for line
	want table    // of expect
	rows [2]int   // of expect: lines of the table, the first and the one after the last, from 1
}

// fault is an error at a word of the statement.
func (c *Case) fault(s *statement, at word, format string, args ...any) error {
	return &Error{c.File, s.line, at.column, fmt.Sprintf(format, args...)}
}

// Statement words, in the order of a case.
var known = []string{"day", "gpu", "mig", "owner", "policy", "charge", "rate", "bill", "hold", "attempt", "sample",
	"event",
	"allocate", "close", "remove", "expect"}

// Parse reads a case. file names it in errors.
func Parse(file, text string) (*Case, error) {
	c := &Case{File: file}
	switch {
	case len(text) > MaxFile:
		return nil, &Error{file, 1, 0, fmt.Sprintf("the file is larger than %d bytes", MaxFile)}
	case !utf8.ValidString(text) || strings.ContainsAny(text, "\x00\r"):
		return nil, &Error{file, 1, 0, "the file must be UTF-8 with lines that end in a line feed"}
	}
	c.lines = strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for at := 0; at < len(c.lines); {
		next, err := c.parseLine(at)
		if err != nil {
			return nil, err
		}
		at = next
	}
	switch {
	case c.Title == "":
		return nil, &Error{file, 1, 0, "a case begins with the line: title …"}
	case c.Why == "":
		return nil, &Error{file, 1, 0, "after the title, write the reason in a sentence or two: why …"}
	case !slices.ContainsFunc(c.statements, func(s statement) bool { return s.text == "expect" }):
		return nil, &Error{file, len(c.lines), 0, "nothing is expected: write expect and a table"}
	}
	return c, nil
}

// parseLine reads the statement at lines[at] and returns the line after it.
func (c *Case) parseLine(at int) (next int, err error) {
	line := c.lines[at]
	fail := func(column int, format string, args ...any) (int, error) {
		return 0, &Error{c.File, at + 1, column, fmt.Sprintf(format, args...)}
	}
	list, bad := words(line)
	switch {
	case bad > 0:
		return fail(bad, "the quotation mark is not closed")
	case len(list) == 0:
		return at + 1, nil
	case list[0].column != 1:
		return fail(list[0].column, "a statement begins in the first column; only the text of why and policy is indented")
	}
	s := statement{word: list[0], line: at + 1, args: list[1:]}
	switch s.text {
	case "title", "rule", "why":
		return c.parseHead(at, s.text)
	case "policy":
		next = at + 1
		for next < len(c.lines) && (indented(c.lines[next]) || c.lines[next] == "") {
			s.body = append(s.body, c.lines[next])
			next++
		}
	case "expect":
		if next, err = c.parseTable(&s, at+1); err != nil {
			return 0, err
		}
	default:
		if !slices.Contains(known, s.text) {
			return fail(1, "%q is not a statement: known are %s", s.text, strings.Join(known, ", "))
		}
		next = at + 1
	}
	c.statements = append(c.statements, s)
	return next, nil
}

// parseHead reads title, rule or why: free text, for why on several lines.
func (c *Case) parseHead(at int, name string) (next int, err error) {
	into := map[string]*string{"title": &c.Title, "rule": &c.Rules, "why": &c.Why}[name]
	fail := func(text string) (int, error) { return 0, &Error{c.File, at + 1, 1, text} }
	switch {
	case *into != "":
		return fail(name + " is given twice")
	case len(c.statements) > 0:
		return fail(name + " must come before all statements")
	}
	var text strings.Builder
	text.WriteString(strings.TrimSpace(c.lines[at][len(name):]))
	for next = at + 1; name == "why" && next < len(c.lines) && indented(c.lines[next]); next++ {
		text.WriteString(" " + strings.TrimSpace(c.lines[next]))
	}
	if text.String() == "" {
		return fail(name + " needs a text")
	}
	*into = text.String()
	return next, nil
}

func indented(line string) bool {
	return strings.HasPrefix(line, " ") && strings.TrimSpace(line) != ""
}

// parseTable reads the table that follows expect, up to an empty line.
func (c *Case) parseTable(s *statement, from int) (next int, err error) {
	next = from
	for next < len(c.lines) && strings.TrimSpace(c.lines[next]) != "" {
		row := cells(c.lines[next])
		switch {
		case next == from:
			s.want.columns = row
		case len(row) != len(s.want.columns):
			return 0, &Error{
				c.File, next + 1, 1, fmt.Sprintf("%d cells where the table has %d columns: %s", len(row), len(s.want.columns),
					strings.Join(s.want.columns, " | ")),
			}
		default:
			s.want.rows = append(s.want.rows, row)
		}
		next++
	}
	if next == from {
		return 0, &Error{c.File, s.line, 1, "a table follows expect on the next line: column | column | …"}
	}
	s.rows = [2]int{from + 1, next + 1}
	return next, nil
}
