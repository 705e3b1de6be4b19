// Package training tells a gpuledger server about a training run of a Go program, such as a launcher: its checkpoints
// and results. It asks what the run costs so far. It needs only the standard library and the package above, so a
// program may copy both.
//
// A training loop never waits for it: a goroutine sends, with retries. Rows wait in memory within bounds; those that
// are lost are counted. The package for Python in deploy/python also keeps them in a file.
package training
