//! The schema as it lies in the database, held against the one that the migrations make.
//!
//! Triggers, indexes, checks and views guard what the hash chain cannot see: a trigger that is gone
//! lets rows be changed, a view that was replaced shows what was never written.

use std::collections::BTreeMap;

use sqlx::{AnyConnection, AssertSqlSafe, Connection as _, any::AnyRow};

use crate::journal::{
    Dialect, Journal, JournalError,
    column::{get, get_if},
    connect,
};

/// Everything that the schema of SQLite consists of, as it was written.
const SQLITE: [&str; 1] = ["
    select type as kind, tbl_name as relation, name, sql as definition from sqlite_master
    where sql is not null and name not like 'sqlite%' and name <> '_sqlx_migrations'"];

/// The schema of PostgreSQL that the journal lies in.
const NAMESPACE: [&str; 1] = ["
    select cast(relnamespace as text) as namespace from pg_class
    where oid = to_regclass('_sqlx_migrations')"];

/// The same for what a session made for itself.
const SCRATCH: [&str; 1] = ["select cast(pg_my_temp_schema() as text) as namespace"];

/// Everything that a schema of PostgreSQL consists of, as the server tells it.
const POSTGRES: [&str; 1] = [r"
    with relation as (
        select oid, relkind, cast(relname as text) as name, relrowsecurity, relforcerowsecurity,
               relpersistence
        from pg_class where relnamespace = cast($1 as oid) and relkind in ('r', 'p', 'v', 'm', 'f')
    )
    select case r.relkind when 'v' then 'view' else 'table' end as kind, r.name as relation,
           r.name as name,
           concat_ws(' ', cast(r.relkind as text), r.relrowsecurity, r.relforcerowsecurity,
                     r.relpersistence = 'u',
                     case when r.relkind = 'v' then pg_get_viewdef(r.oid, true) end,
                     (select string_agg(concat_ws(' ', a.attname, format_type(a.atttypid, a.atttypmod),
                                                  a.attnotnull, l.collname,
                                                  pg_get_expr(d.adbin, d.adrelid)),
                                        ', ' order by a.attnum)
                      from pg_attribute a
                      left join pg_collation l on l.oid = a.attcollation
                      left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
                      where a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped)) as definition
    from relation r
    union all
    select 'constraint', r.name, cast(c.conname as text),
           concat_ws(' ', pg_get_constraintdef(c.oid, true), c.convalidated,
                     (select bool_or(t.tgenabled <> 'O') from pg_trigger t
                      where t.tgconstraint = c.oid))
    from relation r join pg_constraint c on c.conrelid = r.oid
    union all
    select 'index', r.name, cast(i.relname as text),
           concat_ws(' ', pg_get_indexdef(x.indexrelid, 0, true), x.indisvalid)
    from relation r join pg_index x on x.indrelid = r.oid join pg_class i on i.oid = x.indexrelid
    union all
    select 'trigger', r.name, cast(t.tgname as text),
           concat_ws(' ', pg_get_triggerdef(t.oid, true), cast(t.tgenabled as text))
    from relation r join pg_trigger t on t.tgrelid = r.oid where not t.tgisinternal
    union all
    select 'rule', r.name, cast(w.rulename as text), pg_get_ruledef(w.oid, true)
    from relation r join pg_rewrite w on w.ev_class = r.oid where w.rulename <> '_RETURN'
    union all
    select 'policy', r.name, cast(p.polname as text), pg_get_expr(p.polqual, p.polrelid)
    from relation r join pg_policy p on p.polrelid = r.oid
    union all
    select 'function', '', cast(f.proname as text),
           concat_ws(' ', pg_get_function_identity_arguments(f.oid), f.prosrc, f.prosecdef,
                     cast(f.proconfig as text))
    from pg_proc f where f.pronamespace = cast($1 as oid)"];

/// Makes a session of PostgreSQL build for itself: seen by nobody and gone with it.
const APART: [&str; 1] = ["set local search_path to pg_temp"];

/// The parts of a schema: what each is called, the table or view it belongs to, how it was made.
type Parts = BTreeMap<String, Part>;

struct Part {
    relation: String,
    definition: Option<String>,
}

impl Journal {
    /// What of the schema is missing, was changed, or was added by another hand, each as a
    /// sentence. Nothing is changed: what it is held against is made in memory, or in a transaction
    /// that is rolled back.
    pub async fn schema_faults(&self) -> Result<Vec<String>, JournalError> {
        let (found, made) = match self.dialect {
            Dialect::Sqlite => self.sqlite_parts().await?,
            Dialect::Postgres => self.postgres_parts().await?,
        };
        let mut faults = Vec::new();
        for (name, part) in &made {
            match found.get(name) {
                None => faults.push(format!("{name} is missing")),
                Some(it) if it.definition != part.definition => {
                    faults.push(format!("{name} is not as it was made"));
                }
                Some(_) => {}
            }
        }
        let added = found.iter().filter(|(name, _)| !made.contains_key(*name));
        // A schema of PostgreSQL may hold what others keep in it; SQLite's file is the journal's.
        let ours = |part: &Part| {
            self.dialect == Dialect::Sqlite || made.values().any(|it| it.relation == part.relation)
        };
        let added = added.filter(|(_, part)| ours(part));
        faults.extend(added.map(|(name, _)| format!("{name} was not made by this program")));
        Ok(faults)
    }

    async fn sqlite_parts(&self) -> Result<(Parts, Parts), JournalError> {
        let found = sqlx::query(SQLITE[0]).fetch_all(&self.pool).await?;
        let mut fresh = AnyConnection::connect("sqlite::memory:").await?;
        sqlx::raw_sql(AssertSqlSafe(connect::schema(self.dialect))).execute(&mut fresh).await?;
        let made = sqlx::query(SQLITE[0]).fetch_all(&mut fresh).await?;
        fresh.close().await?;
        Ok((parts(&found, "")?, parts(&made, "")?))
    }

    async fn postgres_parts(&self) -> Result<(Parts, Parts), JournalError> {
        let mut transaction = self.pool.begin_with("begin read write").await?;
        let namespace = sqlx::query(NAMESPACE[0]).fetch_one(&mut *transaction).await?;
        let found = sqlx::query(POSTGRES[0]).bind(get(&namespace, "namespace")?);
        let found = parts(&found.fetch_all(&mut *transaction).await?, "")?;
        sqlx::raw_sql(APART[0]).execute(&mut *transaction).await?;
        // A function that a session made for itself is found by its whole name alone.
        let schema =
            connect::schema(self.dialect).replace(" refuse_change(", " pg_temp.refuse_change(");
        sqlx::raw_sql(AssertSqlSafe(schema)).execute(&mut *transaction).await?;
        let scratch = sqlx::query(SCRATCH[0]).fetch_one(&mut *transaction).await?;
        let made = sqlx::query(POSTGRES[0]).bind(get(&scratch, "namespace")?);
        let made = parts(&made.fetch_all(&mut *transaction).await?, "pg_temp")?;
        transaction.rollback().await?;
        Ok((found, made))
    }
}

/// Parts by what they are called. Names of the schema itself are left out of their definitions.
fn parts(rows: &[AnyRow], schema: &str) -> Result<Parts, JournalError> {
    let mut parts = Parts::new();
    for row in rows {
        let (kind, name) = (get(row, "kind")?, get(row, "name")?);
        let relation = get(row, "relation")?;
        let of = if relation == name || relation.is_empty() {
            String::new()
        } else {
            format!(" of `{relation}`")
        };
        let definition = get_if(row, "definition")?.map(|it| unqualified(&it, schema));
        parts.insert(format!("{kind} `{name}`{of}"), Part { relation, definition });
    }
    Ok(parts)
}

/// A definition without the names `pg_temp.` and `pg_temp_7.` of the schema that it is in.
fn unqualified(definition: &str, schema: &str) -> String {
    if schema.is_empty() {
        return definition.to_owned();
    }
    let mut pieces = definition.split(schema);
    let mut plain = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let number = |it: char| it == '_' || it.is_ascii_digit();
        plain += piece.trim_start_matches(number).trim_start_matches('.');
    }
    plain
}
