package store

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

//go:embed sql
var sqlFiles embed.FS

// statements maps <area>.<name> to the text of sql/<area>.<name>.sql, its
// fragments filled in.
var statements = loadStatements()

func loadStatements() map[string]string {
	all := map[string]string{}
	files, err := fs.Glob(sqlFiles, "sql/*.sql")
	if err != nil { // only a malformed pattern
		return all
	}
	for _, name := range files {
		text, err := sqlFiles.ReadFile(name)
		if err != nil { // embedded: cannot happen, and TestStatements would say so
			continue
		}
		all[strings.TrimSuffix(path.Base(name), ".sql")] = expandFragments(strings.TrimSpace(string(text)))
	}
	return all
}

// statement returns the text of sql/<name>.sql. A test checks that every name
// in the code has a file and every file a name.
func statement(name string) string {
	if text, ok := statements[name]; ok {
		return text
	}
	return fmt.Sprintf("/* no file sql/%s.sql */", name)
}
