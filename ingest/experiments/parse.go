package experiments

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"gpuledger/ingest/records"
	"gpuledger/ingest/table"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// fields are all fields of a row; the first three are required.
var fields = []string{"experiment", "metric", "value", "run", "baseline", "threshold", "direction", "model_version",
	"dataset", "dataset_size", "dataset_unit", "at"}

const required = 3

// lists are members of outermost objects that contain the rows.
var lists = []string{"results", "experiments"}

// Options are facts that a file lacks.
type Options struct {
	Zone *time.Location // of times without one; nil: UTC
}

// Detect reports whether a file with this start contains only results.
func Detect(head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n")
	if len(head) == 0 {
		return false
	}
	if head[0] != '{' && head[0] != '[' {
		line, _, _ := bytes.Cut(head, []byte("\n"))
		return check(strings.Split(strings.TrimRight(string(line), "\r"), ",")) == ""
	}
	for _, name := range fields[:required] {
		if !bytes.Contains(head, []byte(strconv.Quote(name))) {
			return false
		}
	}
	return true
}

// Looks reports whether a file that was named as experiments is meant to contain results, so
// that its errors refer to results.
func Looks(head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n")
	if len(head) == 0 {
		return false
	}
	if head[0] == '{' || head[0] == '[' {
		return bytes.Contains(head, []byte(`"experiment"`)) &&
			(bytes.Contains(head, []byte(`"metric"`)) || bytes.Contains(head, []byte(`"value"`)))
	}
	line, _, _ := bytes.Cut(head, []byte("\n"))
	has := map[string]bool{}
	for name := range strings.SplitSeq(string(line), ",") {
		has[table.Squash(strings.Trim(strings.TrimSpace(name), `"`))] = true
	}
	return has["experiment"] && (has["metric"] || has["value"])
}

// check returns the fault of a row's field names; empty: none.
func check(names []string) string {
	var folded []string
	for _, name := range names {
		f := table.Squash(strings.Trim(strings.TrimSpace(name), `"`))
		switch {
		case !slices.ContainsFunc(fields, func(field string) bool { return table.Squash(field) == f }):
			return fmt.Sprintf("%q is unknown: a row has %s", records.Clip(records.Clean(name)), strings.Join(fields, ", "))
		case slices.Contains(folded, f):
			return fmt.Sprintf("%s appears twice", f)
		}
		folded = append(folded, f)
	}
	for _, name := range fields[:required] {
		if !slices.Contains(folded, name) {
			return fmt.Sprintf("%s is missing: a row needs %s, and may have %s", name, strings.Join(fields[:required], ", "),
				strings.Join(fields[required:], ", "))
		}
	}
	return ""
}

// Parse reads one file and calls use with its results, which use may keep. A *ledger.FileError
// refuses the file; an error of use ends it.
func Parse(
	ctx context.Context, in io.Reader, file string, o Options, use func(*ledger.ExperimentResult) error,
) (ledger.Reading, error) {
	var read ledger.Reading
	said := map[ledger.ID]string{} // of this file
	csv := false
	rd := records.Reader{
		Lists: lists,
		Header: func(names []string) error {
			csv = true
			if wrong := check(names); wrong != "" {
				return &ledger.FileError{Rejection: ledger.Rejection{File: file, Reason: "unexpected columns", Detail: wrong}}
			}
			return nil
		},
		Reject: func(r ledger.Rejection) {
			read.Rows++
			read.Reject(r)
		},
	}
	err := rd.Each(ctx, in, file, func(r *records.Record) error {
		read.Rows++
		result, bad := resultOf(r, csv, o)
		if bad == nil {
			text := result.text()
			switch before, twice := said[result.ID]; {
			case !twice:
				said[result.ID] = text
			case before != text:
				bad = &fieldError{
					"value", "contradicts an earlier row",
					"one experiment, run, metric, model version, dataset and time have one result: " + before + " before, " +
						text + " now",
				}
			}
		}
		if bad != nil {
			read.Reject(ledger.Rejection{File: file, Line: r.Line, Column: bad.column, Reason: bad.reason, Detail: bad.detail})
			return nil
		}
		read.Accepted++
		read.Note(records.ReadAsUTC, records.Zoneless(o.Zone, r.Text("at")))
		return use(&result.ExperimentResult)
	})
	return read, err
}

