package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gpuledger/internal/export"
	"gpuledger/metrics"
)

// endings maps the endings of file names to formats.
var endings = map[string]export.Format{".txt": export.Table, ".json": export.JSON, ".csv": export.CSV,
	".parquet": export.Parquet, ".arrow": export.Arrow, ".xlsx": export.XLSX}

// formatOf is the format of an answer: the given one, else that of the file's
// ending, else a table. An ending of another format is refused, and so is an unknown ending
// without --format, unless the file is not a regular one, such as a pipe.
func formatOf(given, file string) (export.Format, error) {
	if file == "" {
		return export.ParseFormat(cmp.Or(given, string(export.Table)))
	}
	ending := strings.ToLower(filepath.Ext(file))
	said, known := endings[ending]
	const which = "a name that ends in .csv, .json, .xlsx, .parquet, .arrow or .txt (a table)"
	switch info, err := os.Stat(file); {
	case slices.Contains([]string{".gz", ".zst", ".zip", ".bz2", ".xz"}, ending):
		return "", &metrics.OptionError{
			Option: "out", Value: file,
			Reason: "gpuledger does not compress: give " + which + ", and compress the file yourself",
		}
	case known && given != "" && given != string(said):
		return "", &metrics.OptionError{
			Option: "out", Value: file,
			Reason: fmt.Sprintf("ends in %s, but --format is %s: change one of them", ending, given),
		}
	case known:
		return said, nil
	case given != "", err == nil && !info.Mode().IsRegular():
		return export.ParseFormat(cmp.Or(given, string(export.Table)))
	}
	return "", &metrics.OptionError{Option: "out", Value: file, Reason: "has no known format: give --format, or " + which}
}

// writeFile writes to a temporary file next to path and renames it at the end, so that a
// regular file is either the old one or the complete new one. A device, a pipe or
// a link is written through, never replaced.
func writeFile(path string, write func(io.Writer) error) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && info.Mode().IsRegular():
		err = writeWhole(path, write)
	case err == nil:
		err = writeThrough(path, write)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

func writeWhole(path string, write func(io.Writer) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	if err := errors.Join(write(f), f.Chmod(0o644), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

func writeThrough(path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644) // a link may name a file that is not there yet
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}
