package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"gpuledger/internal/store"
	"gpuledger/internal/visible"
	"gpuledger/metrics"
	"gpuledger/metrics/statement"
	"gpuledger/web/paper"
)

type statementCmd struct {
	Owner         string `xor:"who" required:"" placeholder:"KEY=VALUE" help:"Owner, such as team=speech; VALUE unowned is cost without an owner."`
	AllOwners     string `xor:"who" required:"" placeholder:"KEY" help:"All owners by this key, such as team: one file each in the folder --out."`
	BillingPeriod string `required:"" placeholder:"YYYY-MM" help:"Billing month."`
	Sharing       string `enum:"before,after" default:"after" help:"Before or after sharing: ${enum}."`
	Format        string `enum:"pdf,csv,json" default:"pdf" help:"As ${enum}; pdf by default."`
	ForExcel      bool   `help:"With --format csv: put an apostrophe before texts that a spreadsheet would run as a formula."`
	Out           string `type:"path" placeholder:"FILE" help:"File to write; with --all-owners, a new or empty folder. It appears only when it is complete."`
}

// Run implements the command.
func (c *statementCmd) Run(a *app) error {
	format := statement.Format(c.Format)
	if c.ForExcel && format != statement.CSV {
		return &metrics.OptionError{Option: "for-excel", Reason: "is only for csv"}
	}
	if c.AllOwners != "" {
		return c.writeAll(a, format)
	}
	q, err := statement.Parse(c.Owner, c.BillingPeriod, c.Sharing)
	if err != nil {
		return err
	}
	return a.readStore(func(s *store.Store) error {
		one, err := statement.Build(a.ctx, s, q)
		if err != nil {
			return err
		}
		write := func(w io.Writer) error { return paper.Write(w, one, format, c.ForExcel) }
		if c.Out == "" && format == statement.PDF && isTerminal(a.stdout) {
			return errors.New("pdf is not for a terminal: pass --out FILE or redirect")
		}
		if c.Out == "" {
			return write(visible.Raw(a.stdout)) // the formats escape themselves
		}
		return writeFile(c.Out, write)
	})
}

// writeAll writes one file per owner, or none.
func (c *statementCmd) writeAll(a *app, format statement.Format) error {
	q, err := statement.ParseAll(c.AllOwners, c.BillingPeriod, c.Sharing)
	if err != nil {
		return err
	}
	if c.Out == "" {
		return &metrics.OptionError{Option: "out", Reason: "--all-owners writes a folder: name it"}
	}
	return a.readStore(func(s *store.Store) error {
		all, err := statement.All(a.ctx, s, q)
		if err == nil && len(all) == 0 {
			err = fmt.Errorf("no cost is billed in %s: there are no statements to write", q.Month)
		}
		if err != nil {
			return err
		}
		err = writeFolder(c.Out, func(dir string) error {
			for _, one := range all {
				name := filepath.Join(dir, one.FileName(format))
				if err := writeWhole(name, func(w io.Writer) error { return paper.Write(w, one, format, c.ForExcel) }); err != nil {
					return err
				}
			}
			return nil
		})
		if err == nil {
			visible.Fprintf(a.stdout, "%s in %s\n", counted(len(all), "statement", "statements"), c.Out)
		}
		return err
	})
}

// writeFolder fills a folder that appears only when it is complete. A folder with files in it is refused: files of an
// earlier run would pass for new ones.
func writeFolder(path string, fill func(dir string) error) (err error) {
	switch entries, err := os.ReadDir(path); {
	case err == nil && len(entries) > 0:
		return &metrics.OptionError{Option: "out", Value: path, Reason: "is not empty: name a new folder"}
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	dir, err := os.MkdirTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("write %s: %w", path, err), os.RemoveAll(dir))
		}
	}()
	if err := errors.Join(fill(dir), os.Chmod(dir, 0o755)); err != nil {
		return err
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) { // it is empty
		return err
	}
	return os.Rename(dir, path)
}
