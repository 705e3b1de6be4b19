package table

import (
	"bytes"
	"encoding/csv"
	"errors"

	"gpuledger/internal/blob"
)

// headBytes is how much of a text file is read to recognise it.
const headBytes = 64 << 10

// kindBytes is how much of a file kindOf reads.
const kindBytes = 512

// kind is a file format.
type kind byte

const (
	kindCSV kind = iota
	kindParquet
	kindAvro
	kindJSON
)

// kindOf detects a file's format by its first bytes. Text is JSON if it begins with an object,
// or with a list of objects.
func kindOf(head []byte) kind {
	switch {
	case bytes.HasPrefix(head, []byte(parquetMagic)):
		return kindParquet
	case bytes.HasPrefix(head, []byte(avroMagic)):
		return kindAvro
	}
	text := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n")
	if bytes.HasPrefix(text, []byte("[")) {
		text = bytes.TrimLeft(text[1:], " \t\r\n")
		if bytes.HasPrefix(text, []byte("]")) {
			return kindJSON
		}
	}
	if bytes.HasPrefix(text, []byte("{")) {
		return kindJSON
	}
	return kindCSV
}

// HeadNames returns the column names of a file as far as its first bytes contain them, nil if
// it is not a table. It is cheap: it does not read the whole file.
func HeadNames(f blob.File, o Options) (names []string, err error) {
	head, err := f.Head(headBytes)
	if err != nil {
		return nil, err
	}
	kind := kindOf(head)
	if kind == kindJSON {
		return headJSON(head, o), nil
	}
	if kind != kindCSV {
		t, err := Open(f, o)
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, t.Close()) }()
		return t.Names(), nil
	}
	return headHeader(head, o), nil
}

// headHeader finds the header line of CSV text.
func headHeader(head []byte, o Options) []string {
	r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(utf8Head(head), []byte("\ufeff"))))
	r.FieldsPerRecord = -1
	var first []string
	for range titleLines {
		fields, err := r.Read()
		if err != nil {
			break // not CSV, or cut inside a row
		}
		if first == nil {
			first = fields
		}
		if o.IsHeader == nil || o.IsHeader(fields) {
			return fields
		}
	}
	return first
}
