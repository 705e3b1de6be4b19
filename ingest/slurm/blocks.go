package slurm

import (
	"context"
	"regexp"
	"strings"

	"gpuledger/ingest/records"
)

var blockField = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9/:_]*)=`)

// blockNames are fields of scontrol show job with another name in sacct.
var blockNames = map[string]column{"JobId": colID, "UserId": colUser}

// block is a job of scontrol show job.
type block struct {
	f       fields
	has     [columnCount]bool
	last    column // of the field that text without a key continues
	array   string
	task    string
	het     string
	offset  string
	details []nodeDetail
	line    int64
}

// nodeDetail is a line of scontrol show job --details: Nodes=gpu01 GRES=gpu:4(IDX:0-3).
type nodeDetail struct{ nodes, gres string }

// parseBlocks reads the output of scontrol show job, with or without --details and --oneliner.
func (c *collector) parseBlocks(ctx context.Context, src *lineSource, text string) error {
	b := &block{line: src.line}
	for n := 0; ; n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if strings.HasPrefix(text, "JobId=") && b.has[colID] {
			if err := c.block(b); err != nil {
				return err
			}
			b = &block{line: src.line}
		}
		b.add(text)
		var ok bool
		var err error
		if text, ok, err = src.next(); err != nil {
			return err
		} else if !ok {
			return c.block(b)
		}
	}
}

func (b *block) add(text string) {
	for word := range strings.FieldsSeq(text) {
		m := blockField.FindStringSubmatch(word)
		if m == nil {
			if b.last != colOther {
				b.f[b.last] += " " + word
			}
			continue
		}
		key, value := m[1], word[len(m[0]):]
		b.last = colOther
		switch key {
		case "ArrayJobId":
			b.array = value
		case "ArrayTaskId":
			b.task = value
		case "HetJobId":
			b.het = value
		case "HetJobOffset":
			b.offset = value
		case "Nodes":
			b.details = append(b.details, nodeDetail{nodes: value})
		case "GRES":
			if n := len(b.details); n > 0 {
				b.details[n-1].gres = value
			}
		default:
			at, known := blockNames[key]
			if !known {
				at = columnNames[foldName(key)]
			}
			if at != colOther && (!b.has[at] || unset(b.f[at]) == "") {
				b.f[at], b.has[at], b.last = value, true, at
			}
		}
	}
}

// block makes a record of a job.
func (c *collector) block(b *block) error {
	if b.f[colExitCode] == "" {
		b.has[colExitCode] = false
	}
	raw := b.f[colID]
	switch {
	case b.array != "" && digits(b.task):
		b.f[colID], b.f[colRaw] = b.array+"_"+b.task, raw
	case b.array != "" && b.task != "":
		b.f[colID] = b.array + "_[" + b.task + "]"
	case b.het != "" && b.offset != "":
		b.f[colID], b.f[colRaw] = b.het+"+"+b.offset, raw
	}
	c.read.Rows++
	r, bad := fieldsRecord(&b.f, func(at column) bool { return b.has[at] }, c.opt.Zone)
	if bad != nil {
		c.read.Reject(bad.rejection(c.file, b.line))
		return nil
	}
	r.line = b.line
	c.read.Note(records.ReadAsUTC, records.Zoneless(c.opt.Zone, b.f[colSubmit], b.f[colStart], b.f[colEnd]))
	byNode := map[string][]gres{}
	for _, d := range b.details {
		names, err := expandHosts(d.nodes)
		if err != nil || d.gres == "" {
			continue
		}
		for _, name := range names {
			byNode[name] = append(byNode[name], parseGRES(d.gres)...)
		}
	}
	if len(byNode) > 0 {
		r.details = make([][]gres, len(r.nodes))
		for i, name := range r.nodes {
			r.details[i] = byNode[name]
		}
		if !r.told && len(r.nodes) > 0 { // details are better than requests
			if g := r.detailed(); !g.none() {
				r.alloc = g
			}
		}
	}
	return c.add(r)
}
