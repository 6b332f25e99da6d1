import { startStation } from '../src/station/station.ts'
import { stubServices } from './stub-services.ts'

/** A separate runner for tests that kill it: prints its processes once it is up. */
const dataDir = process.argv[2] ?? ''
const { freePort } = await import('@looptide/backing/free-port')
const station = await startStation({
  dataDir,
  ports: { gateway: await freePort(), mailWeb: await freePort() },
  services: stubServices,
  quiet: true,
})
console.log(JSON.stringify(station.pids))
process.on('SIGTERM', () => void station.stop().then(() => process.exit(0)))
