// Package folder reads the configuration of a ledger from a folder of YAML files, as people keep them in git: versions
// of the policy, mappings, budgets, price books, views and schedules of exports (docs/operate/files.md).
//
// Read lists every fault of every file with its line. Compare lists how a folder differs from the ledger, and the
// things to store. Export writes the stored configuration as files that Compare finds equal. Entries that a folder
// leaves out are no difference.
//
// The package reads files through fs.FS and stores nothing: internal/store does, in one transaction.
package folder
