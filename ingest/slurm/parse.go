package slurm

import (
	"bytes"
	"context"
	"io"
	"regexp"
	"time"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// Options are what a file does not say itself.
type Options struct {
	// Cluster is that of jobs whose rows name none; empty: "default".
	Cluster string
	// Zone is that of times without one; nil: UTC.
	Zone *time.Location
	// Now bounds times: what lies more than a day after it is refused. 0: no bound.
	Now period.Second
}

// defaultCluster is the cluster of jobs that nothing gives one.
const defaultCluster = "default"

// Parse reads one file and emits its facts in batches that may be kept. Rows
// that cannot be facts are counted in the Reading with line and column; a
// *ledger.FileError refuses the file.
func Parse(
	ctx context.Context, in io.Reader, file string, o Options, emit func(*ledger.Telemetry) error,
) (ledger.Reading, error) {
	c := newCollector(file, o, emit)
	src := newLineSource(in, file)
	first, err := src.firstText()
	if err != nil {
		return c.read, err
	}
	if first == '{' || first == '[' {
		err = c.parseJSON(ctx, src.rest())
	} else {
		err = c.parseText(ctx, src)
	}
	if err != nil {
		return c.read, err
	}
	return c.read, c.finish()
}

var jobsInJSON = regexp.MustCompile(`"(job_id|jobId)"\s*:`)

// Detect reports whether the start of a file is one of the formats that Parse
// reads. White space before it is passed already.
func Detect(head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n")
	if len(head) == 0 {
		return false
	}
	if head[0] == '{' || head[0] == '[' {
		return jobsInJSON.Match(head) && bytes.Contains(head, []byte(`"jobs"`)) &&
			(bytes.Contains(head, []byte(`"partition"`)) || bytes.Contains(head, []byte(`lurm"`)))
	}
	line, _, _ := bytes.Cut(head, []byte("\n"))
	if len(line) > maxLine {
		return false
	}
	text := string(line)
	return pairsStart.MatchString(text) || blocksStart.MatchString(text) || looksLikeHeader(text) ||
		knownLayout(text) != nil
}

// looksLikeHeader asks more of a header than Parse does: among other files,
// JobID alone proves nothing.
func looksLikeHeader(line string) bool {
	l := headerLayout(line)
	if l == nil || len(l.columns) < 2 {
		return false
	}
	telling := 0
	for _, c := range l.columns {
		switch c {
		case colRaw, colState, colSubmit, colAllocTRES, colReqTRES, colNodeList, colNodeListReason, colElapsedRaw, colEnd,
			colStart:
			telling++
		}
	}
	return telling >= 2
}
