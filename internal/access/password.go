package access

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/crypto/argon2"
)

// Cost of a password's hash: argon2id with the minimum of OWASP's Password
// Storage Cheat Sheet: 19 MiB, two passes, one lane; some 30 ms.
const (
	hashMemory = 19 << 10 // KiB
	hashPasses = 2
	hashLanes  = 1
	hashSalt   = 16 // bytes
	hashLength = 32 // bytes
)

// Bounds of a password (NIST SP 800-63B-4, 3.1.1.2): the length counts, the kinds of characters
// do not.
const (
	ShortestPassword = 12   // characters
	longestPassword  = 1024 // bytes; a longer one would only cost time
)

// hashing allows two hashes at once: each takes 19 MiB, and a flood of
// sign-ins would exhaust the memory.
var hashing = make(chan struct{}, 2)

// common are parts of the long passwords that attackers try first.
var common = []string{
	"password", "passwort", "123456", "qwerty", "letmein", "iloveyou",
	"gpuledger", "changeme", "welcome", "abcdef", "111111", "000000",
}

// CheckPassword refuses a password that is easy to guess.
func CheckPassword(name, password string) error {
	switch n := utf8.RuneCountInString(password); {
	case !utf8.ValidString(password) || strings.ContainsRune(password, 0):
		return errors.New("the password is not valid UTF-8 text")
	case n < ShortestPassword:
		return fmt.Errorf("the password must have at least %d characters; several unrelated words are easy to remember",
			ShortestPassword)
	case len(password) > longestPassword:
		return fmt.Errorf("the password must have at most %d bytes", longestPassword)
	}
	low := strings.ToLower(password)
	if strings.Contains(low, strings.ToLower(name)) && len(name) >= 4 {
		return errors.New("the password contains your user name")
	}
	rest := low
	for _, word := range common {
		rest = strings.ReplaceAll(rest, word, "")
	}
	distinct := map[rune]bool{}
	for _, r := range rest {
		distinct[r] = true
	}
	if len(distinct) < 5 {
		return errors.New("the password is too easy to guess: attackers try passwords like this first")
	}
	return nil
}

// HashPassword returns the hash of a password in PHC format. It waits for one of the two places in hashing.
func HashPassword(ctx context.Context, password string) (string, error) {
	salt := make([]byte, hashSalt)
	_, _ = rand.Read(salt) // never fails
	sum, err := hash(ctx, password, salt, hashPasses, hashMemory, hashLanes)
	if err != nil {
		return "", err
	}
	b64 := base64.RawStdEncoding
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, hashMemory, hashPasses, hashLanes,
		b64.EncodeToString(salt), b64.EncodeToString(sum)), nil
}

func hash(ctx context.Context, password string, salt []byte, passes, memory uint32, lanes uint8) ([]byte, error) {
	select {
	case hashing <- struct{}{}:
		defer func() { <-hashing }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return argon2.IDKey([]byte(password), salt, passes, memory, lanes, hashLength), nil
}

// decoyHash is the hash that passwords for unknown names are compared with, so that the duration does not
// reveal names. No password hashes to it.
var decoyHash = fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, hashMemory, hashPasses, hashLanes,
	base64.RawStdEncoding.EncodeToString(make([]byte, hashSalt)),
	base64.RawStdEncoding.EncodeToString(make([]byte, hashLength)))

// IsPassword reports whether a password matches a hash of HashPassword.
// An empty hash, for an unknown name or a user without a password, takes as long
// and never matches.
func IsPassword(ctx context.Context, password, kept string) (bool, error) {
	if kept == "" {
		kept = decoyHash
	}
	if len(password) > longestPassword {
		password = ""
	}
	parts := strings.Split(kept, "$")
	var version int
	var memory, passes uint32
	var lanes uint8
	if len(parts) != 6 || parts[1] != "argon2id" {
		return false, errors.New("the stored password hash is not an argon2id hash")
	}
	if _, err := fmt.Sscanf(parts[2], "v=%d", &version); err != nil || version != argon2.Version {
		return false, errors.New("the stored password hash is from another version of argon2")
	}
	if _, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &memory, &passes, &lanes); err != nil {
		return false, fmt.Errorf("the stored hash of a password: %w", err)
	}
	salt, err := base64.RawStdEncoding.DecodeString(parts[4])
	if err != nil {
		return false, fmt.Errorf("the stored hash of a password: %w", err)
	}
	want, err := base64.RawStdEncoding.DecodeString(parts[5])
	if err != nil {
		return false, fmt.Errorf("the stored hash of a password: %w", err)
	}
	got, err := hash(ctx, password, salt, passes, memory, lanes)
	if err != nil {
		return false, err
	}
	return subtle.ConstantTimeCompare(got, want) == 1 && kept != decoyHash, nil
}
