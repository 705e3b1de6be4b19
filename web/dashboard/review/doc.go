// Package review serves the pages on which finance holds its month: the explorer, which draws any question, and pages
// that follow one question to its reasons. Each page is a list of panels (package panel).
package review
