import { inspect } from 'node:util'

type Truthy<T> = Exclude<T, null | undefined | false | 0 | ''>

const pollEveryMs = 20

/**
 * Polls `probe` until it returns something truthy, and returns that. A probe that throws is retried.
 *
 * @param what names the condition in the failure message, as in "the video has its title"
 * @param opts.timeoutMs maximum wait, default 30,000 ms
 * @throws Error with the condition and the last result
 */
export async function until<T>(
  what: string,
  probe: () => T | Promise<T>,
  opts: { timeoutMs?: number } = {},
): Promise<Truthy<T>> {
  const timeoutMs = opts.timeoutMs ?? 30_000
  const deadline = performance.now() + timeoutMs
  let last: unknown
  for (;;) {
    try {
      const value = await probe()
      if (value) return value as Truthy<T>
      last = value
    } catch (error) {
      last = error
    }
    if (performance.now() >= deadline) {
      throw new Error(
        `Timed out after ${timeoutMs} ms waiting until ${what}. Last seen: ${inspect(last, { depth: 3 })}`,
      )
    }
    await new Promise((resolve) => setTimeout(resolve, pollEveryMs))
  }
}
