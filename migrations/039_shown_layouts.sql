-- The better layouts that are shown as of each day: one per card, where cards are
-- released (docs/figures.md, 17.7). Made from packing_cards, which have each day's
-- own, and always replaceable.
set local lock_timeout = '5s';

create table shown_layouts (
  tenant_id int not null, day timestamptz not null, cluster text not null, model text not null, card int not null,
  node_id uuid not null, slot int not null, device text not null,
  had text[] not null, profiles text[] not null, starts int[] not null,   -- no profiles: it is released
  primary key (tenant_id, day, cluster, model, card)
);

-- They are made when the newest day is worked out again.
insert into analysis_days (tenant_id, step, day)
select tenant_id, 'layouts', max(day) from packing_days group by tenant_id
on conflict do nothing;
---- create above / drop below ----
drop table shown_layouts;
