import { fileURLToPath } from 'node:url'
import { type ServiceDefinition, stationServices } from '../src/services.ts'

const folder = fileURLToPath(new URL('./stub-service', import.meta.url))

/** The station's table with the same small program in the place of every service. */
export const stubServices: readonly ServiceDefinition[] = stationServices.map((service) => ({
  ...service,
  folder,
}))
