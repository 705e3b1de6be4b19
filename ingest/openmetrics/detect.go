package openmetrics

import "bytes"

// Detect reports whether the start of a file looks like exposition text: a
// HELP, TYPE, UNIT or EOF line, or a sample of a known metric, among its first
// lines. Title lines before it do no harm.
func Detect(head []byte) bool {
	if bytes.IndexByte(head, 0) >= 0 {
		return false
	}
	head = bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	for range 20 {
		line, rest, more := bytes.Cut(head, []byte("\n"))
		for _, mark := range []string{"# HELP ", "# TYPE ", "# UNIT ", "# EOF"} {
			if bytes.HasPrefix(line, []byte(mark)) {
				return true
			}
		}
		if sampleLike(line) {
			return true
		}
		if !more {
			return false
		}
		head = rest
	}
	return false
}

// sampleLike reports whether a line is a whole sample with labels, or one of a
// known metric.
func sampleLike(line []byte) bool {
	if len(line) == 0 {
		return false
	}
	name, ls, end, f := parseSeries(line)
	if f != nil || end >= len(line) || !blank(line[end]) || len(ls) == 0 && binders[name] == nil {
		return false
	}
	i := skipBlanks(line, end)
	_, n := parseDecimal(line[i:])
	return n > 0
}
