package slurm

import "strings"

// jobID is a parsed job id: 123, 123_4, 123_[1-3], 123+0, each with .step appended if it is a
// step.
type jobID struct {
	base   string // the job; for an array or heterogeneous job, the first one
	task   string // of an array: 4
	tasks  string // of a waiting array: 1-3,7%2
	offset string // of a heterogeneous job
	step   string
}

// job is the id without a step.
func (id jobID) job() string {
	switch {
	case id.tasks != "":
		return id.base + "_[" + id.tasks + "]"
	case id.task != "":
		return id.base + "_" + id.task
	case id.offset != "":
		return id.base + "+" + id.offset
	}
	return id.base
}

func digits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

func parseID(text string) (id jobID, ok bool) {
	text = strings.TrimSpace(text)
	if len(text) > 4096 {
		return id, false
	}
	end := strings.IndexFunc(text, func(r rune) bool { return r < '0' || r > '9' })
	if end < 0 {
		id.base = text
		return id, text != ""
	}
	id.base = text[:end]
	if id.base == "" {
		return id, false
	}
	rest := text[end:]
	if inside, found := strings.CutPrefix(rest, "_["); found {
		var closed bool
		if id.tasks, rest, closed = strings.Cut(inside, "]"); !closed || id.tasks == "" {
			return id, false
		}
	} else if after, found := strings.CutPrefix(rest, "_"); found {
		id.task, rest = splitDigits(after)
		if id.task == "" {
			return id, false
		}
	}
	if after, found := strings.CutPrefix(rest, "+"); found {
		id.offset, rest = splitDigits(after)
		if id.offset == "" {
			return id, false
		}
	}
	if rest == "" {
		return id, true
	}
	step, found := strings.CutPrefix(rest, ".")
	if !found || step == "" || strings.ContainsAny(step, " |,;\n") {
		return id, false
	}
	id.step = step
	return id, true
}

func splitDigits(s string) (number, rest string) {
	end := strings.IndexFunc(s, func(r rune) bool { return r < '0' || r > '9' })
	if end < 0 {
		return s, ""
	}
	return s[:end], s[end:]
}
