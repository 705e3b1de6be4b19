package promquery

import (
	"fmt"
	"strings"

	"gpuledger/ingest/series"
)

// answer is a server's answer.
type answer struct {
	data      []byte // the member data, unparsed; nil: none
	errorType string
	message   string // why it failed; empty: it did not
	partial   string // why it may be incomplete; empty: it is complete
}

// readAnswer parses the envelope; data is only delimited.
func readAnswer(b []byte) (answer, error) {
	var a answer
	s := &scanner{b: b}
	status := ""
	partly := func(why string) {
		if a.partial == "" {
			a.partial = why
		}
	}
	err := s.object(func(key string) (err error) {
		switch key {
		case "status":
			status, err = s.text()
		case "errorType":
			a.errorType, err = s.text()
		case "error":
			a.message, err = s.text()
		case "data":
			a.data, err = s.skip()
		case "isPartial": // VictoriaMetrics' cluster
			var raw []byte
			if raw, err = s.skip(); string(raw) == "true" {
				partly("the server marked its answer as partial")
			}
		case "warnings", "infos":
			var list []string
			if list, err = s.strings(); err == nil {
				for _, text := range list {
					if key == "warnings" || !strings.HasPrefix(text, "PromQL info") {
						partly(text)
					}
				}
			}
		default:
			_, err = s.skip()
		}
		return err
	})
	if err == nil && s.peek() != 0 {
		err = s.fault("the end")
	}
	switch {
	case err != nil:
		return answer{}, err
	case status == "error" && a.message == "":
		a.message = "no reason given"
	case status != "success" && status != "error":
		return answer{}, fmt.Errorf("%w: status %q", errJSON, status)
	}
	return a, nil
}

// strings reads a list of strings, or null.
func (s *scanner) strings() ([]string, error) {
	if s.peek() != '[' {
		_, err := s.skip()
		return nil, err
	}
	var list []string
	err := s.array(func() error {
		text, err := s.text()
		list = append(list, text)
		return err
	})
	return list, err
}

// sink receives the series of a matrix.
type sink interface {
	// begin starts a series; raw is its metric member, valid during the call.
	begin(raw []byte) error
	// sample receives a sample of the series; ok is false if time or value are invalid.
	sample(ms int64, v series.Decimal, ok bool)
	// histograms counts native histograms of the series.
	histograms(n int)
}

// readMatrix reads the member data of a range selector's answer.
func readMatrix(data []byte, to sink) error {
	s := &scanner{b: data}
	if s.peek() != '{' {
		return s.fault("{")
	}
	kind, met := "", false
	err := s.object(func(key string) (err error) {
		switch key {
		case "resultType":
			kind, err = s.text()
		case "result":
			met = true
			if s.peek() == 'n' { // null: nothing found
				_, err = s.skip()
				return err
			}
			err = s.array(func() error { return readSeries(s, to) })
		default:
			_, err = s.skip()
		}
		return err
	})
	if err == nil && (kind != "matrix" || !met) {
		err = fmt.Errorf("%w: the result has type %q; expected a matrix", errJSON, kind)
	}
	return err
}

// readSeries reads one element of a matrix. The metric usually comes first, but need not.
func readSeries(s *scanner, to sink) error {
	var later []int // starts of values that came before their metric
	begun := false
	err := s.object(func(key string) error {
		switch key {
		case "metric":
			s.space()
			raw, err := s.skip()
			if err == nil {
				begun = true
				err = to.begin(raw)
			}
			return err
		case "values", "histograms":
			if begun {
				return readValues(s, to)
			}
			s.space()
			later = append(later, s.i)
			_, err := s.skip()
			return err
		}
		_, err := s.skip()
		return err
	})
	if err != nil {
		return err
	}
	if !begun {
		return fmt.Errorf("%w: byte %d: a series without its metric", errJSON, s.i)
	}
	for _, at := range later {
		again := &scanner{b: s.b, i: at}
		if err := readValues(again, to); err != nil {
			return err
		}
	}
	return nil
}

// readValues reads [[time, "value"], …]; it counts histograms, which are objects.
func readValues(s *scanner, to sink) error {
	if s.peek() == 'n' {
		_, err := s.skip()
		return err
	}
	found := 0
	err := s.array(func() error {
		if err := s.take('['); err != nil {
			return err
		}
		s.space()
		t, n := series.ParseDecimal(s.b[s.i:])
		if n == 0 {
			return s.fault("a time")
		}
		s.i += n
		if err := s.take(','); err != nil {
			return err
		}
		if s.peek() == '{' {
			found++
			if _, err := s.skip(); err != nil {
				return err
			}
			return s.take(']')
		}
		text, _, err := s.raw()
		if err != nil {
			return err
		}
		v, n := series.ParseDecimal(text)
		ms, seconds, ok := t.Millis()
		to.sample(ms, v, ok && seconds && n > 0 && n == len(text))
		return s.take(']')
	})
	if found > 0 {
		to.histograms(found)
	}
	return err
}

// readMetric reads a metric member: the name, and the other labels except those that drop
// selects.
func readMetric(raw []byte, drop func(name, label string) bool) (name string, ls series.Labels, err error) {
	s := &scanner{b: raw}
	err = s.object(func(key string) error {
		value, err := s.text()
		if err == nil && value != "" { // an empty label counts as absent
			ls = append(ls, series.Label{Name: key, Value: value})
		}
		return err
	})
	if err != nil {
		return "", nil, err
	}
	kept := ls[:0]
	for _, l := range ls {
		if l.Name == "__name__" {
			name = l.Value
		}
	}
	for _, l := range ls {
		if l.Name != "__name__" && !drop(name, l.Name) {
			kept = append(kept, l)
		}
	}
	return name, kept, nil
}

// readNames reads the data of a label's values.
func readNames(data []byte) ([]string, error) {
	s := &scanner{b: data}
	return s.strings()
}
