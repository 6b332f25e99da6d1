import pg from 'pg'
import type { DatabaseOwnership } from './owners.ts'

type Separated = DatabaseOwnership & Required<Pick<DatabaseOwnership, 'tableOwner'>>

/** Whether the tables belong to another role than the service's. */
export const isSeparated = (ownership: DatabaseOwnership): ownership is Separated =>
  ownership.tableOwner !== undefined

/** A running release may hold locks on the tables: fail and be run again rather than block it. */
const LOCK_TIMEOUT = '3s'

/** Creates the role that owns the schema of a service that must not change its own tables. */
export async function createTableOwner(client: pg.Client, { tableOwner }: Separated): Promise<void> {
  const existing = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [tableOwner])
  if (existing.rowCount === 0) await client.query(`CREATE ROLE ${tableOwner} NOLOGIN`)
  await client.query(`GRANT ${tableOwner} TO CURRENT_USER`)
}

/**
 * Makes the table owner the owner of the schema. Tables that its migrations create give the service's role access to the
 * rows, which a migration narrows: nothing is granted on existing tables, since it would undo that. Only a database of a
 * release before this separation, or one restored from its backup, is converted; its tables have not been narrowed yet.
 */
export async function separateRoles(client: pg.Client, ownership: Separated): Promise<void> {
  const { schema, role, tableOwner } = ownership
  if (await ownsRelations(client, schema, role)) await convert(client, ownership)
  await client.query(`GRANT USAGE ON SCHEMA ${schema} TO ${role}`)
  const forRole = `ALTER DEFAULT PRIVILEGES FOR ROLE ${tableOwner} IN SCHEMA ${schema}`
  await client.query(`${forRole} GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO ${role}`)
  await client.query(`${forRole} GRANT USAGE, SELECT ON SEQUENCES TO ${role}`)
}

async function ownsRelations(client: pg.Client, schema: string, role: string): Promise<boolean> {
  const { rows } = await client.query<{ owns: boolean }>(
    `SELECT EXISTS (
       SELECT FROM pg_namespace n LEFT JOIN pg_class c ON c.relnamespace = n.oid
       WHERE n.nspname = $1
         AND (pg_get_userbyid(n.nspowner) = $2 OR pg_get_userbyid(c.relowner) = $2)) AS owns`,
    [schema, role],
  )
  return rows[0]?.owns === true
}

/** Transfers what the service's role owns to the table owner, and grants the role the rights it had as the owner. */
async function convert(
  client: pg.Client,
  { schema, role, tableOwner, appendOnly = [] }: Separated,
): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    'SELECT tablename AS name FROM pg_tables WHERE schemaname = $1 AND tableowner = $2 ORDER BY tablename',
    [schema, role],
  )
  await client.query(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`)
  await client.query(`REASSIGN OWNED BY ${role} TO ${tableOwner}`)
  for (const { name } of rows) {
    const rights = appendOnly.includes(name) ? 'SELECT, INSERT' : 'SELECT, INSERT, UPDATE, DELETE'
    await client.query(`GRANT ${rights} ON ${schema}.${pg.escapeIdentifier(name)} TO ${role}`)
  }
  await client.query(`GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA ${schema} TO ${role}`)
}
