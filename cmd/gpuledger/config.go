package main

import (
	"errors"
	"fmt"

	"gpuledger/internal/blob"
	"gpuledger/internal/config"
	"gpuledger/metrics"
	"gpuledger/web/views/format"
)

type configCmd struct {
	Check configCheckCmd `cmd:"" help:"Check the configuration file."`
	Print configPrintCmd `cmd:"" help:"Print the configuration as parsed, with secrets masked."`
}

type configCheckCmd struct{}

type configPrintCmd struct{}

// Run implements the command.
func (c *configCheckCmd) Run(a *app) error {
	cfg, err := a.needConfig()
	if err != nil {
		return err
	}
	scheduled := 0
	for _, s := range cfg.Sources {
		if !s.Schedule.IsZero() {
			scheduled++
		}
	}
	_, err = fmt.Fprintf(a.stdout, "%s: %s, %d of them on a schedule\n", a.flags.Config,
		format.Plural(len(cfg.Sources), "source", "sources"), scheduled)
	return err
}

// Run implements the command.
func (c *configPrintCmd) Run(a *app) error {
	cfg, err := a.needConfig()
	if err != nil {
		return err
	}
	return cfg.Print(a.stdout, blob.Redact)
}

// config reads the configuration file; without one, the configuration is empty.
func (a *app) config() (*config.Config, error) {
	if a.flags.Config == "" {
		return &config.Config{}, nil
	}
	cfg, err := config.Load(a.flags.Config, known())
	faults, faulty := errors.AsType[*config.Faults](err)
	if err != nil && (!faulty || cfg == nil) {
		return nil, fmt.Errorf("configuration: %w", err)
	}
	if !faulty {
		faults = &config.Faults{File: a.flags.Config}
	}
	for _, s := range cfg.Sources {
		if _, err := a.request(cfg, s); err != nil {
			faults.Add(s.Line(), "source %q: %s", s.Name, err)
		}
	}
	if err := faults.Err(); err != nil {
		return nil, fmt.Errorf("configuration: %w", err)
	}
	return cfg, nil
}

func (a *app) needConfig() (*config.Config, error) {
	if a.flags.Config == "" {
		return nil, &metrics.OptionError{
			Option: "config", Reason: "no configuration: name a file with --config or GPULEDGER_CONFIG",
		}
	}
	return a.config()
}

var errNothingConfigured = errors.New("the configuration names no sources")
