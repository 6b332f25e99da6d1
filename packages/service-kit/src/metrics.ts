import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** The figures every process shows at `/metrics`. Label values are few by design: no ids, no paths. */
export interface Metrics {
  registry: Registry
  httpSeconds: Histogram<'operation' | 'status'>
  eventsPublished: Counter<'type'>
  eventsConsumed: Counter<'consumer' | 'result'>
  eventsRecovered: Counter
  consumerLag: Gauge<'consumer'>
}

export function createMetrics(service: string): Metrics {
  const registry = new Registry()
  registry.setDefaultLabels({ service })
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  return {
    registry,
    httpSeconds: new Histogram({
      name: 'looptide_http_request_seconds',
      help: 'Time to answer a request, by operation.',
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
      help: 'Events taken from JetStream, by what became of them.',
      labelNames: ['consumer', 'result'],
      registers,
    }),
    eventsRecovered: new Counter({
      name: 'looptide_events_recovered_total',
      help: 'Acknowledged events that JetStream lost and that were published again.',
      registers,
    }),
    consumerLag: new Gauge({
      name: 'looptide_consumer_pending',
      help: 'Events waiting for a consumer.',
      labelNames: ['consumer'],
      registers,
    }),
  }
}
