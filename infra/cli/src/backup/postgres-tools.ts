import { baseEnv } from '@looptide/backing/base-env'
import { databaseOwnerNames, databaseOwners } from '@looptide/backing/database/owners'
import { unpackedRoot } from '@looptide/backing/paths'
import { findProgram, type ToolName } from '@looptide/backing/programs/programs'
import { runOnce } from '@looptide/runner/processes/run-once'
import { fault } from '../exit-codes.ts'

/** Our schemas, which alone are dumped: the set-up creates extensions and roles. */
export const schemas = databaseOwnerNames.map((owner) => databaseOwners[owner].schema)

const schemaOptions = schemas.map((schema) => `--schema=${schema}`)

/** Dumps all schemas of the snapshot, in Postgres's custom format. */
export async function dump(databaseUrl: string, snapshotId: string, path: string): Promise<void> {
  await runTool('pg_dump', databaseUrl, [
    '--format=custom',
    `--snapshot=${snapshotId}`,
    '--no-password',
    ...schemaOptions,
    `--file=${path}`,
  ])
}

/** The rows of one table of a dump, in the format of COPY; empty if the dump does not have the table. */
export async function readTable(path: string, schema: string, table: string): Promise<string> {
  return runTool('pg_restore', undefined, [
    '--data-only',
    `--schema=${schema}`,
    `--table=${table}`,
    '--file=-',
    path,
  ])
}

/** Fills the existing, empty schemas from a dump, in one transaction. */
export async function fill(databaseUrl: string, path: string): Promise<void> {
  await runTool('pg_restore', databaseUrl, [
    '--single-transaction',
    '--exit-on-error',
    '--no-password',
    ...schemaOptions,
    path,
  ])
}

/**
 * Runs a tool of Postgres, on a database if its URL is given, and returns its output. The password is in the environment,
 * since arguments are readable by all users.
 */
async function runTool(
  name: ToolName,
  databaseUrl: string | undefined,
  args: readonly string[],
): Promise<string> {
  const tool = findProgram(name, unpackedRoot)
  if (tool === undefined) {
    throw fault(
      `${name} is not installed: install the package "postgresql-client" in the version of the server or newer.`,
    )
  }
  const connection = databaseUrl === undefined ? { args: [], env: {} } : connectionOf(databaseUrl)
  return runOnce({
    what: name,
    command: tool.path,
    args: [...connection.args, ...args],
    env: { ...baseEnv(), ...tool.env, ...connection.env },
    cwd: '/',
    signal: new AbortController().signal,
  })
}

function connectionOf(databaseUrl: string): { args: string[]; env: Record<string, string> } {
  const url = new URL(databaseUrl)
  const PGPASSWORD = decodeURIComponent(url.password)
  url.password = ''
  return { args: [`--dbname=${url.href}`], env: { PGPASSWORD } }
}
