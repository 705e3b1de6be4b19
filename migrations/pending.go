package migrations

import (
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Migration is a file of FS, as far as an operator needs it before an upgrade.
type Migration struct {
	Number int32    `json:"number"`
	Name   string   `json:"name"`
	Tables []string `json:"tables"` // existing tables whose rows or columns it changes
}

// boundary separates what a migration does from how it is undone.
const boundary = "---- create above / drop below ----"

// changed is how a migration changes a table of schema public: its columns, its rows or its indexes.
var changed = regexp.MustCompile(`(?mi)^(?:alter table (?:if exists )?(?:only )?|update |delete from |` +
	`create (?:unique )?index (?:if not exists )?[a-z_]+ on )([a-z_]+)\b`)

// After lists the migrations that a database of a version lacks, in order.
func After(version int32) ([]Migration, error) {
	names, err := fs.Glob(FS, "*.sql")
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	var list []Migration
	for _, file := range names {
		number, name, _ := strings.Cut(strings.TrimSuffix(file, ".sql"), "_")
		n, err := strconv.ParseInt(number, 10, 32)
		if err != nil {
			return nil, fmt.Errorf("migration %s: its name does not begin with a number: %w", file, err)
		}
		if int32(n) <= version {
			continue
		}
		text, err := fs.ReadFile(FS, file)
		if err != nil {
			return nil, err
		}
		up, _, _ := strings.Cut(string(text), boundary)
		m := Migration{Number: int32(n), Name: strings.ReplaceAll(name, "_", " "), Tables: []string{}}
		fresh := madeBy(up) // they have no rows to change
		for _, found := range changed.FindAllStringSubmatch(up, -1) {
			if !slices.Contains(fresh, found[1]) && !slices.Contains(m.Tables, found[1]) {
				m.Tables = append(m.Tables, found[1])
			}
		}
		slices.Sort(m.Tables)
		list = append(list, m)
	}
	return list, nil
}
