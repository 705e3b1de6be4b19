package export

import (
	"bufio"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"gpuledger/metrics"
)

// writeJSON writes {"data":[…],"meta":{…}} with one object per row and line.
func writeJSON(w *bufio.Writer, rows *counted, o Options) error {
	cols := rows.Columns()
	names := make([][]byte, len(cols))
	for i, c := range cols {
		name, err := json.Marshal(c.Name)
		if err != nil {
			return fmt.Errorf("column name %q: %w", c.Name, err)
		}
		names[i] = append(name, ':')
	}
	w.WriteString(`{"data":[`)
	var buf []byte
	for rows.Next() {
		buf = buf[:0]
		if rows.n > 1 {
			buf = append(buf, ',')
		}
		buf = append(buf, "\n{"...)
		for i, v := range rows.Values() {
			if i > 0 {
				buf = append(buf, ',')
			}
			buf = append(buf, names[i]...)
			var err error
			if buf, err = appendJSON(buf, v, cols[i].Kind); err != nil {
				return fmt.Errorf("row %d, column %s: %w", rows.n, cols[i].Name, err)
			}
		}
		if _, err := w.Write(append(buf, '}')); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	w.WriteString("\n],\"meta\":")
	var meta any = map[string]any{"dataset": o.Dataset, "rows": rows.n}
	if o.Meta != nil {
		meta = o.Meta(rows.n, rows.more)
	}
	text, err := json.Marshal(meta)
	if err != nil {
		return fmt.Errorf("meta: %w", err)
	}
	w.Write(text)
	_, err = w.WriteString("}\n")
	return err
}

func appendJSON(buf []byte, v metrics.Value, k metrics.Kind) ([]byte, error) {
	switch {
	case !v.Valid:
		return append(buf, "null"...), nil
	case k.Integer():
		return strconv.AppendInt(buf, v.Int, 10), nil
	case k == metrics.Bool:
		return strconv.AppendBool(buf, v.Bool), nil
	case k == metrics.Time:
		buf = append(buf, '"')
		buf = v.Time.UTC().AppendFormat(buf, time.RFC3339Nano)
		return append(buf, '"'), nil
	case k.Decimal() || k == metrics.ID:
		buf = append(buf, '"') // digits only: nothing to escape
		buf = append(buf, v.Text...)
		return append(buf, '"'), nil
	}
	if plainJSON(v.Text) {
		buf = append(buf, '"')
		buf = append(buf, v.Text...)
		return append(buf, '"'), nil
	}
	text, err := json.Marshal(v.Text)
	return append(buf, text...), err
}

// plainJSON reports whether a text has nothing that json.Marshal escapes.
func plainJSON(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			return false
		}
	}
	return true
}
