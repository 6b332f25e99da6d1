import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** Metrics of every process, served at `/metrics`. Label values come from small closed sets: no ids, no paths. */
export interface Metrics {
  registry: Registry
  httpSeconds: Histogram<'operation' | 'status'>
  eventsPublished: Counter<'type'>
  eventsConsumed: Counter<'consumer' | 'result'>
  eventsRejected: Counter<'consumer' | 'reason'>
  eventsRecovered: Counter
  consumerLag: Gauge<'consumer'>
  retentionUsed: Gauge<'consumer'>
  streamFilled: Gauge<'stream'>
}

/** A registry with the metrics of every process, each labelled with the service. */
export function createMetrics(service: string): Metrics {
  const registry = new Registry()
  registry.setDefaultLabels({ service })
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  return {
    registry,
    httpSeconds: new Histogram({
      name: 'looptide_http_request_seconds',
      help: 'Time from request to response, by operation.',
      labelNames: ['operation', 'status'],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers,
    }),
    eventsPublished: new Counter({
      name: 'looptide_events_published_total',
      help: 'Events acknowledged by JetStream.',
      labelNames: ['type'],
      registers,
    }),
    eventsConsumed: new Counter({
      name: 'looptide_events_consumed_total',
      help: 'Events consumed from JetStream, by result.',
      labelNames: ['consumer', 'result'],
      registers,
    }),
    eventsRejected: new Counter({
      name: 'looptide_events_rejected_total',
      help: 'Messages that are not events signed by their owner, by reason.',
      labelNames: ['consumer', 'reason'],
      registers,
    }),
    eventsRecovered: new Counter({
      name: 'looptide_events_recovered_total',
      help: 'Acknowledged events that JetStream lost and that were republished.',
      registers,
    }),
    consumerLag: new Gauge({
      name: 'looptide_consumer_pending',
      help: 'Events not yet delivered to a consumer.',
      labelNames: ['consumer'],
      registers,
    }),
    retentionUsed: new Gauge({
      name: 'looptide_consumer_retention_used_ratio',
      help: "Share of its stream's retention that a consumer lags behind. At 1 it loses events.",
      labelNames: ['consumer'],
      registers,
    }),
    streamFilled: new Gauge({
      name: 'looptide_stream_filled_ratio',
      help: 'Bytes of a stream relative to its limit.',
      labelNames: ['stream'],
      registers,
    }),
  }
}
