import { findProgram, type ToolName } from '@looptide/runner/backing/programs'
import { baseEnv } from '@looptide/runner/base-env'
import { databaseOwnerNames, databaseOwners } from '@looptide/runner/database/owners'
import { unpackedRoot } from '@looptide/runner/paths'
import { runOnce } from '@looptide/runner/run-once'
import { fault } from '../exit-codes.ts'

/** The schemas that are ours, which are all that is dumped: extensions and roles are made by the set-up. */
export const schemas = databaseOwnerNames.map((owner) => databaseOwners[owner].schema)

const schemaOptions = schemas.map((schema) => `--schema=${schema}`)

/** Dumps all schemas as they are in the snapshot, in Postgres's custom format. */
export async function dump(databaseUrl: string, snapshotId: string, path: string): Promise<void> {
  await runTool('pg_dump', databaseUrl, [
    '--format=custom',
    `--snapshot=${snapshotId}`,
    '--no-password',
    ...schemaOptions,
    `--file=${path}`,
  ])
}

/** Fills the schemas, which are there and empty, from a dump: in one transaction, so all of it or nothing. */
export async function fill(databaseUrl: string, path: string): Promise<void> {
  await runTool('pg_restore', databaseUrl, [
    '--single-transaction',
    '--exit-on-error',
    '--no-password',
    ...schemaOptions,
    path,
  ])
}

/** The password goes by the environment: arguments can be read by everybody on the machine. */
async function runTool(name: ToolName, databaseUrl: string, args: readonly string[]): Promise<void> {
  const tool = findProgram(name, unpackedRoot)
  if (tool === undefined) {
    throw fault(
      `${name} is not on this machine: install the package "postgresql-client", as new as the server.`,
    )
  }
  const url = new URL(databaseUrl)
  const PGPASSWORD = decodeURIComponent(url.password)
  url.password = ''
  await runOnce({
    what: name,
    command: tool.path,
    args: [`--dbname=${url.href}`, ...args],
    env: { ...baseEnv(), ...tool.env, PGPASSWORD },
    cwd: '/',
    signal: new AbortController().signal,
  })
}
