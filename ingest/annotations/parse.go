package annotations

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"

	"gpuledger/ingest/records"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/metrics"
)

const (
	most    = 100_000 // annotations of a file, which is held in memory
	longest = 1000    // bytes of a field
)

var format = records.Table{
	Rows:     "annotations",
	Columns:  []string{"at", "until", "kind", "key", "value", "text", "source", "link"},
	Required: []string{"at", "kind", "text"},
}

// Detect reports whether the start of a file is the header of a list of annotations.
func Detect(head []byte) bool { return format.Detect(head) }

// Parse reads one file. A *ledger.FileError refuses it.
func Parse(
	ctx context.Context, in io.Reader, file string,
) (found []ledger.Annotation, read ledger.Reading, err error) {
	err = format.Each(ctx, in, file, &read, func(r *records.Record) *records.Fault {
		if len(found) == most {
			return fault("", "too many rows", fmt.Sprintf("a file has at most %d annotations; split it", most))
		}
		a, bad := annotation(r)
		if bad == nil {
			found = append(found, a)
		}
		return bad
	})
	return found, read, err
}

func fault(column, reason, detail string) *records.Fault {
	return &records.Fault{Column: column, Reason: reason, Detail: detail}
}

// annotation reads a row.
func annotation(r *records.Record) (a ledger.Annotation, bad *records.Fault) {
	for _, column := range format.Columns {
		if n := len(r.Text(column)); n > longest {
			return a, fault(column, "too long", fmt.Sprintf("%d bytes; at most %d are kept", n, longest))
		}
	}
	text := func(column string) string { return records.Clean(r.Text(column)) }
	a = ledger.Annotation{Kind: ledger.AnnotationKind(strings.ToLower(text("kind"))), Key: text("key"),
		Value: text("value"), Text: text("text"), Source: text("source"), Link: text("link")}
	for _, read := range []func(*ledger.Annotation, func(string) string) *records.Fault{times, kind, key, words, link} {
		if bad := read(&a, text); bad != nil {
			return a, bad
		}
	}
	return a, nil
}

// times reads at and until.
func times(a *ledger.Annotation, text func(string) string) *records.Fault {
	if text("at") == "" {
		return fault("at", "missing value", "say when it happened, such as 2026-11-03T08:00:00Z")
	}
	for _, field := range []struct {
		column string
		to     *period.Second
	}{{"at", &a.At}, {"until", &a.Until}} {
		said := text(field.column)
		if said == "" {
			continue
		}
		ms, err := records.Moment(said, nil)
		if err != nil {
			return fault(field.column, "not a time", fmt.Sprintf("%q: %v", records.Clip(said), err))
		}
		*field.to = period.FromMillis(ms)
	}
	if a.Until != 0 && a.Until < a.At {
		return fault("until", "ends before it begins", fmt.Sprintf("%s is before %s", a.Until, a.At))
	}
	return nil
}

func kind(a *ledger.Annotation, _ func(string) string) *records.Fault {
	if slices.Contains(ledger.AnnotationKinds, a.Kind) {
		return nil
	}
	names := make([]string, len(ledger.AnnotationKinds))
	for i, k := range ledger.AnnotationKinds {
		names[i] = string(k)
	}
	return fault("kind", "unknown kind", fmt.Sprintf("%q is not one of %s", records.Clip(string(a.Kind)),
		strings.Join(names, ", ")))
}

// key checks key and value: those of a row about the whole fleet are empty, or all and empty.
func key(a *ledger.Annotation, _ func(string) string) *records.Fault {
	whole := a.Key == "" || a.Key == ledger.BudgetAll
	switch _, known := metrics.LookupKey(a.Key); {
	case !whole && !known:
		return fault("key", "unknown key", fmt.Sprintf("%q is not a group key such as team, project or cluster; "+
			"leave it empty for the whole fleet", records.Clip(a.Key)))
	case whole && a.Value != "":
		return fault("value", "unexpected value", fmt.Sprintf("%q needs a key, such as team", records.Clip(a.Value)))
	case !whole && a.Value == "":
		return fault("value", "missing value", "name the "+records.Clip(a.Key)+" that it is about")
	}
	return nil
}

// words checks text and source.
func words(a *ledger.Annotation, _ func(string) string) *records.Fault {
	switch {
	case a.Text == "":
		return fault("text", "missing value", "say in a few words what happened")
	case strings.EqualFold(a.Source, ledger.AnnotationsOfLedger):
		return fault("source", "reserved source", fmt.Sprintf("%q marks events of the ledger itself; name the system "+
			"or team that reports this", a.Source))
	}
	return nil
}

func link(a *ledger.Annotation, _ func(string) string) *records.Fault {
	if a.Link == "" {
		return nil
	}
	u, err := url.Parse(a.Link)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return fault("link", "not a link", fmt.Sprintf("%q is not an address that begins with https:// or http://",
			records.Clip(a.Link)))
	}
	return nil
}
