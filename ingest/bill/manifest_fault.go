package bill

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"gpuledger/internal/ledger"
)

// ManifestText is the text of a manifest; its refusals give the line.
type ManifestText struct {
	Name string
	Text []byte
}

// Decode reads the text as JSON. An error is refused with its line and column.
func (t ManifestText) Decode(to any) error {
	text := bytes.TrimPrefix(t.Text, []byte("\ufeff"))
	err := json.Unmarshal(text, to)
	if err == nil {
		return nil
	}
	at, column := int64(len(text)), ""
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		at = max(syntax.Offset-1, 0)
	} else if kind, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		at, column = max(kind.Offset-1, 0), kind.Field
	}
	before := text[:min(at, int64(len(text)))]
	line := int64(bytes.Count(before, []byte("\n")) + 1)
	detail := fmt.Sprintf("%v, at character %d of the line; fetch the manifest again", err,
		len(before)-bytes.LastIndexByte(before, '\n'))
	return &ledger.FileError{
		Rejection: ledger.Rejection{File: t.Name, Line: line, Column: column, Reason: "broken manifest", Detail: detail},
	}
}

// Refuse refuses the manifest because of a key's value or absence.
func (t ManifestText) Refuse(key, reason, detail string) error {
	return &ledger.FileError{
		Rejection: ledger.Rejection{File: t.Name, Line: t.LineOf(key), Column: key, Reason: reason, Detail: detail},
	}
}

// LineOf is the line on which a text first occurs in quotes, 0 if it does not.
func (t ManifestText) LineOf(quoted string) int64 {
	q, err := json.Marshal(quoted)
	if err != nil {
		return 0
	}
	before, _, found := bytes.Cut(t.Text, q)
	if !found {
		return 0
	}
	return int64(bytes.Count(before, []byte("\n")) + 1)
}

// Lines finds the lines of texts that must be looked up in file order, since a manifest may
// name many files. After one that is not found, it finds no more.
func (t ManifestText) Lines() func(quoted string) int64 {
	rest, line := t.Text, int64(1)
	return func(quoted string) int64 {
		q, err := json.Marshal(quoted)
		before, after, found := bytes.Cut(rest, q)
		if err != nil || !found {
			rest = nil
			return 0
		}
		rest = after
		line += int64(bytes.Count(before, []byte("\n")))
		return line
	}
}
