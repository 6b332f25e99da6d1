import { hasDocker } from './backing.ts'
import { useContainerTools } from './container-tools.ts'
import { POSTGRES_IMAGE, startPostgres, testPostgresVariable } from './postgres.ts'

/** Runs once per test run: one Postgres for all integration test files, and tools of its version. */
export async function setup(): Promise<() => Promise<void>> {
  const removeTools = hasDocker() ? await useContainerTools(POSTGRES_IMAGE) : async () => undefined
  const postgres = await startPostgres()
  process.env[testPostgresVariable] = postgres.url
  return async () => {
    await postgres.stop()
    await removeTools()
  }
}
