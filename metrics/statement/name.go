package statement

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// FileName names the file of a statement: speech-2026-10.pdf.
func (s *Statement) FileName(f Format) string {
	return fileName(s.Value) + "-" + string(s.BillingPeriod) + "." + string(f)
}

// longestName bounds the names of files before their ending, in bytes: file systems take 255.
const longestName = 120

// fileName is an owner's name as that of a file on any system, different for different owners, also where case is
// ignored: plain lower-case names stay as they are, others are marked with a digest.
func fileName(owner string) string {
	safe := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' || r == '_' || r == '.' {
			return r
		}
		return '_'
	}, strings.ToLower(owner))
	safe = strings.TrimLeft(safe[:min(len(safe), longestName)], ".")
	if safe == owner {
		return safe
	}
	sum := sha256.Sum256([]byte(owner))
	return safe + "~" + hex.EncodeToString(sum[:6])
}
