// Package remotewrite reads and writes the messages of Prometheus remote_write
// 1.0 and 2.0: protobuf by hand, packed with snappy's block format.
//
// It owns the wire: content types, the bound on unpacked size before anything
// is allocated, the walk over series without an allocation per sample, and the
// rules for labels (a name, sorted, unique). What series mean is package
// series'; which times are plausible and who may send is the receiver's.
//
// It refuses as a whole what cannot be parsed, because nothing behind a broken
// field can be trusted. A series whose labels break the rules is refused
// alone. An empty label value is an absent label, as Prometheus has it.
//
// Fields that it does not know are skipped, and repeated numbers may be packed
// or not, as protobuf demands. Native histograms, exemplars and metadata are
// counted and not read.
package remotewrite
