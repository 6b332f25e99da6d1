import { InvalidArgumentError } from 'commander'

/** The value of an option that is a time, as epoch ms. */
export function instant(text: string): number {
  const ms = Date.parse(text)
  if (Number.isNaN(ms)) throw new InvalidArgumentError('Expected a time such as 2026-11-27T20:00:00Z.')
  return ms
}
