package migrations

import (
	"embed"
	"io/fs"
	"regexp"
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

// made is how a migration makes a table, view or sequence of schema public.
var made = regexp.MustCompile(`(?mi)^create (?:unlogged )?(?:table|view|sequence) (?:if not exists )?([a-z_]+)\b[^.]`)

// Relations names the tables, views and sequences of schema public that migrations make, with
// that of their version: what else is there belongs to others.
func Relations() ([]string, error) {
	all := []string{"schema_version"}
	names, err := fs.Glob(FS, "*.sql")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		text, err := fs.ReadFile(FS, name)
		if err != nil {
			return nil, err
		}
		up, _, _ := strings.Cut(string(text), boundary)
		all = append(all, madeBy(up)...)
	}
	return all, nil
}

// madeBy names the tables, views and sequences of schema public that a text makes.
func madeBy(up string) (names []string) {
	for _, found := range made.FindAllStringSubmatch(up, -1) {
		names = append(names, found[1])
	}
	return names
}
