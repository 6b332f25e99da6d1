import type { ServiceName } from '@looptide/backing/service-names'
import { loadConfig as gateway } from '../../../gateway/src/config.ts'
import { loadConfig as adminAudit } from '../../../services/admin-audit/src/config.ts'
import { loadConfig as audience } from '../../../services/audience/src/config.ts'
import { loadConfig as auth } from '../../../services/auth/src/config.ts'
import { loadConfig as catalogue } from '../../../services/catalogue/src/config.ts'
import { loadConfig as chat } from '../../../services/chat/src/config.ts'
import { loadConfig as metadataWorker } from '../../../services/metadata-worker/src/config.ts'
import { loadConfig as streamScheduler } from '../../../services/stream-scheduler/src/config.ts'

/** Each process's reader of its settings; throws a ConfigError. */
export const SETTINGS_READERS: Record<ServiceName, (env: Record<string, string | undefined>) => object> = {
  auth,
  catalogue,
  'stream-scheduler': streamScheduler,
  chat,
  audience,
  'admin-audit': adminAudit,
  'metadata-worker': metadataWorker,
  gateway,
}
