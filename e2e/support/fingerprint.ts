import { databaseOwnerNames, databaseOwners } from '@looptide/backing/database/owners'
import { withClient } from '@looptide/backing/database/set-up'

/**
 * Tables that change without requests: leaders renew their leases, published events are deleted after some minutes, and what
 * viewers do during a programme is counted every few seconds.
 */
const LIVING = ['leases', 'published_events', 'airings']

/** Every table and sequence of every service, with its number of rows and a digest of all that is in them. */
export async function fingerprint(databaseUrl: string): Promise<Record<string, string>> {
  const schemas = databaseOwnerNames.map((owner) => databaseOwners[owner].schema)
  return withClient(databaseUrl, async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = any($1) and tablename <> all($2) order by 1`,
      [schemas, LIVING],
    )
    const found: Record<string, string> = {}
    for (const { name } of tables) {
      const { rows } = await client.query<{ print: string }>(
        `select count(*) || ' rows, ' || coalesce(md5(string_agg(t::text, ',' order by t::text)), 'empty') as print from ${name} t`,
      )
      found[name] = rows[0]?.print ?? ''
    }
    const { rows: sequences } = await client.query<{ name: string; last: string }>(
      `select format('%I.%I', schemaname, sequencename) as name, coalesce(last_value::text, 'unused') as last
       from pg_sequences where schemaname = any($1)`,
      [schemas],
    )
    for (const { name, last } of sequences) found[name] = last
    return found
  })
}
