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
	h := sha256.New()
	var n [8]byte
	write := func(s string) {
		binary.BigEndian.PutUint64(n[:], uint64(len(s)))
		h.Write(n[:])
		h.Write([]byte(s))
	}
	write(kind)
	for _, p := range parts {
		write(p)
	}
	var id ID
	copy(id[:], h.Sum(nil))
	return id
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
