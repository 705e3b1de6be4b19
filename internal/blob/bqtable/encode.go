package bqtable

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// appendRecord writes a row or a nested record as a JSON object.
func appendRecord(b []byte, row []cell, fields []field) ([]byte, error) {
	if len(row) != len(fields) {
		return nil, fmt.Errorf("a row has %d fields, its schema %d", len(row), len(fields))
	}
	b = append(b, '{')
	first := true
	for i, f := range fields {
		if row[i].null() {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		b = append(appendString(b, f.Name), ':')
		var err error
		if b, err = appendField(b, row[i], f); err != nil {
			return nil, fmt.Errorf("column %s: %w", f.Name, err)
		}
	}
	return append(b, '}'), nil
}

func appendField(b []byte, c cell, f field) ([]byte, error) {
	if f.Mode != "REPEATED" {
		return appendValue(b, c, f)
	}
	var list []cell
	err := json.Unmarshal(c.Value, &list)
	if err != nil {
		return nil, err
	}
	b = append(b, '[')
	for i, e := range list {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = appendValue(b, e, f); err != nil {
			return nil, err
		}
	}
	return append(b, ']'), nil
}

// appendValue writes one value. All except records come as text.
func appendValue(b []byte, c cell, f field) ([]byte, error) {
	if c.null() {
		return append(b, "null"...), nil
	}
	switch f.Type {
	case "RECORD", "STRUCT":
		var r record
		if err := json.Unmarshal(c.Value, &r); err != nil {
			return nil, err
		}
		return appendRecord(b, r.Cells, f.Fields)
	}
	var text string
	if err := json.Unmarshal(c.Value, &text); err != nil {
		return nil, err
	}
	switch f.Type {
	case "STRING", "GEOGRAPHY", "JSON", "BYTES", "INTEGER", "INT64", "DATE", "TIME", "DATETIME", "INTERVAL", "RANGE":
		return appendString(b, text), nil
	case "NUMERIC", "BIGNUMERIC":
		if strings.ContainsRune(text, '.') {
			text = strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
		}
		return appendString(b, text), nil
	case "BOOLEAN", "BOOL":
		v, err := strconv.ParseBool(text)
		return strconv.AppendBool(b, v), err
	case "FLOAT", "FLOAT64":
		v, err := strconv.ParseFloat(text, 64)
		if math.IsNaN(v) || math.IsInf(v, 0) { // not a JSON number
			return appendString(b, strconv.FormatFloat(v, 'g', -1, 64)), err
		}
		return strconv.AppendFloat(b, v, 'g', -1, 64), err
	case "TIMESTAMP":
		var at time.Time
		err := timestamp(&at, c)
		return appendString(b, at.Format("2006-01-02 15:04:05.999999")+" UTC"), err
	}
	return nil, fmt.Errorf("type %s is not known here", f.Type)
}

// appendString writes JSON text; invalid UTF-8 becomes U+FFFD.
func appendString(b []byte, s string) []byte {
	text, err := json.Marshal(s)
	if err != nil { // strings never fail
		return append(b, `""`...)
	}
	return append(b, text...)
}
