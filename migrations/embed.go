package migrations

import (
	"embed"
	"io/fs"
	"strconv"
	"strings"
)

// FS holds the numbered SQL files (NNN_name.sql).
//
//go:embed *.sql
var FS embed.FS

// Latest returns the number of the newest migration in FS.
func Latest() int32 {
	var newest int32
	names, err := fs.Glob(FS, "*.sql")
	if err != nil { // only a malformed pattern
		return 0
	}
	for _, name := range names {
		number, _, _ := strings.Cut(name, "_")
		if n, err := strconv.ParseInt(number, 10, 32); err == nil {
			newest = max(newest, int32(n))
		}
	}
	return newest
}
