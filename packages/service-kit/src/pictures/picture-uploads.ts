import type { Kysely } from 'kysely'
import { type AuditType, appendAudit } from '../audit/audit.ts'
import type { EventTables } from '../db/event-tables.ts'
import type { Cause } from '../events/outbox.ts'
import { AppError } from '../http/errors.ts'
import type { Logger } from '../telemetry/logger.ts'
import type { MalwareScanner } from './malware-scanner.ts'
import { type Picture, readPicture } from './pictures.ts'

interface PictureUploadsDeps<D extends EventTables> {
  db: Kysely<D>
  scanner: MalwareScanner
  logger: Logger
  auditType: AuditType
  /** The kind of the pictures, as `targetType` in the audit log. */
  targetType: 'avatar' | 'theme_asset'
  /** Longest side, in pixels. */
  maxSide: number
}

/** Pictures that users upload: validated, without metadata, scanned for malware. */
export class PictureUploads<D extends EventTables> {
  readonly #deps: PictureUploadsDeps<D>

  constructor(deps: PictureUploadsDeps<D>) {
    this.#deps = deps
  }

  /**
   * The picture in a request's body. Throws the errors of {@link readPicture}, `malware_found` after an entry in the audit
   * log, and `scanner_unavailable`.
   */
  async read(body: unknown, cause: Cause): Promise<Picture> {
    const picture = readPicture(body, this.#deps.maxSide)
    // The upload and the stored picture are both scanned: without its metadata, other signatures may match.
    const uploaded = Buffer.isBuffer(body) && !body.equals(picture.bytes) ? [body] : []
    const signature = await this.#deps.scanner.find([...uploaded, picture.bytes])
    if (signature !== undefined) await this.#refuse(signature, cause)
    return picture
  }

  async #refuse(signature: string, cause: Cause): Promise<never> {
    const { db, logger, auditType, targetType } = this.#deps
    logger.warn({ signature, userId: cause.actorId, targetType }, 'malware upload refused')
    const facts = { action: 'security_malware_refused', targetType, details: { signature } } as const
    await db.transaction().execute((trx) => appendAudit(trx, auditType, facts, cause))
    throw new AppError('malware_found', 'This picture was refused because it contains malware.')
  }
}
