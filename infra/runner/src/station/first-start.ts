import { randomBytes } from 'node:crypto'
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ServiceDefinition } from '../processes/services.ts'
import type { StationConfig } from './config.ts'

/**
 * Steps of the first start that this folder has seen completed, so that their programs do not run at every start. The
 * database itself contains which were done (`first_start_steps`), also before it was restored here.
 */
interface Milestones {
  adminCreated?: boolean
  seeded?: string[]
  /** Generated but not printed yet: after an interrupted start, the next one prints the same password. */
  pendingPassword?: string
}

/** The first admin's account, printed at the end of the first start. */
export interface AdminAccount {
  email: string
  password: string
  isGenerated: boolean
}

/** A program of a service that ends. */
export interface ServiceProgram {
  /** Relative to the service's folder. */
  file: string
  /** For error messages. */
  what: string
  args?: readonly string[]
  env?: Record<string, string>
}

interface FirstStart {
  config: StationConfig
  services: readonly ServiceDefinition[]
  /** Runs a program and returns its output. */
  run: (service: ServiceDefinition, program: ServiceProgram) => Promise<string>
}

const pathIn = (dataDir: string): string => join(dataDir, 'milestones.json')

/** After the data was replaced: the next start asks the database which steps were done. */
export const forgetFirstStart = (dataDir: string): void => rmSync(pathIn(dataDir), { force: true })

/** Stores the completed steps of the first start in the data folder, so that an interrupted start continues. */
class MilestoneFile {
  readonly #path: string

  constructor(dataDir: string) {
    this.#path = pathIn(dataDir)
  }

  read(): Milestones {
    try {
      return JSON.parse(readFileSync(this.#path, 'utf8')) as Milestones
    } catch {
      return {}
    }
  }

  reach(milestones: Milestones): void {
    const temporary = `${this.#path}.${process.pid}`
    writeFileSync(temporary, JSON.stringify({ ...this.read(), ...milestones }), { mode: 0o600 })
    renameSync(temporary, this.#path)
  }
}

/** The admin that the operator configured; missing parts are generated. */
function firstAdmin(
  email: string | undefined,
  password: string | undefined,
  pending: string | undefined,
): AdminAccount {
  return {
    email: email ?? 'admin@looptide.local',
    password: password ?? pending ?? randomBytes(12).toString('base64url'),
    isGenerated: password === undefined,
  }
}

/** Whether a service's part of the first start needs no running service. The scheduler's waits for its timelines. */
export const isPreparable = ({ name }: ServiceDefinition): boolean => name === 'auth' || name === 'catalogue'

/**
 * Creates the first admin and the demo content, unless this data has or had them already.
 *
 * @returns the admin's account on the start that created it
 */
export async function runFirstStart({
  config,
  services,
  run,
}: FirstStart): Promise<AdminAccount | undefined> {
  const file = new MilestoneFile(config.dataDir)
  const done = file.read()
  const seeded = done.seeded ?? []
  for (const service of services) {
    if (service.seed === undefined || seeded.includes(service.name)) continue
    await run(service, { file: service.seed, what: 'the demo content' })
    seeded.push(service.name)
    file.reach({ seeded })
  }
  // Last, so that an interrupted start has not already printed the password.
  const auth = services.find((service) => service.name === 'auth')
  if (done.adminCreated === true || auth === undefined) return undefined
  const admin = firstAdmin(config.adminEmail, config.adminPassword, done.pendingPassword)
  if (admin.isGenerated) file.reach({ pendingPassword: admin.password })
  const output = await run(auth, {
    file: 'src/create-admin.ts',
    what: 'the admin account',
    args: ['--first'],
    env: { LOOPTIDE_ADMIN_EMAIL: admin.email, LOOPTIDE_ADMIN_PASSWORD: admin.password },
  })
  file.reach({ adminCreated: true, pendingPassword: undefined })
  const { passwordSet } = JSON.parse(output.trim().split('\n').at(-1) ?? '{}') as { passwordSet?: boolean }
  // An interrupted start has set the pending password.
  return passwordSet === true || done.pendingPassword !== undefined ? admin : undefined
}
