import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { nodeEnv } from '../base-env.ts'
import { repositoryRoot } from '../paths.ts'
import type { ProcessSpec } from '../process-spec.ts'

const keptMails = 1000
const PROGRAM = join(repositoryRoot, 'packages/backing/node_modules/maildev/dist/bin/maildev.js')

/** Receives the station's mail and shows it in a browser, on loopback only. */
export function maildevSpec(options: { dataDir: string; smtpPort: number; webPort: number }): ProcessSpec {
  const folder = join(options.dataDir, 'mail')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return {
    name: 'maildev',
    command: process.execPath,
    args: [
      PROGRAM,
      ...['--ip', '127.0.0.1', '--smtp', String(options.smtpPort)],
      ...['--web-ip', '127.0.0.1', '--web', String(options.webPort)],
      ...['--mail-directory', folder, '--max-emails', String(keptMails)],
    ],
    env: nodeEnv(),
    cwd: folder,
    ready: async () => {
      const response = await fetch(`http://127.0.0.1:${options.webPort}/api/healthz`, {
        signal: AbortSignal.timeout(2000),
      })
      if (!response.ok) throw new Error(`maildev answers ${response.status}`)
    },
    stopTimeoutMs: 3000,
  }
}
