package slurm

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// maxHosts bounds the machines of one job: Slurm itself stops at 65,533 nodes.
const maxHosts = 1 << 16

var errHosts = fmt.Errorf("the node list names more than %d nodes", maxHosts)

// expandHosts lists the names of a node list such as gpu[01-03,7],cpu1 or r[1-2]n[01-04]-ib, in
// order. Lists without nodes ("None assigned", "(null)") are empty.
func expandHosts(list string) ([]string, error) {
	list = strings.TrimSpace(list)
	switch strings.ToLower(list) {
	case "", "none", "none assigned", "(null)", "n/a", "unknown":
		return nil, nil
	}
	var out []string
	for list != "" {
		end, err := elementEnd(list)
		if err != nil {
			return nil, err
		}
		names, err := expandElement(list[:end], maxHosts-len(out))
		if err != nil {
			return nil, err
		}
		out = append(out, names...)
		list = strings.TrimPrefix(list[end:], ",")
	}
	return out, nil
}

// elementEnd is where the first element of a list ends: at a comma outside brackets.
func elementEnd(list string) (int, error) {
	open := false
	for i := range len(list) {
		switch c := list[i]; {
		case c == '[' && !open:
			open = true
		case c == ']' && open:
			open = false
		case c == '[' || c == ']':
			return 0, errors.New("the node list has nested brackets")
		case c == ',' && !open:
			return i, nil
		}
	}
	if open {
		return 0, errors.New("the node list ends inside a bracket")
	}
	return len(list), nil
}

// expandElement expands the brackets of one element.
func expandElement(element string, room int) ([]string, error) {
	names := []string{""}
	for element != "" {
		before, rest, found := strings.Cut(element, "[")
		var ranges []string
		if found {
			var inside string
			inside, rest, _ = strings.Cut(rest, "]")
			var err error
			if ranges, err = expandRanges(inside, room); err != nil {
				return nil, err
			}
		} else {
			ranges = []string{""}
		}
		if len(names)*len(ranges) > room {
			return nil, errHosts
		}
		next := make([]string, 0, len(names)*len(ranges))
		for _, name := range names {
			for _, r := range ranges {
				next = append(next, name+before+r)
			}
		}
		names, element = next, rest
	}
	if len(names) == 1 && names[0] == "" {
		return nil, nil
	}
	return names, nil
}

// expandRanges lists the numbers of 01-03,7 with their leading zeros.
func expandRanges(text string, room int) ([]string, error) {
	var out []string
	for part := range strings.SplitSeq(text, ",") {
		part = strings.TrimSpace(part)
		low, high, isRange := strings.Cut(part, "-")
		if !isRange {
			high = low
		}
		from, err := strconv.ParseUint(low, 10, 32)
		if err != nil {
			return nil, fmt.Errorf("the node list has the range %q; numbers such as 01-04 are expected", clip(part))
		}
		to, err := strconv.ParseUint(high, 10, 32)
		if err != nil || to < from {
			return nil, fmt.Errorf("the node list has the range %q; numbers such as 01-04 are expected", clip(part))
		}
		if to-from >= uint64(max(room-len(out), 0)) {
			return nil, errHosts
		}
		for n := from; n <= to; n++ {
			out = append(out, fmt.Sprintf("%0*d", len(low), n))
		}
	}
	return out, nil
}

// countIndexes is the count of numbers in 1-3,7%2 (the tasks of a waiting array), at most
// maxHosts.
func countIndexes(text string) (int64, bool) {
	text, _, _ = strings.Cut(text, "%")
	text, _, _ = strings.Cut(text, "...") // long lists are truncated
	var n int64
	for part := range strings.SplitSeq(strings.Trim(text, ", "), ",") {
		part, step, stepped := strings.Cut(part, ":")
		low, high, isRange := strings.Cut(part, "-")
		if !isRange {
			high = low
		}
		from, err := strconv.ParseUint(strings.TrimSpace(low), 10, 32)
		if err != nil {
			return 0, false
		}
		to, err := strconv.ParseUint(strings.TrimSpace(high), 10, 32)
		if err != nil || to < from {
			return 0, false
		}
		by := uint64(1)
		if stepped {
			if by, err = strconv.ParseUint(step, 10, 32); err != nil || by == 0 {
				return 0, false
			}
		}
		n += int64((to-from)/by) + 1
	}
	return min(n, maxHosts), n > 0
}

// clip shortens a text for a message.
func clip(s string) string {
	if len(s) > 60 {
		return strings.ToValidUTF8(s[:60], "") + "…"
	}
	return s
}
