import { expect, it } from 'vitest'
import { showToastsWith } from '../ui/toast.ts'
import { ApiError } from './api/api-error.ts'
import { failureText, showFailure, showFailureText } from './failures.ts'

/** The texts that `show` shows as toasts. */
function shown(show: () => void): string[] {
  const texts: string[] = []
  const stop = showToastsWith({
    show: ({ title, description }) => void texts.push(`${title}: ${description}`),
    hide: () => undefined,
  })
  show()
  stop()
  return texts
}
const refusal = (code: string, message: string) =>
  new ApiError({ status: 429, code, message, retryAfterMs: 31 * 60_000 })
const fixed = { title: 'Error', text: 'Failed to save.' }

it('says when an action that a limit refused may be repeated', () => {
  const guarded = refusal('admin_rate_limited', 'Too many admin actions. Please wait before trying again.')
  const busy = refusal('rate_limited', 'Too many previews at once.')
  expect(shown(() => showFailure(guarded, { title: 'Error', text: '' }))).toEqual([
    'Rate Limit Exceeded: Too many admin actions. Please wait before trying again. You can try again in 31 minutes.',
  ])
  const expected = ['Error: Too many previews at once. You can try again in 31 minutes.']
  expect(shown(() => showFailure(busy, { title: 'Error', text: '' }))).toEqual(expected)
  expect(shown(() => showFailureText(busy, fixed))).toEqual(expected)
  expect(shown(() => showFailureText(new Error('?'), fixed))).toEqual(['Error: Failed to save.'])
})

const textOf = (status: number, code: string) =>
  failureText(new ApiError({ status, code, message: 'The message.' }), 'Otherwise.')

it('is, about an account, the message of a refusal, also while the malware scanner is away, but not of another outage', () => {
  expect(textOf(422, 'malware_found')).toBe('The message.')
  expect(textOf(503, 'scanner_unavailable')).toBe('The message.')
  expect(textOf(503, 'service_unavailable')).toBe('Otherwise.')
})
