package ledger

import (
	"bytes"
	"crypto/sha256"
	"encoding"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"hash"
)

// ID identifies a row by its content: the same thing gets the same ID on
// every machine, in every order of loading. It is stored as a PostgreSQL uuid.
type ID [16]byte

// NewID hashes the parts. Parts are length-prefixed, so ("ab","c") and ("a","bc") differ. kind separates the name
// spaces of tables.
func NewID(kind string, parts ...string) ID {
	var room [256]byte
	text := AppendIDPart(room[:0], kind)
	for _, p := range parts {
		text = AppendIDPart(text, p)
	}
	return HashID(text)
}

// AppendIDPart appends one part of an ID, the kind first, for HashID: NewID in steps, for many ids with the same
// beginning.
func AppendIDPart(text []byte, part string) []byte {
	text = binary.BigEndian.AppendUint64(text, uint64(len(part)))
	return append(text, part...)
}

// HashID returns the ID of the parts that AppendIDPart appended.
func HashID(text []byte) ID {
	sum := sha256.Sum256(text)
	return ID(sum[:len(ID{})])
}

// IDPrefix hashes ids with the same beginning, whose blocks are hashed once. The zero value is ready; it is not safe
// for concurrent use.
type IDPrefix struct {
	hash   hash.Hash
	blocks []byte // blocks already hashed
	state  []byte // hash state after blocks
	sum    [sha256.Size]byte
}

// Set sets the beginning of the following ids.
func (p *IDPrefix) Set(text []byte) {
	text = text[:len(text)/sha256.BlockSize*sha256.BlockSize]
	if p.state != nil && bytes.Equal(text, p.blocks) {
		return
	}
	if p.hash == nil {
		p.hash = sha256.New()
	}
	p.hash.Reset()
	p.hash.Write(text)
	p.blocks = append(p.blocks[:0], text...)
	p.state = nil
	if marshaler, ok := p.hash.(encoding.BinaryMarshaler); ok {
		if state, err := marshaler.MarshalBinary(); err == nil {
			p.state = state
		}
	}
}

// Hash is HashID of a text that begins with the text given to Set.
func (p *IDPrefix) Hash(text []byte) ID {
	restore, ok := p.hash.(encoding.BinaryUnmarshaler)
	if !ok || p.state == nil || restore.UnmarshalBinary(p.state) != nil {
		return HashID(text)
	}
	p.hash.Write(text[len(p.blocks):])
	return ID(p.hash.Sum(p.sum[:0])[:len(ID{})])
}

// IsZero reports whether the ID was never set.
func (id ID) IsZero() bool { return id == ID{} }

// String is 32 lower-case hexadecimal digits.
func (id ID) String() string { return hex.EncodeToString(id[:]) }

// MarshalText makes an ID a string in JSON.
func (id ID) MarshalText() ([]byte, error) { return []byte(id.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (id *ID) UnmarshalText(text []byte) (err error) {
	*id, err = ParseID(string(text))
	return err
}

// ParseID reads what String writes; dashes of the uuid notation are allowed.
func ParseID(s string) (ID, error) {
	var id ID
	clean := make([]byte, 0, 32)
	for i := range len(s) {
		if s[i] != '-' {
			clean = append(clean, s[i])
		}
	}
	if len(clean) != hex.EncodedLen(len(id)) {
		return ID{}, errors.New("an id has 32 hexadecimal digits")
	}
	if _, err := hex.Decode(id[:], clean); err != nil {
		return ID{}, errors.New("an id has 32 hexadecimal digits")
	}
	return id, nil
}
