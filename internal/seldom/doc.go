// Package seldom lets a log say what happens often only now and then: the first
// time at once, later with how often it was left out. It owns that count and
// nothing else: whoever uses it writes the line.
package seldom
