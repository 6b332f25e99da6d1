import { type NatsUser, STREAM_ADMIN } from '@looptide/backing/nats/nats-permissions'
import { loadInternalTls } from '@looptide/service-kit/tls/internal-client'
import { buildWeb } from '../build/build-web.ts'
import { bundleServices } from '../bundle/bundle-services.ts'
import { lockData } from '../locks/data-lock.ts'
import { Fleet } from '../processes/fleet.ts'
import { Ledger } from '../processes/ledger.ts'
import { runOnce } from '../processes/run-once.ts'
import {
  isBundleable,
  programFile,
  protocolOf,
  type ServiceDefinition,
  type ServiceUrls,
  type StationContext,
  serviceEnv,
  serviceFolder,
  serviceUrls,
  stationServices,
} from '../processes/services.ts'
import type { SharedService } from '../processes/shared-process.ts'
import type { SupervisedProcess } from '../processes/supervised-process.ts'
import { Supervisor } from '../processes/supervisor.ts'
import { chooseServicePorts } from './choose-port.ts'
import { readConfig, type StationConfig } from './config.ts'
import { diskFailure, prepareDataFolder } from './data-folder.ts'
import { type AdminAccount, isPreparable, runFirstStart, type ServiceProgram } from './first-start.ts'
import { loadSecrets, type Secrets } from './secrets.ts'
import { type BackingUrls, startBacking } from './start-backing.ts'
import { databaseUrlOf, prepareDatabase, stationContextOf } from './station-context.ts'
import { removeStationFile, writeStationFile } from './station-file.ts'
import type { StationOptions } from './station-options.ts'
import { StreamKeeper } from './stream-keeper.ts'

const leftoverGraceMs = 15_000

/** The whole station: stores, services and gateway, started, supervised and stopped together. */
export class Station {
  readonly #options: StationOptions
  readonly #config: StationConfig
  readonly #services: readonly ServiceDefinition[]
  readonly #say: (text: string) => void
  readonly #abort = new AbortController()
  #supervisor: Supervisor | undefined
  #unlock: (() => void) | undefined
  #backing: BackingUrls | undefined
  #context: StationContext | undefined
  #fleet: Fleet | undefined
  #streams: StreamKeeper | undefined
  #stopped: Promise<void> | undefined
  readonly #onStopped: (() => Promise<void>)[] = []

  /** The first admin, on the start that created the account. */
  admin: AdminAccount | undefined

