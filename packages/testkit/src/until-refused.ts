/**
 * Sends rounds of requests, one to each target, until one is refused with 429. Returns the number of the others.
 *
 * @param targets functions that send a request and return the status of the response
 */
export async function acceptedUntilRefused(targets: readonly (() => Promise<number>)[]): Promise<number> {
  let accepted = 0
  for (;;) {
    const statuses = await Promise.all(targets.map((send) => send()))
    accepted += statuses.filter((status) => status !== 429).length
    if (statuses.includes(429)) return accepted
  }
}
