import { createECDH, randomBytes } from 'node:crypto'
import { chmod, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type DatabaseOwner, databaseOwnerNames } from '@looptide/backing/database/owners'
import { Failure } from '@looptide/backing/failure'
import { type NatsUser, natsUsers } from '@looptide/backing/nats/nats-permissions'
import { OWNERS, type Owner } from '@looptide/contracts/event'
import { generateKeyPair } from '@looptide/service-kit/events/event-keys'

/** Secrets with which the station's processes authenticate to each other. Generated once, stored with the data. */
export interface Secrets {
  postgresAdmin: string
  databaseRoles: Record<DatabaseOwner, string>
  redis: string
  nats: Record<NatsUser, string>
  /** Ed25519 private keys with which the owners sign their events. */
  eventKeys: Record<Owner, string>
  internalToken: string
  /** Encrypts auth's keys: without it every session of the data is lost. */
  authKey: string
  /** Authorises the admin API of the auth protocol. */
  serviceKey: string
  /** Identifies the station to push services: other keys end all subscriptions. */
  vapidKey: string
  /** Set by hand while one of the three above is being changed (docs/operations.md, "Secrets"). */
  previousInternalToken?: string
  previousAuthKey?: string
  previousServiceKey?: string
}

/** Reads the secrets of `dataDir`, or generates them. The file is readable by its owner only. */
export async function loadSecrets(dataDir: string): Promise<Secrets> {
  const path = join(dataDir, 'secrets.json')
  const known = await readSecrets(path)
  const secrets = complete(known)
  if (JSON.stringify(known) !== JSON.stringify(secrets)) {
    const temporary = `${path}.${process.pid}`
    await writeFile(temporary, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 })
    await rename(temporary, path)
  }
  await chmod(path, 0o600)
  return secrets
}

/** The secrets of the file at `path`; empty when there is none. Throws a Failure when it is damaged. */
export async function readSecrets(path: string): Promise<Partial<Secrets>> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {}
    throw error
  }
  try {
    return JSON.parse(text) as Partial<Secrets>
  } catch (cause) {
    throw new Failure(`${path} is damaged: restore it from a backup; without it the data cannot be read.`, {
      cause,
    })
  }
}

/** Keeps existing secrets and generates those that a newer version adds. */
function complete(known: Partial<Secrets>): Secrets {
  const fill = <K extends string>(
    names: readonly K[],
    given: Partial<Record<K, string>> | undefined,
    make = makeSecret,
  ) => Object.fromEntries(names.map((name) => [name, given?.[name] ?? make()])) as Record<K, string>
  return {
    postgresAdmin: known.postgresAdmin ?? makeSecret(),
    databaseRoles: fill(databaseOwnerNames, known.databaseRoles),
    redis: known.redis ?? makeSecret(),
    nats: fill(natsUsers, known.nats),
    eventKeys: fill(OWNERS, known.eventKeys, () => generateKeyPair().privateKey),
    internalToken: known.internalToken ?? makeSecret(),
    authKey: known.authKey ?? makeSecret(),
    serviceKey: known.serviceKey ?? makeSecret(),
    vapidKey: known.vapidKey ?? makeVapidKey(),
    ...(known.previousInternalToken === undefined
      ? {}
      : { previousInternalToken: known.previousInternalToken }),
    ...(known.previousAuthKey === undefined ? {} : { previousAuthKey: known.previousAuthKey }),
    ...(known.previousServiceKey === undefined ? {} : { previousServiceKey: known.previousServiceKey }),
  }
}

/** 192 random bits, safe in a URL and in a configuration file. */
function makeSecret(): string {
  return randomBytes(24).toString('base64url')
}

/** A private key of the curve P-256, in base64url (RFC 8292). */
function makeVapidKey(): string {
  const curve = createECDH('prime256v1')
  curve.generateKeys()
  // Shorter in one of 256 keys: without leading zeros.
  return Buffer.concat([Buffer.alloc(32), curve.getPrivateKey()])
    .subarray(-32)
    .toString('base64url')
}
