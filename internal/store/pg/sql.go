package pg

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

//go:embed sql
var sqlFiles embed.FS

// Statements are the texts of sql/<area>.<name>.sql of every room by
// <area>.<name>, their fragments filled in.
var Statements = map[string]string{}

var _ = Register(sqlFiles)

// Register adds the statements of a room, the files of its folder sql. A name is
// that of one file only: a second one panics at start-up, as a broken build.
func Register(files embed.FS) bool {
	names, err := fs.Glob(files, "sql/*.sql")
	if err != nil {
		panic(err)
	}
	for _, file := range names {
		text, err := files.ReadFile(file)
		if err != nil {
			panic(err)
		}
		name := strings.TrimSuffix(path.Base(file), ".sql")
		if Statements[name] != "" {
			panic("two files sql/" + name + ".sql")
		}
		Statements[name] = expandFragments(strings.TrimSpace(string(text)))
	}
	return true
}

// Statement returns the text of sql/<name>.sql. A test checks that every name
// in the code has a file and every file a name.
func Statement(name string) string {
	if text, ok := Statements[name]; ok {
		return text
	}
	return fmt.Sprintf("/* no file sql/%s.sql */", name)
}
