package bills

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"gpuledger/ingest"
	"gpuledger/internal/ledger"
	"gpuledger/internal/store/pg"
)

// ownTable is from how many lines on a delivery gets a separate table. Its index is then built at once instead of row
// by row, and dropping the delivery later is cheap. Fewer lines are not worth a table.
const ownTable = 50_000

// chargeStage is an open transaction with temporary tables of charges.
type chargeStage struct {
	tx       pgx.Tx
	importID ledger.ID
	out      *pg.CopyWriter
	words    *dictionaries
	outlets  [outletCount]outlet
	slots    []*stagedSlot
	look     func(place string) ingest.Sight // nil: no knowledge about places
	ended    bool                            // all was sent, no more can be written
	done     bool
}

// stagedSlot is the staged state of one delivery.
type stagedSlot struct {
	number    int // of a separate table; 0: few lines so far
	rows      outlet
	charges   int64
	dropped   bool // by Drop: not published
	seen      [wordKinds]marks
	instances map[string]*stagedInstance
	covered   map[string]int64 // by account: end of its last compute usage
}

// An outlet collects encoded tuples for one COPY statement.
type outlet struct {
	sql string
	pg.Row
}

// The temporary tables of a stage. Dictionaries come first.
const (
	outScopes = iota
	outItems
	outResources
	outTags
	outDetails
	wordKinds
	outRows = iota - 1
	outAggregates
	outSplits
	outInstances
	outletCount
)

// words are the dictionaries: the number of columns of a word, and its encoder.
var words = [wordKinds]struct {
	fields int
	encode func(*pg.Row, *ledger.Charge) error
}{
	outScopes:    {7, encodeScope},
	outItems:     {22, encodeItem},
	outResources: {5, encodeResource},
	outTags:      {3, func(r *pg.Row, c *ledger.Charge) error { return r.Object(pg.CleanMap(c.Tags)) }},
	outDetails:   {3, func(r *pg.Row, c *ledger.Charge) error { return r.Object(pg.CleanMap(c.Details)) }},
}

var outletStatements = [outletCount]string{"bill.copy_scopes", "bill.copy_items", "bill.copy_resources",
	"bill.copy_tags", "bill.copy_details", "bill.copy_rows",
	"bill.copy_aggregates", "bill.copy_splits", "bill.copy_instances"}

// StageCharges opens a transaction with empty staging tables for charges. It
// holds a connection until Publish or Discard.
func (s *Bills) StageCharges(ctx context.Context, importID ledger.ID) (ingest.ChargeStage, error) {
	tx, err := s.Pool.Begin(ctx)
	if err != nil {
		return nil, fmt.Errorf("stage charges: %w", err)
	}
	c, err := stageOn(ctx, tx, importID)
	if err != nil {
		return nil, err
	}
	return c, nil
}

// stageOn is a stage in a transaction that Publish commits and Discard rolls back.
func stageOn(ctx context.Context, tx pgx.Tx, importID ledger.ID) (*chargeStage, error) {
	if _, err := pg.Exec(ctx, tx, "bill.create_stage"); err != nil {
		pg.Rollback(ctx, tx)
		return nil, fmt.Errorf("stage charges: %w", err)
	}
	c := &chargeStage{
		tx: tx, importID: importID, words: newDictionaries(), out: pg.StartCopies(ctx, tx.Conn().PgConn()),
	}
	for i, name := range outletStatements {
		c.outlets[i].sql = pg.Statement(name)
	}
	return c, nil
}

// Write stages charges of the delivery that will be deliveries[slot] of Publish.
func (c *chargeStage) Write(ctx context.Context, slot int, charges []ledger.Charge) error {
	if c.ended {
		return errors.New("the stage has ended")
	}
	for slot >= len(c.slots) {
		c.slots = append(c.slots, &stagedSlot{instances: map[string]*stagedInstance{}, covered: map[string]int64{}})
	}
	s := c.slots[slot]
	if s.number == 0 && s.charges+int64(len(charges)) > ownTable {
		if err := c.giveTable(ctx, slot); err != nil {
			return fmt.Errorf("stage charges: %w", err)
		}
	}
	for i := range charges {
		if err := c.write(ctx, slot, s, &charges[i]); err != nil {
			return fmt.Errorf("stage charges: %w", err)
		}
	}
	return nil
}

