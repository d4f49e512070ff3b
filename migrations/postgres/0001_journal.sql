-- What the house keeps. Rows of record are added, never changed or deleted: each carries its place
-- in the tenant's hash chain, `position` and `link`, and a trigger refuses to touch it again.
-- A currency is written with its decimals where they are not the standard's: `EUR`, `EUR.3`.
--
-- Ids, and whatever else is sorted or ranged by, compare byte by byte, as they do in SQLite,
-- whatever the language of the server.

-- Where each tenant's chain ends. Locked by every transaction that adds rows of record, last of
-- all its locks; no row of record itself.
create table chain_head
(
    tenant   text collate "C" not null primary key,
    position bigint not null,
    link     text   not null
);

create table run
(
    run_id         text collate "C" not null primary key,
    tenant         text collate "C" not null,
    reconciliation text collate "C" not null,
    as_of          text collate "C" not null,
    attempt        bigint not null,
    started_at     text   not null,
    program        text   not null,
    rules_version  text   not null,
    status         bigint not null,
    complete       bigint not null constraint run_complete_yes_no check (complete in (0, 1)),
    agrees         bigint not null constraint run_agrees_yes_no check (agrees in (0, 1)),
    independent    text   not null,
    -- The whole result as JSON, in the store under this hash.
    result_sha256  text   not null,
    position       bigint not null,
    link           text   not null,
    constraint run_once_per_attempt unique (tenant, reconciliation, as_of, attempt),
    constraint run_once_per_position unique (tenant, position)
);

-- A file, with the first verdict on it.
create table file
(
    file_id        text collate "C" not null primary key,
    tenant         text collate "C" not null,
    reconciliation text collate "C" not null,
    run_id         text collate "C" not null constraint file_of_run references run deferrable initially deferred,
    side           text   not null constraint file_side_known check (side in ('ours', 'theirs')),
    sha256         text collate "C" not null,
    name           text   not null,
    format         text   not null,
    verdict        text   not null,
    explanation    text   not null,
    records        bigint not null,
    entries        bigint not null,
    rejects        bigint not null,
    -- The identities of its records, in the store under this hash; null where it is not in force.
    identities_sha256 text,
    position       bigint not null,
    link           text   not null,
    constraint file_once_per_side unique (tenant, reconciliation, side, sha256),
    constraint file_once_per_position unique (tenant, position)
);

-- What a file states of itself, one row for each statement in it.
create table statement
(
    file_id       text collate "C" not null constraint statement_of_file references file,
    number        bigint not null,
    tenant        text collate "C" not null,
    identity      text   not null,
    account       text   not null,
    currency      text,
    from_day      text,
    to_day        text,
    first_booking text,
    last_booking  text,
    opening_minor bigint,
    closing_minor bigint,
    sequence      bigint,
    -- The pages of it that the file holds, as a list in JSON; null where it does not come in pages.
    pages         text,
    copy          bigint not null constraint statement_copy_yes_no check (copy in (0, 1)),
    position      bigint not null,
    link          text   not null,
    constraint statement_once primary key (file_id, number),
    constraint statement_once_per_position unique (tenant, position)
);

-- Every file that came, also one that had come before: what was taken, what was not, and why.
create table arrival
(
    run_id   text collate "C" not null constraint arrival_of_run references run deferrable initially deferred,
    number   bigint not null,
    tenant   text collate "C" not null,
    file_id  text collate "C" not null constraint arrival_of_file references file,
    side     text   not null,
    name     text   not null,
    sha256   text   not null,
    verdict  text   not null,
    taken    bigint not null,
    left_out bigint not null,
    why      text   not null,
    position bigint not null,
    link     text   not null,
    constraint arrival_once primary key (run_id, number),
    constraint arrival_once_per_position unique (tenant, position)
);

