package pg

import (
	"embed"
	"io/fs"
	"strings"
)

//go:embed sql
var sqlFiles embed.FS

// Statements are the statements of all store packages by <area>.<name>, with their fragments expanded.
var Statements = map[string]string{}

var _ = Register(sqlFiles)

// Register adds the statements of a package, from its folder sql. Names are unique: a second statement with a name
// stops the program at start. Statements may use the columns of rows.
func Register(files embed.FS, rows ...*Written) bool {
	for _, w := range rows {
		fragments[w.Table+"_columns"] = w.of
	}
	named, err := Named(files)
	if err != nil {
		panic(err)
	}
	for name, text := range named {
		if Statements[name] != "" {
			panic("two statements are called " + name)
		}
		Statements[name] = expandFragments(text)
	}
	return true
}

// nameLine begins a statement in its file. Text above the first describes the whole file.
const nameLine = "-- name: "

// Named reads the statements of the files sql/<subject>.sql by name, unexpanded.
func Named(files fs.FS) (map[string]string, error) {
	subjects, err := fs.Glob(files, "sql/*.sql")
	if err != nil {
		return nil, err
	}
	named := map[string]string{}
	for _, subject := range subjects {
		text, err := fs.ReadFile(files, subject)
		if err != nil {
			return nil, err
		}
		_, list, _ := strings.Cut("\n"+string(text), "\n"+nameLine)
		for part := range strings.SplitSeq(list, "\n"+nameLine) {
			name, statement, _ := strings.Cut(part, "\n")
			if named[name] != "" {
				panic("two statements in " + subject + " are called " + name)
			}
			if named[name] = strings.TrimSpace(statement); named[name] == "" {
				panic("a statement in " + subject + " has no text: " + name)
			}
		}
	}
	return named, nil
}

// Statement returns the text of a statement. An unknown name is a broken build and stops the program; a test finds it
// earlier.
func Statement(name string) string {
	text, ok := Statements[name]
	if !ok {
		panic("no statement is called " + name)
	}
	return text
}
