package agent

import (
	"io/fs"
	"regexp"
	"strconv"
	"strings"

	"gpuledger/ingest/nvidiasmi"
)

// Control groups name the owner of a process: pods with their UID (with underscores if systemd made the slice), Slurm
// jobs by number.
var (
	podGroup = regexp.MustCompile(`pod([0-9a-fA-F]{8}[-_][0-9a-fA-F]{4}[-_][0-9a-fA-F]{4}[-_][0-9a-fA-F]{4}[-_][0-9a-fA-F]{12}|[0-9a-f]{32})`)
	jobGroup = regexp.MustCompile(`(?m)/job_(\d+)(?:/|$)`)
)

// holderOf is the pod or job of a process by its control group; if that shows none, its start time. A process that is
// gone, or that lives in another PID name space, is unknown.
func holderOf(proc fs.FS, pid int) nvidiasmi.Holder {
	dir := strconv.Itoa(pid)
	if group, err := fs.ReadFile(proc, dir+"/cgroup"); err == nil {
		if h := holderOfGroup(string(group)); h != (nvidiasmi.Holder{}) {
			return h
		}
	}
	return nvidiasmi.Holder{Started: started(proc, dir)}
}

func holderOfGroup(group string) nvidiasmi.Holder {
	if m := jobGroup.FindStringSubmatch(group); m != nil {
		return nvidiasmi.Holder{Job: m[1]}
	}
	if m := podGroup.FindStringSubmatch(group); m != nil {
		return nvidiasmi.Holder{PodUID: strings.ToLower(strings.ReplaceAll(m[1], "_", "-"))}
	}
	return nvidiasmi.Holder{}
}

// userHZ is the unit of start times in /proc on all architectures of Linux
// that have NVIDIA drivers.
const userHZ = 100

// started is when a process began, unix seconds; 0 unknown. Field 22 of
// /proc/<pid>/stat counts from boot; the name in field 2 may hold blanks and
// brackets.
func started(proc fs.FS, dir string) int64 {
	stat, err := fs.ReadFile(proc, dir+"/stat")
	if err != nil {
		return 0
	}
	text := string(stat)
	end := strings.LastIndexByte(text, ')')
	if end < 0 {
		return 0
	}
	fields := strings.Fields(text[end+1:])
	if len(fields) < 20 {
		return 0
	}
	ticks, err := strconv.ParseInt(fields[19], 10, 64)
	if err != nil {
		return 0
	}
	boot := bootTime(proc)
	if boot == 0 {
		return 0
	}
	return boot + ticks/userHZ
}

func bootTime(proc fs.FS) int64 {
	stat, err := fs.ReadFile(proc, "stat")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(stat)) {
		if rest, ok := strings.CutPrefix(line, "btime "); ok {
			if n, err := strconv.ParseInt(strings.TrimSpace(rest), 10, 64); err == nil {
				return n
			}
		}
	}
	return 0
}