-- The files a run rests on, in its order.
create table run_file
(
    run_id   text collate "C" not null constraint run_file_of_run references run deferrable initially deferred,
    number   bigint not null,
    tenant   text collate "C" not null,
    file_id  text collate "C" not null constraint run_file_of_file references file,
    position bigint not null,
    link     text   not null,
    constraint run_file_once primary key (run_id, number),
    constraint run_file_once_per_position unique (tenant, position)
);

-- A record that became no entry.
create table reject
(
    file_id      text collate "C" not null constraint reject_of_file references file,
    record       bigint not null,
    tenant       text collate "C" not null,
    run_id       text collate "C" not null,
    start_byte   bigint not null,
    length       bigint not null,
    reason       text   not null,
    field        text   not null,
    text         text   not null,
    expected     text   not null,
    account      text   not null,
    amount_minor bigint,
    currency     text,
    position     bigint not null,
    link         text   not null,
    constraint reject_once primary key (file_id, record),
    constraint reject_once_per_position unique (tenant, position)
);

-- One row for each identity, for ever, with what was first said of it and its entries then. No
-- foreign keys here and in the table below: a bad day brings hundreds of thousands of rows, all
-- written by one transaction that knows its run.
create table discrepancy
(
    discrepancy_id      text   not null primary key,
    tenant              text   not null,
    reconciliation      text   not null,
    leg                 text   not null,
    account             text   not null,
    key_scheme          text,
    key_text            text,
    intent_key          text   not null,
    first_seen          text   not null,
    run_id              text   not null,
    state               text   not null constraint discrepancy_state_known
        check (state in ('open', 'waiting', 'tolerated')),
    pairing             text   not null,
    reason              text   not null,
    currency            text   not null,
    amount_ours_minor   bigint,
    currency_theirs     text,
    amount_theirs_minor bigint,
    due_on              text,
    detail              text   not null,
    -- The evidence: each entry, where it was read and what it says, as a list in JSON.
    entries             text,
    position            bigint not null,
    link                text   not null,
    constraint discrepancy_once_per_position unique (tenant, position)
);

-- What was said of a discrepancy later, and from which run on: a row is added when something
-- changes, or when entries come to it that were read elsewhere.
create table discrepancy_history
(
    discrepancy_id      text   not null,
    -- From 2; the first is the discrepancy's own row.
    number              bigint not null,
    tenant              text   not null,
    run_id              text   not null,
    as_of               text   not null,
    state               text   not null constraint discrepancy_history_state_known
        check (state in ('open', 'waiting', 'tolerated', 'closed')),
    pairing             text,
    reason              text,
    currency            text,
    amount_ours_minor   bigint,
    currency_theirs     text,
    amount_theirs_minor bigint,
    due_on              text,
    detail              text,
    -- The entries that came to it.
    entries             text,
    position            bigint not null,
    link                text   not null,
    constraint discrepancy_history_once primary key (discrepancy_id, number),
    constraint discrepancy_history_once_per_position unique (tenant, position)
);

-- Everything that was ever said of a discrepancy, by number.
create view discrepancy_said as
select discrepancy_id, cast(1 as bigint) as number, run_id, first_seen as as_of, state, pairing, reason, currency,
       amount_ours_minor, currency_theirs, amount_theirs_minor, due_on, detail, entries
from discrepancy
union all
select discrepancy_id, number, run_id, as_of, state, pairing, reason, currency,
       amount_ours_minor, currency_theirs, amount_theirs_minor, due_on, detail, entries
from discrepancy_history;

