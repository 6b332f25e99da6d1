import { join } from 'node:path'
import { type DatabaseOwner, databaseOwnerNames } from '@looptide/backing/database/owners'
import { natsPasswordVariable } from '@looptide/backing/nats/nats-config'
import { STREAM_ADMIN } from '@looptide/backing/nats/nats-permissions'
import { readConfig } from '@looptide/runner/station/config'
import { readSecrets } from '@looptide/runner/station/secrets'
import { readStationFile } from '@looptide/runner/station/station-file'
import { type Env, EnvReader, readInternalTls } from '@looptide/service-kit/settings/env'
import type { TlsFiles } from '@looptide/service-kit/tls/internal-tls'
import { usageError } from './exit-codes.ts'

/** Addresses and credentials of the station. Undefined: neither set nor found. */
export interface Settings {
  /** The gateway's URL. */
  url: string | undefined
  token: string | undefined
  email: string | undefined
  password: string | undefined
  /** The administrator's URL of the station's database. */
  databaseUrl: string | undefined
  databasePasswords: Partial<Record<DatabaseOwner, string>>
  natsUrl: string | undefined
  /** Of the stream administrator. */
  natsPassword: string | undefined
  authKeySecret: string | undefined
  /** Set while the key secret is being changed. */
  previousAuthKeySecret?: string | undefined
  /** Authorises the admin API of the auth protocol. */
  serviceKey?: string | undefined
  /** Certificate for connections to the station's processes and stores. */
  internalTls?: TlsFiles | undefined
  /** Data folder of a station started with `npm start`, running or not. */
  dataDir: string
  /** All settings come from the environment: the station runs elsewhere, in containers. */
  isRemote: boolean
}

/**
 * Settings from the environment, with the services' names. Missing ones come from the station that was started with
 * `npm start` on this machine.
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
    serviceKey: reader.optional('AUTH_SERVICE_KEY') ?? secrets.serviceKey,
    internalTls: readInternalTls(reader),
    dataDir,
    isRemote,
  }
}

/** The value; throws with a hint when it is undefined. */
export function required<T>(value: T | undefined, variable: string): T {
  if (value === undefined) {
    throw usageError(`Set ${variable}, or start a station on this machine with npm start.`)
  }
  return value
}
