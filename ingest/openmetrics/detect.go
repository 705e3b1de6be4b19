package openmetrics

import (
	"bytes"

	"gpuledger/ingest/series"
)

// Detect reports whether a file with this start looks like exposition text: a HELP, TYPE, UNIT
// or EOF line, or a sample, is among its first lines. Title lines before it do no harm. A
// sample is recognised by its labels, by a name that is read, or by a value and a time after
// its name and nothing else.
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

func sampleLike(line []byte) bool {
	if len(line) == 0 {
		return false
	}
	name, ls, end, f := parseSeries(line)
	if f != nil || end >= len(line) || !blank(line[end]) {
		return false
	}
	rest, _, _ := bytes.Cut(line[end:], []byte(" # ")) // an exemplar
	numbers := bytes.Fields(rest)
	for _, text := range numbers {
		if _, n := series.ParseDecimal(text); n != len(text) {
			return false
		}
	}
	return len(numbers) == 2 || len(numbers) == 1 && (len(ls) > 0 || series.Known(name))
}
