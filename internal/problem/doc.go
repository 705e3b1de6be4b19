// Package problem answers errors over HTTP as problem details (RFC 9457). It owns their types: programs distinguish
// problems by the type, which ends in the title. Callers choose the title, the status and the detail.
package problem
