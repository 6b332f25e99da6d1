import type { Envelope } from '@looptide/contracts/events'
import type { ProbeQueue } from '../media/probe-queue.ts'

/** Queues a probe job for each media file of unknown duration that has none. */
export const onProbeRequested =
  (probes: ProbeQueue) =>
  async (_context: null, envelope: Envelope<'catalogue.probe.requested.v1'>): Promise<void> => {
    await probes.request(envelope.data.media)
  }
