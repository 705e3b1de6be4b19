// Package rig has what several benchmarks need: a server of the process's own handlers, and the processor time of
// processes.
package rig
