package main

import (
	"fmt"
	"runtime"

	"gpuledger/migrations"
)

type versionCmd struct{}

// Run implements the command.
func (c *versionCmd) Run(a *app) error {
	_, err := fmt.Fprintf(a.stdout, "gpuledger %s (schema %d, %s %s/%s)\n", version, migrations.Latest(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}
