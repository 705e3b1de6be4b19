// Package optest runs a real OpenID provider in a test, whose keys, users and groups the
// test chooses, and which can be told to misbehave.
package optest
