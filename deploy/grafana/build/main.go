package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// boards lists the dashboards by file name.
var boards = map[string]func() board{
	"namespaces.json": namespaces,
	"idle.json":       idle,
	"workloads.json":  workloads,
	"spot.json":       spot,
	"queue.json":      queue,
	"budgets.json":    budgets,
	"service.json":    service,
}

func main() {
	for name, of := range boards {
		text, err := written(of())
		if err == nil {
			err = os.WriteFile(filepath.Join("..", name), text, 0o644)
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
			os.Exit(1)
		}
	}
}

// written is a board as its file has it.
func written(b board) ([]byte, error) {
	d, err := b.dashboard()
	if err != nil {
		return nil, err
	}
	text, err := json.MarshalIndent(d, "", "  ")
	if err != nil {
		return nil, err
	}
	return append(text, '\n'), nil
}
