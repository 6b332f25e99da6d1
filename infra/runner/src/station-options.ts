import type { Env } from '@looptide/service-kit/env'
import type { StoreName } from './backing/start-backing.ts'
import type { ReplicaCounts } from './fleet.ts'
import type { ServiceDefinition } from './services.ts'

export type StationOptions = {
  dataDir: string
  /** Fixed ports. The start fails if one of them is taken. */
  ports?: { gateway?: number; mailWeb?: number }
  /** Settings, as docs/configuration.md lists them. `npm start` passes its whole environment, tests only what they mean. */
  env?: Env
  /** Say nothing on the terminal. */
  quiet?: boolean
  /** More than one process of a service: found at one address, which hands each connection to the next of them. */
  replicas?: ReplicaCounts
  /** Other programs in the place of our services. */
  services?: readonly ServiceDefinition[]
  /** Data folders of single stores, elsewhere than below `dataDir`. */
  storeFolders?: Partial<Record<StoreName, string>>
  /** Let every process die with this one, whatever ends it. */
  tether?: boolean
  say?: (text: string) => void
}
