import { Counter, Gauge, type Registry } from 'prom-client'

export interface HubMetrics {
  sockets: Gauge
  closed: Counter<'reason'>
  malformed: Counter
  refused: Counter<'status'>
  joins: Counter<'kind' | 'result'>
  viewers: Counter<'change'>
  published: Counter<'kind'>
  broadcastsDropped: Counter<'kind'>
}

/** Registers the metrics of the hub. */
export function createHubMetrics(registry: Registry): HubMetrics {
  const registers = [registry]
  return {
    sockets: new Gauge({ name: 'looptide_sockets', help: 'Open realtime sockets.', registers }),
    closed: new Counter({
      name: 'looptide_sockets_closed_total',
      help: 'Realtime sockets closed, by reason.',
      labelNames: ['reason'],
      registers,
    }),
    malformed: new Counter({
      name: 'looptide_socket_malformed_total',
      help: 'Malformed socket frames, which are dropped.',
      registers,
    }),
    refused: new Counter({
      name: 'looptide_handshakes_refused_total',
      help: 'Refused realtime handshakes, by HTTP status.',
      labelNames: ['status'],
      registers,
    }),
    joins: new Counter({
      name: 'looptide_joins_total',
      help: 'Channel joins, by kind of topic and result.',
      labelNames: ['kind', 'result'],
      registers,
    }),
    viewers: new Counter({
      name: 'looptide_viewer_changes_total',
      help: 'Viewers who joined or left a channel, without those who reconnected.',
      labelNames: ['change'],
      registers,
    }),
    published: new Counter({
      name: 'looptide_fanout_messages_total',
      help: 'Messages published to topics with members at this gateway.',
      labelNames: ['kind'],
      registers,
    }),
    broadcastsDropped: new Counter({
      name: 'looptide_broadcasts_dropped_total',
      help: 'Broadcasts of members dropped because of the limit of their topic.',
      labelNames: ['kind'],
      registers,
    }),
  }
}
