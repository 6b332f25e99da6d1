/** What processes ask of one another at fixed intervals, whoever watches: the access list and the published keys. */
const OF_PROCESSES = ['auth.access.read', 'auth.key.list']
/** What counts as a request: probes and figures have no operation. */
const REQUESTS = /^looptide_http_request_seconds_count\{[^}]*operation="([^"]+)"[^}]*\} (\d+)/gm

/** Requests that each process has answered since it was started, by the addresses of their `/metrics`. */
export async function requestCounts(urls: Record<string, string>): Promise<Record<string, number>> {
  const counts = await Promise.all(
    Object.entries(urls).map(async ([name, url]): Promise<[string, number]> => {
      const text = await (await fetch(`${url}/metrics`)).text()
      const answered = [...text.matchAll(REQUESTS)].filter(
        ([, operation = 'none']) => operation !== 'none' && !OF_PROCESSES.includes(operation),
      )
      return [name, answered.reduce((sum, [, , count]) => sum + Number(count), 0)]
    }),
  )
  return Object.fromEntries(counts)
}

/** What came on top of `before`. */
export const grown = (
  before: Record<string, number>,
  after: Record<string, number>,
): Record<string, number> =>
  Object.fromEntries(Object.entries(after).map(([name, count]) => [name, count - (before[name] ?? 0)]))
