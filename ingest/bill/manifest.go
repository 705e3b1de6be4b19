package bill

import (
	"regexp"
	"strings"
	"time"

	"gpuledger/internal/blob"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// Manifest names the files of one delivery.
type Manifest struct {
	Name        string // the manifest's own file name, for messages
	Export      string // identity of the export: its ARN, resource id, else its name; may be empty
	ExecutionID string
	SubmitTime  *period.Second
	Dataset     string     // in the source's own word; empty: unknown
	DataFiles   []DataFile // may be empty: a run without data

	// Places are its own file and copies of it; Modified is when a store last wrote it, 0 if
	// unknown.
	Places   []ledger.DeliveryPlace
	Modified period.Second
	names    []string // of the copies, in the order of Places; nil: only Name
}

// DataFile is a file that a manifest names.
type DataFile struct {
	Name  string // as written: a URI or an object key
	Bytes int64  // as stored; -1 when the manifest does not say
	Rows  int64  // data rows; -1 when the manifest does not say
	Line  int64  // of the manifest, 0 = not known
}

// MaxManifest is the largest manifest that is read, in bytes.
const MaxManifest = 16 << 20

// First returns the first text that is not empty.
func First(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

// ObjectKey strips scheme and bucket of an object's address.
func ObjectKey(uri string) string {
	if _, rest, ok := strings.Cut(uri, "://"); ok {
		_, key, _ := strings.Cut(rest, "/")
		return key
	}
	return strings.TrimPrefix(uri, "/")
}

// runFolderName is <timestamp>-<execution id>, the folder of each run in the "create new" mode
// of Data Exports.
var runFolderName = regexp.MustCompile(`^(\d{4}-?\d{2}-?\d{2}T\d{2}[:-]?\d{2}[:-]?\d{2}(?:\.\d+)?Z)(?:-(.+))?$`)

// Folders of Azure exports: <first day>-<last day>, below it in partitioned
// exports the minute of the run, below that the run's GUID.
var (
	dayFolderName    = regexp.MustCompile(`^\d{8}-\d{8}$`)
	minuteFolderName = regexp.MustCompile(`^\d{12}$`)
	guidFolderName   = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)
)

// RunFolder finds the run folder in a path, and returns the run's time and execution id.
func RunFolder(path string) (at period.Second, execution string, ok bool) {
	parts := strings.Split(path, "/")
	for i := len(parts) - 2; i >= 0; i-- {
		if i > 0 && minuteFolderName.MatchString(parts[i]) && dayFolderName.MatchString(parts[i-1]) {
			if t, err := time.Parse("200601021504", parts[i]); err == nil {
				if i+1 < len(parts)-1 {
					execution = parts[i+1]
				}
				return period.FromTime(t), execution, true
			}
		}
		m := runFolderName.FindStringSubmatch(parts[i])
		if m == nil {
			continue
		}
		stamp := strings.NewReplacer("-", "", ":", "").Replace(m[1])
		whole, _, _ := strings.Cut(strings.TrimSuffix(stamp, "Z"), ".")
		t, err := time.Parse("20060102T150405", whole)
		if err != nil {
			continue
		}
		return period.FromTime(t), m[2], true
	}
	return 0, "", false
}

// shelf finds files by the last elements of their paths.
type shelf struct {
	paths  [][]string       // per file, its elements
	byBase map[string][]int // by the last element
}

func newShelf(files []blob.File) shelf {
	s := shelf{make([][]string, len(files)), make(map[string][]int, len(files))}
	for i, f := range files {
		s.paths[i] = strings.Split(strings.TrimPrefix(strings.ReplaceAll(f.Path, "\\", "/"), "/"), "/")
		base := s.paths[i][len(s.paths[i])-1]
		s.byBase[base] = append(s.byBase[base], i)
	}
	return s
}

// match finds the file that a manifest's entry means: the one whose path shares the longest
// tail with it. Paths that name different billing periods or runs are different files. -1: no
// match; ambiguous is true if two files match equally well.
func (s shelf) match(dataFile string) (best int, ambiguous bool) {
	want := strings.Split(ObjectKey(dataFile), "/")
	best, most := -1, 0
	for _, i := range s.byBase[want[len(want)-1]] {
		have := s.paths[i]
		if contradict(want, have) {
			continue
		}
		n := 0
		for n < len(want) && n < len(have) && want[len(want)-1-n] == have[len(have)-1-n] {
			n++
		}
		switch {
		case n > most:
			best, most, ambiguous = i, n, false
		case n == most:
			ambiguous = true
		}
	}
	return best, ambiguous
}

func contradict(want, have []string) bool {
	for _, same := range []func(string) bool{
		func(s string) bool { return strings.HasPrefix(s, "BILLING_PERIOD=") },
		runFolderName.MatchString,
		dayFolderName.MatchString,
		minuteFolderName.MatchString,
		guidFolderName.MatchString,
	} {
		a, b := find(want, same), find(have, same)
		if a != "" && b != "" && a != b {
			return true
		}
	}
	return false
}

// find returns the last folder of a path that fits.
func find(parts []string, fits func(string) bool) string {
	for i := len(parts) - 2; i >= 0; i-- {
		if fits(parts[i]) {
			return parts[i]
		}
	}
	return ""
}

// NeedLines reports for each data file whether its first pass must remember line items: it
// shares a folder (of an append-only export, the import) with another file, and has no
// manifest.
func NeedLines(format Format, files []blob.File, manifests []*Manifest) []bool {
	folders := map[string]int{}
	for _, f := range files {
		folders[f.Folder()]++
	}
	out := make([]bool, len(files))
	for i, f := range files {
		out[i] = folders[f.Folder()] > 1 || appends(format)
	}
	stored := newShelf(files)
	for _, m := range manifests {
		for _, data := range m.DataFiles {
			if i, _ := stored.match(data.Name); i >= 0 {
				out[i] = false
			}
		}
	}
	return out
}
