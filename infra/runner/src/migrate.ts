import { baseEnv } from '@looptide/backing/base-env'
import { databaseOwnerNames, type RolePasswords } from '@looptide/backing/database/owners'
import { migrationUrl, setUpDatabase } from '@looptide/backing/database/set-up'
import { provisionOnce } from '@looptide/backing/nats/provision-streams'
import { EnvReader, readInternalTls } from '@looptide/service-kit/settings/env'
import { loadInternalTls } from '@looptide/service-kit/tls/internal-client'
import { runOnce } from './processes/run-once.ts'
import { migrationSettings, serviceFolder, stationServices } from './processes/services.ts'
import { readAuditPseudonymiseDays } from './station/config.ts'

// `node src/migrate.ts`, for containers: creates schemas, roles and extensions in the database of DATABASE_URL (an
// administrator's), with the passwords of DATABASE_PASSWORD_<OWNER> (not necessary for audience), and migrates every service's tables, each as the
// role that owns them. AUDIT_PSEUDONYMISE_DAYS is stored in the database. With NATS_URL (the stream administrator's) it creates or updates the event streams and durable
// consumers. Idempotent, also when run concurrently.
const reader = new EnvReader(process.env)
const adminUrl = reader.url('DATABASE_URL')
const passwords = Object.fromEntries(
  databaseOwnerNames.map((owner) => {
    const variable = `DATABASE_PASSWORD_${owner.toUpperCase()}`
    return [owner, owner === 'audience' ? reader.optional(variable) : reader.string(variable)]
  }),
) as RolePasswords
const natsUrl = reader.internalUrl('NATS_URL')
const tlsFiles = readInternalTls(reader)
const replicas = reader.optional('NATS_REPLICAS')
const natsReplicas = reader.integer('NATS_REPLICAS', 1, { min: 1, max: 5 })
const auditPseudonymiseDays = readAuditPseudonymiseDays(reader)
reader.done()
if (tlsFiles !== undefined) await loadInternalTls(tlsFiles)
const stopping = new AbortController()
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stopping.abort())

const database = new URL(adminUrl).pathname.slice(1) || 'looptide'
await setUpDatabase({ adminUrl, database, passwords })
for (const service of stationServices) {
  if (service.database === undefined) continue
  const output = await runOnce({
    what: `The migrations of ${service.name}`,
    command: process.execPath,
    args: ['src/migrate.ts'],
    env: {
      ...baseEnv(),
      DATABASE_URL: migrationUrl(adminUrl, database, service.database, passwords[service.database]),
      ...migrationSettings(service.name, { auditPseudonymiseDays }),
    },
    cwd: serviceFolder(service),
    signal: stopping.signal,
  })
  process.stdout.write(output)
}
console.log(`The database ${database} is up to date.`)
await provisionOnce(natsUrl, replicas === undefined ? undefined : natsReplicas)
console.log('The event streams are up to date.')
