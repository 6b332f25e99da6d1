import { randomBytes } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What has been done once for this data and is not done again. */
export type Milestones = { adminCreated?: boolean; seeded?: string[] }

/** The first admin's account, as told at the end of the first start. */
export type AdminAccount = { email: string; password: string; madeUp: boolean }

/** Remembers in the data folder what the first start has done, step by step: one that was cut short goes on. */
export class MilestoneFile {
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
    writeFileSync(temporary, JSON.stringify({ ...this.read(), ...milestones }))
    renameSync(temporary, this.#path)
  }
}

/** The admin the operator named, with what they left open made up. */
export function firstAdmin(email: string | undefined, password: string | undefined): AdminAccount {
  return {
    email: email ?? 'admin@looptide.local',
    password: password ?? randomBytes(12).toString('base64url'),
    madeUp: password === undefined,
  }
}
