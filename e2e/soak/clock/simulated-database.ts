import { databaseOwnerNames, databaseOwners, ownershipOf } from '@looptide/backing/database/owners'
import { withClient } from '@looptide/backing/database/set-up'
import type { SimulatedClock } from './simulated-clock.ts'

/**
 * Makes `now()` return the simulated time for the services' roles in this database: a function of that name precedes
 * Postgres's own in their search path. `clock_timestamp()` stays real, because it decides about leases of real
 * processes. Call it before the migrations, whose column defaults are bound to the function found at that time.
 */
export async function simulateDatabaseClock(
  adminUrl: string,
  { fromMs, factor }: SimulatedClock,
): Promise<void> {
  await withClient(adminUrl, async (client) => {
    const database = client.escapeIdentifier(new URL(adminUrl).pathname.slice(1))
    await client.query('create schema simulated')
    await client.query('grant usage on schema simulated to public')
    await client.query(`
      create function simulated.from_real(at timestamptz) returns timestamptz language sql immutable as $$
        select case when at <= to_timestamp(${fromMs} / 1000.0) then at
          else to_timestamp(${fromMs} / 1000.0) + (at - to_timestamp(${fromMs} / 1000.0)) * ${factor} end $$`)
    for (const name of ['now', 'statement_timestamp', 'transaction_timestamp']) {
      await client.query(`
        create function simulated.${name}() returns timestamptz language sql stable as $$
          select simulated.from_real(pg_catalog.${name}()) $$`)
    }
    for (const owner of databaseOwnerNames) {
      const { role, schema } = databaseOwners[owner]
      await client.query(
        `alter role ${role} in database ${database} set search_path = ${schema}, simulated, pg_catalog, public`,
      )
    }
  })
}

/**
 * The same for column defaults of tables that another role owns: their migrations run with another search path. Call it
 * after the migrations.
 */
export async function simulateColumnDefaults(adminUrl: string): Promise<void> {
  const schemas = databaseOwnerNames
    .map(ownershipOf)
    .flatMap(({ schema, tableOwner }) => (tableOwner === undefined ? [] : [schema]))
  await withClient(adminUrl, async (client) => {
    const { rows } = await client.query<{ statement: string }>(
      `select format('alter table %s alter column %I set default simulated.now()', d.adrelid::regclass, a.attname)
         as statement
       from pg_attrdef d
       join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
       join pg_class c on c.oid = d.adrelid
       where c.relnamespace::regnamespace::text = any($1) and pg_get_expr(d.adbin, d.adrelid) = 'now()'`,
      [schemas],
    )
    for (const { statement } of rows) await client.query(statement)
  })
}
