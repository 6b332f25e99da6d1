import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Receipt, receiptOf } from '@looptide/fairness/receipt'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { EXIT } from '../exit-codes.ts'
import { run } from '../run.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'receipts-'))
})
afterAll(() => rm(folder, { recursive: true }))

const request = (id: string, requestedAtMs: number) => ({
  id,
  account: `requester of ${id}`,
  durationMs: 200_000,
  requestedAtMs,
})
const requests = [request('a', 1), request('b', 2)]
const [first, second] = requests
const receipt: Receipt = receiptOf(
  {
    currency: 'vote',
    decidedAtMs: Date.UTC(2026, 10, 27, 20),
    isConsistent: true,
    ballots: [
      { account: 'one', load: 0, approved: ['a'] },
      { account: 'two', load: 0, approved: ['b'] },
      { account: 'three', load: 0, approved: ['b'] },
    ],
    requests,
    passedOver: [{ request: 'b', rule: 'artistSeparation' }],
    winner: first ?? request('a', 1),
  },
  new Uint8Array(32),
)

/** Runs the command on a file with `content`; returns its exit code and output. */
async function verify(content: string, ...options: string[]) {
  const file = join(folder, 'receipts.json')
  await writeFile(file, content)
  const lines: string[] = []
  const add = (text: string) => void lines.push(text)
  const code = await run([...options, 'audience', 'verify', file], {
    env: {},
    out: add,
    err: add,
    ask: undefined,
  })
  return { code, output: lines.join('\n') }
}

test('a correct receipt is confirmed with its winner, its ballots and its digest', async () => {
  expect(await verify(JSON.stringify(receipt))).toEqual({
    code: EXIT.done,
    output: `1: correct: a at 2026-11-27T20:00:00.000Z by vote, 3 ballots, after 1 request that rules forbade, digest ${receipt.digest}`,
  })
})

test('of several receipts, each wrong one is named with its first difference', async () => {
  const forged = { ...receipt, winner: second?.id }
  const { code, output } = await verify(JSON.stringify([receipt, forged, 'nonsense']))
  expect(code).toBe(EXIT.fault)
  expect(output).toMatch(
    /1: correct.*\n2: wrong \(digest\): .*\n3: wrong \(form\): the receipt is not an object\.\n2 receipts of 3 wrong\.$/,
  )
})

test('as JSON, each receipt has a result', async () => {
  const { output } = await verify(JSON.stringify(receipt), '--json')
  expect(JSON.parse(output)).toEqual([{ place: 1, isCorrect: true, winner: 'a', digest: receipt.digest }])
})

test('an evening needs its begin, before its end', async () => {
  const lines: string[] = []
  const out = (text: string) => void lines.push(text)
  const begins = ['--from', '2026-11-28T20:00:00Z', '--to', '2026-11-27T20:00:00Z']
  for (const options of [begins, ['--to', '2026-11-28T20:00:00Z'], ['--from', 'yesterday']]) {
    const code = await run(['audience', 'verify', 'default', ...options], {
      ...{ env: {}, out, err: out, ask: undefined },
    })
    expect(code).toBe(EXIT.usage)
  }
  expect(lines.join('\n')).toMatch(/--from must be before --to\.\n--to needs --from\.\n.*Expected a time/s)
})

test('a file without JSON, and a missing one, are invalid', async () => {
  expect(await verify('nothing')).toMatchObject({
    code: EXIT.usage,
    output: expect.stringMatching(/^This is not JSON/),
  })
  const code = await run(['audience', 'verify', join(folder, 'missing')], {
    env: {},
    out: () => undefined,
    err: () => undefined,
    ask: undefined,
  })
  expect(code).toBe(EXIT.usage)
})
