import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '@looptide/backing/free-port'
import { repositoryRoot } from '@looptide/backing/paths'
import { newEventKeys } from '../../infra/cli/src/event-keys.ts'

const run = promisify(execFile)
const PLACEHOLDER = 'dev-only-change-me'

/** A container of the project. `state` as Docker reports it; `health` is empty without a health check. */
export interface Container {
  service: string
  state: string
  health: string
  exitCode: number
}

export interface ComposeProject {
  url: string
  mailUrl: string
  admin: { email: string; password: string }
  /** Runs `docker compose` with these arguments. Throws with its output. */
  compose: (...args: string[]) => Promise<string>
  /** As above, with the output on the terminal. */
  composeAloud: (...args: string[]) => Promise<void>
  /** All containers, including exited ones. */
  containers: () => Promise<Container[]>
  /** Number of automatic restarts of a service's container. */
  restartsOf: (service: string) => Promise<number>
}

/**
 * The station of docker-compose.yml as a separate Compose project: it shares no container, volume or port with others.
 * Settings are those of .env.example, with a random secret for every placeholder.
 */
export async function composeProject(name: string, folder: string): Promise<ComposeProject> {
  const [port, mailPort] = [await freePort(), await freePort()]
  const url = `http://127.0.0.1:${port}`
  const example = await readFile(join(repositoryRoot, '.env.example'), 'utf8')
  const settings = settingsFrom(example, {
    PORT: String(port),
    MAIL_WEB_PORT: String(mailPort),
    SITE_URL: url,
    // All clients have one IP.
    RATE_LIMIT_FACTOR: '100',
    ...newEventKeys(),
  })
  const envFile = join(folder, 'compose.env')
  await writeFile(envFile, settings.join('\n'), { mode: 0o600 })
  const settingOf = (key: string) =>
    settings.find((line) => line.startsWith(`${key}=`))?.slice(key.length + 1) ?? ''
  const words = ['compose', '--progress', 'quiet', '--project-name', name, '--env-file', envFile]
  // Settings of this shell would override those of the file.
  const ours = new Set(example.split('\n').map((line) => line.split('=')[0]))
  const env = Object.fromEntries(Object.entries(process.env).filter(([key]) => !ours.has(key)))
  const options = { cwd: repositoryRoot, env, maxBuffer: 64 << 20 }

  const compose = async (...args: string[]) => (await run('docker', [...words, ...args], options)).stdout
  return {
    url,
    mailUrl: `http://127.0.0.1:${mailPort}`,
    admin: { email: settingOf('LOOPTIDE_ADMIN_EMAIL'), password: settingOf('LOOPTIDE_ADMIN_PASSWORD') },
    compose,
    composeAloud: (...args) =>
      new Promise((resolve, reject) => {
        const child = spawn('docker', [...words, ...args], { ...options, stdio: 'inherit' })
        child.once('error', reject)
        child.once('exit', (code) =>
          code === 0 ? resolve() : reject(new Error(`docker compose ${args.join(' ')} ended with ${code}`)),
        )
      }),
    containers: async () =>
      (await compose('ps', '--all', '--format', 'json'))
        .split('\n')
        .filter(Boolean)
        .map(
          (line) => JSON.parse(line) as { Service: string; State: string; Health: string; ExitCode: number },
        )
        .map(({ Service, State, Health, ExitCode }) => ({
          service: Service,
          state: State,
          health: Health,
          exitCode: ExitCode,
        })),
    restartsOf: async (service) => {
      const id = (await compose('ps', '--quiet', service)).trim()
      return Number((await run('docker', ['inspect', '--format', '{{.RestartCount}}', id])).stdout)
    },
  }
}

/** The lines of .env.example with chosen values, and random secrets instead of the other placeholders. */
function settingsFrom(example: string, chosen: Readonly<Record<string, string>>): string[] {
  return example.split('\n').map((line) => {
    const [key = '', value = ''] = line.split('=')
    if (line.startsWith('#') || key === '') return line
    if (chosen[key] !== undefined) return `${key}=${chosen[key]}`
    return value.startsWith(PLACEHOLDER) ? `${key}=${randomBytes(24).toString('hex')}` : line
  })
}
