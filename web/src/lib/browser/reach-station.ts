/** A small file of the station. */
const PROBE = '/icon.svg'

/**
 * Asks the station for an answer; rejects if there is none. The browser's own offline state says only that the device has
 * no network: a station on the same device can still be reached.
 */
export async function reachStation(): Promise<void> {
  await fetch(PROBE, { method: 'HEAD', cache: 'no-store' })
}