// fieldError is the fault of one field.
type fieldError struct{ column, reason, detail string }

type result struct{ ledger.ExperimentResult }

// text is a result's value and further fields, without its key.
func (r *result) text() string {
	words := []string{r.Value.String()}
	for _, n := range []*money.Amount{r.Baseline, r.Threshold, r.DatasetSize} {
		if n == nil {
			words = append(words, "-")
			continue
		}
		words = append(words, n.String())
	}
	if r.DatasetUnit != "" {
		words = append(words, r.DatasetUnit)
	}
	if r.Lower {
		words = append(words, "lower")
	}
	return strings.Join(words, " ")
}

func resultOf(r *records.Record, csv bool, o Options) (*result, *fieldError) {
	if !csv { // the header of CSV was checked
		if wrong := check(r.Names()); wrong != "" {
			return nil, &fieldError{"", "unexpected fields", wrong}
		}
	}
	out := &result{}
	for _, f := range []struct {
		name string
		to   *string
		need bool
	}{
		{"experiment", &out.Experiment, true}, {"metric", &out.Metric, true}, {"run", &out.Run, false},
		{"model_version", &out.ModelVersion, false}, {"dataset", &out.Dataset, false},
		{"dataset_unit", &out.DatasetUnit, false},
	} {
		*f.to = records.Clean(r.Text(f.name))
		if *f.to == "" && f.need {
			return nil, &fieldError{f.name, "missing value", "a result needs its experiment and its metric"}
		}
	}
	value, bad := number(r, "value")
	if bad == nil && value == nil {
		bad = &fieldError{"value", "missing value", "a result needs its value"}
	}
	if bad != nil {
		return nil, bad
	}
	out.Value = *value
	if out.Baseline, bad = number(r, "baseline"); bad != nil {
		return nil, bad
	}
	if out.Threshold, bad = number(r, "threshold"); bad != nil {
		return nil, bad
	}
	if out.DatasetSize, bad = size(r, &out.ExperimentResult); bad != nil {
		return nil, bad
	}
	switch strings.ToLower(r.Text("direction")) {
	case "", "higher":
	case "lower":
		out.Lower = true
	default:
		return nil, &fieldError{"direction", "not a direction", "higher or lower is expected"}
	}
	var said int64 // as written: in another zone it is the same result
	if text := r.Text("at"); text != "" {
		ms, err := records.Moment(text, o.Zone)
		if err != nil {
			return nil, &fieldError{"at", "not a time", err.Error()}
		}
		out.At, said = period.Second(ms/1000), ms/1000
		if records.Clock(text) != "" {
			if ms, err = records.Moment(text, time.UTC); err != nil {
				return nil, &fieldError{"at", "not a time", err.Error()}
			}
			said = ms / 1000
		}
	}
	key := []string{out.Experiment, out.Run, out.Metric, strconv.FormatInt(said, 10)}
	if out.ModelVersion != "" || out.Dataset != "" { // without them, the id is that of earlier releases
		key = append(key, out.ModelVersion, out.Dataset)
	}
	out.ID = ledger.NewID("experiment result", key...)
	return out, nil
}

// size reads the size of the dataset.
func size(r *records.Record, e *ledger.ExperimentResult) (*money.Amount, *fieldError) {
	n, bad := number(r, "dataset_size")
	switch {
	case bad != nil:
		return nil, bad
	case n != nil && n.Sign() < 0:
		return nil, &fieldError{"dataset_size", "below zero", "the size of a dataset is 0 or more"}
	case n != nil && e.Dataset == "":
		return nil, &fieldError{"dataset", "missing value", "dataset_size is the size of a dataset: name the dataset"}
	case n == nil && e.DatasetUnit != "":
		return nil, &fieldError{"dataset_size", "missing value", "dataset_unit is the unit of dataset_size: give both"}
	}
	return n, nil
}

// number reads a decimal, nil if there is none.
func number(r *records.Record, name string) (*money.Amount, *fieldError) {
	text := r.Text(name)
	if text == "" {
		return nil, nil
	}
	n, err := money.Parse(text)
	if err != nil {
		return nil, &fieldError{name, "not a number", "a decimal such as 0.87 is expected, without % or unit"}
	}
	return &n, nil
}
