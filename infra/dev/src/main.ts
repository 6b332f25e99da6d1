import { isRun, type ServiceDefinition, stationServices } from '../../runner/src/processes/services.ts'
import { readConfig } from '../../runner/src/station/config.ts'
import { Station } from '../../runner/src/station/station.ts'
import { exitWith, greeting, stopOnSignals } from '../../runner/src/terminal.ts'
import { type DevOptions, readOptions } from './options.ts'
import { Reloader } from './reloader.ts'
import { reportMigration } from './report-migration.ts'
import { sourceFolders } from './source-folders.ts'
import { watchSources } from './watch-sources.ts'
import { startWebServer } from './web-server.ts'

// `pnpm dev [--only SERVICE] [--inspect SERVICE]`: the station for development (CONTRIBUTING.md, "Run it for development").

const FIRST_INSPECTOR_PORT = 9229

const inspectorPort = ({ inspected }: DevOptions, service: ServiceDefinition): number =>
  FIRST_INSPECTOR_PORT + inspected.indexOf(service.name)

/** The station's services: reloaded ones run from their sources, the others from bundles. */
function developmentServices(options: DevOptions): ServiceDefinition[] {
  return stationServices.map((service) => {
    const isInspected = options.inspected.includes(service.name)
    const inspect = isInspected ? [`--inspect=127.0.0.1:${inspectorPort(options, service)}`] : []
    return {
      ...service,
      fromSource: options.reloaded.includes(service.name),
      nodeArgs: [...(service.nodeArgs ?? []), ...inspect],
    }
  })
}

async function main(): Promise<void> {
  const startedAt = performance.now()
  const config = readConfig(process.env)
  const { dataDir } = config
  const given = readOptions(process.argv.slice(2))
  const options = { ...given, reloaded: given.reloaded.filter((name) => isRun(name, config)) }
  console.log('Looptide is starting for development …')
  const web = await startWebServer()
  const services = developmentServices(options)
  // A process for each service: one that shares its process cannot load changed sources.
  const env = { LOOPTIDE_DEBUG: 'on', ...process.env, LOOPTIDE_PROCESSES: 'separate', WEB_DEV_URL: web.url }
  const station = new Station({ dataDir, env, services, shownInFull: options.shownInFull })
  const reloader = new Reloader({ restart: (name) => station.restart(name), say: console.log })
  station.onStopped(() => web.close())
  const stopping = stopOnSignals(station, () => reloader.stop())
  try {
    await station.start()
  } catch (error) {
    if (stopping()) return
    throw error
  }
  watchSources({
    folders: sourceFolders(options.reloaded),
    onChange: (changed) => {
      for (const service of changed) void reloader.reload(service)
    },
    onMigration: (file) => void reportMigration(file, station.databaseUrl).then(console.log, console.error),
  })
  console.log(greeting(station, performance.now() - startedAt))
  console.log(`  State:       ${station.url}/debug`)
  for (const name of options.inspected) {
    const service = services.find((one) => one.name === name)
    if (service !== undefined)
      console.log(`  Inspector:   ${name} at 127.0.0.1:${inspectorPort(options, service)}`)
  }
  console.log(`  Reloaded:    ${options.reloaded.join(', ')}; the web app updates in the browser\n`)
}

main().catch(exitWith)
