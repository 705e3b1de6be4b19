package export

import (
	"bufio"
	"strings"

	"gpuledger/metrics"
)

// writeCSV writes RFC 4180 with a header and CRLF line ends; texts as they are or, for a spreadsheet, neutralised.
func writeCSV(w *bufio.Writer, rows metrics.Rows, forExcel bool) error {
	cols := rows.Columns()
	for i, c := range cols {
		if i > 0 {
			w.WriteByte(',')
		}
		writeCSVText(w, c.Name)
	}
	if _, err := w.WriteString("\r\n"); err != nil {
		return err
	}
	for rows.Next() {
		values := rows.Values()
		for i, v := range values {
			if i > 0 {
				w.WriteByte(',')
			}
			switch {
			case !v.Valid:
			case cols[i].Kind == metrics.Text && forExcel:
				writeCSVText(w, Neutralise(v.Text))
			case cols[i].Kind == metrics.Text:
				writeCSVText(w, v.Text)
			default:
				w.WriteString(v.String(cols[i].Kind)) // digits, hex, dates: nothing to quote
			}
		}
		if _, err := w.WriteString("\r\n"); err != nil { // a bufio.Writer keeps its first error
			return err
		}
	}
	return rows.Err()
}

// writeCSVText writes a cell of text, quoted where needed. The
// empty text, which is not NULL, is written as "".
func writeCSVText(w *bufio.Writer, s string) {
	if s != "" && !strings.ContainsAny(s, ",\"\r\n") && s[0] != ' ' && s[len(s)-1] != ' ' {
		w.WriteString(s)
		return
	}
	w.WriteByte('"')
	w.WriteString(strings.ReplaceAll(s, `"`, `""`))
	w.WriteByte('"')
}

// Neutralise puts an apostrophe before a text that a spreadsheet would treat as a formula.
func Neutralise(s string) string {
	if s != "" && strings.IndexByte("=+-@\t\r", s[0]) >= 0 {
		return "'" + s
	}
	return s
}
