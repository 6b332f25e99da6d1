import { expect, it } from 'vitest'
import { faultsOf } from './response-faults.ts'

const NAME = '$(touch /tmp/owned)"'
const request = {
  requester: 'admin' as const,
  method: 'POST',
  path: '/api/videos/filters',
  headers: {},
  body: JSON.stringify({ name: NAME }),
}
const refusal = (message: string) => ({
  status: 409,
  type: 'application/json; charset=utf-8',
  text: JSON.stringify({ code: 'conflict', message, requestId: 'ffe10aa8-6ac4-43ec-b878-d9811d1ab157' }),
  headers: {},
})

it('accepts an error message that repeats a text of the request', () => {
  expect(faultsOf(request, refusal(`A filter named "${NAME}" already exists.`))).toEqual([])
})

it('accepts an error message that repeats a hostile text that was stored before', () => {
  expect(faultsOf(request, refusal('A ban is in force with no end: "; select pg_sleep(10); --'))).toEqual([])
})

it('finds a file name beside it', () => {
  const faults = faultsOf(request, refusal(`"${NAME}" failed in /srv/app/filters.ts`))
  expect(faults).toEqual([expect.stringMatching(/^contains internals/)])
})

it('finds a leak that contains a short text of the request', () => {
  const short = { ...request, body: JSON.stringify({ code: 'd' }) }
  expect(faultsOf(short, refusal('redis: timeout'))).toHaveLength(1)
})