-- A proposed repair of our books. Everything but its state is of record; the steps that changed
-- the state are in `correction_step`.
create table correction
(
    correction_id   text collate "C" not null primary key,
    tenant          text collate "C" not null,
    discrepancy_id  text collate "C" not null constraint correction_of_discrepancy references discrepancy,
    run_id          text collate "C" not null,
    correction_key  text collate "C" not null,
    intent_key      text collate "C" not null,
    form            text collate "C" not null,
    number          bigint not null,
    -- In every report a technical correction is told from a refund by this.
    class           text   not null constraint correction_class_known
        check (class = 'technical_correction'),
    underlying_kind text   not null,
    amount_minor    bigint not null,
    currency        text   not null,
    legs            text   not null,
    evidence        text   not null,
    repairs         text,
    narrative       text   not null,
    position        bigint not null,
    link            text   not null,
    state           text   not null constraint correction_state_known
        check (state in ('proposed', 'approved', 'posted', 'delivered', 'verified', 'rejected',
                         'withdrawn', 'void', 'expired')),
    constraint correction_once_per_key unique (tenant, correction_key),
    constraint correction_once_per_number unique (tenant, intent_key, form, number),
    constraint correction_once_per_position unique (tenant, position)
);

-- The last lines: whatever went wrong above, one discrepancy and one posting have one live
-- correction. Firing is a defect.
create unique index correction_live_per_discrepancy on correction (tenant, discrepancy_id)
    where state in ('proposed', 'approved', 'posted', 'delivered');
create unique index correction_live_per_posting on correction (tenant, intent_key, repairs)
    where repairs is not null and state in ('proposed', 'approved', 'posted', 'delivered');
create index correction_by_discrepancy on correction (discrepancy_id);

-- How a correction came to its state.
create table correction_step
(
    correction_id text collate "C" not null constraint correction_step_of_correction references correction,
    number        bigint not null,
    tenant        text collate "C" not null,
    run_id        text collate "C",
    state         text   not null,
    why           text   not null,
    position      bigint not null,
    link          text   not null,
    constraint correction_step_once primary key (correction_id, number),
    constraint correction_step_once_per_position unique (tenant, position)
);

-- An opening difference that a named person signed off. Of an account whose books were put right
-- another one may be signed later; the newest holds.
create table opening
(
    opening_id       text collate "C" not null primary key,
    tenant           text collate "C" not null,
    reconciliation   text collate "C" not null,
    account          text collate "C" not null,
    currency         text collate "C" not null,
    number           bigint not null,
    difference_minor bigint not null,
    accepted_by      text   not null,
    accepted_at      text   not null,
    why              text   not null,
    position         bigint not null,
    link             text   not null,
    constraint opening_once_per_number unique (tenant, reconciliation, account, currency, number),
    constraint opening_once_per_position unique (tenant, position)
);

create function refuse_change() returns trigger language plpgsql as
$$
begin
    raise exception 'rows of record are only added: %', tg_table_name;
end;
$$;

create trigger run_is_not_changed before update or delete or truncate on run
    execute function refuse_change();
create trigger file_is_not_changed before update or delete or truncate on file
    execute function refuse_change();
create trigger statement_is_not_changed before update or delete or truncate on statement
    execute function refuse_change();
create trigger arrival_is_not_changed before update or delete or truncate on arrival
    execute function refuse_change();
create trigger run_file_is_not_changed before update or delete or truncate on run_file
    execute function refuse_change();
create trigger reject_is_not_changed before update or delete or truncate on reject
    execute function refuse_change();
create trigger discrepancy_is_not_changed before update or delete or truncate on discrepancy
    execute function refuse_change();
create trigger discrepancy_history_is_not_changed before update or delete or truncate on discrepancy_history
    execute function refuse_change();
create trigger correction_step_is_not_changed before update or delete or truncate on correction_step
    execute function refuse_change();
create trigger opening_is_not_changed before update or delete or truncate on opening
    execute function refuse_change();
create trigger correction_is_not_changed before update of
        correction_id, tenant, discrepancy_id, run_id, correction_key, intent_key, form,
        number, class, underlying_kind, amount_minor, currency, legs, evidence, repairs,
        narrative, position, link
    on correction execute function refuse_change();
create trigger correction_is_not_deleted before delete or truncate on correction
    execute function refuse_change();
