import type { NowState } from '@looptide/contracts/http/channels'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type GatewayHarness, nowState, startGatewayHarness } from './_harness.ts'

const HOUR_MS = 3_600_000

let harness: GatewayHarness
beforeAll(async () => {
  harness = await startGatewayHarness()
})
afterAll(() => harness.close())

/** By how much the gateway's time is another than this machine's, once it has asked for this channel. */
async function offMs(channelId: string): Promise<number> {
  harness.channels.set(channelId, nowState(channelId))
  const response = await fetch(`${harness.gateway.url}/api/channels/${channelId}/now`)
  const { serverNowMs } = (await response.json()) as NowState
  return serverNowMs - Date.now()
}

it('a gateway whose clock is wrong takes the scheduler’s word for the time', async () => {
  expect(Math.abs(await offMs('in-time'))).toBeLessThan(1000)
  harness.schedulerOffsetMs = HOUR_MS
  expect(Math.abs((await offMs('an-hour-ahead')) - HOUR_MS)).toBeLessThan(1000)
  harness.schedulerOffsetMs = -HOUR_MS
  expect(Math.abs((await offMs('an-hour-back')) + HOUR_MS)).toBeLessThan(1000)
  harness.schedulerOffsetMs = 300
  await offMs('back-again')
  expect(Math.abs(await offMs('a-little-off'))).toBeLessThan(1000)
})
