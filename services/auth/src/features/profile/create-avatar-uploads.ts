import { AVATAR_MAX_SIDE } from '@looptide/contracts/http/users'
import { MalwareScanner } from '@looptide/service-kit/pictures/malware-scanner'
import { PictureUploads } from '@looptide/service-kit/pictures/picture-uploads'
import type { ServiceDeps } from '@looptide/service-kit/process/database-service'
import type { AuthConfig } from '../../config.ts'
import type { Database } from '../../db/schema.ts'

/** The uploads of profile pictures, scanned if the settings name a scanner. */
export function createAvatarUploads(
  { malwareScanner: address }: Pick<AuthConfig, 'malwareScanner'>,
  { db, logger, metrics }: Pick<ServiceDeps<Database>, 'db' | 'logger' | 'metrics'>,
): PictureUploads<Database> {
  return new PictureUploads({
    db,
    logger,
    scanner: new MalwareScanner({ address, registry: metrics.registry, logger }),
    auditType: 'auth.audit.recorded.v1',
    targetType: 'avatar',
    maxSide: AVATAR_MAX_SIDE,
  })
}