// write stages one charge.
func (c *chargeStage) write(ctx context.Context, slot int, s *stagedSlot, ch *ledger.Charge) error {
	scope, err := c.words.scope(ch)
	if err != nil {
		return fmt.Errorf("%s line %d: %w", ch.SourceFile, ch.Line, err)
	}
	refs := chargeRefs{scope, c.words.item(ch), c.words.resource(ch), c.words.tags.number(ch.Tags),
		c.words.details.number(ch.Details)}
	for kind, id := range refs {
		if id == 0 || !s.seen[kind].add(id) {
			continue
		}
		o := &c.outlets[kind]
		o.Begin(words[kind].fields)
		o.Int4(slot)
		o.Int4(int(id))
		if err := words[kind].encode(&o.Row, ch); err != nil {
			return err
		}
		if err := c.sendFull(ctx, o); err != nil {
			return err
		}
	}
	if err := c.writeBeside(ctx, slot, s, ch, refs); err != nil {
		return err
	}
	s.charges++
	to := &s.rows
	if s.number == 0 {
		to = &c.outlets[outRows]
		to.Begin(1 + chargeFields)
		to.Int4(slot)
	} else {
		to.Begin(chargeFields)
	}
	encodeCharge(&to.Row, ch, refs)
	return c.sendFull(ctx, to)
}

// writeBeside stages the parts of a charge that are outside its row and that few charges have.
func (c *chargeStage) writeBeside(
	ctx context.Context, slot int, s *stagedSlot, ch *ledger.Charge, refs chargeRefs,
) error {
	if ch.Aggregate != nil {
		o := &c.outlets[outAggregates]
		encodeAggregate(&o.Row, slot, ch, refs[outScopes])
		if err := c.sendFull(ctx, o); err != nil {
			return err
		}
	}
	if ch.Split != nil {
		o := &c.outlets[outSplits]
		encodeSplit(&o.Row, slot, ch, refs[outScopes])
		if err := c.sendFull(ctx, o); err != nil {
			return err
		}
	}
	if !ch.InstanceHours {
		return nil
	}
	s.note(ch, refs)
	if len(s.instances) < maxInstances {
		return nil
	}
	o := &c.outlets[outInstances]
	s.flushInstances(&o.Row, slot)
	return c.sendFull(ctx, o)
}

// sendFull sends an outlet's buffer to the writer if it is large enough.
func (c *chargeStage) sendFull(ctx context.Context, o *outlet) error {
	if len(o.Buf) < pg.CopyFlush {
		return nil
	}
	return c.send(ctx, o)
}

// send sends an outlet's buffer to the writer.
func (c *chargeStage) send(ctx context.Context, o *outlet) error {
	full := o.Buf
	o.Buf = c.out.Buffer()
	return c.out.Put(ctx, pg.CopyWork{SQL: o.sql, Buf: full})
}

// giveTable creates the table of a large delivery and moves its first lines there. It is invisible to others until it
// is published.
func (c *chargeStage) giveTable(ctx context.Context, slot int) error {
	if rows := &c.outlets[outRows]; len(rows.Buf) > 0 {
		if err := c.send(ctx, rows); err != nil {
			return err
		}
	}
	s := c.slots[slot]
	err := c.out.Between(ctx, func() (err error) {
		if s.number, err = pg.Value[int](ctx, c.tx, "bill.large_number"); err != nil {
			return err
		}
		if err := execTable(ctx, c.tx, "bill.create_table", s.number); err != nil {
			return err
		}
		return execTable(ctx, c.tx, "bill.move_rows", s.number, slot)
	})
	s.rows.sql = tableSQL("bill.copy_table", s.number)
	return err
}

// Discard rolls back; after Publish it does nothing.
func (c *chargeStage) Discard(ctx context.Context) error {
	if c.done {
		return nil
	}
	c.done, c.ended = true, true
	c.out.Discard()
	pg.Rollback(ctx, c.tx)
	return nil
}
