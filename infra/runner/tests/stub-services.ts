import { fileURLToPath } from 'node:url'
import { type ServiceDefinition, stationServices } from '../src/processes/services.ts'

const folder = fileURLToPath(new URL('./stub-service', import.meta.url))

/** The station's services, each replaced by the same small program. */
export const stubServices: readonly ServiceDefinition[] = stationServices.map((service) => ({
  ...service,
  folder,
}))
