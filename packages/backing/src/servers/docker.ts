import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { baseEnv } from '../base-env.ts'
import type { ProcessSpec } from '../process-spec.ts'

/** A store that Docker runs in the foreground, so that it is supervised like any other process. */
export interface Container {
  name: string
  image: string
  dataDir: string
  /** Data folder inside the container. */
  mountAt: string
  port: number
  innerPort: number
  /** Passed by name only, so that no secret appears in the process list. */
  env?: Record<string, string>
  mounts?: readonly string[]
  args?: readonly string[]
  ready: () => Promise<void>
}

/** The supervised process `docker run`. The data is in a named volume. */
export function containerSpec(container: Container): ProcessSpec {
  const key = createHash('sha256').update(container.dataDir).digest('hex').slice(0, 12)
  const name = `looptide-${key}-${container.name}`
  const env = container.env ?? {}
  return {
    name: container.name,
    command: 'docker',
    args: [
      'run',
      '--rm',
      '--name',
      name,
      '--publish',
      `127.0.0.1:${container.port}:${container.innerPort}`,
      '--volume',
      `${name}:${container.mountAt}`,
      ...(container.mounts ?? []).flatMap((mount) => ['--volume', mount]),
      ...Object.keys(env).flatMap((variable) => ['--env', variable]),
      container.image,
      ...(container.args ?? []),
    ],
    env: { ...baseEnv(), ...env },
    cwd: '/',
    ready: container.ready,
    // A container outlives a killed client; its name identifies it as ours.
    prepare: async () => {
      spawnSync('docker', ['rm', '--force', name], { stdio: 'ignore' })
    },
  }
}
