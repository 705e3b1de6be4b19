-- What a person states of an attempt is one statement, which a later import
-- replaces as a whole (docs/rules.md 10.1): its facts carry its name. Facts that
-- nobody can replace have none.
set local lock_timeout = '5s';

alter table workload_facts add column statement text not null default '';
alter table segment_facts add column statement text not null default '';
alter table checkpoint_facts add column statement text not null default '',
  drop constraint checkpoint_facts_pkey,
  add constraint checkpoint_facts_pkey primary key (tenant_id, cluster, namespace, pod, run, at, statement);
create index workload_facts_statement on workload_facts (tenant_id, statement) where statement <> '';
create index segment_facts_statement on segment_facts (tenant_id, statement) where statement <> '';
create index checkpoint_facts_statement on checkpoint_facts (tenant_id, statement) where statement <> '';
update workload_facts set statement = regexp_replace(uid, '[^/]*$', '') where system = 'attempts';
---- create above / drop below ----
drop index checkpoint_facts_statement, segment_facts_statement, workload_facts_statement;
delete from checkpoint_facts a using checkpoint_facts b
where a.tenant_id = b.tenant_id and a.cluster = b.cluster and a.namespace = b.namespace and a.pod = b.pod and a.run = b.run and a.at = b.at and a.statement > b.statement;
alter table checkpoint_facts drop constraint checkpoint_facts_pkey, drop column statement,
  add constraint checkpoint_facts_pkey primary key (tenant_id, cluster, namespace, pod, run, at);
alter table segment_facts drop column statement;
alter table workload_facts drop column statement;
