import { startPostgres, testPostgresVariable } from './postgres.ts'

/** Runs once per test run: one Postgres for every integration test file. */
export async function setup(): Promise<() => Promise<void>> {
  const postgres = await startPostgres()
  process.env[testPostgresVariable] = postgres.url
  return () => postgres.stop()
}
