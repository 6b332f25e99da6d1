import type { NowState } from '@looptide/contracts/http/channels'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type GatewayHarness, nowState, startGatewayHarness } from './_harness.ts'

const HOUR_MS = 3_600_000

let harness: GatewayHarness
beforeAll(async () => {
  harness = await startGatewayHarness()
})
afterAll(() => harness.close())

/** Difference between the gateway's time and this machine's after it has fetched this channel, in ms. */
async function clockOffsetMs(channelId: string): Promise<number> {
  harness.channels.set(channelId, nowState(channelId))
  const response = await fetch(`${harness.gateway.url}/api/channels/${channelId}/now`)
  const { serverNowMs } = (await response.json()) as NowState
  return serverNowMs - Date.now()
}

it('a gateway with a wrong clock uses the time of the scheduler', async () => {
  expect(Math.abs(await clockOffsetMs('in-time'))).toBeLessThan(1000)
  harness.schedulerOffsetMs = HOUR_MS
  expect(Math.abs((await clockOffsetMs('an-hour-ahead')) - HOUR_MS)).toBeLessThan(1000)
  harness.schedulerOffsetMs = -HOUR_MS
  expect(Math.abs((await clockOffsetMs('an-hour-back')) + HOUR_MS)).toBeLessThan(1000)
  harness.schedulerOffsetMs = 300
  await clockOffsetMs('back-again')
  expect(Math.abs(await clockOffsetMs('a-little-off'))).toBeLessThan(1000)
})
