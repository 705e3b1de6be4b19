// Package dashtest holds a read model in memory for tests of pages: three
// weeks of an invented fleet whose figures add up. Only tests import it.
package dashtest
