import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hasDocker } from './backing.ts'
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

const TOOLS = ['pg_dump', 'pg_restore'] as const

/**
 * Creates scripts that run Postgres's tools in the server's image, so that their version fits the server. The container
 * uses the host's network and temporary folder. Sets POSTGRES_BIN.
 *
 * @returns a function that removes the scripts
 */
async function useContainerTools(image: string): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'looptide-postgres-tools-'))
  // The tools get a minimal environment, without the engine's address.
  const engine = process.env.DOCKER_HOST ? `DOCKER_HOST='${process.env.DOCKER_HOST}' ` : ''
  const mount = `--volume '${tmpdir()}:${tmpdir()}'`
  for (const tool of TOOLS) {
    const path = join(folder, tool)
    const options = `--rm --network host --env PGPASSWORD --user "$(id -u):$(id -g)" ${mount}`
    await writeFile(path, `#!/bin/sh\n${engine}exec docker run ${options} ${image} ${tool} "$@"\n`)
    await chmod(path, 0o755)
  }
  process.env.POSTGRES_BIN = folder
  return async () => {
    delete process.env.POSTGRES_BIN
    await rm(folder, { recursive: true, force: true })
  }
}
