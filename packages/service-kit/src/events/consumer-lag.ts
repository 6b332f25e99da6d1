import type { Metrics } from '../telemetry/metrics.ts'
import {
  type ConsumerInfo,
  type JetStreamManager,
  jetstreamManager,
  type NatsConnection,
  type StreamInfo,
} from './nats-client.ts'

const ANSWER_TIMEOUT_MS = 1000
const NANOS_PER_MS = 1_000_000

interface LagDeps {
  nats: NatsConnection
  metrics: Pick<Metrics, 'consumerLag' | 'retentionUsed' | 'streamFilled'>
  stream: string
  durable: string
}

/** Measures how far a durable consumer is behind its stream, and how near it is to losing events. */
export class ConsumerLag {
  readonly #deps: LagDeps
  #manager: Promise<JetStreamManager> | undefined

  constructor(deps: LagDeps) {
    this.#deps = deps
  }

  /** Sets the gauges and returns the number of pending and running events. Throws when JetStream does not respond. */
  async measure(): Promise<number> {
    const { nats, metrics, stream, durable } = this.#deps
    this.#manager ??= jetstreamManager(nats, { checkAPI: false, timeout: ANSWER_TIMEOUT_MS })
    const manager = await this.#manager
    const consumer = await manager.consumers.info(stream, durable)
    const info = await manager.streams.info(stream)
    metrics.consumerLag.set({ consumer: durable }, consumer.num_pending)
    metrics.retentionUsed.set({ consumer: durable }, retentionUsed(info, consumer, Date.now()))
    metrics.streamFilled.set({ stream }, filled(info))
    return consumer.num_pending + consumer.num_ack_pending
  }
}

/** Bytes of a stream against its limit, 0 to 1. */
const filled = ({ config, state }: Pick<StreamInfo, 'config' | 'state'>): number =>
  config.max_bytes > 0 ? Math.min(1, state.bytes / config.max_bytes) : 0

/**
 * Estimates the share of a stream's retention that lies between a consumer and the newest event, 0 to 1. A stream that is
 * full discards its oldest event for each new one, so at 1 the consumer's next event is the one discarded next. It is the
 * part of the stored events that the consumer has not acknowledged, times how full the stream is by bytes or by age.
 */
export function retentionUsed(
  { config, state }: Pick<StreamInfo, 'config' | 'state'>,
  consumer: Pick<ConsumerInfo, 'num_pending' | 'num_ack_pending' | 'ack_floor'>,
  nowMs: number,
): number {
  if (consumer.num_pending + consumer.num_ack_pending === 0 || state.messages === 0) return 0
  const stored = state.last_seq - state.first_seq + 1
  const behind = state.last_seq - Math.max(consumer.ack_floor.stream_seq, state.first_seq - 1)
  const ageMs = nowMs - Date.parse(String(state.first_ts))
  const aged = config.max_age > 0 ? Math.min(1, ageMs / (config.max_age / NANOS_PER_MS)) : 0
  return (behind / stored) * Math.max(aged, filled({ config, state }))
}
