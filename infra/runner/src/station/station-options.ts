import type { ServiceName } from '@looptide/backing/service-names'
import type { Env } from '@looptide/service-kit/settings/env'
import type { ReplicaCounts } from '../processes/fleet.ts'
import type { ServiceDefinition } from '../processes/services.ts'
import type { StoreName } from './start-backing.ts'

export interface StationOptions {
  dataDir: string
  /** Fixed ports. The start fails if one of them is taken. */
  ports?: { gateway?: number; mailWeb?: number }
  /** Settings, as docs/configuration.md lists them. `npm start` passes its whole environment, tests only what they set. */
  env?: Env
  /** Print nothing. */
  quiet?: boolean
  /** Services with several processes, which share one address; each connection goes to the next process. */
  replicas?: ReplicaCounts
  /** Programs that replace our services. */
  services?: readonly ServiceDefinition[]
  /** Data folders of single stores outside `dataDir`. */
  storeFolders?: Partial<Record<StoreName, string>>
  /** Start only the stores, and create and migrate the database, the demo library and the first admin; no service runs. */
  prepareOnly?: boolean
  /** The database has been migrated by the present sources, so that no migration is left to run. */
  isMigrated?: boolean
  /** Ends every process with this one, also when it is killed. */
  tether?: boolean
  say?: (text: string) => void
  /** Services whose log is shown on the terminal in full, not only its warnings. */
  shownInFull?: readonly ServiceName[]
}
