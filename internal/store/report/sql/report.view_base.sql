-- Views of the ledger once more, in schema bi_base, for the views of bi_v1. Those of
-- public read by the rights of whoever asks; these by the rights of their owner, who is
-- the role that policies hold for where access control is set up (store/access).
do $$
declare v text;
begin
  foreach v in array array['charge_lines', 'charges', 'posted_rates', 'pod_splits', 'run_splits', 'postings'] loop
    perform set_config('search_path', 'public', true);
    v := format('create view bi_base.%I as %s', v, pg_get_viewdef(('public.' || v)::regclass));
    perform set_config('search_path', 'bi_base, public', true);
    execute v;
  end loop;
end $$
