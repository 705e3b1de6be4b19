package openmetrics

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"gpuledger/ingest/series"
)

var (
	faultNotASample = &series.Fault{
		Reason: "not a sample", Column: "", Detail: "a sample is name{label=\"value\",…} value timestamp",
	}
	faultLabels = &series.Fault{
		Reason: "bad labels", Column: "labels",
		Detail: "labels are name=\"value\" pairs in braces, with \\, \" and line feeds escaped",
	}
	faultDuplicate = &series.Fault{
		Reason: "duplicate label", Column: "labels", Detail: "a series may have each label only once",
	}
	faultUTF8 = &series.Fault{
		Reason: "invalid utf-8", Column: "labels", Detail: "names and label values are UTF-8 without zero bytes",
	}
)

func nameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == ':'
}

// metricName returns the length of the unquoted metric name at the start of a line, 0 if there
// is none.
func metricName(line []byte) int {
	n := 0
	for n < len(line) && nameByte(line[n]) {
		n++
	}
	if n > 0 && line[0] >= '0' && line[0] <= '9' {
		return 0
	}
	return n
}

func skipBlanks(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t') {
		i++
	}
	return i
}

// parseSeries reads name{labels} at the start of a line, also in Prometheus 3's form with the
// name as a quoted string inside the braces. end is the end of the series' text.
func parseSeries(line []byte) (name string, ls series.Labels, end int, f *series.Fault) {
	n := metricName(line)
	name = string(line[:n])
	i := skipBlanks(line, n)
	if i >= len(line) || line[i] != '{' {
		if n == 0 {
			return "", nil, 0, faultNotASample
		}
		return name, nil, n, nil
	}
	i++
	for {
		i = skipBlanks(line, i)
		if i >= len(line) {
			return "", nil, 0, faultLabels
		}
		if line[i] == '}' {
			i++
			break
		}
		var key, value string
		var quoted bool
		if line[i] == '"' {
			quoted = true
			if key, i, f = quotedText(line, i); f != nil {
				return "", nil, 0, f
			}
		} else {
			k := i
			for i < len(line) && nameByte(line[i]) {
				i++
			}
			key = string(line[k:i])
		}
		i = skipBlanks(line, i)
		if key == "" || i >= len(line) {
			return "", nil, 0, faultLabels
		}
		if line[i] != '=' {
			if !quoted || name != "" {
				return "", nil, 0, faultLabels
			}
			name = key
		} else {
			i = skipBlanks(line, i+1)
			if i >= len(line) || line[i] != '"' {
				return "", nil, 0, faultLabels
			}
			if value, i, f = quotedText(line, i); f != nil {
				return "", nil, 0, f
			}
			if ls.Has(key) {
				return "", nil, 0, faultDuplicate
			}
			ls = append(ls, series.Label{Name: key, Value: value})
		}
		i = skipBlanks(line, i)
		if i < len(line) && line[i] == ',' {
			i++
		} else if i >= len(line) || line[i] != '}' {
			return "", nil, 0, faultLabels
		}
	}
	if name == "" {
		return "", nil, 0, faultNotASample
	}
	return name, ls, i, nil
}

// quotedText reads the string that starts at b[i] and returns the position after it.
func quotedText(b []byte, i int) (string, int, *series.Fault) {
	i++
	start := i
	escaped := false
	for {
		j := bytes.IndexAny(b[i:], "\"\\")
		if j < 0 {
			return "", 0, faultLabels
		}
		i += j
		if b[i] == '"' {
			break
		}
		escaped = true
		i += 2
		if i > len(b) {
			return "", 0, faultLabels
		}
	}
	raw := b[start:i]
	if !utf8.Valid(raw) || bytes.IndexByte(raw, 0) >= 0 {
		return "", 0, faultUTF8
	}
	if !escaped {
		return string(raw), i + 1, nil
	}
	return unescape(raw), i + 1, nil
}

// unescape resolves \\, \" and \n; any other backslash stays unchanged.
func unescape(raw []byte) string {
	var s strings.Builder
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' || i+1 == len(raw) {
			s.WriteByte(raw[i])
			continue
		}
		i++
		switch raw[i] {
		case 'n':
			s.WriteByte('\n')
		case '\\', '"':
			s.WriteByte(raw[i])
		default:
			s.WriteByte('\\')
			s.WriteByte(raw[i])
		}
	}
	return s.String()
}
