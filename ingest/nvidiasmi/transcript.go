package nvidiasmi

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

// problem is an unreadable value or row.
type problem struct{ reason, column, found string }

const (
	// maxDocument bounds one XML document: a machine has at most some dozen GPUs.
	maxDocument = 32 << 20
	maxLine     = 1 << 20
)

// errCut is wrapped if an XML document does not end.
var errCut = errors.New("the XML document breaks off before </nvidia_smi_log>; capture it again")

// Counts counts the lines and rows of an input.
type Counts struct {
	Documents int64 // XML documents
	Rows      int64 // rows of tables
	Listed    int64 // lines of -L, mig -lgi and the table without arguments
	Other     int64 // lines of other outputs and between them
}

// reader splits an input into snapshots.
type reader struct {
	zone    *time.Location
	counts  Counts
	listing listing
	table   overview
	told    map[string]bool // UUIDs in any snapshot
	newest  time.Time
	found   func(line int64, p problem)
	emit    func(line int64, s *Snapshot) error

	head    *head
	doc     bytes.Buffer
	inDoc   bool
	docLine int64
}

// run reads the whole input. Snapshots are in its order; a listing applies to the outputs after
// it.
func (r *reader) run(ctx context.Context, in io.Reader) error {
	r.table.zone = r.zone
	lines := bufio.NewReaderSize(in, 64<<10)
	for n := int64(1); ; n++ {
		if n&0xfff == 0 && ctx.Err() != nil {
			return fmt.Errorf("line %d: %w", n, ctx.Err())
		}
		text, err := readLine(lines)
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("line %d: %w", n, err)
		}
		if text != "" || err == nil {
			if n == 1 {
				text = strings.TrimPrefix(text, "\ufeff")
			}
			if err := r.line(n, strings.TrimRight(text, "\r\n")); err != nil {
				return fmt.Errorf("line %d: %w", n, err)
			}
		}
		if err != nil {
			break
		}
	}
	if r.inDoc {
		return fmt.Errorf("line %d: %w", r.docLine, errCut)
	}
	if err := r.endTable(); err != nil {
		return err
	}
	return r.listed()
}

// endTable emits the table without arguments that ends here.
func (r *reader) endTable() error {
	line := r.table.line
	s, found := r.table.finish(&r.listing)
	if s == nil {
		return nil
	}
	return r.snapshot(line, s, found)
}

// listed emits the GPUs that occur only in a listing: their existence and their MIG instances.
func (r *reader) listed() error {
	s := r.listing.snapshot(func(uuid string) bool { return !r.told[uuid] })
	if len(s.GPUs) == 0 {
		return nil
	}
	s.At = r.newest
	return r.emit(r.listing.gpus[0].line, s)
}

// readLine returns a line with its end; io.EOF comes with the last one.
func readLine(in *bufio.Reader) (string, error) {
	var long []byte
	for {
		part, err := in.ReadSlice('\n')
		long = append(long, part...)
		if len(long) > maxLine {
			return "", fmt.Errorf("a line is longer than %d bytes", maxLine)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return string(long), err
		}
	}
}

func (r *reader) line(n int64, text string) error {
	if r.inDoc {
		return r.document(n, text)
	}
	trimmed := strings.TrimSpace(text)
	if strings.HasPrefix(trimmed, "<?xml") || strings.HasPrefix(trimmed, "<!DOCTYPE nvidia_smi_log") ||
		strings.HasPrefix(trimmed, "<nvidia_smi_log") {
		r.head, r.inDoc, r.docLine = nil, true, n
		r.doc.Reset()
		return r.document(n, text)
	}
	if r.table.take(n, text) {
		r.head = nil
		r.counts.Listed++
		if strings.HasPrefix(trimmed, "| Processes:") {
			return r.endTable()
		}
		return nil
	}
	if r.table.open && trimmed != "" {
		if err := r.endTable(); err != nil {
			return err
		}
	}
	if h, ok := headOf(text); ok {
		r.head = &h
		return nil
	}
	if r.head != nil && trimmed != "" {
		cells, ok := r.head.fit(split(text))
		if ok {
			return r.row(n, cells)
		}
		// Drivers print warnings inside tables; a row has its columns.
		if len(split(text)) > 1 {
			r.found(n, problem{"bad row", "", text})
			return nil
		}
	}
	if trimmed == "" {
		return nil // a table may continue after a blank line of a log
	}
	if strings.HasPrefix(trimmed, "#") {
		r.head = nil
	}
	if r.listing.line(n, text) {
		r.counts.Listed++
		return nil
	}
	r.counts.Other++
	return nil
}

func (r *reader) row(n int64, cells []string) error {
	r.counts.Rows++
	var s Snapshot
	var found []problem
	if r.head.apps {
		s, found = r.head.app(cells, r.zone)
	} else {
		s, found = r.head.row(cells, r.zone)
		for i := range s.GPUs {
			if g := &s.GPUs[i]; g.MIG { // the row does not list instances; a listing above it may
				for _, l := range r.listing.snapshot(func(uuid string) bool { return uuid == g.UUID }).GPUs {
					g.Instances = l.Instances
				}
			}
		}
	}
	return r.snapshot(n, &s, found)
}

func (r *reader) document(n int64, text string) error {
	if r.doc.Len()+len(text) > maxDocument {
		return fmt.Errorf("the XML document is larger than %d bytes", maxDocument)
	}
	const end = "</nvidia_smi_log>"
	at := strings.Index(text, end)
	if at < 0 {
		r.doc.WriteString(text)
		r.doc.WriteByte('\n')
		return nil
	}
	r.doc.WriteString(text[:at+len(end)])
	r.inDoc = false
	r.counts.Documents++
	s, found, err := parseXML(r.doc.Bytes(), r.zone)
	if err != nil {
		return err
	}
	if err := r.snapshot(r.docLine, s, found); err != nil {
		return err
	}
	if rest := text[at+len(end):]; strings.TrimSpace(rest) != "" {
		return r.line(n, rest)
	}
	return nil
}

func (r *reader) snapshot(n int64, s *Snapshot, found []problem) error {
	for _, p := range found {
		r.found(n, p)
	}
	if len(s.GPUs) == 0 {
		return nil
	}
	r.listing.complete(s)
	if r.told == nil {
		r.told = map[string]bool{}
	}
	for i := range s.GPUs {
		r.told[s.GPUs[i].UUID] = true
	}
	if s.At.After(r.newest) {
		r.newest = s.At
	}
	return r.emit(n, s)
}

// Read splits an input for the node agent: snapshots in their order, and the unreadable parts
// as texts.
func Read(
	ctx context.Context, in io.Reader, zone *time.Location, emit func(*Snapshot) error,
) (problems []string, err error) {
	r := &reader{zone: zone, emit: func(_ int64, s *Snapshot) error { return emit(s) },
		found: func(line int64, p problem) {
			problems = append(problems, fmt.Sprintf("line %d: %s: %q", line, p.reason, p.found))
		}}
	return problems, r.run(ctx, in)
}
