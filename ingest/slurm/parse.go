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

// Options are facts that a file lacks.
type Options struct {
	// Cluster is the cluster of jobs whose rows have none; empty: "default".
	Cluster string
	// Zone is the zone of times without one; nil: UTC.
	Zone *time.Location
	// Now bounds times: a time more than a day later is refused. 0: no bound.
	Now period.Second
}

// defaultCluster is the cluster of jobs without any.
const defaultCluster = "default"

// Parse reads one file and emits its facts in batches, which the receiver may keep. Rows that
// cannot be facts are counted in the Reading with line and column; a *ledger.FileError refuses
// the file.
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

// Detect reports whether a file with this start is in one of Parse's formats. White space
// before it is already skipped.
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

// looksLikeHeader is stricter about a header than Parse: among other files, JobID alone proves
// nothing.
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
