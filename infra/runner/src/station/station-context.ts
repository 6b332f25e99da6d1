import { migrationUrl, ownerUrl, setUpDatabase } from '@looptide/backing/database/set-up'
import type { ServiceName } from '@looptide/backing/service-names'
import {
  migrationSettings,
  protocolOf,
  type ServiceDefinition,
  type StationContext,
} from '../processes/services.ts'
import type { StationConfig } from './config.ts'
import type { Secrets } from './secrets.ts'
import type { BackingUrls } from './start-backing.ts'

const OWN_DATABASE = 'looptide'

/** The database of DATABASE_URL, or our own instead of the server's default database. */
function databaseNameOf({ databaseUrl }: Pick<StationConfig, 'databaseUrl'>): string {
  const named = databaseUrl === undefined ? '' : new URL(databaseUrl).pathname.slice(1)
  return named === '' || named === 'postgres' ? OWN_DATABASE : decodeURIComponent(named)
}

/** The administrator's URL of the station's database, from that of the server. */
export function databaseUrlOf(config: Pick<StationConfig, 'databaseUrl'>, adminUrl: string): string {
  const url = new URL(adminUrl)
  url.pathname = `/${databaseNameOf(config)}`
  return url.href
}

/** What the environments of the services are made from. */
export const stationContextOf = (
  config: StationConfig,
  secrets: Secrets,
  ports: Record<ServiceName, number>,
  backing: BackingUrls,
): StationContext => ({
  config,
  secrets,
  ports,
  siteUrl: config.siteUrl ?? `${protocolOf(config)}://localhost:${ports.gateway}`,
  redisUrl: backing.redisUrl,
  smtpUrl: backing.smtpUrl,
  natsUrlFor: backing.natsUrlFor,
  databaseUrlFor: (owner) =>
    ownerUrl(backing.adminUrl, databaseNameOf(config), owner, secrets.databaseRoles[owner]),
})

interface Preparation {
  config: StationConfig
  services: readonly ServiceDefinition[]
  secrets: Secrets
  /** The administrator's URL of the database server. */
  adminUrl: string
  /** Runs a service's migrations with these settings. Undefined: they have been run. */
  migrate: ((service: ServiceDefinition, env: Record<string, string>) => Promise<unknown>) | undefined
}

/** Creates the database with its roles and schemas, and runs the migrations of all services. */
export async function prepareDatabase(preparation: Preparation): Promise<void> {
  const { config, services, secrets, adminUrl, migrate } = preparation
  const database = databaseNameOf(config)
  await setUpDatabase({ adminUrl, database, passwords: secrets.databaseRoles })
  if (migrate === undefined) return
  await Promise.all(
    services.map(async (service) => {
      const owner = service.database
      if (owner === undefined) return
      const url = migrationUrl(adminUrl, database, owner, secrets.databaseRoles[owner])
      await migrate(service, { DATABASE_URL: url, ...migrationSettings(service.name, config) })
    }),
  )
}
