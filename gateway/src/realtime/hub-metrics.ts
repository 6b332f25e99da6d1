import { Counter, Gauge, type Registry } from 'prom-client'

export interface HubMetrics {
  sockets: Gauge
  closed: Counter<'reason'>
  malformed: Counter
  refused: Counter<'status'>
  joins: Counter<'kind' | 'result'>
  published: Counter<'kind'>
  unrelayed: Counter<'kind'>
}

export function createHubMetrics(registry: Registry): HubMetrics {
  const registers = [registry]
  return {
    sockets: new Gauge({ name: 'looptide_sockets', help: 'Open realtime sockets.', registers }),
    closed: new Counter({
      name: 'looptide_sockets_closed_total',
      help: 'Realtime sockets closed, by why.',
      labelNames: ['reason'],
      registers,
    }),
    malformed: new Counter({
      name: 'looptide_socket_malformed_total',
      help: 'Socket frames dropped because they made no sense.',
      registers,
    }),
    refused: new Counter({
      name: 'looptide_handshakes_refused_total',
      help: 'Realtime handshakes refused, by the status they were answered.',
      labelNames: ['status'],
      registers,
    }),
    joins: new Counter({
      name: 'looptide_joins_total',
      help: 'Joins by kind of topic and by what became of them.',
      labelNames: ['kind', 'result'],
      registers,
    }),
    published: new Counter({
      name: 'looptide_fanout_messages_total',
      help: 'Messages fanned out to topics with members.',
      labelNames: ['kind'],
      registers,
    }),
    unrelayed: new Counter({
      name: 'looptide_broadcasts_dropped_total',
      help: 'Messages of members that were not passed on because too much was said on their topic.',
      labelNames: ['kind'],
      registers,
    }),
  }
}
