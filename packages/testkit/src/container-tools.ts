import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const TOOLS = ['pg_dump', 'pg_restore'] as const

/**
 * Postgres's tools as new as the server of the containers, whatever this machine has: scripts that run them in its
 * image, which sees the machine's loopback and its temporary folder. Set as POSTGRES_BIN.
 *
 * @returns what takes them away again
 */
export async function useContainerTools(image: string): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'looptide-postgres-tools-'))
  // The tools are run with as little environment as they need, which the engine's address is not part of.
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
