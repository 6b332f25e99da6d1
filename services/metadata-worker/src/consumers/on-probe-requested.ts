import type { Envelope } from '@looptide/contracts/events'
import type { ProbeQueue } from '../media/probe-queue.ts'

/** The catalogue does not know how long some media files are: each becomes a job, unless it is one already. */
export const onProbeRequested =
  (probes: ProbeQueue) =>
  async (_context: null, envelope: Envelope<'catalogue.probe.requested.v1'>): Promise<void> => {
    await probes.request(envelope.data.media)
  }
