package jsonstream

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"gpuledger/internal/ledger"
)

// Options configure how a text is split.
type Options struct {
	// Lists are names of members of outermost objects whose arrays are returned element by
	// element. The other members of such an object are returned before or after as one separate
	// object, see Value.Around.
	Lists []string
	// MaxBytes bounds one value, 0 = 16 MiB.
	MaxBytes int64
}

// Value is one value of a text.
type Value struct {
	Raw  json.RawMessage // valid until the next value
	Line int64           // on which it begins, from 1
	// List is the name of the member whose array holds the value, empty for single values.
	List string
	// Around is true for the object around a list, without the list. It is returned after the
	// lists.
	Around bool
}

// Each calls use with the values of in. A *ledger.FileError refuses the text; other errors are
// those of in, of ctx and of use.
func Each(ctx context.Context, in io.Reader, file string, o Options, use func(Value) error) error {
	if o.MaxBytes == 0 {
		o.MaxBytes = 16 << 20
	}
	r := &reader{file: file, o: o, use: use, lines: &lineReader{in: withoutMark(in), bound: o.MaxBytes}}
	r.dec = json.NewDecoder(r.lines)
	r.dec.UseNumber()
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		err := r.value(ctx)
		if errors.Is(err, errEnd) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// withoutMark drops a byte order mark.
func withoutMark(in io.Reader) io.Reader {
	b := bufio.NewReaderSize(in, 64<<10)
	if mark, err := b.Peek(3); err == nil && bytes.Equal(mark, []byte("\ufeff")) {
		_, _ = b.Discard(3) // already peeked
	}
	return b
}

type reader struct {
	file  string
	o     Options
	use   func(Value) error
	lines *lineReader
	dec   *json.Decoder
}

var errEnd = errors.New("end of text")

// value passes on the contents of the next outermost value.
func (r *reader) value(ctx context.Context) error {
	opens, err := r.opens()
	if err != nil {
		return err
	}
	switch {
	case opens == '[':
		return r.elements(ctx, "")
	case opens == '{' && len(r.o.Lists) > 0:
		return r.object(ctx)
	}
	return r.one("")
}

// opens returns the first byte of the next value without reading it.
func (r *reader) opens() (byte, error) {
	// More reads ahead to a byte that is not white space.
	if !r.dec.More() {
		// The text ends, fails, or continues with a stray closing bracket: the decoder's error
		// distinguishes these.
		if _, err := r.dec.Token(); errors.Is(err, io.EOF) && r.lines.failed == nil {
			return 0, errEnd
		} else if err != nil {
			return 0, r.broken(err)
		}
		return 0, r.broken(errors.New("a closing bracket without an opening one"))
	}
	rest := r.dec.Buffered()
	var one [1]byte
	for {
		n, err := rest.Read(one[:])
		if n == 1 && !bytes.ContainsAny(one[:], " \t\r\n") {
			return one[0], nil
		}
		if n == 0 && err != nil {
			return 0, r.broken(err)
		}
	}
}

func (r *reader) one(list string) error {
	var raw json.RawMessage
	if err := r.dec.Decode(&raw); err != nil {
		return r.broken(err)
	}
	end := r.dec.InputOffset()
	r.lines.done = end
	return r.use(Value{Raw: raw, Line: r.lines.at(end - int64(len(raw))), List: list})
}

// elements passes on the elements of the next array.
func (r *reader) elements(ctx context.Context, list string) error {
	if _, err := r.dec.Token(); err != nil {
		return r.broken(err)
	}
	return r.rest(ctx, list)
}

// rest passes on the elements of an open array.
func (r *reader) rest(ctx context.Context, list string) error {
	for r.dec.More() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := r.one(list); err != nil {
			return err
		}
	}
	if _, err := r.dec.Token(); err != nil {
		return r.broken(err)
	}
	r.lines.done = r.dec.InputOffset()
	return nil
}

// object passes on the lists of the next object, then the rest of it.
func (r *reader) object(ctx context.Context) error {
	if _, err := r.dec.Token(); err != nil {
		return r.broken(err)
	}
	line := r.lines.at(r.dec.InputOffset() - 1)
	around := false
	text, err := r.members(func(name string) (raw json.RawMessage, skip bool, err error) {
		if !slices.Contains(r.o.Lists, name) {
			return nil, false, nil
		}
		switch token, err := r.dec.Token(); {
		case err != nil:
			return nil, false, r.broken(err)
		case token == json.Delim('['):
			around = true
			return nil, true, r.rest(ctx, name)
		case token == json.Delim('{'):
			raw, err = r.members(nil)
			return raw, false, err
		default:
			raw, err = json.Marshal(token)
			return raw, false, err
		}
	})
	if err != nil {
		return err
	}
	r.lines.done = r.dec.InputOffset()
	return r.use(Value{Raw: text, Line: line, Around: around})
}

// members builds an object after its opening brace. special may read a member's value itself:
// it returns the value's text, or skip, or neither if it did not read it.
func (r *reader) members(special func(name string) (raw json.RawMessage, skip bool, err error)) ([]byte, error) {
	text := []byte{'{'}
	for r.dec.More() {
		token, err := r.dec.Token()
		if err != nil {
			return nil, r.broken(err)
		}
		name, ok := token.(string)
		if !ok {
			return nil, r.broken(fmt.Errorf("a member name is expected, not %v", token))
		}
		var raw json.RawMessage
		if special != nil {
			var skip bool
			if raw, skip, err = special(name); err != nil {
				return nil, err
			}
			if skip {
				continue
			}
		}
		if raw == nil {
			if err := r.dec.Decode(&raw); err != nil {
				return nil, r.broken(err)
			}
		}
		quoted, err := json.Marshal(name)
		if err != nil {
			return nil, r.broken(err)
		}
		if len(text) > 1 {
			text = append(text, ',')
		}
		text = append(append(append(text, quoted...), ':'), raw...)
		if int64(len(text)) > r.o.MaxBytes {
			return nil, r.broken(fmt.Errorf("%w: one value is larger than %d MiB", errTooLong, r.o.MaxBytes>>20))
		}
	}
	if _, err := r.dec.Token(); err != nil {
		return nil, r.broken(err)
	}
	return append(text, '}'), nil
}

// broken turns broken JSON into a refusal of the text, with its line.
func (r *reader) broken(err error) error {
	offset := r.dec.InputOffset()
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) && syntax.Offset > 0 {
		offset = max(offset, syntax.Offset-1)
	}
	what := err.Error()
	switch {
	case errors.Is(r.lines.failed, errTooLong):
		what = r.lines.failed.Error()
	case r.lines.failed != nil:
		return r.lines.failed
	case errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF):
		offset = r.lines.read
		what = "the file ends inside a value; fetch it again"
	}
	return &ledger.FileError{
		Rejection: ledger.Rejection{File: r.file, Line: r.lines.at(offset), Reason: "broken json", Detail: what},
	}
}
