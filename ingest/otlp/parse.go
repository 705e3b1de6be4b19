package otlp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"gpuledger/ingest/series"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// Options are facts that a file lacks.
type Options struct {
	Cluster string // of every series; empty: its resource's, else "default"
	// Series configures facts that samples lack; its Cluster is the one above.
	Series series.Options
	// NotAfter bounds plausible times; 0: 2100.
	NotAfter period.Second
	// MaxPending bounds the data held before a flush, in hours of one signal; 0: 65,536.
	MaxPending int
	// MaxMessage bounds one message in bytes; 0: 64 MiB.
	MaxMessage int
}

// Looks reports whether a file with this start is OTLP metrics as JSON.
func Looks(head []byte) bool {
	head = bytes.TrimLeft(head, " \t\r\n[")
	return len(head) > 0 && head[0] == '{' &&
		(bytes.Contains(head, []byte(`"resourceMetrics"`)) || bytes.Contains(head, []byte(`"resource_metrics"`)))
}

// Parse reads a captured file: one request as protobuf, length-prefixed messages as the
// Collector's file exporter writes them, or JSON objects one after the other. Each sample of a
// series is a row, and so is each point without samples; the lines of rejections are numbers of
// messages. An error refuses the file; nothing emitted so far may be published then.
func Parse(
	ctx context.Context, in io.Reader, file string, opt Options, emit func(*ledger.Telemetry) error,
) (ledger.Reading, error) {
	if opt.NotAfter == 0 {
		opt.NotAfter = series.LatestTime
	}
	if opt.MaxPending <= 0 {
		opt.MaxPending = 1 << 16
	}
	if opt.MaxMessage <= 0 {
		opt.MaxMessage = 64 << 20
	}
	c := newCollecting(file, opt)
	deltas := NewDeltas(0)
	err := messages(in, opt.MaxMessage, func(n int, body []byte, e Encoding) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		c.message = int64(n)
		if _, err := Read(body, e, deltas, c); err != nil {
			return &ledger.FileError{
				Rejection: ledger.Rejection{File: file, Line: int64(n), Reason: "malformed message", Detail: err.Error()},
			}
		}
		if c.facts.Pending() < opt.MaxPending {
			return nil
		}
		return c.facts.Flush(emit)
	})
	if err != nil {
		return c.read, fmt.Errorf("read %s: %w", file, err)
	}
	return c.read, c.facts.Flush(emit)
}

// messages splits a file into its messages, numbered from 1.
func messages(in io.Reader, most int, each func(n int, body []byte, e Encoding) error) error {
	r := bufio.NewReaderSize(in, 64<<10)
	head, err := r.Peek(3)
	for err == nil && bytes.HasPrefix(head, []byte("\ufeff")) {
		if _, err = r.Discard(3); err == nil {
			head, err = r.Peek(1)
		}
	}
	if len(head) == 0 {
		if err == nil || errors.Is(err, io.EOF) {
			return errors.New("the file is empty")
		}
		return err
	}
	switch head[0] {
	case '{', '[', ' ', '\t', '\r':
		return jsonMessages(r, most, each)
	case 0:
		return lengthMessages(r, most, each)
	case '\n':
		// A line feed is also the first byte of a protobuf message.
		if two, _ := r.Peek(64); len(bytes.TrimLeft(two, " \t\r\n")) > 0 && bytes.TrimLeft(two, " \t\r\n")[0] == '{' &&
			!bytes.ContainsFunc(two, control) {
			return jsonMessages(r, most, each)
		}
	}
	body, err := io.ReadAll(io.LimitReader(r, int64(most)+1))
	if err != nil {
		return err
	}
	if len(body) > most {
		return tooLong(most)
	}
	return each(1, body, Protobuf)
}

func control(r rune) bool { return r < ' ' && !strings.ContainsRune("\t\r\n", r) }

func tooLong(most int) error {
	return fmt.Errorf("a message of more than %d bytes; split the capture", most)
}

// lengthMessages reads messages with four bytes of length before each.
func lengthMessages(r *bufio.Reader, most int, each func(n int, body []byte, e Encoding) error) error {
	var body []byte
	for n := 1; ; n++ {
		var length [4]byte
		if _, err := io.ReadFull(r, length[:]); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("message %d: the input breaks off: %w", n, err)
		}
		size := int64(binary.BigEndian.Uint32(length[:]))
		if size > int64(most) {
			return fmt.Errorf("message %d: %w", n, tooLong(most))
		}
		buf := bytes.NewBuffer(body[:0])
		if got, err := io.CopyN(buf, r, size); err != nil {
			return fmt.Errorf("message %d: the input breaks off after %d of %d bytes: %w", n, got, size, err)
		}
		body = buf.Bytes()
		if err := each(n, body, Protobuf); err != nil {
			return err
		}
	}
}

// jsonMessages reads objects one after the other, or in one list.
func jsonMessages(r *bufio.Reader, most int, each func(n int, body []byte, e Encoding) error) error {
	limited := &bounded{r: r, most: most, left: most}
	first, err := firstByte(r)
	if err != nil {
		return err
	}
	dec := json.NewDecoder(limited)
	list := first == '['
	if list { // opened by hand, so that the list need not fit into memory
		if _, err := dec.Token(); err != nil {
			return err
		}
	}
	for n := 1; ; n++ {
		limited.left = most
		if !dec.More() && (list || n > 1) {
			if list {
				_, err = dec.Token()
			}
			return err
		}
		var body json.RawMessage
		if err := dec.Decode(&body); err != nil {
			return fmt.Errorf("message %d: %w", n, err)
		}
		if err := each(n, body, JSON); err != nil {
			return err
		}
	}
}

// firstByte is the first byte that is not a blank; it stays unread.
func firstByte(r *bufio.Reader) (byte, error) {
	for {
		b, err := r.Peek(1)
		if err != nil {
			return 0, err
		}
		switch b[0] {
		case ' ', '\t', '\r', '\n':
			if _, err := r.Discard(1); err != nil {
				return 0, err
			}
		default:
			return b[0], nil
		}
	}
}

// bounded refuses a message that is too long before it is in memory.
type bounded struct {
	r    io.Reader
	most int
	left int
}

// Read implements io.Reader.
func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, tooLong(b.most)
	}
	n, err := b.r.Read(p)
	b.left -= n
	return n, err
}
