// Package yamlfault finds faults in YAML files with their lines: refusals of the decoder, in words of the file instead
// of Go's, fields that a struct does not have, and the lines of fields. Callers phrase the messages.
package yamlfault
