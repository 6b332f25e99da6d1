import { withClient } from '@looptide/backing/database/set-up'
import type pg from 'pg'

/** Tables of auth whose rows give access, or are a step towards it. */
export const EMPTIED_TABLES = [
  'sessions',
  'personal_tokens',
  'one_time_tokens',
  'earlier_tokens',
  'auth_codes',
  'provider_flows',
  'device_grants',
  'factor_challenges',
  'signing_keys',
] as const

/** Columns of users with a pending change of the email, or with a mailed code that replaces the password. */
const CLEARED_COLUMNS = [
  'new_email',
  'email_change_sent_at',
  'email_change_agreed',
  'reauthentication_digest',
  'reauthentication_sent_at',
]

/** Rows that go in part: enrolments that were not finished, and queued mails with a link or a code. */
const DELETED_ROWS = [
  { table: 'factors', column: 'status', where: "status = 'unverified'" },
  { table: 'mail_outbox', column: 'slot', where: 'slot IS NOT NULL' },
]

/**
 * Ends all access that a restored database of auth gives without a new sign-in: what was revoked, used or cancelled
 * after the backup would be valid again. Issued access tokens become invalid with the signing keys; auth creates a new
 * key at its next start. Tables and columns that an older backup does not have are left out.
 */
export async function endAccess(databaseUrl: string): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    const columns = await readColumns(client)
    await client.query('BEGIN')
    for (const table of EMPTIED_TABLES) {
      if (columns.has(table)) await client.query(`DELETE FROM auth.${table}`)
    }
    for (const { table, column, where } of DELETED_ROWS) {
      if (columns.get(table)?.has(column) === true) {
        await client.query(`DELETE FROM auth.${table} WHERE ${where}`)
      }
    }
    const cleared = CLEARED_COLUMNS.filter((column) => columns.get('users')?.has(column))
    if (cleared.length > 0) {
      const changes = cleared.map((column) => `${column} = NULL`).join(', ')
      const pending = cleared.map((column) => `${column} IS NOT NULL`).join(' OR ')
      await client.query(`UPDATE auth.users SET ${changes} WHERE ${pending}`)
    }
    await client.query('COMMIT')
  })
}

/**
 * Deletes what only the secret of the backup decrypts and {@link endAccess} leaves: the check value, and queued mails. The
 * next start stores a new check value.
 */
export async function forgetSecret(databaseUrl: string): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    const columns = await readColumns(client)
    for (const table of ['secret_check', 'mail_outbox']) {
      if (columns.has(table)) await client.query(`DELETE FROM auth.${table}`)
    }
  })
}

/** The columns of each table of auth. */
async function readColumns(client: pg.Client): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const { rows } = await client.query<{ table: string; columns: string[] }>(
    `SELECT table_name AS "table", array_agg(column_name::text) AS columns
      FROM information_schema.columns WHERE table_schema = 'auth' GROUP BY table_name`,
  )
  return new Map(rows.map(({ table, columns }) => [table, new Set(columns)]))
}
