import type { DebugSource } from '@looptide/service-kit/debug/debug-report'
import type { Hub } from '../realtime/hub.ts'

interface GatewayState {
  hub: Pick<Hub, 'topics'>
  /** Viewers of each channel over all gateways. */
  counter: { totals(): Readonly<Record<string, number>> }
}

/** Viewers, topics and presence at this gateway. */
export const gatewaySources = ({ hub, counter }: GatewayState): DebugSource[] => [
  {
    title: 'Viewers, all gateways',
    read: () => Object.entries(counter.totals()).map(([channel, viewers]) => ({ channel, viewers })),
  },
  {
    title: 'Topics and presence at this gateway',
    read: () =>
      hub.topics().map(({ key, size, presence }) => ({
        topic: key,
        members: size,
        present: presence
          .local()
          .map((entry) => entry.key)
          .join(', '),
      })),
  },
]
