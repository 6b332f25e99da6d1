import { type AuditFacts, auditData, type CauseOfRequest } from '@looptide/service-kit/audit/audit'
import { newId } from '@looptide/service-kit/db/ids'
import { jetstream, jetstreamManager } from '@looptide/service-kit/events/nats-client'
import {
  type EventPublisher,
  PUBLISH_TIMEOUT_MS,
  publishEnvelope,
} from '@looptide/service-kit/events/publish-envelope'
import { AuditPosition } from '@looptide/service-kit/events/streams/audit-position'
import { errors } from '@looptide/service-kit/http/errors'
import type { Background } from '@looptide/service-kit/process/background'
import type { Logger } from '@looptide/service-kit/telemetry/logger'
import type { Redis } from 'ioredis'
import { StreamTask } from '../stream-task.ts'
import { type AuditEnvelope, KeptAuditEvents } from './kept-audit-events.ts'

/** Longer than JetStream takes to sync a message, in ms. The outbox relays of other services use the same. */
const RETENTION_MS = 300_000
const MAX_KEPT = 1000

interface RecorderDeps {
  /** A fail-fast connection. */
  redis: Redis
  publisher: EventPublisher
  logger: Logger
  /** How long events are kept after they were published, in ms. Default: five minutes. */
  retentionMs?: number
}

/**
 * Publishes the audit events of admins' actions, and again those that NATS may have lost: the worker has no outbox, so
 * each event is kept in Redis for five minutes. At the start and after each reconnect to NATS all kept events are
 * published again; the audit log ignores duplicates, because each has the same event id. Several replicas may do this
 * at once.
 */
export class AuditRecorder implements Background {
  readonly #deps: RecorderDeps
  readonly #kept: KeptAuditEvents
  readonly #position: AuditPosition
  readonly #task: StreamTask
  #isRepeatDue = true

  constructor(deps: RecorderDeps) {
    this.#deps = deps
    const { redis, publisher, logger } = deps
    this.#kept = new KeptAuditEvents(redis, MAX_KEPT)
    this.#position = new AuditPosition(() =>
      jetstreamManager(publisher.nats, { checkAPI: false, timeout: PUBLISH_TIMEOUT_MS }),
    )
    this.#task = new StreamTask({
      nats: publisher.nats,
      logger,
      failure: 'kept audit events not published',
      onInterruption: () => {
        this.#isRepeatDue = true
      },
      run: () => this.#maintain(),
    })
  }

  start(): void {
    this.#task.start()
  }

  async stop(): Promise<void> {
    await this.#task.stop()
  }

  /**
   * Records an admin's action. Called before the action, because no transaction covers both. Redis writes the event
   * before the changes of the action, so no action survives a power cut of Redis without its event. Throws
   * `service_unavailable` if the event cannot be kept or published; the caller then does not perform the action.
   */
  async record(cause: CauseOfRequest, facts: AuditFacts): Promise<void> {
    const event: AuditEnvelope = {
      id: newId(),
      type: 'metadata.audit.recorded.v1',
      occurredAt: new Date().toISOString(),
      ...cause,
      aggregateId: facts.targetId ?? facts.action,
      aggregateVersion: Date.now(),
      data: auditData(facts),
    }
    const entryId = await this.#kept.add(event)
    try {
      await this.#publish(event)
    } catch (error) {
      await this.#forget(entryId)
      throw errors.unavailable('The audit log', error)
    }
  }

  /** Removes the event of an action that is not performed. */
  async #forget(entryId: string): Promise<void> {
    await this.#kept.remove(entryId).catch((error: unknown) => {
      this.#deps.logger.warn({ err: error }, 'audit event of a refused action not removed')
    })
  }

  async #publish(event: AuditEnvelope): Promise<void> {
    const { nats, keys } = this.#deps.publisher
    await this.#position.publishAfter(async (messageId) => {
      const { seq } = await publishEnvelope(jetstream(nats), keys, event, undefined, messageId)
      return { streamSeq: seq }
    })
  }

  /**
   * Publishes the kept events again if NATS may have lost some. Old events are removed only afterwards: NATS may have
   * been away for longer than the retention.
   */
  async #maintain(): Promise<boolean> {
    if (this.#isRepeatDue) {
      if (!(await this.#position.refresh())) return false
      this.#isRepeatDue = false
      try {
        await this.#publishAll()
      } catch (error) {
        this.#isRepeatDue = true
        throw error
      }
    }
    if (!this.#isRepeatDue) await this.#kept.removeOlderThan(this.#deps.retentionMs ?? RETENTION_MS)
    return true
  }

  async #publishAll(): Promise<void> {
    let count = 0
    for await (const page of this.#kept.pages()) {
      await Promise.all(page.map((event) => this.#publish(event)))
      count += page.length
    }
    if (count > 0) this.#deps.logger.info({ count }, 'kept audit events published again')
  }
}
