// Package optest runs a real OpenID provider in a test. The test chooses its keys, users and groups, and can make it
// misbehave.
package optest
