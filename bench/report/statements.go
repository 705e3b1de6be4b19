package main

import (
	"embed"
	"fmt"

	"gpuledger/internal/store/pg"
)

//go:embed sql
var files embed.FS

// statement is a text of sql/, which invents rows. An unknown name stops the program.
func statement(name string) string {
	list, err := pg.Named(files)
	if err != nil || list[name] == "" {
		panic(fmt.Sprintf("no statement is called %q: %v", name, err))
	}
	return list[name]
}
