// Package seldom limits how often a log repeats a frequent message: the first time it is logged at once, later with the
// number of repeats left out. It owns only that count; callers write the line.
package seldom
