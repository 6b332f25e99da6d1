/** Resolves after `ms`, or when `signal` aborts. Never rejects. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const timer = setTimeout(done, ms)
    function done(): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    signal.addEventListener('abort', done)
  })
}

/** Retries `work` with exponential backoff (up to 5 s) until it succeeds or `signal` aborts. */
export async function retryUntil(
  work: () => Promise<void>,
  signal: AbortSignal,
  onFailure: (error: unknown, attempt: number) => void,
): Promise<void> {
  for (let attempt = 1; !signal.aborted; attempt += 1) {
    try {
      await work()
      return
    } catch (error) {
      onFailure(error, attempt)
      await pause(Math.min(5000, 100 * 2 ** attempt), signal)
    }
  }
}
