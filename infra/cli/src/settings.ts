import { join } from 'node:path'
import { natsPasswordVariable } from '@looptide/runner/backing/nats-config'
import { STREAM_ADMIN } from '@looptide/runner/backing/nats-permissions'
import { readConfig } from '@looptide/runner/config'
import { type DatabaseOwner, databaseOwnerNames } from '@looptide/runner/database/owners'
import { readSecrets } from '@looptide/runner/secrets'
import { readStationFile } from '@looptide/runner/station-file'
import { type Env, EnvReader } from '@looptide/service-kit/env'
import { usageError } from './exit-codes.ts'

/** Where the station is and what opens it. What is undefined was neither set nor found; see the functions below. */
export interface Settings {
  /** The door. */
  url: string | undefined
  token: string | undefined
  email: string | undefined
  password: string | undefined
  /** The administrator's address of the station's database. */
  databaseUrl: string | undefined
  databasePasswords: Partial<Record<DatabaseOwner, string>>
  natsUrl: string | undefined
  /** The stream administrator's. */
  natsPassword: string | undefined
  authKeySecret: string | undefined
  /** While the key secret is being changed. */
  previousAuthKeySecret?: string | undefined
  /** The folder of a station started with `npm start`, running or not. */
  dataDir: string
  /** The settings come from the environment alone: the station runs elsewhere, in containers. */
  isRemote: boolean
}

/**
 * The environment's settings, by the names that the services know them by; what it leaves open is taken from the
 * station that was started with `npm start` on this machine.
 */
export async function readSettings(env: Env): Promise<Settings> {
  const reader = new EnvReader(env)
  const { dataDir } = readConfig(env)
  const isRemote = ['LOOPTIDE_URL', 'DATABASE_URL', 'NATS_URL'].some(
    (name) => reader.optional(name) !== undefined,
  )
  const local = isRemote ? undefined : readStationFile(dataDir)
  const secrets = isRemote ? {} : await readSecrets(join(dataDir, 'secrets.json'))
  const named = <K extends string>(names: readonly K[], variable: (name: K) => string) =>
    Object.fromEntries(names.map((name) => [name, reader.optional(variable(name))])) as Partial<
      Record<K, string>
    >
  return {
    url: reader.optional('LOOPTIDE_URL') ?? local?.url,
    token: reader.optional('LOOPTIDE_TOKEN'),
    email: reader.optional('LOOPTIDE_ADMIN_EMAIL'),
    password: reader.optional('LOOPTIDE_ADMIN_PASSWORD'),
    databaseUrl: reader.optional('DATABASE_URL') ?? local?.databaseUrl,
    databasePasswords:
      secrets.databaseRoles ??
      named(databaseOwnerNames, (owner) => `DATABASE_PASSWORD_${owner.toUpperCase()}`),
    natsUrl: reader.optional('NATS_URL') ?? local?.natsUrl,
    natsPassword: secrets.nats?.[STREAM_ADMIN] ?? reader.optional(natsPasswordVariable(STREAM_ADMIN)),
    authKeySecret: reader.optional('AUTH_KEY_SECRET') ?? secrets.authKey,
    previousAuthKeySecret: reader.optional('AUTH_KEY_SECRET_PREVIOUS') ?? secrets.previousAuthKey,
    dataDir,
    isRemote,
  }
}

/** The value, or the sentence that says how to give it. */
export function required<T>(value: T | undefined, variable: string): T {
  if (value === undefined) {
    throw usageError(`${variable} is not set, and no station runs here that would tell it (npm start).`)
  }
  return value
}
