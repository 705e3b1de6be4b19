package storetest

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/store"
)

// writablePostings numbers terms like store/book/terms.go.
const writablePostings = `
create function test_terms(new postings) returns bigint language plpgsql as $$
declare
  settles text := case when new.kind = 'amortise' then greatest(new.billing_period,
    to_char(new.hour at time zone 'UTC', 'YYYY-MM')) else new.billing_period end;
  packed bytea := '';
  part text;
  number bigint;
begin
  foreach part in array array['terms', coalesce(new.billing_account, ''), coalesce(new.billing_period, ''),
    coalesce(settles, ''), new.cause, coalesce(new.activity, ''),
    new.kind, new.method, new.quality, new.policy_version, new.currency, new.state]
  loop
    packed := packed || int8send(octet_length(part)) || convert_to(part, 'UTF8');
  end loop;
  number := ('x' || encode(substr(sha256(packed), 1, 8), 'hex'))::bit(64)::bigint;
  insert into posting_terms values (new.tenant_id, number, new.billing_account, new.billing_period, new.billing_period,
      settles, new.cause, new.activity, new.kind, new.method,
    new.quality, new.policy_version, new.currency, new.state)
  on conflict do nothing;
  return number;
end $$;

create function test_posting() returns trigger language plpgsql as $$
declare
  number bigint;
begin
  if tg_op <> 'INSERT' then
    if tg_op = 'UPDATE' and (old.billing_account, old.billing_period, old.cause, old.activity, old.kind, old.method,
      old.quality, old.policy_version, old.currency, old.state)
      is not distinct from (new.billing_account, new.billing_period, new.cause, new.activity, new.kind, new.method,
        new.quality, new.policy_version, new.currency, new.state)
    then
      select terms_id into number from posting_rows where tenant_id = old.tenant_id and hour = old.hour
        and posting_id = old.posting_id;
    end if;
    delete from posting_rows where tenant_id = old.tenant_id and hour = old.hour and posting_id = old.posting_id;
    if tg_op = 'DELETE' then
      return old;
    end if;
  end if;
  insert into posting_rows (tenant_id, part, hour, terms_id, generation, posting_id, part_id, charge_id, rate_id,
      usage_id, adjusts, owner_id,
    effective_cost, billed_cost, list_cost, contracted_cost, gpu_hours, capacity_gpu_hours, active_gpu_hours,
    energy_kwh,
    node_id, slot, device, slice_id, mig_profile, workload_id, run_id, attempt_id)
  values (new.tenant_id, new.part, new.hour, coalesce(number, test_terms(new)), new.generation, new.posting_id,
      new.part_id, new.charge_id, new.rate_id, new.usage_id, new.adjusts, new.owner_id,
    new.effective_cost, new.billed_cost, new.list_cost, new.contracted_cost, new.gpu_hours, new.capacity_gpu_hours,
    new.active_gpu_hours, new.energy_kwh,
    new.node_id, new.slot, new.device, new.slice_id, new.mig_profile, new.workload_id, new.run_id, new.attempt_id);
  return new;
end $$;

create trigger test_posting instead of insert or update
  or delete on postings for each row execute function test_posting();
`

// Migrate makes the current schema, and lets tests write postings through their view: the program itself never does.
func Migrate(ctx context.Context, dsn string) error {
	if err := store.MigrateDSN(ctx, dsn); err != nil {
		return err
	}
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return fmt.Errorf("connect to database: %w", err)
	}
	_, err = conn.Exec(ctx, writablePostings)
	return errors.Join(err, conn.Close(ctx))
}
