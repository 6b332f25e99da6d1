import pg from 'pg'
import {
  type DatabaseOwner,
  databaseOwnerNames,
  databaseOwners,
  ownershipOf,
  type RolePasswords,
} from './owners.ts'
import { createTableOwner, isSeparated, separateRoles } from './table-owner.ts'

const extensions = ['pg_trgm', 'btree_gist'] as const

/**
 * Prepares `database` on the server of `adminUrl` for the migrations: roles with passwords, one schema each,
 * extensions, and no other permissions. Idempotent.
 *
 * @returns the administrator's URL of that database
 */
export async function setUpDatabase(options: {
  adminUrl: string
  database: string
  passwords: RolePasswords
}): Promise<string> {
  await withClient(options.adminUrl, (client) => createDatabase(client, options.database))
  const url = withDatabase(options.adminUrl, options.database)
  await withClient(url, async (client) => {
    await client.query('BEGIN')
    // Two concurrent starts must not both run CREATE ROLE, which has no IF NOT EXISTS.
    await client.query("SELECT pg_advisory_xact_lock(hashtext('looptide-set-up'))")
    await client.query('REVOKE CREATE ON SCHEMA public FROM PUBLIC')
    await client.query(`REVOKE ALL ON DATABASE ${pg.escapeIdentifier(options.database)} FROM PUBLIC`)
    for (const extension of extensions) {
      await client.query(`CREATE EXTENSION IF NOT EXISTS ${extension} SCHEMA public`)
    }
    for (const owner of databaseOwnerNames) {
      await setUpOwner(client, owner, options.database, options.passwords[owner])
    }
    await client.query('COMMIT')
  })
  return url
}

/** The URL with which `owner` connects to `database`, with host and port of `adminUrl`. */
export function ownerUrl(adminUrl: string, database: string, owner: DatabaseOwner, password: string): string {
  const url = new URL(withDatabase(adminUrl, database))
  url.username = databaseOwners[owner].role
  url.password = password
  return url.href
}

/** The URL for the migrations of `owner`: its own, or the administrator's with the role that owns the tables. */
export function migrationUrl(
  adminUrl: string,
  database: string,
  owner: DatabaseOwner,
  password: string | undefined,
): string {
  const ownership = ownershipOf(owner)
  if (!isSeparated(ownership) && password !== undefined) return ownerUrl(adminUrl, database, owner, password)
  const url = new URL(withDatabase(adminUrl, database))
  url.searchParams.set(
    'options',
    `-c role=${ownership.tableOwner ?? ownership.role} -c search_path=${ownership.schema},public -c jit=off`,
  )
  return url.href
}

/** `url` with another database in its path. */
export function withDatabase(url: string, database: string): string {
  const changed = new URL(url)
  changed.pathname = `/${database}`
  return changed.href
}

/** Runs `work` on one connection, which is always closed. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  // A connection that breaks while idle is reported by the next query.
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function createDatabase(client: pg.Client, database: string): Promise<void> {
  const existing = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [database])
  if (existing.rowCount === 0) {
    await client.query(`CREATE DATABASE ${pg.escapeIdentifier(database)} TEMPLATE template0 ENCODING 'UTF8'`)
  }
}

async function setUpOwner(client: pg.Client, owner: DatabaseOwner, database: string, password?: string) {
  const ownership = ownershipOf(owner)
  const { role, schema } = ownership
  const existing = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [role])
  // A new role is neither superuser nor may it create anything. Stating this for an existing role requires a
  // superuser, which the administrator of a hosted Postgres is not.
  const verb = existing.rowCount === 0 ? 'CREATE' : 'ALTER'
  const login = password === undefined ? 'NOLOGIN' : `LOGIN PASSWORD ${pg.escapeLiteral(password)}`
  await client.query(`${verb} ROLE ${role} ${login}`)
  // A hosted Postgres has no superuser: to give a schema to a role, the administrator must be a member of it.
  await client.query(`GRANT ${role} TO CURRENT_USER`)
  await client.query(`GRANT CONNECT, TEMPORARY ON DATABASE ${pg.escapeIdentifier(database)} TO ${role}`)
  if (isSeparated(ownership)) await createTableOwner(client, ownership)
  await client.query(`CREATE SCHEMA IF NOT EXISTS ${schema} AUTHORIZATION ${ownership.tableOwner ?? role}`)
  if (isSeparated(ownership)) await separateRoles(client, ownership)
  // `public` contains the operators of extensions; no role may create anything in it.
  await client.query(`ALTER ROLE ${role} SET search_path = ${schema}, public`)
  // Our queries take milliseconds, JIT compilation takes tens (a search: 52 ms with it, 7 ms without).
  await client.query(`ALTER ROLE ${role} SET jit = off`)
}
