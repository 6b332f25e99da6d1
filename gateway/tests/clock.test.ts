import type { NowState } from '@looptide/contracts/http/channels'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type GatewayHarness, nowState, startGatewayHarness } from './_harness.ts'

const HOUR_MS = 3_600_000

let harness: GatewayHarness
beforeAll(async () => {
  harness = await startGatewayHarness()
})
afterAll(() => harness.close())

/**
 * Makes the gateway fetch this channel from a scheduler whose clock differs from this machine's, and returns by how much
 * the gateway's time then differs from the scheduler's, in ms. A slow answer is not a wrong clock: the gateway cannot know
 * it more exactly than by half of what the answer took.
 */
async function clockErrorMs(channelId: string, offsetMs: number): Promise<number> {
  harness.schedulerOffsetMs = offsetMs
  harness.channels.set(channelId, nowState(channelId))
  const sentAtMs = Date.now() + offsetMs
  const response = await fetch(`${harness.gateway.url}/api/channels/${channelId}/now`)
  const { serverNowMs } = (await response.json()) as NowState
  const receivedAtMs = Date.now() + offsetMs
  const unknownMs = (receivedAtMs - sentAtMs) / 2
  return Math.max(sentAtMs - serverNowMs, serverNowMs - receivedAtMs, unknownMs) - unknownMs
}

it('a gateway with a wrong clock uses the time of the scheduler', async () => {
  expect(await clockErrorMs('in-time', 0)).toBeLessThan(1000)
  expect(await clockErrorMs('an-hour-ahead', HOUR_MS)).toBeLessThan(1000)
  expect(await clockErrorMs('an-hour-back', -HOUR_MS)).toBeLessThan(1000)
  await clockErrorMs('back-again', 300)
  expect(await clockErrorMs('a-little-off', 300)).toBeLessThan(1000)
})
