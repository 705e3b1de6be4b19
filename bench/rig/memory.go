package rig

import (
	"bytes"
	"os"
	"strconv"
)

// Peak is the most memory in bytes that this program had since the last ResetPeak, else since it began; 0 if the system
// does not tell.
func Peak() int64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, rest, _ := bytes.Cut(status, []byte("VmHWM:"))
	line, _, _ := bytes.Cut(rest, []byte("kB"))
	n, err := strconv.ParseInt(string(bytes.TrimSpace(line)), 10, 64)
	if err != nil {
		return 0
	}
	return n << 10
}

// ResetPeak begins a new time for Peak.
func ResetPeak() { _ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) } // without it, Peak is of more time
