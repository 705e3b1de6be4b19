// Generated from openapi.json: do not edit. make clients writes it.
export interface paths {
    "/api/v1/annotations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Events for time axes: deploys, notes and others from people and pipelines; closes, steps of budgets and interruption storms from the ledger itself; changed prices from price books. */
        get: operations["get_annotations"];
        put?: never;
        /** @description Store annotations, all or none. The same one twice is one. A single object is taken like a list of one. */
        post: operations["save_annotations"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/attempts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description One attempt of a run (of one of its tasks, if it is not a gang), for the attempts that overlap the window; one row per currency. With group_by, one row per group, with only the properties that apply to a group. */
        get: operations["get_attempts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description One entry of the audit log: who closed, reopened, changed the policy or decided on advice, who signed in, was refused or was given access. Each entry is chained to the one before. */
        get: operations["get_audit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/better_layouts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Layouts that would hold the same slices on fewer cards: a row per card that had MIG instances, if cards are released. As of the newest day of the window with such cards. */
        get: operations["get_better_layouts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/budget_days": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The spend of each budget's newest version day by day, and added up. Days to come have the spend that they reach if it goes on as so far; a life has those until it breaks, else 28. */
        get: operations["get_budget_days"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/budget_versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Every version of every budget, of people and of labels, with who changed it and why. */
        get: operations["get_budget_versions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/budgets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The newest version of each budget with its spend so far: effective cost by service hour, before sharing; GPU-hours held; or tokens. */
        get: operations["get_budgets"];
        put?: never;
        /** @description Store budgets, all or none. The same name with another amount is the next version of a budget. A single object is taken like a list of one. */
        post: operations["save_budgets"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/busy_hours": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Held GPU-hours by hour of the week, team and class of the work: shows whose work fills the hours in which idle_hours has nothing free. With group_by, one row per group, with only the properties that apply to a group. */
        get: operations["get_busy_hours"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description One change of the books that needs a second person: the request and its outcome. */
        get: operations["get_changes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/changes/{id}/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @description Confirm a change that waits for a second person; the change is then made. The person who asked for it and API tokens cannot confirm it. */
        post: operations["confirm_change"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/changes/{id}/decline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @description Decline a change that waits for a second person, with a reason. */
        post: operations["decline_change"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/changes/{id}/take-back": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @description Take back a change that you asked for. */
        post: operations["take_back_change"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/chargeback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description What each team pays, per period, group and currency: its own cost, the cost that sharing passes on to others and the cost it receives, and the result. One property per key of group_by; tag:KEY and label:KEY are properties of that name. */
        get: operations["get_chargeback"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/charges": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description One bill line of a current delivery, as delivered, or an aggregate of lines outside the fleet. Bill lines only: provisional cost has none. */
        get: operations["get_charges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/checkpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description One checkpoint that a workload reported, or that was posted for a run. */
        get: operations["get_checkpoints"];
        put?: never;
        /** @description Store checkpoints saved by a training run. They are stored when the answer arrives; sending them again changes nothing. A single object is taken like a list of one. */
        post: operations["post_checkpoints"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/commitment_demand": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description How steadily a team holds machines of a family in a region, and its cost without a commitment; one row per currency. Bursty demand is never worth a commitment. With group_by, one row per group, with only the properties that apply to a group. */
        get: operations["get_commitment_demand"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/commitments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Covered and unused cost of commitments (savings plans, reservations, committed use), and on-demand spend (rows without a commitment), by account, family and region; one row per currency. Costs add up over any rows. With group_by, one row per group, with only the properties that apply to a group. */
        get: operations["get_commitments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/conflicts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Two values of a fact that can have only one: one counts, the other is kept here. Also machines that may be in the ledger twice. */
        get: operations["get_conflicts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/costs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Cost and held GPU time per period, group and currency. Every grouping adds up to the ungrouped total. One property per key of group_by; tag:KEY and label:KEY are properties of that name. */
        get: operations["get_costs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/coverage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Billed, observed and known parts of the fleet's capacity: one hour (or day, week, month), cluster and instance type. */
        get: operations["get_coverage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description One delivery of a billing export, replaced ones included. */
        get: operations["get_deliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/devices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Use, signals and cost of GPUs, across all holders: one row per device and currency, for the days that begin in the window. With group_by, one row per group, with only the properties that apply to a group. */
        get: operations["get_devices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description One event of a cloud instance (interruption warnings, state changes) or of a workload (restarted, suspended, evicted, preempted, admitted). */
        get: operations["get_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/experiments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Result of one metric of an experiment on one dataset, and the experiment's cost: all runs that have its name or that a result names, over their whole lives, for runs that overlap the window; one row per currency. An experiment without results is a row without a metric. With group_by, one row per group, with only the properties that apply to a group. */
        get: operations["get_experiments"];
        put?: never;
        /** @description Store results of experiments, all or none. The same result twice is one. A single object is taken like a list of one. */
        post: operations["save_experiments"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/explain/{subject}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description How a figure is derived from bill lines and usage. Subjects are run/ID, attempt/ID, posting/ID, charge/ID, usage/ID, node/NAME/HOUR, device/UUID/DAY, owner/team=NAME, spot and spot/instance_type=NAME (with from, to, tz, filter), costs with the options of that report as parameters, or DATASET.COLUMN with the options of that dataset. */
        get: operations["explain"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/export_runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description One scheduled time of an export and its outcome: the newest 200 of each schedule. */
        get: operations["get_export_runs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/export_schedules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description One schedule of exports with the outcome of its newest run. */
        get: operations["get_export_schedules"];
        put?: never;
        /** @description Store a schedule of exports, or change the one of this name. Its first run is at once. */
        post: operations["save_export_schedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/export_schedules/{name}/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @description Delete a schedule of exports. Exported files stay. */
        post: operations["remove_export_schedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/fair_share": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description One quota of devices, of a namespace (ResourceQuota) or a queue (ClusterQueue), and its use in the window. No rows without quotas. With group_by, one row per group, with only the properties that apply to a group. */
        get: operations["get_fair_share"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/focus_billing_period": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description FOCUS BillingPeriod: a month of an issuer of invoices, Closed when it is closed here for each of its billing accounts. Since FOCUS 1.4. */
        get: operations["get_focus_billing_period"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/focus_contract_commitment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description FOCUS ContractCommitment: one commitment that lines of bills name. Terms that no bill states are assumed, since FOCUS requires them. */
        get: operations["get_focus_contract_commitment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/focus_cost_and_usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description FOCUS CostAndUsage: one bill line, part, holder and cause. Costs of one line are split as the ledger splits them; its other columns are those of the line. Without provisional cost. */
        get: operations["get_focus_cost_and_usage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/focus_invoice_detail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description FOCUS InvoiceDetail: billed cost by issuer, invoice, billing account, currency, month and category, of charges that name an invoice. Since FOCUS 1.4. */
        get: operations["get_focus_invoice_detail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/freshness": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description How far each source is behind the newest stored data: bills, placements, device samples, workloads, events. */
        get: operations["get_freshness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description One group of runs (pipeline, sweep, array) over its whole life, for the groups that overlap the window; one row per currency. Its cost by stage is costs grouped by group and stage. With group_by, one row per group, with only the properties that apply to a group. */
        get: operations["get_groups"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/idle_hours": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Use of capacity by hour of the week, cluster and instance type: shows free hours that come back every week. With group_by, one row per group, with only the properties that apply to a group. */
        get: operations["get_idle_hours"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/import_counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Counts by reason: rows of an import that became no facts, and refused files and deliveries. */
        get: operations["get_import_counts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/imports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description One import: rows read, accepted, rejected and ignored. */
        get: operations["get_imports"];
        put?: never;
        /** @description Import a file: a bill, telemetry, workloads or events. */
        post: operations["import_file"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/inference": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Requests and tokens that were served and their cost, idle time included: one service, model, server, tenant and currency. Rows add up under any grouping. With group_by, one row per group, with only the properties that apply to a group. */
        get: operations["get_inference"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/interruptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description One spot machine that was taken away, and one attempt that this ended; without a run if it ended none; one row per currency of the lost cost. With group_by, one row per group, with only the properties that apply to a group. */
        get: operations["get_interruptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/journal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description One line of a journal entry: the billed cost of a month, charged to cost centres and owed to the provider. In each currency, the debits of an entry are its credits. */
        get: operations["get_journal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/layouts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Layouts of MIG cards over time, with their use and cost: a row per card, machine, layout and currency. With group_by, one row per group, with only the properties that apply to a group. */
        get: operations["get_layouts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/limit_labels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description What labels that limit cost say: each amount of cost-budget-limit by experiment or project, and texts of it and of max-cost-per-run that limit nothing. */
        get: operations["get_limit_labels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/llm_usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Calls through LLM gateways, by hour, day, week or month, and by model, team, key and user. */
        get: operations["get_llm_usage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/mappings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description One version of a mapping: owner rules, allowed values and mapped values with their own name, outside the versions of the policy. */
        get: operations["get_mappings"];
        put?: never;
        /** @description Store a document as the next version of a mapping: owner rules, allowed values and mapped values. */
        post: operations["save_mapping"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/mappings/try": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @description Show what a mapping would change, and who would pay more or less. Nothing is stored. */
        post: operations["try_mapping"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/mappings/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description All versions of one mapping, the one in force of each day with the status holds. */
        get: operations["get_mapping"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Cost of a model over its life, by phase, and the requests and tokens it served: all cost inside the window whose owner has the model, and the cost of its answers, whichever owner has the service; one row per currency. Cost without a model is in costs grouped by model. With group_by, one row per group, with only the properties that apply to a group. */
        get: operations["get_models"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/owner_coverage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description How much of the spend has an owner, per owner key, and how sure it is; one row per key and currency. All keys cover the same spend: do not add keys up. With group_by, one row per group, with only the properties that apply to a group. */
        get: operations["get_owner_coverage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/packing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description How well the GPUs of a model in a cluster are packed, and the fewest cards in MIG mode that would have been enough: a row per cluster, GPU model and currency. With group_by, one row per group, with only the properties that apply to a group. */
        get: operations["get_packing"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/periods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description One billing month of a billing account: whether it is closed, its costs, and adjustments since. */
        get: operations["get_periods"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/periods/{period}/close": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @description Close a billing period of one account, or of all. */
        post: operations["close_period"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/periods/{period}/reopen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @description Reopen a closed period. Its statements are kept. */
        post: operations["reopen_period"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/policies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description One version of the policy: the settings of the rules, owner rules, and who pays for unheld time. The standard policy applies before the first version. */
        get: operations["get_policies"];
        put?: never;
        /** @description Store a document as a new version of the policy. */
        post: operations["save_policy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/policies/try": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @description Show how a document would change what each team pays. Nothing is stored. */
        post: operations["try_policy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/policies/{version}/withdraw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @description Withdraw a version of the policy. */
        post: operations["withdraw_policy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/postings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Money: one part of one charge, for one service hour, one owner, one cause. After sharing also the amounts passed on and received, by day. */
        get: operations["get_postings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/price-book": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @description Import a price book: prices of hours without a bill, and owned machines. */
        post: operations["save_price_book"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/provider_splits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Cost that the provider's own split of its machines gives pods (AWS: split cost allocation), in runs and outside them, next to the ledger's cost of the same pods; whole lives, one row per currency. Evidence only, never added to the ledger's own allocation. With group_by, one row per group, with only the properties that apply to a group. */
        get: operations["get_provider_splits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/provisional_accuracy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description How good provisional cost was: the last estimate before the first bill against the newest bill, for the same hours of the same machines, before sharing. No row before a bill. With group_by, one row per group, with only the properties that apply to a group. */
        get: operations["get_provisional_accuracy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/provisional_prices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Prices of hours without a bill: one row per cluster, machine type, price class and price. A bill or a price book replaces them. */
        get: operations["get_provisional_prices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/queries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Your deferred queries, the newest first. */
        get: operations["list_queries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/queries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The state of a deferred query. */
        get: operations["get_query"];
        put?: never;
        post?: never;
        /** @description Stop a deferred query, or delete its answer. */
        delete: operations["delete_query"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/queries/{id}/result": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The answer to a deferred query, in the requested format. It can be read in ranges. */
        get: operations["get_query_result"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/queue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description How long workloads that asked for GPUs waited for them: those created in the window, by cluster, queue, team, class and GPU model. Counts, GPU-hours and costs add up; percentiles are computed again over all waits of a group. With group_by, one row per group, with only the properties that apply to a group. */
        get: operations["get_queue"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/rates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Prices of price books: one row per machine type, region, price class, currency and time that it is valid for. */
        get: operations["get_rates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/recommendations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description One recommendation of one kind for one subject and currency: its saving, its evidence, what people decided, and its realised saving. With group_by, one row per group, with only the properties that apply to a group. */
        get: operations["get_recommendations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/recommendations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @description Record a decision on a recommendation. */
        post: operations["decide_recommendation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reconciliation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Whether bills add up: one current delivery, account, billing period, currency and metric; the delivery's own total against the posted total. With group_by, one row per group, with only the properties that apply to a group. */
        get: operations["get_reconciliation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/rejections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description One rejected row, or refused file or delivery, of an import, with its place and what to do about it: the first thousand of each import. import_counts counts all. */
        get: operations["get_rejections"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description CPU and memory requests of GPU pods against their use in the newest four weeks, by root owner: requests that are too large leave GPUs that no pod can hold. From cAdvisor's series of containers. With group_by, one row per group, with only the properties that apply to a group. */
        get: operations["get_requests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/restatements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Changes that a delivery made when it replaced another: one service of one account, billing period and currency. Cost is new minus old. */
        get: operations["get_restatements"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description One training, fine-tuning, evaluation or batch run over its whole life and all its attempts, for the runs that overlap the window; one row per currency. With group_by, one row per group, with only the properties that apply to a group. */
        get: operations["get_runs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/samples": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Summary of one signal of a device or slice in an hour, from its minute values. Kept for ever, even after the minutes are deleted. */
        get: operations["get_samples"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/scaling": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description How completed runs of one team, model and kind scale with GPUs: one row per GPU count and currency; the runs' whole lives, for runs that overlap the window. Runs are comparable only as far as their labels: a run on more GPUs that does more work looks inefficient. With group_by, one row per group, with only the properties that apply to a group. */
        get: operations["get_scaling"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/served_names": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Names under which models were served, and how each name was joined to its model: one row per name and model. A line of served_models in the policy joins names that no rule joins. */
        get: operations["get_served_names"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/slices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The slices of MIG cards: a row per card, machine, layout, slice and currency, and one without a slice for the rest of the card. With group_by, one row per group, with only the properties that apply to a group. */
        get: operations["get_slices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/spot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Cost, savings, losses and interruptions of spot machines: one row per value of each group key; one row per currency. Costs and instance-hours add up over the rows of one group_key; attempts, interruptions and runs that were in several groups count once in each. With group_by, one row per group, with only the properties that apply to a group. */
        get: operations["get_spot"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/spot_postings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The postings that dataset spot adds up: those of spot machines, held or not, and of work lost to interruptions, on any machine. Gross savings are Σ gross_savings; net savings are that minus Σ lost_cost. */
        get: operations["get_spot_postings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/statement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description What an owner is charged for a billing month, over all accounts and providers. */
        get: operations["statement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/statement_diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Differences between two versions of one statement by owner and cause, after sharing. Rows without a difference are left out. */
        get: operations["get_statement_diff"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/statement_lines": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description One line of a statement: an owner's cost of one cause on one day in one place. Lines of kind shared_in and shared_out are the pairs of sharing: totals with them are after sharing, without them before. */
        get: operations["get_statement_lines"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/statements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description One version of the statement of a closed period. It never changes. */
        get: operations["get_statements"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/stored_annotations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Annotations that were imported or written by REST, with who stored each and when. */
        get: operations["get_stored_annotations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/targets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The fleet against its targets: one UTC day, target and subject; cost per unit by model and currency. */
        get: operations["get_targets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tokens/{id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @description Revoke a token at once, for example after a leak. */
        post: operations["revoke_token"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description A quantity, counted once, with or without a bill: one hour, slice, workload, attempt, cause and activity. */
        get: operations["get_usage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/variance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description How the cost of a period differs from that of another, in parts that add up to the difference. Without from and to, all cost is compared with nothing. One property per key of group_by; tag:KEY and label:KEY are properties of that name. */
        get: operations["get_variance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/views": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Your saved views by name, then the newest 500 that others share. */
        get: operations["list_views"];
        put?: never;
        /** @description Save the address of a page under a name. */
        post: operations["save_view"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/views/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** @description Delete one of your views. */
        delete: operations["delete_view"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/waste": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description One finding: time that was paid for and did not work (idle kinds, which never overlap), or worked badly (risks: `overlaps` is true, and their cost is never added to that of idle ones). Findings that overlap the window are shown whole; one row per currency. With group_by, one row per group, with only the properties that apply to a group. */
        get: operations["get_waste"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workloads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Known facts of one workload that can hold devices of one machine: a pod, a Slurm job's life on a node, a managed training job, an attempt, a group of processes. */
        get: operations["get_workloads"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/write": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @description Take samples by Prometheus remote_write 1.0 and 2.0. */
        post: operations["remote_write"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @description Take OpenTelemetry metrics by OTLP/HTTP. */
        post: operations["otlp_metrics"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AcceptedRows: {
            /** Format: int64 */
            accepted: number;
        };
        AnnotationRow: {
            /** @description RFC 3339, or a day. */
            at: string;
            /** @description A group key; empty: the whole fleet. */
            key?: string;
            /** @enum {string} */
            kind: "deploy" | "price" | "close" | "interruptions" | "budget" | "note";
            /** @description An https address. */
            link?: string;
            /** @description Program or person that reports it. */
            source?: string;
            text: string;
            /** @description End, exclusive; empty: at one instant. */
            until?: string;
            /** @description Value of the key. */
            value?: string;
        };
        BudgetRow: {
            /** @description A decimal above 0. */
            amount: string;
            /** @description ISO code, for money. */
            currency?: string;
            /** @description A group key, or all. */
            key: string;
            /** @description Its identity: the same name with another amount is the next version. */
            name: string;
            /** @description Name of the budget that this one is a part of. */
            parent?: string;
            /** @enum {string} */
            period: "month" | "quarter" | "year" | "life";
            /** @description Why it changes, for the next version of a budget. */
            reason?: string;
            /** @description First day of the period. */
            start?: string;
            /** @enum {string} */
            unit: "money" | "gpu_hours" | "tokens";
            /** @description Value of the key; empty with all. */
            value?: string;
        };
        CheckpointRow: {
            /** @description RFC 3339 with a zone. Unix seconds, as a number, are taken as well. */
            at: string;
            /** @description Cluster of pod or job_id. Leave it out with run_id. */
            cluster?: string;
            /** @description Time it took to write the checkpoint; more than 0, at most 86400. */
            duration_seconds?: number;
            /** @description Id of a batch job. */
            job_id?: string;
            /** @description Namespace of pod. */
            namespace?: string;
            /** @description Name or uid of the pod. */
            pod?: string;
            /** @description Run id, unique across clusters. Or name a pod, or a job_id. */
            run_id?: string;
            /**
             * Format: int64
             * @description Training step.
             */
            step?: number;
        };
        ClosedStatements: {
            data: {
                billing_account: string;
                billing_period: string;
                digest: string;
                /** Format: int64 */
                version: number;
            }[];
        };
        Decided: {
            recommendation_id: string;
            status: string;
        };
        Decision: {
            note?: string;
            /** @enum {string} */
            status: "open" | "accepted" | "dismissed" | "done";
        };
        ExperimentRow: {
            /** @description When it was measured: RFC 3339. */
            at?: string;
            /** @description The earlier value to compare with. */
            baseline?: string;
            /** @description Dataset that the model was trained or measured on. */
            dataset?: string;
            /** @description A decimal, in dataset_unit. */
            dataset_size?: string;
            /** @description Unit of dataset_size. */
            dataset_unit?: string;
            /**
             * @description Which values are good.
             * @enum {string}
             */
            direction?: "higher" | "lower";
            /** @description Its name, which runs carry as a label. */
            experiment: string;
            metric: string;
            /** @description Version of the measured model. */
            model_version?: string;
            /** @description Id or name of the run that it was measured on. */
            run?: string;
            /** @description The value that counts as a success. */
            threshold?: string;
            /** @description A decimal, without unit. */
            value: string;
        };
        Explanation: {
            /** @description The result, one per currency. */
            figures: {
                billed_cost: string | null;
                contracted_cost: string | null;
                currency: string;
                effective_cost: string | null;
                list_cost: string | null;
                others?: {
                    formula: string;
                    name: string;
                    unit?: string;
                    value: string;
                }[];
                quality: string;
                state: string;
            }[];
            /** @description In words. */
            formula: string;
            /** @description As asked. */
            subject: string;
        };
        ExportBody: {
            /** @description effective, billed, list or contracted. */
            basis?: string;
            /** @description Convert to this currency, such as EUR. */
            currency?: string;
            /** @description refuse or keep. */
            currency_missing?: string;
            /** @description Dataset to export. */
            dataset: string;
            /**
             * @description How often, in UTC.
             * @enum {string}
             */
            every: "hourly" | "daily" | "weekly" | "monthly";
            /** @description A condition, as for datasets. */
            filter?: string;
            /** @description 1.4 or 1.3, for datasets of FOCUS. */
            focus_version?: string;
            /** @description CSV only: put an apostrophe before texts that a spreadsheet would run as a formula. */
            for_excel?: boolean;
            /**
             * @description parquet by default.
             * @enum {string}
             */
            format?: "csv" | "parquet" | "xlsx";
            /** @description total, hour, day, week or month. */
            granularity?: string;
            /** @description Group keys, separated by commas. */
            group_by?: string;
            /**
             * Format: int64
             * @description Newest billing months that stay at the target; all by default.
             */
            keep?: number;
            /**
             * Format: int64
             * @description Newest billing months that each run exports; 3 by default.
             */
            months?: number;
            /** @description Its identity: the same name again changes the schedule. */
            name: string;
            /** @description before or after. */
            sharing?: string;
            /** @description Folder of a bucket. A folder of the server can only be given on its command line. */
            to: string;
            /** @description IANA time zone of buckets. */
            tz?: string;
        };
        Imported: {
            /** Format: int64 */
            accepted: number;
            /** Format: int64 */
            ignored: number;
            /** @description Ids in the dataset imports. */
            imports: string[];
            message?: string;
            /** Format: int64 */
            rejected: number;
            /** @description The first rejected rows, with line, column and reason. */
            rejections: string[];
            /** Format: int64 */
            rows_read: number;
            source: string;
            /** @enum {string} */
            state: "published" | "unchanged" | "refused";
        };
        MadeView: {
            id: string;
            link: string;
        };
        /** @description Which ledger answered, and where the next page begins. */
        Meta: {
            dataset: string;
            /**
             * Format: int64
             * @description Newest generation of the ledger.
             */
            generation: number;
            /** @description Value of cursor for the next page; null on the last. */
            next_cursor: string | null;
            /** @description What to know before you rely on the rows. */
            notes?: string[];
            /** @description Newest version of the policy. */
            policy_version: string;
            /**
             * Format: int64
             * @description Rows of this page.
             */
            rows: number;
            /** @description Time for which the dataset has data; null: it has none. */
            window: {
                /**
                 * Format: date-time
                 * @description Its start.
                 */
                from: string;
                /**
                 * Format: date-time
                 * @description Its end; null: a row goes on.
                 */
                to: string | null;
            } | null;
        };
        PeriodClosing: {
            /** @description Empty: all accounts. */
            billing_account?: string;
        };
        PeriodReopening: {
            /** @description Empty: all accounts. */
            billing_account?: string;
            /** @description It is recorded. */
            reason: string;
        };
        /** @description An error (RFC 9457). */
        Problem: {
            detail: string;
            /** @description The right name that a wrong one is like. */
            nearest?: string;
            /** @description The parameter at fault, as it was spelt. */
            parameter?: string;
            reasons?: string[];
            /** Format: int64 */
            status: number;
            title: string;
            type: string;
            /** @description Time for which the dataset has data. */
            window?: {
                /**
                 * Format: date-time
                 * @description Its start.
                 */
                from: string;
                /**
                 * Format: date-time
                 * @description Its end; null: a row goes on.
                 */
                to: string | null;
            } | null;
        };
        QueryList: {
            data: {
                /** Format: int64 */
                bytes: number;
                dataset: string;
                expires_at: string | null;
                finished_at: string | null;
                id: string;
                problem: {
                    detail: string;
                    /** @description The right name that a wrong one is like. */
                    nearest?: string;
                    /** @description The parameter at fault, as it was spelt. */
                    parameter?: string;
                    reasons?: string[];
                    /** Format: int64 */
                    status: number;
                    title: string;
                    type: string;
                    /** @description Time for which the dataset has data. */
                    window?: {
                        /**
                         * Format: date-time
                         * @description Its start.
                         */
                        from: string;
                        /**
                         * Format: date-time
                         * @description Its end; null: a row goes on.
                         */
                        to: string | null;
                    } | null;
                } | null;
                question: string;
                result: string | null;
                /** @enum {string} */
                state: "waiting" | "running" | "done" | "failed";
                submitted_at: string;
            }[];
        };
        QueryStatus: {
            /** Format: int64 */
            bytes: number;
            dataset: string;
            expires_at: string | null;
            finished_at: string | null;
            id: string;
            problem: {
                detail: string;
                /** @description The right name that a wrong one is like. */
                nearest?: string;
                /** @description The parameter at fault, as it was spelt. */
                parameter?: string;
                reasons?: string[];
                /** Format: int64 */
                status: number;
                title: string;
                type: string;
                /** @description Time for which the dataset has data. */
                window?: {
                    /**
                     * Format: date-time
                     * @description Its start.
                     */
                    from: string;
                    /**
                     * Format: date-time
                     * @description Its end; null: a row goes on.
                     */
                    to: string | null;
                } | null;
            } | null;
            question: string;
            result: string | null;
            /** @enum {string} */
            state: "waiting" | "running" | "done" | "failed";
            submitted_at: string;
        };
        Reason: {
            reason?: string;
        };
        RemovedExport: {
            name: string;
            removed: boolean;
        };
        Revoked: {
            id: string;
            revoked: boolean;
        };
        Saved: {
            /** Format: int64 */
            rows: number;
            /** Format: int64 */
            stored: number;
        };
        SavedExport: {
            name: string;
            /** @description false: the same schedule was stored before. */
            stored: boolean;
        };
        SavedMapping: {
            name: string;
            /** @description false: the newest version has this content already. */
            stored: boolean;
            /** @description Day from which it applies; null: always. */
            valid_from: string | null;
            /**
             * Format: int64
             * @description Of this name and day, from 1.
             */
            version: number;
        };
        SavedPolicy: {
            stored: boolean;
            version: string;
        };
        SavedViews: {
            data: {
                created_at: string;
                id: string;
                link: string;
                name: string;
                owner: string;
                shared: boolean;
                start: boolean;
                url: string;
            }[];
        };
        Trial: {
            /** Format: int64 */
            node_days: number;
            /** Format: int64 */
            node_days_waiting: number;
            rows: {
                billed_cost: {
                    difference: string | null;
                    now: string | null;
                    then: string | null;
                };
                cause: string;
                currency: string;
                effective_cost: {
                    difference: string | null;
                    now: string | null;
                    then: string | null;
                };
                gpu_hours: {
                    difference: string | null;
                    now: string | null;
                    then: string | null;
                };
                team: string;
            }[];
            version: string;
        };
        TriedMapping: {
            /** @enum {string} */
            action: "create" | "update" | "none";
            /** @description How the document differs from the version before it. */
            fields: {
                from: string;
                name: string;
                to: string;
            }[];
            /** @description First day that was computed; null: no computed day. */
            from: string | null;
            /** @description Who would pay more or less; adds up to 0 over the owners of a key. */
            money: {
                after: string;
                before: string;
                currency: string;
                difference: string;
                key: string;
                value: string;
            }[];
            name: string;
            /**
             * Format: int64
             * @description Computed for this answer.
             */
            node_days: number;
            /**
             * Format: int64
             * @description Not allocated yet, so part of their difference has other causes.
             */
            node_days_waiting: number;
            /** @description End of these days, exclusive. */
            to: string | null;
        };
        ViewBody: {
            name: string;
            /** @description Others see it, too. */
            shared?: boolean;
            /** @description Path and parameters of a page here. */
            url: string;
        };
        Waiting: {
            change: {
                asked_at: string;
                asked_by: string;
                change_id: string;
                digest: string;
                expires_at: string;
                kind: string;
                state: string;
                subject: string;
            };
        };
        WithdrawnPolicy: {
            version: string;
            withdrawn: boolean;
        };
        /** @description Events for time axes: deploys, notes and others from people and pipelines; closes, steps of budgets and interruption storms from the ledger itself; changed prices from price books. */
        annotations: {
            /**
             * Format: date-time
             * @description When it happened, or began.
             */
            at: string | null;
            /** @description Group key that it is about; NULL or all: the whole fleet. */
            key: string | null;
            /**
             * @description What happened.
             * @enum {string|null}
             */
            kind: "deploy" | "price" | "close" | "interruptions" | "budget" | "note" | null;
            /** @description Address with more about it: http or https. */
            link: string | null;
            /** @description System or team that reported it; ledger: the ledger itself. */
            source: string | null;
            /** @description Description. */
            text: string | null;
            /**
             * Format: date-time
             * @description End, exclusive; NULL if it happened at one instant.
             */
            until: string | null;
            /** @description Value of the key. */
            value: string | null;
        };
        annotations_page: {
            data: components["schemas"]["annotations"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description One attempt of a run (of one of its tasks, if it is not a gang), for the attempts that overlap the window; one row per currency. With group_by, one row per group, with only the properties that apply to a group. */
        attempts: {
            /** @description Activity of held cards: the median of the minutes in which each card or slice was held. Over its whole life; an attempt with cost in two currencies has it in the rows of each. Minutes of unknown activity do not count; NULL without a minute of known activity. By nearest rank from counts in bins: within 0.8 % of the value. */
            activity_p50?: string | null;
            /** @description Activity of held cards: the 95th percentile of the minutes in which each card or slice was held. Over its whole life; an attempt with cost in two currencies has it in the rows of each. Minutes of unknown activity do not count; NULL without a minute of known activity. By nearest rank from counts in bins: within 0.8 % of the value. */
            activity_p95?: string | null;
            /**
             * Format: int64
             * @description Number within its run and task, from 1.
             */
            attempt?: number | null;
            /** @description Attempt. */
            attempt_id?: string | null;
            /** @description Invoiced cost (FOCUS BilledCost). */
            billed_cost?: string | null;
            /** @description Business unit of the owner. */
            business_unit?: string | null;
            /** @description Cluster of the node. */
            cluster?: string | null;
            /** @description Negotiated price before commitments (FOCUS ContractedCost). */
            contracted_cost?: string | null;
            /** @description Cost centre of the owner. */
            cost_center?: string | null;
            /** @description ISO 4217 code; amounts of two currencies are never added. NULL if no cost is known. */
            currency?: string | null;
            /** @description Dataset of the owner. */
            dataset?: string | null;
            /** @description Amortised cost (FOCUS EffectiveCost). */
            effective_cost?: string | null;
            /**
             * Format: date-time
             * @description End; NULL while running.
             */
            ended_at?: string | null;
            /** @description Environment of the owner. */
            environment?: string | null;
            /** @description Experiment of the owner. */
            experiment?: string | null;
            /**
             * Format: int64
             * @description Of those, ended by their own failure or a machine's. An attempt with cost in two currencies counts once in the rows of each.
             */
            failed_tries?: number | null;
            /**
             * Format: date-time
             * @description When all members of its gang held; NULL if they never did.
             */
            gang_complete_at?: string | null;
            /** @description Effective cost of overhead before all members of a gang held: the cost of the early members while they waited. Part of overhead_cost, and of restart_overhead_cost if the gang came together again. */
            gang_wait_cost?: string | null;
            /** @description Physical-GPU equivalents held: a 1/7 slice held for one hour is 1/7. Only compute lines carry quantities; a selection of other lines alone shows NULL. */
            gpu_hours?: string | null;
            /**
             * Format: int64
             * @description Most slots held at once; in groups the most of any attempt.
             */
            gpus?: number | null;
            /** @description Pipeline, sweep or array of the run. */
            group?: string | null;
            /** @description Effective cost with cause `held_idle`. */
            held_idle_cost?: string | null;
            /** @description Effective cost with cause `host`. */
            host_cost?: string | null;
            /**
             * Format: date-time
             * @description Last checkpoint inside the attempt.
             */
            last_checkpoint_at?: string | null;
            /** @description Public on-demand price (FOCUS ListCost). */
            list_cost?: string | null;
            /**
             * @description What the loss counts from; resume is the position from which the next attempt continued. NULL if nothing was lost.
             * @enum {string|null}
             */
            loss_basis?: "checkpoint" | "resume" | "none" | null;
            /** @description Effective cost with cause `lost`. */
            lost_cost?: string | null;
            /**
             * Format: int64
             * @description From the point the loss counts from to the end; of members that were lost alone, the longest. 0 if nothing was lost.
             */
            lost_seconds?: number | null;
            /** @description The most that may be lost in attempts with an unknown end: the loss is between 0 and this. The cost stays in its causes and is not in lost_cost. From the last checkpoint, else from the start of the attempt; after a checkpoint by its part of the attempt's time. */
            may_be_lost_cost?: string | null;
            /** @description Effective cost with cause `metered`. */
            metered_cost?: string | null;
            /** @description Model of the owner. */
            model?: string | null;
            /** @description Model version of the owner. */
            model_version?: string | null;
            /** @description Namespace of the workload. */
            namespace?: string | null;
            /** @description spot_savings minus the cost of spot interruptions: lost work of the attempts that they ended, and the overhead of the attempts that followed; 0 without spot. Negative if interruptions cost more than spot saved; NULL if spot_savings is NULL. */
            net_spot_savings?: string | null;
            /**
             * Format: int64
             * @description Nodes it held.
             */
            nodes?: number | null;
            /**
             * @description How it ended.
             * @enum {string|null}
             */
            outcome?: "succeeded" | "failed" | "oom" | "timeout" | "preempted" | "evicted" | "node_failure" | "suspended" | "cancelled" | "running" | "unknown" | null;
            /** @description Effective cost with cause `overhead`. */
            overhead_cost?: string | null;
            /**
             * Format: int64
             * @description Of those, preempted or evicted. An attempt with cost in two currencies counts once in the rows of each.
             */
            preempted_tries?: number | null;
            /**
             * @description Price class of most of its time.
             * @enum {string|null}
             */
            pricing?: "on_demand" | "spot" | "savings_plan" | "reserved" | "owned" | null;
            /** @description Priority of the owner. */
            priority?: string | null;
            /** @description Project of the owner. */
            project?: string | null;
            /**
             * @description How sure the figure is; mixed rows show the worst that makes at least 1 % of the effective cost.
             * @enum {string|null}
             */
            quality?: "measured" | "estimated" | "assumed" | null;
            /** @description Queue of the owner. */
            queue?: string | null;
            /** @description Why: spot_interruption, scheduler, OOMKilled … */
            reason?: string | null;
            /** @description Effective cost with cause `overhead` of attempts after the first of their task: the cost of starting again. */
            restart_overhead_cost?: string | null;
            /** @description Run. */
            run_id?: string | null;
            /**
             * @description Kind of its run.
             * @enum {string|null}
             */
            run_kind?: "training" | "fine_tuning" | "evaluation" | "inference" | "batch" | null;
            /** @description Effective cost of attempts that a spot interruption ended, whether lost or saved by a checkpoint. */
            spot_dead_cost?: string | null;
            /**
             * Format: int64
             * @description Of those, ended by a spot interruption. An attempt with cost in two currencies counts once in the rows of each.
             */
            spot_interrupted_tries?: number | null;
            /** @description Part of the GPU-hours on spot machines whose cost and on-demand price are known: spot_savings covers this part. NULL without GPU-hours on spot machines. */
            spot_known_share?: string | null;
            /** @description On-demand price (that of dataset spot) minus effective cost of the hours on spot machines; 0 without spot. Covers the hours with a cost and a known on-demand price; NULL if there are no such hours. Losses after interruptions are not deducted. */
            spot_savings?: string | null;
            /** @description Effective cost on spot machines of hours whose on-demand price is unknown. */
            spot_unknown_cost?: string | null;
            /** @description Stage: training, fine_tuning, evaluation, inference … */
            stage?: string | null;
            /**
             * Format: date-time
             * @description First hold.
             */
            started_at?: string | null;
            /**
             * @description How settled the money is: the least settled of the rows with a cost or still awaiting a bill.
             * @enum {string|null}
             */
            state?: "provisional" | "open" | "final" | null;
            /** @description Task (index); NULL for gangs. */
            task?: string | null;
            /** @description Team, or `unowned`. */
            team?: string | null;
            /**
             * Format: int64
             * @description Attempts. An attempt with cost in two currencies counts once in the rows of each.
             */
            tries?: number | null;
            /** @description Effective cost with cause `unobserved`. */
            unobserved_cost?: string | null;
            /** @description Effective cost with cause `used`. */
            used_cost?: string | null;
            /** @description User of the owner. */
            user?: string | null;
            /** @description Kind of the root owner. */
            workload_kind?: string | null;
        };
        attempts_page: {
            data: components["schemas"]["attempts"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description One entry of the audit log: who closed, reopened, changed the policy or decided on advice, who signed in, was refused or was given access. Each entry is chained to the one before. */
        audit: {
            /** @description What was done: close, close refused, reopen, policy …, signed in, sign-in failed, refused, user added, token created … */
            action: string | null;
            /** @description Who did it. */
            actor: string | null;
            /**
             * Format: date-time
             * @description Time of the action.
             */
            at: string | null;
            /** @description Further details, as JSON. */
            detail: string | null;
            /** @description Hash of this entry and of the one before, hexadecimal. */
            hash: string | null;
            /**
             * Format: int64
             * @description From 1, without gaps.
             */
            number: number | null;
            /** @description Subject of the action: ACCOUNT/PERIOD, a version of the policy, a user, a token, or the request. */
            subject: string | null;
        };
        audit_page: {
            data: components["schemas"]["audit"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description Layouts that would hold the same slices on fewer cards: a row per card that had MIG instances, if cards are released. As of the newest day of the window with such cards. */
        better_layouts: {
            /**
             * @description What to do with the card.
             * @enum {string|null}
             */
            action: "keep" | "repartition" | "release" | null;
            /**
             * Format: int64
             * @description Number of the card in the proposal.
             */
            card: number | null;
            /** @description Cluster. */
            cluster: string | null;
            /** @description Its instances at the end of the day. */
            current_profiles: string | null;
            /**
             * Format: date-time
             * @description UTC day of the proposal.
             */
            day: string | null;
            /** @description UUID of the card. */
            device_uuid: string | null;
            /** @description GPU model. */
            gpu_model: string | null;
            /** @description Machine. */
            node: string | null;
            /** @description The proposed profiles with the first memory slice of each. */
            placement: string | null;
            /** @description Instances that it would need for its part of the demand; NULL if it is released. Demand is the most instances of each profile that were held at one instant of any of the 28 days up to that day, together on the fewest cards. The rest of the card stays free. A proposal stays until it no longer holds the demand, a card that it needs is gone, or another proposal releases 5 % more cards. */
            proposed_profiles: string | null;
            /**
             * Format: int64
             * @description Slot of the machine.
             */
            slot: number | null;
        };
        better_layouts_page: {
            data: components["schemas"]["better_layouts"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description The spend of each budget's newest version day by day, and added up. Days to come have the spend that they reach if it goes on as so far; a life has those until it breaks, else 28. */
        budget_days: {
            /** @description Limit, in the currency or unit. */
            amount: string | null;
            /** @description Budget, by its name. */
            budget_id: string | null;
            /** @description Spend from the start of the period to the end of the day; NULL for days to come. */
            cumulative: string | null;
            /** @description Currency of a budget in money. */
            currency: string | null;
            /**
             * Format: date-time
             * @description Start of the day, in UTC.
             */
            day: string | null;
            /** @description Group key that the budget is for; all for the whole ledger. */
            key: string | null;
            /**
             * Format: date-time
             * @description When the first workload with its label appeared; NULL for budgets of people.
             */
            labelled_from: string | null;
            /**
             * Format: date-time
             * @description Until when a workload with its label was there; NULL for budgets of people.
             */
            labelled_until: string | null;
            /** @description Name, which identifies the budget in all its versions. */
            name: string | null;
            /**
             * @description Length of the period.
             * @enum {string|null}
             */
            period: "month" | "quarter" | "year" | "life" | null;
            /**
             * Format: date-time
             * @description End of the period, exclusive; NULL for a life.
             */
            period_end: string | null;
            /**
             * Format: date-time
             * @description Start of the period; NULL for a life without start.
             */
            period_start: string | null;
            /** @description Spend at the end of the day if it goes on as in the period so far, or for a life as in the last 7 days, from the last stored day on; NULL before, and for a life without spend on the last two days. */
            projected: string | null;
            /**
             * @description Who set it: a person, or a label `cost-budget-limit`.
             * @enum {string|null}
             */
            source: "person" | "label" | null;
            /** @description Spend of the day, with or without a bill; NULL for days to come. */
            spent: string | null;
            /**
             * @description What is limited. Tokens are prompt and generated ones of served models.
             * @enum {string|null}
             */
            unit: "money" | "gpu_hours" | "tokens" | null;
            /** @description Value of the key; NULL for all. */
            value: string | null;
            /**
             * Format: int64
             * @description Number of the version, from 1.
             */
            version: number | null;
        };
        budget_days_page: {
            data: components["schemas"]["budget_days"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description Every version of every budget, of people and of labels, with who changed it and why. */
        budget_versions: {
            /** @description Limit, in the currency or unit. */
            amount: string | null;
            /** @description Budget, by its name. */
            budget_id: string | null;
            /**
             * Format: date-time
             * @description When the version was stored; of a label, when the first workload that carries it appeared.
             */
            changed_at: string | null;
            /** @description Who stored it: a user, import, or label. */
            changed_by: string | null;
            /** @description Currency of a budget in money. */
            currency: string | null;
            /** @description Group key that the budget is for; all for the whole ledger. */
            key: string | null;
            /**
             * Format: date-time
             * @description When the first workload with its label appeared; NULL for budgets of people.
             */
            labelled_from: string | null;
            /**
             * Format: date-time
             * @description Until when a workload with its label was there; NULL for budgets of people.
             */
            labelled_until: string | null;
            /** @description Name, which identifies the budget in all its versions. */
            name: string | null;
            /** @description Whether this version counts. */
            newest: boolean | null;
            /** @description What to know: other amounts that labels of the same owner say, and which budget counts instead. */
            note: string | null;
            /** @description Budget that this one is a part of. */
            parent: string | null;
            /**
             * @description Length of the period.
             * @enum {string|null}
             */
            period: "month" | "quarter" | "year" | "life" | null;
            /**
             * Format: date-time
             * @description End of the period, exclusive; NULL for a life.
             */
            period_end: string | null;
            /**
             * Format: date-time
             * @description Start of the period; NULL for a life without start.
             */
            period_start: string | null;
            /** @description Why, as stated; of a label, the workload that carries it. */
            reason: string | null;
            /**
             * @description Who set it: a person, or a label `cost-budget-limit`.
             * @enum {string|null}
             */
            source: "person" | "label" | null;
            /**
             * @description What is limited. Tokens are prompt and generated ones of served models.
             * @enum {string|null}
             */
            unit: "money" | "gpu_hours" | "tokens" | null;
            /** @description Value of the key; NULL for all. */
            value: string | null;
            /**
             * Format: int64
             * @description Number of the version, from 1.
             */
            version: number | null;
        };
        budget_versions_page: {
            data: components["schemas"]["budget_versions"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description The newest version of each budget with its spend so far: effective cost by service hour, before sharing; GPU-hours held; or tokens. */
        budgets: {
            /** @description Spend of hours with a bill, open or final. */
            actual: string | null;
            /** @description Limit, in the currency or unit. */
            amount: string | null;
            /**
             * Format: date-time
             * @description Day on which the spend reaches the amount if it goes on as in the period so far, or for a life as in the last 7 days; NULL if it does not within the period (a life: a year), or has already. Also NULL for a life without spend on the last two days.
             */
            breaks_on: string | null;
            /** @description Budget, by its name. */
            budget_id: string | null;
            /** @description Currency of a budget in money. */
            currency: string | null;
            /** @description Whether projected and breaks_on are guesses: the period so far is less than 7 days or less than a tenth of it, or the pace of a life is of less than 7 days. */
            early: boolean | null;
            /** @description Group key that the budget is for; all for the whole ledger. */
            key: string | null;
            /**
             * Format: date-time
             * @description When the first workload with its label appeared; NULL for budgets of people.
             */
            labelled_from: string | null;
            /**
             * Format: date-time
             * @description Until when a workload with its label was there; NULL for budgets of people.
             */
            labelled_until: string | null;
            /** @description Name, which identifies the budget in all its versions. */
            name: string | null;
            /** @description What to know: other amounts that labels of the same owner say, and which budget counts instead. */
            note: string | null;
            /** @description Budget that this one is a part of; NULL if it is outside the reader's scope. */
            parent: string | null;
            /**
             * @description Length of the period.
             * @enum {string|null}
             */
            period: "month" | "quarter" | "year" | "life" | null;
            /**
             * Format: date-time
             * @description End of the period, exclusive; NULL for a life.
             */
            period_end: string | null;
            /**
             * Format: date-time
             * @description Start of the period; NULL for a life without start.
             */
            period_start: string | null;
            /** @description Spend at the end of the period if it goes on as in the period so far; the spend once the period has ended, and of a life. */
            projected: string | null;
            /**
             * Format: int64
             * @description Days of the period so far that projected goes on from, a begun one included; of a life, those that breaks_on goes on from. NULL without a projection.
             */
            projected_days: number | null;
            /** @description Spend of hours that no bill covers yet. */
            provisional: string | null;
            /** @description (actual + provisional) ÷ amount. */
            ratio: string | null;
            /**
             * @description Who set it: a person, or a label `cost-budget-limit`.
             * @enum {string|null}
             */
            source: "person" | "label" | null;
            /** @description Highest step of the policy that the ratio reached, such as at_80 for 80 %; else ok. */
            state: string | null;
            /** @description Amount less those of its parts; below 0 if they are more. NULL without parts. */
            unallocated: string | null;
            /** @description Currencies whose cost is not in the spend, because no stored rate converts them. */
            unconverted: string | null;
            /**
             * @description What is limited. Tokens are prompt and generated ones of served models.
             * @enum {string|null}
             */
            unit: "money" | "gpu_hours" | "tokens" | null;
            /** @description Value of the key; NULL for all. */
            value: string | null;
            /**
             * Format: int64
             * @description Number of the version, from 1.
             */
            version: number | null;
        };
        budgets_page: {
            data: components["schemas"]["budgets"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description Held GPU-hours by hour of the week, team and class of the work: shows whose work fills the hours in which idle_hours has nothing free. With group_by, one row per group, with only the properties that apply to a group. */
        busy_hours: {
            /** @description Business unit of the owner. */
            business_unit?: string | null;
            /** @description Cluster. */
            cluster?: string | null;
            /** @description Cost centre of the owner. */
            cost_center?: string | null;
            /** @description Dataset of the owner. */
            dataset?: string | null;
            /** @description Environment of the owner. */
            environment?: string | null;
            /** @description Experiment of the owner. */
            experiment?: string | null;
            /** @description GPU-hours held. */
            gpu_hours?: string | null;
            /** @description GPU model of the node. */
            gpu_model?: string | null;
            /** @description GPU-hours with cause `held_idle`. */
            held_idle_gpu_hours?: string | null;
            /** @description Part of the held GPU-hours with cause `held_idle`. */
            held_idle_share?: string | null;
            /**
             * Format: int64
             * @description Hour of the week (UTC), 0 is Monday 00:00, 167 Sunday 23:00.
             */
            hour_of_week?: number | null;
            /** @description Model of the owner. */
            model?: string | null;
            /** @description Model version of the owner. */
            model_version?: string | null;
            /** @description Priority of the owner. */
            priority?: string | null;
            /** @description Project of the owner. */
            project?: string | null;
            /** @description Queue of the owner. */
            queue?: string | null;
            /** @description Stage: training, fine_tuning, evaluation, inference … */
            stage?: string | null;
            /** @description Team, or `unowned`. */
            team?: string | null;
            /** @description GPU-hours with cause `used`. */
            used_gpu_hours?: string | null;
            /** @description User of the owner. */
            user?: string | null;
            /** @description run, service, interactive or system; NULL if no workload is known. */
            workload_class?: string | null;
        };
        busy_hours_page: {
            data: components["schemas"]["busy_hours"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description One change of the books that needs a second person: the request and its outcome. */
        changes: {
            /** @description The exact request, as JSON: a policy or mapping with its document, and the state at that time. */
            asked: string | null;
            /**
             * @description How the requester was identified: session, token or operator; command: the name was given without proof.
             * @enum {string|null}
             */
            asked_as: "session" | "token" | "operator" | "command" | null;
            /**
             * Format: date-time
             * @description When it was requested.
             */
            asked_at: string | null;
            /** @description Who requested it. */
            asked_by: string | null;
            /** @description Id of the request, used to confirm or decline it. */
            change_id: string | null;
            /**
             * Format: date-time
             * @description When that was.
             */
            decided_at: string | null;
            /** @description Who confirmed it, declined it or took it back. */
            decided_by: string | null;
            /** @description SHA-256 of the request, hexadecimal; the audit log has it, too. */
            digest: string | null;
            /**
             * Format: date-time
             * @description When it expires.
             */
            expires_at: string | null;
            /**
             * @description Requested action, as the audit log names it.
             * @enum {string|null}
             */
            kind: "reopen" | "store policy" | "withdraw policy" | "store mapping" | null;
            /** @description Why it was declined, or why it is outdated. */
            note: string | null;
            /** @description Reason for reopening, or for the version of a mapping. */
            reason: string | null;
            /**
             * @description waiting; confirmed and done; declined; taken back by the requester; expired after seven days; outdated: its subject changed before it was confirmed.
             * @enum {string|null}
             */
            state: "waiting" | "confirmed" | "declined" | "taken back" | "expired" | "outdated" | null;
            /** @description Subject of the action: ACCOUNT/PERIOD, PERIOD of all accounts, a version of the policy, or a mapping. */
            subject: string | null;
        };
        changes_page: {
            data: components["schemas"]["changes"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description What each team pays, per period, group and currency: its own cost, the cost that sharing passes on to others and the cost it receives, and the result. One property per key of group_by; tag:KEY and label:KEY are properties of that name. */
        chargeback: {
            /** @description Sub-account (FOCUS SubAccountId); without a bill, of the node. */
            account?: string | null;
            /** @description ∫ activity ratio × slice weight × hold share. A useful GPU-hour is an active one. Minutes without a sample add nothing. */
            active_gpu_hours: string | null;
            /** @description Number of the attempt within its run and task. */
            attempt?: string | null;
            /** @description Cost after sharing: own, plus received, minus passed on. Invoiced cost (FOCUS BilledCost). */
            billed_cost: string | null;
            /** @description Payer account of the bill. */
            billing_account?: string | null;
            /** @description Billing month of the invoice; NULL while provisional. */
            billing_period?: string | null;
            /** @description Business unit of the owner. */
            business_unit?: string | null;
            /** @description Why the money was spent. */
            cause?: string | null;
            /** @description FOCUS ChargeCategory. */
            charge_category?: string | null;
            /** @description Cluster of the node. */
            cluster?: string | null;
            /** @description Reservation or savings plan that the charge belongs to. */
            commitment?: string | null;
            /** @description Cost after sharing: own, plus received, minus passed on. Negotiated price before commitments (FOCUS ContractedCost). */
            contracted_cost: string | null;
            /** @description Cost centre of the owner. */
            cost_center?: string | null;
            /** @description ISO 4217 code; amounts of two currencies are never added. NULL if no cost is known. Usage that no bill and no rate covers is in a separate row, with NULL currency and NULL cost. */
            currency: string | null;
            /** @description Dataset of the owner. */
            dataset?: string | null;
            /** @description GPU UUID. */
            device?: string | null;
            /** @description Cost after sharing: own, plus received, minus passed on. Amortised cost (FOCUS EffectiveCost). */
            effective_cost: string | null;
            /** @description Environment of the owner. */
            environment?: string | null;
            /** @description Experiment of the owner. */
            experiment?: string | null;
            /** @description Physical-GPU equivalents held: a 1/7 slice held for one hour is 1/7. Only compute lines carry quantities; a selection of other lines alone shows NULL. */
            gpu_hours: string | null;
            /** @description GPU model of the node. */
            gpu_model?: string | null;
            /** @description Pipeline, sweep or array of the run. */
            group?: string | null;
            /** @description Instance type of the node, else of the charge. */
            instance_type?: string | null;
            /** @description How the cost came to its owner: direct, amortise, adjustment; after sharing also shared_out (passed on) and shared_in (received). */
            kind?: string | null;
            /** @description Cost after sharing: own, plus received, minus passed on. Public on-demand price (FOCUS ListCost). NULL if the bill has none; never taken from a price book for billed hours. */
            list_cost: string | null;
            /** @description MIG profile; NULL for a whole device. */
            mig_profile?: string | null;
            /** @description Model of the owner. */
            model?: string | null;
            /** @description Model version of the owner. */
            model_version?: string | null;
            /** @description Namespace of the workload. */
            namespace?: string | null;
            /** @description Name of the node. */
            node?: string | null;
            /** @description Part of effective_cost outside the GPU fleet: cause non_gpu. */
            non_gpu_effective_cost: string | null;
            /** @description Cost before sharing. Invoiced cost (FOCUS BilledCost). */
            own_billed_cost: string | null;
            /** @description Cost before sharing. Negotiated price before commitments (FOCUS ContractedCost). */
            own_contracted_cost: string | null;
            /** @description Cost before sharing. Amortised cost (FOCUS EffectiveCost). */
            own_effective_cost: string | null;
            /** @description Cost before sharing. Public on-demand price (FOCUS ListCost). NULL if the bill has none; never taken from a price book for billed hours. */
            own_list_cost: string | null;
            /**
             * Format: date-time
             * @description End of the period, exclusive.
             */
            period_end: string | null;
            /**
             * Format: date-time
             * @description Start of the period: of the bucket, else of the window, else of all stored time. A billing period does not narrow it: group by billing_period to have that month in each row.
             */
            period_start: string | null;
            /** @description Name of the pod. */
            pod?: string | null;
            /** @description Price class: on_demand, spot, savings_plan, reserved, owned; of the charge, else of the node. */
            pricing?: string | null;
            /** @description Priority of the owner. */
            priority?: string | null;
            /** @description Project of the owner. */
            project?: string | null;
            /** @description Cloud or source of the bill; without a bill, of the node. */
            provider?: string | null;
            /** @description measured, estimated or assumed. */
            quality?: string | null;
            /** @description Queue of the owner. */
            queue?: string | null;
            /** @description Region of the node, else of the charge. */
            region?: string | null;
            /** @description Run id. */
            run?: string | null;
            /** @description Inference deployment. */
            service?: string | null;
            /** @description Provider's service (FOCUS ServiceName). */
            service_name?: string | null;
            /** @description Cost that sharing receives from others. Invoiced cost (FOCUS BilledCost). */
            shared_in_billed_cost: string | null;
            /** @description Cost that sharing receives from others. Negotiated price before commitments (FOCUS ContractedCost). */
            shared_in_contracted_cost: string | null;
            /** @description Cost that sharing receives from others. Amortised cost (FOCUS EffectiveCost). */
            shared_in_effective_cost: string | null;
            /** @description Cost that sharing receives from others. Public on-demand price (FOCUS ListCost). NULL if the bill has none; never taken from a price book for billed hours. */
            shared_in_list_cost: string | null;
            /** @description Cost that sharing passes on to others, as a negative amount. Invoiced cost (FOCUS BilledCost). */
            shared_out_billed_cost: string | null;
            /** @description Cost that sharing passes on to others, as a negative amount. Negotiated price before commitments (FOCUS ContractedCost). */
            shared_out_contracted_cost: string | null;
            /** @description Cost that sharing passes on to others, as a negative amount. Amortised cost (FOCUS EffectiveCost). */
            shared_out_effective_cost: string | null;
            /** @description Cost that sharing passes on to others, as a negative amount. Public on-demand price (FOCUS ListCost). NULL if the bill has none; never taken from a price book for billed hours. */
            shared_out_list_cost: string | null;
            /** @description GPU UUID and MIG instance id, joined by a slash; NULL for a whole device. */
            slice?: string | null;
            /** @description Stage: training, fine_tuning, evaluation, inference … */
            stage?: string | null;
            /**
             * @description How settled the money is: the least settled of the rows with a cost or still awaiting a bill.
             * @enum {string|null}
             */
            state: "provisional" | "open" | "final" | null;
            /** @description Team, or `unowned`. */
            team?: string | null;
            /** @description Tenant of the ledger. */
            tenant?: string | null;
            /** @description GPU-hours with cause `used`. NULL where gpu_hours is NULL. */
            used_gpu_hours: string | null;
            /** @description User of the owner. */
            user?: string | null;
            /** @description Name of the root owner. */
            workload?: string | null;
            /** @description run, service, interactive or system. */
            workload_class?: string | null;
            /** @description Kind of the root owner. */
            workload_kind?: string | null;
            /** @description Zone of the node, else of the charge. */
            zone?: string | null;
        };
        chargeback_page: {
            data: components["schemas"]["chargeback"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description One bill line of a current delivery, as delivered, or an aggregate of lines outside the fleet. Bill lines only: provisional cost has none. */
        charges: {
            /** @description Sub-account (FOCUS SubAccountId). */
            account: string | null;
            /** @description Invoiced cost (FOCUS BilledCost). */
            billed_cost: string | null;
            /** @description Payer account. */
            billing_account: string | null;
            /** @description Billing month of the invoice. */
            billing_period: string | null;
            /**
             * @description FOCUS ChargeCategory.
             * @enum {string|null}
             */
            charge_category: "Usage" | "Purchase" | "Tax" | "Credit" | "Adjustment" | null;
            /** @description FOCUS ChargeClass: Correction or NULL. */
            charge_class: string | null;
            /** @description Content hash of the line within its delivery's partition. */
            charge_id: string | null;
            /**
             * Format: date-time
             * @description End of the use, exclusive.
             */
            charge_period_end: string | null;
            /**
             * Format: date-time
             * @description Start of the use.
             */
            charge_period_start: string | null;
            /** @description Reservation or savings plan. */
            commitment: string | null;
            /** @description Negotiated price before commitments (FOCUS ContractedCost). */
            contracted_cost: string | null;
            /** @description ISO 4217 code; amounts of two currencies are never added. NULL if no cost is known. */
            currency: string | null;
            /** @description Delivery that brought it. */
            delivery_id: string | null;
            /** @description Provider's text. */
            description: string | null;
            /** @description Amortised cost (FOCUS EffectiveCost). */
            effective_cost: string | null;
            /** @description Key of the machine, or group of machines, that the line bills or belongs to; NULL if none. */
            instance: string | null;
            /**
             * Format: int64
             * @description Instance-seconds that the line bills; NULL if it bills none or another line has them.
             */
            instance_seconds: number | null;
            /** @description Instance type. */
            instance_type: string | null;
            /** @description What the line does to the ledger: usage, covered_usage, negation, commitment_fee, prepaid, discount, invoice, split, other. */
            kind: string | null;
            /**
             * Format: int64
             * @description Line in the file, 1-based; row number in Parquet.
             */
            line: number | null;
            /** @description The provider's own word, verbatim. */
            line_item_type: string | null;
            /** @description Lines of an aggregate as first-last, separated by blanks; NULL for a single line. */
            line_ranges: string | null;
            /**
             * Format: int64
             * @description Number of lines of the file in the row: 1, or more for an aggregate outside the fleet.
             */
            lines: number | null;
            /** @description Public on-demand price (FOCUS ListCost). NULL if the bill has none; never taken from a price book for billed hours. */
            list_cost: string | null;
            /** @description Provider's operation. */
            operation: string | null;
            /**
             * @description Price class.
             * @enum {string|null}
             */
            pricing: "on_demand" | "spot" | "savings_plan" | "reserved" | "owned" | null;
            /** @description Cloud or source. */
            provider: string | null;
            /** @description Region. */
            region: string | null;
            /** @description Resource as billed. */
            resource_id: string | null;
            /**
             * @description book: posted; evidence: shown in reconciliation, never posted. A line whose delivery is the book for one metric and evidence for another shows book.
             * @enum {string|null}
             */
            role: "book" | "evidence" | null;
            /** @description Provider's service (FOCUS ServiceName). */
            service_name: string | null;
            /** @description File inside the delivery. */
            source_file: string | null;
            /**
             * @description final when its billing period is closed for its account, else open.
             * @enum {string|null}
             */
            state: "open" | "final" | null;
            /** @description Amount used, as billed. */
            usage_amount: string | null;
            /** @description Provider's usage type. */
            usage_type: string | null;
            /** @description Unit of usage_amount. */
            usage_unit: string | null;
            /** @description Zone. */
            zone: string | null;
        };
        charges_page: {
            data: components["schemas"]["charges"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description One checkpoint that a workload reported, or that was posted for a run. */
        checkpoints: {
            /**
             * Format: date-time
             * @description When it was written.
             */
            at: string | null;
            /** @description Cluster. */
            cluster: string | null;
            /** @description How long writing it took; NULL if unknown. */
            duration_seconds: string | null;
            /** @description Namespace; for workloads only. */
            namespace: string | null;
            /** @description Run that it was posted for; NULL if a workload reported it. */
            run_id: string | null;
            /**
             * Format: int64
             * @description Step of training; NULL if unknown.
             */
            step: number | null;
            /** @description Name or uid of the workload that reported it; NULL if it was posted for a run. */
            workload: string | null;
        };
        checkpoints_page: {
            data: components["schemas"]["checkpoints"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description How steadily a team holds machines of a family in a region, and its cost without a commitment; one row per currency. Bursty demand is never worth a commitment. With group_by, one row per group, with only the properties that apply to a group. */
        commitment_demand: {
            /** @description Of that, the part of always-on and baseline demand. The most that a commitment could have covered. Recommendations of kind commit advise the level held in at least (1 − discount) of the hours: less if demand varies. */
            coverable_cost?: string | null;
            /** @description Effective cost that commitments covered. */
            covered_cost?: string | null;
            /** @description ISO 4217 code; amounts of two currencies are never added. NULL if no cost is known. */
            currency?: string | null;
            /**
             * @description always_on: held in at least 95 % of the hours from the first that the team held to the window's last usage; baseline: in at least 60 %; bursty: in fewer, or if there are fewer than 3 days of these hours in a longer window.
             * @enum {string|null}
             */
            demand?: "always_on" | "baseline" | "bursty" | null;
            /**
             * Format: int64
             * @description Hours of the window in which the team held any machine of the family.
             */
            held_hours?: number | null;
            /** @description Machine family. */
            instance_family?: string | null;
            /**
             * Format: int64
             * @description Hours from the first in which the team held any to the last usage in the window; NULL if it held none.
             */
            lifetime_hours?: number | null;
            /** @description Effective cost on demand. */
            on_demand_cost?: string | null;
            /** @description Region. */
            region?: string | null;
            /**
             * @description How settled the money is: the least settled of the rows with a cost or still awaiting a bill.
             * @enum {string|null}
             */
            state?: "provisional" | "open" | "final" | null;
            /** @description Team, or `unowned`. */
            team?: string | null;
            /**
             * Format: int64
             * @description Hours from the first to the last usage in the window.
             */
            window_hours?: number | null;
        };
        commitment_demand_page: {
            data: components["schemas"]["commitment_demand"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description Covered and unused cost of commitments (savings plans, reservations, committed use), and on-demand spend (rows without a commitment), by account, family and region; one row per currency. Costs add up over any rows. With group_by, one row per group, with only the properties that apply to a group. */
        commitments: {
            /** @description Account that used it, or that the fee is billed to. */
            account?: string | null;
            /** @description Payer account of the bills. */
            billing_account?: string | null;
            /** @description Business unit of the owner. */
            business_unit?: string | null;
            /** @description Cluster of the node. */
            cluster?: string | null;
            /** @description Reservation or savings plan; NULL for on-demand spend, and if the bill does not name it. */
            commitment?: string | null;
            /** @description savings_plan or reserved; NULL for on-demand spend. */
            commitment_type?: string | null;
            /** @description Cost centre of the owner. */
            cost_center?: string | null;
            /** @description Part of the on-demand cost of the family's machines in the region that commitments covered; in groups: of the group. Contracted prices, else list. Excludes spot and owned machines: no commitment could cover them. */
            coverage?: string | null;
            /** @description ISO 4217 code; amounts of two currencies are never added. NULL if no cost is known. */
            currency?: string | null;
            /** @description Dataset of the owner. */
            dataset?: string | null;
            /** @description Amortised cost (FOCUS EffectiveCost). */
            effective_cost?: string | null;
            /** @description Environment of the owner. */
            environment?: string | null;
            /** @description Experiment of the owner. */
            experiment?: string | null;
            /** @description Machine family: instance type without its size; NULL for a fee without a type. */
            instance_family?: string | null;
            /** @description Instance type of the node, else of the charge. */
            instance_type?: string | null;
            /** @description Model of the owner. */
            model?: string | null;
            /** @description Model version of the owner. */
            model_version?: string | null;
            /** @description Effective cost of on-demand machines. */
            on_demand_cost?: string | null;
            /** @description Priority of the owner. */
            priority?: string | null;
            /** @description Project of the owner. */
            project?: string | null;
            /** @description Provider of the bill. */
            provider?: string | null;
            /** @description Queue of the owner. */
            queue?: string | null;
            /** @description Region; NULL for a fee without a region. */
            region?: string | null;
            /** @description Stage: training, fine_tuning, evaluation, inference … */
            stage?: string | null;
            /**
             * @description How settled the money is: the least settled of the rows with a cost or still awaiting a bill.
             * @enum {string|null}
             */
            state?: "provisional" | "open" | "final" | null;
            /** @description Unused cost of commitments with less than a tenth used in the window. */
            stranded_cost?: string | null;
            /** @description Team, or `unowned`. */
            team?: string | null;
            /** @description Teams whose covered use was worth less in the second half of the window than in the first; NULL if all was used. */
            teams_that_used_less?: string | null;
            /** @description Effective cost of fees that is not spread yet: the part for hours after the end of the stored data. */
            unspread_cost?: string | null;
            /** @description Effective cost of the unused part. */
            unused_cost?: string | null;
            /** @description Teams that own the unused cost, by the tags of the commitment's lines. */
            unused_owners?: string | null;
            /** @description Effective cost of the covered use. */
            used_cost?: string | null;
            /** @description On-demand cost of the covered use: contracted prices, else list. */
            used_on_demand_cost?: string | null;
            /** @description User of the owner. */
            user?: string | null;
            /** @description Used ÷ (used + unused) of the whole commitment; in groups: of the group. */
            utilisation?: string | null;
        };
        commitments_page: {
            data: components["schemas"]["commitments"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description Two values of a fact that can have only one: one counts, the other is kept here. Also machines that may be in the ledger twice. */
        conflicts: {
            /** @description Cluster. */
            cluster: string | null;
            /** @description Currency of may_be_double. */
            currency: string | null;
            /**
             * Format: date-time
             * @description Start of the time in which both were reported: whole hours for devices, the life of a workload.
             */
            first_seen: string | null;
            /** @description Value that counts. Under node_machine, machine_clusters and machine_bill both count, as two machines; a machine with two names and one instance key counts once. */
            kept: string | null;
            /**
             * Format: date-time
             * @description End of that time.
             */
            last_seen: string | null;
            /** @description Effective cost that may be counted twice: for machine_clusters the cheaper machine's, for machine_bill the provisional cost. A suspicion only: the totals include it. NULL if nothing is double. */
            may_be_double: string | null;
            /** @description Namespace and name of the workload. */
            name: string | null;
            /** @description Value that does not count. */
            other: string | null;
            /** @description Uid of the workload, device, or name of the machine. */
            subject: string | null;
            /**
             * @description workload_node, workload_owner: of a workload; device_node: a device on two machines in one hour; node_machine: two machines under one name at one time; machine_clusters: one machine under two clusters; machine_bill: one that only a bill names, and one of the same type that no bill names.
             * @enum {string|null}
             */
            what: "workload_node" | "workload_owner" | "device_node" | "node_machine" | "machine_clusters" | "machine_bill" | null;
        };
        conflicts_page: {
            data: components["schemas"]["conflicts"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description Cost and held GPU time per period, group and currency. Every grouping adds up to the ungrouped total. One property per key of group_by; tag:KEY and label:KEY are properties of that name. */
        costs: {
            /** @description Sub-account (FOCUS SubAccountId); without a bill, of the node. */
            account?: string | null;
            /** @description Effective cost of time that worked: used, lost. */
            active_cost: string | null;
            /** @description ∫ activity ratio × slice weight × hold share. A useful GPU-hour is an active one. Minutes without a sample add nothing. */
            active_gpu_hours: string | null;
            /** @description Number of the attempt within its run and task. */
            attempt?: string | null;
            /** @description Invoiced cost (FOCUS BilledCost). */
            billed_cost: string | null;
            /** @description Payer account of the bill. */
            billing_account?: string | null;
            /** @description Billing month of the invoice; NULL while provisional. */
            billing_period?: string | null;
            /** @description Business unit of the owner. */
            business_unit?: string | null;
            /** @description All GPU-hours, held or not. */
            capacity_gpu_hours: string | null;
            /** @description Why the money was spent. */
            cause?: string | null;
            /** @description FOCUS ChargeCategory. */
            charge_category?: string | null;
            /** @description Cluster of the node. */
            cluster?: string | null;
            /** @description Reservation or savings plan that the charge belongs to. */
            commitment?: string | null;
            /** @description Negotiated price before commitments (FOCUS ContractedCost). */
            contracted_cost: string | null;
            /** @description Cost centre of the owner. */
            cost_center?: string | null;
            /** @description Basis cost per active GPU-hour. */
            cost_per_active_gpu_hour: string | null;
            /** @description ISO 4217 code; amounts of two currencies are never added. NULL if no cost is known. Usage that no bill and no rate covers is in a separate row, with NULL currency and NULL cost. */
            currency: string | null;
            /** @description Dataset of the owner. */
            dataset?: string | null;
            /** @description GPU UUID. */
            device?: string | null;
            /** @description Amortised cost (FOCUS EffectiveCost). */
            effective_cost: string | null;
            /** @description Measured board energy. GPU boards only, without host, cooling or supply losses; NULL if not measured. */
            energy_kwh: string | null;
            /** @description Environment of the owner. */
            environment?: string | null;
            /** @description Experiment of the owner. */
            experiment?: string | null;
            /** @description Physical-GPU equivalents held: a 1/7 slice held for one hour is 1/7. Only compute lines carry quantities; a selection of other lines alone shows NULL. */
            gpu_hours: string | null;
            /** @description GPU model of the node. */
            gpu_model?: string | null;
            /** @description Pipeline, sweep or array of the run. */
            group?: string | null;
            /** @description Effective cost of time that somebody held: used, overhead, held idle, lost. */
            held_cost: string | null;
            /** @description Held share of all GPU-hours. */
            held_share: string | null;
            /** @description Part of the capacity that was held idle, free, stranded or unavailable. Hours that were neither held nor observed count on neither side. */
            idle_share: string | null;
            /** @description Instance type of the node, else of the charge. */
            instance_type?: string | null;
            /** @description How the cost came to its owner: direct, amortise, adjustment; after sharing also shared_out (passed on) and shared_in (received). */
            kind?: string | null;
            /** @description Public on-demand price (FOCUS ListCost). NULL if the bill has none; never taken from a price book for billed hours. */
            list_cost: string | null;
            /** @description MIG profile; NULL for a whole device. */
            mig_profile?: string | null;
            /** @description Model of the owner. */
            model?: string | null;
            /** @description Model version of the owner. */
            model_version?: string | null;
            /** @description Namespace of the workload. */
            namespace?: string | null;
            /** @description Name of the node. */
            node?: string | null;
            /**
             * Format: date-time
             * @description End of the period, exclusive.
             */
            period_end: string | null;
            /**
             * Format: date-time
             * @description Start of the period: of the bucket, else of the window, else of all stored time. A billing period does not narrow it: group by billing_period to have that month in each row.
             */
            period_start: string | null;
            /** @description Name of the pod. */
            pod?: string | null;
            /** @description Price class: on_demand, spot, savings_plan, reserved, owned; of the charge, else of the node. */
            pricing?: string | null;
            /** @description Priority of the owner. */
            priority?: string | null;
            /** @description Project of the owner. */
            project?: string | null;
            /** @description Cloud or source of the bill; without a bill, of the node. */
            provider?: string | null;
            /** @description Effective cost of hours that no bill has priced yet. */
            provisional_cost: string | null;
            /** @description measured, estimated or assumed. */
            quality?: string | null;
            /** @description Queue of the owner. */
            queue?: string | null;
            /** @description Region of the node, else of the charge. */
            region?: string | null;
            /** @description Run id. */
            run?: string | null;
            /** @description Inference deployment. */
            service?: string | null;
            /** @description Provider's service (FOCUS ServiceName). */
            service_name?: string | null;
            /** @description GPU UUID and MIG instance id, joined by a slash; NULL for a whole device. */
            slice?: string | null;
            /** @description Stage: training, fine_tuning, evaluation, inference … */
            stage?: string | null;
            /**
             * @description How settled the money is: the least settled of the rows with a cost or still awaiting a bill.
             * @enum {string|null}
             */
            state: "provisional" | "open" | "final" | null;
            /** @description Team, or `unowned`. */
            team?: string | null;
            /** @description Tenant of the ledger. */
            tenant?: string | null;
            /** @description Effective cost of time whose work counts: used. */
            used_cost: string | null;
            /** @description GPU-hours with cause `used`. NULL where gpu_hours is NULL. */
            used_gpu_hours: string | null;
            /** @description User of the owner. */
            user?: string | null;
            /** @description Name of the root owner. */
            workload?: string | null;
            /** @description run, service, interactive or system. */
            workload_class?: string | null;
            /** @description Kind of the root owner. */
            workload_kind?: string | null;
            /** @description Zone of the node, else of the charge. */
            zone?: string | null;
        };
        costs_page: {
            data: components["schemas"]["costs"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description Billed, observed and known parts of the fleet's capacity: one hour (or day, week, month), cluster and instance type. */
        coverage: {
            /** @description GPU-hours of quality assumed. */
            assumed_gpu_hours: string | null;
            /** @description Of those, billed. */
            billed_gpu_hours: string | null;
            /** @description GPU-hours of the machines: billed or observed in each hour, whichever is more. */
            capacity_gpu_hours: string | null;
            /** @description Cluster; NULL for machines that only the bill knows. */
            cluster: string | null;
            /** @description GPU-hours of quality estimated. */
            estimated_gpu_hours: string | null;
            /** @description Held GPU-hours. */
            held_gpu_hours: string | null;
            /** @description Instance type; NULL if unknown. */
            instance_type: string | null;
            /** @description GPU-hours whose activity is known. */
            known_gpu_hours: string | null;
            /** @description Of those, GPU-hours of machines of unknown account that a bill of the book may have under another name. */
            may_be_billed_gpu_hours: string | null;
            /** @description GPU-hours of quality measured. */
            measured_gpu_hours: string | null;
            /**
             * Format: int64
             * @description Machines.
             */
            nodes: number | null;
            /**
             * Format: int64
             * @description Of those, machines that no line bills in the period.
             */
            nodes_without_bill: number | null;
            /**
             * Format: int64
             * @description Of those, machines without a GPU sample in the period.
             */
            nodes_without_telemetry: number | null;
            /**
             * Format: date-time
             * @description Start of the period.
             */
            period_start: string | null;
            /** @description GPU-hours observed beyond the lines that bill the hour. Capacity is the larger of both, so that no share exceeds 1. */
            surplus_gpu_hours: string | null;
            /** @description GPU-hours of machine hours that no line bills. */
            unbilled_gpu_hours: string | null;
            /** @description GPU-hours with cause `unobserved`. */
            unobserved_gpu_hours: string | null;
            /** @description Cost of these hours at the prices for hours without a bill; it is in no total. NULL without a price, or with several currencies. */
            would_cost: string | null;
            /** @description Currency of would_cost; NULL if there is none, or more than one. */
            would_cost_currency: string | null;
        };
        coverage_page: {
            data: components["schemas"]["coverage"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description One delivery of a billing export, replaced ones included. */
        deliveries: {
            /** @description Kind of rows: ActualCost, detailed …; NULL if the export has only one. */
            dataset: string | null;
            /**
             * Format: date-time
             * @description When its provider wrote it; NULL if unknown.
             */
            delivered_at: string | null;
            /** @description Delivery. */
            delivery_id: string | null;
            /** @description Export as its provider names it. */
            export: string | null;
            /**
             * Format: int64
             * @description Files it consists of.
             */
            files: number | null;
            /** @description Import that brought it. */
            import_id: string | null;
            /**
             * @description snapshot: a newer one replaces it; append: it is one part of many.
             * @enum {string|null}
             */
            kind: "snapshot" | "append" | null;
            /** @description Billing month, or the day of export. */
            partition: string | null;
            /**
             * Format: date-time
             * @description When it came into the ledger.
             */
            published_at: string | null;
            /**
             * @description book if any of its totals is posted, else evidence.
             * @enum {string|null}
             */
            role: "book" | "evidence" | null;
            /**
             * Format: int64
             * @description Rows of these files.
             */
            rows: number | null;
            /** @description Part of the export: billing account, profile or subscription; NULL for all of it. */
            scope: string | null;
            /** @description Import source: aws-cur, gcp-billing … */
            source: string | null;
            /**
             * @description current: its lines count; superseded: a newer one took its place; older: it came after a newer one.
             * @enum {string|null}
             */
            state: "current" | "superseded" | "older" | null;
            /** @description Delivery that took its place. */
            superseded_by: string | null;
        };
        deliveries_page: {
            data: components["schemas"]["deliveries"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description Use, signals and cost of GPUs, across all holders: one row per device and currency, for the days that begin in the window. With group_by, one row per group, with only the properties that apply to a group. */
        devices: {
            /** @description Sub-account (FOCUS SubAccountId); without a bill, of the node. */
            account?: string | null;
            /** @description ∫ activity ratio × slice weight × hold share. A useful GPU-hour is an active one. Minutes without a sample add nothing. */
            active_gpu_hours?: string | null;
            /** @description Activity: of the compute engine, else utilisation of the whole device: mean over measured minutes. Every measured minute of a device, or of each of its slices, counts once; an hour counts for the owner who held most of it. NULL without measured minutes. */
            activity_avg?: string | null;
            /** @description Activity: of the compute engine, else utilisation of the whole device: 95th percentile of measured minutes. By nearest rank from counts in bins: within 0.8 % of the value. */
            activity_p95?: string | null;
            /** @description Activity: of the compute engine, else utilisation of the whole device: 99th percentile of measured minutes. By nearest rank from counts in bins: within 0.8 % of the value. */
            activity_p99?: string | null;
            /** @description Invoiced cost (FOCUS BilledCost). */
            billed_cost?: string | null;
            /** @description Business unit of the owner. */
            business_unit?: string | null;
            /** @description All GPU-hours, held or not, as billed or observed, whichever is more. */
            capacity_gpu_hours?: string | null;
            /** @description Why the money was spent. */
            cause?: string | null;
            /** @description Every cluster that the device was in. */
            cluster?: string | null;
            /** @description Negotiated price before commitments (FOCUS ContractedCost). */
            contracted_cost?: string | null;
            /** @description Cost centre of the owner. */
            cost_center?: string | null;
            /** @description ISO 4217 code; amounts of two currencies are never added. NULL if no cost is known. Time without a cost is in the currency of its kind of machine (all of the machine's keys but its name) if that has only one, else in a row with NULL currency. */
            currency?: string | null;
            /** @description Dataset of the owner. */
            dataset?: string | null;
            /** @description UUID of the device; machine#slot if it was never seen. */
            device?: string | null;
            /**
             * Format: int64
             * @description How many devices. A device with several holders is counted for each of them: this column does not add up over owners.
             */
            devices?: number | null;
            /** @description Memory interface active: mean over measured minutes. Every measured minute of a device, or of each of its slices, counts once; an hour counts for the owner who held most of it. NULL without measured minutes. */
            dram_avg?: string | null;
            /** @description Memory interface active: 95th percentile of measured minutes. By nearest rank from counts in bins: within 0.8 % of the value. */
            dram_p95?: string | null;
            /** @description Memory interface active: 99th percentile of measured minutes. By nearest rank from counts in bins: within 0.8 % of the value. */
            dram_p99?: string | null;
            /** @description Amortised cost (FOCUS EffectiveCost). */
            effective_cost?: string | null;
            /** @description Measured board energy. GPU boards only, without host, cooling or supply losses; NULL if not measured. */
            energy_kwh?: string | null;
            /** @description Environment of the owner. */
            environment?: string | null;
            /** @description Experiment of the owner. */
            experiment?: string | null;
            /** @description Effective cost with cause `free`. */
            free_cost?: string | null;
            /** @description GPU-hours that no one held: cause `free`. */
            free_gpu_hours?: string | null;
            /** @description Physical-GPU equivalents held: a 1/7 slice held for one hour is 1/7. Only compute lines carry quantities; a selection of other lines alone shows NULL. */
            gpu_hours?: string | null;
            /** @description GPU model of its machine. */
            gpu_model?: string | null;
            /** @description Effective cost with cause `held_idle`. */
            held_idle_cost?: string | null;
            /** @description Held share of all GPU-hours. */
            held_share?: string | null;
            /** @description Active share of held GPU-hours. */
            held_utilisation?: string | null;
            /** @description GPU-hours with cause `held_idle`. */
            idle_gpu_hours?: string | null;
            /** @description Instance type of the node, else of the charge. */
            instance_type?: string | null;
            /** @description Public on-demand price (FOCUS ListCost). NULL if the bill has none; never taken from a price book for billed hours. */
            list_cost?: string | null;
            /** @description Memory used, as share of the device's or slice's memory: mean over measured minutes. Every measured minute of a device, or of each of its slices, counts once; an hour counts for the owner who held most of it. NULL without measured minutes. */
            memory_avg?: string | null;
            /** @description Memory used, as share of the device's or slice's memory: 95th percentile of measured minutes. By nearest rank from counts in bins: within 1.6 % of the value. */
            memory_p95?: string | null;
            /** @description Memory used, as share of the device's or slice's memory: 99th percentile of measured minutes. By nearest rank from counts in bins: within 1.6 % of the value. */
            memory_p99?: string | null;
            /** @description MIG profile; NULL for a whole device. */
            mig_profile?: string | null;
            /** @description Model of the owner. */
            model?: string | null;
            /** @description Model version of the owner. */
            model_version?: string | null;
            /** @description Namespace of the workload. */
            namespace?: string | null;
            /** @description Every machine that the device was in. */
            node?: string | null;
            /**
             * Format: date-time
             * @description Start of the period: of the bucket, else of the window, else of all stored time. Rows add up whole UTC days: granularity hour gives one row a day, and a window takes the days that begin in it.
             */
            period_start?: string | null;
            /** @description Board power: mean over measured minutes. Every measured minute of a device, or of each of its slices, counts once; an hour counts for the owner who held most of it. NULL without measured minutes. */
            power_avg?: string | null;
            /** @description Board power: 95th percentile of measured minutes. By nearest rank from counts in bins: within 0.8 % of the value. */
            power_p95?: string | null;
            /** @description Board power: 99th percentile of measured minutes. By nearest rank from counts in bins: within 0.8 % of the value. */
            power_p99?: string | null;
            /** @description Basis cost, idle and free time included, per active GPU-hour: the full cost of an hour of work. Hours without any cost are left out on both sides. NULL if no hour has a cost. */
            price_per_active_gpu_hour?: string | null;
            /** @description Basis cost, idle and free time included, per GPU-hour held. Hours without any cost are left out on both sides. NULL if no hour has a cost. */
            price_per_held_gpu_hour?: string | null;
            /** @description Price class: on_demand, spot, savings_plan, reserved, owned; of the charge, else of the node. */
            pricing?: string | null;
            /** @description Priority of the owner. */
            priority?: string | null;
            /** @description Project of the owner. */
            project?: string | null;
            /** @description Queue of the owner. */
            queue?: string | null;
            /** @description Region of the node, else of the charge. */
            region?: string | null;
            /** @description Streaming multiprocessors active: mean over measured minutes. Every measured minute of a device, or of each of its slices, counts once; an hour counts for the owner who held most of it. NULL without measured minutes. */
            sm_avg?: string | null;
            /** @description Streaming multiprocessors active: 95th percentile of measured minutes. By nearest rank from counts in bins: within 0.8 % of the value. */
            sm_p95?: string | null;
            /** @description Streaming multiprocessors active: 99th percentile of measured minutes. By nearest rank from counts in bins: within 0.8 % of the value. */
            sm_p99?: string | null;
            /** @description Stage: training, fine_tuning, evaluation, inference … */
            stage?: string | null;
            /**
             * @description How settled the money is: the least settled of the rows with a cost or still awaiting a bill.
             * @enum {string|null}
             */
            state?: "provisional" | "open" | "final" | null;
            /** @description Effective cost with cause `stranded`. */
            stranded_cost?: string | null;
            /** @description GPU-hours of a MIG remainder that no profile could use: cause `stranded`. */
            stranded_gpu_hours?: string | null;
            /** @description Team, or `unowned`. */
            team?: string | null;
            /** @description Share of all GPU-hours whose activity is known. The rest of a MIG card outside its instances is never measured and counts as not known. */
            telemetry_coverage?: string | null;
            /** @description Tensor pipe active: mean over measured minutes. Every measured minute of a device, or of each of its slices, counts once; an hour counts for the owner who held most of it. NULL without measured minutes. */
            tensor_avg?: string | null;
            /** @description Tensor pipe active: 95th percentile of measured minutes. By nearest rank from counts in bins: within 0.8 % of the value. */
            tensor_p95?: string | null;
            /** @description Tensor pipe active: 99th percentile of measured minutes. By nearest rank from counts in bins: within 0.8 % of the value. */
            tensor_p99?: string | null;
            /**
             * Format: int64
             * @description Hours in which power caps, heat or the hardware slowed the device down. Hours in which a counter of time lost rose by six minutes or more, or whose 95th-percentile minute has such a throttle reason. NULL without telemetry.
             */
            throttled_hours?: number | null;
            /** @description GPU-hours with cause `used`. NULL where gpu_hours is NULL. */
            used_gpu_hours?: string | null;
            /** @description User of the owner. */
            user?: string | null;
            /** @description Active share of all GPU-hours. */
            utilisation?: string | null;
            /** @description run, service, interactive or system. */
            workload_class?: string | null;
            /** @description XID error codes seen, apart from 0. The highest code of each hour; a code stays until the driver is reloaded. */
            xids?: string | null;
            /** @description Zone of the node, else of the charge. */
            zone?: string | null;
        };
        devices_page: {
            data: components["schemas"]["devices"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description One event of a cloud instance (interruption warnings, state changes) or of a workload (restarted, suspended, evicted, preempted, admitted). */
        events: {
            /** @description Account; for instances only. */
            account: string | null;
            /**
             * Format: date-time
             * @description When it happened.
             */
            at: string | null;
            /** @description Cluster; for an instance, that of its machine, if known. */
            cluster: string | null;
            /** @description State, action or reason, as its source gives it. */
            detail: string | null;
            /** @description Event. A rebalance recommendation alone is not an interruption. */
            event: string | null;
            /** @description Instance id, or name of the workload or owner. */
            name: string | null;
            /** @description Namespace; for workloads only. */
            namespace: string | null;
            /** @description Machine of the instance, if known. */
            node: string | null;
            /** @description Cloud; for instances only. */
            provider: string | null;
            /** @description Region; for instances only. */
            region: string | null;
            /** @description Subject of the event: Instance, or the kind of workload or owner. */
            subject: string | null;
            /** @description Uid of a pod; NULL if only its name is known. */
            uid: string | null;
        };
        events_page: {
            data: components["schemas"]["events"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description Result of one metric of an experiment on one dataset, and the experiment's cost: all runs that have its name or that a result names, over their whole lives, for runs that overlap the window; one row per currency. An experiment without results is a row without a metric. With group_by, one row per group, with only the properties that apply to a group. */
        experiments: {
            /**
             * Format: date-time
             * @description When it was measured.
             */
            at?: string | null;
            /** @description Value before the experiment. */
            baseline?: string | null;
            /** @description Invoiced cost (FOCUS BilledCost). Rows of several metrics or datasets of one experiment repeat it; groups count it once, at the first metric and dataset by name. */
            billed_cost?: string | null;
            /** @description Business unit of the owner. */
            business_unit?: string | null;
            /** @description Cluster of the node. */
            cluster?: string | null;
            /**
             * Format: int64
             * @description Of those, completed.
             */
            completed_runs?: number | null;
            /** @description Negotiated price before commitments (FOCUS ContractedCost). Rows of several metrics or datasets of one experiment repeat it; groups count it once, at the first metric and dataset by name. */
            contracted_cost?: string | null;
            /** @description Cost centre of the owner. */
            cost_center?: string | null;
            /** @description Effective cost of an experiment on average. */
            cost_per_experiment?: string | null;
            /** @description Effective cost of all experiments per successful one, failed ones included. NULL without a successful experiment. */
            cost_per_successful_experiment?: string | null;
            /** @description ISO 4217 code; amounts of two currencies are never added. NULL if no cost is known. */
            currency?: string | null;
            /** @description Dataset of the owner. */
            dataset?: string | null;
            /** @description Size of that dataset, as the result states it. */
            dataset_size?: string | null;
            /** @description Unit of dataset_size, such as tokens. */
            dataset_unit?: string | null;
            /**
             * @description Which values are good: higher or lower ones.
             * @enum {string|null}
             */
            direction?: "higher" | "lower" | null;
            /** @description Cost of the experiment: Amortised cost (FOCUS EffectiveCost). Rows of several metrics or datasets of one experiment repeat it; groups count it once, at the first metric and dataset by name. */
            effective_cost?: string | null;
            /** @description Environment of the owner. */
            environment?: string | null;
            /** @description Experiment, as imported or as the owner label says. */
            experiment?: string | null;
            /**
             * Format: int64
             * @description Experiments. An experiment with cost in two currencies counts once in the rows of each.
             */
            experiments?: number | null;
            /** @description GPU-hours held by its runs. Rows of several metrics or datasets of one experiment repeat it; groups count it once, at the first metric and dataset by name. */
            gpu_hours?: string | null;
            /** @description Pipeline, sweep or array of the run. */
            group?: string | null;
            /** @description Public on-demand price (FOCUS ListCost). Rows of several metrics or datasets of one experiment repeat it; groups count it once, at the first metric and dataset by name. */
            list_cost?: string | null;
            /** @description Measured metric; NULL without results. */
            metric?: string | null;
            /** @description Model of the owner. */
            model?: string | null;
            /** @description Model version of the owner. */
            model_version?: string | null;
            /** @description Namespace of the workload. */
            namespace?: string | null;
            /** @description Priority of the owner. */
            priority?: string | null;
            /** @description Project of the owner. */
            project?: string | null;
            /** @description Queue of the owner. */
            queue?: string | null;
            /** @description Dataset that the result names; results on another one have a separate row. */
            result_dataset?: string | null;
            /** @description Version of the model that the result names. */
            result_model_version?: string | null;
            /** @description Run that the result names. */
            result_run?: string | null;
            /**
             * Format: int64
             * @description Runs of the experiment.
             */
            runs?: number | null;
            /** @description Stage: training, fine_tuning, evaluation, inference … */
            stage?: string | null;
            /**
             * @description How settled the money is: the least settled of the rows with a cost or still awaiting a bill.
             * @enum {string|null}
             */
            state?: "provisional" | "open" | "final" | null;
            /** @description The value reaches the threshold, else the baseline; NULL with neither. */
            successful?: boolean | null;
            /**
             * Format: int64
             * @description Of those, with a metric that succeeded. An experiment with cost in two currencies counts once in the rows of each.
             */
            successful_experiments?: number | null;
            /** @description Team, or `unowned`. */
            team?: string | null;
            /** @description Value that makes it a success; without a threshold, the baseline does. */
            threshold?: string | null;
            /** @description User of the owner. */
            user?: string | null;
            /** @description The newest result. */
            value?: string | null;
        };
        experiments_page: {
            data: components["schemas"]["experiments"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description One scheduled time of an export and its outcome: the newest 200 of each schedule. */
        export_runs: {
            /**
             * Format: int64
             * @description Bytes of all files.
             */
            bytes: number | null;
            /**
             * Format: date-time
             * @description When it ended; NULL: it has not.
             */
            ended_at: string | null;
            /** @description Why it failed; NULL: it did not. */
            error: string | null;
            /**
             * Format: int64
             * @description Files that were at the target already, with the same content.
             */
            kept: number | null;
            /** @description Name of the schedule. */
            name: string | null;
            /**
             * Format: int64
             * @description Files that were replaced, or whose month is no longer kept.
             */
            removed: number | null;
            /**
             * Format: int64
             * @description Rows in all files.
             */
            rows: number | null;
            /**
             * Format: date-time
             * @description When the last try began.
             */
            started_at: string | null;
            /**
             * @description Outcome.
             * @enum {string|null}
             */
            state: "running" | "done" | "failed" | null;
            /**
             * Format: date-time
             * @description Scheduled time.
             */
            tick: string | null;
            /**
             * Format: int64
             * @description How often it was tried.
             */
            tries: number | null;
            /**
             * Format: int64
             * @description Files that were written.
             */
            written: number | null;
        };
        export_runs_page: {
            data: components["schemas"]["export_runs"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description One schedule of exports with the outcome of its newest run. */
        export_schedules: {
            /**
             * Format: date-time
             * @description When it was stored or changed.
             */
            changed_at: string | null;
            /** @description Who stored or changed it. */
            changed_by: string | null;
            /** @description Dataset that it exports. */
            dataset: string | null;
            /**
             * @description How often it exports, in UTC.
             * @enum {string|null}
             */
            every: "hourly" | "daily" | "weekly" | "monthly" | null;
            /** @description Whether texts that a spreadsheet would run as a formula get an apostrophe. */
            for_excel: boolean | null;
            /**
             * @description Format of the files.
             * @enum {string|null}
             */
            format: "csv" | "parquet" | "xlsx" | null;
            /**
             * Format: int64
             * @description Billing months that stay at the target; NULL: all.
             */
            keep: number | null;
            /**
             * Format: date-time
             * @description Newest scheduled time whose run is done since the schedule was last changed; NULL: none, so the schedule is due.
             */
            last_done: string | null;
            /**
             * Format: date-time
             * @description When it ended; NULL: it has not.
             */
            last_ended_at: string | null;
            /** @description Why it failed; NULL: it did not. */
            last_error: string | null;
            /**
             * Format: date-time
             * @description Scheduled time of the newest run; NULL: none yet.
             */
            last_run: string | null;
            /**
             * @description Outcome of that run.
             * @enum {string|null}
             */
            last_state: "running" | "done" | "failed" | null;
            /**
             * Format: int64
             * @description How often it was tried.
             */
            last_tries: number | null;
            /**
             * Format: int64
             * @description Newest billing months that a run exports.
             */
            months: number | null;
            /** @description Name of the schedule. */
            name: string | null;
            /** @description Options of the report, written as in an address; NULL: none. */
            options: string | null;
            /** @description Folder below which the files are written. */
            target: string | null;
        };
        export_schedules_page: {
            data: components["schemas"]["export_schedules"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description One quota of devices, of a namespace (ResourceQuota) or a queue (ClusterQueue), and its use in the window. No rows without quotas. With group_by, one row per group, with only the properties that apply to a group. */
        fair_share: {
            /** @description Cluster. */
            cluster?: string | null;
            /** @description Held hours ÷ quota hours: 1 is all of the quota, all the time. */
            fair_share?: string | null;
            /**
             * @description Kind of object that grants it.
             * @enum {string|null}
             */
            granted_by?: "ResourceQuota" | "ClusterQueue" | null;
            /** @description Hours in which they were held. */
            held_hours?: string | null;
            /** @description Part of the use of all quotas of the resource in the cluster: more than quota_share borrows, less lends. */
            held_share?: string | null;
            /** @description Namespace that it is granted to. */
            namespace?: string | null;
            /** @description Queue that it is granted to. A queue's use is that of owners whose queue has this name: give ClusterQueues and their LocalQueues the same name. */
            queue?: string | null;
            /** @description Devices granted; if a namespace has several quotas, the smallest. */
            quota?: string | null;
            /** @description Quota × the hours from the first to the last usage of the cluster in the window; NULL without usage. */
            quota_hours?: string | null;
            /** @description Part of all quotas of the resource in the cluster. */
            quota_share?: string | null;
            /** @description Granted resource: nvidia_com_gpu, or a MIG profile. */
            resource?: string | null;
        };
        fair_share_page: {
            data: components["schemas"]["fair_share"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description FOCUS BillingPeriod: a month of an issuer of invoices, Closed when it is closed here for each of its billing accounts. Since FOCUS 1.4. */
        focus_billing_period: {
            /**
             * Format: date-time
             * @description When the first bill of the issuer and month was imported. Since FOCUS 1.4.
             */
            BillingPeriodCreated: string | null;
            /**
             * Format: date-time
             * @description End of the billing month, exclusive. Since FOCUS 1.4.
             */
            BillingPeriodEnd: string | null;
            /**
             * Format: date-time
             * @description When a bill of the month was last imported, or the month closed or reopened. Since FOCUS 1.4.
             */
            BillingPeriodLastUpdated: string | null;
            /**
             * Format: date-time
             * @description Start of the billing month. Since FOCUS 1.4.
             */
            BillingPeriodStart: string | null;
            /**
             * @description Closed when the month is closed in this ledger for every billing account of the issuer, else Open. Since FOCUS 1.4.
             * @enum {string|null}
             */
            BillingPeriodStatus: "Open" | "Closed" | null;
            /** @description Company that issues the invoices. Since FOCUS 1.4. */
            InvoiceIssuerName: string | null;
        };
        focus_billing_period_page: {
            data: components["schemas"]["focus_billing_period"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description FOCUS ContractCommitment: one commitment that lines of bills name. Terms that no bill states are assumed, since FOCUS requires them. */
        focus_contract_commitment: {
            /** @description Currency of its lines, ISO 4217. */
            BillingCurrency: string | null;
            /** @description Charges that it covers, as a JSON object: those of the billing accounts whose bills name it. Since FOCUS 1.4. */
            ContractCommitmentApplicability?: string | null;
            /**
             * @description Availability for capacity reservations and blocks, else Discount. Since FOCUS 1.4.
             * @enum {string|null}
             */
            ContractCommitmentBenefitCategory?: "Discount" | "Entitlement" | "Availability" | "Other" | null;
            /**
             * @description Whether the commitment is on spend (savings plans) or on usage.
             * @enum {string|null}
             */
            ContractCommitmentCategory: "Spend" | "Usage" | null;
            /** @description Billed cost of its purchases in the stored bills; without one, the effective cost of its used and unused parts. */
            ContractCommitmentCost: string | null;
            /**
             * Format: date-time
             * @description When the first bill that names it was imported. Since FOCUS 1.4.
             */
            ContractCommitmentCreated?: string | null;
            /** @description Name of the commitment, else the bill's description of its purchase. */
            ContractCommitmentDescription: string | null;
            /** @description Share taken off the contracted price; NULL: bills do not have it. Since FOCUS 1.4. */
            ContractCommitmentDiscountPercentage?: string | null;
            /** @description Length of the term, such as 1 Year; the stored time if the bill does not say it. Since FOCUS 1.4. */
            ContractCommitmentDurationType?: string | null;
            /**
             * @description How often unused commitment expires: hourly for savings plans, reservations and committed use. Since FOCUS 1.4.
             * @enum {string|null}
             */
            ContractCommitmentFulfillmentInterval?: "Hourly" | "Daily" | "Weekly" | "Monthly" | "Quarterly" | "Semi-Annual" | "Annual" | "Full Period" | "Transactional" | "Custom" | null;
            /** @description Commitment, as the bill names it. */
            ContractCommitmentId: string | null;
            /**
             * Format: date-time
             * @description When a bill that names it was last imported. Since FOCUS 1.4.
             */
            ContractCommitmentLastUpdated?: string | null;
            /**
             * @description Expired when the newest stored bill of its account begins after its end, else Active. Since FOCUS 1.4.
             * @enum {string|null}
             */
            ContractCommitmentLifecycleStatus?: "Proposed" | "Pending" | "Active" | "Exhausted" | "Expired" | "Canceled" | "Superseded" | null;
            /**
             * @description Continuous: the unused part of an interval is lost. Since FOCUS 1.4.
             * @enum {string|null}
             */
            ContractCommitmentModel?: "Continuous" | "Discontinuous" | null;
            /**
             * @description Negotiated if the bill names a contract, else Public. Since FOCUS 1.4.
             * @enum {string|null}
             */
            ContractCommitmentOfferCategory?: "Negotiated" | "Public" | null;
            /**
             * @description One-Time if only one-time purchases are billed, else Monthly. Since FOCUS 1.4.
             * @enum {string|null}
             */
            ContractCommitmentPaymentInterval?: "One-Time" | "Monthly" | "Quarterly" | "Semi-Annual" | "Annual" | "Custom" | null;
            /**
             * @description By its purchases: one-time, recurring, or both. Since FOCUS 1.4.
             * @enum {string|null}
             */
            ContractCommitmentPaymentModel?: "No Upfront" | "Partial Upfront" | "All Upfront" | null;
            /** @description Share of the cost that is paid at the start. Since FOCUS 1.4. */
            ContractCommitmentPaymentUpfrontPercentage?: string | null;
            /**
             * Format: date-time
             * @description End of its term; the end of its last stored line if the bill does not say it.
             */
            ContractCommitmentPeriodEnd: string | null;
            /**
             * Format: date-time
             * @description Start of its term; the start of its first stored line if the bill does not say it.
             */
            ContractCommitmentPeriodStart: string | null;
            /** @description Quantity bought, if the bill says it. */
            ContractCommitmentQuantity: string | null;
            /** @description What the provider calls this kind of commitment. */
            ContractCommitmentType: string | null;
            /** @description Unit of the quantity. */
            ContractCommitmentUnit: string | null;
            /** @description Contract that it belongs to; the commitment itself if the bill names none. */
            ContractId: string | null;
            /**
             * Format: date-time
             * @description End of the contract.
             */
            ContractPeriodEnd: string | null;
            /**
             * Format: date-time
             * @description Start of the contract.
             */
            ContractPeriodStart: string | null;
            /** @description Company that issues the invoices. Since FOCUS 1.4. */
            InvoiceIssuerName?: string | null;
            /** @description Provider of the service. Since FOCUS 1.4. */
            ServiceProviderName?: string | null;
            /** @description Columns that no bill states, separated by blanks. */
            x_AssumedColumns: string | null;
        };
        focus_contract_commitment_page: {
            data: components["schemas"]["focus_contract_commitment"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description FOCUS CostAndUsage: one bill line, part, holder and cause. Costs of one line are split as the ledger splits them; its other columns are those of the line. Without provisional cost. */
        focus_cost_and_usage: {
            /** @description How the charge was split: Elements[].AllocatedRatio is this row's share of the origin charge's EffectiveCost. */
            AllocatedMethodDetails: string | null;
            /** @description Allocation policy version by which the charge was split; NULL for cost outside the GPU fleet, which is not split. */
            AllocatedMethodId: string | null;
            /** @description Holder of this share: pod, else run, else owner; NULL for time without a holder. */
            AllocatedResourceId: string | null;
            /** @description Name of the holder. */
            AllocatedResourceName: string | null;
            /** @description Owner keys of this share, as a JSON object. */
            AllocatedTags: string | null;
            /** @description Availability zone. */
            AvailabilityZone: string | null;
            /** @description Invoiced cost. */
            BilledCost: string | null;
            /** @description Payer account. */
            BillingAccountId: string | null;
            /** @description Name of the payer account, if the bill has one. */
            BillingAccountName: string | null;
            /** @description What the provider calls a payer account. */
            BillingAccountType: string | null;
            /** @description Currency of the bill, ISO 4217. */
            BillingCurrency: string | null;
            /**
             * Format: date-time
             * @description End of the billing month, exclusive.
             */
            BillingPeriodEnd: string | null;
            /**
             * Format: date-time
             * @description Start of the billing month.
             */
            BillingPeriodStart: string | null;
            /** @description Capacity reservation. */
            CapacityReservationId: string | null;
            /**
             * @description Whether the reserved capacity was used.
             * @enum {string|null}
             */
            CapacityReservationStatus: "Used" | "Unused" | null;
            /**
             * @description Kind of charge.
             * @enum {string|null}
             */
            ChargeCategory: "Usage" | "Purchase" | "Tax" | "Credit" | "Adjustment" | null;
            /**
             * @description Correction if the charge corrects an earlier, closed billing period.
             * @enum {string|null}
             */
            ChargeClass: "Correction" | null;
            /** @description The bill's description of the line. */
            ChargeDescription: string | null;
            /**
             * @description How often the charge occurs.
             * @enum {string|null}
             */
            ChargeFrequency: "One-Time" | "Recurring" | "Usage-Based" | null;
            /**
             * Format: date-time
             * @description End of the bill line's charge period, exclusive.
             */
            ChargePeriodEnd: string | null;
            /**
             * Format: date-time
             * @description Start of the bill line's charge period.
             */
            ChargePeriodStart: string | null;
            /**
             * @description Whether the commitment is on spend or on usage.
             * @enum {string|null}
             */
            CommitmentDiscountCategory: "Spend" | "Usage" | null;
            /** @description Reservation, savings plan or committed use. */
            CommitmentDiscountId: string | null;
            /** @description Name of the commitment. */
            CommitmentDiscountName: string | null;
            /** @description Quantity of the commitment that the charge buys or uses. */
            CommitmentDiscountQuantity: string | null;
            /**
             * @description Whether this part of the commitment was used.
             * @enum {string|null}
             */
            CommitmentDiscountStatus: "Used" | "Unused" | null;
            /** @description What the provider calls this kind of commitment. */
            CommitmentDiscountType: string | null;
            /** @description Unit of CommitmentDiscountQuantity. */
            CommitmentDiscountUnit: string | null;
            /** @description Commitment programs that the charge is eligible for, as a JSON object. Since FOCUS 1.4. */
            CommitmentProgramEligibilityDetails?: string | null;
            /** @description Quantity consumed: the bill line's, in proportion to the cost. */
            ConsumedQuantity: string | null;
            /** @description Unit of ConsumedQuantity. */
            ConsumedUnit: string | null;
            /** @description Contract commitments that the charge draws on, as a JSON object. */
            ContractApplied: string | null;
            /** @description Negotiated price before commitments. */
            ContractedCost: string | null;
            /** @description Negotiated price per PricingUnit. */
            ContractedUnitPrice: string | null;
            /** @description Amortised cost. */
            EffectiveCost: string | null;
            /** @description Provider whose infrastructure runs the service. */
            HostProviderName: string | null;
            /** @description Line of the invoice, as in focus_invoice_detail. Since FOCUS 1.4. */
            InvoiceDetailId?: string | null;
            /** @description Invoice; NULL until there is one. */
            InvoiceId: string | null;
            /** @description Company that issues the invoice. */
            InvoiceIssuerName: string | null;
            /** @description Public price. */
            ListCost: string | null;
            /** @description Public price per PricingUnit. */
            ListUnitPrice: string | null;
            /**
             * @description Pricing model.
             * @enum {string|null}
             */
            PricingCategory: "Standard" | "Dynamic" | "Committed" | "Other" | null;
            /** @description Currency of the price list, ISO 4217. */
            PricingCurrency: string | null;
            /** @description Negotiated price per PricingUnit, in PricingCurrency. */
            PricingCurrencyContractedUnitPrice: string | null;
            /** @description Amortised cost in PricingCurrency. */
            PricingCurrencyEffectiveCost: string | null;
            /** @description Public price per PricingUnit, in PricingCurrency. */
            PricingCurrencyListUnitPrice: string | null;
            /** @description Quantity priced: the bill line's, in proportion to the cost. */
            PricingQuantity: string | null;
            /** @description Unit of PricingQuantity. */
            PricingUnit: string | null;
            /** @description Provider of the service. Until FOCUS 1.3. */
            ProviderName?: string | null;
            /** @description Maker of the service. Until FOCUS 1.3. */
            PublisherName?: string | null;
            /** @description Region. */
            RegionId: string | null;
            /** @description Name of the region; the region's id if the bill has no name. */
            RegionName: string | null;
            /** @description Resource that the bill line names. */
            ResourceId: string | null;
            /** @description Name of that resource. */
            ResourceName: string | null;
            /** @description Type of that resource. */
            ResourceType: string | null;
            /**
             * @description Category of the service.
             * @enum {string|null}
             */
            ServiceCategory: "AI and Machine Learning" | "Analytics" | "Business Applications" | "Compute" | "Databases" | "Developer Tools" | "Multicloud" | "Identity" | "Integration" | "Internet of Things" | "Management and Governance" | "Media" | "Migration" | "Mobile" | "Networking" | "Security" | "Storage" | "Web" | "Other" | null;
            /** @description Provider's service. */
            ServiceName: string | null;
            /** @description Provider of the service. */
            ServiceProviderName: string | null;
            /** @description Subcategory of the service. */
            ServiceSubcategory: string | null;
            /** @description SKU. */
            SkuId: string | null;
            /** @description What the SKU measures. */
            SkuMeter: string | null;
            /** @description Properties of the SKU price, as a JSON object. */
            SkuPriceDetails: string | null;
            /** @description Price of the SKU. */
            SkuPriceId: string | null;
            /** @description Sub-account; NULL for charges of the payer account itself. */
            SubAccountId: string | null;
            /** @description Name of the sub-account. */
            SubAccountName: string | null;
            /** @description What the provider calls a sub-account. */
            SubAccountType: string | null;
            /** @description Tags of the bill line, as a JSON object. */
            Tags: string | null;
            /** @description Whether the line is a total of many lines, which has no quantity. */
            x_Aggregated: boolean | null;
            /** @description Costs that no delivery of the payer's month carries, separated by blanks. They hold the billed cost, since FOCUS requires them. */
            x_AssumedColumns: string | null;
            /**
             * @description Cause of the cost.
             * @enum {string|null}
             */
            x_Cause: "used" | "overhead" | "held_idle" | "lost" | "free" | "stranded" | "unavailable" | "unobserved" | "commitment_unused" | "commitment_fee" | "host" | "shared" | "metered" | "non_gpu" | null;
            /** @description Bill line, as in charges; its rows add up to it. */
            x_ChargeId: string | null;
            /** @description Bill line that a correction corrects; NULL for a line that the closed month lacked. */
            x_CorrectsChargeId: string | null;
            /** @description Origin charge of the split: line, part, category, commitment status, correction and month. */
            x_OriginId: string | null;
        };
        focus_cost_and_usage_page: {
            data: components["schemas"]["focus_cost_and_usage"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description FOCUS InvoiceDetail: billed cost by issuer, invoice, billing account, currency, month and category, of charges that name an invoice. Since FOCUS 1.4. */
        focus_invoice_detail: {
            /** @description Billed cost of the charges that name this line. Since FOCUS 1.4. */
            BilledCost: string | null;
            /** @description Payer account. Since FOCUS 1.4. */
            BillingAccountId: string | null;
            /** @description Currency of the bill, ISO 4217. Since FOCUS 1.4. */
            BillingCurrency: string | null;
            /**
             * Format: date-time
             * @description End of the billing month, exclusive. Since FOCUS 1.4.
             */
            BillingPeriodEnd: string | null;
            /**
             * Format: date-time
             * @description Start of the billing month. Since FOCUS 1.4.
             */
            BillingPeriodStart: string | null;
            /**
             * @description Kind of charge. Since FOCUS 1.4.
             * @enum {string|null}
             */
            ChargeCategory: "Usage" | "Purchase" | "Tax" | "Credit" | "Adjustment" | null;
            /**
             * Format: date-time
             * @description When the first bill with a charge of the line was imported. Since FOCUS 1.4.
             */
            InvoiceDetailCreated: string | null;
            /** @description Category, account and month of the line, in words. Since FOCUS 1.4. */
            InvoiceDetailDescription: string | null;
            /** @description What the line adds up: the account, currency, month and category, as a JSON object. Since FOCUS 1.4. */
            InvoiceDetailGrain: string | null;
            /** @description Line of the invoice: as the bill names it, else a hash of issuer, invoice, account, currency, month and category. Since FOCUS 1.4. */
            InvoiceDetailId: string | null;
            /**
             * Format: date-time
             * @description When a bill with a charge of the line was last imported, or its month closed or reopened. Since FOCUS 1.4.
             */
            InvoiceDetailLastUpdated: string | null;
            /** @description Invoice, as the bill names it. Since FOCUS 1.4. */
            InvoiceId: string | null;
            /**
             * Format: date-time
             * @description Date of the invoice; NULL: bills do not have it. Since FOCUS 1.4.
             */
            InvoiceIssueDate: string | null;
            /**
             * @description Issued when the billing month of the account is closed in this ledger, else Open. Since FOCUS 1.4.
             * @enum {string|null}
             */
            InvoiceIssueStatus: "Open" | "Issued" | "Voided" | null;
            /** @description Company that issues the invoice. Since FOCUS 1.4. */
            InvoiceIssuerName: string | null;
            /**
             * Format: date-time
             * @description Date by which the invoice is due; NULL: bills do not have it. Since FOCUS 1.4.
             */
            PaymentDueDate: string | null;
            /** @description Terms of payment; bills do not have them, so always Not stated. Since FOCUS 1.4. */
            PaymentTerms: string | null;
            /** @description Invoice that the line corrects; the invoice itself if it corrects none. Since FOCUS 1.4. */
            ReferenceInvoiceId: string | null;
        };
        focus_invoice_detail_page: {
            data: components["schemas"]["focus_invoice_detail"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description How far each source is behind the newest stored data: bills, placements, device samples, workloads, events. */
        freshness: {
            /**
             * Format: int64
             * @description Time from newest_at to end_at. Events come only when something happens: an old one is not a fault.
             */
            behind_seconds: number | null;
            /**
             * Format: date-time
             * @description Newest data of all sources: the end of the stored data.
             */
            end_at: string | null;
            /**
             * Format: date-time
             * @description When its newest bill came into the ledger.
             */
            imported_at: string | null;
            /**
             * @description Kind of data.
             * @enum {string|null}
             */
            kind: "bill" | "placements" | "devices" | "workloads" | "events" | null;
            /**
             * Format: date-time
             * @description Newest data of the source: end of the last billed machine hour, last sample, last event.
             */
            newest_at: string | null;
            /** @description Billing scope, cluster, or account of events; NULL if the source has only one. */
            scope: string | null;
            /** @description Import source of bills, system of workloads, cloud of events. */
            source: string | null;
        };
        freshness_page: {
            data: components["schemas"]["freshness"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description One group of runs (pipeline, sweep, array) over its whole life, for the groups that overlap the window; one row per currency. Its cost by stage is costs grouped by group and stage. With group_by, one row per group, with only the properties that apply to a group. */
        groups: {
            /** @description ∫ activity ratio × slice weight × hold share. A useful GPU-hour is an active one. Minutes without a sample add nothing. */
            active_gpu_hours?: string | null;
            /**
             * Format: int64
             * @description Attempts of all runs.
             */
            attempts?: number | null;
            /** @description Invoiced cost (FOCUS BilledCost). */
            billed_cost?: string | null;
            /**
             * Format: int64
             * @description Of those, cancelled.
             */
            cancelled?: number | null;
            /** @description Cluster; NULL if its runs were in several. */
            cluster?: string | null;
            /** @description Negotiated price before commitments (FOCUS ContractedCost). */
            contracted_cost?: string | null;
            /** @description ISO 4217 code; amounts of two currencies are never added. NULL if no cost is known. */
            currency?: string | null;
            /** @description Used + held idle + overhead + lost + unobserved + host + metered. Before sharing: idle capacity of others is not included. */
            effective_cost?: string | null;
            /**
             * Format: date-time
             * @description End of the last run; NULL while any is open.
             */
            ended_at?: string | null;
            /** @description Measured board energy. GPU boards only, without host, cooling or supply losses; NULL if not measured. */
            energy_kwh?: string | null;
            /**
             * Format: int64
             * @description Of those, failed.
             */
            failed?: number | null;
            /** @description Physical-GPU equivalents held: a 1/7 slice held for one hour is 1/7. Only compute lines carry quantities; a selection of other lines alone shows NULL. */
            gpu_hours?: string | null;
            /** @description Group: of a workflow, a sweep, an array of jobs, or the label gpuledger.io/group. */
            group_id?: string | null;
            /** @description Effective cost with cause `held_idle`. */
            held_idle_cost?: string | null;
            /** @description Effective cost with cause `host`. */
            host_cost?: string | null;
            /** @description Public on-demand price (FOCUS ListCost). */
            list_cost?: string | null;
            /** @description Effective cost with cause `lost`. An upper bound if the loss has no checkpoint to count from; lost_cost_min is the lower bound. */
            lost_cost?: string | null;
            /** @description Lost cost that a checkpoint proves; losses of basis `none` count 0. */
            lost_cost_min?: string | null;
            /** @description GPU-hours with cause `lost`. */
            lost_gpu_hours?: string | null;
            /** @description The most that may be lost in attempts with an unknown end: the loss is between 0 and this. The cost stays in its causes and is not in lost_cost. From the last checkpoint, else from the start of the attempt; after a checkpoint by its part of the attempt's time. */
            may_be_lost_cost?: string | null;
            /** @description Effective cost with cause `metered`. */
            metered_cost?: string | null;
            /** @description Namespace; NULL if its runs were in several. */
            namespace?: string | null;
            /**
             * Format: int64
             * @description Of those, running or queued.
             */
            open?: number | null;
            /** @description Effective cost with cause `overhead`. */
            overhead_cost?: string | null;
            /**
             * Format: int64
             * @description Of those, ended preempted or evicted.
             */
            preemptions?: number | null;
            /**
             * @description How sure the figure is; mixed rows show the worst that makes at least 1 % of the effective cost.
             * @enum {string|null}
             */
            quality?: "measured" | "estimated" | "assumed" | null;
            /**
             * Format: int64
             * @description Runs.
             */
            runs?: number | null;
            /**
             * Format: date-time
             * @description First hold of any run; NULL while all are queued.
             */
            started_at?: string | null;
            /**
             * @description How settled the money is: the least settled of the rows with a cost or still awaiting a bill.
             * @enum {string|null}
             */
            state?: "provisional" | "open" | "final" | null;
            /**
             * Format: int64
             * @description Of those, succeeded.
             */
            succeeded?: number | null;
            /** @description Team; NULL if its runs had several. */
            team?: string | null;
            /** @description Effective cost with cause `unobserved`. */
            unobserved_cost?: string | null;
            /** @description Effective cost with cause `used`. */
            used_cost?: string | null;
            /** @description GPU-hours with cause `used`. NULL where gpu_hours is NULL. */
            used_gpu_hours?: string | null;
            /** @description The part of effective_cost inside [from, to). */
            window_effective_cost?: string | null;
        };
        groups_page: {
            data: components["schemas"]["groups"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description Use of capacity by hour of the week, cluster and instance type: shows free hours that come back every week. With group_by, one row per group, with only the properties that apply to a group. */
        idle_hours: {
            /** @description All GPU-hours, held or not. */
            capacity_gpu_hours?: string | null;
            /** @description Cluster. */
            cluster?: string | null;
            /** @description GPU-hours with cause `free`. */
            free_gpu_hours?: string | null;
            /** @description Free part of the observed capacity. */
            free_share?: string | null;
            /** @description GPU model of the node. */
            gpu_model?: string | null;
            /** @description GPU-hours with cause `held_idle`. */
            held_idle_gpu_hours?: string | null;
            /**
             * Format: int64
             * @description Hour of the week (UTC), 0 is Monday 00:00, 167 Sunday 23:00.
             */
            hour_of_week?: number | null;
            /** @description GPU-hours held idle, free, stranded or unavailable. */
            idle_gpu_hours?: string | null;
            /** @description Idle part of the observed capacity: held idle, free, stranded, unavailable. */
            idle_share?: string | null;
            /** @description Instance type. */
            instance_type?: string | null;
            /** @description GPU-hours that were held or observed: all but those of cause `unobserved` without a holder. */
            observed_gpu_hours?: string | null;
            /** @description Region of the node, else of the charge. */
            region?: string | null;
        };
        idle_hours_page: {
            data: components["schemas"]["idle_hours"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description Counts by reason: rows of an import that became no facts, and refused files and deliveries. */
        import_counts: {
            /** @description Import. */
            import_id: string | null;
            /**
             * @description rejected: wrong rows; ignored: rows that nothing uses, or that belong to a refused file or delivery; refused: files and deliveries, not rows.
             * @enum {string|null}
             */
            kind: "rejected" | "ignored" | "refused" | null;
            /** @description Reason, or the name of the ignored rows. */
            reason: string | null;
            /**
             * Format: int64
             * @description Rows; for kind refused, files and deliveries.
             */
            rows: number | null;
            /** @description Import source. */
            source: string | null;
        };
        import_counts_page: {
            data: components["schemas"]["import_counts"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description One import: rows read, accepted, rejected and ignored. */
        imports: {
            /**
             * Format: int64
             * @description Rows that became facts.
             */
            accepted: number | null;
            /**
             * Format: int64
             * @description Bytes read.
             */
            bytes: number | null;
            /**
             * Format: int64
             * @description Bytes done in that phase; once it has ended, those of files that were read to their end.
             */
            bytes_done: number | null;
            /** @description Cluster given or found. */
            cluster: string | null;
            /**
             * Format: int64
             * @description Rest of the phase at its speed so far; NULL while unknown.
             */
            eta_seconds: number | null;
            /**
             * Format: int64
             * @description Files read.
             */
            files: number | null;
            /**
             * Format: int64
             * @description Files done in that phase; once it has ended, those that were read to their end.
             */
            files_done: number | null;
            /**
             * Format: date-time
             * @description End; NULL while running.
             */
            finished_at: string | null;
            /**
             * Format: int64
             * @description Rows that nothing uses, or that were read but not published; by reason in import_counts.
             */
            ignored: number | null;
            /** @description Import. */
            import_id: string | null;
            /** @description What went wrong, NULL when nothing did. */
            message: string | null;
            /** @description What a running import does: survey, read, publish; NULL once it has ended. */
            phase: string | null;
            /**
             * Format: date-time
             * @description When the progress was last reported.
             */
            progress_at: string | null;
            /**
             * Format: int64
             * @description Refused files and deliveries, which do not count as rows; NULL for imports by versions that counted them among the rejected rows.
             */
            refused: number | null;
            /**
             * Format: int64
             * @description Rows that are wrong, counted by reason in import_counts and listed in rejections.
             */
            rejected: number | null;
            /**
             * Format: int64
             * @description Lines that its deliveries added when they replaced others; NULL when they replaced none.
             */
            restated_added: number | null;
            /**
             * Format: int64
             * @description Lines that they changed.
             */
            restated_changed: number | null;
            /**
             * Format: int64
             * @description Lines that they removed.
             */
            restated_removed: number | null;
            /**
             * Format: int64
             * @description Rows handed to the database so far; once it has ended, all rows read.
             */
            rows_done: number | null;
            /**
             * Format: int64
             * @description Rows read = accepted + rejected + ignored, once it has ended.
             */
            rows_read: number | null;
            /** @description Import source: aws-cur, openmetrics … */
            source: string | null;
            /**
             * Format: date-time
             * @description Start.
             */
            started_at: string | null;
            /**
             * @description How it ended; unchanged: the same rows were there already; older: a newer delivery was there already.
             * @enum {string|null}
             */
            state: "running" | "published" | "unchanged" | "older" | "refused" | null;
            /** @description Address of the imported data. */
            uri: string | null;
        };
        imports_page: {
            data: components["schemas"]["imports"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description Requests and tokens that were served and their cost, idle time included: one service, model, server, tenant and currency. Rows add up under any grouping. With group_by, one row per group, with only the properties that apply to a group. */
        inference: {
            /** @description Useful GPU-hours. */
            active_gpu_hours?: string | null;
            /** @description Activity of held cards: the median of the minutes in which each card or slice was held. If a replica served several models in an hour, each model has its share of the minutes. Minutes of unknown activity do not count; NULL without a minute of known activity. By nearest rank from counts in bins: within 0.8 % of the value. */
            activity_p50?: string | null;
            /** @description Activity of held cards: the 95th percentile of the minutes in which each card or slice was held. If a replica served several models in an hour, each model has its share of the minutes. Minutes of unknown activity do not count; NULL without a minute of known activity. By nearest rank from counts in bins: within 0.8 % of the value. */
            activity_p95?: string | null;
            /** @description Invoiced cost (FOCUS BilledCost). */
            billed_cost?: string | null;
            /** @description Business unit of the owner. */
            business_unit?: string | null;
            /**
             * Format: int64
             * @description Prompt tokens that a cache had; NULL if no server reports them.
             */
            cached_prompt_tokens?: number | null;
            /** @description Cluster. */
            cluster?: string | null;
            /** @description Negotiated price before commitments (FOCUS ContractedCost). */
            contracted_cost?: string | null;
            /** @description Cost centre of the owner. */
            cost_center?: string | null;
            /** @description Effective cost per hundred thousand tokens. Only for services and models that count them on the day: uncounted serving is in no unit cost. */
            cost_per_100k_tokens?: string | null;
            /** @description Effective cost per thousand inferences. Only for services and models that count them on the day: uncounted serving is in no unit cost. */
            cost_per_1k_inferences?: string | null;
            /** @description Input cost per thousand prompt tokens, cached ones included. Only for services and models that count them on the day: uncounted serving is in no unit cost. */
            cost_per_1k_input_tokens?: string | null;
            /** @description Output cost per thousand generated tokens. Only for services and models that count them on the day: uncounted serving is in no unit cost. */
            cost_per_1k_output_tokens?: string | null;
            /** @description Effective cost per thousand answered requests. Only for services and models that count them on the day: uncounted serving is in no unit cost. */
            cost_per_1k_requests?: string | null;
            /** @description Effective cost per thousand tokens, prompt and generated. Only for services and models that count them on the day: uncounted serving is in no unit cost. */
            cost_per_1k_tokens?: string | null;
            /** @description Effective cost per million tokens. Only for services and models that count them on the day: uncounted serving is in no unit cost. */
            cost_per_1m_tokens?: string | null;
            /** @description Effective cost of an hour of a replica. */
            cost_per_replica_hour?: string | null;
            /** @description Replica-minutes with a counter sample over replica-minutes held. Nothing is extrapolated: below 1 requests and tokens are a lower bound, and unit costs an upper one. */
            coverage?: string | null;
            /** @description ISO 4217 code; amounts of two currencies are never added. NULL if no cost is known. */
            currency?: string | null;
            /** @description Cost of all time that the services' workloads held, with idle time, start-up and host. Before sharing: idle capacity of others is not included. */
            effective_cost?: string | null;
            /** @description Environment of the owner. */
            environment?: string | null;
            /**
             * Format: int64
             * @description Requests that were aborted, refused or ended in an error.
             */
            failed_requests?: number | null;
            /**
             * Format: int64
             * @description Tokens generated.
             */
            generation_tokens?: number | null;
            /** @description GPU-hours held. */
            gpu_hours?: string | null;
            /** @description GPU model of the node. */
            gpu_model?: string | null;
            /** @description The host's share (cause `host`). */
            host_cost?: string | null;
            /** @description Held without work (cause `held_idle`). */
            idle_cost?: string | null;
            /**
             * Format: int64
             * @description Elements of batches if the server counts them, else requests.
             */
            inferences?: number | null;
            /** @description Effective cost of reading prompts. split_basis names the split between input and output. */
            input_cost?: string | null;
            /** @description Instance type of the node, else of the charge. */
            instance_type?: string | null;
            /** @description Mean latency. */
            latency_mean?: string | null;
            /** @description Half of the requests took at most this long, end to end. Interpolated within the servers' buckets: as fine as those are. */
            latency_p50?: string | null;
            /** @description P95 of latency. Interpolated within the servers' buckets: as fine as those are. */
            latency_p95?: string | null;
            /** @description P99 of latency. Interpolated within the servers' buckets: as fine as those are. */
            latency_p99?: string | null;
            /** @description Public on-demand price (FOCUS ListCost). */
            list_cost?: string | null;
            /** @description Work that was lost (cause `lost`). */
            lost_cost?: string | null;
            /** @description Spend that is metered per use (cause `metered`). */
            metered_cost?: string | null;
            /** @description The model that the served name joins, by the policy's served_models or by rule, else the served name, else the owner's model. */
            model?: string | null;
            /** @description Model version of the owner. */
            model_version?: string | null;
            /** @description Namespace. */
            namespace?: string | null;
            /** @description Effective cost of generating: the rest. */
            output_cost?: string | null;
            /**
             * Format: date-time
             * @description Start of the period.
             */
            period_start?: string | null;
            /** @description Name of the pod. */
            pod?: string | null;
            /** @description Price class: on_demand, spot, savings_plan, reserved, owned; of the charge, else of the node. */
            pricing?: string | null;
            /** @description Project of the owner. */
            project?: string | null;
            /**
             * Format: int64
             * @description Tokens of prompts, cached ones included.
             */
            prompt_tokens?: number | null;
            /** @description Mean time that requests waited inside the server. */
            queue_wait_mean?: string | null;
            /** @description P95 of the time that requests waited inside the server. Interpolated within the servers' buckets: as fine as those are. */
            queue_wait_p95?: string | null;
            /** @description Region of the node, else of the charge. */
            region?: string | null;
            /** @description Hours that replicas held; a replica of several pods counts once. */
            replica_hours?: string | null;
            /**
             * Format: int64
             * @description Replicas that held GPU time in the period; those of a rollout count again.
             */
            replicas?: number | null;
            /**
             * Format: int64
             * @description Requests that finished with an answer. Calls imported by llm-usage are a gateway's view, perhaps of the same requests: never added. If a gateway, a router and an engine count the same requests, one layer counts, engines first.
             */
            requests?: number | null;
            /** @description Server whose counters were read: vllm, triton …; NULL without counters. */
            server?: string | null;
            /** @description Inference deployment; for serving workloads of another class, their root owner. */
            service?: string | null;
            /** @description Split between input and output: by seconds of prefill and decode (measured), by tokens with the policy's output_weight (weighted), by that weight alone (stated). Lists all that occur, separated by blanks. */
            split_basis?: string | null;
            /** @description Stage: training, fine_tuning, evaluation, inference … */
            stage?: string | null;
            /** @description Starting: pulling, loading, crashing; the cost of scaling from zero (cause `overhead`). */
            startup_cost?: string | null;
            /**
             * @description How settled the money is: the least settled of the rows with a cost or still awaiting a bill.
             * @enum {string|null}
             */
            state?: "provisional" | "open" | "final" | null;
            /** @description Team, or `unowned`. */
            team?: string | null;
            /** @description Tenant that was served, if a mapping of counters names one. */
            tenant?: string | null;
            /** @description The same per second of active GPU. */
            tokens_per_active_gpu_second?: string | null;
            /** @description Prompt and generated tokens per second of held GPU, if tokens are counted. */
            tokens_per_gpu_second?: string | null;
            /** @description Mean time to the first token. */
            ttft_mean?: string | null;
            /** @description Half of the requests had their first token within this time. Interpolated within the servers' buckets: as fine as those are. */
            ttft_p50?: string | null;
            /** @description P95 of the time to the first token. Interpolated within the servers' buckets: as fine as those are. */
            ttft_p95?: string | null;
            /** @description P99 of the time to the first token. Interpolated within the servers' buckets: as fine as those are. */
            ttft_p99?: string | null;
            /** @description Held while activity was not observed (cause `unobserved`). */
            unobserved_cost?: string | null;
            /** @description Held and used (cause `used`). */
            used_cost?: string | null;
            /** @description GPU-hours with cause `used`. */
            used_gpu_hours?: string | null;
            /** @description Active over held GPU-hours. */
            utilisation?: string | null;
            /** @description run, service, interactive or system. */
            workload_class?: string | null;
            /** @description Kind of the root owner. */
            workload_kind?: string | null;
            /** @description Zone of the node, else of the charge. */
            zone?: string | null;
        };
        inference_page: {
            data: components["schemas"]["inference"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description One spot machine that was taken away, and one attempt that this ended; without a run if it ended none; one row per currency of the lost cost. With group_by, one row per group, with only the properties that apply to a group. */
        interruptions: {
            /**
             * Format: date-time
             * @description When the machine ended.
             */
            at?: string | null;
            /**
             * Format: int64
             * @description Number of the attempt.
             */
            attempt?: number | null;
            /** @description Cluster. */
            cluster?: string | null;
            /** @description ISO 4217 code; amounts of two currencies are never added. NULL if no cost is known. */
            currency?: string | null;
            /** @description Instance type. */
            instance_type?: string | null;
            /**
             * Format: int64
             * @description Machines that were taken away.
             */
            interruptions?: number | null;
            /** @description Kind of the run. */
            kind?: string | null;
            /** @description Effective cost with cause `lost` of the attempt, and with cause `overhead` of the one after it; at the first machine of an attempt that lost several. */
            lost_cost?: string | null;
            /** @description Machine. */
            node?: string | null;
            /** @description Mean recovery. */
            recovery_mean_seconds?: string | null;
            /**
             * Format: int64
             * @description From the end of the attempt until a later one first used what it held; NULL if there is no such attempt, and for an attempt's further machines.
             */
            recovery_seconds?: number | null;
            /** @description Region. */
            region?: string | null;
            /** @description Run whose attempt ended; NULL if no attempt ended. */
            run_id?: string | null;
            /** @description Task; NULL for gangs. */
            task?: string | null;
            /** @description Team of the run, else of the machine. */
            team?: string | null;
            /** @description Σ lost_cost. */
            total_lost_cost?: string | null;
            /**
             * Format: date-time
             * @description Last warning before that.
             */
            warned_at?: string | null;
            /** @description Zone. */
            zone?: string | null;
        };
        interruptions_page: {
            data: components["schemas"]["interruptions"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description One line of a journal entry: the billed cost of a month, charged to cost centres and owed to the provider. In each currency, the debits of an entry are its credits. */
        journal: {
            /** @description Account, named by journal_accounts of the policy, else by default. */
            account: string | null;
            /** @description Payer account of the bill. */
            billing_account: string | null;
            /** @description Billing month. */
            billing_period: string | null;
            /** @description Cost centre of the owner, or `unowned`; NULL on the line of the debt to the provider. */
            cost_center: string | null;
            /** @description Amount on the right side, above 0; NULL on a line that debits. */
            credit: string | null;
            /** @description ISO 4217 code; amounts of two currencies are never added. NULL if no cost is known. */
            currency: string | null;
            /** @description Amount on the left side, above 0; NULL on a line that credits. */
            debit: string | null;
            /** @description ACCOUNT/MONTH of the bill; with /adjustments, late corrections of months closed before. */
            entry: string | null;
            /**
             * Format: int64
             * @description Number within the entry, from 1.
             */
            line: number | null;
            /** @description ACCOUNT/MONTH/VERSION of the closed statement; NULL while the month is open, so the entry may still change. */
            statement: string | null;
        };
        journal_page: {
            data: components["schemas"]["journal"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description Layouts of MIG cards over time, with their use and cost: a row per card, machine, layout and currency. With group_by, one row per group, with only the properties that apply to a group. */
        layouts: {
            /** @description Sub-account (FOCUS SubAccountId); without a bill, of the node. */
            account?: string | null;
            /** @description ∫ activity ratio × slice weight × hold share. A useful GPU-hour is an active one. Minutes without a sample add nothing. */
            active_gpu_hours?: string | null;
            /** @description Invoiced cost (FOCUS BilledCost). */
            billed_cost?: string | null;
            /** @description Business unit of the owner. */
            business_unit?: string | null;
            /** @description Time of the card, in the window. Of the UTC days that begin in the window. */
            card_hours?: string | null;
            /** @description Why the money was spent. */
            cause?: string | null;
            /** @description Cluster. */
            cluster?: string | null;
            /** @description Negotiated price before commitments (FOCUS ContractedCost). */
            contracted_cost?: string | null;
            /** @description Cost centre of the owner. */
            cost_center?: string | null;
            /** @description ISO 4217 code; amounts of two currencies are never added. NULL if no cost is known. */
            currency?: string | null;
            /** @description Dataset of the owner. */
            dataset?: string | null;
            /** @description Share of the card's compute slices that no further profile could take. In groups weighted by time. */
            dead_compute?: string | null;
            /** @description Share of the card's memory slices that no further profile could take. In groups weighted by time. */
            dead_memory?: string | null;
            /** @description GPU UUID. */
            device?: string | null;
            /** @description UUID of the card. */
            device_uuid?: string | null;
            /** @description Amortised cost (FOCUS EffectiveCost). */
            effective_cost?: string | null;
            /** @description Environment of the owner. */
            environment?: string | null;
            /** @description Experiment of the owner. */
            experiment?: string | null;
            /** @description 1 − compute slices of the largest profile that could still be placed ÷ compute slices in no instance; 0 when there are none. In groups weighted by time. */
            fragmentation_index?: string | null;
            /** @description Effective cost with cause `free`. */
            free_cost?: string | null;
            /** @description Physical-GPU equivalents held: a 1/7 slice held for one hour is 1/7. Only compute lines carry quantities; a selection of other lines alone shows NULL. */
            gpu_hours?: string | null;
            /** @description GPU model of its machine. */
            gpu_model?: string | null;
            /** @description Effective cost with cause `held_idle`. */
            held_idle_cost?: string | null;
            /** @description Instance type of the node, else of the charge. */
            instance_type?: string | null;
            /**
             * Format: int64
             * @description Number of instances.
             */
            instances?: number | null;
            /** @description Public on-demand price (FOCUS ListCost). NULL if the bill has none; never taken from a price book for billed hours. */
            list_cost?: string | null;
            /** @description MIG profile; NULL for a whole device. */
            mig_profile?: string | null;
            /** @description Model of the owner. */
            model?: string | null;
            /** @description Model version of the owner. */
            model_version?: string | null;
            /** @description Namespace of the workload. */
            namespace?: string | null;
            /** @description Machine. */
            node?: string | null;
            /** @description Held GPU-hours of slices ÷ hours of cards while they had instances. NULL for a card without instances. */
            packing_efficiency?: string | null;
            /** @description Share of the card outside its instances on which a profile could still be placed. */
            placeable_share?: string | null;
            /**
             * @description Whether the places of the instances on the card are known, or the best valid ones assumed; NULL without instances.
             * @enum {string|null}
             */
            placement?: "known" | "assumed" | null;
            /** @description Price class: on_demand, spot, savings_plan, reserved, owned; of the charge, else of the node. */
            pricing?: string | null;
            /** @description Priority of the owner. */
            priority?: string | null;
            /** @description Profiles of its instances; empty for a card without any. */
            profiles?: string | null;
            /** @description Project of the owner. */
            project?: string | null;
            /** @description Queue of the owner. */
            queue?: string | null;
            /** @description Region of the node, else of the charge. */
            region?: string | null;
            /**
             * Format: int64
             * @description Slot of the machine.
             */
            slot?: number | null;
            /** @description Stage: training, fine_tuning, evaluation, inference … */
            stage?: string | null;
            /**
             * @description How settled the money is: the least settled of the rows with a cost or still awaiting a bill.
             * @enum {string|null}
             */
            state?: "provisional" | "open" | "final" | null;
            /** @description Effective cost with cause `stranded`. */
            stranded_cost?: string | null;
            /** @description Share of the card outside its instances that no profile could use. */
            stranded_share?: string | null;
            /** @description Team, or `unowned`. */
            team?: string | null;
            /** @description GPU-hours with cause `used`. NULL where gpu_hours is NULL. */
            used_gpu_hours?: string | null;
            /** @description User of the owner. */
            user?: string | null;
            /**
             * Format: date-time
             * @description Start of this layout.
             */
            valid_from?: string | null;
            /**
             * Format: date-time
             * @description End of this layout; while it lasts, the end of the stored data.
             */
            valid_to?: string | null;
            /** @description run, service, interactive or system. */
            workload_class?: string | null;
            /** @description Zone of the node, else of the charge. */
            zone?: string | null;
        };
        layouts_page: {
            data: components["schemas"]["layouts"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description What labels that limit cost say: each amount of cost-budget-limit by experiment or project, and texts of it and of max-cost-per-run that limit nothing. */
        limit_labels: {
            /** @description The amount; NULL if the text is none. */
            amount: string | null;
            /** @description Name of the budget that it sets; NULL if it sets none. */
            budget: string | null;
            /** @description Cluster of the first workload that carries it. */
            cluster: string | null;
            /** @description Currency that the amount is read in; NULL before its cluster has a cost: it sets no budget until then. */
            currency: string | null;
            /**
             * Format: date-time
             * @description When the first of them appeared.
             */
            first_seen: string | null;
            /** @description What the budget is for: experiment or project. */
            key: string | null;
            /**
             * @description The label. A max-cost-per-run that limits its run is in dataset runs, as budget.
             * @enum {string|null}
             */
            label: "cost-budget-limit" | "max-cost-per-run" | null;
            /**
             * Format: date-time
             * @description Until when one of them was there.
             */
            last_seen: string | null;
            /** @description Amounts that other workloads of the same owner say for more than an hour at the same time. */
            others: string | null;
            /** @description Budget of a person for the same owner's life, which counts instead. */
            replaced_by: string | null;
            /**
             * @description newest: that of the newest workload of its owner; earlier: a later one took its place; no amount: not a plain decimal above 0; no owner: no experiment and no project.
             * @enum {string|null}
             */
            standing: "newest" | "earlier" | "no amount" | "no owner" | null;
            /** @description The label's text, as written. */
            text: string | null;
            /** @description Its name. */
            value: string | null;
            /**
             * Format: int64
             * @description Number of the budget's version, from 1; 0 if it sets none.
             */
            version: number | null;
            /** @description Namespace and name of that workload, run or machine. */
            workload: string | null;
            /**
             * Format: int64
             * @description Root owners, runs and machines that carry it.
             */
            workloads: number | null;
        };
        limit_labels_page: {
            data: components["schemas"]["limit_labels"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description Calls through LLM gateways, by hour, day, week or month, and by model, team, key and user. */
        llm_usage: {
            /**
             * Format: int64
             * @description Calls answered from the gateway's cache.
             */
            cache_hits: number | null;
            /**
             * Format: int64
             * @description Tokens in that the provider had cached; NULL if no call reports them.
             */
            cached_tokens: number | null;
            /**
             * Format: int64
             * @description Tokens out; NULL if no call reports them.
             */
            completion_tokens: number | null;
            /** @description Currency of gateway_list_spend. */
            currency: string | null;
            /**
             * Format: int64
             * @description Failed calls.
             */
            failed: number | null;
            /** @description Spend that the gateway computed from its list prices; NULL if no call reports it. The gateway's own arithmetic: never cost, never added to cost. */
            gateway_list_spend: string | null;
            /** @description Alias of the gateway's key; never the key. */
            key_alias: string | null;
            /** @description Model as served. */
            model: string | null;
            /** @description Model as asked for. */
            model_group: string | null;
            /**
             * Format: date-time
             * @description Start of the hour, day, week or month.
             */
            period_start: string | null;
            /**
             * Format: int64
             * @description Tokens in; NULL if no call reports them.
             */
            prompt_tokens: number | null;
            /** @description Provider that served them. */
            provider: string | null;
            /**
             * Format: int64
             * @description Calls.
             */
            requests: number | null;
            /**
             * Format: int64
             * @description Calls without reported spend; gateway_list_spend leaves them out.
             */
            requests_without_spend: number | null;
            /**
             * Format: int64
             * @description Calls that report neither tokens in nor out; the sums of tokens leave them out.
             */
            requests_without_tokens: number | null;
            /** @description Gateway: litellm … */
            source: string | null;
            /** @description Team of the gateway's key. */
            team: string | null;
            /** @description Keyed hash of the user; NULL when there is none. */
            user: string | null;
        };
        llm_usage_page: {
            data: components["schemas"]["llm_usage"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description One version of a mapping: owner rules, allowed values and mapped values with their own name, outside the versions of the policy. */
        mappings: {
            /**
             * Format: date-time
             * @description When it was stored.
             */
            changed_at: string | null;
            /** @description Who stored it. */
            changed_by: string | null;
            /** @description As written. */
            document: string | null;
            /** @description Name of the mapping. */
            name: string | null;
            /** @description Note in the document. */
            note: string | null;
            /** @description Why the version was stored. */
            reason: string | null;
            /**
             * @description In force (holds), or replaced by a later version of the same day.
             * @enum {string|null}
             */
            status: "holds" | "replaced" | null;
            /**
             * Format: date-time
             * @description Start of the UTC day from which it applies, until the next day of the name; NULL: always.
             */
            valid_from: string | null;
            /**
             * Format: int64
             * @description Version of the name and day, from 1.
             */
            version: number | null;
        };
        mappings_page: {
            data: components["schemas"]["mappings"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description Cost of a model over its life, by phase, and the requests and tokens it served: all cost inside the window whose owner has the model, and the cost of its answers, whichever owner has the service; one row per currency. Cost without a model is in costs grouped by model. With group_by, one row per group, with only the properties that apply to a group. */
        models: {
            /** @description Useful GPU-hours. */
            active_gpu_hours?: string | null;
            /** @description Basis cost of services by the model that answered, as in inference; if no owner has that model, by the service owner's model. */
            answered_cost?: string | null;
            /** @description Invoiced cost (FOCUS BilledCost). */
            billed_cost?: string | null;
            /** @description Business unit of the owner. */
            business_unit?: string | null;
            /**
             * Format: int64
             * @description Of those, completed.
             */
            completed_runs?: number | null;
            /** @description Negotiated price before commitments (FOCUS ContractedCost). */
            contracted_cost?: string | null;
            /** @description Cost centre of the owner. */
            cost_center?: string | null;
            /** @description ISO 4217 code; amounts of two currencies are never added. NULL if no cost is known. */
            currency?: string | null;
            /** @description Dataset of the owner. */
            dataset?: string | null;
            /** @description Amortised cost (FOCUS EffectiveCost). */
            effective_cost?: string | null;
            /** @description Environment of the owner. */
            environment?: string | null;
            /** @description Basis cost of its evaluation runs. */
            evaluation_cost?: string | null;
            /** @description Experiment of the owner. */
            experiment?: string | null;
            /** @description Basis cost of its fine-tuning runs. */
            fine_tuning_cost?: string | null;
            /**
             * Format: date-time
             * @description First service hour.
             */
            first_hour?: string | null;
            /**
             * Format: int64
             * @description Tokens generated.
             */
            generation_tokens?: number | null;
            /** @description GPU-hours held. */
            gpu_hours?: string | null;
            /**
             * Format: date-time
             * @description Last service hour.
             */
            last_hour?: string | null;
            /** @description Basis cost of its whole life: with answered_cost in place of serving_cost. */
            life_cost?: string | null;
            /** @description life_cost, training included, per thousand requests so far. */
            life_cost_per_1k_requests?: string | null;
            /** @description Public on-demand price (FOCUS ListCost). */
            list_cost?: string | null;
            /** @description Model of the owner; for answers of services, the model that answered, if an owner has it. */
            model?: string | null;
            /** @description Model version of the owner. */
            model_version?: string | null;
            /** @description Basis cost of the rest: batch runs, notebooks, unheld time of the model's own machines. */
            other_cost?: string | null;
            /** @description Priority of the owner. */
            priority?: string | null;
            /** @description Project of the owner. */
            project?: string | null;
            /**
             * Format: int64
             * @description Tokens of prompts, cached ones included.
             */
            prompt_tokens?: number | null;
            /** @description Queue of the owner. */
            queue?: string | null;
            /**
             * Format: int64
             * @description Requests that its services answered; NULL if not counted.
             */
            requests?: number | null;
            /**
             * Format: int64
             * @description Runs.
             */
            runs?: number | null;
            /** @description Inference deployment. */
            service?: string | null;
            /** @description Basis cost of services whose owner has the model. A service labelled with one model may serve another: answered_cost is by the model that answered. */
            serving_cost?: string | null;
            /** @description answered_cost per thousand requests. */
            serving_cost_per_1k_requests?: string | null;
            /** @description Stage: training, fine_tuning, evaluation, inference … */
            stage?: string | null;
            /**
             * @description How settled the money is: the least settled of the rows with a cost or still awaiting a bill.
             * @enum {string|null}
             */
            state?: "provisional" | "open" | "final" | null;
            /** @description Team, or `unowned`. */
            team?: string | null;
            /** @description Basis cost of its training runs. */
            training_cost?: string | null;
            /**
             * Format: int64
             * @description Of those, training and fine-tuning.
             */
            training_runs?: number | null;
            /** @description User of the owner. */
            user?: string | null;
        };
        models_page: {
            data: components["schemas"]["models"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description How much of the spend has an owner, per owner key, and how sure it is; one row per key and currency. All keys cover the same spend: do not add keys up. With group_by, one row per group, with only the properties that apply to a group. */
        owner_coverage: {
            /** @description Effective cost of quality assumed. */
            assumed_cost?: string | null;
            /** @description Billing month of the invoice; NULL while provisional. */
            billing_period?: string | null;
            /** @description Business unit of the owner. */
            business_unit?: string | null;
            /** @description Why the money was spent. */
            cause?: string | null;
            /** @description Cluster of the node. */
            cluster?: string | null;
            /** @description Cost centre of the owner. */
            cost_center?: string | null;
            /** @description ISO 4217 code; amounts of two currencies are never added. NULL if no cost is known. */
            currency?: string | null;
            /** @description Dataset of the owner. */
            dataset?: string | null;
            /** @description All effective cost, before sharing. */
            effective_cost?: string | null;
            /** @description Environment of the owner. */
            environment?: string | null;
            /** @description Effective cost of quality estimated. */
            estimated_cost?: string | null;
            /** @description Experiment of the owner. */
            experiment?: string | null;
            /** @description Instance type of the node, else of the charge. */
            instance_type?: string | null;
            /**
             * @description Owner key.
             * @enum {string|null}
             */
            key?: "business_unit" | "team" | "project" | "model" | "model_version" | "stage" | "environment" | "cost_center" | "experiment" | "dataset" | "user" | "priority" | "queue" | null;
            /** @description Effective cost of quality measured. */
            measured_cost?: string | null;
            /** @description Measured ÷ all. */
            measured_share?: string | null;
            /** @description Model of the owner. */
            model?: string | null;
            /** @description Model version of the owner. */
            model_version?: string | null;
            /** @description Of that, with a value of the key; team `unowned` does not count as one. */
            owned_cost?: string | null;
            /** @description Owned ÷ all. */
            owned_share?: string | null;
            /** @description Priority of the owner. */
            priority?: string | null;
            /** @description Project of the owner. */
            project?: string | null;
            /** @description measured, estimated or assumed. */
            quality?: string | null;
            /** @description Queue of the owner. */
            queue?: string | null;
            /** @description Region of the node, else of the charge. */
            region?: string | null;
            /** @description Stage: training, fine_tuning, evaluation, inference … */
            stage?: string | null;
            /**
             * @description How settled the money is: the least settled of the rows with a cost or still awaiting a bill.
             * @enum {string|null}
             */
            state?: "provisional" | "open" | "final" | null;
            /** @description Team, or `unowned`. */
            team?: string | null;
            /** @description Of that, without a value of the key. */
            unowned_cost?: string | null;
            /** @description User of the owner. */
            user?: string | null;
            /** @description Zone of the node, else of the charge. */
            zone?: string | null;
        };
        owner_coverage_page: {
            data: components["schemas"]["owner_coverage"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description How well the GPUs of a model in a cluster are packed, and the fewest cards in MIG mode that would have been enough: a row per cluster, GPU model and currency. With group_by, one row per group, with only the properties that apply to a group. */
        packing: {
            /** @description Invoiced cost (FOCUS BilledCost). */
            billed_cost?: string | null;
            /**
             * Format: int64
             * @description Cards that had instances, summed over days.
             */
            card_days?: number | null;
            /** @description Time of cards while they had instances. */
            card_hours?: string | null;
            /**
             * Format: int64
             * @description Cards that had MIG instances.
             */
            cards?: number | null;
            /** @description Cluster. */
            cluster?: string | null;
            /** @description Negotiated price before commitments (FOCUS ContractedCost). */
            contracted_cost?: string | null;
            /** @description ISO 4217 code; amounts of two currencies are never added. NULL if no cost is known. */
            currency?: string | null;
            /** @description Share of compute slices that no further profile could take, weighted by time. */
            dead_compute?: string | null;
            /** @description Share of memory slices that no further profile could take, weighted by time. */
            dead_memory?: string | null;
            /** @description Amortised cost (FOCUS EffectiveCost). */
            effective_cost?: string | null;
            /**
             * @description Whether fewer cards are proven impossible on every day; no: the search ended at its bound.
             * @enum {string|null}
             */
            exact?: "yes" | "no" | null;
            /**
             * Format: int64
             * @description The fewest cards of each day, summed over days.
             */
            fewest_card_days?: number | null;
            /**
             * Format: int64
             * @description The fewest cards for the slices of each profile that were held at once, on the day that needs most. Each day on its own, under valid placements: cards are repartitioned between days if that helps, but not within a day.
             */
            fewest_cards?: number | null;
            /** @description Share of free GPU parts that a task like those of the day could not use where they are (FGD), at full hours. Covers all GPUs of the model, in MIG mode or not. CPU and memory count as enough. NULL if nothing was free. */
            fgd_rate?: string | null;
            /** @description 1 − compute slices of the largest profile that could still be placed ÷ compute slices in no instance, weighted by time. */
            fragmentation_index?: string | null;
            /** @description GPU-hours held of their instances. */
            gpu_hours?: string | null;
            /** @description GPU model of its machines. */
            gpu_model?: string | null;
            /** @description Public on-demand price (FOCUS ListCost). NULL if the bill has none; never taken from a price book for billed hours. */
            list_cost?: string | null;
            /** @description Held GPU-hours of slices ÷ hours of cards while they had instances. */
            packing_efficiency?: string | null;
            /**
             * Format: date-time
             * @description Start of the period: of the bucket, else of the window, else of all stored time. Of the UTC days that begin in the window.
             */
            period_start?: string | null;
            /** @description Cost of the cards beyond the fewest: cost of the cards × share of them that is not needed, day by day. Releasing them saves this only if demand is known beforehand and machines end with their cards: it is not a promise. */
            saving?: string | null;
            /**
             * @description How settled the money is: the least settled of the rows with a cost or still awaiting a bill.
             * @enum {string|null}
             */
            state?: "provisional" | "open" | "final" | null;
            /** @description Effective cost of capacity that no profile could use. */
            stranded_cost?: string | null;
            /** @description GPU-hours that no profile could use. */
            stranded_gpu_hours?: string | null;
        };
        packing_page: {
            data: components["schemas"]["packing"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description One billing month of a billing account: whether it is closed, its costs, and adjustments since. */
        periods: {
            /** @description Billed cost that later periods post of its charges; NULL: none. */
            adjustments_billed_cost: string | null;
            /** @description Effective cost that later periods post of its charges; NULL: none. */
            adjustments_effective_cost: string | null;
            /** @description Invoiced cost (FOCUS BilledCost). */
            billed_cost: string | null;
            /** @description Payer account of the bills. */
            billing_account: string | null;
            /** @description Billing month. */
            billing_period: string | null;
            /**
             * Format: date-time
             * @description When that statement was written.
             */
            closed_at: string | null;
            /** @description Who closed. */
            closed_by: string | null;
            /** @description Negotiated price before commitments (FOCUS ContractedCost). */
            contracted_cost: string | null;
            /** @description Currency (ISO 4217) of the costs. */
            currency: string | null;
            /** @description SHA-256 of that statement, hexadecimal. */
            digest: string | null;
            /** @description Amortised cost (FOCUS EffectiveCost). */
            effective_cost: string | null;
            /**
             * Format: int64
             * @description Node-hours of the period whose telemetry came after the close and would change them.
             */
            late_hours: number | null;
            /** @description Public on-demand price (FOCUS ListCost). NULL if the bill has none; never taken from a price book for billed hours. */
            list_cost: string | null;
            /**
             * Format: date-time
             * @description When that statement was reopened; NULL: not reopened, or no statement.
             */
            reopened_at: string | null;
            /**
             * @description open, closing or closed.
             * @enum {string|null}
             */
            state: "open" | "closing" | "closed" | null;
            /**
             * Format: int64
             * @description Version of the newest statement, also of a reopened period; NULL: never closed.
             */
            version: number | null;
        };
        periods_page: {
            data: components["schemas"]["periods"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description One version of the policy: the settings of the rules, owner rules, and who pays for unheld time. The standard policy applies before the first version. */
        policies: {
            /**
             * Format: date-time
             * @description When it was stored; NULL for the standard.
             */
            created_at: string | null;
            /** @description Who stored it. */
            created_by: string | null;
            /** @description As written; NULL for the standard. */
            document: string | null;
            /** @description Why it was written. */
            note: string | null;
            /**
             * @description In force (holds) or withdrawn.
             * @enum {string|null}
             */
            status: "holds" | "withdrawn" | null;
            /**
             * Format: date-time
             * @description Start of the UTC day from which it applies; NULL: always.
             */
            valid_from: string | null;
            /**
             * Format: date-time
             * @description When the next version takes over; NULL: there is no later version.
             */
            valid_to: string | null;
            /** @description Name; postings carry it as policy_version. */
            version: string | null;
            /**
             * Format: date-time
             * @description When it was withdrawn.
             */
            withdrawn_at: string | null;
        };
        policies_page: {
            data: components["schemas"]["policies"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description Money: one part of one charge, for one service hour, one owner, one cause. After sharing also the amounts passed on and received, by day. */
        postings: {
            /** @description Useful GPU-hours that the row carries. */
            active_gpu_hours: string | null;
            /**
             * @description Activity by telemetry; NULL if no device is involved.
             * @enum {string|null}
             */
            activity: "active" | "idle" | "unknown" | null;
            /** @description Posting that an adjustment corrects. */
            adjusts: string | null;
            /** @description Attempt of the holder. */
            attempt_id: string | null;
            /** @description Invoiced cost (FOCUS BilledCost). */
            billed_cost: string | null;
            /** @description Billing month of the invoice; NULL while provisional. */
            billing_period: string | null;
            /** @description Business unit of the owner. */
            business_unit: string | null;
            /** @description GPU-hours, held or not, that the row carries. */
            capacity_gpu_hours: string | null;
            /**
             * @description Why it was spent.
             * @enum {string|null}
             */
            cause: "used" | "overhead" | "held_idle" | "lost" | "free" | "stranded" | "unavailable" | "unobserved" | "commitment_unused" | "commitment_fee" | "host" | "shared" | "metered" | "non_gpu" | null;
            /** @description Charge it posts; NULL for provisional cost, which has a rate_id, and for shared amounts. */
            charge_id: string | null;
            /** @description Cluster of the node. */
            cluster: string | null;
            /** @description Negotiated price before commitments (FOCUS ContractedCost). */
            contracted_cost: string | null;
            /** @description Cost centre of the owner. */
            cost_center: string | null;
            /** @description ISO 4217 code; amounts of two currencies are never added. NULL if no cost is known. */
            currency: string | null;
            /** @description Dataset of the owner. */
            dataset: string | null;
            /** @description GPU UUID. */
            device: string | null;
            /** @description Amortised cost (FOCUS EffectiveCost). */
            effective_cost: string | null;
            /** @description Board energy that the row carries; NULL if not measured. */
            energy_kwh: string | null;
            /** @description Environment of the owner. */
            environment: string | null;
            /** @description Experiment of the owner. */
            experiment: string | null;
            /** @description Held GPU-hours that the row carries. */
            gpu_hours: string | null;
            /**
             * Format: date-time
             * @description Service hour; start of the UTC day for shared amounts.
             */
            hour: string | null;
            /**
             * @description How the posting was made.
             * @enum {string|null}
             */
            kind: "direct" | "shared_in" | "shared_out" | "amortise" | "adjustment" | null;
            /** @description Public on-demand price (FOCUS ListCost). NULL if the bill has none; never taken from a price book for billed hours. */
            list_cost: string | null;
            /** @description How the receiver was found; for shared amounts, the method of sharing. */
            method: string | null;
            /** @description MIG profile; NULL for a whole device. */
            mig_profile: string | null;
            /** @description Model of the owner. */
            model: string | null;
            /** @description Model version of the owner. */
            model_version: string | null;
            /** @description Namespace of the holder. */
            namespace: string | null;
            /** @description Node. */
            node: string | null;
            /**
             * Format: int64
             * @description Number of the part within its charge; NULL for shared amounts.
             */
            part: number | null;
            /** @description Pod that held. */
            pod: string | null;
            /** @description Policy it was computed with. */
            policy_version: string | null;
            /** @description Posting. */
            posting_id: string | null;
            /** @description Priority of the owner. */
            priority: string | null;
            /** @description Project of the owner. */
            project: string | null;
            /**
             * @description How sure the posting is; NULL for shared amounts.
             * @enum {string|null}
             */
            quality: "measured" | "estimated" | "assumed" | null;
            /** @description Queue of the owner. */
            queue: string | null;
            /** @description Rate that priced it while there is no bill. */
            rate_id: string | null;
            /** @description Run of the holder. */
            run_id: string | null;
            /**
             * Format: int64
             * @description MIG instance id; NULL for a whole device.
             */
            slice_id: number | null;
            /**
             * Format: int64
             * @description GPU slot of the node; NULL if no device is involved.
             */
            slot: number | null;
            /** @description Stage: training, fine_tuning, evaluation, inference … */
            stage: string | null;
            /**
             * @description How settled the money is: the least settled of the rows with a cost or still awaiting a bill.
             * @enum {string|null}
             */
            state: "provisional" | "open" | "final" | null;
            /** @description Team, or `unowned`. */
            team: string | null;
            /** @description Usage row it pays for; NULL for charges that no usage receives. */
            usage_id: string | null;
            /** @description User of the owner. */
            user: string | null;
        };
        postings_page: {
            data: components["schemas"]["postings"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description Cost that the provider's own split of its machines gives pods (AWS: split cost allocation), in runs and outside them, next to the ledger's cost of the same pods; whole lives, one row per currency. Evidence only, never added to the ledger's own allocation. With group_by, one row per group, with only the properties that apply to a group. */
        provider_splits: {
            /** @description Business unit of the owner. */
            business_unit?: string | null;
            /** @description Cluster. */
            cluster?: string | null;
            /** @description Cost centre of the owner. */
            cost_center?: string | null;
            /** @description ISO 4217 code; amounts of two currencies are never added. NULL if no cost is known. */
            currency?: string | null;
            /** @description Dataset of the owner. */
            dataset?: string | null;
            /** @description The ledger's cost of the same pods. NULL for pods that held no GPU. */
            effective_cost?: string | null;
            /** @description Environment of the owner. */
            environment?: string | null;
            /** @description Experiment of the owner. */
            experiment?: string | null;
            /** @description Model of the owner. */
            model?: string | null;
            /** @description Model version of the owner. */
            model_version?: string | null;
            /** @description Namespace. */
            namespace?: string | null;
            /**
             * Format: int64
             * @description Pods in the provider's split.
             */
            pods?: number | null;
            /** @description Priority of the owner. */
            priority?: string | null;
            /** @description Project of the owner. */
            project?: string | null;
            /** @description Both together. */
            provider_split_cost?: string | null;
            /** @description Queue of the owner. */
            queue?: string | null;
            /** @description Run; NULL for pods outside runs. */
            run?: string | null;
            /** @description Stage: training, fine_tuning, evaluation, inference … */
            stage?: string | null;
            /**
             * @description How settled the money is: the least settled of the rows with a cost or still awaiting a bill.
             * @enum {string|null}
             */
            state?: "provisional" | "open" | "final" | null;
            /** @description Team, or `unowned`. */
            team?: string | null;
            /** @description Their share of the unused cost, by the provider. */
            unused_cost?: string | null;
            /** @description Cost of their use, by the provider; NULL if it gives none. */
            used_cost?: string | null;
            /** @description User of the owner. */
            user?: string | null;
            /** @description Name of the pod's controller. */
            workload?: string | null;
            /**
             * @description Class of the workload.
             * @enum {string|null}
             */
            workload_class?: "run" | "service" | "interactive" | "system" | null;
            /** @description Kind of the pod's controller. */
            workload_kind?: string | null;
        };
        provider_splits_page: {
            data: components["schemas"]["provider_splits"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description How good provisional cost was: the last estimate before the first bill against the newest bill, for the same hours of the same machines, before sharing. No row before a bill. With group_by, one row per group, with only the properties that apply to a group. */
        provisional_accuracy: {
            /** @description Business unit of the owner. */
            business_unit?: string | null;
            /** @description Cluster of the node. */
            cluster?: string | null;
            /** @description Cost centre of the owner. */
            cost_center?: string | null;
            /** @description ISO 4217 code; amounts of two currencies are never added. NULL if no cost is known. */
            currency?: string | null;
            /** @description Dataset of the owner. */
            dataset?: string | null;
            /**
             * Format: date-time
             * @description UTC day of the service.
             */
            day?: string | null;
            /** @description Environment of the owner. */
            environment?: string | null;
            /** @description provisional − final: above 0, the estimate was too high. */
            error?: string | null;
            /** @description Experiment of the owner. */
            experiment?: string | null;
            /** @description Effective cost by the newest bill. */
            final?: string | null;
            /** @description Model of the owner. */
            model?: string | null;
            /** @description Model version of the owner. */
            model_version?: string | null;
            /** @description Priority of the owner. */
            priority?: string | null;
            /** @description Project of the owner. */
            project?: string | null;
            /** @description Provider of the bill; NULL if unknown. */
            provider?: string | null;
            /** @description Effective cost by the last estimate before the first bill. */
            provisional?: string | null;
            /** @description Queue of the owner. */
            queue?: string | null;
            /** @description error ÷ final; NULL if final is 0. */
            share?: string | null;
            /** @description Stage: training, fine_tuning, evaluation, inference … */
            stage?: string | null;
            /** @description Team, or `unowned`. */
            team?: string | null;
            /** @description User of the owner. */
            user?: string | null;
        };
        provisional_accuracy_page: {
            data: components["schemas"]["provisional_accuracy"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description Prices of hours without a bill: one row per cluster, machine type, price class and price. A bill or a price book replaces them. */
        provisional_prices: {
            /** @description GPU-hours of the machines in these hours. */
            capacity_gpu_hours: string | null;
            /** @description Cluster; NULL for machines outside one. */
            cluster: string | null;
            /** @description Cost ÷ GPU-hours. */
            cost_per_gpu_hour: string | null;
            /** @description ISO 4217 code; amounts of two currencies are never added. NULL if no cost is known. */
            currency: string | null;
            /** @description Cost of these hours at that price; NULL without a price. */
            effective_cost: string | null;
            /**
             * Format: date-time
             * @description The first such hour.
             */
            first_hour: string | null;
            /** @description Instance type; NULL if unknown. */
            instance_type: string | null;
            /**
             * Format: date-time
             * @description The last such hour.
             */
            last_hour: string | null;
            /** @description The price and its day; NULL without a price. */
            price: string | null;
            /** @description How the machine is bought; NULL if unknown. */
            price_class: string | null;
            /**
             * @description price_book: the price book; bill_rate: the bill's latest rate of that type, region and price class; public_price: the public list price, assumed; typical_price: the lowest of all public prices of that GPU model, assumed; prepaid: capacity that was paid upfront; uncharged: the bill covers the hour but has no line for it; may_be_billed: the machine's account is unknown, and a bill of the book may have the hour under another name; unknown: no price.
             * @enum {string|null}
             */
            price_source: "price_book" | "bill_rate" | "public_price" | "typical_price" | "prepaid" | "uncharged" | "may_be_billed" | "unknown" | null;
            /** @description Region; NULL if unknown. */
            region: string | null;
            /**
             * @description How settled the money is: the least settled of the rows with a cost or still awaiting a bill.
             * @enum {string|null}
             */
            state: "provisional" | "open" | "final" | null;
            /** @description Cost at that price of hours that may be billed; it is in no total. NULL for other hours. */
            would_cost: string | null;
        };
        provisional_prices_page: {
            data: components["schemas"]["provisional_prices"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description How long workloads that asked for GPUs waited for them: those created in the window, by cluster, queue, team, class and GPU model. Counts, GPU-hours and costs add up; percentiles are computed again over all waits of a group. With group_by, one row per group, with only the properties that apply to a group. */
        queue: {
            /** @description Business unit of the owner. */
            business_unit?: string | null;
            /** @description Cluster. */
            cluster?: string | null;
            /** @description Cost centre of the owner. */
            cost_center?: string | null;
            /** @description ISO 4217 code; amounts of two currencies are never added. NULL if no cost is known. */
            currency?: string | null;
            /** @description Environment of the owner. */
            environment?: string | null;
            /** @description Cost, while members of their gang were missing, of attempts that began in the window. Part of the cost of runs (cause `overhead`), not added to it. */
            gang_wait_cost?: string | null;
            /** @description GPU model of the machine it got; NULL for a workload that never held GPUs. */
            gpu_model?: string | null;
            /** @description Instance type of the node, else of the charge. */
            instance_type?: string | null;
            /** @description Model of the owner. */
            model?: string | null;
            /** @description Namespace of the workload. */
            namespace?: string | null;
            /**
             * Format: int64
             * @description Of the workloads, those that ended without ever holding GPUs.
             */
            never_started?: number | null;
            /** @description Wait × requested GPUs. */
            pending_gpu_hours?: string | null;
            /** @description Priority of the owner. */
            priority?: string | null;
            /** @description Project of the owner. */
            project?: string | null;
            /** @description Queue; NULL without. */
            queue?: string | null;
            /** @description Region of the node, else of the charge. */
            region?: string | null;
            /** @description Requested GPUs: whole ones, replicas by their share of a card, MIG instances by sevenths. */
            requested_gpus?: string | null;
            /** @description Run id. */
            run?: string | null;
            /** @description Stage: training, fine_tuning, evaluation, inference … */
            stage?: string | null;
            /**
             * Format: int64
             * @description Of the workloads, those that waited more than 24 hours.
             */
            starved?: number | null;
            /** @description Team; for a workload that never held GPUs, from its label, else `unowned`. */
            team?: string | null;
            /** @description User of the owner. */
            user?: string | null;
            /**
             * Format: int64
             * @description Longest wait.
             */
            wait_max_seconds?: number | null;
            /** @description Mean wait. */
            wait_mean_seconds?: string | null;
            /**
             * Format: int64
             * @description Median wait: creation to hold, by nearest rank. A workload that never held GPUs waits until its end, else until the end of the stored data.
             */
            wait_p50_seconds?: number | null;
            /**
             * Format: int64
             * @description 95th percentile of the wait.
             */
            wait_p95_seconds?: number | null;
            /**
             * Format: int64
             * @description 99th percentile of the wait.
             */
            wait_p99_seconds?: number | null;
            /**
             * Format: int64
             * @description All waits together.
             */
            wait_seconds?: number | null;
            /**
             * Format: int64
             * @description Of the workloads, those that still wait at the end of the stored data.
             */
            waiting?: number | null;
            /** @description Of those, the GPUs of workloads that still wait. */
            waiting_gpus?: string | null;
            /** @description run, service, interactive or system; NULL for a workload that never held GPUs. */
            workload_class?: string | null;
            /** @description Kind of the root owner. */
            workload_kind?: string | null;
            /**
             * Format: int64
             * @description Workloads that asked for GPUs, created in the window.
             */
            workloads?: number | null;
            /** @description Zone of the node, else of the charge. */
            zone?: string | null;
        };
        queue_page: {
            data: components["schemas"]["queue"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description Prices of price books: one row per machine type, region, price class, currency and time that it is valid for. */
        rates: {
            /** @description Currency of the price. */
            currency: string | null;
            /** @description Machine type. */
            instance_type: string | null;
            /** @description Price of one machine for one hour. */
            price: string | null;
            /** @description How the machine is bought. */
            price_class: string | null;
            /** @description Rate; postings name it as their method's source. */
            rate_id: string | null;
            /** @description Region; NULL: all regions. */
            region: string | null;
            /** @description File or name of the price book. */
            source: string | null;
            /**
             * Format: date-time
             * @description From when it is valid; NULL: always was.
             */
            valid_from: string | null;
            /**
             * Format: date-time
             * @description Until when, exclusive; NULL: no end.
             */
            valid_to: string | null;
        };
        rates_page: {
            data: components["schemas"]["rates"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description One recommendation of one kind for one subject and currency: its saving, its evidence, what people decided, and its realised saving. With group_by, one row per group, with only the properties that apply to a group. */
        recommendations: {
            /** @description Months of the term, with use as in the window, after which the machines on demand cost as much as the whole commitment. */
            break_even_months?: string | null;
            /** @description Business unit of the owner. */
            business_unit?: string | null;
            /** @description Cluster. */
            cluster?: string | null;
            /**
             * @description By days on which the subject was observed, however many devices: high from 14, medium from 3, low below; lower if something was estimated.
             * @enum {string|null}
             */
            confidence?: "high" | "medium" | "low" | null;
            /** @description Cost centre of the owner. */
            cost_center?: string | null;
            /** @description ISO 4217 code; amounts of two currencies are never added. NULL if no cost is known. */
            currency?: string | null;
            /**
             * Format: date-time
             * @description When.
             */
            decided_at?: string | null;
            /** @description Who decided. */
            decided_by?: string | null;
            /** @description Effective cost of the subject in the window, before sharing. */
            effective_cost?: string | null;
            /**
             * @description low: a setting; medium: a change to a workload; high: a change to the fleet.
             * @enum {string|null}
             */
            effort?: "low" | "medium" | "high" | null;
            /** @description Environment of the owner. */
            environment?: string | null;
            /** @description The numbers behind it, each with the value it was compared with. */
            evidence?: string | null;
            /**
             * Format: date-time
             * @description End of the evidence when it was first advised.
             */
            first_seen?: string | null;
            /** @description GPU model. */
            gpu_model?: string | null;
            /** @description Whether the newest evidence still supports it. */
            holds?: boolean | null;
            /**
             * @description Kind of commitment to buy.
             * @enum {string|null}
             */
            instrument?: "flexible_plan" | "reservation" | "committed_use" | null;
            /**
             * @description Kind of advice; the kinds are explained with the metrics.
             * @enum {string|null}
             */
            kind?: "stop_idle" | "smaller_slice" | "smaller_card" | "share_cards" | "move_to_spot" | "fewer_replicas" | "repartition" | "add_checkpoints" | "taint_nodes" | "commit" | "allow_retries" | "separate_work" | "select_model" | null;
            /**
             * Format: int64
             * @description Hours of the clock from when the subject first appeared in the window to the window's end; saving_per_month is scaled from these.
             */
            lifetime_hours?: number | null;
            /** @description Model of the owner. */
            model?: string | null;
            /** @description Namespace of the workload. */
            namespace?: string | null;
            /** @description Their note. */
            note?: string | null;
            /**
             * Format: int64
             * @description Hours of the clock in which the subject existed and was observed, however many GPUs it had: a workload held GPUs, a machine was up, a slice of cards was held.
             */
            observed_hours?: number | null;
            /** @description Of that, the part of recommendations that hold and are open or accepted; 0 if another one counts instead. Overlapping savings count once: of recommendations for the same time of the same holder (workload, machine type and price; idle time, surplus replicas, the rest), only the one that saves most counts. */
            open_saving_per_month?: string | null;
            /** @description The recommendation that counts instead because it saves more on the same time of the same holder. NULL if this one counts. */
            overlaps_with?: string | null;
            /** @description Project of the owner. */
            project?: string | null;
            /** @description What to do, in a sentence. */
            proposal?: string | null;
            /**
             * Format: int64
             * @description Number of machines to commit to.
             */
            quantity?: number | null;
            /**
             * Format: int64
             * @description Hours over which realised_saving was measured.
             */
            realised_hours?: number | null;
            /** @description Saving since a recommendation was done: cost per hour of the evidence minus that since then, times the hours since. May be negative. NULL until a whole day has passed, and for machines. Work that grew or ended on its own counts, too. */
            realised_saving?: string | null;
            /** @description Id by kind, subject and currency; stays the same while the numbers change. */
            recommendation_id?: string | null;
            /**
             * Format: int64
             * @description Recommendations.
             */
            recommendations?: number | null;
            /**
             * @description How much can go wrong.
             * @enum {string|null}
             */
            risk?: "low" | "medium" | "high" | null;
            /** @description Run, if the advice is about one. */
            run?: string | null;
            /** @description Part of the subject's cost in the window that would not have been spent. */
            saving?: string | null;
            /**
             * @description Source of the measured spot losses in a saving of `move_to_spot`: the team's own, else the fleet's; none if there are no losses measured (the saving is then NULL). NULL for other kinds.
             * @enum {string|null}
             */
            saving_basis?: "team" | "fleet" | "none" | null;
            /** @description Saving scaled to 730 hours. The window's saving × 730 ÷ lifetime_hours; NULL if fewer than 7 days of the fleet or 3 days of the subject were observed (column saving has the window's saving), 0 if a risk has cost nothing yet. A smaller size leaves out the saving of stopping. In groups: Overlapping savings count once: of recommendations for the same time of the same holder (workload, machine type and price; idle time, surplus replicas, the rest), only the one that saves most counts. */
            saving_per_month?: string | null;
            /** @description Stage: training, fine_tuning, evaluation, inference … */
            stage?: string | null;
            /**
             * @description How settled the money is: the least settled of the rows with a cost or still awaiting a bill.
             * @enum {string|null}
             */
            state?: "provisional" | "open" | "final" | null;
            /**
             * @description What people decided.
             * @enum {string|null}
             */
            status?: "open" | "accepted" | "dismissed" | "done" | null;
            /** @description Cost of the commitment for unheld hours, if every hour had a fifth less use; scaled to 730 hours. */
            stranded_if_less_per_month?: string | null;
            /** @description Subject of the advice: cluster/namespace/kind/name of a root workload, a run, a node; cluster/kind/model of cards; cluster/type/team of jobs; type/class of work of a commitment. */
            subject?: string | null;
            /** @description Team, or `unowned`. */
            team?: string | null;
            /**
             * Format: int64
             * @description Term of the commitment: the shortest that is sold.
             */
            term_months?: number | null;
            /**
             * Format: date-time
             * @description End of the evidence.
             */
            window_end?: string | null;
            /**
             * Format: date-time
             * @description Start of the evidence.
             */
            window_start?: string | null;
            /** @description Root owner of the workload, or the name of another subject. */
            workload?: string | null;
        };
        recommendations_page: {
            data: components["schemas"]["recommendations"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description Whether bills add up: one current delivery, account, billing period, currency and metric; the delivery's own total against the posted total. With group_by, one row per group, with only the properties that apply to a group. */
        reconciliation: {
            /** @description Sub-account. */
            account?: string | null;
            /** @description Payer account. */
            billing_account?: string | null;
            /** @description Billing month. */
            billing_period?: string | null;
            /**
             * Format: int64
             * @description Bill lines of this account, period and currency; aggregates count as the lines they stand for.
             */
            charges?: number | null;
            /** @description ISO 4217 code; amounts of two currencies are never added. NULL if no cost is known. */
            currency?: string | null;
            /** @description Delivery. */
            delivery_id?: string | null;
            /** @description source_total − posted_total; NULL for evidence. Not 0 means that something is not posted. */
            difference?: string | null;
            /** @description Total of the evidence − total of the book; NULL for the book, and without a book. */
            evidence_gap?: string | null;
            /** @description Total of the provider's invoice. Always NULL: no invoices are imported yet. */
            invoice_total?: string | null;
            /**
             * @description Cost metric that the export carries.
             * @enum {string|null}
             */
            metric?: "effective_cost" | "billed_cost" | "list_cost" | "contracted_cost" | null;
            /** @description Σ of the postings of the delivery's charges; NULL for evidence. */
            posted_total?: string | null;
            /** @description Cloud or source. */
            provider?: string | null;
            /**
             * @description book: posted; evidence: shown here only.
             * @enum {string|null}
             */
            role?: "book" | "evidence" | null;
            /** @description Import source of the delivery. */
            source?: string | null;
            /** @description Σ of the raw column text, from a separate pass over the files. */
            source_total?: string | null;
            /**
             * @description Least settled of the postings; open if nothing is posted yet.
             * @enum {string|null}
             */
            state?: "open" | "final" | null;
            /**
             * Format: int64
             * @description Of those, lines whose first part is not posted; NULL for evidence. A provider's own split of another line is never posted and does not count.
             */
            unposted_charges?: number | null;
        };
        reconciliation_page: {
            data: components["schemas"]["reconciliation"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description One rejected row, or refused file or delivery, of an import, with its place and what to do about it: the first thousand of each import. import_counts counts all. */
        rejections: {
            /** @description Column; NULL when the row as a whole is refused. */
            column: string | null;
            /** @description What was found and what to do about it. */
            detail: string | null;
            /** @description File. */
            file: string | null;
            /** @description Import. */
            import_id: string | null;
            /**
             * Format: int64
             * @description Line in the file, 1-based; row number in Parquet; NULL for a file as a whole.
             */
            line: number | null;
            /**
             * Format: int64
             * @description Number within the import, from 1.
             */
            ordinal: number | null;
            /** @description Reason, as import_counts counts it. */
            reason: string | null;
            /** @description Import source. */
            source: string | null;
        };
        rejections_page: {
            data: components["schemas"]["rejections"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description CPU and memory requests of GPU pods against their use in the newest four weeks, by root owner: requests that are too large leave GPUs that no pod can hold. From cAdvisor's series of containers. With group_by, one row per group, with only the properties that apply to a group. */
        requests: {
            /** @description Business unit of the owner. */
            business_unit?: string | null;
            /** @description Cluster. */
            cluster?: string | null;
            /** @description Cost centre of the owner. */
            cost_center?: string | null;
            /** @description 95th percentile of a pod's CPU use, all containers together. From sketches: within 0.8 %. CPU is the mean between two samples. */
            cpu_p95?: string | null;
            /** @description 99th percentile of the CPU use. */
            cpu_p99?: string | null;
            /** @description Request of each pod; NULL without a request. */
            cpu_requested?: string | null;
            /** @description (Requested − suggested) × pods; negative: the request is too small. */
            cpu_saving?: string | null;
            /** @description P99 + 20 %, rounded up to a thousandth; NULL under 14 days. */
            cpu_suggested?: string | null;
            /** @description Dataset of the owner. */
            dataset?: string | null;
            /**
             * Format: int64
             * @description Days with samples.
             */
            days?: number | null;
            /** @description Whether there are 14 days with samples or more. With fewer, nothing is suggested. */
            enough_data?: boolean | null;
            /** @description Environment of the owner. */
            environment?: string | null;
            /** @description Experiment of the owner. */
            experiment?: string | null;
            /** @description 95th percentile of the working set of a pod. */
            memory_p95_gib?: string | null;
            /** @description 99th percentile of the working set. */
            memory_p99_gib?: string | null;
            /** @description Request of each pod. */
            memory_requested_gib?: string | null;
            /** @description (Requested − suggested) × pods. */
            memory_saving_gib?: string | null;
            /** @description P99 + 20 %, rounded up to a MiB; NULL under 14 days. */
            memory_suggested_gib?: string | null;
            /** @description Model of the owner. */
            model?: string | null;
            /** @description Model version of the owner. */
            model_version?: string | null;
            /** @description Namespace. */
            namespace?: string | null;
            /**
             * Format: int64
             * @description Pods at the newest instant at which any held GPUs.
             */
            pods?: number | null;
            /** @description Priority of the owner. */
            priority?: string | null;
            /** @description Project of the owner. */
            project?: string | null;
            /** @description Queue of the owner. */
            queue?: string | null;
            /** @description Stage: training, fine_tuning, evaluation, inference … */
            stage?: string | null;
            /** @description Team of the owner. */
            team?: string | null;
            /** @description User of the owner. */
            user?: string | null;
            /** @description Name of the root owner. */
            workload?: string | null;
            /** @description Kind of the root owner. */
            workload_kind?: string | null;
        };
        requests_page: {
            data: components["schemas"]["requests"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description Changes that a delivery made when it replaced another: one service of one account, billing period and currency. Cost is new minus old. */
        restatements: {
            /** @description Sub-account. */
            account: string | null;
            /**
             * Format: int64
             * @description Lines that the old delivery did not have.
             */
            added: number | null;
            /** @description Invoiced cost (FOCUS BilledCost). */
            billed_cost: string | null;
            /** @description Billing month. */
            billing_period: string | null;
            /**
             * Format: int64
             * @description Lines of the same line-item type, account, resource, usage type and charge period with other content.
             */
            changed: number | null;
            /** @description Negotiated price before commitments (FOCUS ContractedCost). */
            contracted_cost: string | null;
            /** @description ISO 4217 code; amounts of two currencies are never added. NULL if no cost is known. */
            currency: string | null;
            /** @description Delivery that replaced another. */
            delivery_id: string | null;
            /**
             * @description Whether the delivery was replaced since.
             * @enum {string|null}
             */
            delivery_state: "current" | "superseded" | "older" | null;
            /** @description Amortised cost (FOCUS EffectiveCost). */
            effective_cost: string | null;
            /** @description Export of both. */
            export: string | null;
            /** @description Public on-demand price (FOCUS ListCost). NULL if the bill has none; never taken from a price book for billed hours. */
            list_cost: string | null;
            /** @description Partition of both: the billing month, or the day of export. */
            partition: string | null;
            /**
             * Format: int64
             * @description Lines that the new delivery does not have.
             */
            removed: number | null;
            /** @description Delivery that it replaced. */
            replaced: string | null;
            /**
             * Format: date-time
             * @description When it was published.
             */
            restated_at: string | null;
            /** @description Provider's service; NULL when it names none. */
            service_name: string | null;
            /** @description Import source of both. */
            source: string | null;
            /**
             * @description final when the billing period is closed for an account of it, else open.
             * @enum {string|null}
             */
            state: "open" | "final" | null;
        };
        restatements_page: {
            data: components["schemas"]["restatements"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description One training, fine-tuning, evaluation or batch run over its whole life and all its attempts, for the runs that overlap the window; one row per currency. With group_by, one row per group, with only the properties that apply to a group. */
        runs: {
            /** @description ∫ activity ratio × slice weight × hold share. A useful GPU-hour is an active one. Minutes without a sample add nothing. */
            active_gpu_hours?: string | null;
            /** @description Activity of held cards: the median of the minutes in which each card or slice was held. Over its whole life; a run with cost in two currencies has it in the rows of each. Minutes of unknown activity do not count; NULL without a minute of known activity. By nearest rank from counts in bins: within 0.8 % of the value. */
            activity_p50?: string | null;
            /** @description Activity of held cards: the 95th percentile of the minutes in which each card or slice was held. Over its whole life; a run with cost in two currencies has it in the rows of each. Minutes of unknown activity do not count; NULL without a minute of known activity. By nearest rank from counts in bins: within 0.8 % of the value. */
            activity_p95?: string | null;
            /**
             * Format: int64
             * @description Most attempts of any one task; in groups the sum.
             */
            attempts?: number | null;
            /** @description Invoiced cost (FOCUS BilledCost). */
            billed_cost?: string | null;
            /** @description Limit of the run by its label `max-cost-per-run`; in groups the sum. */
            budget?: string | null;
            /** @description Basis cost over budget. The label names no currency: it is read in the currency of the row. */
            budget_ratio?: string | null;
            /**
             * Format: date-time
             * @description When the budget will be used up at the burn rate; if it is used up already, the end of the hour whose cost used it up. NULL for runs that are not running. Also NULL without a budget.
             */
            budget_runs_out_at?: string | null;
            /** @description Effective cost of the last 6 whole hours stored, per hour of them in which it held GPUs; in groups the sum. NULL for runs that are not running. */
            burn_rate?: string | null;
            /** @description Business unit of the owner. */
            business_unit?: string | null;
            /**
             * Format: int64
             * @description Of those, cancelled. A run with cost in two currencies counts once in the rows of each.
             */
            cancelled_runs?: number | null;
            /**
             * Format: int64
             * @description Different instants of checkpoints inside its attempts; NULL if it has none.
             */
            checkpoints?: number | null;
            /** @description Cluster. */
            cluster?: string | null;
            /** @description Emissions. Always NULL: no carbon data is imported yet. */
            co2e_kg?: string | null;
            /** @description Basis cost of completed runs, with their dead attempts. */
            completed_cost?: string | null;
            /**
             * Format: int64
             * @description Of those, completed: status succeeded. A run with cost in two currencies counts once in the rows of each.
             */
            completed_runs?: number | null;
            /** @description Negotiated price before commitments (FOCUS ContractedCost). */
            contracted_cost?: string | null;
            /** @description Cost centre of the owner. */
            cost_center?: string | null;
            /** @description Basis cost per active GPU-hour, with the cost of idle, lost and waiting hours included. Metered cost of managed GPUs, which have no hours here, and hours without a cost are left out; hours paid by a prepaid fee have a cost; minutes without a sample are not useful time. */
            cost_per_active_gpu_hour?: string | null;
            /** @description Basis cost of a completed run on average, all its attempts included. Covers completed runs whose cost is known; NULL without one. */
            cost_per_completed_run?: string | null;
            /** @description Basis cost of all ended runs, failed ones included, per completed run. Counts completed runs whose cost is known; NULL without one. Runs that are running or queued are left out. */
            cost_per_completed_run_all_in?: string | null;
            /** @description Basis cost per GPU-hour held. Metered cost of managed GPUs, which have no hours here, and hours without a cost are left out; hours paid by a prepaid fee have a cost. */
            cost_per_gpu_hour?: string | null;
            /** @description ISO 4217 code; amounts of two currencies are never added. NULL if no cost is known. */
            currency?: string | null;
            /** @description Dataset of the owner. */
            dataset?: string | null;
            /** @description Used + held idle + overhead + lost + unobserved + host + metered. Before sharing: idle capacity of others is not included. */
            effective_cost?: string | null;
            /**
             * Format: date-time
             * @description End of the last attempt; NULL while running.
             */
            ended_at?: string | null;
            /** @description Measured board energy. GPU boards only, without host, cooling or supply losses; NULL if not measured. */
            energy_kwh?: string | null;
            /** @description Environment of the owner. */
            environment?: string | null;
            /** @description Experiment. */
            experiment?: string | null;
            /** @description Basis cost of failed and cancelled runs. */
            failed_cost?: string | null;
            /**
             * Format: int64
             * @description Of those, failed. A run with cost in two currencies counts once in the rows of each.
             */
            failed_runs?: number | null;
            /** @description Effective cost of overhead before all members of a gang held: the cost of the early members while they waited. Part of overhead_cost, and of restart_overhead_cost if the gang came together again. */
            gang_wait_cost?: string | null;
            /** @description Physical-GPU equivalents held: a 1/7 slice held for one hour is 1/7. Only compute lines carry quantities; a selection of other lines alone shows NULL. */
            gpu_hours?: string | null;
            /** @description GPU model of the node. */
            gpu_model?: string | null;
            /**
             * Format: int64
             * @description Most slots that one attempt held at once; NULL while queued.
             */
            gpus?: number | null;
            /** @description Pipeline, sweep or array. */
            group_id?: string | null;
            /** @description Effective cost with cause `held_idle`. */
            held_idle_cost?: string | null;
            /** @description Effective cost with cause `host`. */
            host_cost?: string | null;
            /** @description Instance type of the node, else of the charge. */
            instance_type?: string | null;
            /**
             * @description `stage` label, else training for training kinds, else batch.
             * @enum {string|null}
             */
            kind?: "training" | "fine_tuning" | "evaluation" | "inference" | "batch" | null;
            /** @description Public on-demand price (FOCUS ListCost). */
            list_cost?: string | null;
            /** @description Effective cost with cause `lost`. An upper bound if the loss has no checkpoint to count from; lost_cost_min is the lower bound. */
            lost_cost?: string | null;
            /** @description Lost cost that a checkpoint proves; losses of basis `none` count 0. */
            lost_cost_min?: string | null;
            /** @description GPU-hours with cause `lost`. */
            lost_gpu_hours?: string | null;
            /** @description The most that may be lost in attempts with an unknown end: the loss is between 0 and this. The cost stays in its causes and is not in lost_cost. From the last checkpoint, else from the start of the attempt; after a checkpoint by its part of the attempt's time. */
            may_be_lost_cost?: string | null;
            /** @description Effective cost with cause `metered`. */
            metered_cost?: string | null;
            /** @description Model. */
            model?: string | null;
            /** @description Model version of the owner. */
            model_version?: string | null;
            /** @description Name of the root owner. */
            name?: string | null;
            /** @description Namespace. */
            namespace?: string | null;
            /** @description spot_savings minus the cost of spot interruptions: lost work of the attempts that they ended, and the overhead of the attempts that followed; 0 without spot. Negative if interruptions cost more than spot saved; NULL if spot_savings is NULL. */
            net_spot_savings?: string | null;
            /** @description Cost of the run's time on demand: the list cost; for spot machines their on-demand price (dataset spot). NULL if any GPU time with a cost has neither price, or if no GPU time has a cost. Otherwise time without a cost is left out. */
            on_demand_equivalent?: string | null;
            /** @description Basis cost so far of runs that are running or queued. */
            open_cost?: string | null;
            /**
             * Format: int64
             * @description Of those, running or queued: neither failed nor completed. A run with cost in two currencies counts once in the rows of each.
             */
            open_runs?: number | null;
            /** @description Effective cost with cause `overhead`. */
            overhead_cost?: string | null;
            /**
             * Format: int64
             * @description Attempts that ended preempted or evicted.
             */
            preemptions?: number | null;
            /** @description Priority of the owner. */
            priority?: string | null;
            /** @description Project. */
            project?: string | null;
            /** @description Expected cost at its end: cost so far, plus the burn rate until it has lasted as long as the median of completed runs with its team, kind, model and GPU count. NULL for runs that are not running. Also NULL while no such run has completed. A run that already lasted longer is projected to end now. */
            projected_cost?: string | null;
            /** @description Cost that the provider's own split of its machines gives the run's pods, used and unused; NULL if it gives none. Evidence only, never added to the ledger's own allocation. */
            provider_split_cost?: string | null;
            /**
             * @description How sure the figure is; mixed rows show the worst that makes at least 1 % of the effective cost.
             * @enum {string|null}
             */
            quality?: "measured" | "estimated" | "assumed" | null;
            /** @description Queue of the owner. */
            queue?: string | null;
            /**
             * Format: int64
             * @description Creation to first hold; in groups the mean of runs with a known wait.
             */
            queue_wait_seconds?: number | null;
            /** @description Effective cost with cause `overhead` of attempts after the first of their task: the cost of starting again. */
            restart_overhead_cost?: string | null;
            /** @description Run. */
            run_id?: string | null;
            /**
             * Format: int64
             * @description Runs. A run with cost in two currencies counts once in the rows of each.
             */
            runs?: number | null;
            /** @description Part of the GPU-hours on spot machines whose cost and on-demand price are known: spot_savings covers this part. NULL without GPU-hours on spot machines. */
            spot_known_share?: string | null;
            /** @description On-demand price (that of dataset spot) minus effective cost of the hours on spot machines; 0 without spot. Covers the hours with a cost and a known on-demand price; NULL if there are no such hours. Losses after interruptions are not deducted. */
            spot_savings?: string | null;
            /** @description Effective cost on spot machines of hours whose on-demand price is unknown. */
            spot_unknown_cost?: string | null;
            /** @description Stage: training, fine_tuning, evaluation, inference … */
            stage?: string | null;
            /**
             * Format: date-time
             * @description First hold; NULL while queued.
             */
            started_at?: string | null;
            /**
             * @description How settled the money is: the least settled of the rows with a cost or still awaiting a bill.
             * @enum {string|null}
             */
            state?: "provisional" | "open" | "final" | null;
            /**
             * @description The owner's condition, else the last attempt's outcome.
             * @enum {string|null}
             */
            status?: "queued" | "running" | "succeeded" | "failed" | "cancelled" | "unknown" | null;
            /** @description Team, or `unowned`. */
            team?: string | null;
            /**
             * Format: int64
             * @description Creation to end of a completed run, its queue wait included; in groups the mean. NULL for runs that are not completed, and if the creation is unknown.
             */
            time_to_train_seconds?: number | null;
            /** @description Basis cost of runs whose end was not seen: status unknown. Completed, failed and unknown together are all ended runs. */
            unknown_end_cost?: string | null;
            /**
             * Format: int64
             * @description Of those, runs whose end was not seen: completed, failed, cancelled, unknown and open runs together are all. A run with cost in two currencies counts once in the rows of each.
             */
            unknown_runs?: number | null;
            /** @description Effective cost with cause `unobserved`. */
            unobserved_cost?: string | null;
            /**
             * Format: int64
             * @description Completed runs without a known cost; excluded from averages. A run with cost in two currencies counts once in the rows of each.
             */
            unpriced_completed_runs?: number | null;
            /** @description Effective cost with cause `used`. */
            used_cost?: string | null;
            /** @description GPU-hours with cause `used`. NULL where gpu_hours is NULL. */
            used_gpu_hours?: string | null;
            /** @description Share of the cost with cause `used`. */
            useful_cost_share?: string | null;
            /** @description User of the owner. */
            user?: string | null;
            /** @description The part of effective_cost inside [from, to). */
            window_effective_cost?: string | null;
            /** @description Kind of the root owner. */
            workload_kind?: string | null;
        };
        runs_page: {
            data: components["schemas"]["runs"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description Summary of one signal of a device or slice in an hour, from its minute values. Kept for ever, even after the minutes are deleted. */
        samples: {
            /** @description Mean of the minute values. It has no meaning for counters (energy) and sticky codes (xid, throttle_reasons). */
            avg: string | null;
            /** @description Cluster. */
            cluster: string | null;
            /** @description UUID of the device; host/… is the machine itself. */
            device: string | null;
            /** @description Model of the device. */
            gpu_model: string | null;
            /**
             * Format: date-time
             * @description Start of the hour.
             */
            hour: string | null;
            /**
             * Format: int64
             * @description Largest minute value.
             */
            max: number | null;
            /** @description MIG profile; NULL for the whole device. */
            mig_profile: string | null;
            /**
             * Format: int64
             * @description Smallest minute value.
             */
            min: number | null;
            /**
             * Format: int64
             * @description Minutes of the hour with a value: missing ones are unknown, never zero.
             */
            minutes: number | null;
            /** @description Machine, as its exporter names it. */
            node: string | null;
            /**
             * Format: int64
             * @description Median of the minute values, by nearest rank: a value that was measured.
             */
            p50: number | null;
            /**
             * Format: int64
             * @description 95th percentile of the minute values, by nearest rank.
             */
            p95: number | null;
            /** @description Signal; its name ends with its unit: ppm = millionths of 1, mw = milliwatts, mc = millidegrees Celsius, b = bytes, mj = millijoules, bps = bytes per second. */
            signal: string | null;
            /**
             * Format: int64
             * @description MIG instance; NULL for the whole device.
             */
            slice: number | null;
        };
        samples_page: {
            data: components["schemas"]["samples"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description How completed runs of one team, model and kind scale with GPUs: one row per GPU count and currency; the runs' whole lives, for runs that overlap the window. Runs are comparable only as far as their labels: a run on more GPUs that does more work looks inefficient. With group_by, one row per group, with only the properties that apply to a group. */
        scaling: {
            /** @description Invoiced cost (FOCUS BilledCost). */
            billed_cost?: string | null;
            /**
             * Format: int64
             * @description Completed runs.
             */
            completed_runs?: number | null;
            /** @description Negotiated price before commitments (FOCUS ContractedCost). */
            contracted_cost?: string | null;
            /** @description Basis cost of a completed run on average, of those whose cost is known. */
            cost_per_completed_run?: string | null;
            /** @description ISO 4217 code; amounts of two currencies are never added. NULL if no cost is known. */
            currency?: string | null;
            /** @description Amortised cost (FOCUS EffectiveCost). */
            effective_cost?: string | null;
            /** @description GPU-hours of their whole lives. */
            gpu_hours?: string | null;
            /** @description GPU-hours of a completed run on average, of all currencies. */
            gpu_hours_per_run?: string | null;
            /**
             * Format: int64
             * @description Most slots that one attempt held at once.
             */
            gpus?: number | null;
            /** @description Kind of the runs. */
            kind?: string | null;
            /** @description Public on-demand price (FOCUS ListCost). */
            list_cost?: string | null;
            /**
             * Format: int64
             * @description Mean time from first hold to end.
             */
            mean_seconds?: number | null;
            /** @description Model; NULL if unknown. */
            model?: string | null;
            /** @description Project of the owner. */
            project?: string | null;
            /** @description GPU-hours per completed run at the smallest GPU count ÷ at this one: 1 if twice the GPUs take half the time. Lost and idle time count: it shows the cost of scaling here, not the limit of the code. */
            scaling_efficiency?: string | null;
            /**
             * Format: int64
             * @description The smallest GPU count that completed any of these runs.
             */
            smallest_gpus?: number | null;
            /**
             * @description How settled the money is: the least settled of the rows with a cost or still awaiting a bill.
             * @enum {string|null}
             */
            state?: "provisional" | "open" | "final" | null;
            /** @description Team. */
            team?: string | null;
        };
        scaling_page: {
            data: components["schemas"]["scaling"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description Names under which models were served, and how each name was joined to its model: one row per name and model. A line of served_models in the policy joins names that no rule joins. */
        served_names: {
            /** @description The models of an ambiguous name; NULL for all others. */
            among: string | null;
            /**
             * Format: date-time
             * @description The first day on which it was counted.
             */
            first_day: string | null;
            /**
             * @description policy: served_models names the model; same: a model has exactly this name; rule: the rules leave one model; unknown: they leave no model; ambiguous: they leave several.
             * @enum {string|null}
             */
            joined_by: "policy" | "same" | "rule" | "unknown" | "ambiguous" | null;
            /**
             * Format: date-time
             * @description The last such day.
             */
            last_day: string | null;
            /** @description The model that it is joined to; the name itself if there is none. */
            model: string | null;
            /** @description Quantisation in the name, beyond its model; NULL if none. */
            model_version: string | null;
            /** @description The name that servers count. */
            served_name: string | null;
        };
        served_names_page: {
            data: components["schemas"]["served_names"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description The slices of MIG cards: a row per card, machine, layout, slice and currency, and one without a slice for the rest of the card. With group_by, one row per group, with only the properties that apply to a group. */
        slices: {
            /** @description Sub-account (FOCUS SubAccountId); without a bill, of the node. */
            account?: string | null;
            /** @description ∫ activity ratio × slice weight × hold share. A useful GPU-hour is an active one. Minutes without a sample add nothing. */
            active_gpu_hours?: string | null;
            /** @description Invoiced cost (FOCUS BilledCost). */
            billed_cost?: string | null;
            /** @description Business unit of the owner. */
            business_unit?: string | null;
            /** @description All GPU-hours of the slice or rest, held or not. */
            capacity_gpu_hours?: string | null;
            /** @description Why the money was spent. */
            cause?: string | null;
            /** @description Cluster. */
            cluster?: string | null;
            /** @description Negotiated price before commitments (FOCUS ContractedCost). */
            contracted_cost?: string | null;
            /** @description Cost centre of the owner. */
            cost_center?: string | null;
            /** @description ISO 4217 code; amounts of two currencies are never added. NULL if no cost is known. */
            currency?: string | null;
            /** @description Dataset of the owner. */
            dataset?: string | null;
            /** @description Share of the card's compute slices that no further profile could take, for the layout. In groups weighted by time. */
            dead_compute?: string | null;
            /** @description Share of the card's memory slices that no further profile could take, for the layout. In groups weighted by time. */
            dead_memory?: string | null;
            /** @description GPU UUID. */
            device?: string | null;
            /** @description UUID of the card. */
            device_uuid?: string | null;
            /** @description Amortised cost (FOCUS EffectiveCost). The rows of a card add up to its cost: free, stranded and idle time is in them. Of the UTC days that begin in the window. */
            effective_cost?: string | null;
            /** @description Environment of the owner. */
            environment?: string | null;
            /** @description Experiment of the owner. */
            experiment?: string | null;
            /** @description Of the layout: 1 − compute slices of the largest profile that could still be placed ÷ compute slices in no instance; 0 when there are none. In groups weighted by time. */
            fragmentation_index?: string | null;
            /** @description Effective cost with cause `free`. Part of effective_cost. */
            free_cost?: string | null;
            /** @description Physical-GPU equivalents held: a 1/7 slice held for one hour is 1/7. Only compute lines carry quantities; a selection of other lines alone shows NULL. */
            gpu_hours?: string | null;
            /** @description GPU model of its machine. */
            gpu_model?: string | null;
            /** @description Time in which the slice was held; NULL for the rest of a card with instances. Of the UTC days that begin in the window. */
            held_hours?: string | null;
            /** @description Effective cost with cause `held_idle`. Part of effective_cost. */
            held_idle_cost?: string | null;
            /** @description Instance type of the node, else of the charge. */
            instance_type?: string | null;
            /** @description Public on-demand price (FOCUS ListCost). */
            list_cost?: string | null;
            /** @description MIG profile; NULL for a whole device. */
            mig_profile?: string | null;
            /** @description Model of the owner. */
            model?: string | null;
            /** @description Model version of the owner. */
            model_version?: string | null;
            /** @description Namespace of the workload. */
            namespace?: string | null;
            /** @description Machine. */
            node?: string | null;
            /**
             * @description Whether the places of the instances on the card are known, or the best valid ones assumed; NULL without instances.
             * @enum {string|null}
             */
            placement?: "known" | "assumed" | null;
            /** @description Price class: on_demand, spot, savings_plan, reserved, owned; of the charge, else of the node. */
            pricing?: string | null;
            /** @description Priority of the owner. */
            priority?: string | null;
            /** @description MIG profile; NULL for the rest of the card. */
            profile?: string | null;
            /** @description Project of the owner. */
            project?: string | null;
            /** @description Queue of the owner. */
            queue?: string | null;
            /** @description Region of the node, else of the charge. */
            region?: string | null;
            /**
             * Format: int64
             * @description MIG instance; NULL for the rest of the card: the part outside its instances, or all of a card without instances.
             */
            slice_id?: number | null;
            /**
             * Format: int64
             * @description Slot of the machine.
             */
            slot?: number | null;
            /** @description Stage: training, fine_tuning, evaluation, inference … */
            stage?: string | null;
            /**
             * @description How settled the money is: the least settled of the rows with a cost or still awaiting a bill.
             * @enum {string|null}
             */
            state?: "provisional" | "open" | "final" | null;
            /** @description Effective cost with cause `stranded`. Part of effective_cost. */
            stranded_cost?: string | null;
            /** @description Team, or `unowned`. */
            team?: string | null;
            /** @description GPU-hours with cause `used`. NULL where gpu_hours is NULL. */
            used_gpu_hours?: string | null;
            /** @description User of the owner. */
            user?: string | null;
            /**
             * Format: date-time
             * @description Start of this layout.
             */
            valid_from?: string | null;
            /**
             * Format: date-time
             * @description End of this layout; while it lasts, the end of the stored data. Covers the whole layout, also outside the window.
             */
            valid_to?: string | null;
            /** @description Share of the card that the slice, or the rest, stands for: its dominant share unless the policy says otherwise, divided by the sum of all shares if that exceeds 1. */
            weight?: string | null;
            /** @description run, service, interactive or system. */
            workload_class?: string | null;
            /** @description Zone of the node, else of the charge. */
            zone?: string | null;
        };
        slices_page: {
            data: components["schemas"]["slices"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description Cost, savings, losses and interruptions of spot machines: one row per value of each group key; one row per currency. Costs and instance-hours add up over the rows of one group_key; attempts, interruptions and runs that were in several groups count once in each. With group_by, one row per group, with only the properties that apply to a group. */
        spot: {
            /** @description More than 5 interruptions in one hour. */
            alarm?: boolean | null;
            /**
             * Format: int64
             * @description Attempts whose price class was spot most of the time, that overlap the window.
             */
            attempts?: number | null;
            /** @description Business unit of the owner. */
            business_unit?: string | null;
            /**
             * @description Whether C is measured or assumed.
             * @enum {string|null}
             */
            checkpoint_basis?: "measured" | "assumed" | null;
            /**
             * Format: int64
             * @description How often to write a checkpoint so that interruptions lose least: after Daly (2006), with C and M as in young_interval_seconds; M if C is at least 2 M.
             */
            checkpoint_interval_seconds?: number | null;
            /**
             * Format: int64
             * @description C, the time to write a checkpoint: the mean that the group's attempts reported in the window, rounded up to whole seconds; 60 without a report.
             */
            checkpoint_seconds?: number | null;
            /** @description Cluster of the node. */
            cluster?: string | null;
            /** @description Cost centre of the owner. */
            cost_center?: string | null;
            /** @description ISO 4217 code; amounts of two currencies are never added. NULL if no cost is known. */
            currency?: string | null;
            /** @description Dataset of the owner. */
            dataset?: string | null;
            /** @description Effective cost of spot time of attempts that failed, ran out of memory or time, were preempted, evicted or lost their node. */
            dead_attempts_cost?: string | null;
            /** @description Part of effective_cost in such attempts. */
            dead_attempts_share?: string | null;
            /** @description Effective cost of spot machines, held or not. Covers the machines themselves, without network and volumes. */
            effective_cost?: string | null;
            /**
             * Format: int64
             * @description Runs that success_rate covers.
             */
            ended_runs?: number | null;
            /** @description Environment of the owner. */
            environment?: string | null;
            /** @description Experiment of the owner. */
            experiment?: string | null;
            /** @description GPU model of the node. */
            gpu_model?: string | null;
            /** @description On-demand equivalent minus effective cost, over the same hours. */
            gross_savings?: string | null;
            /**
             * @description Key that the row has a value of; hour is the hour of the day (UTC) of the service, of the start of attempts and runs, of interruptions.
             * @enum {string|null}
             */
            group_key?: "instance_type" | "zone" | "region" | "cluster" | "hour" | "team" | "kind" | "workload_class" | null;
            /** @description Value of the key; NULL if unknown, and for kind if no run held the time. */
            group_value?: string | null;
            /** @description Instance type of the node, else of the charge. */
            instance_type?: string | null;
            /** @description Interruptions per hour of a spot machine. */
            interruption_rate?: string | null;
            /**
             * Format: int64
             * @description Spot machines that were taken away in the window: they ended at most 600 s (policy) after a warning.
             */
            interruptions?: number | null;
            /** @description Part of spot_instance_hours whose cost and on-demand price are known: savings cover this part. NULL without such hours. */
            known_share?: string | null;
            /** @description Cost lost to interruptions: lost work of the attempts that they ended, and overhead of the attempts after them, on any machine. */
            lost_cost?: string | null;
            /** @description Model of the owner. */
            model?: string | null;
            /** @description Model version of the owner. */
            model_version?: string | null;
            /** @description Namespace of the workload. */
            namespace?: string | null;
            /** @description Gross savings minus lost_cost. */
            net_savings?: string | null;
            /** @description Net savings per on-demand equivalent: the discount that spot gave on the on-demand price. Negative if interruptions lost more than spot saved. */
            net_savings_share?: string | null;
            /** @description Name of the node. */
            node?: string | null;
            /**
             * Format: int64
             * @description Runs that on_demand_success_rate covers.
             */
            on_demand_ended_runs?: number | null;
            /** @description The same time at on-demand prices: of on-demand lines of the same account, type and region (of the hour, the day, else the nearest day with any), else the public on-demand price of AWS's own line, else the price book, else the catalogue. Covers the hours with a cost and a known on-demand price; NULL if there are no such hours. The price of a spot SKU is not an on-demand price. */
            on_demand_equivalent?: string | null;
            /** @description The same for runs that only held on-demand machines. */
            on_demand_success_rate?: string | null;
            /**
             * @description Whether spot met the limits of a pilot: under 3 interruptions in any week, and under 15 minutes of recovery on average. Unknown under a week, or if no recovery is known. For the whole group, whatever else the filter selects.
             * @enum {string|null}
             */
            pilot_gate?: "pass" | "fail" | "unknown" | null;
            /** @description Why the gate is not pass. */
            pilot_reasons?: string | null;
            /** @description Priority of the owner. */
            priority?: string | null;
            /** @description Project of the owner. */
            project?: string | null;
            /** @description Queue of the owner. */
            queue?: string | null;
            /**
             * Format: int64
             * @description Interrupted attempts whose recovery is known.
             */
            recovered?: number | null;
            /** @description Mean time from the end of an interrupted attempt until a later one first used what it held. */
            recovery_mean_seconds?: string | null;
            /**
             * Format: int64
             * @description 95th percentile of the recovery, by nearest rank.
             */
            recovery_p95_seconds?: number | null;
            /** @description Region of the node, else of the charge. */
            region?: string | null;
            /** @description Run id. */
            run?: string | null;
            /** @description Hours that spot machines were up or billed, by share of their GPUs. */
            spot_instance_hours?: string | null;
            /** @description Stage: training, fine_tuning, evaluation, inference … */
            stage?: string | null;
            /**
             * @description How settled the money is: the least settled of the rows with a cost or still awaiting a bill.
             * @enum {string|null}
             */
            state?: "provisional" | "open" | "final" | null;
            /** @description Of the runs that ended in the window and ever held a spot machine, those that completed. */
            success_rate?: string | null;
            /** @description Team, or `unowned`. */
            team?: string | null;
            /** @description Effective cost of hours whose on-demand price is unknown: savings leave it out. */
            unknown_cost?: string | null;
            /** @description User of the owner. */
            user?: string | null;
            /** @description run, service, interactive or system. */
            workload_class?: string | null;
            /** @description Kind of the root owner. */
            workload_kind?: string | null;
            /**
             * Format: int64
             * @description Interruptions in the hour with most of them; NULL without any.
             */
            worst_hour_interruptions?: number | null;
            /**
             * Format: int64
             * @description Interruptions in the week (from Monday, UTC) with most of them; NULL without any.
             */
            worst_week_interruptions?: number | null;
            /**
             * Format: int64
             * @description Interval between checkpoints after Young (1974): √(2 C M), C = checkpoint_seconds, M = spot_instance_hours ÷ interruptions; NULL without interruptions. A gang on n machines is interrupted n times as often: divide by √n.
             */
            young_interval_seconds?: number | null;
            /** @description Zone of the node, else of the charge. */
            zone?: string | null;
        };
        spot_page: {
            data: components["schemas"]["spot"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description The postings that dataset spot adds up: those of spot machines, held or not, and of work lost to interruptions, on any machine. Gross savings are Σ gross_savings; net savings are that minus Σ lost_cost. */
        spot_postings: {
            /** @description Account that pays for the machine. */
            account: string | null;
            /**
             * Format: int64
             * @description Attempt of the run.
             */
            attempt: number | null;
            /** @description Cause of the cost. */
            cause: string | null;
            /** @description Cluster. */
            cluster: string | null;
            /** @description ISO 4217 code; amounts of two currencies are never added. NULL if no cost is known. */
            currency: string | null;
            /** @description Effective cost of time on the spot machine; NULL without a cost, and for other machines. */
            effective_cost: string | null;
            /** @description GPU-hours, held or not; NULL if another posting of the same time counts them. */
            gpu_hours: string | null;
            /** @description GPU model. */
            gpu_model: string | null;
            /** @description on_demand_equivalent minus effective_cost; NULL: unknown. */
            gross_savings: string | null;
            /**
             * Format: date-time
             * @description Hour of the service.
             */
            hour: string | null;
            /** @description Hour of the day, UTC: 00 to 23. */
            hour_of_day: string | null;
            /** @description Instance type. */
            instance_type: string | null;
            /** @description Kind of the run. */
            kind: string | null;
            /** @description Effective cost of work lost to a spot interruption, and of the overhead of the attempt that followed; else 0. */
            lost_cost: string | null;
            /**
             * Format: int64
             * @description GPUs of the machine.
             */
            machine_gpus: number | null;
            /** @description Namespace of the holder. */
            namespace: string | null;
            /** @description Machine. */
            node: string | null;
            /** @description Details of the rate from its source. */
            on_demand_detail: string | null;
            /** @description on_demand_rate × gpu_hours ÷ machine_gpus; if the source is the bill, the list cost of the posting; NULL: unknown. */
            on_demand_equivalent: string | null;
            /** @description On-demand price of an hour of the machine; NULL: unknown. */
            on_demand_rate: string | null;
            /**
             * @description Source of on_demand_rate.
             * @enum {string|null}
             */
            on_demand_source: "contracted" | "bill" | "price_book" | "catalogue" | "unknown" | null;
            /** @description Posting. */
            posting_id: string | null;
            /** @description Region. */
            region: string | null;
            /** @description Run; NULL if no run held it. */
            run: string | null;
            /**
             * @description How settled the money is: the least settled of the rows with a cost or still awaiting a bill.
             * @enum {string|null}
             */
            state: "provisional" | "open" | "final" | null;
            /** @description Team, or `unowned`. */
            team: string | null;
            /** @description Class of the holder. */
            workload_class: string | null;
            /** @description Kind of the holder. */
            workload_kind: string | null;
            /** @description Zone. */
            zone: string | null;
        };
        spot_postings_page: {
            data: components["schemas"]["spot_postings"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description Differences between two versions of one statement by owner and cause, after sharing. Rows without a difference are left out. */
        statement_diff: {
            /** @description Payer account. */
            billing_account: string | null;
            /** @description Billing month. */
            billing_period: string | null;
            /** @description Business unit of the owner. */
            business_unit: string | null;
            /**
             * @description Why it was spent.
             * @enum {string|null}
             */
            cause: "used" | "overhead" | "held_idle" | "lost" | "free" | "stranded" | "unavailable" | "unobserved" | "commitment_unused" | "commitment_fee" | "host" | "shared" | "metered" | "non_gpu" | null;
            /** @description Cost centre of the owner. */
            cost_center: string | null;
            /** @description ISO 4217 code; amounts of two currencies are never added. NULL if no cost is known. */
            currency: string | null;
            /** @description Dataset of the owner. */
            dataset: string | null;
            /** @description The later version's billed_cost minus the earlier one's; a missing one counts as 0. */
            difference_billed_cost: string | null;
            /** @description The later version's contracted_cost minus the earlier one's; a missing one counts as 0. */
            difference_contracted_cost: string | null;
            /** @description The later version's effective_cost minus the earlier one's; a missing one counts as 0. */
            difference_effective_cost: string | null;
            /** @description The later version's list_cost minus the earlier one's; a missing one counts as 0. NULL if the bill has none; never taken from a price book for billed hours. */
            difference_list_cost: string | null;
            /** @description Environment of the owner. */
            environment: string | null;
            /** @description Experiment of the owner. */
            experiment: string | null;
            /** @description Model of the owner. */
            model: string | null;
            /** @description Model version of the owner. */
            model_version: string | null;
            /** @description Value in the later version. Invoiced cost (FOCUS BilledCost). */
            new_billed_cost: string | null;
            /** @description Value in the later version. Negotiated price before commitments (FOCUS ContractedCost). */
            new_contracted_cost: string | null;
            /** @description Value in the later version. Amortised cost (FOCUS EffectiveCost). */
            new_effective_cost: string | null;
            /** @description Value in the later version. Public on-demand price (FOCUS ListCost). NULL if the bill has none; never taken from a price book for billed hours. */
            new_list_cost: string | null;
            /**
             * Format: int64
             * @description The later version.
             */
            new_version: number | null;
            /** @description Value in the earlier version. Invoiced cost (FOCUS BilledCost). */
            old_billed_cost: string | null;
            /** @description Value in the earlier version. Negotiated price before commitments (FOCUS ContractedCost). */
            old_contracted_cost: string | null;
            /** @description Value in the earlier version. Amortised cost (FOCUS EffectiveCost). */
            old_effective_cost: string | null;
            /** @description Value in the earlier version. Public on-demand price (FOCUS ListCost). NULL if the bill has none; never taken from a price book for billed hours. */
            old_list_cost: string | null;
            /**
             * Format: int64
             * @description The earlier version.
             */
            old_version: number | null;
            /** @description Priority of the owner. */
            priority: string | null;
            /** @description Project of the owner. */
            project: string | null;
            /** @description Queue of the owner. */
            queue: string | null;
            /** @description Stage: training, fine_tuning, evaluation, inference … */
            stage: string | null;
            /**
             * @description How settled the money is: the least settled of the rows with a cost or still awaiting a bill.
             * @enum {string|null}
             */
            state: "provisional" | "open" | "final" | null;
            /** @description Team, or `unowned`. */
            team: string | null;
            /** @description User of the owner. */
            user: string | null;
        };
        statement_diff_page: {
            data: components["schemas"]["statement_diff"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description One line of a statement: an owner's cost of one cause on one day in one place. Lines of kind shared_in and shared_out are the pairs of sharing: totals with them are after sharing, without them before. */
        statement_lines: {
            /** @description Account that used. */
            account: string | null;
            /** @description Active GPU-hours. */
            active_gpu_hours: string | null;
            /** @description Invoiced cost (FOCUS BilledCost). */
            billed_cost: string | null;
            /** @description Payer account of the bills. */
            billing_account: string | null;
            /** @description Billing month. */
            billing_period: string | null;
            /** @description GPU-hours of the machine, held or not. */
            capacity_gpu_hours: string | null;
            /** @description Why the money was spent. */
            cause: string | null;
            /** @description Cluster. */
            cluster: string | null;
            /** @description Negotiated price before commitments (FOCUS ContractedCost). */
            contracted_cost: string | null;
            /** @description Currency (ISO 4217). */
            currency: string | null;
            /**
             * Format: date-time
             * @description UTC day of the service.
             */
            day: string | null;
            /** @description Amortised cost (FOCUS EffectiveCost). */
            effective_cost: string | null;
            /** @description Energy. */
            energy_kwh: string | null;
            /** @description Held GPU-hours. */
            gpu_hours: string | null;
            /**
             * @description direct, amortise, adjustment, shared_in or shared_out.
             * @enum {string|null}
             */
            kind: "direct" | "amortise" | "adjustment" | "shared_in" | "shared_out" | null;
            /**
             * Format: int64
             * @description Number in the statement, from 1.
             */
            line: number | null;
            /** @description Public on-demand price (FOCUS ListCost). NULL if the bill has none; never taken from a price book for billed hours. */
            list_cost: string | null;
            /** @description Namespace. */
            namespace: string | null;
            /** @description Node. */
            node: string | null;
            /** @description Owner as of the service hour. */
            owner_id: string | null;
            /** @description Project of the owner. */
            project: string | null;
            /** @description Provider of the bill. */
            provider: string | null;
            /** @description measured, estimated or assumed; NULL for pairs of sharing. */
            quality: string | null;
            /** @description Region. */
            region: string | null;
            /** @description Run. */
            run_id: string | null;
            /** @description Service. */
            service: string | null;
            /**
             * @description State of the statement: final or reopened.
             * @enum {string|null}
             */
            state: "final" | "reopened" | null;
            /** @description Team of the owner, or `unowned`. */
            team: string | null;
            /**
             * Format: int64
             * @description Version of the statement.
             */
            version: number | null;
            /** @description Kind of the workload. */
            workload_kind: string | null;
        };
        statement_lines_page: {
            data: components["schemas"]["statement_lines"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description One version of the statement of a closed period. It never changes. */
        statements: {
            /** @description Payer account of the bills. */
            billing_account: string | null;
            /** @description Billing month. */
            billing_period: string | null;
            /**
             * Format: int64
             * @description Length of its canonical bytes.
             */
            bytes: number | null;
            /** @description Hash of its contents and of the statement before, hexadecimal. */
            chain: string | null;
            /**
             * Format: date-time
             * @description When the period was closed.
             */
            closed_at: string | null;
            /** @description Who closed it. */
            closed_by: string | null;
            /** @description SHA-256 of its canonical bytes, hexadecimal. */
            digest: string | null;
            /**
             * Format: int64
             * @description Lines, in dataset statement_lines.
             */
            lines: number | null;
            /**
             * Format: int64
             * @description Number in the chain of all statements, from 1.
             */
            number: number | null;
            /** @description Period that takes later adjustments, as of the close. */
            open_period: string | null;
            /** @description Versions of the policy that its postings were computed with, joined by commas. */
            policy_versions: string | null;
            /** @description Why. */
            reopen_reason: string | null;
            /**
             * Format: date-time
             * @description When it was reopened.
             */
            reopened_at: string | null;
            /** @description Who reopened it. */
            reopened_by: string | null;
            /** @description SHA-256 over the digests of its final rows by node-day, hexadecimal. */
            rows_digest: string | null;
            /**
             * @description final: in force; reopened: the period was opened again.
             * @enum {string|null}
             */
            state: "final" | "reopened" | null;
            /**
             * Format: int64
             * @description From 1; each close writes the next.
             */
            version: number | null;
        };
        statements_page: {
            data: components["schemas"]["statements"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description Annotations that were imported or written by REST, with who stored each and when. */
        stored_annotations: {
            /** @description Annotation, by its content. */
            annotation_id: string | null;
            /**
             * Format: date-time
             * @description When it happened, or began.
             */
            at: string | null;
            /** @description Group key that it is about; NULL or all: the whole fleet. */
            key: string | null;
            /**
             * @description What happened.
             * @enum {string|null}
             */
            kind: "deploy" | "price" | "close" | "interruptions" | "budget" | "note" | null;
            /** @description Address with more about it: http or https. */
            link: string | null;
            /** @description System or team that reported it; ledger: the ledger itself. */
            source: string | null;
            /**
             * Format: date-time
             * @description When it was stored.
             */
            stored_at: string | null;
            /** @description Who stored it: a user, or import. */
            stored_by: string | null;
            /** @description Description. */
            text: string | null;
            /**
             * Format: date-time
             * @description End, exclusive; NULL if it happened at one instant.
             */
            until: string | null;
            /** @description Value of the key. */
            value: string | null;
        };
        stored_annotations_page: {
            data: components["schemas"]["stored_annotations"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description The fleet against its targets: one UTC day, target and subject; cost per unit by model and currency. */
        targets: {
            /** @description The same figure over the four weeks before, from their sums; NULL if unknown. */
            before: string | null;
            /** @description Value over before, less one. */
            change: string | null;
            /** @description Currency of unit_cost; NULL for shares. */
            currency: string | null;
            /**
             * Format: date-time
             * @description UTC day.
             */
            day: string | null;
            /** @description Denominator of the value. */
            denominator: string | null;
            /** @description The target in words. */
            goal: string | null;
            /** @description Numerator of the value. */
            numerator: string | null;
            /**
             * Format: date-time
             * @description First of the consecutive days with this status.
             */
            since: string | null;
            /**
             * @description good, watch, act or unknown, by the bounds of the target.
             * @enum {string|null}
             */
            status: "good" | "watch" | "act" | "unknown" | null;
            /** @description Model; NULL: the whole fleet. */
            subject: string | null;
            /**
             * @description Figure that is judged. utilisation: Useful GPU-hours over the GPU-hours held whose activity is known. idle_share: GPU-hours held idle, free, stranded and unavailable over all capacity that was held or observed. spot_adoption: GPU-hours on spot machines over all that training and fine-tuning held. unit_cost: Effective cost of a million tokens of a model, or of a thousand requests if tokens are not counted; judged by its change against the four weeks before.
             * @enum {string|null}
             */
            target: "utilisation" | "idle_share" | "spot_adoption" | "unit_cost" | null;
            /** @description Unit of unit_cost. */
            unit: string | null;
            /** @description The day's figure: numerator over denominator. */
            value: string | null;
        };
        targets_page: {
            data: components["schemas"]["targets"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description A quantity, counted once, with or without a bill: one hour, slice, workload, attempt, cause and activity. */
        usage: {
            /** @description Useful GPU-hours that the row carries. */
            active_gpu_hours: string | null;
            /**
             * Format: int64
             * @description Active part of those seconds.
             */
            active_seconds: number | null;
            /**
             * @description Activity by telemetry.
             * @enum {string|null}
             */
            activity: "active" | "idle" | "unknown" | null;
            /**
             * Format: int64
             * @description Attempt of the holder.
             */
            attempt: number | null;
            /** @description Business unit of the owner. */
            business_unit: string | null;
            /** @description GPU-hours, held or not, that the row carries. */
            capacity_gpu_hours: string | null;
            /**
             * @description Why the time was spent.
             * @enum {string|null}
             */
            cause: "used" | "overhead" | "held_idle" | "lost" | "free" | "stranded" | "unavailable" | "unobserved" | "commitment_unused" | "commitment_fee" | "host" | "shared" | "metered" | "non_gpu" | null;
            /** @description Cluster of the node. */
            cluster: string | null;
            /** @description Cost centre of the owner. */
            cost_center: string | null;
            /** @description Dataset of the owner. */
            dataset: string | null;
            /** @description GPU UUID; NULL if the slot's device was never seen. */
            device: string | null;
            /** @description Board energy that the row carries; NULL if not measured. */
            energy_kwh: string | null;
            /** @description Environment of the owner. */
            environment: string | null;
            /** @description Experiment of the owner. */
            experiment: string | null;
            /** @description Held GPU-hours that the row carries. */
            gpu_hours: string | null;
            /** @description Whether it was held. */
            held: boolean | null;
            /**
             * Format: date-time
             * @description Service hour.
             */
            hour: string | null;
            /** @description How the holder was found. */
            method: string | null;
            /** @description MIG profile; NULL for a whole device. */
            mig_profile: string | null;
            /** @description Model of the owner. */
            model: string | null;
            /** @description Model version of the owner. */
            model_version: string | null;
            /** @description Namespace of the holder. */
            namespace: string | null;
            /** @description Node. */
            node: string | null;
            /** @description Pod that held it; NULL if not held. */
            pod: string | null;
            /** @description Priority of the owner. */
            priority: string | null;
            /** @description Project of the owner. */
            project: string | null;
            /**
             * @description How sure the row is.
             * @enum {string|null}
             */
            quality: "measured" | "estimated" | "assumed" | null;
            /** @description Queue of the owner. */
            queue: string | null;
            /** @description Run of the holder. */
            run_id: string | null;
            /**
             * Format: int64
             * @description Slot-seconds, not scaled by slice weight or share.
             */
            seconds: number | null;
            /**
             * Format: int64
             * @description MIG instance id; NULL for a whole device.
             */
            slice_id: number | null;
            /**
             * Format: int64
             * @description GPU slot of the node.
             */
            slot: number | null;
            /** @description Stage: training, fine_tuning, evaluation, inference … */
            stage: string | null;
            /** @description Team, or `unowned`. */
            team: string | null;
            /** @description Usage row. */
            usage_id: string | null;
            /** @description User of the owner. */
            user: string | null;
            /** @description Kind of the holder's root owner. */
            workload_kind: string | null;
        };
        usage_page: {
            data: components["schemas"]["usage"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description How the cost of a period differs from that of another, in parts that add up to the difference. Without from and to, all cost is compared with nothing. One property per key of group_by; tag:KEY and label:KEY are properties of that name. */
        variance: {
            /** @description Sub-account (FOCUS SubAccountId); without a bill, of the node. */
            account?: string | null;
            /** @description Useful GPU-hours of the period. */
            active_gpu_hours_after: string | null;
            /** @description Useful GPU-hours of the period that is compared with. */
            active_gpu_hours_before: string | null;
            /** @description Number of the attempt within its run and task. */
            attempt?: string | null;
            /** @description Payer account of the bill. */
            billing_account?: string | null;
            /** @description Billing month of the invoice; NULL while provisional. */
            billing_period?: string | null;
            /** @description Business unit of the owner. */
            business_unit?: string | null;
            /** @description All GPU-hours of the period, held or not. */
            capacity_gpu_hours_after: string | null;
            /** @description All GPU-hours of the period that is compared with, held or not. */
            capacity_gpu_hours_before: string | null;
            /** @description Why the money was spent. */
            cause?: string | null;
            /** @description FOCUS ChargeCategory. */
            charge_category?: string | null;
            /** @description Cluster of the node. */
            cluster?: string | null;
            /** @description Reservation or savings plan that the charge belongs to. */
            commitment?: string | null;
            /** @description Basis cost of the period. */
            cost_after: string | null;
            /** @description Basis cost of the period that is compared with. */
            cost_before: string | null;
            /** @description Cost centre of the owner. */
            cost_center?: string | null;
            /** @description ISO 4217 code; amounts of two currencies are never added. NULL if no cost is known. */
            currency: string | null;
            /** @description Dataset of the owner. */
            dataset?: string | null;
            /** @description GPU UUID. */
            device?: string | null;
            /** @description cost_after less cost_before: the sum of the six parts, to the last digit. */
            difference: string | null;
            /** @description More or fewer capacity hours for each useful hour, at the earlier price. */
            efficiency: string | null;
            /** @description Environment of the owner. */
            environment?: string | null;
            /** @description Another rate between the bill's currency and the one asked for; 0 without such a currency. */
            exchange: string | null;
            /** @description Experiment of the owner. */
            experiment?: string | null;
            /** @description GPU model of the node. */
            gpu_model?: string | null;
            /** @description Pipeline, sweep or array of the run. */
            group?: string | null;
            /** @description Instance type of the node, else of the charge. */
            instance_type?: string | null;
            /** @description How the cost came to its owner: direct, amortise, adjustment; after sharing also shared_out (passed on) and shared_in (received). */
            kind?: string | null;
            /** @description MIG profile; NULL for a whole device. */
            mig_profile?: string | null;
            /** @description Other GPU models and price classes, at their earlier prices. */
            mix: string | null;
            /** @description Model of the owner. */
            model?: string | null;
            /** @description Model version of the owner. */
            model_version?: string | null;
            /** @description Namespace of the workload. */
            namespace?: string | null;
            /** @description Name of the node. */
            node?: string | null;
            /** @description Name of the pod. */
            pod?: string | null;
            /** @description Other prices of the same GPU models and price classes. */
            price: string | null;
            /** @description Price class: on_demand, spot, savings_plan, reserved, owned; of the charge, else of the node. */
            pricing?: string | null;
            /** @description Priority of the owner. */
            priority?: string | null;
            /** @description Project of the owner. */
            project?: string | null;
            /** @description Cloud or source of the bill; without a bill, of the node. */
            provider?: string | null;
            /** @description measured, estimated or assumed. */
            quality?: string | null;
            /** @description Queue of the owner. */
            queue?: string | null;
            /** @description Region of the node, else of the charge. */
            region?: string | null;
            /** @description Run id. */
            run?: string | null;
            /** @description Inference deployment. */
            service?: string | null;
            /** @description Provider's service (FOCUS ServiceName). */
            service_name?: string | null;
            /** @description GPU UUID and MIG instance id, joined by a slash; NULL for a whole device. */
            slice?: string | null;
            /** @description Stage: training, fine_tuning, evaluation, inference … */
            stage?: string | null;
            /** @description provisional, open or final. */
            state?: string | null;
            /** @description Team, or `unowned`. */
            team?: string | null;
            /** @description Tenant of the ledger. */
            tenant?: string | null;
            /** @description User of the owner. */
            user?: string | null;
            /** @description More or less useful work, at the earlier efficiency and price. Useful work is active GPU-hours. */
            volume: string | null;
            /** @description Cost of models and classes without capacity hours in that period: fees, shared cost, unused commitments, what sharing passes on. */
            without_hours: string | null;
            /** @description Name of the root owner. */
            workload?: string | null;
            /** @description run, service, interactive or system. */
            workload_class?: string | null;
            /** @description Kind of the root owner. */
            workload_kind?: string | null;
            /** @description Zone of the node, else of the charge. */
            zone?: string | null;
        };
        variance_page: {
            data: components["schemas"]["variance"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description One finding: time that was paid for and did not work (idle kinds, which never overlap), or worked badly (risks: `overlaps` is true, and their cost is never added to that of idle ones). Findings that overlap the window are shown whole; one row per currency. With group_by, one row per group, with only the properties that apply to a group. */
        waste: {
            /** @description What to do about it. */
            action?: string | null;
            /** @description Business unit of the owner. */
            business_unit?: string | null;
            /** @description Cluster. */
            cluster?: string | null;
            /** @description Cost centre of the owner. */
            cost_center?: string | null;
            /** @description effective_cost as a rate: per 730 hours of its interval. NULL for a finding shorter than 7 days, which is too short for a monthly rate. In groups: only findings of 7 days or more. */
            cost_per_month?: string | null;
            /** @description ISO 4217 code; amounts of two currencies are never added. NULL if no cost is known. */
            currency?: string | null;
            /** @description Dataset of the owner. */
            dataset?: string | null;
            /** @description GPU UUID; NULL if there were several. */
            device?: string | null;
            /** @description Effective cost of the time that it covers, host not included. Idle kinds add up; risks overlap with them and with each other: sum one or the other (idle_cost has the idle ones). */
            effective_cost?: string | null;
            /** @description Environment of the owner. */
            environment?: string | null;
            /** @description The numbers that met the criterion, next to their thresholds. */
            evidence?: string | null;
            /** @description The evidence for programs: name, unit, value, bound, threshold, and its wording. */
            evidence_json?: string | null;
            /** @description Experiment of the owner. */
            experiment?: string | null;
            /** @description Finding; stays the same while an open one grows. */
            finding_id?: string | null;
            /**
             * Format: int64
             * @description Findings.
             */
            findings?: number | null;
            /**
             * Format: date-time
             * @description End of the stored data when it was first found.
             */
            first_seen?: string | null;
            /**
             * Format: date-time
             * @description Start.
             */
            from?: string | null;
            /** @description GPU-hours that it covers; NULL if it covers none. */
            gpu_hours?: string | null;
            /** @description GPU model of the node. */
            gpu_model?: string | null;
            /** @description From start to end. */
            hours?: string | null;
            /** @description Hours from start to end that met the criterion on any GPU or pod: several at once count once. NULL for findings from before this column existed. */
            hours_met?: string | null;
            /** @description effective_cost of idle kinds, which adds up. */
            idle_cost?: string | null;
            /** @description Instance type of the node, else of the charge. */
            instance_type?: string | null;
            /** @description Kind of finding. */
            kind?: string | null;
            /** @description The kind in words. */
            label?: string | null;
            /**
             * Format: date-time
             * @description End of the stored data when it was last checked.
             */
            last_seen?: string | null;
            /** @description What the kind means. */
            meaning?: string | null;
            /** @description MIG profile; NULL for a whole device. */
            mig_profile?: string | null;
            /** @description Model of the owner. */
            model?: string | null;
            /** @description Model version of the owner. */
            model_version?: string | null;
            /** @description Namespace of the holder. */
            namespace?: string | null;
            /** @description Machine; NULL if there were several. */
            node?: string | null;
            /** @description Whether it lasts to the end of the stored data. */
            open?: boolean | null;
            /** @description Whether it is a risk, whose cost is also counted elsewhere. */
            overlaps?: boolean | null;
            /** @description Pod; NULL if there were several. */
            pod?: string | null;
            /** @description Priority of the owner. */
            priority?: string | null;
            /** @description Project of the owner. */
            project?: string | null;
            /**
             * @description How sure the figure is; mixed rows show the worst that makes at least 1 % of the effective cost.
             * @enum {string|null}
             */
            quality?: "measured" | "estimated" | "assumed" | null;
            /** @description Queue of the owner. */
            queue?: string | null;
            /** @description The recommendation about the same subject that follows from it. NULL if there is no such recommendation: the finding is over and came once, or its kind is covered by advice on size, layout and commitments, or needs a person. */
            recommendation_id?: string | null;
            /** @description Region of the node, else of the charge. */
            region?: string | null;
            /** @description Run. */
            run_id?: string | null;
            /** @description Inference deployment. */
            service?: string | null;
            /** @description Stage: training, fine_tuning, evaluation, inference … */
            stage?: string | null;
            /**
             * @description How settled the money is: the least settled of the rows with a cost or still awaiting a bill.
             * @enum {string|null}
             */
            state?: "provisional" | "open" | "final" | null;
            /** @description Subject: pod, workload, run, device, machine, or cluster and instance type. */
            subject?: string | null;
            /** @description Team of the holder, else of the machine. */
            team?: string | null;
            /**
             * Format: date-time
             * @description End so far.
             */
            to?: string | null;
            /** @description User of the owner. */
            user?: string | null;
            /** @description Name of the root owner. */
            workload?: string | null;
            /** @description run, service, interactive or system. */
            workload_class?: string | null;
            /** @description Kind of the root owner. */
            workload_kind?: string | null;
            /** @description Zone of the node, else of the charge. */
            zone?: string | null;
        };
        waste_page: {
            data: components["schemas"]["waste"][];
            meta: components["schemas"]["Meta"];
        };
        /** @description Known facts of one workload that can hold devices of one machine: a pod, a Slurm job's life on a node, a managed training job, an attempt, a group of processes. */
        workloads: {
            /** @description Activity of held cards: the median of the minutes in which each card or slice was held. Of the UTC days that begin in the window. Minutes of unknown activity do not count; NULL without a minute of known activity. By nearest rank from counts in bins: within 0.8 % of the value. */
            activity_p50: string | null;
            /** @description Activity of held cards: the 95th percentile of the minutes in which each card or slice was held. Of the UTC days that begin in the window. Minutes of unknown activity do not count; NULL without a minute of known activity. By nearest rank from counts in bins: within 0.8 % of the value. */
            activity_p95: string | null;
            /** @description Class that allocation gives it; NULL before. */
            class: string | null;
            /** @description Cluster. */
            cluster: string | null;
            /**
             * Format: date-time
             * @description When it was created or submitted.
             */
            created_at: string | null;
            /**
             * Format: date-time
             * @description When it could have started: quota reserved, dependencies met.
             */
            eligible_at: string | null;
            /**
             * Format: date-time
             * @description When it completed, or was first seen ended.
             */
            ended_at: string | null;
            /**
             * Format: date-time
             * @description First sample that names it.
             */
            first_seen: string | null;
            /**
             * Format: date-time
             * @description Start of its hold of devices; NULL if it holds nothing.
             */
            hold_from: string | null;
            /**
             * Format: date-time
             * @description End of its hold so far.
             */
            hold_to: string | null;
            /**
             * Format: date-time
             * @description Last sample that names it.
             */
            last_seen: string | null;
            /** @description Name; for Slurm, the job id. */
            name: string | null;
            /** @description Namespace; for Slurm, the account. */
            namespace: string | null;
            /** @description Machine; NULL while queued, and for managed services. */
            node: string | null;
            /**
             * @description How it ended, by its source, else derived by allocation.
             * @enum {string|null}
             */
            outcome: "succeeded" | "failed" | "oom" | "timeout" | "preempted" | "evicted" | "node_failure" | "suspended" | "cancelled" | "running" | "unknown" | null;
            /** @description Kind of its controller; NULL for a bare pod. */
            owner_kind: string | null;
            /** @description Name of its controller. */
            owner_name: string | null;
            /** @description Why. */
            reason: string | null;
            /** @description Requested resources, as resource=count, in alphabetical order. */
            requests: string | null;
            /** @description Run that it worked for; NULL if its segments name several, and before allocation. */
            run_id: string | null;
            /**
             * Format: date-time
             * @description When it got its machine.
             */
            scheduled_at: string | null;
            /**
             * Format: date-time
             * @description When it started.
             */
            started_at: string | null;
            /**
             * @description What started it.
             * @enum {string|null}
             */
            system: "kubernetes" | "slurm" | "sagemaker" | "attempts" | "process" | null;
            /** @description Id that is unique in its cluster. */
            uid: string | null;
        };
        workloads_page: {
            data: components["schemas"]["workloads"][];
            meta: components["schemas"]["Meta"];
        };
    };
    responses: {
        /** @description Any other error. */
        Other: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: {
        /** @description What the period is compared with: previous (the same length before; of whole months as many months), same_days (one month earlier) or a period such as 2026-10-01/2026-11-01. Only variance. */
        param_against: string;
        /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
        param_as_of: string;
        /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
        param_basis: string;
        /** @description Only costs invoiced in this billing month, such as 2026-11. */
        param_billing_period: string;
        /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
        param_currency: string;
        /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
        param_currency_missing: string;
        /** @description next_cursor of the previous page; json only. */
        param_cursor: string;
        /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
        param_filter: string;
        /** @description Version of the FOCUS specification whose columns the answer has: 1.4, or 1.3. Only datasets whose names begin with focus_. */
        param_focus_version: string;
        /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
        param_for_excel: boolean;
        /** @description Overrides the Accept header. */
        param_format: "table" | "json" | "csv" | "parquet" | "arrow" | "xlsx";
        /** @description First service hour: 2026-11-01, 2026-11-01T05:00 (in tz) or RFC 3339. */
        param_from: string;
        /** @description Length of a period: total, hour, day, week (from Monday) or month. Only datasets that are added up over time. */
        param_granularity: string;
        /** @description Group keys, separated by commas. costs and chargeback take all of them, also tag:KEY and label:KEY; other datasets group their rows by the keys that they have. */
        param_group_by: string;
        /** @description A name of your choice for this request, such as a UUID. If the same request comes again with the same key within a day, it gets the stored answer and changes nothing; the header Idempotent-Replayed marks it. Another request with the same key is refused with 422. */
        param_idempotency_key: string;
        /** @description Maximum number of rows. */
        param_limit: number;
        /** @description Columns, separated by commas; -column for descending. NULLs come last. */
        param_order: string;
        /** @description as-was: owners as of the service hour. */
        param_org: string;
        /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
        param_prefer: "respond-async";
        /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
        param_sharing: string;
        /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
        param_statement: string;
        /** @description End of the window, exclusive; written like from. */
        param_to: string;
        /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
        param_tz: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    get_annotations: {
        parameters: {
            query?: {
                /** @description First service hour: 2026-11-01, 2026-11-01T05:00 (in tz) or RFC 3339. */
                from?: components["parameters"]["param_from"];
                /** @description End of the window, exclusive; written like from. */
                to?: components["parameters"]["param_to"];
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["annotations_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    save_annotations: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choice for this request, such as a UUID. If the same request comes again with the same key within a day, it gets the stored answer and changes nothing; the header Idempotent-Replayed marks it. Another request with the same key is refused with 422. */
                "Idempotency-Key"?: components["parameters"]["param_idempotency_key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AnnotationRow"][];
            };
        };
        responses: {
            /** @description The annotations are stored, now or before. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Saved"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_attempts: {
        parameters: {
            query?: {
                /** @description First service hour: 2026-11-01, 2026-11-01T05:00 (in tz) or RFC 3339. */
                from?: components["parameters"]["param_from"];
                /** @description End of the window, exclusive; written like from. */
                to?: components["parameters"]["param_to"];
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description Group keys, separated by commas. costs and chargeback take all of them, also tag:KEY and label:KEY; other datasets group their rows by the keys that they have. */
                group_by?: components["parameters"]["param_group_by"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["attempts_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_audit: {
        parameters: {
            query?: {
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["audit_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_better_layouts: {
        parameters: {
            query?: {
                /** @description First service hour: 2026-11-01, 2026-11-01T05:00 (in tz) or RFC 3339. */
                from?: components["parameters"]["param_from"];
                /** @description End of the window, exclusive; written like from. */
                to?: components["parameters"]["param_to"];
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["better_layouts_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_budget_days: {
        parameters: {
            query?: {
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["budget_days_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_budget_versions: {
        parameters: {
            query?: {
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["budget_versions_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_budgets: {
        parameters: {
            query?: {
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["budgets_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    save_budgets: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choice for this request, such as a UUID. If the same request comes again with the same key within a day, it gets the stored answer and changes nothing; the header Idempotent-Replayed marks it. Another request with the same key is refused with 422. */
                "Idempotency-Key"?: components["parameters"]["param_idempotency_key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BudgetRow"][];
            };
        };
        responses: {
            /** @description The budgets are stored, now or before. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Saved"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_busy_hours: {
        parameters: {
            query?: {
                /** @description First service hour: 2026-11-01, 2026-11-01T05:00 (in tz) or RFC 3339. */
                from?: components["parameters"]["param_from"];
                /** @description End of the window, exclusive; written like from. */
                to?: components["parameters"]["param_to"];
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description Group keys, separated by commas. costs and chargeback take all of them, also tag:KEY and label:KEY; other datasets group their rows by the keys that they have. */
                group_by?: components["parameters"]["param_group_by"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["busy_hours_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_changes: {
        parameters: {
            query?: {
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["changes_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    confirm_change: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choice for this request, such as a UUID. If the same request comes again with the same key within a day, it gets the stored answer and changes nothing; the header Idempotent-Replayed marks it. Another request with the same key is refused with 422. */
                "Idempotency-Key"?: components["parameters"]["param_idempotency_key"];
            };
            path: {
                /** @description The change_id, from dataset changes. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Reason"];
            };
        };
        responses: {
            /** @description The change with its new state. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Waiting"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    decline_change: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choice for this request, such as a UUID. If the same request comes again with the same key within a day, it gets the stored answer and changes nothing; the header Idempotent-Replayed marks it. Another request with the same key is refused with 422. */
                "Idempotency-Key"?: components["parameters"]["param_idempotency_key"];
            };
            path: {
                /** @description The change_id, from dataset changes. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Reason"];
            };
        };
        responses: {
            /** @description The change with its new state. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Waiting"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    take_back_change: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choice for this request, such as a UUID. If the same request comes again with the same key within a day, it gets the stored answer and changes nothing; the header Idempotent-Replayed marks it. Another request with the same key is refused with 422. */
                "Idempotency-Key"?: components["parameters"]["param_idempotency_key"];
            };
            path: {
                /** @description The change_id, from dataset changes. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Reason"];
            };
        };
        responses: {
            /** @description The change with its new state. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Waiting"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_chargeback: {
        parameters: {
            query?: {
                /** @description First service hour: 2026-11-01, 2026-11-01T05:00 (in tz) or RFC 3339. */
                from?: components["parameters"]["param_from"];
                /** @description End of the window, exclusive; written like from. */
                to?: components["parameters"]["param_to"];
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description Only costs invoiced in this billing month, such as 2026-11. */
                billing_period?: components["parameters"]["param_billing_period"];
                /** @description Group keys, separated by commas. costs and chargeback take all of them, also tag:KEY and label:KEY; other datasets group their rows by the keys that they have. */
                group_by?: components["parameters"]["param_group_by"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description Length of a period: total, hour, day, week (from Monday) or month. Only datasets that are added up over time. */
                granularity?: components["parameters"]["param_granularity"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["chargeback_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_charges: {
        parameters: {
            query?: {
                /** @description First service hour: 2026-11-01, 2026-11-01T05:00 (in tz) or RFC 3339. */
                from?: components["parameters"]["param_from"];
                /** @description End of the window, exclusive; written like from. */
                to?: components["parameters"]["param_to"];
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description Only costs invoiced in this billing month, such as 2026-11. */
                billing_period?: components["parameters"]["param_billing_period"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["charges_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_checkpoints: {
        parameters: {
            query?: {
                /** @description First service hour: 2026-11-01, 2026-11-01T05:00 (in tz) or RFC 3339. */
                from?: components["parameters"]["param_from"];
                /** @description End of the window, exclusive; written like from. */
                to?: components["parameters"]["param_to"];
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["checkpoints_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    post_checkpoints: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choice for this request, such as a UUID. If the same request comes again with the same key within a day, it gets the stored answer and changes nothing; the header Idempotent-Replayed marks it. Another request with the same key is refused with 422. */
                "Idempotency-Key"?: components["parameters"]["param_idempotency_key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CheckpointRow"][];
            };
        };
        responses: {
            /** @description All of them are stored. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AcceptedRows"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_commitment_demand: {
        parameters: {
            query?: {
                /** @description First service hour: 2026-11-01, 2026-11-01T05:00 (in tz) or RFC 3339. */
                from?: components["parameters"]["param_from"];
                /** @description End of the window, exclusive; written like from. */
                to?: components["parameters"]["param_to"];
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description Group keys, separated by commas. costs and chargeback take all of them, also tag:KEY and label:KEY; other datasets group their rows by the keys that they have. */
                group_by?: components["parameters"]["param_group_by"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["commitment_demand_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_commitments: {
        parameters: {
            query?: {
                /** @description First service hour: 2026-11-01, 2026-11-01T05:00 (in tz) or RFC 3339. */
                from?: components["parameters"]["param_from"];
                /** @description End of the window, exclusive; written like from. */
                to?: components["parameters"]["param_to"];
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description Group keys, separated by commas. costs and chargeback take all of them, also tag:KEY and label:KEY; other datasets group their rows by the keys that they have. */
                group_by?: components["parameters"]["param_group_by"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["commitments_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_conflicts: {
        parameters: {
            query?: {
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["conflicts_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_costs: {
        parameters: {
            query?: {
                /** @description First service hour: 2026-11-01, 2026-11-01T05:00 (in tz) or RFC 3339. */
                from?: components["parameters"]["param_from"];
                /** @description End of the window, exclusive; written like from. */
                to?: components["parameters"]["param_to"];
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description Only costs invoiced in this billing month, such as 2026-11. */
                billing_period?: components["parameters"]["param_billing_period"];
                /** @description Group keys, separated by commas. costs and chargeback take all of them, also tag:KEY and label:KEY; other datasets group their rows by the keys that they have. */
                group_by?: components["parameters"]["param_group_by"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description Length of a period: total, hour, day, week (from Monday) or month. Only datasets that are added up over time. */
                granularity?: components["parameters"]["param_granularity"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["costs_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_coverage: {
        parameters: {
            query?: {
                /** @description First service hour: 2026-11-01, 2026-11-01T05:00 (in tz) or RFC 3339. */
                from?: components["parameters"]["param_from"];
                /** @description End of the window, exclusive; written like from. */
                to?: components["parameters"]["param_to"];
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description Length of a period: total, hour, day, week (from Monday) or month. Only datasets that are added up over time. */
                granularity?: components["parameters"]["param_granularity"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["coverage_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_deliveries: {
        parameters: {
            query?: {
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["deliveries_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_devices: {
        parameters: {
            query?: {
                /** @description First service hour: 2026-11-01, 2026-11-01T05:00 (in tz) or RFC 3339. */
                from?: components["parameters"]["param_from"];
                /** @description End of the window, exclusive; written like from. */
                to?: components["parameters"]["param_to"];
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description Group keys, separated by commas. costs and chargeback take all of them, also tag:KEY and label:KEY; other datasets group their rows by the keys that they have. */
                group_by?: components["parameters"]["param_group_by"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description Length of a period: total, hour, day, week (from Monday) or month. Only datasets that are added up over time. */
                granularity?: components["parameters"]["param_granularity"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["devices_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_events: {
        parameters: {
            query?: {
                /** @description First service hour: 2026-11-01, 2026-11-01T05:00 (in tz) or RFC 3339. */
                from?: components["parameters"]["param_from"];
                /** @description End of the window, exclusive; written like from. */
                to?: components["parameters"]["param_to"];
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["events_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_experiments: {
        parameters: {
            query?: {
                /** @description First service hour: 2026-11-01, 2026-11-01T05:00 (in tz) or RFC 3339. */
                from?: components["parameters"]["param_from"];
                /** @description End of the window, exclusive; written like from. */
                to?: components["parameters"]["param_to"];
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description Group keys, separated by commas. costs and chargeback take all of them, also tag:KEY and label:KEY; other datasets group their rows by the keys that they have. */
                group_by?: components["parameters"]["param_group_by"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["experiments_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    save_experiments: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choice for this request, such as a UUID. If the same request comes again with the same key within a day, it gets the stored answer and changes nothing; the header Idempotent-Replayed marks it. Another request with the same key is refused with 422. */
                "Idempotency-Key"?: components["parameters"]["param_idempotency_key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExperimentRow"][];
            };
        };
        responses: {
            /** @description The results are stored, now or before. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Imported"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    explain: {
        parameters: {
            query?: {
                /** @description all: every posting behind a figure of costs, of an owner or of spot, instead of the largest ones; streamed. */
                list?: "all";
                /** @description First service hour: 2026-11-01, 2026-11-01T05:00 (in tz) or RFC 3339. */
                from?: components["parameters"]["param_from"];
                /** @description End of the window, exclusive; written like from. */
                to?: components["parameters"]["param_to"];
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description Group keys, separated by commas. costs and chargeback take all of them, also tag:KEY and label:KEY; other datasets group their rows by the keys that they have. */
                group_by?: components["parameters"]["param_group_by"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
            };
            header?: never;
            path: {
                /** @description What to explain. It may contain slashes. */
                subject: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The explanation. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Explanation"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_export_runs: {
        parameters: {
            query?: {
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["export_runs_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_export_schedules: {
        parameters: {
            query?: {
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["export_schedules_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    save_export_schedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choice for this request, such as a UUID. If the same request comes again with the same key within a day, it gets the stored answer and changes nothing; the header Idempotent-Replayed marks it. Another request with the same key is refused with 422. */
                "Idempotency-Key"?: components["parameters"]["param_idempotency_key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExportBody"];
            };
        };
        responses: {
            /** @description The schedule is stored, now or before. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedExport"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    remove_export_schedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choice for this request, such as a UUID. If the same request comes again with the same key within a day, it gets the stored answer and changes nothing; the header Idempotent-Replayed marks it. Another request with the same key is refused with 422. */
                "Idempotency-Key"?: components["parameters"]["param_idempotency_key"];
            };
            path: {
                /** @description Name of the schedule. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The schedule no longer runs. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RemovedExport"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_fair_share: {
        parameters: {
            query?: {
                /** @description First service hour: 2026-11-01, 2026-11-01T05:00 (in tz) or RFC 3339. */
                from?: components["parameters"]["param_from"];
                /** @description End of the window, exclusive; written like from. */
                to?: components["parameters"]["param_to"];
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description Group keys, separated by commas. costs and chargeback take all of them, also tag:KEY and label:KEY; other datasets group their rows by the keys that they have. */
                group_by?: components["parameters"]["param_group_by"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["fair_share_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_focus_billing_period: {
        parameters: {
            query?: {
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description Only costs invoiced in this billing month, such as 2026-11. */
                billing_period?: components["parameters"]["param_billing_period"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description Version of the FOCUS specification whose columns the answer has: 1.4, or 1.3. Only datasets whose names begin with focus_. */
                focus_version?: components["parameters"]["param_focus_version"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["focus_billing_period_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_focus_contract_commitment: {
        parameters: {
            query?: {
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description Only costs invoiced in this billing month, such as 2026-11. */
                billing_period?: components["parameters"]["param_billing_period"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description Version of the FOCUS specification whose columns the answer has: 1.4, or 1.3. Only datasets whose names begin with focus_. */
                focus_version?: components["parameters"]["param_focus_version"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["focus_contract_commitment_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_focus_cost_and_usage: {
        parameters: {
            query?: {
                /** @description First service hour: 2026-11-01, 2026-11-01T05:00 (in tz) or RFC 3339. */
                from?: components["parameters"]["param_from"];
                /** @description End of the window, exclusive; written like from. */
                to?: components["parameters"]["param_to"];
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description Only costs invoiced in this billing month, such as 2026-11. */
                billing_period?: components["parameters"]["param_billing_period"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description Version of the FOCUS specification whose columns the answer has: 1.4, or 1.3. Only datasets whose names begin with focus_. */
                focus_version?: components["parameters"]["param_focus_version"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["focus_cost_and_usage_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_focus_invoice_detail: {
        parameters: {
            query?: {
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description Only costs invoiced in this billing month, such as 2026-11. */
                billing_period?: components["parameters"]["param_billing_period"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description Version of the FOCUS specification whose columns the answer has: 1.4, or 1.3. Only datasets whose names begin with focus_. */
                focus_version?: components["parameters"]["param_focus_version"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["focus_invoice_detail_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_freshness: {
        parameters: {
            query?: {
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["freshness_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_groups: {
        parameters: {
            query?: {
                /** @description First service hour: 2026-11-01, 2026-11-01T05:00 (in tz) or RFC 3339. */
                from?: components["parameters"]["param_from"];
                /** @description End of the window, exclusive; written like from. */
                to?: components["parameters"]["param_to"];
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description Group keys, separated by commas. costs and chargeback take all of them, also tag:KEY and label:KEY; other datasets group their rows by the keys that they have. */
                group_by?: components["parameters"]["param_group_by"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["groups_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_idle_hours: {
        parameters: {
            query?: {
                /** @description First service hour: 2026-11-01, 2026-11-01T05:00 (in tz) or RFC 3339. */
                from?: components["parameters"]["param_from"];
                /** @description End of the window, exclusive; written like from. */
                to?: components["parameters"]["param_to"];
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description Group keys, separated by commas. costs and chargeback take all of them, also tag:KEY and label:KEY; other datasets group their rows by the keys that they have. */
                group_by?: components["parameters"]["param_group_by"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["idle_hours_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_import_counts: {
        parameters: {
            query?: {
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["import_counts_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_imports: {
        parameters: {
            query?: {
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["imports_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    import_file: {
        parameters: {
            query: {
                /** @description Format of the file, as in gpuledger import. */
                source: "aws-cur" | "gcp-billing" | "azure-cost" | "focus" | "spot-events" | "slurm" | "sagemaker" | "attempts" | "experiments" | "llm-usage" | "kubernetes" | "openmetrics" | "nvidia-smi" | "otlp";
                /** @description Name of the file, for messages and the dataset imports. */
                name?: string;
                /** @description Cluster of telemetry that does not name one. */
                cluster?: string;
            };
            header?: {
                /** @description A name of your choice for this request, such as a UUID. If the same request comes again with the same key within a day, it gets the stored answer and changes nothing; the header Idempotent-Replayed marks it. Another request with the same key is refused with 422. */
                "Idempotency-Key"?: components["parameters"]["param_idempotency_key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description The accepted rows are stored, now or before; rejected ones are counted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Imported"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_inference: {
        parameters: {
            query?: {
                /** @description First service hour: 2026-11-01, 2026-11-01T05:00 (in tz) or RFC 3339. */
                from?: components["parameters"]["param_from"];
                /** @description End of the window, exclusive; written like from. */
                to?: components["parameters"]["param_to"];
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description Group keys, separated by commas. costs and chargeback take all of them, also tag:KEY and label:KEY; other datasets group their rows by the keys that they have. */
                group_by?: components["parameters"]["param_group_by"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description Length of a period: total, hour, day, week (from Monday) or month. Only datasets that are added up over time. */
                granularity?: components["parameters"]["param_granularity"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["inference_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_interruptions: {
        parameters: {
            query?: {
                /** @description First service hour: 2026-11-01, 2026-11-01T05:00 (in tz) or RFC 3339. */
                from?: components["parameters"]["param_from"];
                /** @description End of the window, exclusive; written like from. */
                to?: components["parameters"]["param_to"];
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description Group keys, separated by commas. costs and chargeback take all of them, also tag:KEY and label:KEY; other datasets group their rows by the keys that they have. */
                group_by?: components["parameters"]["param_group_by"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["interruptions_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_journal: {
        parameters: {
            query?: {
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description Only costs invoiced in this billing month, such as 2026-11. */
                billing_period?: components["parameters"]["param_billing_period"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["journal_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_layouts: {
        parameters: {
            query?: {
                /** @description First service hour: 2026-11-01, 2026-11-01T05:00 (in tz) or RFC 3339. */
                from?: components["parameters"]["param_from"];
                /** @description End of the window, exclusive; written like from. */
                to?: components["parameters"]["param_to"];
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description Group keys, separated by commas. costs and chargeback take all of them, also tag:KEY and label:KEY; other datasets group their rows by the keys that they have. */
                group_by?: components["parameters"]["param_group_by"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["layouts_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_limit_labels: {
        parameters: {
            query?: {
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["limit_labels_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_llm_usage: {
        parameters: {
            query?: {
                /** @description First service hour: 2026-11-01, 2026-11-01T05:00 (in tz) or RFC 3339. */
                from?: components["parameters"]["param_from"];
                /** @description End of the window, exclusive; written like from. */
                to?: components["parameters"]["param_to"];
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description Length of a period: total, hour, day, week (from Monday) or month. Only datasets that are added up over time. */
                granularity?: components["parameters"]["param_granularity"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["llm_usage_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_mappings: {
        parameters: {
            query?: {
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["mappings_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    save_mapping: {
        parameters: {
            query?: {
                /** @description Why this version, for the audit log. */
                reason?: string;
            };
            header?: {
                /** @description A name of your choice for this request, such as a UUID. If the same request comes again with the same key within a day, it gets the stored answer and changes nothing; the header Idempotent-Replayed marks it. Another request with the same key is refused with 422. */
                "Idempotency-Key"?: components["parameters"]["param_idempotency_key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
                "application/yaml": string;
            };
        };
        responses: {
            /** @description The version is stored, now or before. The next allocation uses it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedMapping"];
                };
            };
            /** @description Not done yet: the policy requires a second person to confirm the change. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Waiting"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    try_mapping: {
        parameters: {
            query?: {
                /** @description First service hour: 2026-11-01, 2026-11-01T05:00 (in tz) or RFC 3339. */
                from?: components["parameters"]["param_from"];
                /** @description End of the window, exclusive; written like from. */
                to?: components["parameters"]["param_to"];
            };
            header?: {
                /** @description A name of your choice for this request, such as a UUID. If the same request comes again with the same key within a day, it gets the stored answer and changes nothing; the header Idempotent-Replayed marks it. Another request with the same key is refused with 422. */
                "Idempotency-Key"?: components["parameters"]["param_idempotency_key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
                "application/yaml": string;
            };
        };
        responses: {
            /** @description The differences of the document, and the money that would move. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TriedMapping"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_mapping: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the mapping. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Its versions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["mappings_page"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_models: {
        parameters: {
            query?: {
                /** @description First service hour: 2026-11-01, 2026-11-01T05:00 (in tz) or RFC 3339. */
                from?: components["parameters"]["param_from"];
                /** @description End of the window, exclusive; written like from. */
                to?: components["parameters"]["param_to"];
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description Group keys, separated by commas. costs and chargeback take all of them, also tag:KEY and label:KEY; other datasets group their rows by the keys that they have. */
                group_by?: components["parameters"]["param_group_by"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["models_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_owner_coverage: {
        parameters: {
            query?: {
                /** @description First service hour: 2026-11-01, 2026-11-01T05:00 (in tz) or RFC 3339. */
                from?: components["parameters"]["param_from"];
                /** @description End of the window, exclusive; written like from. */
                to?: components["parameters"]["param_to"];
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description Group keys, separated by commas. costs and chargeback take all of them, also tag:KEY and label:KEY; other datasets group their rows by the keys that they have. */
                group_by?: components["parameters"]["param_group_by"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["owner_coverage_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_packing: {
        parameters: {
            query?: {
                /** @description First service hour: 2026-11-01, 2026-11-01T05:00 (in tz) or RFC 3339. */
                from?: components["parameters"]["param_from"];
                /** @description End of the window, exclusive; written like from. */
                to?: components["parameters"]["param_to"];
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description Group keys, separated by commas. costs and chargeback take all of them, also tag:KEY and label:KEY; other datasets group their rows by the keys that they have. */
                group_by?: components["parameters"]["param_group_by"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description Length of a period: total, hour, day, week (from Monday) or month. Only datasets that are added up over time. */
                granularity?: components["parameters"]["param_granularity"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["packing_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_periods: {
        parameters: {
            query?: {
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description Only costs invoiced in this billing month, such as 2026-11. */
                billing_period?: components["parameters"]["param_billing_period"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["periods_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    close_period: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choice for this request, such as a UUID. If the same request comes again with the same key within a day, it gets the stored answer and changes nothing; the header Idempotent-Replayed marks it. Another request with the same key is refused with 422. */
                "Idempotency-Key"?: components["parameters"]["param_idempotency_key"];
            };
            path: {
                /** @description Billing month: 2026-10. */
                period: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PeriodClosing"];
            };
        };
        responses: {
            /** @description The new statements. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClosedStatements"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    reopen_period: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choice for this request, such as a UUID. If the same request comes again with the same key within a day, it gets the stored answer and changes nothing; the header Idempotent-Replayed marks it. Another request with the same key is refused with 422. */
                "Idempotency-Key"?: components["parameters"]["param_idempotency_key"];
            };
            path: {
                /** @description Billing month: 2026-10. */
                period: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PeriodReopening"];
            };
        };
        responses: {
            /** @description The statements that are no longer valid. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClosedStatements"];
                };
            };
            /** @description Not done yet: the policy requires a second person to confirm the change. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Waiting"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_policies: {
        parameters: {
            query?: {
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["policies_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    save_policy: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choice for this request, such as a UUID. If the same request comes again with the same key within a day, it gets the stored answer and changes nothing; the header Idempotent-Replayed marks it. Another request with the same key is refused with 422. */
                "Idempotency-Key"?: components["parameters"]["param_idempotency_key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
                "application/yaml": string;
            };
        };
        responses: {
            /** @description The version is stored, now or before. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedPolicy"];
                };
            };
            /** @description Not done yet: the policy requires a second person to confirm the change. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Waiting"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    try_policy: {
        parameters: {
            query?: {
                /** @description First service hour: 2026-11-01, 2026-11-01T05:00 (in tz) or RFC 3339. */
                from?: components["parameters"]["param_from"];
                /** @description End of the window, exclusive; written like from. */
                to?: components["parameters"]["param_to"];
            };
            header?: {
                /** @description A name of your choice for this request, such as a UUID. If the same request comes again with the same key within a day, it gets the stored answer and changes nothing; the header Idempotent-Replayed marks it. Another request with the same key is refused with 422. */
                "Idempotency-Key"?: components["parameters"]["param_idempotency_key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
                "application/yaml": string;
            };
        };
        responses: {
            /** @description Amounts now, under the document, and their difference. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trial"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    withdraw_policy: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choice for this request, such as a UUID. If the same request comes again with the same key within a day, it gets the stored answer and changes nothing; the header Idempotent-Replayed marks it. Another request with the same key is refused with 422. */
                "Idempotency-Key"?: components["parameters"]["param_idempotency_key"];
            };
            path: {
                /** @description Name of the version. */
                version: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The version no longer applies. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WithdrawnPolicy"];
                };
            };
            /** @description Not done yet: the policy requires a second person to confirm the change. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Waiting"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_postings: {
        parameters: {
            query?: {
                /** @description First service hour: 2026-11-01, 2026-11-01T05:00 (in tz) or RFC 3339. */
                from?: components["parameters"]["param_from"];
                /** @description End of the window, exclusive; written like from. */
                to?: components["parameters"]["param_to"];
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description Only costs invoiced in this billing month, such as 2026-11. */
                billing_period?: components["parameters"]["param_billing_period"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["postings_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    save_price_book: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choice for this request, such as a UUID. If the same request comes again with the same key within a day, it gets the stored answer and changes nothing; the header Idempotent-Replayed marks it. Another request with the same key is refused with 422. */
                "Idempotency-Key"?: components["parameters"]["param_idempotency_key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
                "application/yaml": string;
            };
        };
        responses: {
            /** @description The prices are stored, now or before. The next allocation uses them. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Imported"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_provider_splits: {
        parameters: {
            query?: {
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description Group keys, separated by commas. costs and chargeback take all of them, also tag:KEY and label:KEY; other datasets group their rows by the keys that they have. */
                group_by?: components["parameters"]["param_group_by"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["provider_splits_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_provisional_accuracy: {
        parameters: {
            query?: {
                /** @description First service hour: 2026-11-01, 2026-11-01T05:00 (in tz) or RFC 3339. */
                from?: components["parameters"]["param_from"];
                /** @description End of the window, exclusive; written like from. */
                to?: components["parameters"]["param_to"];
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description Group keys, separated by commas. costs and chargeback take all of them, also tag:KEY and label:KEY; other datasets group their rows by the keys that they have. */
                group_by?: components["parameters"]["param_group_by"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["provisional_accuracy_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_provisional_prices: {
        parameters: {
            query?: {
                /** @description First service hour: 2026-11-01, 2026-11-01T05:00 (in tz) or RFC 3339. */
                from?: components["parameters"]["param_from"];
                /** @description End of the window, exclusive; written like from. */
                to?: components["parameters"]["param_to"];
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["provisional_prices_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    list_queries: {
        parameters: {
            query?: {
                /** @description Maximum number of entries; without it, all. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The queries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryList"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_query: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the query, from the answer to its submission. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Its state. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    delete_query: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choice for this request, such as a UUID. If the same request comes again with the same key within a day, it gets the stored answer and changes nothing; the header Idempotent-Replayed marks it. Another request with the same key is refused with 422. */
                "Idempotency-Key"?: components["parameters"]["param_idempotency_key"];
            };
            path: {
                /** @description Id of the query, from the answer to its submission. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Other"];
        };
    };
    get_query_result: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the query, from the answer to its submission. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": unknown;
                };
            };
            /** @description A range of it. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Other"];
        };
    };
    get_queue: {
        parameters: {
            query?: {
                /** @description First service hour: 2026-11-01, 2026-11-01T05:00 (in tz) or RFC 3339. */
                from?: components["parameters"]["param_from"];
                /** @description End of the window, exclusive; written like from. */
                to?: components["parameters"]["param_to"];
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description Group keys, separated by commas. costs and chargeback take all of them, also tag:KEY and label:KEY; other datasets group their rows by the keys that they have. */
                group_by?: components["parameters"]["param_group_by"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["queue_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_rates: {
        parameters: {
            query?: {
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["rates_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_recommendations: {
        parameters: {
            query?: {
                /** @description First service hour: 2026-11-01, 2026-11-01T05:00 (in tz) or RFC 3339. */
                from?: components["parameters"]["param_from"];
                /** @description End of the window, exclusive; written like from. */
                to?: components["parameters"]["param_to"];
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description Group keys, separated by commas. costs and chargeback take all of them, also tag:KEY and label:KEY; other datasets group their rows by the keys that they have. */
                group_by?: components["parameters"]["param_group_by"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["recommendations_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    decide_recommendation: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choice for this request, such as a UUID. If the same request comes again with the same key within a day, it gets the stored answer and changes nothing; the header Idempotent-Replayed marks it. Another request with the same key is refused with 422. */
                "Idempotency-Key"?: components["parameters"]["param_idempotency_key"];
            };
            path: {
                /** @description The recommendation_id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Decision"];
            };
        };
        responses: {
            /** @description The decision is recorded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Decided"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_reconciliation: {
        parameters: {
            query?: {
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description Only costs invoiced in this billing month, such as 2026-11. */
                billing_period?: components["parameters"]["param_billing_period"];
                /** @description Group keys, separated by commas. costs and chargeback take all of them, also tag:KEY and label:KEY; other datasets group their rows by the keys that they have. */
                group_by?: components["parameters"]["param_group_by"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["reconciliation_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_rejections: {
        parameters: {
            query?: {
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["rejections_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_requests: {
        parameters: {
            query?: {
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description Group keys, separated by commas. costs and chargeback take all of them, also tag:KEY and label:KEY; other datasets group their rows by the keys that they have. */
                group_by?: components["parameters"]["param_group_by"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["requests_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_restatements: {
        parameters: {
            query?: {
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description Only costs invoiced in this billing month, such as 2026-11. */
                billing_period?: components["parameters"]["param_billing_period"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["restatements_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_runs: {
        parameters: {
            query?: {
                /** @description First service hour: 2026-11-01, 2026-11-01T05:00 (in tz) or RFC 3339. */
                from?: components["parameters"]["param_from"];
                /** @description End of the window, exclusive; written like from. */
                to?: components["parameters"]["param_to"];
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description Group keys, separated by commas. costs and chargeback take all of them, also tag:KEY and label:KEY; other datasets group their rows by the keys that they have. */
                group_by?: components["parameters"]["param_group_by"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["runs_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_samples: {
        parameters: {
            query?: {
                /** @description First service hour: 2026-11-01, 2026-11-01T05:00 (in tz) or RFC 3339. */
                from?: components["parameters"]["param_from"];
                /** @description End of the window, exclusive; written like from. */
                to?: components["parameters"]["param_to"];
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["samples_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_scaling: {
        parameters: {
            query?: {
                /** @description First service hour: 2026-11-01, 2026-11-01T05:00 (in tz) or RFC 3339. */
                from?: components["parameters"]["param_from"];
                /** @description End of the window, exclusive; written like from. */
                to?: components["parameters"]["param_to"];
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description Group keys, separated by commas. costs and chargeback take all of them, also tag:KEY and label:KEY; other datasets group their rows by the keys that they have. */
                group_by?: components["parameters"]["param_group_by"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["scaling_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_served_names: {
        parameters: {
            query?: {
                /** @description First service hour: 2026-11-01, 2026-11-01T05:00 (in tz) or RFC 3339. */
                from?: components["parameters"]["param_from"];
                /** @description End of the window, exclusive; written like from. */
                to?: components["parameters"]["param_to"];
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["served_names_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_slices: {
        parameters: {
            query?: {
                /** @description First service hour: 2026-11-01, 2026-11-01T05:00 (in tz) or RFC 3339. */
                from?: components["parameters"]["param_from"];
                /** @description End of the window, exclusive; written like from. */
                to?: components["parameters"]["param_to"];
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description Group keys, separated by commas. costs and chargeback take all of them, also tag:KEY and label:KEY; other datasets group their rows by the keys that they have. */
                group_by?: components["parameters"]["param_group_by"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["slices_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_spot: {
        parameters: {
            query?: {
                /** @description First service hour: 2026-11-01, 2026-11-01T05:00 (in tz) or RFC 3339. */
                from?: components["parameters"]["param_from"];
                /** @description End of the window, exclusive; written like from. */
                to?: components["parameters"]["param_to"];
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description Group keys, separated by commas. costs and chargeback take all of them, also tag:KEY and label:KEY; other datasets group their rows by the keys that they have. */
                group_by?: components["parameters"]["param_group_by"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["spot_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_spot_postings: {
        parameters: {
            query?: {
                /** @description First service hour: 2026-11-01, 2026-11-01T05:00 (in tz) or RFC 3339. */
                from?: components["parameters"]["param_from"];
                /** @description End of the window, exclusive; written like from. */
                to?: components["parameters"]["param_to"];
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["spot_postings_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    statement: {
        parameters: {
            query: {
                /** @description KEY=VALUE, such as team=speech; VALUE unowned is cost without an owner. */
                owner: string;
                /** @description Billing month, such as 2026-10. */
                billing_period: string;
                /** @description Before or after sharing; after by default. */
                sharing?: "before" | "after";
                /** @description json by default. */
                format?: "json" | "csv" | "pdf";
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The statement. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                    "application/pdf": unknown;
                    "text/csv; charset=utf-8": unknown;
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_statement_diff: {
        parameters: {
            query?: {
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description Only costs invoiced in this billing month, such as 2026-11. */
                billing_period?: components["parameters"]["param_billing_period"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["statement_diff_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_statement_lines: {
        parameters: {
            query?: {
                /** @description First service hour: 2026-11-01, 2026-11-01T05:00 (in tz) or RFC 3339. */
                from?: components["parameters"]["param_from"];
                /** @description End of the window, exclusive; written like from. */
                to?: components["parameters"]["param_to"];
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description Only costs invoiced in this billing month, such as 2026-11. */
                billing_period?: components["parameters"]["param_billing_period"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["statement_lines_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_statements: {
        parameters: {
            query?: {
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description Only costs invoiced in this billing month, such as 2026-11. */
                billing_period?: components["parameters"]["param_billing_period"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["statements_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_stored_annotations: {
        parameters: {
            query?: {
                /** @description First service hour: 2026-11-01, 2026-11-01T05:00 (in tz) or RFC 3339. */
                from?: components["parameters"]["param_from"];
                /** @description End of the window, exclusive; written like from. */
                to?: components["parameters"]["param_to"];
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["stored_annotations_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_targets: {
        parameters: {
            query?: {
                /** @description First service hour: 2026-11-01, 2026-11-01T05:00 (in tz) or RFC 3339. */
                from?: components["parameters"]["param_from"];
                /** @description End of the window, exclusive; written like from. */
                to?: components["parameters"]["param_to"];
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["targets_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    revoke_token: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choice for this request, such as a UUID. If the same request comes again with the same key within a day, it gets the stored answer and changes nothing; the header Idempotent-Replayed marks it. Another request with the same key is refused with 422. */
                "Idempotency-Key"?: components["parameters"]["param_idempotency_key"];
            };
            path: {
                /** @description Id of the token, from token list. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The token no longer works. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Revoked"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_usage: {
        parameters: {
            query?: {
                /** @description First service hour: 2026-11-01, 2026-11-01T05:00 (in tz) or RFC 3339. */
                from?: components["parameters"]["param_from"];
                /** @description End of the window, exclusive; written like from. */
                to?: components["parameters"]["param_to"];
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["usage_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_variance: {
        parameters: {
            query?: {
                /** @description First service hour: 2026-11-01, 2026-11-01T05:00 (in tz) or RFC 3339. */
                from?: components["parameters"]["param_from"];
                /** @description End of the window, exclusive; written like from. */
                to?: components["parameters"]["param_to"];
                /** @description What the period is compared with: previous (the same length before; of whole months as many months), same_days (one month earlier) or a period such as 2026-10-01/2026-11-01. Only variance. */
                against?: components["parameters"]["param_against"];
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description Group keys, separated by commas. costs and chargeback take all of them, also tag:KEY and label:KEY; other datasets group their rows by the keys that they have. */
                group_by?: components["parameters"]["param_group_by"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["variance_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    list_views: {
        parameters: {
            query?: {
                /** @description Maximum number of entries; without it, all. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The views. `link` opens one; `start` marks your start page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedViews"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    save_view: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choice for this request, such as a UUID. If the same request comes again with the same key within a day, it gets the stored answer and changes nothing; the header Idempotent-Replayed marks it. Another request with the same key is refused with 422. */
                "Idempotency-Key"?: components["parameters"]["param_idempotency_key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ViewBody"];
            };
        };
        responses: {
            /** @description The view is saved; `link` opens it. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MadeView"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    delete_view: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choice for this request, such as a UUID. If the same request comes again with the same key within a day, it gets the stored answer and changes nothing; the header Idempotent-Replayed marks it. Another request with the same key is refused with 422. */
                "Idempotency-Key"?: components["parameters"]["param_idempotency_key"];
            };
            path: {
                /** @description Id of the view. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The view is deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Other"];
        };
    };
    get_waste: {
        parameters: {
            query?: {
                /** @description First service hour: 2026-11-01, 2026-11-01T05:00 (in tz) or RFC 3339. */
                from?: components["parameters"]["param_from"];
                /** @description End of the window, exclusive; written like from. */
                to?: components["parameters"]["param_to"];
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description Group keys, separated by commas. costs and chargeback take all of them, also tag:KEY and label:KEY; other datasets group their rows by the keys that they have. */
                group_by?: components["parameters"]["param_group_by"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["waste_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    get_workloads: {
        parameters: {
            query?: {
                /** @description First service hour: 2026-11-01, 2026-11-01T05:00 (in tz) or RFC 3339. */
                from?: components["parameters"]["param_from"];
                /** @description End of the window, exclusive; written like from. */
                to?: components["parameters"]["param_to"];
                /** @description IANA time zone of buckets and of times without an offset; UTC by default. */
                tz?: components["parameters"]["param_tz"];
                /** @description key = value, !=, <, <=, >, >=, [not] in (a, b), [not] like 'a%', is [not] null, joined by and, or, not and parentheses: texts, numbers (12.5), durations (90 or 2h), times (written like from). Conditions on keys choose rows before they are added up; conditions on measures choose rows of the answer. An empty string means no value. */
                filter?: components["parameters"]["param_filter"];
                /** @description effective, billed, list or contracted: the cost that orders rows and feeds ratios. */
                basis?: components["parameters"]["param_basis"];
                /** @description before: each owner's own cost; after: the cost of unheld time is passed on as the policy says. Only costs and postings; chargeback shows both. */
                sharing?: components["parameters"]["param_sharing"];
                /** @description Convert to this currency, such as EUR, by the stored rate of each service day (UTC); exchange_rates lists the rates used. An answer with an amount that no rate converts is refused (see currency-missing). Only costs and chargeback. */
                currency?: components["parameters"]["param_currency"];
                /** @description refuse: an amount that no rate converts refuses the answer, which lists the pairs and days without a rate; keep: the amount stays in separate rows in its own currency. */
                currency_missing?: components["parameters"]["param_currency_missing"];
                /** @description Columns, separated by commas; -column for descending. NULLs come last. */
                order?: components["parameters"]["param_order"];
                /** @description Maximum number of rows. */
                limit?: components["parameters"]["param_limit"];
                /** @description The ledger as it was at an instant, written like from. Only costs, before sharing; by owner, cause and node. */
                as_of?: components["parameters"]["param_as_of"];
                /** @description A closed period instead of the ledger: 2026-10 (all its accounts), ACCOUNT/2026-10 (the version that counts) or ACCOUNT/2026-10/2. Only costs. */
                statement?: components["parameters"]["param_statement"];
                /** @description as-was: owners as of the service hour. */
                org?: components["parameters"]["param_org"];
                /** @description With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula. */
                for_excel?: components["parameters"]["param_for_excel"];
                /** @description next_cursor of the previous page; json only. */
                cursor?: components["parameters"]["param_cursor"];
                /** @description Overrides the Accept header. */
                format?: components["parameters"]["param_format"];
            };
            header?: {
                /** @description respond-async: answer 202 with the address of a deferred query, and make the answer there. */
                Prefer?: components["parameters"]["param_prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["workloads_page"];
                    "application/vnd.apache.arrow.stream": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv; charset=utf-8": unknown;
                    "text/plain; charset=utf-8": unknown;
                };
            };
            /** @description The query is deferred, as Prefer asks; Location is its address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryStatus"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    remote_write: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-protobuf": unknown;
            };
        };
        responses: {
            /** @description All samples are stored. For 2.0, the X-Prometheus-Remote-Write-…-Written headers give the counts. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Other"];
        };
    };
    otlp_metrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
                "application/x-protobuf": unknown;
            };
        };
        responses: {
            /** @description Stored, except for the points that partial_success counts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                    "application/x-protobuf": unknown;
                };
            };
            default: components["responses"]["Other"];
        };
    };
}
