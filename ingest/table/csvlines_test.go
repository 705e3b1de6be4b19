package table

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// allRows reads rows until an error, io.EOF included.
func allRows(next func() (fields []string, line int64, err error)) ([]string, error) {
	var out []string
	for {
		fields, line, err := next()
		if err != nil {
			return out, err
		}
		out = append(out, fmt.Sprintf("%d %q", line, fields))
	}
}

func ours(c *csvLines) func() ([]string, int64, error) {
	return func() ([]string, int64, error) {
		if err := c.next(); err != nil {
			return nil, 0, err
		}
		var fields []string
		for i := range c.fields {
			fields = append(fields, c.string(c.fields[i]))
		}
		return fields, c.at, nil
	}
}

// blocks reads several rows at once where that is possible.
func blocks(c *csvLines) func() ([]string, int64, error) {
	var rows [][]string
	var lines []int64
	take := func(fields []csvField) {
		var row []string
		for _, f := range fields {
			row = append(row, c.string(f))
		}
		rows, lines = append(rows, row), append(lines, c.at)
	}
	return func() ([]string, int64, error) {
		if len(rows) == 0 {
			if err := c.next(); err != nil {
				return nil, 0, err
			}
			take(c.fields)
			for fields := c.more(); fields != nil; fields = c.more() {
				take(fields)
			}
		}
		row, line := rows[0], lines[0]
		rows, lines = rows[1:], lines[1:]
		return row, line, nil
	}
}

// compareCSV reads a text with encoding/csv and with csvLines.
func compareCSV(t *testing.T, text string) {
	t.Helper()
	text = strings.TrimPrefix(text, "\ufeff")
	r := csv.NewReader(strings.NewReader(text))
	r.FieldsPerRecord = -1
	want, werr := allRows(func() ([]string, int64, error) {
		fields, err := r.Read()
		if err != nil {
			return nil, 0, err
		}
		line, _ := r.FieldPos(0)
		return fields, int64(line), nil
	})
	for name, in := range map[string]io.Reader{
		"at once": strings.NewReader(text), "byte by byte": iotest.OneByteReader(strings.NewReader(text)),
		"end with data": iotest.DataErrReader(strings.NewReader(text)),
	} {
		read := ours
		if name == "end with data" {
			read = blocks
		}
		got, err := allRows(read(newCSVLines(in)))
		if !slices.Equal(got, want) || err.Error() != werr.Error() {
			t.Fatalf("%s: %q\n%v %v, want\n%v %v", name, text, got, err, want, werr)
		}
	}
}

var csvTexts = []string{
	"", "\n", "a", "a,b\n1,2\n", "a,b\r\n1,2\r\n", "a,b\r\n\r\n\n1,2", "a,b\n1,2\r",
	"\r", "\r\n", "a\r,b\n", "a,\n,b\n,\n", "\"a\"\n", "\"a,b\",\"c\"\"d\"\n",
	"\"a\nb\",c\nd\n", "\"a\r\nb\rc\",d\r\ne\n", "a\"b\n", "x,a\"b,\"c\"\n", "\"a\"b\n",
	"\"a\" ,b\n", "\"a", "\"a\"\"", "ok\n\"a\nb\nc", "\"a\"\r", "\"a\"\rb", "\"\"", "\"\",\"\"\n",
	"a,\"\"\"\",b\n", "a,\"b\"\n\nc,\"d\ne\"\n\nf\n", "é,\"ü\"\n", "\x00,\xff\n",
	"\"a\",", "\"a\"\n\"", "a,b\n\"c,d\n", "\"{\"\"k\"\":\"\"v\"\"}\",1\n",
	"\"x\ny\"\nz\"z\n", "  \"a\"\n", "a\n\r\nb", "a\n\rb\n", "\"\n\n\",\"\n\"\n\"q\"q",
}

func TestCSVIsReadAsEncodingCSVDoes(t *testing.T) {
	for _, text := range csvTexts {
		compareCSV(t, text)
	}
}

func FuzzCSVLines(f *testing.F) {
	for _, text := range csvTexts {
		f.Add(text)
	}
	f.Fuzz(compareCSV)
}

func TestByteOrderMarkBeforeQuotes(t *testing.T) {
	got, err := allRows(ours(newCSVLines(strings.NewReader("\ufeff\"a\",b\n"))))
	if !errors.Is(err, io.EOF) || len(got) != 1 || got[0] != `1 ["a" "b"]` {
		t.Errorf("%v %v", got, err)
	}
}

func TestRowsBeforeAFaultOfTheInputAreRead(t *testing.T) {
	broken := errors.New("broken")
	got, err := allRows(ours(newCSVLines(io.MultiReader(strings.NewReader("a,b\nc,d\ne,"), iotest.ErrReader(broken)))))
	if !errors.Is(err, broken) || len(got) != 2 {
		t.Errorf("%v %v", got, err)
	}
}
