import { readConfig } from './station/config.ts'
import { Station } from './station/station.ts'
import { exitWith, greeting, stopOnSignals } from './terminal.ts'

async function main(): Promise<void> {
  const startedAt = performance.now()
  const config = readConfig(process.env)
  console.log('Looptide is starting …')
  const station = new Station({ dataDir: config.dataDir, env: process.env })
  const stopping = stopOnSignals(station)
  try {
    await station.start()
  } catch (error) {
    // A start that was interrupted fails because of the interruption: no message needed.
    if (stopping()) return
    throw error
  }
  console.log(greeting(station, performance.now() - startedAt))
}

main().catch(exitWith)
