import { expect, it } from 'vitest'
import { ApiError } from '../../lib/api/api-error.ts'
import { failureText } from './failure-text.ts'

const textOf = (status: number, code: string) =>
  failureText(new ApiError({ status, code, message: 'The message.' }), 'Otherwise.')

it('is the message of a refusal, also while the malware scanner is away, but not of another outage', () => {
  expect(textOf(422, 'malware_found')).toBe('The message.')
  expect(textOf(503, 'scanner_unavailable')).toBe('The message.')
  expect(textOf(503, 'service_unavailable')).toBe('Otherwise.')
})
