package main

import (
	"fmt"
	"runtime"

	"github.com/alecthomas/kong"

	"gpuledger/migrations"
)

type versionCmd struct{}

// Run implements the command.
func (c *versionCmd) Run(a *app) error {
	_, err := fmt.Fprintln(a.stdout, versionLine())
	return err
}

func versionLine() string {
	return fmt.Sprintf("gpuledger %s (schema %d, %s %s/%s)", version, migrations.Latest(), runtime.Version(), runtime.GOOS,
		runtime.GOARCH)
}

// showVersion is the option --version, which needs no command.
type showVersion bool

// BeforeReset prints the version and exits.
func (showVersion) BeforeReset(app *kong.Kong) error {
	_, err := fmt.Fprintln(app.Stdout, versionLine())
	app.Exit(exitOK)
	return err
}
