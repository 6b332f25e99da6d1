import { rm } from 'node:fs/promises'
import { hasDocker } from './backing.ts'
import { useContainerTools } from './container-tools.ts'
import { createProvisionedStore, testStoreVariable } from './nats.ts'
import { POSTGRES_IMAGE, startPostgres, testPostgresVariable } from './postgres.ts'

/**
 * Runs once per test run: one Postgres for all integration test files, tools of its version, and a store with all streams
 * that every NATS server copies.
 */
export async function setup(): Promise<() => Promise<void>> {
  const removeTools = hasDocker() ? await useContainerTools(POSTGRES_IMAGE) : async () => undefined
  const [postgres, store] = await Promise.all([
    startPostgres(),
    hasDocker() ? undefined : createProvisionedStore(),
  ])
  process.env[testPostgresVariable] = postgres.url
  if (store !== undefined) process.env[testStoreVariable] = store
  return async () => {
    await postgres.stop()
    if (store !== undefined) await rm(store, { recursive: true, force: true })
    await removeTools()
  }
}
