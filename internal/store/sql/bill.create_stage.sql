create temp table next_charges (like charges) on commit drop;
alter table next_charges drop column delivery_id;
alter table next_charges add column slot int not null;
create temp table next_tag_sets (like tag_sets) on commit drop
