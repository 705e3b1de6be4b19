package ledger

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
)

// ID identifies a row by its content: the same thing gets the same ID on
// every machine, in every order of loading. It is stored as a PostgreSQL uuid.
type ID [16]byte

// NewID hashes the parts. Parts are length-prefixed, so ("ab","c") and
// ("a","bc") differ. kind keeps the name spaces of tables apart.
func NewID(kind string, parts ...string) ID {
	var room [256]byte
	text := AppendIDPart(room[:0], kind)
	for _, p := range parts {
		text = AppendIDPart(text, p)
	}
	return HashID(text)
}

// AppendIDPart appends one part of an ID, the kind first, for HashID: NewID in
// steps, for many ids that begin alike.
func AppendIDPart(text []byte, part string) []byte {
	text = binary.BigEndian.AppendUint64(text, uint64(len(part)))
	return append(text, part...)
}

// HashID returns the ID of parts that AppendIDPart put together.
func HashID(text []byte) ID {
	sum := sha256.Sum256(text)
	return ID(sum[:len(ID{})])
}

// IsZero reports whether the ID was never set.
func (id ID) IsZero() bool { return id == ID{} }

// String is 32 lower-case hexadecimal digits.
func (id ID) String() string { return hex.EncodeToString(id[:]) }

// MarshalText makes an ID a string in JSON.
func (id ID) MarshalText() ([]byte, error) { return []byte(id.String()), nil }

// ParseID reads what String writes; dashes of the uuid notation are allowed.
func ParseID(s string) (ID, error) {
	var id ID
	clean := make([]byte, 0, 32)
	for i := range len(s) {
		if s[i] != '-' {
			clean = append(clean, s[i])
		}
	}
	if n, err := hex.Decode(id[:], clean); err != nil || n != len(id) || len(clean) != 32 {
		return ID{}, errors.New("an id has 32 hexadecimal digits")
	}
	return id, nil
}
