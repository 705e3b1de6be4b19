package export

import (
	"bufio"
	"strings"

	"gpuledger/metrics"
)

// writeCSV writes RFC 4180 with a header and CRLF line ends; texts as they are or, for a spreadsheet, neutralised.
func writeCSV(w *bufio.Writer, rows metrics.Rows, forExcel bool) error {
	cols := rows.Columns()
	var line []byte
	for _, c := range cols {
		line = append(appendCSVText(line, c.Name), ',')
	}
	for {
		line = append(line[:max(len(line)-1, 0)], "\r\n"...)
		if _, err := w.Write(line); err != nil {
			return err
		}
		if !rows.Next() {
			return rows.Err()
		}
		line = line[:0]
		for i, v := range rows.Values() {
			switch kind := cols[i].Kind; {
			case !v.Valid:
			case kind != metrics.Text:
				line = v.Append(line, kind) // digits, hex, dates: nothing to quote
			case forExcel:
				line = appendCSVText(line, Neutralise(v.Text))
			default:
				line = appendCSVText(line, v.Text)
			}
			line = append(line, ',')
		}
	}
}

// appendCSVText appends a cell of text, quoted where needed. The empty text, which is not NULL, is written as "".
func appendCSVText(buf []byte, s string) []byte {
	if s != "" && s[0] != ' ' && s[len(s)-1] != ' ' && !csvQuoted(s) {
		return append(buf, s...)
	}
	buf = append(buf, '"')
	buf = append(buf, strings.ReplaceAll(s, `"`, `""`)...)
	return append(buf, '"')
}

func csvQuoted(s string) bool {
	for i := range len(s) {
		if c := s[i]; c == ',' || c == '"' || c == '\r' || c == '\n' {
			return true
		}
	}
	return false
}

// Neutralise puts an apostrophe before a text that a spreadsheet would treat as a formula.
func Neutralise(s string) string {
	if s != "" && strings.IndexByte("=+-@\t\r", s[0]) >= 0 {
		return "'" + s
	}
	return s
}
