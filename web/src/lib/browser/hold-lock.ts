/**
 * Holds a web lock until the returned function is called; calls back once it is granted. Does nothing where there are no
 * locks: on pages without HTTPS.
 */
export function holdLock(
  name: string,
  options: LockOptions,
  onHeld: () => void = () => undefined,
): () => void {
  const { locks } = navigator as Partial<Pick<Navigator, 'locks'>>
  const end = new AbortController()
  const { signal } = end
  const ended = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
  // A request that does not wait cannot be cancelled.
  const request = options.ifAvailable ? options : { ...options, signal }
  const hold = async (lock: Lock | null) => {
    if (!lock || signal.aborted) return
    onHeld()
    await ended
  }
  // Rejects only when it is cancelled.
  locks?.request(name, request, hold).catch(() => undefined)
  return () => end.abort()
}
