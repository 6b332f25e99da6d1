/** Requests between processes at fixed intervals, independent of viewers: access list and published keys. */
const OF_PROCESSES = ['auth.access.read', 'auth.key.list']
/** Whether a metric counts requests: probes and `/metrics` have no operation. */
const REQUESTS = /^looptide_http_request_seconds_count\{[^}]*operation="([^"]+)"[^}]*\} (\d+)/gm

/** Requests that each process has answered since its start, by the URL of its `/metrics`. */
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

/** The increase since `before`. */
export const grown = (
  before: Record<string, number>,
  after: Record<string, number>,
): Record<string, number> =>
  Object.fromEntries(Object.entries(after).map(([name, count]) => [name, count - (before[name] ?? 0)]))
