import { freePort } from '@looptide/backing/free-port'
import type { NatsUser } from '@looptide/backing/nats/nats-permissions'
import type { ProcessSpec } from '@looptide/backing/process-spec'
import { maildevSpec } from '@looptide/backing/servers/maildev'
import { natsSpec } from '@looptide/backing/servers/nats'
import { OnDemandPorts } from '@looptide/backing/servers/on-demand'
import { postgresSpec } from '@looptide/backing/servers/postgres'
import { redisSpec } from '@looptide/backing/servers/redis'
import { choosePort } from './choose-port.ts'
import type { StationConfig } from './config.ts'
import type { Secrets } from './secrets.ts'

/** URLs of the stores and the mail server. */
export interface BackingUrls {
  adminUrl: string
  redisUrl: string
  natsUrlFor: (name: NatsUser) => string
  smtpUrl: string
  /** maildev's inbox; undefined if mail goes to the operator's server. */
  mailUrl: string | undefined
}

/** The servers that keep the station's data. */
export type StoreName = 'postgres' | 'redis' | 'nats'

interface Context {
  config: StationConfig
  /** Data folders of single stores outside the station's own. */
  storeFolders: Partial<Record<StoreName, string>>
  secrets: Secrets
  run: (spec: ProcessSpec) => Promise<void>
  say: (text: string) => void
  /** Work to do after the station has stopped. */
  onStopped: (work: () => Promise<void>) => void
}

type MailUrls = Pick<BackingUrls, 'smtpUrl' | 'mailUrl'>

/** Starts Postgres, Redis and NATS concurrently, except those for which the operator set a URL, and listens for mail. */
export async function startBacking(context: Context): Promise<BackingUrls> {
  const [adminUrl, redisUrl, natsUrlFor, mail] = await Promise.all([
    startPostgres(context),
    startRedis(context),
    startNats(context),
    startMail(context),
  ])
  return { adminUrl, redisUrl, natsUrlFor, ...mail }
}

async function startPostgres({ config, storeFolders, secrets, run, say }: Context): Promise<string> {
  if (config.databaseUrl !== undefined) return config.databaseUrl
  const dataDir = storeFolders.postgres ?? config.dataDir
  const { spec, url } = await postgresSpec({
    dataDir,
    port: await freePort(),
    password: secrets.postgresAdmin,
    say,
  })
  await run(spec)
  return url
}

async function startRedis({ config, storeFolders, secrets, run, say }: Context): Promise<string> {
  if (config.redisUrl !== undefined) return config.redisUrl
  const dataDir = storeFolders.redis ?? config.dataDir
  const { spec, url } = await redisSpec({ dataDir, port: await freePort(), password: secrets.redis, say })
  await run(spec)
  return url
}

async function startNats(context: Context): Promise<BackingUrls['natsUrlFor']> {
  const { config, storeFolders, secrets, run, say } = context
  const given = config.natsUrl
  if (given !== undefined) return () => given
  const dataDir = storeFolders.nats ?? config.dataDir
  const { spec, urlFor } = await natsSpec({ dataDir, port: await freePort(), passwords: secrets.nats, say })
  await run(spec)
  return urlFor
}

/** maildev starts with the first mail, or when its inbox is opened. */
async function startMail({ config, run, say, onStopped }: Context): Promise<MailUrls> {
  if (config.smtpUrl !== undefined) return { smtpUrl: config.smtpUrl, mailUrl: undefined }
  const webPort = await choosePort('MAIL_WEB_PORT', config.mailWeb, say)
  const smtpPort = await freePort()
  const ports = new OnDemandPorts(async () => {
    const own = { smtpPort: await freePort(), webPort: await freePort() }
    await run(maildevSpec({ dataDir: config.dataDir, ...own }))
    return [own.smtpPort, own.webPort]
  })
  onStopped(() => ports.close())
  await ports.listen([smtpPort, webPort])
  return { smtpUrl: `smtp://127.0.0.1:${smtpPort}`, mailUrl: `http://localhost:${webPort}` }
}
