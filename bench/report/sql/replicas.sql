-- Replicas of 300 services: two in each of two places.
insert into nodes (tenant_id, node_id, cluster, name, instance_type, region, zone, price_class, gpu_model, gpus)
select 1, md5('serving' || n)::uuid, 'prod-' || n % 4, 'serving-' || n, (array['p5.48xlarge','p4d.24xlarge','a3-highgpu-8g','ND96isr_H100_v5'])[1 + n % 4], 'region-' || n % 3,
  'region-' || n % 3 || (array['a','b'])[1 + n % 2], (array['on_demand','spot','savings_plan'])[1 + n % 3], (array['H100','A100','H100','H100'])[1 + n % 4], 8
from generate_series(0, 23) n
on conflict do nothing;
-- Each month a roll-out: replicas of another name.
insert into workloads (tenant_id, workload_id, cluster, namespace, name, uid, kind, service, owner_name, class, node_id, outcome, owner_id)
select 1, md5('replica' || i || '-' || r || '-' || month)::uuid, 'prod-' || i % 4, 'serving', 'svc-' || i || '-' || month || '-' || r, md5('replica' || i || '-' || r || '-' || month), 'Deployment',
  'svc-' || i, 'svc-' || i, 'service', md5('serving' || (i + r / 2) % 24)::uuid, 'running', md5('service' || i)::uuid
from generate_series(0, 299) i, generate_series(0, 3) r, generate_series(0, 11) month
on conflict do nothing
