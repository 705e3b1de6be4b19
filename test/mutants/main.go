package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"
)

// target is a package whose operators are changed, and the packages whose tests should notice, the fastest first.
type target struct {
	pkg   string
	n     int // changes to try
	tests []string
}

const cases = "./test/script" // rules as cases that people can read

var targets = []target{
	{"internal/money", 6, []string{"./internal/money"}},
	{"allocation", 14, []string{cases, "./allocation"}},
	{"allocation/attempt", 10, []string{"./allocation/attempt", cases}},
	{"allocation/cause", 3, []string{"./allocation/cause", cases}},
	{"allocation/fleet", 5, []string{"./allocation/fleet", cases}},
	{"allocation/owner", 4, []string{"./allocation/owner", cases}},
	{"allocation/part", 10, []string{cases, "./allocation/part"}},
	{"allocation/share", 6, []string{"./allocation/share", cases}},
	{"allocation/split", 6, []string{"./allocation/split", cases}},
	{"allocation/timeline", 8, []string{"./allocation/timeline", cases}},
	{"metrics/advice", 6, []string{"./metrics/advice"}},
	{"metrics/packing", 5, []string{"./metrics/packing"}},
	{"metrics/serving", 6, []string{"./metrics/serving"}},
	{"metrics/spot", 4, []string{"./metrics/spot"}},
	{"metrics/waste", 8, []string{"./metrics/waste"}},
}

// patience bounds the tests of one change: one that never ends is noticed, too.
const patience = time.Minute

func main() {
	log.SetFlags(0)
	side := flag.Int("p", 2, "changes tried side by side")
	only := flag.String("only", "", "only places whose name contains this")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	survivors, err := run(ctx, *side, *only)
	if err != nil {
		log.Fatal(err)
	}
	if survivors > 0 {
		os.Exit(1)
	}
}

// mutant is a site, its tests, and its result.
type mutant struct {
	site
	tests []string
	by    string // the test that noticed it; empty: none
	err   error
}

func run(ctx context.Context, side int, only string) (survivors int, err error) {
	reasons, err := equivalents("test/mutants/equivalent.txt")
	if err != nil {
		return 0, err
	}
	var list []*mutant
	for _, t := range targets {
		all, err := sitesOf(t.pkg)
		if err != nil {
			return 0, err
		}
		var open []site
		for _, s := range all {
			if reasons[s.name] == "" && strings.Contains(s.name, only) {
				open = append(open, s)
			}
		}
		for _, s := range chosen(open, t.n) {
			list = append(list, &mutant{site: s, tests: t.tests})
		}
	}
	began := time.Now()
	work := make(chan *mutant)
	var group sync.WaitGroup
	for range side {
		group.Go(func() {
			for m := range work {
				m.by, m.err = m.try(ctx)
			}
		})
	}
	for _, m := range list {
		work <- m
	}
	close(work)
	group.Wait()
	for _, t := range targets {
		for _, pkg := range t.tests { // files of rapid for intended failures
			if err := os.RemoveAll(filepath.Join(pkg, "testdata", "rapid")); err != nil {
				return 0, err
			}
		}
	}
	for _, m := range list {
		if m.err != nil {
			return 0, fmt.Errorf("%s: %w", m.name, m.err)
		}
		by := m.by
		if by == "" {
			by = "NOBODY NOTICES"
			survivors++
		}
		fmt.Printf("%-70s line %-4d %-2s becomes %-2s  %s\n", m.name, m.line, m.was, m.now, by)
	}
	fmt.Printf("%d changes in %.0f s, %d that nobody notices\n", len(list), time.Since(began).Seconds(), survivors)
	return survivors, nil
}

var (
	failed = regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+)`)
	panics = regexp.MustCompile(`(?m)^(panic: .*)$`)
)

// try runs the tests over the changed source and returns the one that fails.
func (m *mutant) try(ctx context.Context) (by string, err error) {
	dir, err := os.MkdirTemp("", "mutant")
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	text, err := os.ReadFile(m.file)
	if err != nil {
		return "", err
	}
	changed := filepath.Join(dir, "changed.go")
	if err := os.WriteFile(changed, bytes.Join([][]byte{text[:m.at], []byte(m.now), text[m.end:]}, nil),
		0o600); err != nil {
		return "", err
	}
	whole, err := filepath.Abs(m.file)
	if err != nil {
		return "", err
	}
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{whole: changed}})
	if err != nil {
		return "", err
	}
	list := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(list, overlay, 0o600); err != nil {
		return "", err
	}
	for _, pkg := range m.tests {
		// The test times out by itself: the command that started it could not end it.
		out, err := exec.CommandContext(ctx, "go", "test", "-count=1", "-failfast", "-short", "-vet=off", "-timeout",
			patience.String(), "-overlay", list, pkg).CombinedOutput()
		switch {
		case err == nil:
			continue
		case bytes.Contains(out, []byte("panic: test timed out")):
			return pkg + " does not end", nil
		case bytes.Contains(out, []byte("[build failed]")) || bytes.Contains(out, []byte("[setup failed]")):
			return "the compiler", nil // the types differ
		}
		if f := failed.FindSubmatch(out); f != nil {
			return pkg + " " + string(f[1]), nil
		}
		if p := panics.FindSubmatch(out); p != nil {
			return pkg + " " + string(p[1]), nil
		}
		return "", fmt.Errorf("%s: %w\n%s", pkg, err, out)
	}
	return "", nil
}

// equivalents reads the changes without visible effect, by name, with the reason.
func equivalents(file string) (map[string]string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for i, line := range strings.Split(string(text), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, reason, ok := strings.Cut(line, ": because ")
		if !ok {
			return nil, fmt.Errorf("%s:%d: write \"name: because reason\"", file, i+1)
		}
		out[name] = reason
	}
	return out, nil
}