  /** @throws ConfigError naming every faulty setting */
  constructor(options: StationOptions) {
    this.#options = options
    this.#services = options.services ?? stationServices
    this.#say = options.quiet === true ? () => {} : (options.say ?? console.log)
    const env = { ...options.env, LOOPTIDE_DATA: options.dataDir }
    const { gateway, mailWeb } = options.ports ?? {}
    this.#config = readConfig({
      ...env,
      ...(gateway === undefined ? {} : { PORT: String(gateway) }),
      ...(mailWeb === undefined ? {} : { MAIL_WEB_PORT: String(mailWeb) }),
    })
  }

  get dataDir(): string {
    return this.#config.dataDir
  }

  /** URL of the station on this machine. */
  get url(): string {
    return `${protocolOf(this.#config)}://localhost:${this.#require(this.#context).ports.gateway}`
  }

  /** The internal URL of each service. */
  get urls(): ServiceUrls {
    return serviceUrls(this.#require(this.#context).ports, this.#config)
  }

  /** The processes of our own services. */
  get fleet(): Fleet {
    return this.#require(this.#fleet)
  }

  /** maildev's inbox; undefined if mail goes to the operator's server. */
  get mailUrl(): string | undefined {
    return this.#require(this.#backing).mailUrl
  }

  /** The administrator's URL of the station's database. */
  get databaseUrl(): string {
    return databaseUrlOf(this.#config, this.#require(this.#backing).adminUrl)
  }

  get redisUrl(): string {
    return this.#require(this.#backing).redisUrl
  }

  /** Without a user: each service has its own. */
  get natsUrl(): string {
    const url = new URL(this.natsUrlFor('gateway'))
    url.username = ''
    url.password = ''
    return url.href
  }

  natsUrlFor(name: NatsUser): string {
    return this.#require(this.#backing).natsUrlFor(name)
  }

  get secrets(): Secrets {
    return this.#require(this.#context).secrets
  }

  /** Process ids by name. Services that share a process have its id. */
  get pids(): Record<string, number> {
    const pids = this.#require(this.#supervisor).pids()
    return this.#fleet?.pids(pids) ?? pids
  }

  /**
   * Sends a signal to a process. A process that ends because of it is started again. With SIGKILL it resolves when the
   * process is dead.
   */
  async kill(name: string, signal: NodeJS.Signals): Promise<void> {
    await this.#unit(name).kill(signal)
  }

  /** Whether a process runs and is ready. */
  isRunning(name: string): Promise<boolean> {
    return this.#unit(name).isReady()
  }

  /** Stops a process until `restart`. */
  async halt(name: string): Promise<void> {
    await this.#unit(name).stop()
  }

  async restart(name: string): Promise<void> {
    await this.#unit(name).restart()
  }

  /** The log of a process since the station's start. Services that share a process share its log. */
  logs(name: string): string {
    return this.#require(this.#supervisor).logs(this.#fleet?.processOf(name) ?? name)
  }

  /** Starts everything; resolves when viewers can connect. After a failure everything is stopped. */
  async start(): Promise<void> {
    try {
      await this.#start()
    } catch (error) {
      await this.stop()
      throw diskFailure(error, this.#config.dataDir) ?? error
    }
  }

  /** Stops in order, the gateway first, the stores last. May be called at any time and repeatedly. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop()
    return this.#stopped
  }

  /** Work to do after the station has stopped, before `stop` resolves. */
  onStopped(work: () => Promise<void>): void {
    this.#onStopped.push(work)
  }

  /** Kills everything without waiting. */
  killAll(): void {
    this.#abort.abort()
    this.#supervisor?.killAll()
    this.#unlock?.()
  }

  async #start(): Promise<void> {
    const { dataDir, internalTls } = this.#config
    if (internalTls !== undefined) await loadInternalTls(internalTls)
    prepareDataFolder(dataDir)
    this.#unlock = lockData(dataDir)
    const ledger = new Ledger(dataDir)
    const left = await ledger.stopLeftovers(leftoverGraceMs)
    if (left.length > 0) this.#say(`Stopped processes of a killed run: ${left.join(', ')}.`)
    this.#supervisor = new Supervisor({
      dataDir,
      ledger,
      say: this.#say,
      tether: this.#options.tether ?? false,
      shownInFull: this.#options.shownInFull ?? [],
    })
    const secrets = await loadSecrets(dataDir)
    const ports = await chooseServicePorts(this.#config.gateway, this.#say)
    const built = this.#build()
    // The first failure of the two is reported; the other must not become an unhandled rejection.
    built.catch(() => {})
    this.#backing = await startBacking({
      config: this.#config,
      storeFolders: this.#options.storeFolders ?? {},
      secrets,
      say: this.#say,
      run: (spec) => this.#run(spec, false),
      onStopped: (work) => this.onStopped(work),
    })
    this.#context = stationContextOf(this.#config, secrets, ports, this.#backing)
    await built
    this.#streams = await StreamKeeper.start(this.#backing.natsUrlFor(STREAM_ADMIN), this.#say)
    await prepareDatabase({
      config: this.#config,
      services: this.#services,
      secrets,
      adminUrl: this.#backing.adminUrl,
      migrate:
        this.#options.isMigrated === true
          ? undefined
          : (service, env) =>
              this.#runProgram(service, { file: 'src/migrate.ts', what: 'the migrations', env }),
    })
    const prepareOnly = this.#options.prepareOnly === true
    if (!prepareOnly) await this.#startServices(this.#context)
    this.admin = await runFirstStart({
      config: this.#config,
      services: prepareOnly ? this.#services.filter(isPreparable) : this.#services,
      run: (service, program) => this.#runProgram(service, program),
    })
    if (prepareOnly) return
    const { url, databaseUrl, natsUrl, urls: services } = this
    writeStationFile(this.#config.dataDir, { url, databaseUrl, natsUrl, services })
    this.#supervisor.startEchoing()
  }

  async #startServices(context: StationContext): Promise<void> {
    this.#fleet = await Fleet.plan({
      services: this.#services,
      counts: this.#options.replicas ?? {},
      context,
      run: (spec) => this.#run(spec, true),
      processNamed: (name) => this.#require(this.#supervisor).get(name),
      isRunning: (name) => this.isRunning(name),
    })
    await this.#fleet.start()
  }

  /** Builds the web app and bundles the services, unless the present sources have been built already. */
  async #build(): Promise<void> {
    const own = this.#services.some(isBundleable)
    await Promise.all([
      this.#options.services === undefined ? buildWeb(this.#abort.signal, this.#say) : undefined,
      own && this.#config.bundle === 'on' ? bundleServices(this.#abort.signal, this.#say) : undefined,
    ])
  }

  #runProgram(service: ServiceDefinition, { file, what, args = [], env }: ServiceProgram): Promise<string> {
    return runOnce({
      what: `${service.name}, ${what}`,
      command: process.execPath,
      args: [programFile(service, file, this.#config), ...args],
      env: { ...serviceEnv(service, this.#require(this.#context)), ...env },
      cwd: serviceFolder(service),
      signal: this.#abort.signal,
    })
  }

  #run(spec: Parameters<Supervisor['start']>[0], echo: boolean): Promise<void> {
    return this.#require(this.#supervisor).start(spec, { echo })
  }

  async #stop(): Promise<void> {
    this.#abort.abort()
    const gateways = this.#fleet?.namesOf('gateway') ?? []
    const services = this.#fleet?.names.filter((name) => !gateways.includes(name)) ?? []
    await this.#streams?.stop()
    await this.#supervisor?.stop([gateways, services, ['maildev'], ['nats', 'redis', 'postgres']])
    await this.#fleet?.stopBalancers()
    // Only the holder of the lock may remove the file.
    if (this.#unlock !== undefined) removeStationFile(this.#config.dataDir)
    this.#unlock?.()
    for (const work of this.#onStopped) await work()
  }

  /** A process, or a service of the shared process. */
  #unit(name: string): SupervisedProcess | SharedService {
    return this.#fleet?.unit(name) ?? this.#require(this.#supervisor).get(name)
  }

  #require<T>(value: T | undefined): T {
    if (value === undefined) throw new Error('The station has not started yet.')
    return value
  }
}

/** Starts a station; resolves when viewers can connect. */
export async function startStation(options: StationOptions): Promise<Station> {
  const station = new Station(options)
  await station.start()
  return station
}
