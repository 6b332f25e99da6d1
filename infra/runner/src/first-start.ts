import { randomBytes } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { StationConfig } from './config.ts'
import type { ServiceDefinition } from './services.ts'

/** What has been done once for this data and is not done again. */
type Milestones = {
  adminCreated?: boolean
  seeded?: string[]
  /** Made up and not told yet: a start that is cut short tells the same one next time. */
  untoldPassword?: string
}

/** The first admin's account, as told at the end of the first start. */
export type AdminAccount = { email: string; password: string; madeUp: boolean }

type FirstStart = {
  config: StationConfig
  services: readonly ServiceDefinition[]
  run: (
    service: ServiceDefinition,
    program: string,
    what: string,
    env?: Record<string, string>,
  ) => Promise<void>
}

/** Remembers in the data folder what the first start has done, step by step: one that was cut short goes on. */
class MilestoneFile {
  readonly #path: string

  constructor(dataDir: string) {
    this.#path = join(dataDir, 'milestones.json')
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

/** The admin the operator named, with what they left open made up. */
function firstAdmin(
  email: string | undefined,
  password: string | undefined,
  untold: string | undefined,
): AdminAccount {
  return {
    email: email ?? 'admin@looptide.local',
    password: password ?? untold ?? randomBytes(12).toString('base64url'),
    madeUp: password === undefined,
  }
}

/**
 * Makes the first admin and the demo station, unless this data has them already.
 *
 * @returns the admin's account on the start that made it
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
    await run(service, service.seed, 'the demo content')
    seeded.push(service.name)
    file.reach({ seeded })
  }
  // Last, so that a start that is cut short has not used up the one showing of the password.
  const auth = services.find((service) => service.name === 'auth')
  if (done.adminCreated === true || auth === undefined) return undefined
  const admin = firstAdmin(config.adminEmail, config.adminPassword, done.untoldPassword)
  if (admin.madeUp) file.reach({ untoldPassword: admin.password })
  await run(auth, 'src/create-admin.ts', 'making the admin account', {
    LOOPTIDE_ADMIN_EMAIL: admin.email,
    LOOPTIDE_ADMIN_PASSWORD: admin.password,
  })
  file.reach({ adminCreated: true, untoldPassword: undefined })
  return admin
}
