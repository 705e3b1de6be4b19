package sagemaker

import (
	"bytes"
	"context"
	"io"
	"regexp"
	"strings"

	"gpuledger/ingest/jsonstream"
	"gpuledger/internal/ledger"
)

// Options are facts that a file lacks.
type Options struct {
	Cluster string // of the stored jobs; empty: sagemaker/<region>
}

var jobMember = regexp.MustCompile(`"(Training|Processing|Transform)Job(Arn|Name)"\s*:`)

// Detect reports whether a file with this start contains jobs of SageMaker.
func Detect(head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n")
	return len(head) > 0 && (head[0] == '{' || head[0] == '[') && jobMember.Match(head)
}

// family names the members of a kind of job.
type family struct{ kind, name, arn, status, start, end, resources string }

var families = []family{
	{
		"training", "TrainingJobName", "TrainingJobArn", "TrainingJobStatus",
		"TrainingStartTime", "TrainingEndTime", "ResourceConfig",
	},
	{
		"processing", "ProcessingJobName", "ProcessingJobArn", "ProcessingJobStatus",
		"ProcessingStartTime", "ProcessingEndTime", "ProcessingResources",
	},
	{
		"transform", "TransformJobName", "TransformJobArn", "TransformJobStatus",
		"TransformStartTime", "TransformEndTime", "TransformResources",
	},
}

type parser struct {
	file string
	opt  Options
	read ledger.Reading
	out  *ledger.Telemetry
	emit func(*ledger.Telemetry) error
}

// batchSize is how many facts are emitted at once.
const batchSize = 4096

// Parse reads one file and emits its facts in batches, which the receiver may keep. A
// *ledger.FileError refuses the file.
func Parse(
	ctx context.Context, in io.Reader, file string, o Options, emit func(*ledger.Telemetry) error,
) (ledger.Reading, error) {
	p := &parser{file: file, opt: o, out: &ledger.Telemetry{}, emit: emit}
	lists := []string{
		"Results", "TrainingJobSummaries", "ProcessingJobSummaries",
		"TransformJobSummaries", "TrainingJobs", "ProcessingJobs", "TransformJobs",
	}
	err := jsonstream.Each(ctx, in, file, jsonstream.Options{Lists: lists}, func(v jsonstream.Value) error {
		if v.Around { // NextToken
			return nil
		}
		p.read.Rows++
		o, ok := jsonstream.Decode(v.Raw)
		if !ok {
			p.read.Reject(ledger.Rejection{File: file, Line: v.Line, Reason: "not a job", Detail: "a JSON object is expected"})
			return nil
		}
		return p.value(unwrap(o), v.Line)
	})
	if err != nil {
		return p.read, err
	}
	return p.read, p.send()
}

// unwrap extracts a job from a search result or an event.
func unwrap(o jsonstream.Object) jsonstream.Object {
	for _, name := range []string{"TrainingJob", "ProcessingJob", "TransformJob", "detail"} {
		if inner := o.Object(name); inner != nil {
			for i := range families {
				if inner.Text(families[i].arn) != "" {
					if tags, outside := o["Tags"]; outside && inner["Tags"] == nil {
						inner["Tags"] = tags
					}
					return inner
				}
			}
		}
	}
	return o
}

func (p *parser) value(o jsonstream.Object, line int64) error {
	var f *family
	for i := range families {
		if o.Text(families[i].arn) != "" {
			f = &families[i]
			break
		}
	}
	if f == nil {
		p.read.Ignore("no job of SageMaker", 1)
		return nil
	}
	j, bad := readJob(o, f)
	if bad != nil {
		p.read.Reject(ledger.Rejection{File: p.file, Line: line, Column: bad.column, Reason: bad.reason, Detail: bad.detail})
		return nil
	}
	p.read.Accepted++
	p.facts(j)
	if len(p.out.Workloads) < batchSize {
		return nil
	}
	return p.send()
}

func (p *parser) send() error {
	t := p.out
	p.out = &ledger.Telemetry{}
	if len(t.Workloads) == 0 {
		return nil
	}
	return p.emit(t)
}

// place is region and account of an ARN.
func place(arn string) (region, account string) {
	parts := strings.SplitN(arn, ":", 6)
	if len(parts) < 6 || parts[0] != "arn" {
		return "", ""
	}
	return parts[3], parts[4]
}
