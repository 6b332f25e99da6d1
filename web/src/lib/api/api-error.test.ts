import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ApiError, errorFromFailure, errorFromResponse, parseRetryAfter } from './api-error.ts'

const noHeaders = new Headers()

describe('errorFromResponse', () => {
  it('keeps the code, message, request id and details of our own error body', () => {
    const error = errorFromResponse(
      400,
      noHeaders,
      { code: 'validation_failed', message: 'No.', requestId: 'r1', details: [{ path: '/a', message: 'b' }] },
      0,
    )
    expect(error).toMatchObject({
      status: 400,
      code: 'validation_failed',
      message: 'No.',
      requestId: 'r1',
      details: [{ path: '/a', message: 'b' }],
      isOutage: false,
    })
  })

  it('prefers the retry delay of the body to that of the header', () => {
    const headers = new Headers({ 'retry-after': '60' })
    const body = { code: 'rate_limited', message: 'Slow down.', requestId: 'r', retryAfterMs: 1500 }
    expect(errorFromResponse(429, headers, body, 0).retryAfterMs).toBe(1500)
    expect(errorFromResponse(429, headers, { ...body, retryAfterMs: undefined }, 0).retryAfterMs).toBe(60_000)
  })

  it('treats a foreign response as an outage only from status 500', () => {
    fc.assert(
      fc.property(fc.integer({ min: 400, max: 599 }), fc.anything(), (status, body) => {
        const error = errorFromResponse(status, noHeaders, body, 0)
        expect(error).toBeInstanceOf(ApiError)
        expect(error.isOutage).toBe(status >= 500)
        expect(error.code).not.toBe('')
      }),
    )
  })
})

describe('errorFromFailure', () => {
  it('distinguishes a timeout from a network failure, and returns an abort unchanged', () => {
    const abort = new DOMException('stop', 'AbortError')
    expect(errorFromFailure(abort)).toBe(abort)
    expect(errorFromFailure(new DOMException('late', 'TimeoutError'))).toMatchObject({ code: 'timed_out' })
    expect(errorFromFailure(new TypeError('failed'))).toMatchObject({
      code: 'network_failed',
      isOutage: true,
    })
  })
})

describe('parseRetryAfter', () => {
  it('parses seconds and dates, and nothing else', () => {
    expect(parseRetryAfter('3', 0)).toBe(3000)
    expect(parseRetryAfter('Thu, 01 Jan 1970 00:00:10 GMT', 4000)).toBe(6000)
    expect(parseRetryAfter('Thu, 01 Jan 1970 00:00:10 GMT', 40_000)).toBe(0)
    for (const nonsense of [null, '', ' ', 'soon', '-1']) expect(parseRetryAfter(nonsense, 0)).toBeUndefined()
  })
})
