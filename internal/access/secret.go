package access

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"strings"
)

// secretBytes are 256 bits: too many to guess, so a plain hash is enough to store them.
const secretBytes = 32

// tokenPrefix lets secret scanners find leaked tokens.
const tokenPrefix = "glt_"

// NewToken returns an API token.
func NewToken() string { return tokenPrefix + NewSecret() }

// NewSecret returns a secret for a session or a link, in characters that addresses
// and cookies take.
func NewSecret() string {
	var raw [secretBytes]byte
	_, _ = rand.Read(raw[:]) // never fails (crypto/rand)
	return base64.RawURLEncoding.EncodeToString(raw[:])
}

// Digest is the stored form of a secret.
func Digest(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}

// LooksLikeToken reports whether a text has the form of a token, so that others need no
// lookup.
func LooksLikeToken(text string) bool {
	return strings.HasPrefix(text, tokenPrefix) &&
		len(text) == len(tokenPrefix)+base64.RawURLEncoding.EncodedLen(secretBytes)
}
